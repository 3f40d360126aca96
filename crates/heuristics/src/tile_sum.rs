//! The sum of an estimate for each tile.

use loyd_search::{Cost, Heuristic, IncrementalHeuristic};
use loyd_tiles::{BoardSpace, Cell, Move, Relabelling};

use crate::matrix::DistanceMatrix;

/// The sum over the tiles of a matrix entry: misplaced tiles, Manhattan distance, or a user's own.
/// The blank never counts.
///
/// Carried along: a move changes the summand of one tile. Admissible if the matrix is; Manhattan
/// distance and misplaced tiles are consistent too.
///
/// # References
/// Doran and Michie (1966), "Experiments with the Graph Traverser program".
#[derive(Clone, Debug)]
pub struct TileSum {
    /// `by_label[label · cells + cell]`.
    by_label: Vec<Cost>,
    /// `changes[(label · cells + blank) · 4 + move]`: what the move of that tile to the cell of the
    /// blank adds, modulo 2³².
    changes: Vec<Cost>,
    cells: usize,
}

impl TileSum {
    /// The sum of the entries of `matrix`, for the goal of `labels`.
    ///
    /// # Panics
    /// If the matrix is not of as many cells as the goal.
    pub fn new(labels: &Relabelling, matrix: &DistanceMatrix) -> Self {
        let size = labels.goal().size();
        assert_eq!(matrix.cells(), size.cells(), "matrix and board must have as many cells");
        let row = |label| {
            let goal = labels.goal_cell(label);
            size.iter_cells().map(move |cell| matrix.entry(cell, goal))
        };
        let by_label: Vec<Cost> = (0..size.tiles() as u8).flat_map(row).collect();
        let change = |tile: &[Cost], to: Cell, m| match size.neighbour(to, m) {
            Some(from) => tile[to.index()].wrapping_sub(tile[from.index()]),
            None => 0,
        };
        let changes = by_label.chunks(size.cells()).flat_map(|tile| {
            size.iter_cells().flat_map(move |to| Move::ALL.map(|m| change(tile, to, m)))
        });
        Self { changes: changes.collect(), by_label, cells: size.cells() }
    }

    /// Tiles away from their goal cells.
    pub fn misplaced(labels: &Relabelling) -> Self {
        Self::new(labels, &DistanceMatrix::misplaced(labels.goal().size()))
    }

    /// Manhattan distance.
    pub fn manhattan(labels: &Relabelling) -> Self {
        Self::new(labels, &DistanceMatrix::manhattan(labels.goal().size()))
    }
}

impl<S: BoardSpace> Heuristic<S> for TileSum {
    fn h(&self, space: &S, state: &S::State) -> Cost {
        let blank = space.blank(state);
        let tiles = space.size().iter_cells().filter(|&cell| cell != blank);
        tiles
            .map(|cell| {
                let label = usize::from(space.label(state, cell));
                self.by_label[label * self.cells + cell.index()]
            })
            .sum()
    }
}

impl<S: BoardSpace> IncrementalHeuristic<S> for TileSum {
    type Memo = Cost;

    fn memo(&self, space: &S, state: &S::State) -> Cost {
        self.h(space, state)
    }

    #[inline]
    fn update(&self, space: &S, memo: Cost, parent: &S::State, m: Move, _: &S::State) -> Cost {
        let tile = usize::from(space.moving(parent, m));
        let place = tile * self.cells + space.blank(parent).index();
        memo.wrapping_add(self.changes[4 * place + m.index()])
    }

    #[inline]
    fn value(&self, memo: &Cost) -> Cost {
        *memo
    }
}
