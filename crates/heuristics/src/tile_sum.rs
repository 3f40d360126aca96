//! Sums of one estimate per tile: entries of a matrix, or Manhattan distances weighted with the costs of the tiles.

use loyd_search::{Cost, Heuristic, IncrementalHeuristic};
use loyd_tiles::{Cell, Costed, Move, PartialGoal, Relabelling, StepSpace};

use crate::matrix::DistanceMatrix;

/// The sum over the tiles of an entry of a [`DistanceMatrix`]: misplaced tiles, Manhattan distance, or a user's
/// matrix. The blank and tiles on their goal cells count 0, even if the matrix has other entries there.
///
/// Incremental: a move changes the summand of one tile. Admissible if the matrix is; Manhattan
/// distance and misplaced tiles are consistent too.
///
/// # References
/// Doran and Michie (1966), "Experiments with the Graph Traverser program".
#[derive(Clone, Debug)]
pub struct TileSum {
    /// `by_label[label · cells + cell]`.
    by_label: Vec<Cost>,
    /// `changes[(blank · 4 + move) · tiles + label]`: the change of the sum when that tile moves to the cell of
    /// the blank, modulo 2³².
    changes: Vec<Cost>,
    /// Copy of `changes` for boards of at most 16 cells, `small[blank · 4 + move][label]`: constant row length, so
    /// that a lookup needs neither a multiplication nor a bounds check.
    small: [[Cost; SMALL]; 4 * SMALL],
    cells: usize,
    zero_at_goals_only: bool,
    granularity: Cost,
}

/// Maximum number of cells of a board that uses the fixed-size table.
const SMALL: usize = 16;

impl TileSum {
    /// Creates the sum of the entries of `matrix`, for the goal of `labels`.
    ///
    /// # Panics
    /// Panics if the matrix and the goal have different numbers of cells.
    pub fn new(labels: &Relabelling, matrix: &DistanceMatrix) -> Self {
        Self::to_nearest(labels, matrix, |label| vec![labels.goal_cell(label)])
    }

    /// Creates the sum for a partial goal, which the goal board of `labels` must satisfy: each tile counts with the
    /// nearest of its possible goal cells, and 0 if it may end anywhere.
    ///
    /// Admissible and consistent if the sum of `matrix` for a single board is.
    ///
    /// # Panics
    /// Panics if the matrix and the goal have different numbers of cells.
    pub fn with_partial_goal(
        labels: &Relabelling,
        goal: &PartialGoal,
        matrix: &DistanceMatrix,
    ) -> Self {
        let sum = Self::to_nearest(labels, matrix, |label| goal.goal_cells(labels, label));
        Self { zero_at_goals_only: false, ..sum }
    }

    fn to_nearest(
        labels: &Relabelling,
        matrix: &DistanceMatrix,
        goal_cells: impl Fn(u8) -> Vec<Cell>,
    ) -> Self {
        let size = labels.goal().size();
        assert_eq!(matrix.cells(), size.cells(), "matrix and board must have the same size");
        let cells = size.cells();
        let mut by_label = Vec::with_capacity(size.tiles() * cells);
        for label in 0..size.tiles() as u8 {
            let goals = goal_cells(label);
            let entry = |cell, goal| if cell == goal { 0 } else { matrix.entry(cell, goal) };
            let nearest = |cell| goals.iter().map(|&goal| entry(cell, goal)).min().unwrap_or(0);
            by_label.extend(size.iter_cells().map(nearest));
        }
        let mut changes = Vec::with_capacity(cells * Move::ALL.len() * size.tiles());
        for to in size.iter_cells() {
            for m in Move::ALL {
                let from = size.neighbour(to, m).unwrap_or(to);
                let change = |tile: &[Cost]| tile[to.index()].wrapping_sub(tile[from.index()]);
                changes.extend(by_label.chunks_exact(cells).map(change));
            }
        }
        let mut small = [[0; SMALL]; 4 * SMALL];
        for (place, row) in small.iter_mut().zip(changes.chunks_exact(size.tiles())) {
            place.iter_mut().zip(row).for_each(|(place, &change)| *place = change);
        }
        let off_goal = |from, to| from == to || matrix.entry(from, to) > 0;
        let mut pairs = size.iter_cells().flat_map(|a| size.iter_cells().map(move |b| (a, b)));
        let zero_at_goals_only = pairs.all(|(from, to)| off_goal(from, to));
        let is_legal = |&(place, _): &(usize, _)| {
            size.neighbour(Cell::new(place / Move::ALL.len()), Move::ALL[place % Move::ALL.len()])
                .is_some()
        };
        let legal = changes.chunks_exact(size.tiles()).enumerate().filter(is_legal);
        let rises = legal.flat_map(|(_, tiles)| tiles).map(|&change| {
            // f = g + h: the move itself costs 1.
            change.wrapping_add(1).cast_signed().unsigned_abs()
        });
        let granularity = rises.fold(0, gcd).max(1);
        Self { by_label, changes, small, cells, zero_at_goals_only, granularity }
    }

