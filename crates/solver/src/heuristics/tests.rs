//! Checks every row of the registry against true distances, on all boards that it supports.

use loyd_search::{Cost, DistanceTable, Heuristic, IncrementalHeuristic, Meter, retrograde};
use loyd_tiles::{Board, BoardSpace, Cell, Metric, Size};
use rayon::prelude::*;

use super::*;
use crate::config::Config;
use crate::heuristics::exact::exact;
use crate::problem::Problem;
use crate::space::AnySpace;
use crate::tables::Tables;

/// Returns the first `count` of four goals: the blank as near the middle as possible, in the last and first cell, and
/// next to the first cell.
fn goals(size: Size, count: usize) -> Vec<Board> {
    let middle = size.height() / 2 * size.width() + size.width() / 2;
    let cells = [middle, size.cells() - 1, 0, 1].into_iter().take(count);
    cells.map(|cell| Board::in_order(size, Cell::new(cell))).collect()
}

/// Up to this number of states, a plain table of distances serves; for more there is a kernel.
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

/// Properties that each row must have: h ≤ distance, |h(s) − h(t)| ≤ 1 for neighbours if it is consistent, the
/// incremental value equals the one from scratch, and h of the goal is 0.
struct Contract<'a> {
    row: &'static HeuristicRow,
    truth: &'a Truth,
    /// One in `step` states is checked.
    step: usize,
}

impl Contract<'_> {
    fn check<S: BoardSpace, H: IncrementalHeuristic<S>>(&self, space: &S, h: &H) {
        let Self { row, truth, step } = self;
        let place = format!("{} to {}", row.name, space.relabelling().goal());
        let ranks = || (0..space.state_count().unwrap()).step_by(*step);
        // If all states are checked, the value of each child is already known.
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
                let incremental = h.value(&h.update(space, memo, &state, action, &child));
                let scratch = match whole {
                    true => all[space.rank(&child) as usize],
                    false => h.h(space, &child),
                };
                assert_eq!(incremental, scratch, "{place}: wrong incremental value from {rank}");
                let consistent = !row.consistent || value.abs_diff(incremental) <= 1;
                assert!(consistent, "{place}: not consistent at {rank}");
            }
        }
        let goal = space.encode(space.relabelling().goal());
        assert_eq!(h.h(space, &goal), 0, "{place}");
    }
}

/// Checks each row that supports the goal of `space`; `any` is the same space.
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
        if !row.supports(&setting) {
            return;
        }
        let stages = (row.stages)(row, &setting).unwrap();
        let last = stages.last().expect("a search has a stage");
        let only = (last.heuristic.name, stages.len());
        assert_eq!(only, (row.name, 1), "a named heuristic is the only stage");
        let contract = Contract { row, truth: &truth, step };
        // Instantiated for the same type of heuristic as in searches.
        match last.heuristic(&setting, &tables, &mut Meter::default()).unwrap() {
            AnyHeuristic::Small(small) => contract.check(space, small),
            other => contract.check(space, other),
        }
    });
}

/// Checks the rows that `wanted` selects on boards of these sizes, with the given number of goals for each.
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
        // `AnySpace::visit` would instantiate the check for all spaces, most of which have too many states for it.
        match &any {
            AnySpace::Eight(space) => check_goal(space, &any, &rows, step),
            AnySpace::Small(space) => check_goal(space, &any, &rows, step),
            AnySpace::EightSlides(space) => check_goal(space, &any, &rows, step),
            AnySpace::SmallSlides(space) => check_goal(space, &any, &rows, step),
            _ => panic!("{}: too many states", goal.size()),
        }
    });
}

#[test]
fn every_heuristic_is_admissible_and_consistent_on_all_small_boards() {
    check_all(
        |_| true,
        &["3x3", "2x4", "4x2", "1x6", "5x1"].map(|size| (size, 4)),
        Metric::SingleTile,
        1,
    );
    check_all(|_| true, &[("3x3", 2), ("2x4", 4), ("1x6", 4)], Metric::MultiTile, 1);
}

#[test]
fn every_heuristic_is_admissible_and_consistent_on_sampled_larger_boards() {
    check_all(|_| true, &[("5x2", 2)], Metric::SingleTile, 1009);
    check_all(|_| true, &[("3x4", 1)], Metric::SingleTile, 1_000_003);
}

#[test]
fn line_crossings_are_admissible_for_slides_on_all_2x5_boards() {
    check_all(|row| row.name == "line-crossings", &[("2x5", 4)], Metric::MultiTile, 1);
}

#[test]
fn permutation_heuristics_are_admissible_on_all_2x5_boards() {
    let of_permutations =
        |row: &HeuristicRow| ["gaschnig", "inversion-distance"].contains(&row.name);
    check_all(of_permutations, &[("2x5", 2)], Metric::SingleTile, 1);
}
