use std::sync::Arc;

use loyd_search::{Cost, DistanceTable, Heuristic, IncrementalHeuristic, Meter, retrograde};
use loyd_tiles::notation::parse_partial_goal;
use loyd_tiles::{ArraySpace, BoardSpace, Goal, Slides};

use super::*;

fn tables_of(tile_subsets: Vec<TileSubset>) -> Vec<Arc<TileSubsetTable>> {
    let build = |subset| TileSubsetTable::build(subset, &mut Meter::default()).unwrap().into();
    tile_subsets.into_iter().map(build).collect()
}

/// Checks that the estimate never exceeds the truth and changes by at most one, that what is carried is
/// what is looked up, and that it is `exact` everywhere or is not; returns the sum of all.
fn subsets_of<S: BoardSpace>(space: &S) -> Vec<TileSubset> {
    tile_subsets(space.relabelling(), space.partial_goal(), S::METRIC)
}

fn check<S: BoardSpace>(space: &S, tile_subsets: Vec<TileSubset>, exact: bool) -> u64 {
    let truth: DistanceTable = retrograde(space, &mut Meter::default()).unwrap();
    let h = MaxOfPatterns::new(space.relabelling(), space.partial_goal(), tables_of(tile_subsets));
    let (mut sum, mut all_exact) = (0, true);
    for rank in 0..space.state_count().unwrap() {
        let state = space.unrank(rank);
        let (memo, distance) = (h.memo(space, &state), truth.distance(space, &state));
        // Ranks of boards from which no goal can be reached.
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
    ArraySpace::to_partial(&goal, &goal.reachable(&start).unwrap())
}

#[test]
fn a_table_of_all_marked_tiles_is_the_truth_in_both_metrics() {
    for text in ["1 2 3/* * */* * *", "* 2/3 */5 */* 7", "x 2 */* 5 */* * *", "1 2 3/* * *"] {
        let steps = part(text);
        check(&steps, subsets_of(&steps), true);
        let slides = Slides::new(steps);
        check(&slides, subsets_of(&slides), true);
    }
}

#[test]
fn the_largest_of_several_is_admissible_and_carried_right() {
    let corner = |places: &[usize]| places.iter().map(|&cell| Cell::new(cell)).collect::<Vec<_>>();
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
fn whole_goals_have_parts_too() {
    let goal = Goal::BlankLast.board("3x3".parse().unwrap()).unwrap();
    let space = Slides::new(ArraySpace::<16>::new(&goal));
    let parts = subsets_of(&space);
    assert_eq!(parts.len(), 2, "{parts:?}");
    // The last two tiles follow from the parity.
    check(&space, parts, true);
}

#[test]
fn parts_fit_and_cover_all_marked_tiles() {
    for text in [
        "1 2 3 4/5 6 7 8/* * * */* * * *",
        "1 2 3 4/5 6 7 8/9 10 11 12/* * * x",
        "1 2 3 4 5/6 7 8 9 10/* * * * */* * * * */* * * * *",
        "* * * */* * * */* * * */* * * *",
    ] {
        let goal = parse_partial_goal(text, None).unwrap();
        let board = goal.reachable(&Goal::BlankLast.board(goal.size()).unwrap()).unwrap();
        let space = ArraySpace::<64>::to_partial(&goal, &board);
        let parts = subsets_of(&space);
        assert!(parts.len() <= MOST);
        assert!(parts.iter().all(|part| part.build_bytes() <= 3 * MOST_BYTES as u64));
        for cell in goal.size().iter_cells() {
            let wanted = goal.required(cell).is_some_and(|tile| !tile.is_blank());
            let covered = parts.iter().any(|part| part.tiles().contains(&cell));
            assert_eq!(wanted, covered, "{text}: {cell:?}");
        }
    }
}

#[test]
fn distances_that_a_byte_cannot_tell_are_cut_off() {
    let goal = Goal::BlankLast.board("2x60".parse().unwrap()).unwrap();
    let space = ArraySpace::<256>::new(&goal);
    let tile =
        TileSubset::new(space.size(), Metric::SingleTile, vec![Cell::new(0)], vec![goal.blank()]);
    let table = TileSubsetTable::build(tile, &mut Meter::default()).unwrap();
    let far = 119 * table.weight(Cell::new(0)) + 118;
    assert_eq!((table.distance(119), table.distance(far)), (0, u8::MAX));
}
