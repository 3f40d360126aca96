use std::sync::Arc;

use super::*;
use crate::closed::{HashedClosedList, RankedClosedList};
use crate::frontier::Heap;
use crate::heuristic::{Heuristic, Recompute, Zero};
use crate::outcome::replay;
use crate::retrograde::{DistanceTable, retrograde};
use crate::space::{Packable, Rankable, StateSpace};
use crate::testkit::{Flips, Gap, Pancakes, Stack};

/// Turns a heuristic for the sorted stack into one for another target stack, by renaming the pancakes.
struct Renamed<H>(Stack, H);

impl<H: Heuristic<Pancakes>> Heuristic<Pancakes> for Renamed<H> {
    fn h(&self, space: &Pancakes, state: &Stack) -> Cost {
        self.1.h(space, &state.renamed_by(&self.0))
    }
}

/// The estimates of another heuristic for two thirds of the stacks, and 0 for the others: admissible but inconsistent.
struct Patchy<H>(H);

impl<H: Heuristic<Pancakes>> Heuristic<Pancakes> for Patchy<H> {
    fn h(&self, space: &Pancakes, state: &Stack) -> Cost {
        if space.rank(state).is_multiple_of(3) { 0 } else { self.0.h(space, state) }
    }
}

/// Returns the outcome, and the numbers of nodes expanded and opened again.
fn run<HF: Heuristic<Pancakes>, HB: Heuristic<Pancakes>>(
    space: &Pancakes,
    start: &Stack,
    to_goal: HF,
    to_start: HB,
) -> (Outcome<u8>, u64, u64) {
    let mut meter = Meter::default();
    let [mut ahead, mut behind] =
        [(); 2].map(|()| RankedClosedList::new(space, &mut meter).unwrap());
    let (to_goal, to_start) = (Recompute(to_goal), Recompute(Renamed(*start, to_start)));
    let frontier = Heap::default;
    let forward = SideLists { closed: &mut ahead, frontier: frontier() };
    let backward = SideLists { closed: &mut behind, frontier: frontier() };
    let outcome = mm(space, start, (&to_goal, forward), (&to_start, backward), &mut meter);
    let stats = meter.finish();
    (outcome, stats.expanded, stats.reopened)
}

/// Checks the solutions from all `starts`; returns the total numbers of nodes expanded and opened again.
fn assert_optimal<HF: Heuristic<Pancakes>, HB: Heuristic<Pancakes>>(
    (space, table): (&Pancakes, &DistanceTable),
    starts: impl IntoIterator<Item = u64>,
    to_goal: impl Fn() -> HF,
    to_start: impl Fn() -> HB,
) -> (u64, u64) {
    let (mut expanded, mut reopened) = (0, 0);
    for start in starts.into_iter().map(|rank| space.unrank(rank)) {
        let (outcome, nodes, again) = run(space, &start, to_goal(), to_start());
        let Outcome::Solved { path, cost } = outcome else { panic!("{outcome:?}") };
        assert_eq!(cost, table.distance(space, &start), "{start:?}");
        assert_eq!(replay(space, &start, &path), Ok(cost), "{start:?}: {path:?}");
        (expanded, reopened) = (expanded + nodes, reopened + again);
    }
    (expanded, reopened)
}

#[test]
fn optimal_from_all_stacks_with_any_admissible_heuristics() {
    let space = Pancakes::new(6);
    let table = Arc::new(retrograde(&space, &mut Meter::default()).unwrap());
    let (exact, on) = (|| table.clone(), (&space, &*table));
    let (blind, _) = assert_optimal(on, 0..720, || Zero, || Zero);
    let (ahead, _) = assert_optimal(on, 0..720, || Gap, || Zero);
    let (behind, _) = assert_optimal(on, 0..720, || Zero, || Gap);
    let (gap, _) = assert_optimal(on, 0..720, || Gap, || Gap);
    let (perfect, _) = assert_optimal(on, 0..720, exact, exact);
    assert!(perfect < gap && gap < ahead.min(behind) && ahead.max(behind) < blind);
    assert_optimal(on, 0..720, exact, || Zero);
    assert_optimal(on, 0..720, || Zero, exact);
    assert_optimal(on, 0..720, || Patchy(Gap), || Patchy(exact()));
    assert_optimal(on, 0..720, || Patchy(exact()), || Patchy(Gap));
}

