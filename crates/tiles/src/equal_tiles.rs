//! Tiles with the same number.

use std::collections::BTreeMap;

use crate::board::Board;
use crate::size::{Cell, Size, Tile, count};

/// The numbers on the tiles of a board where several tiles may have the same number. Equal tiles are interchangeable.
///
/// The tiles of a [`Board`] are distinct: here they are numbered from 1 in ascending order of the numbers on them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EqualTiles {
    size: Size,
    /// The number on each tile, starting with the blank, in ascending order.
    numbers: Box<[u32]>,
}

/// An error in the numbers of a board with equal tiles.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EqualTilesError {
    /// Too few or too many numbers.
    #[error("{} where {expected} are needed", count(*.found, "tile"))]
    Count {
        /// The number of tiles given.
        found: usize,
        /// The number of cells of the board.
        expected: usize,
    },
    /// No blank or several blanks.
    #[error("a board has one blank; this one has {}", blanks(.0))]
    Blanks(Vec<Cell>),
    /// The start and the goal have different tiles.
    #[error("the start and the goal must have the same tiles: {}", differences(.0))]
    Different(Vec<Difference>),
}

/// A number that appears a different number of times in the start and in the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The number.
    pub number: u32,
    /// The number of tiles of the start with this number.
    pub start: usize,
    /// The number of tiles of the goal with this number.
    pub goal: usize,
}

fn blanks(cells: &[Cell]) -> String {
    match cells {
        [] => "none".to_owned(),
        [cells @ .., last] => {
            let first: Vec<String> = cells.iter().take(3).map(Cell::to_string).collect();
            let more = if cells.len() > 3 { ", …" } else { "" };
            format!("{} (cells {}{more} and {last})", cells.len() + 1, first.join(", "))
        }
    }
}

fn differences(all: &[Difference]) -> String {
    const SHOWN: usize = 3;
    let times = |times: usize| match times {
        0 => "never".to_owned(),
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        times => format!("{times} times"),
    };
    let shown = all.iter().take(SHOWN).map(|&Difference { number, start, goal }| {
        format!("tile {number} is {} in the start and {} in the goal", times(start), times(goal))
    });
    let mut text = shown.collect::<Vec<_>>().join("; ");
    if let more @ 1.. = all.len().saturating_sub(SHOWN) {
        text += &format!("; and {more} more");
    }
    text
}

impl EqualTiles {
    /// Collects the tiles of a board from its numbers in reading order, 0 for the blank. Numbers may have gaps.
    ///
    /// # Errors
    /// Returns an error unless there is one number for each cell and exactly one blank.
    pub fn new(size: Size, numbers: &[u32]) -> Result<Self, EqualTilesError> {
        if numbers.len() != size.cells() {
            let (found, expected) = (numbers.len(), size.cells());
            return Err(EqualTilesError::Count { found, expected });
        }
        let blanks: Vec<Cell> =
            size.iter_cells().filter(|cell| numbers[cell.index()] == 0).collect();
        if blanks.len() != 1 {
            return Err(EqualTilesError::Blanks(blanks));
        }
        let mut numbers = numbers.to_vec();
        numbers.sort_unstable();
        Ok(Self { size, numbers: numbers.into() })
    }

    /// Returns the size of the board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Returns the number on `tile`, 0 for the blank.
    pub fn number(&self, tile: Tile) -> u32 {
        self.numbers[tile.index()]
    }

    /// Returns the numbers of `board` in reading order.
    pub fn numbers<'a>(&'a self, board: &'a Board) -> impl Iterator<Item = u32> + 'a {
        board.tiles().iter().map(|&tile| self.number(tile))
    }

    /// Returns the number of tiles that have the same number as `tile`.
    pub fn count(&self, tile: Tile) -> usize {
        self.numbers.iter().filter(|&&number| number == self.number(tile)).count()
    }

    /// Returns the board with these numbers in reading order. Equal tiles are numbered in the order of their cells.
    ///
    /// # Errors
    /// Returns an error if the numbers are of other tiles. The error treats `self` as the tiles of the goal.
    pub fn board(&self, numbers: &[u32]) -> Result<Board, EqualTilesError> {
        let other = Self::new(self.size, numbers)?;
        if other != *self {
            return Err(EqualTilesError::Different(other.differences(self)));
        }
        let mut next: BTreeMap<u32, u32> = BTreeMap::new();
        let tiles: Vec<u32> = numbers
            .iter()
            .map(|number| {
                let first = self.numbers.partition_point(|other| other < number) as u32;
                let taken = next.entry(*number).or_default();
                *taken += 1;
                first + *taken - 1
            })
            .collect();
        Ok(Board::new(self.size, &tiles).expect("tiles are numbered without gaps"))
    }

