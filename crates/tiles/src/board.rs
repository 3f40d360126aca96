//! A board: a size and a tile on each cell.

use std::fmt;

use crate::cell::Cell;
use crate::moves::{Move, MoveSet};
use crate::size::{Size, count};
use crate::tile::Tile;

/// A valid position: each of the tiles 0 to n − 1 exactly once, 0 being the blank.
///
/// Solvability is another question, asked against a goal: see [`Solvability`](crate::Solvability).
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Board {
    size: Size,
    tiles: Box<[Tile]>,
    blank: Cell,
}

/// One thing that is wrong with a list of tile numbers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Too few or too many numbers.
    #[error("{} where {expected} are needed", count(*.found, "tile"))]
    Count {
        /// Numbers given.
        found: usize,
        /// Cells of the board.
        expected: usize,
    },
    /// A number that no tile of this board has.
    #[error("tile {tile} on cell {cell} is out of range: 0 to {max}")]
    Range {
        /// The number.
        tile: u32,
        /// Where it stands.
        cell: Cell,
        /// The largest tile of the board.
        max: usize,
    },
    /// A tile that stands on several cells.
    #[error("{} appears {}", (*.tile).name(), places(*.times, *.first, *.second))]
    Repeated {
        /// The tile.
        tile: Tile,
        /// On how many cells it stands, at least 2.
        times: usize,
        /// The first of them.
        first: Cell,
        /// The second.
        second: Cell,
    },
    /// A tile that stands nowhere.
    #[error("{} is missing", (*.0).name())]
    Missing(Tile),
}

fn places(times: usize, first: Cell, second: Cell) -> String {
    match times {
        2 => format!("twice (cells {first} and {second})"),
        _ => format!("{times} times (first on cells {first} and {second})"),
    }
}

/// Notes that `tile`, which stands on `first`, stands on `cell` too: one fault a tile.
fn repeat(faults: &mut Vec<Fault>, tile: Tile, first: Cell, cell: Cell) {
    let noted = faults.iter_mut().find_map(|fault| match fault {
        Fault::Repeated { tile: other, times, .. } if *other == tile => Some(times),
        _ => None,
    });
    match noted {
        Some(times) => *times += 1,
        None => faults.push(Fault::Repeated { tile, times: 2, first, second: cell }),
    }
}

/// Everything that is wrong with a list of tile numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardError {
    /// The faults, in reading order, missing tiles last.
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

/// A move that would take the blank off the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the blank on cell {blank} cannot go {direction:?}")]
pub struct IllegalMove {
    /// Where the blank is.
    pub blank: Cell,
    /// Where it should have gone.
    pub direction: Move,
}

