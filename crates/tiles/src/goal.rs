//! Goals are values, and searches never see one: they run on labels relative to it.

mod named;

pub use named::{GOALS, NamedGoal};

use crate::board::Board;
use crate::cell::Cell;
use crate::size::Size;
use crate::tile::Tile;

/// The arrangement to reach, before it is known how large the board is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Goal {
    /// Tiles in reading order, the blank on the last cell: `1 2 3/4 5 6/7 8 x`.
    #[default]
    BlankLast,
    /// The blank on the first cell, tiles in reading order after it: `x 1 2/3 4 5/6 7 8`.
    BlankFirst,
    /// Tiles in reading order, the blank at the end of the first row: `1 2 x/3 4 5/6 7 8`.
    BlankTopRight,
    /// Tiles in reading order, the blank at the beginning of the last row: `1 2 3/4 5 6/x 7 8`.
    BlankBottomLeft,
    /// Tiles down the columns, the blank last: `1 4 7/2 5 8/3 6 x`.
    Columns,
    /// Rows to the right and to the left by turns, the blank at the end: `1 2 3/6 5 4/7 8 x`.
    Snake,
    /// Clockwise from the first cell inwards, the blank at the end: `1 2 3/8 x 4/7 6 5`.
    Spiral,
    /// Any arrangement.
    Board(Board),
}

/// A goal of another size than the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the goal is a {goal} board, the start a {start} board")]
pub struct GoalMismatch {
    /// The size of the start.
    pub start: Size,
    /// The size of the goal.
    pub goal: Size,
}

/// Names each tile by its place in the goal, so that only the goal cell of the blank is left of the
/// goal and one search, or one table, serves every arrangement of the tiles.
///
/// The label of a tile is its index among the goal's tiles in reading order, the blank left out: 0
/// to n − 2. [`Relabelling::BLANK`] stands for the blank.
#[derive(Clone, Debug)]
pub struct Relabelling {
    goal: Board,
    label_of_tile: Vec<u8>,
}

impl Relabelling {
    /// The label of the blank, above those of all tiles.
    pub const BLANK: u8 = u8::MAX;

    /// The labels that `goal` gives.
    pub fn new(goal: &Board) -> Self {
        let mut label_of_tile = vec![Self::BLANK; goal.size().cells()];
        let tiles = goal.tiles().iter().filter(|tile| !tile.is_blank());
        for (label, tile) in tiles.enumerate() {
            label_of_tile[tile.index()] = label as u8;
        }
        Self { goal: goal.clone(), label_of_tile }
    }

    /// The goal.
    #[inline]
    pub fn goal(&self) -> &Board {
        &self.goal
    }

    /// The label of `tile`.
    #[inline]
    pub fn label(&self, tile: Tile) -> u8 {
        self.label_of_tile[tile.index()]
    }

    /// The tile with this label.
    #[inline]
    pub fn tile(&self, label: u8) -> Tile {
        if label == Self::BLANK { Tile::BLANK } else { self.goal.tile(self.goal_cell(label)) }
    }

    /// The cell on which the tile with this label has to end.
    #[inline]
    pub fn goal_cell(&self, label: u8) -> Cell {
        let blank = self.goal.blank().index();
        match label {
            Self::BLANK => self.goal.blank(),
            label => Cell::new(usize::from(label) + usize::from(usize::from(label) >= blank)),
        }
    }

    /// The labels of `board` in reading order, one a cell.
    pub fn labels<'a>(&'a self, board: &'a Board) -> impl Iterator<Item = u8> + 'a {
        board.tiles().iter().map(|&tile| self.label(tile))
    }
}
