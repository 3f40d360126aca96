//! Goals in which only some cells matter.

use std::fmt;

use crate::board::{Board, BoardError, Fault};
use crate::cell::Cell;
use crate::goal::Relabelling;
use crate::notation::in_rows;
use crate::parity::Solvability;
use crate::size::Size;
use crate::tile::Tile;

/// A goal in which only some cells are *constrained*: each of them requires a certain tile, or the blank. The tiles
/// that no cell requires are *don't-care tiles*: they are interchangeable, and may lie on any other cell.
///
/// # Examples
/// ```
/// use loyd_tiles::notation::{parse_board, parse_partial_goal};
/// let goal = parse_partial_goal("1 2 3/* * */* * *", None)?;
/// assert!(goal.is_met_by(&parse_board("1 2 3/x 8 7/6 5 4", None)?));
/// assert!(!goal.is_met_by(&parse_board("1 2 4/x 8 7/6 5 3", None)?));
/// # Ok::<(), loyd_tiles::notation::NotationError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct PartialGoal {
    size: Size,
    /// What each cell requires.
    required: Box<[Option<Tile>]>,
}

impl PartialGoal {
    /// The goal that requires these tile numbers in reading order, 0 for the blank and `None` where any tile may
    /// lie.
    ///
    /// # Errors
    /// All that is wrong with the numbers.
    pub fn new(size: Size, numbers: &[Option<u32>]) -> Result<Self, BoardError> {
        // Other cells are given the tiles that are left, so that a board has the same faults.
        let mut left = (0..size.cells() as u32).filter(|n| !numbers.contains(&Some(*n)));
        let open = numbers.iter().filter(|number| number.is_none()).count();
        let mut spare: Vec<u32> = left.by_ref().take(open).collect();
        // A repeated tile leaves more over than there are open cells; then these are not missing.
        let repeated = left.count();
        let mut filled = Vec::with_capacity(numbers.len());
        for number in numbers {
            filled.push(number.unwrap_or_else(|| spare.pop().unwrap_or(0)));
        }
        if let Err(mut error) = Board::new(size, &filled) {
            if repeated > 0 {
                error.faults.retain(|fault| !matches!(fault, Fault::Missing(_)));
            }
            return Err(error);
        }
        let required = numbers.iter().map(|number| number.map(|n| Tile::new(n as u8))).collect();
        Ok(Self { size, required })
    }

    /// The size of the board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// What `cell` requires: a tile, the blank, or nothing.
    pub fn required(&self, cell: Cell) -> Option<Tile> {
        self.required[cell.index()]
    }

    /// Whether all constrained cells have what they require.
    ///
    /// # Panics
    /// If the board is of another size.
    pub fn is_met_by(&self, board: &Board) -> bool {
        assert_eq!(board.size(), self.size, "board and goal must have the same size");
        self.required
            .iter()
            .zip(board.tiles())
            .all(|(required, tile)| required.is_none_or(|r| r == *tile))
    }

    /// The tiles that may lie on any cell that is not constrained.
    pub fn dont_care_tiles(&self) -> Vec<Tile> {
        let tiles = (1..self.size.cells()).map(|number| Tile::new(number as u8));
        tiles.filter(|tile| !self.required.contains(&Some(*tile))).collect()
    }

    /// The labels of the tiles that the goal asks for on a certain cell, where the goal of `labels` is a board
    /// that meets it.
    pub fn constrained(&self, labels: &Relabelling) -> Vec<u8> {
        let is_required = |&label: &u8| self.required(labels.goal_cell(label)).is_some();
        (0..self.size.tiles() as u8).filter(is_required).collect()
    }

    /// The cells on which the blank may end.
    pub fn blank_cells(&self) -> Vec<Cell> {
        let constrained =
            self.size.iter_cells().find(|&cell| self.required(cell) == Some(Tile::BLANK));
        match constrained {
            Some(cell) => vec![cell],
            None => self.size.iter_cells().filter(|&cell| self.required(cell).is_none()).collect(),
        }
    }

