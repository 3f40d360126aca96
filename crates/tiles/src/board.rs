//! Boards: a size and a tile on each cell; and the labels of tiles relative to a goal board. Searches never see the goal
//! itself, only labels.

use std::fmt;

use crate::moves::{Move, MoveSet};
use crate::size::{Cell, Size, Tile, count};

/// A valid position: each of the tiles 0 to n − 1 exactly once, where 0 is the blank.
///
/// A board need not be solvable; see [`Solvability`](crate::Solvability).
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Board {
    size: Size,
    tiles: Box<[Tile]>,
    blank: Cell,
}

/// One fault of a list of tile numbers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Too few or too many numbers.
    #[error("{} where {expected} are needed", count(*.found, "tile"))]
    Count {
        /// The number of tiles given.
        found: usize,
        /// The number of cells of the board.
        expected: usize,
    },
    /// A number greater than that of the last tile.
    #[error("tile {tile} on cell {cell} is out of range: 0 to {max}")]
    Range {
        /// The number.
        tile: u32,
        /// The cell of the number.
        cell: Cell,
        /// The largest tile number of the board.
        max: usize,
    },
    /// A tile that appears more than once.
    #[error("{} appears {}", (*.tile).name(), places(*.times, *.first, *.second))]
    Repeated {
        /// The tile.
        tile: Tile,
        /// The number of occurrences, at least 2.
        times: usize,
        /// The cell of the first occurrence.
        first: Cell,
        /// The cell of the second occurrence.
        second: Cell,
    },
    /// A tile that does not appear.
    #[error("{} is missing", (*.0).name())]
    Missing(Tile),
}

fn places(times: usize, first: Cell, second: Cell) -> String {
    match times {
        2 => format!("twice (cells {first} and {second})"),
        _ => format!("{times} times (first on cells {first} and {second})"),
    }
}

/// Records that `tile`, first seen on `first`, appears on `cell` too. Each tile has at most one such fault.
fn repeat(faults: &mut Vec<Fault>, tile: Tile, first: Cell, cell: Cell) {
    let known = faults.iter_mut().find_map(|fault| match fault {
        Fault::Repeated { tile: other, times, .. } if *other == tile => Some(times),
        _ => None,
    });
    match known {
        Some(times) => *times += 1,
        None => faults.push(Fault::Repeated { tile, times: 2, first, second: cell }),
    }
}

/// All faults of a list of tile numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardError {
    /// The faults in reading order, missing tiles last.
    pub faults: Vec<Fault>,
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 4;
        for (index, fault) in self.faults.iter().take(SHOWN).enumerate() {
            write!(f, "{}{fault}", if index == 0 { "" } else { "; " })?;
        }
        match self.faults.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, "; and {more} more"),
        }
    }
}

impl std::error::Error for BoardError {}

/// A move would take the blank off the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the blank on cell {blank} cannot go {direction:?}")]
pub struct IllegalMove {
    /// The cell of the blank.
    pub blank: Cell,
    /// The direction of the illegal move.
    pub direction: Move,
}

impl Board {
    /// Creates a board from its tile numbers in reading order, 0 for the blank.
    ///
    /// # Errors
    /// Returns every fault of the numbers.
    ///
    /// # Examples
    /// ```
    /// use loyd_tiles::{Board, Size};
    /// let board = Board::new(Size::EIGHT, &[2, 3, 4, 1, 5, 0, 7, 6, 8])?;
    /// assert_eq!(board.to_string(), "2 3 4 1 5 x 7 6 8");
    /// assert!(Board::new(Size::EIGHT, &[2, 3, 4, 1, 5, 0, 7, 6, 7]).is_err());
    /// # Ok::<(), loyd_tiles::BoardError>(())
    /// ```
    pub fn new(size: Size, numbers: &[u32]) -> Result<Self, BoardError> {
        let mut places: Vec<Option<Cell>> = vec![None; size.cells()];
        let mut faults = Vec::new();
        if numbers.len() != size.cells() {
            faults.push(Fault::Count { found: numbers.len(), expected: size.cells() });
        }
        for (&number, cell) in numbers.iter().zip(size.iter_cells()) {
            match places.get_mut(number as usize) {
                None => faults.push(Fault::Range { tile: number, cell, max: size.tiles() }),
                Some(Some(first)) => repeat(&mut faults, Tile::new(number as u16), *first, cell),
                Some(place) => *place = Some(cell),
            }
        }
        if numbers.len() >= size.cells() {
            let missing = places.iter().enumerate().filter(|(_, place)| place.is_none());
            faults.extend(missing.map(|(tile, _)| Fault::Missing(Tile::new(tile as u16))));
        }
        match places[0] {
            Some(blank) if faults.is_empty() => {
                let tiles = numbers.iter().map(|&number| Tile::new(number as u16)).collect();
                Ok(Self { size, tiles, blank })
            }
            _ => Err(BoardError { faults }),
        }
    }