    /// Removes the tiles that a partial goal does not constrain from the sum.
    #[must_use]
    pub fn without_unconstrained(mut self, is_constrained: impl Fn(u8) -> bool) -> Self {
        let tiles = self.by_label.len() / self.cells;
        for label in (0..tiles).filter(|&label| !is_constrained(label as u8)) {
            self.by_label[label * self.cells..][..self.cells].fill(0);
            self.changes.iter_mut().skip(label).step_by(tiles).for_each(|change| *change = 0);
            if label < SMALL {
                self.small.iter_mut().for_each(|place| place[label] = 0);
            }
            self.zero_at_goals_only = false;
            self.granularity = 1;
        }
        self
    }

    /// Returns whether the goal is the only board with the value 0, that is, every tile off its goal cell counts.
    pub fn is_zero_at_goals_only(&self) -> bool {
        self.zero_at_goals_only
    }

    /// Returns the change of the sum by each move, modulo 2³²: entry `(4 · blank + move) · tiles + label` for the cell
    /// of the blank, the index of the move in the order up, left, right, down, and the label of the moving
    /// tile. Illegal moves have entry 0.
    pub fn changes(&self) -> &[Cost] {
        &self.changes
    }

    /// Returns the summand of the tile with `label` on `cell`.
    ///
    /// # Panics
    /// Panics if there is no such tile or cell.
    pub fn summand(&self, label: u8, cell: Cell) -> Cost {
        self.by_label[usize::from(label) * self.cells + cell.index()]
    }

    /// Creates the heuristic that counts the tiles off their goal cells.
    pub fn misplaced(labels: &Relabelling) -> Self {
        Self::new(labels, &DistanceMatrix::misplaced(labels.goal().size()))
    }

    /// Creates Manhattan distance.
    pub fn manhattan(labels: &Relabelling) -> Self {
        Self::new(labels, &DistanceMatrix::manhattan(labels.goal().size()))
    }
}

