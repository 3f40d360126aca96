//! Boards stored as rows of bytes, and moves of many rows.

use loyd::board::{BoardError, Cell, RankError, Size};
use loyd::{Board, Move};

/// Boards of one size, one byte per cell, concatenated.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    size: Size,
    bytes: &'a [u8],
}

/// A row that cannot be processed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("row {row}: {kind}")]
pub struct RowError {
    /// Index of the row, from 0.
    pub row: usize,
    /// Reason.
    pub kind: RowErrorKind,
}

/// Reason why a row cannot be processed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RowErrorKind {
    /// The row is not a board.
    #[error(transparent)]
    Board(BoardError),
    /// The goal cannot be reached from the board.
    #[error("the board cannot be solved, so it has no labels")]
    Unsolvable,
    /// The rank is out of range, or the board is too large to rank.
    #[error(transparent)]
    Rank(RankError),
    /// The blank would leave the board.
    #[error("action {action} leads off the board; {allowed} are allowed here")]
    Action {
        /// The action.
        action: u8,
        /// Legal actions, separated by commas.
        allowed: String,
    },
    /// No label was found, for this reason.
    #[error("{0}")]
    NotFound(String),
}

/// Treatment of invalid rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidRows {
    /// The first invalid row is an error.
    Reject,
    /// Invalid rows get the largest value of the label type, or no label.
    Mask,
}

impl<'a> Rows<'a> {
    /// Wraps rows of boards of `size`.
    ///
    /// # Panics
    /// Panics if the length of `bytes` is not a multiple of the number of cells.
    pub fn new(size: Size, bytes: &'a [u8]) -> Self {
        assert!(bytes.len().is_multiple_of(size.cells()), "the last row is incomplete");
        Self { size, bytes }
    }

    /// Returns the size of the boards.
    pub fn size(self) -> Size {
        self.size
    }

    /// Returns all rows, concatenated.
    pub fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the number of rows.
    pub fn len(self) -> usize {
        self.bytes.len() / self.size.cells()
    }

    /// Returns whether there are no rows.
    pub fn is_empty(self) -> bool {
        self.bytes.is_empty()
    }

    /// Returns row `row`.
    ///
    /// # Panics
    /// Panics if `row` is out of range.
    pub fn get(self, row: usize) -> &'a [u8] {
        let cells = self.size.cells();
        &self.bytes[row * cells..(row + 1) * cells]
    }

    /// Iterates over the rows.
    pub fn iter(self) -> std::slice::ChunksExact<'a, u8> {
        self.bytes.chunks_exact(self.size.cells())
    }

    /// Returns at most `most` rows, starting at `first`.
    #[must_use]
    pub fn slice(self, first: usize, most: usize) -> Self {
        let cells = self.size.cells();
        let end = first.saturating_add(most).min(self.len());
        Self { bytes: &self.bytes[first * cells..end * cells], ..self }
    }

    /// Converts row `row` into a board.
    ///
    /// # Errors
    /// Returns an error if the row is not a board.
    ///
    /// # Panics
    /// Panics if `row` is out of range.
    pub fn board(self, row: usize) -> Result<Board, RowError> {
        let board = Board::from_bytes(self.size, self.get(row));
        board.map_err(|error| RowError { row, kind: RowErrorKind::Board(error) })
    }

    /// Returns whether row `row` is a board.
    ///
    /// # Panics
    /// Panics if `row` is out of range.
    pub fn has_board(self, row: usize) -> bool {
        is_board(self.get(row))
    }

    /// Checks that all rows are boards.
    ///
    /// # Errors
    /// Returns the fault of the first row that is not a board.
    pub fn check(self) -> Result<(), RowError> {
        match self.iter().position(|row| !is_board(row)) {
            Some(row) => Err(self.fault(row)),
            None => Ok(()),
        }
    }

    /// Returns the fault of the first invalid row, with [`InvalidRows::Reject`].
    pub(super) fn reject(self, first: Option<usize>, invalid: InvalidRows) -> Result<(), RowError> {
        match first {
            Some(row) if invalid == InvalidRows::Reject => Err(self.fault(row)),
            _ => Ok(()),
        }
    }

    /// Returns the fault of row `row`, which is not a board or is unsolvable.
    pub(super) fn fault(self, row: usize) -> RowError {
        self.board(row).err().unwrap_or(RowError { row, kind: RowErrorKind::Unsolvable })
    }
}

/// Returns whether the row is a permutation of `0..row.len()`.
#[inline]
fn is_board(row: &[u8]) -> bool {
    if row.len() > 64 {
        let mut seen = [false; 256];
        let is_new = |&n: &u8| !std::mem::replace(&mut seen[usize::from(n)], true);
        return row.iter().all(|&n| usize::from(n) < row.len()) && row.iter().all(is_new);
    }
    let (seen, all) =
        row.iter().fold((0_u64, 0), |(seen, all), &n| (seen | 1 << (n % 64), all | n));
    all < 64 && seen == u64::MAX >> (64 - row.len())
}

