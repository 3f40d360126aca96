//! The goals that have names.

use std::fmt;

use super::{Goal, GoalMismatch};
use crate::board::Board;
use crate::cell::Cell;
use crate::notation::{NotationError, parse_board};
use crate::size::Size;

/// A goal that has a name, as in `--goal`.
#[derive(Clone, Debug)]
pub struct NamedGoal {
    /// The name.
    pub name: &'static str,
    /// What it looks like, in a line.
    pub summary: &'static str,
    /// The goal.
    pub goal: Goal,
}

/// The goals that have names; any board is a goal too.
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
        summary: "rows to the right and to the left by turns, the blank at the end: 1 2 3/6 5 4/7 8 0",
        goal: Goal::Snake,
    },
    NamedGoal {
        name: "spiral",
        summary: "clockwise from the first cell inwards, the blank at the end: 1 2 3/8 0 4/7 6 5",
        goal: Goal::Spiral,
    },
];

impl Goal {
    /// Reads a name of [`GOALS`] or a board of `size`.
    ///
    /// # Errors
    /// What is wrong with the board, if the text is no name.
    pub fn parse(text: &str, size: Size) -> Result<Self, NotationError> {
        match GOALS.iter().find(|row| row.name == text) {
            Some(row) => Ok(row.goal.clone()),
            None => Ok(Self::Board(parse_board(text, Some(size))?)),
        }
    }

    /// The goal as a board of `size`.
    ///
    /// # Errors
    /// When the goal is a given board of another size.
    pub fn board(&self, size: Size) -> Result<Board, GoalMismatch> {
        match self {
            Self::Board(goal) if goal.size() == size => Ok(goal.clone()),
            Self::Board(goal) => Err(GoalMismatch { start: size, goal: goal.size() }),
            named => Ok(board(named, size)),
        }
    }
}

/// The name, or the board.
impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, GOALS.iter().find(|row| row.goal == *self)) {
            (Self::Board(board), _) => board.fmt(f),
            (_, row) => f.write_str(row.map_or("", |row| row.name)),
        }
    }
}

/// The board of a goal that has a name.
fn board(goal: &Goal, size: Size) -> Board {
    let (width, cells) = (size.width(), size.cells());
    // The cells in the order of their tiles, and which of them has the blank.
    let (order, blank) = match goal {
        Goal::BlankFirst => (rows(size), 0),
        Goal::BlankTopRight => (rows(size), width - 1),
        Goal::BlankBottomLeft => (rows(size), cells - width),
        Goal::Columns => (columns(size), cells - 1),
        Goal::Snake => (snake(size), cells - 1),
        Goal::Spiral => (spiral(size), cells - 1),
        Goal::BlankLast => (rows(size), cells - 1),
        Goal::Board(_) => unreachable!("a given board has no name"),
    };
    let mut numbers = vec![0; cells];
    let tiles = order.iter().enumerate().filter(|&(index, _)| index != blank);
    for (number, (_, cell)) in (1..).zip(tiles) {
        numbers[cell.index()] = number;
    }
    Board::new(size, &numbers).expect("every cell has a tile of its own")
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

/// Peels the first row off what is left, then turns the rest a quarter, until nothing is left.
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
    use super::*;
    use crate::notation::slashes;

    #[test]
    fn goals_look_as_their_summaries_say() {
        for row in GOALS {
            let board = row.goal.board(Size::EIGHT).unwrap();
            assert!(row.summary.ends_with(&format!(": {}", slashes(&board))), "{}", row.name);
            assert_eq!(Goal::parse(row.name, Size::EIGHT).as_ref(), Ok(&row.goal));
            assert_eq!(row.goal.to_string(), row.name);
        }
    }

    #[test]
    fn goals_are_boards_of_every_size() {
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