    /// A board that meets the goal and can be reached from `start`, if there is one; not necessarily the
    /// nearest.
    ///
    /// # Panics
    /// If the board is of another size.
    pub fn reachable(&self, start: &Board) -> Option<Board> {
        assert_eq!(start.size(), self.size, "board and goal must have the same size");
        let candidates: Vec<Board> = match self.size.is_line() {
            // No move changes the order of the tiles.
            true => self.blank_cells().iter().map(|&cell| start.with_blank_on(cell)).collect(),
            false => self.fillings(),
        };
        let reaches = |board: &Board| {
            Solvability::test(start, &Relabelling::new(board)) && self.is_met_by(board)
        };
        candidates.into_iter().find(reaches)
    }

    /// A board like [`reachable`](Self::reachable) that leaves don't-care tiles in their places where it can, and
    /// has the blank as near as possible: something to aim at. None if no such board can be reached.
    ///
    /// # Panics
    /// If the board is of another size.
    pub fn near(&self, start: &Board) -> Option<Board> {
        let (size, dont_care) = (self.size, self.dont_care_tiles());
        let blank = self.blank_cells();
        let blank = blank.into_iter().min_by_key(|&cell| size.distance(cell, start.blank()))?;
        let cells =
            size.iter_cells().filter(|&cell| self.required(cell).is_none() && cell != blank);
        let stays = |cell: &Cell| dont_care.contains(&start.tile(*cell));
        let (kept, gaps): (Vec<Cell>, Vec<Cell>) = cells.partition(stays);
        let moved = |tile: &&Tile| !kept.iter().any(|&cell| start.tile(cell) == **tile);
        let mut moved = dont_care.iter().filter(moved);
        let mut tiles: Vec<Tile> = size
            .iter_cells()
            .map(|cell| match self.required(cell) {
                _ if cell == blank => Some(Tile::BLANK),
                Some(tile) => Some(tile),
                None if kept.contains(&cell) => Some(start.tile(cell)),
                None => moved.next().copied(),
            })
            .collect::<Option<_>>()?;
        let board = |tiles: &[Tile]| {
            let numbers: Vec<u32> = tiles.iter().map(|tile| tile.number().into()).collect();
            let board = Board::new(size, &numbers).ok()?;
            Solvability::test(start, &Relabelling::new(&board)).then_some(board)
        };
        board(&tiles).or_else(|| {
            // Any two of them may be exchanged; best those that have to move anyway.
            let [.., one, other] = [kept, gaps].concat()[..] else { return None };
            tiles.swap(one.index(), other.index());
            board(&tiles)
        })
    }

    /// A board that meets the goal.
    pub fn example(&self) -> Board {
        self.fillings().swap_remove(0)
    }

    /// Boards that meet the goal: one for each cell of the blank and, where two don't-care tiles can be exchanged,
    /// another, which the other half of all boards can reach.
    fn fillings(&self) -> Vec<Board> {
        let mut dont_care = self.dont_care_tiles();
        let mut boards = Vec::new();
        for blank in self.blank_cells() {
            for _ in 0..2 {
                let mut left = dont_care.iter();
                let mut fill = |cell: Cell| match self.required(cell) {
                    _ if cell == blank => Some(Tile::BLANK),
                    Some(tile) => Some(tile),
                    None => left.next().copied(),
                };
                let tiles: Option<Vec<u32>> = self
                    .size
                    .iter_cells()
                    .map(|cell| fill(cell).map(|tile| tile.number().into()))
                    .collect();
                boards.extend(tiles.and_then(|tiles| Board::new(self.size, &tiles).ok()));
                if dont_care.len() < 2 {
                    break;
                }
                dont_care.swap(0, 1);
            }
        }
        boards
    }
}

/// Rows separated by `/`, 0 for the blank and `*` where any tile may lie.
impl fmt::Display for PartialGoal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = self.required.iter().map(|required| match required {
            Some(tile) => tile.number().to_string(),
            None => "*".to_owned(),
        });
        in_rows(f, self.size.width(), words, [" ", "/"])?;
        f.write_str(if self.size.height() == 1 { "/" } else { "" })
    }
}

