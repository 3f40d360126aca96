//! Gaschnig's heuristic: swaps with the blank if the blank may swap with any tile.

use loyd_search::{Cost, Heuristic, IncrementalHeuristic};
use loyd_tiles::{Cell, Move, Relabelling, StepSpace};

/// The minimum number of swaps that solve the board, where a swap exchanges the blank with any tile.
///
/// This is the solution length of a relaxed puzzle in which all cells are adjacent. A cycle of the permutation
/// takes as many swaps as it has tiles if it contains the blank; a cycle of k > 1 tiles without the blank takes
/// k + 1. Admissible and consistent in the single-tile metric, because each step is such a swap; not admissible for
/// slides, as a slide of several tiles is several swaps. Never below the number of misplaced tiles.
/// Not incremental: the value is computed from all cells of each child.
///
/// # References
/// Gaschnig (1979), "A problem similarity approach to devising heuristics: first results", IJCAI.
#[derive(Clone, Debug)]
pub struct Gaschnig {
    /// Goal cell of the tile, by label.
    goals: Vec<u8>,
    /// The goal cell of the blank.
    blank: u8,
}

impl Gaschnig {
    /// Creates the heuristic for the goal of `labels`.
    pub fn new(labels: &Relabelling) -> Self {
        let goal = |label| labels.goal_cell(label).index() as u8;
        let tiles = labels.goal().size().tiles();
        Self {
            goals: (0..tiles).map(|label| goal(label as u8)).collect(),
            blank: goal(Relabelling::BLANK),
        }
    }

    /// Returns the goal cell of the tile (or blank) on `cell`.
    fn goal<S: StepSpace>(&self, space: &S, state: &S::State, cell: usize) -> usize {
        let cell = Cell::new(cell);
        match cell == space.blank(state) {
            true => self.blank.into(),
            false => self.goals[usize::from(space.label(state, cell))].into(),
        }
    }
}

impl<S: StepSpace> Heuristic<S> for Gaschnig {
    fn h(&self, space: &S, state: &S::State) -> Cost {
        let mut seen = [false; loyd_tiles::Size::MAX_SEARCH_CELLS];
        let mut exchanges = 0;
        for first in 0..space.size().cells() {
            let (mut cell, mut length, mut has_blank) = (first, 0, false);
            while !seen[cell] {
                seen[cell] = true;
                length += 1;
                has_blank |= cell == usize::from(self.blank);
                cell = self.goal(space, state, cell);
            }
            exchanges += match length {
                0 | 1 => 0,
                // `length` counts the blank too.
                _ if has_blank => length - 1,
                _ => length + 1,
            };
        }
        exchanges
    }
}

impl<S: StepSpace> IncrementalHeuristic<S> for Gaschnig {
    type Memo = Cost;

    fn memo(&self, space: &S, state: &S::State) -> Cost {
        self.h(space, state)
    }

    fn update(&self, space: &S, _: Cost, _: &S::State, _: Move, child: &S::State) -> Cost {
        self.h(space, child)
    }

    fn value(&self, memo: &Cost) -> Cost {
        *memo
    }
}