fn gcd(mut a: Cost, mut b: Cost) -> Cost {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl<S: StepSpace> Heuristic<S> for TileSum {
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

impl<S: StepSpace> IncrementalHeuristic<S> for TileSum {
    type Memo = Cost;
    const SPECIALIZE: bool = true;
    const LAYERED: bool = true;

    fn granularity(&self) -> Cost {
        self.granularity
    }

    fn memo(&self, space: &S, state: &S::State) -> Cost {
        self.h(space, state)
    }

    #[inline(always)]
    fn update(&self, space: &S, memo: Cost, parent: &S::State, m: Move, _: &S::State) -> Cost {
        let tile = usize::from(space.moving(parent, m));
        let place = 4 * space.blank(parent).index() + m.index();
        memo.wrapping_add(match S::MAX_CELLS {
            ..=SMALL => self.small[place % (4 * SMALL)][tile % SMALL],
            _ => self.changes[place * (self.cells - 1) + tile],
        })
    }

    #[inline]
    fn value(&self, memo: &Cost) -> Cost {
        *memo
    }
}

/// The sum over the tiles of the distance to the goal cell times the cost of moving the tile.
///
/// Admissible and consistent: a move changes the distance of one tile by one, at the cost of that tile.
///
/// # References
/// Thayer and Ruml (2011), "Bounded suboptimal search: A direct approach using inadmissible estimates", IJCAI.
#[derive(Clone, Debug)]
pub struct CostDistance {
    /// `by_label[label · cells + cell]`.
    by_label: Vec<Cost>,
    cells: usize,
}

impl CostDistance {
    /// Creates the heuristic for the goal and the costs of `space`.
    ///
    /// # Panics
    /// Panics if the cost of a tile times its largest distance exceeds 32 bits.
    pub fn new<S: StepSpace>(space: &Costed<S>) -> Self {
        let (labels, size) = (space.steps().relabelling(), space.steps().size());
        let mut by_label = Vec::with_capacity(size.tiles() * size.cells());
        for label in 0..size.tiles() as u8 {
            let (goal, cost) = (labels.goal_cell(label), space.cost(label));
            let entry = |cell| {
                let product = size.distance(cell, goal).checked_mul(cost);
                product.expect("the cost of a tile times its distance must fit in 32 bits")
            };
            by_label.extend(size.iter_cells().map(entry));
        }
        Self { by_label, cells: size.cells() }
    }
}

impl<S: StepSpace> Heuristic<Costed<S>> for CostDistance {
    fn h(&self, space: &Costed<S>, state: &S::State) -> Cost {
        let steps = space.steps();
        let blank = steps.blank(state);
        let tiles = steps.size().iter_cells().filter(|&cell| cell != blank);
        let entry = |cell| usize::from(steps.label(state, cell)) * self.cells + cell.index();
        tiles.map(|cell| self.by_label[entry(cell)]).sum()
    }
}

impl<S: StepSpace> IncrementalHeuristic<Costed<S>> for CostDistance {
    type Memo = Cost;

    fn memo(&self, space: &Costed<S>, state: &S::State) -> Cost {
        self.h(space, state)
    }

    #[inline]
    fn update(
        &self,
        space: &Costed<S>,
        memo: Cost,
        parent: &S::State,
        m: Move,
        _: &S::State,
    ) -> Cost {
        let steps = space.steps();
        let (from, to) = (steps.target(parent, m), steps.blank(parent));
        let row = usize::from(steps.label(parent, from)) * self.cells;
        memo - self.by_label[row + from.index()] + self.by_label[row + to.index()]
    }

    #[inline]
    fn value(&self, memo: &Cost) -> Cost {
        *memo
    }
}

#[cfg(test)]
mod tests {
    use loyd_search::{Limits, Meter, NoUndo, Outcome, Rankable, idastar};
    use loyd_tiles::{ArraySpace, BoardSpace, Goal, Packed3x3, Size};

    use super::*;

    /// The goal must have the estimate 0, or depth-first searches would prune it.
    #[test]
    fn tiles_on_their_goal_cells_count_0() {
        let goal = Goal::BlankLast.board(Size::EIGHT).unwrap();
        let (packed, plain) = (Packed3x3::new(&goal), ArraySpace::<16>::new(&goal));
        let matrix = DistanceMatrix::from_fn(Size::EIGHT, |from, to| 3 + Cost::from(from != to));
        let sum = TileSum::new(packed.relabelling(), &matrix);
        assert_eq!(sum.h(&packed, &packed.encode(&goal)), 0);
        let start = packed.unrank(77_777);
        let limits = Limits { max_expanded: Some(1_000_000), ..Limits::default() };
        let solve = |search: &dyn Fn(&mut Meter<'_>) -> Outcome<Move>| {
            let outcome = search(&mut Meter::new(limits, Default::default()));
            assert!(matches!(outcome, Outcome::Solved { .. }), "{outcome:?}");
            outcome
        };
        let board = packed.decode(&start);
        assert_eq!(
            solve(&|meter| idastar(&packed, &sum, &NoUndo, &start, meter)),
            solve(&|meter| idastar(&plain, &sum, &NoUndo, &plain.encode(&board), meter)),
        );
    }
}
