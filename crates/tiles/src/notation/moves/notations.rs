//! Notations of moves: their names, and writing moves in any of them.

use crate::board::{Board, IllegalMove};
use crate::moves::{Move, runs};
use crate::notation::named::named;
use crate::notation::write::moves_to_string;

/// A notation of moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Notation {
    /// Small letters `u d l r`: the direction in which **the blank** moves, as in judges' files.
    #[default]
    Blank,
    /// Capitals `U D L R`: the direction in which **the tile** moves, as used by speed-solvers; always
    /// the opposite of the blank's.
    Tile,
    /// The number of the tile that moves. A tile that is not next to the blank but in its row or column pushes
    /// all tiles in between.
    Numbers,
    /// Row and column of the tile that moves, from 1, as in `2,3` or `(2, 3)`; it pushes tiles likewise.
    Coordinates,
    /// Capitals for the direction of **the blank**, as in the UVa judge's 15-puzzle problem.
    Capitals,
    /// Small letters for the direction of **the tile**.
    TileSmall,
    /// `up`, `down`, `left` and `right` for the direction of **the blank**.
    Words,
    /// The same words for the direction of **the tile**.
    TileWords,
    /// Arrows for the direction of **the blank**.
    Arrows,
    /// Arrows for the direction of **the tile**.
    TileArrows,
}

/// The piece whose direction a notation gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mover {
    Blank,
    Tile,
}

impl Notation {
    /// Returns the piece whose direction the notation gives, or `None` if it names tiles or cells.
    pub(super) fn mover(self) -> Option<Mover> {
        match self {
            Self::Blank | Self::Capitals | Self::Words | Self::Arrows => Some(Mover::Blank),
            Self::Tile | Self::TileSmall | Self::TileWords | Self::TileArrows => Some(Mover::Tile),
            Self::Numbers | Self::Coordinates => None,
        }
    }

    /// Returns the notation with the same signs for the opposite directions.
    pub(super) fn twin(self) -> Option<Self> {
        Some(match self {
            Self::Blank => Self::TileSmall,
            Self::TileSmall => Self::Blank,
            Self::Tile => Self::Capitals,
            Self::Capitals => Self::Tile,
            Self::Words => Self::TileWords,
            Self::TileWords => Self::Words,
            Self::Arrows => Self::TileArrows,
            Self::TileArrows => Self::Arrows,
            Self::Numbers | Self::Coordinates => return None,
        })
    }

    /// Returns whether the notation is tried if none is given. Small letters and capitals have a convention: only
    /// the board can show that the opposite is meant.
    pub(super) fn is_guessed(self) -> bool {
        !matches!(self, Self::Capitals | Self::TileSmall)
    }

    /// Returns the meaning of the signs, for messages.
    pub(super) fn meaning(self) -> &'static str {
        match (self.mover(), self) {
            (Some(Mover::Blank), _) => "moves of the blank",
            (Some(Mover::Tile), _) => "moves of tiles",
            (None, Self::Coordinates) => "rows and columns",
            (None, _) => "numbers of tiles",
        }
    }
}

/// A row of the table of notations.
#[derive(Clone, Copy, Debug)]
pub struct NotationRow {
    /// The notation.
    pub notation: Notation,
    /// The name used in options.
    pub name: &'static str,
    /// A one-line description for help texts.
    pub summary: &'static str,
    /// The same three moves in every row: move by move, and with runs combined.
    pub examples: [&'static str; 2],
    /// Whether moves can be read and written only together with their starting board.
    pub needs_board: bool,
}

/// All notations of moves: the single place where their names are defined.
///
/// The examples are the same three moves on the board `2 3 4/1 5 x/7 6 8`, move by move and with runs
/// combined: the blank moves up and twice to the left.
pub const NOTATIONS: &[NotationRow] = &[
    NotationRow {
        notation: Notation::Blank,
        name: "blank",
        summary: "small letters: where the blank goes (judges)",
        examples: ["ull", "ul2"],
        needs_board: false,
    },
    NotationRow {
        notation: Notation::Tile,
        name: "tile",
        summary: "capitals: where the tile goes (speed-solvers)",
        examples: ["DRR", "DR2"],
        needs_board: false,
    },
    NotationRow {
        notation: Notation::Capitals,
        name: "capitals",
        summary: "capitals: where the blank goes (UVa)",
        examples: ["ULL", "UL2"],
        needs_board: false,
    },
    NotationRow {
        notation: Notation::TileSmall,
        name: "tile-small",
        summary: "small letters: where the tile goes",
        examples: ["drr", "dr2"],
        needs_board: false,
    },
    NotationRow {
        notation: Notation::Words,
        name: "words",
        summary: "words: where the blank goes",
        examples: ["up left left", "up left2"],
        needs_board: false,
    },
    NotationRow {
        notation: Notation::TileWords,
        name: "tile-words",
        summary: "words: where the tile goes",
        examples: ["down right right", "down right2"],
        needs_board: false,
    },
    NotationRow {
        notation: Notation::Arrows,
        name: "arrows",
        summary: "arrows: where the blank goes",
        examples: ["↑←←", "↑←2"],
        needs_board: false,
    },
    NotationRow {
        notation: Notation::TileArrows,
        name: "tile-arrows",
        summary: "arrows: where the tile goes",
        examples: ["↓→→", "↓→2"],
        needs_board: false,
    },
    NotationRow {
        notation: Notation::Numbers,
        name: "numbers",
        summary: "which tile moves; it pushes those between it and the blank",
        examples: ["4 3 2", "4 2"],
        needs_board: true,
    },
    NotationRow {
        notation: Notation::Coordinates,
        name: "coordinates",
        summary: "row and column, from 1, of the tile that moves and pushes",
        examples: ["1,3 1,2 1,1", "1,3 1,1"],
        needs_board: true,
    },
];

named!(Notation, "a notation", NOTATIONS: NotationRow { notation }, UnknownNotation);

/// A notation and options for writing moves.
///
/// # Examples
/// ```
/// use loyd_tiles::notation::{Notation, Style, parse_board, parse_moves};
/// let (board, moves) = (parse_board("2 3 4/1 5 x/7 6 8", None)?, parse_moves("ull")?);
/// let written = |notation, runs| Style { notation, runs }.write(&moves, Some(&board)).unwrap();
/// assert_eq!(written(Notation::Tile, false), "DRR");
/// assert_eq!(written(Notation::Tile, true), "DR2");
/// assert_eq!(written(Notation::Words, true), "up left2");
/// assert_eq!(written(Notation::Numbers, false), "4 3 2");
/// assert_eq!(written(Notation::Coordinates, true), "1,3 1,1");
/// # Ok::<(), loyd_tiles::notation::NotationError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Style {
    /// The notation.
    pub notation: Notation,
    /// Whether moves in the same direction are combined: `R3`, or the farthest of the tiles that
    /// are pushed at once.
    pub runs: bool,
}

