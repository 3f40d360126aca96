//! The sum of an estimate for each tile.

use loyd_search::{Cost, Heuristic, IncrementalHeuristic};
use loyd_tiles::{BoardSpace, Move, Relabelling};

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
        Self { by_label: (0..size.tiles() as u8).flat_map(row).collect(), cells: size.cells() }
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
        let (from, to) = (space.target(parent, m), space.blank(parent));
        let row = usize::from(space.label(parent, from)) * self.cells;
        memo - self.by_label[row + from.index()] + self.by_label[row + to.index()]
    }

    #[inline]
    fn value(&self, memo: &Cost) -> Cost {
        *memo
    }
}
