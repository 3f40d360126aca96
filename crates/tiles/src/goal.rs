//! Goals: named ones, and given boards.

use std::fmt;

use crate::board::Board;
use crate::size::{Cell, Size};

/// A goal arrangement, independent of the board size unless it is a given board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Goal {
    /// Tiles in reading order, the blank on the last cell: `1 2 3/4 5 6/7 8 x`.
    #[default]
    BlankLast,
    /// The blank on the first cell, tiles in reading order after it: `x 1 2/3 4 5/6 7 8`.
    BlankFirst,
    /// Tiles in reading order, the blank at the end of the first row: `1 2 x/3 4 5/6 7 8`.
    BlankTopRight,
    /// Tiles in reading order, the blank at the start of the last row: `1 2 3/4 5 6/x 7 8`.
    BlankBottomLeft,
    /// Tiles column by column, the blank last: `1 4 7/2 5 8/3 6 x`.
    Columns,
    /// Rows alternately left to right and right to left, the blank at the end: `1 2 3/6 5 4/7 8 x`.
    Snake,
    /// Clockwise from the first cell inwards, the blank at the end: `1 2 3/8 x 4/7 6 5`.
    Spiral,
    /// A given arrangement.
    Board(Board),
}

/// The goal and the start differ in size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the goal is a {goal} board, the start a {start} board")]
pub struct GoalMismatch {
    /// The size of the start.
    pub start: Size,
    /// The size of the goal.
    pub goal: Size,
}

/// A named goal, as accepted by `--goal`.
#[derive(Clone, Debug)]
pub struct NamedGoal {
    /// The name.
    pub name: &'static str,
    /// A one-line description, ending with the goal on a 3x3 board.
    pub summary: &'static str,
    /// The goal.
    pub goal: Goal,
}

/// All named goals. Any board can be a goal as well.
pub const GOALS: &[NamedGoal] = &[
    NamedGoal {
        name: "blank-last",
        summary: "tiles in reading order, the blank on the last cell: 1 2 3/4 5 6/7 8 0",
        goal: Goal::BlankLast,
    },
    NamedGoal {
        name: "blank-first",
        summary: "tiles in reading order, the blank on the first cell: 0 1 2/3 4 5/6 7 8",
        goal: Goal::BlankFirst,
    },
    NamedGoal {
        name: "blank-top-right",
        summary: "tiles in reading order, the blank in the corner at the top right: 1 2 0/3 4 5/6 7 8",
        goal: Goal::BlankTopRight,
    },
    NamedGoal {
        name: "blank-bottom-left",
        summary: "tiles in reading order, the blank in the corner at the bottom left: 1 2 3/4 5 6/0 7 8",
        goal: Goal::BlankBottomLeft,
    },
    NamedGoal {
        name: "columns",
        summary: "tiles down the columns, the blank last: 1 4 7/2 5 8/3 6 0",
        goal: Goal::Columns,
    },
    NamedGoal {
        name: "snake",
        summary: "rows alternately to the right and to the left, the blank at the end: 1 2 3/6 5 4/7 8 0",
        goal: Goal::Snake,
    },
    NamedGoal {
        name: "spiral",
        summary: "clockwise from the first cell inwards, the blank at the end: 1 2 3/8 0 4/7 6 5",
        goal: Goal::Spiral,
    },
];

impl Goal {
    /// Returns the goal as a board of `size`.
    ///
    /// # Errors
    /// Returns an error if the goal is a given board of another size.
    pub fn board(&self, size: Size) -> Result<Board, GoalMismatch> {
        match self {
            Self::Board(goal) if goal.size() == size => Ok(goal.clone()),
            Self::Board(goal) => Err(GoalMismatch { start: size, goal: goal.size() }),
            named => Ok(board(named, size)),
        }
    }
}

/// Writes the name of a named goal, or the tiles of a given board.
impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, GOALS.iter().find(|row| row.goal == *self)) {
            (Self::Board(board), _) => board.fmt(f),
            (_, row) => f.write_str(row.map_or("", |row| row.name)),
        }
    }
}