impl fmt::Debug for PartialGoal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PartialGoal({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{parse_board, parse_partial_goal};

    fn goal(text: &str) -> PartialGoal {
        parse_partial_goal(text, None).unwrap()
    }

    #[test]
    fn a_near_board_moves_dont_care_tiles_only_if_it_has_to() {
        for (start, part, near) in [
            ("1 2 3/8 x 7/6 5 4", "1 2 3/* * */* * *", Some("1 2 3/8 x 7/6 5 4")),
            ("4 2 3/1 x 7/6 5 8", "1 2 3/* * */* * *", Some("1 2 3/8 x 7/6 5 4")),
            ("2 1 3/4 5 6/7 8 x", "1 2 3/4 5 6/* * *", Some("1 2 3/4 5 6/8 7 x")),
            ("2 1 3/4 5 6/7 8 x", "1 2 3/4 5 6/7 * *", None),
            ("1 2 3/4 5 6/7 8 x", "x * */* * */* * *", Some("x 2 3/4 5 6/7 1 8")),
        ] {
            let board = |text: &str| parse_board(text, None).unwrap();
            let found = goal(part).near(&board(start));
            assert_eq!(found, near.map(board), "{start} to {part}");
            assert!(found.is_none_or(|found| goal(part).is_met_by(&found)));
        }
    }

    #[test]
    fn what_is_read_is_what_is_written() {
        for text in ["1 2 3/* * */* * *", "* */* 0", "1 * * 0/", "1/*/*/2", "1 2/3 0"] {
            assert_eq!(goal(text).to_string(), text);
            assert_eq!(goal(&format!("\u{feff}{text}\r\n")), goal(text));
        }
        let error = |text: &str| parse_partial_goal(text, None).unwrap_err().to_string();
        assert!(
            error("1 2 3/1 * */* * *").contains("tile 1 appears twice"),
            "{}",
            error("1 2 3/1 * */* * *")
        );
        assert!(!error("1 2 3/1 * */* * *").contains("missing"));
        assert!(error("1 2 9/* * */* * *").contains("out of range"));
        assert!(error("1 2 3/* *").contains("row 2"));
        assert!(error("1 2 q/* * */* * *").contains("`q` is not a tile"));
    }

    #[test]
    fn a_reachable_board_meets_the_goal_whatever_the_half() {
        let boards =
            ["1 2 3/4 5 6/7 8 x", "2 1 3/4 5 6/7 8 x"].map(|b| parse_board(b, None).unwrap());
        let reached =
            |text: &str| boards.each_ref().map(|start| goal(text).reachable(start).is_some());
        // Exchanging two don't-care tiles changes nothing.
        assert_eq!(reached("1 2 3/* * */* * *"), [true, true]);
        assert_eq!(reached("* * */* * */* * x"), [true, true]);
        assert_eq!(reached("* * */* * */* * *"), [true, true]);
        // One don't-care tile, and a blank without a cell of its own: either may be on either cell, one step apart.
        assert_eq!(reached("1 2 3/4 5 6/7 * *"), [true, false]);
        assert_eq!(reached("1 2 3/4 5 6/7 * x"), [true, false]);
        assert_eq!(reached("2 1 3/4 5 6/7 * *"), [false, true]);
        // Two cells that are not neighbours: one parity for each.
        assert_eq!(reached("* 2 3/4 5 6/7 8 *"), [true, true]);
    }

    #[test]
    fn on_a_line_the_order_of_the_tiles_stays() {
        let start = parse_board("2 1 3 x/", None).unwrap();
        assert_eq!(goal("* * 3 x/").reachable(&start), Some(start.clone()));
        assert_eq!(
            goal("2 * * */").reachable(&start).map(|b| b.to_string()).as_deref(),
            Some("2 x 1 3")
        );
        assert_eq!(goal("1 * * */").reachable(&start), None);
        assert_eq!(
            goal("x * * */").reachable(&start).map(|b| b.to_string()).as_deref(),
            Some("x 2 1 3")
        );
    }
}
