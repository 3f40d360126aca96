//! The moves of a blank on each cell, looked up.

use crate::moves::{Move, MoveSet};
use crate::size::Size;

/// The legal moves of a blank on each cell of a board and where they lead, as tables: what
/// [`Size::moves`] and [`Size::neighbour`] compute, without divisions. Cells are given by index.
#[derive(Clone, Debug)]
pub struct MoveTable {
    moves: Vec<MoveSet>,
    targets: Vec<[u8; 4]>,
}

impl MoveTable {
    /// The tables for boards of `size`. Cost: five bytes a cell.
    pub fn new(size: Size) -> Self {
        let targets =
            |cell| Move::ALL.map(|m| size.neighbour(cell, m).unwrap_or(cell).index() as u8);
        Self {
            moves: size.iter_cells().map(|cell| size.moves(cell)).collect(),
            targets: size.iter_cells().map(targets).collect(),
        }
    }

    /// The moves of a blank on `cell`.
    #[inline]
    pub fn moves(&self, cell: u8) -> MoveSet {
        self.moves[usize::from(cell)]
    }

    /// Where each move takes a blank from `cell`, by [`Move::index`]: `cell` itself if the move is illegal.
    #[inline]
    pub fn targets(&self, cell: u8) -> &[u8; 4] {
        &self.targets[usize::from(cell)]
    }

    /// Where `m` takes a blank from `cell`: `cell` itself if the move is illegal.
    #[inline]
    pub fn target(&self, cell: u8, m: Move) -> u8 {
        self.targets(cell)[m.index()]
    }

    /// The legal moves from `cell` with the cells that they lead to.
    #[inline]
    pub fn neighbours(&self, cell: u8) -> impl Iterator<Item = (Move, u8)> + '_ {
        self.moves(cell).into_iter().map(move |m| (m, self.target(cell, m)))
    }
}