    /// Like [`new`](Self::new), but takes bytes.
    ///
    /// Cost: one allocation.
    ///
    /// # Errors
    /// Returns the same errors as [`new`](Self::new).
    pub fn from_bytes(size: Size, numbers: &[u8]) -> Result<Self, BoardError> {
        let mut seen = [false; 256];
        let is_new = |&number: &u8| !std::mem::replace(&mut seen[usize::from(number)], true);
        let is_permutation = numbers.len() == size.cells()
            && numbers.iter().all(is_new)
            && numbers.iter().all(|&number| usize::from(number) < size.cells());
        let blank = numbers.iter().position(|&number| number == 0);
        match blank.filter(|_| is_permutation) {
            Some(blank) => {
                let tiles = numbers.iter().map(|&number| Tile::new(number.into())).collect();
                Ok(Self { size, tiles, blank: Cell::new(blank) })
            }
            // The slow path collects the faults.
            None => Self::new(size, &numbers.iter().map(|&n| n.into()).collect::<Vec<_>>()),
        }
    }

    /// Creates the board with the tiles in ascending order and the blank on `blank`.
    pub fn in_order(size: Size, blank: Cell) -> Self {
        let mut next = 1..;
        let mut tile = |cell| if cell == blank { Some(0) } else { next.next() };
        let tiles = size.iter_cells().map(|cell| Tile::new(tile(cell).unwrap_or(0))).collect();
        Self { size, tiles, blank }
    }

    /// Returns the size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Returns the tiles in reading order.
    pub fn tiles(&self) -> &[Tile] {
        &self.tiles
    }

    /// Returns the tile numbers in reading order, 0 for the blank.
    pub fn numbers(&self) -> impl ExactSizeIterator<Item = u16> + DoubleEndedIterator + '_ {
        self.tiles.iter().map(|tile| tile.number())
    }

    /// Returns the tile numbers in reading order as bytes, 0 for the blank.
    ///
    /// # Panics
    /// If the board has more than [`Size::MAX_SEARCH_CELLS`] cells.
    pub fn bytes(&self) -> impl ExactSizeIterator<Item = u8> + DoubleEndedIterator + '_ {
        assert!(self.size.is_searchable(), "a {} board has tiles above 255", self.size);
        self.tiles.iter().map(|tile| tile.number() as u8)
    }

    /// Returns the cell of the blank.
    pub fn blank(&self) -> Cell {
        self.blank
    }

    /// Returns the tile on `cell`, or [`Tile::BLANK`].
    pub fn tile(&self, cell: Cell) -> Tile {
        self.tiles[cell.index()]
    }

    /// Returns the cell of `tile`, or `None` if the board has no such tile.
    pub fn find(&self, tile: Tile) -> Option<Cell> {
        self.tiles.iter().position(|&t| t == tile).map(Cell::new)
    }

    /// Returns the board with the same tile order and the blank on `cell`.
    pub(crate) fn with_blank_on(&self, cell: Cell) -> Self {
        let mut numbers: Vec<u32> = self.numbers().filter(|&n| n > 0).map(u32::from).collect();
        numbers.insert(cell.index(), 0);
        Self::new(self.size, &numbers).expect("the tiles of a board")
    }

    /// Returns the legal moves.
    pub fn moves(&self) -> MoveSet {
        self.size.moves(self.blank)
    }

    /// Moves the blank.
    ///
    /// # Errors
    /// Returns an error if the blank would leave the board; the board is then unchanged.
    pub fn apply(&mut self, direction: Move) -> Result<(), IllegalMove> {
        let to = self
            .size
            .neighbour(self.blank, direction)
            .ok_or(IllegalMove { blank: self.blank, direction })?;
        self.tiles.swap(self.blank.index(), to.index());
        self.blank = to;
        Ok(())
    }

    /// Applies a sequence of moves.
    ///
    /// # Errors
    /// Returns the first illegal move; the moves before it have then been applied.
    pub fn walk(&mut self, moves: &[Move]) -> Result<(), IllegalMove> {
        moves.iter().try_for_each(|&m| self.apply(m))
    }
}

/// Writes the tiles in reading order, separated by spaces: the judges' form.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, tile) in self.tiles.iter().enumerate() {
            write!(f, "{}{tile}", if index == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({} {self})", self.size)
    }
}

/// Labels each tile by its position in the goal. Relative to the labels all goals with the same blank cell are
/// equal, so one search or one table serves every arrangement of the goal's tiles.
///
/// The label of a tile is its index among the goal's tiles in reading order, skipping the blank: 0
/// to n − 2. The blank has the label [`Relabelling::BLANK`]. A label is a byte, so boards of more than
/// [`Size::MAX_SEARCH_CELLS`] cells have no labels.
#[derive(Clone, Debug)]
pub struct Relabelling {
    goal: Board,
    label_of_tile: Vec<u8>,
}

