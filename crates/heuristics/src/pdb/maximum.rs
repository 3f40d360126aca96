//! The maximum of pattern databases: how far it is if only a few tiles matter, for partial goals, and for
//! slides on large boards.
//!
//! For a partial goal, sums over patterns count the steps of the constrained tiles only, and half of the
//! steps are those of others. The true distance to a goal that constrains only a few of these tiles counts
//! all steps, in any metric. It fits in a table of a byte for each way in which these tiles and the blank can
//! lie, and the largest of several such distances is the estimate.
//!
//! # References
//! Culberson and Schaeffer (1998), "Pattern databases", Computational Intelligence 14: the distance of some
//! tiles with all steps counted, and the largest of several. Holte, Felner, Newton, Meshulam and Furcy
//! (2006), "Maximizing over multiple pattern databases speeds up heuristic search", Artificial
//! Intelligence 170.

mod table;

use std::sync::Arc;

use loyd_search::{Cost, Heuristic, IncrementalHeuristic};
use loyd_tiles::{BoardSpace, Cell, Metric, PartialGoal, Relabelling};

pub use table::{FAR, TileSubset, TileSubsetTable};

/// A table has at most so many bytes: five tiles and the blank on 16 cells, four on 25.
const MOST_BYTES: usize = 1 << 24;

/// The most tables that are looked up.
const MOST: usize = 6;

/// The largest of the true distances to goals with a few of the constrained tiles, which are all tiles if
/// the goal is a whole board.
///
/// Admissible and consistent in the metric of the space: whoever reaches the goal reaches its parts.
/// Exact if the tables have all constrained tiles. Carried along: an index and a distance for each table.
#[derive(Clone, Debug)]
pub struct MaxOfPatterns {
    tables: Vec<Arc<TileSubsetTable>>,
    /// By label: what the cell of the tile counts in the index of each table, nothing if it is not in it.
    weights: Vec<[u32; MOST]>,
    width: usize,
}

/// What [`MaxOfPatterns`] carries along: for each table an index, and the distance that is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MaxMemo {
    indices: [u32; MOST],
    distances: [u8; MOST],
}

/// The parts of the goal of `labels`, or of the partial goal that it meets, whose tables are made: neighbours
/// together, along the rows, and if these are more than two along the columns too. None if no tile is
/// constrained.
pub fn tile_subsets(
    labels: &Relabelling,
    partial: Option<&PartialGoal>,
    metric: Metric,
) -> Vec<TileSubset> {
    let size = labels.goal().size();
    let constrained = constrained(labels, partial).into_iter();
    let mut tiles: Vec<Cell> = constrained.map(|label| labels.goal_cell(label)).collect();
    let blanks = match partial {
        Some(partial) => partial.blank_cells(),
        None => vec![labels.goal().blank()],
    };
    let most = (1..tiles.len()).take_while(|&most| fits(size.cells(), most + 1)).count() + 1;
    let parts = tiles.len().div_ceil(most).min(MOST / 2);
    let mut tile_subsets: Vec<TileSubset> = Vec::new();
    for by_columns in [false, true].into_iter().take(if parts > 2 { 2 } else { 1 }) {
        let place = |cell: Cell| (size.column(cell), size.row(cell));
        tiles.sort_by_key(|&cell| if by_columns { place(cell) } else { (0, cell.index()) });
        for part in 0..parts {
            // Evenly from the first to the last tile, so that parts overlap.
            let begin = (tiles.len() - most.min(tiles.len())) * part / (parts - 1).max(1);
            let part = tiles[begin..].iter().copied().take(most);
            let subset = TileSubset::new(size, metric, part.collect(), blanks.clone());
            if !tile_subsets.contains(&subset) {
                tile_subsets.push(subset);
            }
        }
    }
    tile_subsets
}

fn constrained(labels: &Relabelling, partial: Option<&PartialGoal>) -> Vec<u8> {
    let all = || (0..labels.goal().size().tiles() as u8).collect();
    partial.map_or_else(all, |partial| partial.constrained(labels))
}

/// Whether a table of so many tiles is small enough.
fn fits(cells: usize, tiles: usize) -> bool {
    cells.checked_pow(tiles as u32 + 1).is_some_and(|bytes| bytes <= MOST_BYTES)
}

impl MaxOfPatterns {
    /// The heuristic for the goal whose [`tile_subsets`] these tables are of.
    ///
    /// # Panics
    /// If they are for boards of another size, or more than six.
    pub fn new(
        labels: &Relabelling,
        partial: Option<&PartialGoal>,
        tables: Vec<Arc<TileSubsetTable>>,
    ) -> Self {
        assert!(tables.len() <= MOST, "{} tables are too many", tables.len());
        let (size, constrained) = (labels.goal().size(), constrained(labels, partial));
        let weight = |label: u8| {
            let mut weights = [0; MOST];
            for (weight, table) in weights.iter_mut().zip(&tables) {
                assert_eq!(table.subset().size(), size, "a table for other boards");
                let goal = constrained.contains(&label).then(|| labels.goal_cell(label));
                *weight = goal.map_or(0, |cell| table.weight(cell));
            }
            weights
        };
        let weights = (0..size.tiles() as u8).map(weight).collect();
        Self { tables, weights, width: size.width() }
    }

    #[inline]
    fn look_up(&self, memo: &mut MaxMemo) {
        for (i, distance) in memo.distances.iter_mut().enumerate() {
            let Some(table) = self.tables.get(i) else { return };
            *distance = table.distance(memo.indices[i]);
        }
    }
}

impl<S: BoardSpace> Heuristic<S> for MaxOfPatterns {
    fn h(&self, space: &S, state: &S::State) -> Cost {
        IncrementalHeuristic::<S>::value(self, &self.memo(space, state))
    }
}

impl<S: BoardSpace> IncrementalHeuristic<S> for MaxOfPatterns {
    type Memo = MaxMemo;

    fn memo(&self, space: &S, state: &S::State) -> MaxMemo {
        let blank = space.blank(state);
        let mut memo = MaxMemo { indices: [blank.index() as u32; MOST], distances: [0; MOST] };
        for cell in space.size().iter_cells().filter(|&cell| cell != blank) {
            let weights = self.weights[usize::from(space.label(state, cell))];
            for (index, weight) in memo.indices.iter_mut().zip(weights) {
                *index += weight * cell.index() as u32;
            }
        }
        self.look_up(&mut memo);
        memo
    }

    #[inline]
    fn update(
        &self,
        space: &S,
        mut memo: MaxMemo,
        parent: &S::State,
        _: S::Action,
        child: &S::State,
    ) -> MaxMemo {
        let (mut at, end) = (space.blank(parent).index(), space.blank(child).index());
        let step = if at.abs_diff(end) < self.width { 1 } else { self.width };
        // One step, or as many as a slide goes.
        while at != end {
            let to = if at < end { at + step } else { at - step };
            let weights = &self.weights[usize::from(space.label(parent, Cell::new(to)))];
            // The blank goes so many cells one way, and the tile as many the other.
            let cells = (to as u32).wrapping_sub(at as u32);
            for (index, weight) in memo.indices.iter_mut().zip(weights) {
                let change = cells.wrapping_mul(1_u32.wrapping_sub(*weight));
                *index = index.wrapping_add(change);
            }
            at = to;
        }
        self.look_up(&mut memo);
        memo
    }

    #[inline]
    fn value(&self, memo: &MaxMemo) -> Cost {
        let mut largest = 0;
        for &distance in &memo.distances {
            largest = distance.max(largest);
        }
        largest.into()
    }
}

#[cfg(test)]
mod tests;