    /// Returns the numbers that a start with these tiles and `goal` do not have equally often.
    fn differences(&self, goal: &Self) -> Vec<Difference> {
        let mut all: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
        self.numbers.iter().for_each(|&number| all.entry(number).or_default().0 += 1);
        goal.numbers.iter().for_each(|&number| all.entry(number).or_default().1 += 1);
        let differs =
            |(number, (start, goal))| (start != goal).then_some(Difference { number, start, goal });
        all.into_iter().filter_map(differs).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_numbers;
    use crate::parity::Solvability;
    use crate::partial_goal::PartialGoal;

    fn tiles(numbers: &[u32]) -> Result<EqualTiles, EqualTilesError> {
        EqualTiles::new(Size::EIGHT, numbers)
    }

    #[test]
    fn boards_keep_their_numbers() {
        let goal = tiles(&[3, 3, 2, 2, 2, 1, 1, 1, 0]).unwrap();
        let start = [1, 1, 1, 2, 2, 2, 3, 3, 0];
        let board = goal.board(&start).unwrap();
        assert_eq!(board.to_string(), "1 2 3 4 5 6 7 8 x");
        assert!(goal.numbers(&board).eq(start));
        assert_eq!([1, 4, 8].map(|n| goal.count(Tile::new(n))), [3, 3, 2]);
        let sparse = tiles(&[900, 5, 900, 5, 7, 0, 70_000, 5, 5]).unwrap();
        let board = sparse.board(&[5, 5, 5, 5, 0, 7, 900, 900, 70_000]).unwrap();
        assert_eq!(board.to_string(), "1 2 3 4 x 5 6 7 8");
    }

    #[test]
    fn errors_name_each_fault() {
        let error = |numbers: &[u32]| tiles(numbers).unwrap_err().to_string();
        assert_eq!(error(&[1, 1, 1, 0]), "4 tiles where 9 are needed");
        assert_eq!(
            error(&[1, 1, 1, 0, 2, 2, 2, 2, 0]),
            "a board has one blank; this one has 2 (cells 4 and 9)"
        );
        assert_eq!(error(&[1; 9]), "a board has one blank; this one has none");
        assert_eq!(
            error(&[0; 9]),
            "a board has one blank; this one has 9 (cells 1, 2, 3, … and 9)"
        );
        let goal = tiles(&[1, 1, 1, 2, 2, 2, 3, 3, 0]).unwrap();
        let differs = |numbers: &[u32]| goal.board(numbers).unwrap_err().to_string();
        assert_eq!(
            differs(&[1, 1, 1, 2, 2, 2, 3, 4, 0]),
            "the start and the goal must have the same tiles: tile 3 is once in the start and twice in the goal; tile 4 \
             is once in the start and never in the goal"
        );
        assert!(
            differs(&[1, 2, 3, 4, 5, 6, 7, 8, 0])
                .contains("tile 1 is once in the start and 3 times")
        );
        assert!(differs(&[1, 2, 3, 4, 5, 6, 7, 8, 0]).ends_with("; and 5 more"));
    }

    fn numbers(text: &str) -> (Size, Vec<u32>) {
        parse_numbers(text, None).unwrap()
    }

    #[test]
    fn near_moves_equal_tiles_only_if_necessary() {
        for (start, goal, moved) in [
            ("1 1 2/2 x 3", "1 1 2/2 x 3", 0),
            ("1 1 2/2 x 3", "1 1 2/2 3 x", 2),
            // The parity requires an exchange of two equal tiles.
            ("1 1 2/2 x 3", "3 1 2/2 x 1", 3),
            ("1 1/1 x", "x 1/1 1", 2),
        ] {
            let ((size, start), (_, goal)) = (numbers(start), numbers(goal));
            let goal = PartialGoal::with_equal_tiles(size, &goal).unwrap();
            let start = goal.equal_tiles().unwrap().board(&start).unwrap();
            let near = goal.near(&start).unwrap();
            assert!(goal.is_met_by(&near) && Solvability::is_reachable(&start, &near));
            let differs = |cell: &Cell| start.tile(*cell) != near.tile(*cell);
            let differing = size.iter_cells().filter(differs).count();
            assert!((moved..=moved + 2).contains(&differing), "{start} to {goal}: {near}");
        }
    }

    #[test]
    fn goal_with_equal_tiles_round_trips_through_a_board() {
        let (size, text) = numbers("5 9 9/x 5 7");
        let goal = PartialGoal::with_equal_tiles(size, &text).unwrap();
        assert_eq!(goal.to_string(), "5 9 9/0 5 7");
        assert_eq!(goal.from_board(&goal.example()), goal);
        let start = goal.equal_tiles().unwrap().board(&[9, 5, 7, 9, 5, 0]).unwrap();
        assert_eq!(goal.from_board(&start).to_string(), "9 5 7/9 5 0");
        // Only tile 7 and the blank are constrained to one cell.
        assert_eq!(goal.dont_care_tiles().len(), 4);
        assert_eq!(goal.blank_cells(), [Cell::new(3)]);
    }
}
