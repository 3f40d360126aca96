//! The maximum of several pattern databases in which all moves count, for partial goals and for slides on large
//! boards.
//!
//! For a partial goal, sums over patterns count only the moves of constrained tiles, which are about half of all
//! moves. Here, each table has the true distance, in any metric, to a goal that constrains only a few of these tiles.
//! It has one byte for each position of these tiles and the blank. The estimate is the maximum of the tables.
//!
//! # References
//! Culberson and Schaeffer (1998), "Pattern databases", Computational Intelligence 14: the distance of some
//! tiles with all steps counted, and the largest of several. Holte, Felner, Newton, Meshulam and Furcy
//! (2006), "Maximizing over multiple pattern databases speeds up heuristic search", Artificial
//! Intelligence 170.

use std::sync::Arc;

use loyd_search::{Cost, Heuristic, IncrementalHeuristic};
use loyd_tiles::{BoardSpace, Cell, Metric, PartialGoal, Relabelling};

pub use super::tile_subsets::{FAR, TileSubset, TileSubsetTable};

/// Maximum size of a table in bytes: five tiles and the blank on 16 cells, four tiles on 25.
const MAX_TABLE_BYTES: usize = 1 << 24;

/// Maximum number of tables.
const MAX_TABLES: usize = 6;

/// The maximum of the true distances to goals with a few of the constrained tiles. All tiles are constrained if
/// the goal is a whole board.
///
/// Admissible and consistent in the metric of the space, because a solution also reaches each of these goals.
/// Exact if a table has all constrained tiles. Incremental: the state is an index and a distance for each table.
#[derive(Clone, Debug)]
pub struct MaxOfPatterns {
    tables: Vec<Arc<TileSubsetTable>>,
    /// By label: the weight of the tile's cell in the index of each table, 0 if the table does not have the tile.
    weights: Vec<[u32; MAX_TABLES]>,
    width: usize,
}

/// The incremental state of [`MaxOfPatterns`]: for each table, an index and the entry at that index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MaxMemo {
    indices: [u32; MAX_TABLES],
    distances: [u8; MAX_TABLES],
}

