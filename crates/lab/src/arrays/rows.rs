//! Rows of bytes that stand for boards.

use loyd::Board;
use loyd::board::{BoardError, RankError, Size};

/// Boards of one size, a byte a cell, one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    size: Size,
    bytes: &'a [u8],
}

/// What is wrong with a row.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("row {row}: {wrong}")]
pub struct Fault {
    /// The number of the row, from 0.
    pub row: usize,
    /// What is wrong.
    pub wrong: Wrong,
}

/// What can be wrong with a row.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Wrong {
    /// It is no board.
    #[error(transparent)]
    Board(BoardError),
    /// The goal cannot be reached from it.
    #[error("the board cannot be solved, so it has no labels")]
    Unsolvable,
    /// There is no such rank.
    #[error(transparent)]
    Rank(RankError),
    /// The blank would leave the board.
    #[error("action {action} leads off the board; {allowed} are allowed here")]
    Action {
        /// The action.
        action: u8,
        /// All that are allowed, with commas between them.
        allowed: String,
    },
    /// No label was found, for this reason.
    #[error("{0}")]
    NotFound(String),
}

/// What becomes of rows that are invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invalid {
    /// The first of them is the error.
    Refused,
    /// They have the largest label there is, or none.
    Masked,
}

impl<'a> Rows<'a> {
    /// Rows of boards of `size`.
    ///
    /// # Panics
    /// If the last row is not whole.
    pub fn new(size: Size, bytes: &'a [u8]) -> Self {
        assert!(bytes.len().is_multiple_of(size.cells()), "the last row is not whole");
        Self { size, bytes }
    }

    /// The size of the boards.
    pub fn size(self) -> Size {
        self.size
    }

    /// All rows, one after the other.
    pub fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// How many rows there are.
    pub fn len(self) -> usize {
        self.bytes.len() / self.size.cells()
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.bytes.is_empty()
    }

    /// The row `row`.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn get(self, row: usize) -> &'a [u8] {
        let cells = self.size.cells();
        &self.bytes[row * cells..(row + 1) * cells]
    }

    /// The rows.
    pub fn iter(self) -> std::slice::ChunksExact<'a, u8> {
        self.bytes.chunks_exact(self.size.cells())
    }

    /// So many rows from `first` on, or those that are left.
    #[must_use]
    pub fn part(self, first: usize, most: usize) -> Self {
        let cells = self.size.cells();
        let end = first.saturating_add(most).min(self.len());
        Self { bytes: &self.bytes[first * cells..end * cells], ..self }
    }

    /// The board of the row `row`.
    ///
    /// # Errors
    /// When it is none.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn board(self, row: usize) -> Result<Board, Fault> {
        let board = Board::from_bytes(self.size, self.get(row));
        board.map_err(|error| Fault { row, wrong: Wrong::Board(error) })
    }

    /// Whether the row `row` is a board.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn has_board(self, row: usize) -> bool {
        is_board(self.get(row))
    }

    /// Refuses rows that are no boards.
    ///
    /// # Errors
    /// The first of them.
    pub fn check(self) -> Result<(), Fault> {
        match self.iter().position(|row| !is_board(row)) {
            Some(row) => Err(self.fault(row)),
            None => Ok(()),
        }
    }

    /// What is wrong with the row `row`, which is no board or one that cannot be solved.
    pub(super) fn fault(self, row: usize) -> Fault {
        self.board(row).err().unwrap_or(Fault { row, wrong: Wrong::Unsolvable })
    }
}

/// Whether each number from 0 to that of the last tile is there once.
#[inline]
pub fn is_board(row: &[u8]) -> bool {
    if row.len() > 64 {
        let mut seen = [false; 256];
        let is_new = |&n: &u8| !std::mem::replace(&mut seen[usize::from(n)], true);
        return row.iter().all(|&n| usize::from(n) < row.len()) && row.iter().all(is_new);
    }
    let (seen, all) =
        row.iter().fold((0_u64, 0), |(seen, all), &n| (seen | 1 << (n % 64), all | n));
    all < 64 && seen == u64::MAX >> (64 - row.len())
}
