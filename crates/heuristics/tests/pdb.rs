//! Compares pattern databases with their simplest form: a full distance per state, computed by the generic retrograde
//! search.

use std::sync::Arc;

use loyd_heuristics::pdb::{
    Database, Orientation, Partition, PatternSpace, PatternState, PatternSum, Plain,
};
use loyd_heuristics::threads;
use loyd_search::{
    CancelToken, Cost, Heuristic, IncrementalHeuristic, Limits, Meter, Rankable, Reversible,
    StateSpace, Stop, retrograde,
};
use loyd_tiles::{ArraySpace, Board, BoardSpace, Goal, Packed3x3, Size};

fn size(width: u32, height: u32) -> Size {
    Size::new(width, height).unwrap()
}

fn build(partition: &Partition) -> Database {
    Database::build::<Plain>(partition.clone(), &mut Meter::default()).unwrap()
}

/// Entry of the reference table for states from which the goal cannot be reached.
const UNREACHED: Cost = u16::MAX as Cost;

/// Compares every entry of the database of `partition` with the true distance in the abstract space.
fn compare_with_plain(partition: &Partition) {
    let database = build(partition);
    for (index, part) in database.parts().iter().enumerate() {
        let space = PatternSpace::new(partition.size(), part.pattern());
        let plain = retrograde(&space, &mut Meter::default()).unwrap();
        assert_eq!(part.census(), plain.census(), "{partition}");
        let layouts = part.coordinates().layouts();
        for (place, distance) in plain.distances().enumerate() {
            let (rank, q) = (place / layouts.len(), place % layouts.len());
            if distance == UNREACHED {
                continue;
            }
            let bit = database.bit(index, rank as u32, q as u32);
            assert_eq!(bit, distance >> 1 & 1, "{partition}: rank {rank}, q {q}");
            assert_eq!(part.parity(layouts[q].tiles), distance & 1);
        }
    }
}

fn parse(text: &str, size: Size, blank: u8) -> Partition {
    Partition::parse(text, size, blank).unwrap()
}

#[test]
fn every_entry_on_3x3_equals_the_true_distance() {
    for (blank, text) in [
        (0, "default"),
        (0, "1,2,3,4,5,6,7,8"),
        (0, "1,3/2,4,6/5,7,8"),
        (1, "0,3,6,4,7/2,5,8"),
        (4, "0,1,2,3/5,6,7,8"),
    ] {
        compare_with_plain(&parse(text, Size::EIGHT, blank));
    }
}

#[test]
fn every_entry_on_other_boards_equals_the_true_distance() {
    for (width, height, blank, text) in [
        (3, 4, 0, "1,2,3,4,5,6/7,8,9,10,11"),
        (3, 4, 4, "0,1,2,3,5/6,7,8/9,10,11"),
        (2, 6, 0, "1,2,3,4,5/6,7,8/9,10,11"),
        (2, 2, 0, "1,2,3"),
        (2, 2, 0, "1,2/3"),
        (1, 6, 2, "0,1/3,4,5"),
        (4, 4, 5, "0,1,2/3,4/6,7,8,9/10,11,12,13/14,15"),
    ] {
        compare_with_plain(&parse(text, size(width, height), blank));
    }
}

/// Walks from the goal by seeded steps. At each step, the incremental value must equal the one from scratch, change by
/// at most one, and not exceed the number of steps.
fn walk(goal: &Board, text: &str, steps: u32) {
    let space = ArraySpace::<64>::new(goal);
    let orientation = Orientation::new(space.relabelling()).unwrap();
    let partition = parse(text, orientation.size(), orientation.blank());
    let sum = PatternSum::new(Arc::new(build(&partition)), space.relabelling());
    let mut state = space.encode(goal);
    let mut memo = sum.memo(&space, &state);
    assert_eq!(memo.value(), 0);
    let (mut seed, mut last) = (0x9e37_79b9_u32, None);
    for step in 1..=steps {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let moves: Vec<_> =
            space.actions(&state).into_iter().filter(|&m| Some(m) != last).collect();
        let m = moves[(seed >> 16) as usize % moves.len()];
        let child = space.successor(&state, m);
        let before = memo.value();
        memo = sum.update(&space, memo, &state, m, &child);
        (state, last) = (child, Some(space.inverse(m)));
        let value = memo.value();
        assert_eq!(value, sum.h(&space, &state), "{goal}, {text}, step {step}");
        assert!(value.abs_diff(before) <= 1 && value <= step);
    }
}

