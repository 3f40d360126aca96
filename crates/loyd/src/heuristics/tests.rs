//! Every row of the registry against true distances, wherever it is offered.

use loyd_search::{Cost, DistanceTable, Heuristic, IncrementalHeuristic, Meter, retrograde};
use loyd_tiles::{Board, BoardSpace, Cell, Metric, Size};
use rayon::prelude::*;

use super::*;
use crate::config::Config;
use crate::heuristics::exact::exact;
use crate::problem::Problem;
use crate::space::AnySpace;
use crate::tables::Tables;

/// The first `count` of the goals with the blank as near the middle as it can be, in either corner, and beside
/// one.
fn goals(size: Size, count: usize) -> Vec<Board> {
    let middle = size.height() / 2 * size.width() + size.width() / 2;
    let cells = [middle, size.cells() - 1, 0, 1].into_iter().take(count);
    cells.map(|cell| Board::in_order(size, Cell::new(cell))).collect()
}

/// So many states have a plain table of distances; for more there is a kernel.
const MOST_STATES: u64 = 2_000_000;

/// The distance of every state from a goal.
enum Truth {
    Plain(DistanceTable),
    Kernel(AnyHeuristic),
}

impl Truth {
    fn new<S: BoardSpace>(space: &S, any: &AnySpace, tables: &Tables) -> Self {
        let mut meter = Meter::default();
        match space.state_count().unwrap() {
            ..=MOST_STATES => Self::Plain(retrograde(space, &mut meter).unwrap()),
            _ => Self::Kernel(exact(any, tables, &mut meter).unwrap()),
        }
    }

    fn distance<S: BoardSpace>(&self, space: &S, state: &S::State) -> Cost {
        match self {
            Self::Plain(table) => table.distance(space, state),
            Self::Kernel(kernel) => kernel.h(space, state),
        }
    }
}

/// What a row has to keep: h ≤ distance, |h(s) − h(t)| ≤ 1 for neighbours if it is consistent, the
/// carried value is that from scratch, and h of the goal is 0.
struct Law<'a> {
    row: &'static HeuristicRow,
    truth: &'a Truth,
    /// One in so many states is looked at.
    step: usize,
}

impl Law<'_> {
    fn check<S: BoardSpace, H: IncrementalHeuristic<S>>(&self, space: &S, h: &H) {
        let Self { row, truth, step } = self;
        let place = format!("{} to {}", row.name, space.relabelling().goal());
        let ranks = || (0..space.state_count().unwrap()).step_by(*step);
        // Where all states are looked at, each is a child too.
        let whole = *step == 1;
        let all: Vec<Cost> = match whole {
            true => ranks().map(|rank| h.h(space, &space.unrank(rank))).collect(),
            false => Vec::new(),
        };
        for rank in ranks() {
            let state = space.unrank(rank);
            let memo = h.memo(space, &state);
            let value = h.value(&memo);
            let distance = truth.distance(space, &state);
            assert!(value <= distance, "{place}: not admissible at {rank}");
            for action in space.actions(&state) {
                let child = space.successor(&state, action);
                let carried = h.value(&h.update(space, memo, &state, action, &child));
                let scratch = match whole {
                    true => all[space.rank(&child) as usize],
                    false => h.h(space, &child),
                };
                assert_eq!(carried, scratch, "{place}: carried from {rank}");
                let consistent = !row.consistent || value.abs_diff(carried) <= 1;
                assert!(consistent, "{place}: not consistent at {rank}");
            }
        }
        let goal = space.encode(space.relabelling().goal());
        assert_eq!(h.h(space, &goal), 0, "{place}");
    }
}

/// Checks `rows` wherever they are offered for the goal of `space`, which is `any`, too.
fn check_goal<S: BoardSpace + Sync>(
    space: &S,
    any: &AnySpace,
    rows: &[&'static HeuristicRow],
    step: usize,
) {
    let metric = any.metric();
    let tables = Tables::new(&Config { metric, ..Config::default() });
    let truth = Truth::new(space, any, &tables);
    rows.par_iter().for_each(|row| {
        let config = Config { heuristic: Some(row.name.into()), metric, ..Config::default() };
        let setting = Setting { space: any, config: &config };
        if !row.is_for(&setting) {
            return;
        }
        let stages = (row.stages)(row, &setting).unwrap();
        let last = stages.last().expect("a search has a stage");
        let only = (last.heuristic.name, stages.len());
        assert_eq!(only, (row.name, 1), "nothing but what was named");
        let law = Law { row, truth: &truth, step };
        // With the type of heuristic that searches would use.
        match last.heuristic(&setting, &tables, &mut Meter::default()).unwrap() {
            AnyHeuristic::Small(small) => law.check(space, small),
            other => law.check(space, other),
        }
    });
}

/// Checks the rows that `wanted` selects on boards of these sizes, each with so many goals.
fn check_all(
    wanted: fn(&HeuristicRow) -> bool,
    sizes: &[(&str, usize)],
    metric: Metric,
    step: usize,
) {
    let rows: Vec<_> = HEURISTICS.iter().copied().filter(|row| wanted(row)).collect();
    let goals: Vec<_> =
        sizes.iter().flat_map(|(size, count)| goals(size.parse().unwrap(), *count)).collect();
    assert!(!rows.is_empty() && !goals.is_empty());
    goals.par_iter().for_each(|goal| {
        let any = AnySpace::new(&Problem::to_itself(goal), metric);
        // Not by `AnySpace::visit`: that would compile the law for all spaces, most of them too large for it.
        match &any {
            AnySpace::Eight(space) => check_goal(space, &any, &rows, step),
            AnySpace::Small(space) => check_goal(space, &any, &rows, step),
            AnySpace::EightSlides(space) => check_goal(space, &any, &rows, step),
            AnySpace::SmallSlides(space) => check_goal(space, &any, &rows, step),
            _ => panic!("{}: too many boards", goal.size()),
        }
    });
}

#[test]
fn every_heuristic_is_admissible_consistent_and_carried_right_on_all_boards() {
    check_all(
        |_| true,
        &["3x3", "2x4", "4x2", "1x6", "5x1"].map(|size| (size, 4)),
        Metric::SingleTile,
        1,
    );
    check_all(|_| true, &[("3x3", 2), ("2x4", 4), ("1x6", 4)], Metric::MultiTile, 1);
}

#[test]
fn every_heuristic_holds_on_larger_boards() {
    check_all(|_| true, &[("5x2", 2)], Metric::SingleTile, 1009);
    check_all(|_| true, &[("3x4", 1)], Metric::SingleTile, 1_000_003);
}

#[test]
fn line_crossings_hold_in_slides_on_all_boards_of_two_by_five() {
    check_all(|row| row.name == "line-crossings", &[("2x5", 4)], Metric::MultiTile, 1);
}

#[test]
fn permutations_are_bounded_right_on_all_boards_of_two_by_five() {
    let of_permutations =
        |row: &HeuristicRow| ["gaschnig", "inversion-distance"].contains(&row.name);
    check_all(of_permutations, &[("2x5", 2)], Metric::SingleTile, 1);
}