impl Relabelling {
    /// The label of the blank, greater than the label of any tile.
    pub const BLANK: u8 = u8::MAX;

    /// Creates the labels relative to `goal`.
    ///
    /// # Panics
    /// If the goal has more than [`Size::MAX_SEARCH_CELLS`] cells.
    pub fn new(goal: &Board) -> Self {
        let size = goal.size();
        assert!(size.is_searchable(), "a {size} board has more cells than a byte has labels");
        let mut label_of_tile = vec![Self::BLANK; goal.size().cells()];
        let tiles = goal.tiles().iter().filter(|tile| !tile.is_blank());
        for (label, tile) in tiles.enumerate() {
            label_of_tile[tile.index()] = label as u8;
        }
        Self { goal: goal.clone(), label_of_tile }
    }

    /// Returns the goal.
    #[inline]
    pub fn goal(&self) -> &Board {
        &self.goal
    }

    /// Returns the label of `tile`.
    #[inline]
    pub fn label(&self, tile: Tile) -> u8 {
        self.label_of_tile[tile.index()]
    }

    /// Returns the tile with this label.
    #[inline]
    pub fn tile(&self, label: u8) -> Tile {
        if label == Self::BLANK { Tile::BLANK } else { self.goal.tile(self.goal_cell(label)) }
    }

    /// Returns the goal cell of the tile with this label.
    #[inline]
    pub fn goal_cell(&self, label: u8) -> Cell {
        let blank = self.goal.blank().index();
        match label {
            Self::BLANK => self.goal.blank(),
            label => Cell::new(usize::from(label) + usize::from(usize::from(label) >= blank)),
        }
    }

    /// Returns the labels of `board` in reading order, one per cell.
    pub fn labels<'a>(&'a self, board: &'a Board) -> impl Iterator<Item = u8> + 'a {
        board.tiles().iter().map(|&tile| self.label(tile))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(numbers: &[u32]) -> String {
        Board::new(Size::EIGHT, numbers).unwrap_err().to_string()
    }

    #[test]
    fn error_lists_all_faults() {
        assert_eq!(
            faults(&[2, 3, 4, 1, 5, 0, 7, 6, 7]),
            "tile 7 appears twice (cells 7 and 9); tile 8 is missing"
        );
        assert_eq!(
            faults(&[2, 3, 4, 1, 5, 0, 9, 6, 0]),
            "tile 9 on cell 7 is out of range: 0 to 8; \
             the blank appears twice (cells 6 and 9); tile 7 is missing; tile 8 is missing"
        );
        assert_eq!(faults(&[2, 3, 4, 1, 5, 0, 7, 6]), "8 tiles where 9 are needed");
        assert_eq!(faults(&[1, 2, 3, 4, 5, 6, 7, 8, 0, 9]), "10 tiles where 9 are needed");
        assert!(faults(&[77; 9]).ends_with("and 14 more"));
    }

    #[test]
    fn repeated_tile_is_one_fault() {
        assert!(faults(&[0; 9]).starts_with(
            "the blank appears 9 times (first on cells 1 and 2); tile 1 is missing; tile 2"
        ));
        assert_eq!(
            faults(&[1, 3, 3, 1, 5, 1, 7, 6, 8]),
            "tile 3 appears twice (cells 2 and 3); tile 1 appears 3 times (first on cells 1 and 4); \
             the blank is missing; tile 2 is missing; and 1 more"
        );
        assert_eq!(faults(&[5]), "1 tile where 9 are needed");
    }

    #[test]
    fn from_bytes_equals_new() {
        let lists: [&[u8]; 6] = [
            &[2, 3, 4, 1, 5, 0, 7, 6, 8],
            &[2, 3, 4, 1, 5, 0, 7, 6, 7],
            &[2, 3, 4, 1, 5, 9, 7, 6, 8],
            &[2, 3, 4, 1, 5, 0, 7, 6, 255],
            &[2, 3, 4, 1, 5, 0, 7, 6],
            &[2, 3, 4, 1, 5, 0, 7, 6, 8, 9],
        ];
        for bytes in lists {
            let numbers: Vec<u32> = bytes.iter().map(|&number| number.into()).collect();
            assert_eq!(Board::from_bytes(Size::EIGHT, bytes), Board::new(Size::EIGHT, &numbers));
        }
    }

    #[test]
    fn apply_moves_the_blank() {
        let mut board = Board::new(Size::EIGHT, &[2, 3, 4, 1, 5, 0, 7, 6, 8]).unwrap();
        board.apply(Move::Up).unwrap();
        assert_eq!(board.to_string(), "2 3 x 1 5 4 7 6 8");
        let refused = board.apply(Move::Right).unwrap_err();
        assert_eq!(refused.to_string(), "the blank on cell 3 cannot go Right");
        assert_eq!(board.blank(), Cell::new(2));
    }
}
