//! Every row of the registry against true distances, wherever it is offered.

use loyd_search::{Heuristic, IncrementalHeuristic, Meter, retrograde};
use loyd_tiles::{Board, BoardSpace, Cell, Metric, Size};
use rayon::prelude::*;

use super::*;
use crate::config::Config;
use crate::heuristics::exact::exact;
use crate::problem::Problem;
use crate::space::AnySpace;
use crate::tables::Tables;

/// Goals with the blank in a corner, beside it, and as near the middle as it can be.
fn goals(size: Size) -> Vec<Board> {
    let middle = size.height() / 2 * size.width() + size.width() / 2;
    let cells = [size.cells() - 1, 0, 1, middle];
    cells.into_iter().map(|cell| Board::in_order(size, Cell::new(cell))).collect()
}

/// So many states have a plain table of distances; for more there is a kernel.
const MOST_STATES: u64 = 2_000_000;

/// What a row has to keep: h ≤ distance, |h(s) − h(t)| ≤ 1 for neighbours if it is consistent, the
/// carried value is that from scratch, and h of the goal is 0.
struct Law<'a> {
    row: &'static HeuristicRow,
    setting: Setting<'a>,
    tables: &'a Tables,
    /// One in so many states is looked at.
    step: usize,
}

impl InstanceVisitor for Law<'_> {
    type Output = ();

    fn visit<S: BoardSpace, H: IncrementalHeuristic<S>>(self, space: &S, h: &H) {
        let Self { row, setting, tables, step } = self;
        let place = format!("{} to {}", row.name, space.relabelling().goal());
        let (states, mut meter) = (space.state_count().unwrap(), Meter::default());
        let plain = (states <= MOST_STATES).then(|| retrograde(space, &mut meter).unwrap());
        let kernel = exact(setting.space, tables, &mut meter).unwrap();
        let distance = |state: &S::State| match (&plain, &kernel) {
            (Some(table), _) => table.distance(space, state),
            (None, kernel) => Heuristic::<S>::h(kernel, space, state),
        };
        for rank in (0..states).step_by(step) {
            let state = space.unrank(rank);
            let memo = h.memo(space, &state);
            let value = h.value(&memo);
            assert!(value <= distance(&state), "{place}: not admissible at {rank}");
            for action in space.actions(&state) {
                let child = space.successor(&state, action);
                let carried = h.value(&h.update(space, memo, &state, action, &child));
                assert_eq!(carried, h.h(space, &child), "{place}: carried from {rank}");
                let consistent = !row.consistent || value.abs_diff(carried) <= 1;
                assert!(consistent, "{place}: not consistent at {rank}");
            }
        }
        let goal = space.encode(space.relabelling().goal());
        assert_eq!(h.h(space, &goal), 0, "{place}");
    }
}

fn check(row: &'static HeuristicRow, goal: &Board, metric: Metric, step: usize) {
    let config = Config { heuristic: Some(row.name.into()), metric, ..Config::default() };
    let space = AnySpace::new(&Problem::to_itself(goal), metric);
    let setting = Setting { space: &space, config: &config };
    if !row.is_for(&setting) {
        return;
    }
    let stages = (row.stages)(row, &setting).unwrap();
    let last = stages.last().expect("a search has a stage");
    assert_eq!((last.heuristic.name, stages.len()), (row.name, 1), "nothing but what was named");
    let tables = Tables::new(&config);
    let heuristic = last.heuristic(&setting, &tables, &mut Meter::default()).unwrap();
    heuristic.visit(&space, Law { row, setting, tables: &tables, step });
}

/// Checks the rows that `wanted` selects on boards of these sizes.
fn check_all(wanted: fn(&HeuristicRow) -> bool, sizes: &[&str], metric: Metric, step: usize) {
    let rows = HEURISTICS.iter().filter(|row| wanted(row));
    let goals = sizes.iter().flat_map(|size| goals(size.parse().unwrap()));
    let cases: Vec<_> =
        goals.flat_map(|goal| rows.clone().map(move |row| (row, goal.clone()))).collect();
    assert!(!cases.is_empty());
    cases.par_iter().for_each(|(row, goal)| check(row, goal, metric, step));
}

#[test]
fn every_heuristic_is_admissible_consistent_and_carried_right_on_all_boards() {
    check_all(|_| true, &["3x3", "2x4", "4x2", "1x6", "5x1"], Metric::SingleTile, 1);
    check_all(|_| true, &["3x3", "2x4", "1x6"], Metric::MultiTile, 1);
}

#[test]
fn every_heuristic_holds_on_larger_boards() {
    check_all(|_| true, &["5x2"], Metric::SingleTile, 1009);
    check_all(|_| true, &["3x4"], Metric::SingleTile, 1_000_003);
}

#[test]
fn permutations_are_bounded_right_on_all_boards_of_two_by_five() {
    let of_permutations =
        |row: &HeuristicRow| ["gaschnig", "inversion-distance"].contains(&row.name);
    check_all(of_permutations, &["2x5"], Metric::SingleTile, 1);
}
