//! How often the blank has to change places, if it may do so with any tile.

use loyd_search::{Cost, Heuristic, IncrementalHeuristic};
use loyd_tiles::{Cell, Move, Relabelling, StepSpace};

/// The number of exchanges of the blank with a tile, wherever that lies, that solve the board.
///
/// This is the length of a solution of a relaxed puzzle, in which every two cells are neighbours. A cycle of
/// the permutation of k tiles takes k exchanges if it has the blank, and k + 1 if it has not and k > 1.
/// Admissible and consistent where single steps count, because each step is such an exchange; a slide of
/// several tiles is several of them, so it does not hold there. At least as large as the number of misplaced
/// tiles. Carried along: all cells are gone through for each child.
///
/// # References
/// Gaschnig (1979), "A problem similarity approach to devising heuristics: first results", IJCAI.
#[derive(Clone, Debug)]
pub struct Gaschnig {
    /// By label: the goal cell of the tile.
    goals: Vec<u8>,
    /// The goal cell of the blank.
    blank: u8,
}

impl Gaschnig {
    /// The estimate for the goal of `labels`.
    pub fn new(labels: &Relabelling) -> Self {
        let goal = |label| labels.goal_cell(label).index() as u8;
        let tiles = labels.goal().size().tiles();
        Self {
            goals: (0..tiles).map(|label| goal(label as u8)).collect(),
            blank: goal(Relabelling::BLANK),
        }
    }

    /// The goal cell of what lies on `cell`.
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
        let mut seen = [false; loyd_tiles::Size::MAX_CELLS];
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
                // One of the members is the blank.
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