/// Returns the board of a named goal.
fn board(goal: &Goal, size: Size) -> Board {
    let (width, cells) = (size.width(), size.cells());
    // The cells in tile order, and the index of the blank's cell in that order.
    let (order, blank) = match goal {
        Goal::BlankFirst => (rows(size), 0),
        Goal::BlankTopRight => (rows(size), width - 1),
        Goal::BlankBottomLeft => (rows(size), cells - width),
        Goal::Columns => (columns(size), cells - 1),
        Goal::Snake => (snake(size), cells - 1),
        Goal::Spiral => (spiral(size), cells - 1),
        Goal::BlankLast => (rows(size), cells - 1),
        Goal::Board(_) => unreachable!("a given board is not a named goal"),
    };
    let mut numbers = vec![0; cells];
    let tiles = order.iter().enumerate().filter(|&(index, _)| index != blank);
    for (number, (_, cell)) in (1..).zip(tiles) {
        numbers[cell.index()] = number;
    }
    Board::new(size, &numbers).expect("named goals assign each tile to one cell")
}

fn rows(size: Size) -> Vec<Cell> {
    size.iter_cells().collect()
}

fn columns(size: Size) -> Vec<Cell> {
    (0..size.width())
        .flat_map(|column| (0..size.height()).map(move |row| size.cell(row, column)))
        .collect()
}

fn snake(size: Size) -> Vec<Cell> {
    let column = |row: usize, column| match row.is_multiple_of(2) {
        true => column,
        false => size.width() - 1 - column,
    };
    let row = |row| (0..size.width()).map(move |place| size.cell(row, column(row, place)));
    (0..size.height()).flat_map(row).collect()
}

/// Removes the first row and rotates the rest by a quarter turn until no cells remain.
fn spiral(size: Size) -> Vec<Cell> {
    let mut left: Vec<Vec<Cell>> = rows(size).chunks(size.width()).map(<[Cell]>::to_vec).collect();
    let mut order = Vec::with_capacity(size.cells());
    while !left.is_empty() {
        order.extend(left.remove(0));
        let width = left.first().map_or(0, Vec::len);
        let column = |column: usize| left.iter().map(|row| row[column]).collect();
        left = (0..width).rev().map(column).collect();
    }
    order
}

#[cfg(test)]
mod tests {
    use crate::notation::slashes;

    use super::*;

    #[test]
    fn summaries_end_with_the_3x3_board() {
        for row in GOALS {
            let board = row.goal.board(Size::EIGHT).unwrap();
            assert!(row.summary.ends_with(&format!(": {}", slashes(&board))), "{}", row.name);
            assert_eq!(Goal::parse(row.name, Size::EIGHT).as_ref(), Ok(&row.goal));
            assert_eq!(row.goal.to_string(), row.name);
        }
    }

    #[test]
    fn named_goals_fit_every_board_size() {
        for (width, height) in
            [(1, 2), (2, 1), (1, 7), (7, 1), (2, 2), (5, 2), (2, 5), (256, 1), (16, 16)]
        {
            let size = Size::new(width, height).unwrap();
            for row in GOALS {
                let board = row.goal.board(size).unwrap();
                assert_eq!(board.size(), size);
            }
        }
        let shown = |goal: Goal, size: &str| {
            slashes(&goal.board(size.parse().unwrap()).unwrap()).to_string()
        };
        assert_eq!(shown(Goal::Spiral, "4x4"), "1 2 3 4/12 13 14 5/11 0 15 6/10 9 8 7");
        assert_eq!(shown(Goal::Spiral, "4x3"), "1 2 3 4/10 11 0 5/9 8 7 6");
        assert_eq!(shown(Goal::Snake, "3x2"), "1 2 3/0 5 4");
        assert_eq!(shown(Goal::Columns, "3x2"), "1 3 5/2 4 0");
        assert_eq!(shown(Goal::BlankTopRight, "1x3"), "0/1/2");
    }
}
