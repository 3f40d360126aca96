//! The sum of an estimate for each tile.

use loyd_search::{Cost, Heuristic, IncrementalHeuristic};
use loyd_tiles::{Cell, Move, Relabelling, StepSpace};

use crate::matrix::DistanceMatrix;

/// The sum over the tiles of a matrix entry: misplaced tiles, Manhattan distance, or a user's own.
/// The blank never counts, nor does a tile on its goal cell, whatever the matrix says.
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
    /// `changes[(blank · 4 + move) · tiles + label]`: what the move of that tile to the cell of the
    /// blank adds, modulo 2³².
    changes: Vec<Cost>,
    /// The same again for boards of at most 16 cells, where no place has to be multiplied or checked.
    small: [[Cost; SMALL]; 4 * SMALL],
    cells: usize,
    zero_at_goals_only: bool,
    granularity: Cost,
}

/// Boards of at most so many cells are small.
const SMALL: usize = 16;

impl TileSum {
    /// The sum of the entries of `matrix`, for the goal of `labels`.
    ///
    /// # Panics
    /// If the matrix is not of as many cells as the goal.
    pub fn new(labels: &Relabelling, matrix: &DistanceMatrix) -> Self {
        let size = labels.goal().size();
        assert_eq!(matrix.cells(), size.cells(), "matrix and board must have as many cells");
        let cells = size.cells();
        let mut by_label = Vec::with_capacity(size.tiles() * cells);
        for label in 0..size.tiles() as u8 {
            let goal = labels.goal_cell(label);
            let entry = |cell| if cell == goal { 0 } else { matrix.entry(cell, goal) };
            by_label.extend(size.iter_cells().map(entry));
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
            // The move itself costs one.
            change.wrapping_add(1).cast_signed().unsigned_abs()
        });
        let granularity = rises.fold(0, gcd).max(1);
        Self { by_label, changes, small, cells, zero_at_goals_only, granularity }
    }

    /// The same sum without the tiles that a partial goal does not constrain.
    #[must_use]
    pub fn of_constrained(mut self, is_constrained: impl Fn(u8) -> bool) -> Self {
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

    /// Whether only the goal can have the value 0: no tile off its goal cell counts for nothing.
    pub fn is_zero_at_goals_only(&self) -> bool {
        self.zero_at_goals_only
    }

    /// What a move adds to the sum, modulo 2³²: `[(4 · blank + move) · tiles + label]` for the cell of
    /// the blank, the move's place in the order up, left, right, down, and the label of the tile that
    /// it moves; 0 if the move is not legal.
    pub fn changes(&self) -> &[Cost] {
        &self.changes
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
    const IN_LAYERS: bool = true;

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

#[cfg(test)]
mod tests {
    use loyd_search::{Limits, Meter, NoUndo, Outcome, Rankable, idastar};
    use loyd_tiles::{ArraySpace, BoardSpace, Goal, Packed3x3, Size};

    use super::*;

    /// A goal must have the estimate 0, or depth-first searches pass it by.
    #[test]
    fn tiles_on_their_goal_cells_count_for_nothing() {
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
