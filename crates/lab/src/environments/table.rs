//! What the cells and tiles of a size and a goal have to do with each other, looked up.

use loyd::board::Size;
use loyd::{Board, Move};

/// One row a cell or tile. The rows that boards of this size do not have are never read: there are 256 so that a byte
/// is an index without a check.
#[derive(Debug)]
pub struct Table {
    /// The cells of a board.
    pub cells: usize,
    /// Where each action takes the blank from each cell: the cell itself if the move would leave the board.
    pub targets: [[u8; 4]; Size::MAX_CELLS],
    /// Which actions a blank on each cell has, 1 or 0.
    pub masks: [[i8; 4]; Size::MAX_CELLS],
    /// The goal cell of each tile, and of the blank.
    pub home: [u8; Size::MAX_CELLS],
    /// The steps from each cell to the goal cell of each tile; none of the blank's.
    pub distances: Box<[[u8; Size::MAX_CELLS]; Size::MAX_CELLS]>,
}

impl Table {
    /// The table for `goal`. Cost: 68 KB.
    pub fn new(goal: &Board) -> Self {
        let size = goal.size();
        let mut table = Self {
            cells: size.cells(),
            targets: [[0; 4]; Size::MAX_CELLS],
            masks: [[0; 4]; Size::MAX_CELLS],
            home: [0; Size::MAX_CELLS],
            distances: Box::new([[0; Size::MAX_CELLS]; Size::MAX_CELLS]),
        };
        for cell in size.iter_cells() {
            let neighbours = Move::ALL.map(|m| size.neighbour(cell, m));
            table.targets[cell.index()] = neighbours.map(|to| to.unwrap_or(cell).index() as u8);
            table.masks[cell.index()] = neighbours.map(|to| i8::from(to.is_some()));
            let tile = goal.tile(cell);
            table.home[tile.index()] = cell.index() as u8;
            if !tile.is_blank() {
                for from in size.iter_cells() {
                    // No two cells of 256 are more than 255 steps apart.
                    table.distances[tile.index()][from.index()] = size.distance(from, cell) as u8;
                }
            }
        }
        table
    }

    /// How many tiles of `board` are not on their goal cells.
    pub fn misplaced(&self, board: &[u8]) -> u8 {
        let away = |&(cell, &tile): &(usize, &u8)| {
            tile != 0 && usize::from(self.home[usize::from(tile)]) != cell
        };
        board.iter().enumerate().filter(away).count() as u8
    }
}