#[test]
fn incremental_sums_equal_scratch_for_any_goal() {
    let board = |width, height, goal: Goal| goal.board(size(width, height)).unwrap();
    walk(&board(3, 3, Goal::BlankLast), "default", 300);
    walk(&board(4, 4, Goal::BlankLast), "6-6-3", 300);
    walk(&board(4, 4, Goal::BlankFirst), "5-5-5", 300);
    walk(&board(5, 3, Goal::BlankLast), "1,2,3,4,5/6,7,8,9,10/11,12,13,14", 300);
    walk(&board(2, 8, Goal::BlankFirst), "1,2,3,4,5/6,7,8,9,10/11,12,13,14,15", 300);
    let numbers = [7, 1, 2, 3, 4, 5, 0, 6, 8, 15, 10, 11, 14, 13, 12, 9];
    walk(&Board::new(size(4, 4), &numbers).unwrap(), "5-5-5", 300);
    let numbers = [7, 1, 0, 3, 4, 5, 2, 6, 8, 15, 10, 11, 14, 13, 12, 9];
    walk(&Board::new(size(4, 4), &numbers).unwrap(), "5-5-5", 300);
}

#[test]
fn sums_are_admissible_on_all_3x3_boards() {
    for (goal, text) in [
        (Goal::BlankLast, "default"),
        (Goal::BlankLast, "1,2,3,4,5,6,7,8"),
        (Goal::BlankFirst, "1,2,4/3,5,6,7,8"),
    ] {
        let space = Packed3x3::new(&goal.board(Size::EIGHT).unwrap());
        let exact = retrograde(&space, &mut Meter::default()).unwrap();
        let orientation = Orientation::new(space.relabelling()).unwrap();
        let partition = parse(text, orientation.size(), orientation.blank());
        let sum = PatternSum::new(Arc::new(build(&partition)), space.relabelling());
        let all = partition.patterns().len() == 1;
        for rank in (0..space.state_count().unwrap()).step_by(if all { 1 } else { 7 }) {
            let state = space.unrank(rank);
            let (h, distance) = (sum.h(&space, &state), exact.distance(&space, &state));
            assert!(if all { h == distance } else { h <= distance }, "{h} for {distance}");
        }
    }
}

#[test]
fn the_pattern_space_is_reversible_and_ranked() {
    let partition = parse("1,2,3,4/5,6,7,8,9,10,11", size(3, 4), 0);
    let space = PatternSpace::new(partition.size(), &partition.patterns()[0]);
    for rank in (0..space.state_count().unwrap()).step_by(97) {
        let state: PatternState = space.unrank(rank);
        assert_eq!(space.rank(&state), rank);
        for action in space.actions(&state) {
            let child = space.successor(&state, action);
            assert_eq!(space.successor(&child, space.inverse(action)), state);
        }
    }
}

#[test]
fn builds_stop_at_their_limits() {
    let partition = parse("6-6-3", size(4, 4), 0);
    let build = |limits, cancel| {
        let mut meter = Meter::new(limits, cancel);
        Database::build::<Plain>(partition.clone(), &mut meter).map(|_| ()).unwrap_err()
    };
    let little = Limits { max_bytes: Some(1 << 20), ..Limits::default() };
    assert_eq!(build(little, CancelToken::new()), Stop::Memory);
    let cancel = CancelToken::new();
    cancel.cancel();
    assert_eq!(build(Limits::default(), cancel), Stop::Cancelled);
}

#[test]
fn tables_do_not_depend_on_the_number_of_threads() {
    let partition = parse("5-5-5", size(4, 4), 1);
    let on = |count| threads::run_in_pool(count, || build(&partition).words().to_vec());
    assert_eq!(on(1).unwrap(), on(4).unwrap());
}