impl Board {
    /// The board with these tile numbers in reading order, 0 for the blank.
    ///
    /// # Errors
    /// All that is wrong with the numbers.
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
                Some(Some(first)) => repeat(&mut faults, Tile::new(number as u8), *first, cell),
                Some(place) => *place = Some(cell),
            }
        }
        if numbers.len() >= size.cells() {
            let missing = places.iter().enumerate().filter(|(_, place)| place.is_none());
            faults.extend(missing.map(|(tile, _)| Fault::Missing(Tile::new(tile as u8))));
        }
        match places[0] {
            Some(blank) if faults.is_empty() => {
                let tiles = numbers.iter().map(|&number| Tile::new(number as u8)).collect();
                Ok(Self { size, tiles, blank })
            }
            _ => Err(BoardError { faults }),
        }
    }

    /// The same from bytes, 0 for the blank.
    ///
    /// Cost: one allocation.
    ///
    /// # Errors
    /// As those of [`new`](Self::new).
    pub fn from_bytes(size: Size, numbers: &[u8]) -> Result<Self, BoardError> {
        let mut seen = [false; Size::MAX_CELLS];
        let is_new = |&number: &u8| !std::mem::replace(&mut seen[usize::from(number)], true);
        let is_permutation = numbers.len() == size.cells()
            && numbers.iter().all(is_new)
            && numbers.iter().all(|&number| usize::from(number) < size.cells());
        let blank = numbers.iter().position(|&number| number == 0);
        match blank.filter(|_| is_permutation) {
            Some(blank) => {
                let tiles = numbers.iter().map(|&number| Tile::new(number)).collect();
                Ok(Self { size, tiles, blank: Cell::new(blank) })
            }
            // That says what is wrong.
            None => Self::new(size, &numbers.iter().map(|&n| n.into()).collect::<Vec<_>>()),
        }
    }

    /// The board with the tiles in order and the blank on `blank`.
    pub fn in_order(size: Size, blank: Cell) -> Self {
        let mut next = 1..;
        let mut tile = |cell| if cell == blank { Some(0) } else { next.next() };
        let tiles = size.iter_cells().map(|cell| Tile::new(tile(cell).unwrap_or(0))).collect();
        Self { size, tiles, blank }
    }

    /// The size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The tiles in reading order.
    pub fn tiles(&self) -> &[Tile] {
        &self.tiles
    }

    /// The tile numbers in reading order, 0 for the blank.
    pub fn numbers(&self) -> impl ExactSizeIterator<Item = u8> + DoubleEndedIterator + '_ {
        self.tiles.iter().map(|tile| tile.number())
    }

    /// The cell of the blank.
    pub fn blank(&self) -> Cell {
        self.blank
    }

    /// What lies on `cell`.
    pub fn tile(&self, cell: Cell) -> Tile {
        self.tiles[cell.index()]
    }

    /// The cell of `tile`, if this board has that tile.
    pub fn find(&self, tile: Tile) -> Option<Cell> {
        self.tiles.iter().position(|&t| t == tile).map(Cell::new)
    }

    /// The board with its tiles in the same order and the blank on `cell`.
    pub(crate) fn with_blank_on(&self, cell: Cell) -> Self {
        let mut numbers: Vec<u32> = self.numbers().filter(|&n| n > 0).map(u32::from).collect();
        numbers.insert(cell.index(), 0);
        Self::new(self.size, &numbers).expect("the tiles of a board")
    }

    /// The legal moves.
    pub fn moves(&self) -> MoveSet {
        self.size.moves(self.blank)
    }

    /// Moves the blank.
    ///
    /// # Errors
    /// When the blank would leave the board, which then stays as it was.
    pub fn apply(&mut self, direction: Move) -> Result<(), IllegalMove> {
        let to = self
            .size
            .neighbour(self.blank, direction)
            .ok_or(IllegalMove { blank: self.blank, direction })?;
        self.tiles.swap(self.blank.index(), to.index());
        self.blank = to;
        Ok(())
    }

    /// Moves the blank several times.
    ///
    /// # Errors
    /// The first move that would take the blank off the board, which then stays as it was before it.
    pub fn walk(&mut self, moves: &[Move]) -> Result<(), IllegalMove> {
        moves.iter().try_for_each(|&m| self.apply(m))
    }
}

/// The tiles in reading order, separated by blanks: the judges' form.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(numbers: &[u32]) -> String {
        Board::new(Size::EIGHT, numbers).unwrap_err().to_string()
    }

    #[test]
    fn reports_everything_that_is_wrong() {
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
    fn a_tile_is_one_fault_however_often_it_is_there() {
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
    fn bytes_are_read_as_numbers_are() {
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
    fn moves_carry_the_blank() {
        let mut board = Board::new(Size::EIGHT, &[2, 3, 4, 1, 5, 0, 7, 6, 8]).unwrap();
        board.apply(Move::Up).unwrap();
        assert_eq!(board.to_string(), "2 3 x 1 5 4 7 6 8");
        let refused = board.apply(Move::Right).unwrap_err();
        assert_eq!(refused.to_string(), "the blank on cell 3 cannot go Right");
        assert_eq!(board.blank(), Cell::new(2));
    }
}