/// Chooses the subsets of tiles for the tables of a goal: of the partial goal, which the goal board of `labels` must
/// satisfy, or else of the board itself. Each subset has as many tiles as fit in a table, taken in row-major
/// order. If there are more than two subsets, the same number is added in column-major order. The result is empty if no
/// tile is constrained.
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
    let parts = tiles.len().div_ceil(most).min(MAX_TABLES / 2);
    let mut tile_subsets: Vec<TileSubset> = Vec::new();
    for by_columns in [false, true].into_iter().take(if parts > 2 { 2 } else { 1 }) {
        let place = |cell: Cell| (size.column(cell), size.row(cell));
        tiles.sort_by_key(|&cell| if by_columns { place(cell) } else { (0, cell.index()) });
        for part in 0..parts {
            // Parts start at equal distances, from the first to the last tile, and may overlap.
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

/// Returns whether a table of `tiles` tiles is within the size limit.
fn fits(cells: usize, tiles: usize) -> bool {
    cells.checked_pow(tiles as u32 + 1).is_some_and(|bytes| bytes <= MAX_TABLE_BYTES)
}

impl MaxOfPatterns {
    /// Creates the heuristic from the tables of the [`tile_subsets`] of this goal.
    ///
    /// # Panics
    /// Panics if the tables are for boards of another size, or if there are more than six.
    pub fn new(
        labels: &Relabelling,
        partial: Option<&PartialGoal>,
        tables: Vec<Arc<TileSubsetTable>>,
    ) -> Self {
        assert!(tables.len() <= MAX_TABLES, "{} tables are too many", tables.len());
        let (size, constrained) = (labels.goal().size(), constrained(labels, partial));
        let weight = |label: u8| {
            let mut weights = [0; MAX_TABLES];
            for (weight, table) in weights.iter_mut().zip(&tables) {
                assert_eq!(table.subset().size(), size, "the table is for another size");
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
        let mut memo =
            MaxMemo { indices: [blank.index() as u32; MAX_TABLES], distances: [0; MAX_TABLES] };
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
        // A slide of n tiles is n single steps in the same direction.
        while at != end {
            let to = if at < end { at + step } else { at - step };
            let weights = &self.weights[usize::from(space.label(parent, Cell::new(to)))];
            // The blank (weight 1) moves by +cells, the tile by -cells: the index changes by cells · (1 - weight).
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
mod tests {
    use std::sync::Arc;

    use loyd_search::{Cost, DistanceTable, Heuristic, IncrementalHeuristic, Meter, retrograde};
    use loyd_tiles::notation::parse_partial_goal;
    use loyd_tiles::{ArraySpace, BoardSpace, Goal, Slides};

    use super::*;

    fn tables_of(tile_subsets: Vec<TileSubset>) -> Vec<Arc<TileSubsetTable>> {
        let build = |subset| TileSubsetTable::build(subset, &mut Meter::default()).unwrap().into();
        tile_subsets.into_iter().map(build).collect()
    }

    fn subsets_of<S: BoardSpace>(space: &S) -> Vec<TileSubset> {
        tile_subsets(space.relabelling(), space.partial_goal(), S::METRIC)
    }

    /// Checks for all states that the estimate is admissible and consistent, that incremental updates equal values
    /// computed from scratch, and that the estimate is exact everywhere if and only if `exact`. Returns the sum of all
    /// estimates.
    fn check<S: BoardSpace>(space: &S, tile_subsets: Vec<TileSubset>, exact: bool) -> u64 {
        let truth: DistanceTable = retrograde(space, &mut Meter::default()).unwrap();
        let h =
            MaxOfPatterns::new(space.relabelling(), space.partial_goal(), tables_of(tile_subsets));
        let (mut sum, mut all_exact) = (0, true);
        for rank in 0..space.state_count().unwrap() {
            let state = space.unrank(rank);
            let (memo, distance) = (h.memo(space, &state), truth.distance(space, &state));
            // The goal cannot be reached from this board.
            if distance == Cost::MAX {
                continue;
            }
            let value = IncrementalHeuristic::<S>::value(&h, &memo);
            assert!(value <= distance, "{value} and {distance} at {rank}");
            all_exact &= value == distance;
            for action in space.actions(&state) {
                let child = space.successor(&state, action);
                let carried = h.update(space, memo, &state, action, &child);
                assert!(carried == h.memo(space, &child), "carried from {rank}");
                assert!(value.abs_diff(h.h(space, &child)) <= 1, "not consistent at {rank}");
            }
            sum += u64::from(value);
        }
        assert_eq!(all_exact, exact);
        sum
    }

    fn part(text: &str) -> ArraySpace<16> {
        let goal = parse_partial_goal(text, None).unwrap();
        let start = Goal::BlankLast.board(goal.size()).unwrap();
        ArraySpace::with_partial_goal(&goal, &goal.reachable(&start).unwrap())
    }

    #[test]
    fn table_of_all_constrained_tiles_is_exact_in_both_metrics() {
        for text in ["1 2 3/* * */* * *", "* 2/3 */5 */* 7", "x 2 */* 5 */* * *", "1 2 3/* * *"] {
            let steps = part(text);
            check(&steps, subsets_of(&steps), true);
            let slides = Slides::new(steps);
            check(&slides, subsets_of(&slides), true);
        }
    }

    #[test]
    fn maximum_of_tables_is_admissible_and_incremental() {
        let corner =
            |places: &[usize]| places.iter().map(|&cell| Cell::new(cell)).collect::<Vec<_>>();
        let steps = part("1 2 3/4 * */7 * *");
        let blanks = corner(&[4, 5, 7, 8]);
        let few = |metric: Metric| {
            let subset = |tiles| TileSubset::new(steps.size(), metric, tiles, blanks.clone());
            [subset(corner(&[0, 1, 2])), subset(corner(&[0, 3, 6]))]
        };
        let [rows, columns] = few(Metric::SingleTile);
        let one = check(&steps, vec![rows.clone()], false);
        let both = check(&steps, vec![rows, columns], false);
        assert!(both > one, "{both} and {one}");
        let slides = Slides::new(steps.clone());
        check(&slides, few(Metric::MultiTile).into(), false);
    }

    #[test]
    fn whole_goals_are_divided_into_subsets() {
        let goal = Goal::BlankLast.board("3x3".parse().unwrap()).unwrap();
        let space = Slides::new(ArraySpace::<16>::new(&goal));
        let parts = subsets_of(&space);
        assert_eq!(parts.len(), 2, "{parts:?}");
        // Each table has six of the eight tiles; the arrangement of the other two follows from the parity.
        check(&space, parts, true);
    }

    #[test]
    fn subsets_fit_and_cover_all_constrained_tiles() {
        for text in [
            "1 2 3 4/5 6 7 8/* * * */* * * *",
            "1 2 3 4/5 6 7 8/9 10 11 12/* * * x",
            "1 2 3 4 5/6 7 8 9 10/* * * * */* * * * */* * * * *",
            "* * * */* * * */* * * */* * * *",
        ] {
            let goal = parse_partial_goal(text, None).unwrap();
            let board = goal.reachable(&Goal::BlankLast.board(goal.size()).unwrap()).unwrap();
            let space = ArraySpace::<64>::with_partial_goal(&goal, &board);
            let parts = subsets_of(&space);
            assert!(parts.len() <= MAX_TABLES);
            assert!(parts.iter().all(|part| part.build_bytes() <= 3 * MAX_TABLE_BYTES as u64));
            for cell in goal.size().iter_cells() {
                let wanted = goal.required(cell).is_some_and(|tile| !tile.is_blank());
                let covered = parts.iter().any(|part| part.tiles().contains(&cell));
                assert_eq!(wanted, covered, "{text}: {cell:?}");
            }
        }
    }

    #[test]
    fn distances_above_254_are_stored_as_far() {
        let goal = Goal::BlankLast.board("2x60".parse().unwrap()).unwrap();
        let space = ArraySpace::<256>::new(&goal);
        let tile = TileSubset::new(
            space.size(),
            Metric::SingleTile,
            vec![Cell::new(0)],
            vec![goal.blank()],
        );
        let table = TileSubsetTable::build(tile, &mut Meter::default()).unwrap();
        let far = 119 * table.weight(Cell::new(0)) + 118;
        assert_eq!((table.distance(119), table.distance(far)), (0, u8::MAX));
    }
}
