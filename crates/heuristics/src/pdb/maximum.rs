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
use loyd_tiles::{BoardSpace, Cell};

pub use table::{TileSubset, TileSubsetTable};

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

/// What [`MaxOfPatterns`] carries along for a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    index: u32,
    distance: u8,
}

/// The parts of the goal of `space` whose tables are made: neighbours together, along the rows, and if these
/// are more than two along the columns too. None if it constrains no tile.
pub fn tile_subsets<S: BoardSpace>(space: &S) -> Vec<TileSubset> {
    let (labels, size) = (space.relabelling(), space.size());
    let constrained = (0..size.tiles() as u8).filter(|&label| space.is_constrained(label));
    let mut tiles: Vec<Cell> = constrained.map(|label| labels.goal_cell(label)).collect();
    let blanks = match space.partial_goal() {
        Some(part) => part.blank_cells(),
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
            let subset = TileSubset::new(size, S::METRIC, part.collect(), blanks.clone());
            if !tile_subsets.contains(&subset) {
                tile_subsets.push(subset);
            }
        }
    }
    tile_subsets
}

/// Whether a table of so many tiles is small enough.
fn fits(cells: usize, tiles: usize) -> bool {
    cells.checked_pow(tiles as u32 + 1).is_some_and(|bytes| bytes <= MOST_BYTES)
}

impl MaxOfPatterns {
    /// The heuristic for `space`, whose [`tile_subsets`] these tables are of.
    ///
    /// # Panics
    /// If they are for boards of another size, or more than six.
    pub fn new<S: BoardSpace>(space: &S, tables: Vec<Arc<TileSubsetTable>>) -> Self {
        assert!(tables.len() <= MOST, "{} tables are too many", tables.len());
        let (labels, size) = (space.relabelling(), space.size());
        let weight = |label: u8| {
            let mut weights = [0; MOST];
            for (weight, table) in weights.iter_mut().zip(&tables) {
                assert_eq!(table.subset().size(), size, "a table for other boards");
                let goal = space.is_constrained(label).then(|| labels.goal_cell(label));
                *weight = goal.map_or(0, |cell| table.weight(cell));
            }
            weights
        };
        let weights = (0..size.tiles() as u8).map(weight).collect();
        Self { tables, weights, width: size.width() }
    }

    #[inline]
    fn look_up(&self, memo: &mut [Seen; MOST]) {
        for (seen, table) in memo.iter_mut().zip(&self.tables) {
            seen.distance = table.distance(seen.index);
        }
    }
}

/// What [`MaxOfPatterns`] carries along.
pub type MaxMemo = [Seen; MOST];

impl<S: BoardSpace> Heuristic<S> for MaxOfPatterns {
    fn h(&self, space: &S, state: &S::State) -> Cost {
        IncrementalHeuristic::<S>::value(self, &self.memo(space, state))
    }
}

impl<S: BoardSpace> IncrementalHeuristic<S> for MaxOfPatterns {
    type Memo = [Seen; MOST];

    fn memo(&self, space: &S, state: &S::State) -> [Seen; MOST] {
        let blank = space.blank(state);
        let mut memo = [Seen { index: blank.index() as u32, distance: 0 }; MOST];
        for cell in space.size().iter_cells().filter(|&cell| cell != blank) {
            let weights = self.weights[usize::from(space.label(state, cell))];
            for (seen, weight) in memo.iter_mut().zip(weights) {
                seen.index += weight * cell.index() as u32;
            }
        }
        self.look_up(&mut memo);
        memo
    }

    fn update(
        &self,
        space: &S,
        mut memo: [Seen; MOST],
        parent: &S::State,
        _: S::Action,
        child: &S::State,
    ) -> [Seen; MOST] {
        let (mut at, end) = (space.blank(parent).index(), space.blank(child).index());
        let step = if at.abs_diff(end) < self.width { 1 } else { self.width };
        // One step, or as many as a slide goes.
        while at != end {
            let to = if at < end { at + step } else { at - step };
            let weights = self.weights[usize::from(space.label(parent, Cell::new(to)))];
            for (seen, weight) in memo.iter_mut().zip(weights) {
                let (ahead, back) = (to as u32, at as u32);
                seen.index = seen
                    .index
                    .wrapping_add(ahead.wrapping_sub(back))
                    .wrapping_add(weight.wrapping_mul(back.wrapping_sub(ahead)));
            }
            at = to;
        }
        self.look_up(&mut memo);
        memo
    }

    #[inline]
    fn value(&self, memo: &[Seen; MOST]) -> Cost {
        memo.iter().map(|seen| Cost::from(seen.distance)).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests;
