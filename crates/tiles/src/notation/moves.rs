//! Moves in any notation: the names of the notations, and what a text in each of them says.

mod fit;
mod names;
mod steps;
mod style;

use std::ops::Range;

use super::error::{Flaw, NotationError};
use crate::board::Board;
use crate::cell::Cell;
use crate::moves::Move;
use crate::size::Size;
use crate::tile::Tile;

pub use fit::{parse_moves, read_moves, read_moves_as_far};
pub use names::{NOTATIONS, Notation, NotationRow, UnknownNotation};
pub use style::{Style, UnwritableMoves};

/// The most moves of a text: more than thirty times as many as a fast solution of a 2x128 board has, which is
/// the longest of all.
pub const MOST_MOVES: usize = 1_000_000;

/// The flaw of a text that has more moves, at the first of them.
fn too_many_moves(span: Range<usize>) -> Flaw {
    Flaw::new(span, "more than 1,000,000 moves, the most that a solution may have")
        .with_help("split it into several solutions")
}

/// Moves that were read, and where each of them stands in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveText {
    /// The directions in which the blank travels.
    pub moves: Vec<Move>,
    /// The notation in which they were written.
    pub notation: Notation,
    text: String,
    /// The words, each with the number of moves that it stands for.
    words: Vec<(Range<usize>, usize)>,
    /// What is wrong with the word after these, which names a tile that cannot move.
    impossible: Option<Flaw>,
}

impl MoveText {
    /// The board to which the moves lead from `start`.
    ///
    /// # Errors
    /// The first move that cannot be made, with its place in the text.
    ///
    /// # Examples
    /// ```
    /// use loyd_tiles::notation::{parse_board, read_moves};
    /// let read = read_moves("u l2", None, None)?;
    /// let end = read.apply_to(&parse_board("234/15x/768", None)?)?;
    /// assert_eq!(end.to_string(), "x 2 3 1 5 4 7 6 8");
    /// let error = read.apply_to(&parse_board("234/1x5/768", None)?).unwrap_err();
    /// assert_eq!(&error.source[error.span], "l2");
    /// # Ok::<(), loyd_tiles::notation::NotationError>(())
    /// ```
    pub fn apply_to(&self, start: &Board) -> Result<Board, NotationError> {
        let mut board = start.clone();
        let mut made = 0;
        for (span, count) in &self.words {
            for &m in &self.moves[made..made + count] {
                if board.apply(m).is_err() {
                    let flaw = self.illegal(span.clone(), m, &board, start);
                    return Err(flaw.locate(&self.text, 1));
                }
            }
            made += count;
        }
        match &self.impossible {
            Some(flaw) => Err(flaw.clone().locate(&self.text, 1)),
            None => Ok(board),
        }
    }

    /// What is wrong with the move `m` of the word at `span`, when it meets `board`.
    fn illegal(&self, span: Range<usize>, m: Move, board: &Board, start: &Board) -> Flaw {
        let (size, blank) = (board.size(), board.blank());
        let at = place(size, blank);
        let message = match self.notation {
            Notation::Tile => {
                let (way, side) = (direction(m.inverse()), side(m));
                format!("no tile can move {way} here: there is none {side} the blank, on {at}")
            }
            _ => format!("the blank, on {at}, cannot go {}", direction(m)),
        };
        let flaw = Flaw::new(span, message);
        let turned: Vec<Move> = self.moves.iter().map(|m| m.inverse()).collect();
        let fits = start.clone().walk(&turned).is_ok();
        match self.notation {
            Notation::Tile if fits => flaw.with_help(
                "as moves of the blank these could be made: those are written in small letters",
            ),
            Notation::Blank if fits => flaw
                .with_help("as moves of tiles these could be made: those are written in capitals"),
            _ if board == start => flaw,
            _ => flaw.with_help(format!("the board is then {}", super::slashes(board))),
        }
    }
}

/// What messages call a direction.
fn direction(m: Move) -> &'static str {
    match m {
        Move::Up => "up",
        Move::Left => "left",
        Move::Right => "right",
        Move::Down => "down",
    }
}

/// Where the tile is that goes the other way.
fn side(m: Move) -> &'static str {
    match m {
        Move::Up => "above",
        Move::Left => "left of",
        Move::Right => "right of",
        Move::Down => "below",
    }
}

/// What messages call a cell: row and column, from 1.
fn place(size: Size, cell: Cell) -> String {
    format!("row {} and column {}", size.row(cell) + 1, size.column(cell) + 1)
}

/// The way of the blank to `target` in its own row or column: a direction and a number of moves.
fn slide(board: &Board, target: Cell) -> Option<(Move, usize)> {
    let (size, blank) = (board.size(), board.blank());
    let rows = (size.row(blank), size.row(target));
    let columns = (size.column(blank), size.column(target));
    let (m, (from, to)) = match (rows.0 == rows.1, columns.0 == columns.1) {
        (true, false) if columns.1 < columns.0 => (Move::Left, columns),
        (true, false) => (Move::Right, columns),
        (false, true) if rows.1 < rows.0 => (Move::Up, rows),
        (false, true) => (Move::Down, rows),
        _ => return None,
    };
    Some((m, from.abs_diff(to)))
}

/// A word of a text, understood as far as that needs no board.
#[derive(Clone, Debug)]
struct Step {
    span: Range<usize>,
    what: What,
}

#[derive(Clone, Copy, Debug)]
enum What {
    /// So many moves of the blank in a direction.
    Run(Move, u8),
    /// A tile, and all between it and the blank.
    Tile(Tile),
    /// The tile in this row and column, from 1, and all between it and the blank.
    At(u16, u16),
}