/// Writes each board after one move: actions 0 to 3 move the blank up, left, right or down. With
/// [`InvalidRows::Reject`], a row that is not a board or whose blank would leave the board is an error; otherwise it is
/// copied unchanged.
///
/// # Errors
/// Returns the fault of the first refused row.
///
/// # Panics
/// Panics if the number of actions differs from the number of rows.
pub fn apply(
    rows: Rows<'_>,
    actions: &[u8],
    invalid: InvalidRows,
    out: &mut [u8],
) -> Result<(), RowError> {
    assert_eq!(actions.len(), rows.len(), "there must be one action per row");
    match rows.size().cells() {
        9 => apply_to(9, rows, actions, invalid, out),
        16 => apply_to(16, rows, actions, invalid, out),
        cells => apply_to(cells, rows, actions, invalid, out),
    }
}

/// [`apply`], inlined for constant `cells`, so that copying a row compiles to one or two vector moves.
#[inline(always)]
fn apply_to(
    cells: usize,
    rows: Rows<'_>,
    actions: &[u8],
    invalid: InvalidRows,
    out: &mut [u8],
) -> Result<(), RowError> {
    let targets = targets(rows.size());
    let boards = rows.bytes().chunks_exact(cells).zip(out.chunks_exact_mut(cells));
    for (number, ((row, board), &action)) in boards.zip(actions).enumerate() {
        board.copy_from_slice(row);
        let is_board = is_board(row);
        let blank = if is_board { blank(row) } else { 0 };
        let to = targets[blank].get(usize::from(action)).map_or(blank, |&to| to.into());
        if is_board && to != blank {
            board[blank] = row[to];
            board[to] = 0;
        } else if invalid == InvalidRows::Reject {
            return Err(match is_board {
                true => refused(rows.size(), number, blank, action),
                false => rows.fault(number),
            });
        }
    }
    Ok(())
}

fn refused(size: Size, row: usize, blank: usize, action: u8) -> RowError {
    let allowed = size.moves(Cell::new(blank)).into_iter();
    let allowed: Vec<_> = allowed.map(|m| m.index().to_string()).collect();
    RowError { row, kind: RowErrorKind::Action { action, allowed: allowed.join(", ") } }
}

/// Writes the boards after each of the four moves of every row, and whether each move is legal. For an illegal move
/// the row itself is written. A row that is not a board has no moves.
///
/// # Errors
/// Returns the fault of the first row that is not a board, with [`InvalidRows::Reject`].
pub fn neighbours(
    rows: Rows<'_>,
    invalid: InvalidRows,
    out: &mut [u8],
    mask: &mut [[bool; 4]],
) -> Result<(), RowError> {
    match rows.size().cells() {
        9 => neighbours_of(9, rows, invalid, out, mask),
        16 => neighbours_of(16, rows, invalid, out, mask),
        cells => neighbours_of(cells, rows, invalid, out, mask),
    }
}

/// [`neighbours`], specialised like [`apply_to`].
#[inline(always)]
fn neighbours_of(
    cells: usize,
    rows: Rows<'_>,
    invalid: InvalidRows,
    out: &mut [u8],
    mask: &mut [[bool; 4]],
) -> Result<(), RowError> {
    let targets = targets(rows.size());
    let outs = out.chunks_exact_mut(4 * cells).zip(mask);
    for (number, (row, (out, mask))) in rows.bytes().chunks_exact(cells).zip(outs).enumerate() {
        let boards = out.chunks_exact_mut(cells);
        if !is_board(row) {
            if invalid == InvalidRows::Reject {
                return Err(rows.fault(number));
            }
            boards.for_each(|board| board.copy_from_slice(row));
            *mask = [false; 4];
            continue;
        }
        let blank = blank(row);
        // An illegal move leaves the blank in place: the direction is unpredictable, so a branch would cost more.
        for ((board, &to), legal) in boards.zip(&targets[blank]).zip(mask) {
            board.copy_from_slice(row);
            board[blank] = row[usize::from(to)];
            board[usize::from(to)] = 0;
            *legal = usize::from(to) != blank;
        }
    }
    Ok(())
}

/// Returns the cell of the blank.
#[inline(always)]
fn blank(board: &[u8]) -> usize {
    let find = |found, (cell, &number)| if number == 0 { cell } else { found };
    board.iter().enumerate().fold(0, find)
}

/// Builds the table of the blank's target by cell and direction; the cell itself if the move would leave the board.
fn targets(size: Size) -> Vec<[u8; 4]> {
    let target = |cell| Move::ALL.map(|m| size.neighbour(cell, m).unwrap_or(cell).index() as u8);
    size.iter_cells().map(target).collect()
}