/// Only deep searches find the longer of two paths to a stack first.
#[test]
fn closed_nodes_are_reopened_for_a_cheaper_path() {
    let space = Pancakes::new(8);
    let table = Arc::new(retrograde(&space, &mut Meter::default()).unwrap());
    let far = (0..40_320).filter(|&rank| table.distance(&space, &space.unrank(rank)) == 9);
    let patchy = || Patchy(table.clone());
    let (_, reopened) = assert_optimal((&space, &table), far.take(40), patchy, patchy);
    assert!(reopened > 0, "the case that reopening is for did not occur");
}

/// The property that gives the algorithm its name.
#[test]
fn expands_no_node_beyond_the_middle() {
    let space = Pancakes::new(6);
    for start in (0..720).map(|rank| space.unrank(rank)) {
        let mut meter = Meter::default();
        let [mut ahead, mut behind] =
            [(); 2].map(|()| RankedClosedList::new(&space, &mut meter).unwrap());
        let (mut to_goal, mut to_start) = (Memos::of(&Zero), Memos::of(&Zero));
        let [ahead, behind] =
            [&mut ahead, &mut behind].map(|closed| SideLists { closed, frontier: Heap::default() });
        let mut from_start = Side::new(&mut to_goal, ahead, Direction::Forward);
        let mut from_goal = Side::new(&mut to_start, behind, Direction::Backward);
        let meter_and_tracer = (&mut meter, &mut NoTracer);
        let outcome = search(&space, &start, &mut from_start, &mut from_goal, meter_and_tracer);
        let Ok(Outcome::Solved { cost, .. }) = outcome else { panic!("{outcome:?}") };
        for side in [&from_start, &from_goal] {
            let nodes = (0..side.nodes.len()).map(|id| side.nodes.get(id));
            let expanded = nodes.filter(|node| node.extra.closed);
            assert!(expanded.map(|node| 2 * node.g).max().unwrap_or(0) <= cost);
        }
    }
}

/// Pancakes that may also end in reverse order.
struct TwoGoals(Pancakes);

impl StateSpace for TwoGoals {
    type State = Stack;
    type Action = u8;
    type Actions = Flips;

    fn actions(&self, stack: &Stack) -> Flips {
        self.0.actions(stack)
    }
    fn apply(&self, stack: &mut Stack, flip: u8) {
        self.0.apply(stack, flip);
    }
    fn is_goal(&self, stack: &Stack) -> bool {
        self.goals().contains(stack)
    }
}

impl Reversible for TwoGoals {
    fn inverse(&self, flip: u8) -> u8 {
        flip
    }
}

impl Goals for TwoGoals {
    fn goals(&self) -> Vec<Stack> {
        let sorted = self.0.goals()[0];
        // The first goal twice: `goals` may contain duplicates.
        vec![sorted, sorted, self.0.successor(&sorted, 6)]
    }
}

impl Packable for TwoGoals {
    type Key = [u8; 8];
    fn pack(&self, stack: &Stack) -> [u8; 8] {
        self.0.pack(stack)
    }
    fn unpack(&self, key: [u8; 8]) -> Stack {
        self.0.unpack(key)
    }
}

#[test]
fn finds_the_nearest_of_several_goals() {
    let space = TwoGoals(Pancakes::new(6));
    for rank in 0..720 {
        let start = space.0.unrank(rank);
        let mut meter = Meter::default();
        let mut lists = || HashedClosedList::new(&mut meter).unwrap();
        let (mut ahead, mut behind, mut met) = (lists(), lists(), lists());
        let half = |closed| (&Zero, SideLists { closed, frontier: Heap::default() });
        let outcome =
            mm(&space, &start, half(&mut ahead), half(&mut behind), &mut Meter::default());
        let known = crate::breadth_first(&space, &start, &mut met, &mut Meter::default());
        let cost = |outcome: &Outcome<u8>| match outcome {
            Outcome::Solved { path, cost } => {
                assert_eq!(replay(&space, &start, path), Ok(*cost));
                *cost
            }
            other => panic!("{other:?}"),
        };
        assert_eq!(cost(&outcome), cost(&known), "{start:?}");
    }
}