/// The reason why moves cannot be written in a notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnwritableMoves {
    /// The notation names tiles or cells, but no board is given.
    #[error(
        "notation {0} needs the starting board: pass it with --board, or put it before the moves, separated by a tab"
    )]
    NoBoard(Notation),
    /// The moves leave the board.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
}

impl Style {
    /// Writes `moves` that start on `board`; only tile numbers and cells need the board.
    ///
    /// [`read_moves`](super::read_moves) reads the same moves back.
    ///
    /// # Errors
    /// Returns an error if the notation needs a board and none is given, or if the moves leave the board.
    pub fn write(self, moves: &[Move], board: Option<&Board>) -> Result<String, UnwritableMoves> {
        match (self.notation, self.notation.mover(), board) {
            (Notation::Blank, ..) if !self.runs => Ok(moves_to_string(moves)),
            (notation, Some(mover), _) => {
                let sign = |m: Move| match mover {
                    Mover::Blank => sign(m, notation),
                    Mover::Tile => sign(m.inverse(), notation),
                };
                let is_word = matches!(notation, Notation::Words | Notation::TileWords);
                Ok(self.signs(moves, sign, if is_word { " " } else { "" }))
            }
            (notation, None, None) => Err(UnwritableMoves::NoBoard(notation)),
            (notation, None, Some(board)) => self.pushes(moves, board, notation),
        }
    }

    /// Writes the signs of directions, separated by `between`.
    fn signs(self, moves: &[Move], sign: impl Fn(Move) -> &'static str, between: &str) -> String {
        // A run is split into counts that can be read back.
        let most = if self.runs { u8::MAX.into() } else { 1 };
        let mut text = String::with_capacity(moves.len());
        for run in runs(moves).flat_map(|run| run.chunks(most)) {
            if !text.is_empty() {
                text.push_str(between);
            }
            text.push_str(sign(run[0]));
            if run.len() > 1 {
                text.push_str(&run.len().to_string());
            }
        }
        text
    }

    /// Writes the tiles or cells that are pushed.
    fn pushes(
        self,
        moves: &[Move],
        board: &Board,
        notation: Notation,
    ) -> Result<String, UnwritableMoves> {
        let mut board = board.clone();
        let mut words = String::new();
        for run in runs(moves).flat_map(|run| run.chunks(if self.runs { run.len() } else { 1 })) {
            board.walk(run)?;
            let (size, cell) = (board.size(), board.blank());
            if !words.is_empty() {
                words.push(' ');
            }
            // The farthest tile started on the cell where the blank is now, and moved by one cell.
            let farthest = run.last().and_then(|m| size.neighbour(cell, m.inverse()));
            let word = match (notation, farthest) {
                (Notation::Coordinates, _) | (_, None) => {
                    format!("{},{}", size.row(cell) + 1, size.column(cell) + 1)
                }
                (_, Some(farthest)) => board.tile(farthest).to_string(),
            };
            words.push_str(&word);
        }
        Ok(words)
    }
}

/// Returns the sign of a direction in `notation`.
fn sign(direction: Move, notation: Notation) -> &'static str {
    let [small, capital, word, arrow] = match direction {
        Move::Up => ["u", "U", "up", "↑"],
        Move::Left => ["l", "L", "left", "←"],
        Move::Right => ["r", "R", "right", "→"],
        Move::Down => ["d", "D", "down", "↓"],
    };
    match notation {
        Notation::Tile | Notation::Capitals => capital,
        Notation::Words | Notation::TileWords => word,
        Notation::Arrows | Notation::TileArrows => arrow,
        _ => small,
    }
}
