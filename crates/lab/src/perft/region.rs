//! The initial position, and the cells that the blank can reach from it.

use std::collections::VecDeque;
use std::io;

use loyd::engine::Stop;
use loyd::{Board, Move};

/// A board size and the cell of the blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    width: u32,
    height: u32,
    row: u32,
    column: u32,
}

/// Reason why states or sequences cannot be counted.
#[derive(Debug, thiserror::Error)]
pub enum PerftError {
    /// A side is too long or too short.
    #[error("a {0}x{1} board: sides of 1 to {max} cells are allowed", max = Start::MAX_SIDE)]
    Size(u32, u32),
    /// The blank is not on the board.
    #[error("row {0}, column {1} is not on the board")]
    Blank(u32, u32),
    /// States of this depth need too many bits.
    #[error("states can be counted to depth {most} on this board, not to {depth}")]
    TooDeep {
        /// Requested depth.
        depth: u32,
        /// Largest depth that can be counted.
        most: u32,
    },
    /// A limit was reached.
    #[error(transparent)]
    Stopped(#[from] Stop),
    /// A scratch file cannot be written or read.
    #[error("states do not fit in memory, and their scratch file failed")]
    Scratch(#[from] io::Error),
}

impl Start {
    /// Maximum length of a side.
    pub const MAX_SIDE: u32 = 1_000;

    /// Creates a board of `width` × `height` cells with the blank in `row` and `column`, both from 0.
    ///
    /// # Errors
    /// Returns an error if a side is 0 or longer than [`MAX_SIDE`](Self::MAX_SIDE), or if the blank is off the board.
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

/// Cells that the blank can reach in a given number of moves, numbered by their distance from its initial cell.
pub struct Region {
    neighbours: Vec<[u32; 4]>,
}

/// Marks a missing cell.
const NONE: u32 = u32::MAX;

impl Region {
    /// Number of the blank's initial cell.
    pub const START: u32 = 0;

    /// Collects the cells within `depth` moves of `start`.
    pub fn new(start: &Start, depth: u32) -> Self {
        let mut numbers = vec![NONE; (start.width * start.height) as usize];
        let mut neighbours: Vec<[u32; 4]> = Vec::new();
        let mut queue = VecDeque::from([(start.row, start.column)]);
        numbers[(start.row * start.width + start.column) as usize] = Self::START;
        let mut met = 1;
        while let Some(cell) = queue.pop_front() {
            let to = Move::ALL.map(|m| {
                let Some((row, column)) = neighbour(start, cell, m) else { return NONE };
                let number = &mut numbers[(row * start.width + column) as usize];
                let is_near = row.abs_diff(start.row) + column.abs_diff(start.column) <= depth;
                if *number == NONE && is_near {
                    *number = met;
                    met += 1;
                    queue.push_back((row, column));
                }
                *number
            });
            neighbours.push(to);
        }
        Self { neighbours }
    }

    /// Returns the number of cells.
    pub fn cells(&self) -> usize {
        self.neighbours.len()
    }

    /// Returns the moves of a blank on `cell` that stay in the region, as pairs of [index](Move::index) and target.
    pub fn moves(&self, cell: u32) -> impl Iterator<Item = (usize, u32)> + use<> {
        let to = self.neighbours[cell as usize];
        to.into_iter().enumerate().filter(|&(_, to)| to != NONE)
    }

    /// Returns the index of the move that undoes `m`.
    pub fn inverse(m: usize) -> usize {
        Move::ALL[m].inverse().index()
    }
}

/// Returns the cell to which `m` takes the blank.
fn neighbour(start: &Start, (row, column): (u32, u32), m: Move) -> Option<(u32, u32)> {
    match m {
        Move::Up => Some((row.checked_sub(1)?, column)),
        Move::Left => Some((row, column.checked_sub(1)?)),
        Move::Right => (column + 1 < start.width).then_some((row, column + 1)),
        Move::Down => (row + 1 < start.height).then_some((row + 1, column)),
    }
}
