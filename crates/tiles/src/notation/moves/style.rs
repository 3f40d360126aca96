//! Moves as they are written.

use super::super::path::moves_to_string;
use super::Notation;
use crate::board::{Board, IllegalMove};
use crate::moves::Move;
use crate::walk::runs;

/// How moves are to be written.
///
/// # Examples
/// ```
/// use loyd_tiles::notation::{Notation, Style, parse_board, parse_moves};
/// let (board, moves) = (parse_board("2 3 4/1 5 x/7 6 8", None)?, parse_moves("ull")?);
/// let written = |notation, runs| Style { notation, runs }.write(&moves, Some(&board)).unwrap();
/// assert_eq!(written(Notation::Tile, false), "DRR");
/// assert_eq!(written(Notation::Tile, true), "DR2");
/// assert_eq!(written(Notation::Numbers, false), "4 3 2");
/// assert_eq!(written(Notation::Coordinates, true), "1,3 1,1");
/// # Ok::<(), loyd_tiles::notation::NotationError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Style {
    /// The notation.
    pub notation: Notation,
    /// Whether moves in the same direction are put together: `R3`, or the farthest of the tiles that
    /// are pushed at once.
    pub runs: bool,
}

/// Why moves cannot be written in a notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnwritableMoves {
    /// The notation names tiles or cells, and there is no board.
    #[error(
        "{0} can be written only with the board that the moves begin on: name it with --board, or put it and a \
         tab in front of the moves"
    )]
    NoBoard(Notation),
    /// The moves leave the board.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
}

impl Style {
    /// The text for `moves` that begin on `board`; letters need none.
    ///
    /// [`read_moves`](super::read_moves) gives the same moves back.
    ///
    /// # Errors
    /// When the notation needs the board and there is none, or the moves leave it.
    pub fn write(self, moves: &[Move], board: Option<&Board>) -> Result<String, UnwritableMoves> {
        match (self.notation, board) {
            (Notation::Blank, _) if !self.runs => Ok(moves_to_string(moves)),
            (Notation::Blank, _) => Ok(self.letters(moves, Move::letter)),
            (Notation::Tile, _) => Ok(self.letters(moves, tile_letter)),
            (notation, None) => Err(UnwritableMoves::NoBoard(notation)),
            (notation, Some(board)) => self.words(moves, board, notation),
        }
    }

    fn letters(self, moves: &[Move], letter: fn(Move) -> char) -> String {
        if !self.runs {
            return moves.iter().map(|&m| letter(m)).collect();
        }
        // No count is above what can be read, however long a run is.
        let parts = runs(moves).flat_map(|run| run.chunks(u8::MAX.into()));
        let written = parts.map(|run| match run.len() {
            1 => letter(run[0]).to_string(),
            count => format!("{}{count}", letter(run[0])),
        });
        written.collect()
    }

    fn words(
        self,
        moves: &[Move],
        board: &Board,
        notation: Notation,
    ) -> Result<String, UnwritableMoves> {
        let mut board = board.clone();
        let mut words: Vec<String> = Vec::new();
        for run in runs(moves).flat_map(|run| run.chunks(if self.runs { run.len() } else { 1 })) {
            // Where the blank ends the farthest of the tiles has begun.
            let before = board.clone();
            board.walk(run)?;
            let (size, cell) = (board.size(), board.blank());
            words.push(match notation {
                Notation::Coordinates => {
                    format!("{},{}", size.row(cell) + 1, size.column(cell) + 1)
                }
                _ => before.tile(cell).to_string(),
            });
        }
        Ok(words.join(" "))
    }
}

/// Speed-solvers' letter: the direction in which the tile goes when the blank makes the move `m`.
fn tile_letter(m: Move) -> char {
    m.inverse().letter().to_ascii_uppercase()
}
