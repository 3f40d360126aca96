//! Where the blank begins.

use std::io;

use loyd::Board;
use loyd::engine::Stop;

/// A size and the cell of the blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) row: u32,
    pub(super) column: u32,
}

/// Why something cannot be counted.
#[derive(Debug, thiserror::Error)]
pub enum PerftError {
    /// A side is too long or too short.
    #[error("a {0}x{1} board: sides of 1 to {max} cells are allowed", max = Start::MAX_SIDE)]
    Size(u32, u32),
    /// The blank is not on the board.
    #[error("row {0}, column {1} is not on the board")]
    Blank(u32, u32),
    /// States of this depth take too many bits.
    #[error("states can be counted to depth {most} on this board, not to {depth}")]
    TooDeep {
        /// The depth that was asked for.
        depth: u32,
        /// The largest that can be counted.
        most: u32,
    },
    /// A limit was reached.
    #[error(transparent)]
    Stopped(#[from] Stop),
    /// A file for states that memory does not hold cannot be written or read.
    #[error("states do not fit in memory, and their file failed")]
    Scratch(#[from] io::Error),
}

impl Start {
    /// The longest side.
    pub const MAX_SIDE: u32 = 1_000;

    /// A board of `width` and `height` whose blank is in `row` and `column`, both from 0.
    ///
    /// # Errors
    /// When a side is 0 or longer than [`MAX_SIDE`](Self::MAX_SIDE), or the blank is beside the board.
    pub fn new((width, height): (u32, u32), (row, column): (u32, u32)) -> Result<Self, PerftError> {
        let sides = 1..=Self::MAX_SIDE;
        if !sides.contains(&width) || !sides.contains(&height) {
            return Err(PerftError::Size(width, height));
        }
        if row >= height || column >= width {
            return Err(PerftError::Blank(row, column));
        }
        Ok(Self { width, height, row, column })
    }
}

impl From<&Board> for Start {
    fn from(board: &Board) -> Self {
        let (size, blank) = (board.size(), board.blank());
        let [width, height, row, column] =
            [size.width(), size.height(), size.row(blank), size.column(blank)]
                .map(|number| number as u32);
        Self { width, height, row, column }
    }
}
