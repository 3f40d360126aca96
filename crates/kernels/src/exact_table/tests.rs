use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use loyd_heuristics::pdb::{Database, Partition, PatternSum, Plain};
use loyd_search::{
    CancelToken, Event, Goals, Heuristic, IncrementalHeuristic, Limits, NoUndo, Outcome, Packable,
    Rankable, StateSpace, idastar, replay, retrograde,
};
use loyd_tiles::{ArraySpace, ArrayState, BoardSpace, Goal, Move};
use proptest::prelude::*;

use super::*;

type Space = ArraySpace<16>;
type State = ArrayState<16>;

/// Returns a space whose goal has its tiles in descending order and the blank on `blank`.
fn space((width, height): (u32, u32), blank: usize) -> Space {
    let size = Size::new(width, height).unwrap();
    let mut numbers: Vec<u32> = (1..size.cells() as u32).rev().collect();
    numbers.insert(blank, 0);
    Space::new(&loyd_tiles::Board::new(size, &numbers).unwrap())
}

fn table(space: &Space, cpu: Cpu) -> ExactTable {
    let orientation = Orientation::new(space.relabelling()).unwrap();
    ExactTable::build(&orientation, cpu, &mut Meter::default()).unwrap()
}

fn exact(space: &Space) -> ExactDistance {
    ExactDistance::new(Arc::new(table(space, Cpu::detect())), space.relabelling())
}

fn blank_last(size: &str) -> Space {
    Space::new(&Goal::BlankLast.board(size.parse().unwrap()).unwrap())
}

/// The smallest boards, lines, and all larger boards that the plain search handles quickly.
const SIZES: [(u32, u32); 15] = [
    (1, 2),
    (2, 1),
    (1, 3),
    (5, 1),
    (1, 5),
    (1, 10),
    (12, 1),
    (2, 2),
    (2, 3),
    (3, 2),
    (2, 4),
    (4, 2),
    (3, 3),
    (2, 5),
    (1, 12),
];

#[test]
fn distances_equal_the_plain_search_and_paths_replay() {
    for size in SIZES {
        let cells = (size.0 * size.1) as usize;
        // On the largest boards one goal, in the middle, is enough.
        let goals = if cells == 10 && size.0 > 1 { vec![4] } else { vec![0, cells / 2, cells - 1] };
        for space in goals.into_iter().map(|blank| space(size, blank)) {
            let plain = retrograde(&space, &mut Meter::default()).unwrap();
            let exact = exact(&space);
            // With millions of states, the census covers all of them, but only some are walked.
            let step = if cells == 10 && size.0 > 1 { 7 } else { 1 };
            let ranks = (0..space.state_count().unwrap()).step_by(step);
            let states: Vec<State> = ranks.map(|rank| space.unrank(rank)).collect();
            assert_eq!(exact.table().census(), plain.census(), "{size:?}");
            let mut visited = vec![false; states.len()];
            exact.paths(&space, &states, |number, path| {
                let (state, cost) = (&states[number], path.len() as Cost);
                assert_eq!(cost, plain.distance(&space, state), "{size:?}");
                assert_eq!(replay(&space, state, path), Ok(cost), "{size:?}");
                assert!(!std::mem::replace(&mut visited[number], true));
            });
            assert!(visited.into_iter().all(|visited| visited));
        }
    }
}

#[test]
fn the_path_takes_the_first_move_that_leads_nearer() {
    for goal in 0..8 {
        let space = space((4, 2), goal);
        let (exact, plain) = (exact(&space), retrograde(&space, &mut Meter::default()).unwrap());
        for rank in (0..20_160).step_by(7) {
            let state = space.unrank(rank);
            let down = loyd_search::descend(&space, &plain, &state, &mut Meter::default());
            let path = exact.path(&space, &state);
            assert_eq!(down, Outcome::Solved { cost: path.len() as Cost, path });
            assert_eq!(exact.h(&space, &state), plain.distance(&space, &state));
        }
    }
}

#[test]
fn large_tables_have_the_known_depths_on_every_level() {
    for (size, depth, farthest, sum) in [("3x4", 53, 18, 35.1), ("6x2", 80, 2, 49.0)] {
        for cpu in Cpu::available() {
            let table = table(&blank_last(size), cpu);
            assert_eq!((table.depth(), table.census()[depth as usize]), (depth, farthest), "{cpu}");
            assert_eq!(table.census().iter().sum::<u64>(), 239_500_800, "{size}, {cpu}");
            assert!((table.mean() - sum).abs() < 0.01, "{size}, {cpu}: {}", table.mean());
            assert!(table.bytes() < 33 << 20);
        }
    }
}

/// Counts the states of the first `count` levels by a plain breadth-first search.
fn levels(space: &Space, count: usize) -> Vec<u64> {
    let (mut known, mut layer) = (HashSet::new(), space.goals());
    known.extend(layer.iter().map(|state| space.pack(state)));
    let next = |_| {
        let size = layer.len() as u64;
        let parents = std::mem::take(&mut layer);
        for (parent, m) in
            parents.iter().flat_map(|p| space.actions(p).into_iter().map(move |m| (p, m)))
        {
            let child = space.successor(parent, m);
            if known.insert(space.pack(&child)) {
                layer.push(child);
            }
        }
        size
    };
    (0..count).map(next).collect()
}

#[test]
fn large_tables_agree_with_searches() {
    for (goal, size) in [(0, (3, 4)), (5, (4, 3)), (4, (2, 6)), (11, (6, 2))] {
        let space = space(size, goal);
        let exact = exact(&space);
        assert_eq!(exact.table().census()[..16], levels(&space, 16), "{size:?}");
        let orientation = Orientation::new(space.relabelling()).unwrap();
        let patterns = Partition::default_for(orientation.size(), orientation.blank());
        let database = Database::build::<Plain>(patterns, &mut Meter::default()).unwrap();
        let sum = PatternSum::new(Arc::new(database), space.relabelling());
        let boards: Vec<State> = (0..10).map(|i| space.unrank(i * 23_456_789 + 1234)).collect();
        exact.paths(&space, &boards, |number, path| {
            let outcome = idastar(&space, &sum, &NoUndo, &boards[number], &mut Meter::default());
            let Outcome::Solved { cost, .. } = outcome else { panic!("{outcome:?}") };
            assert_eq!(replay(&space, &boards[number], path), Ok(cost), "{size:?}");
        });
    }
}

#[test]
fn levels_and_threads_build_the_same_table() {
    for (size, blank) in
        [((2, 5), 3), ((3, 3), 4), ((2, 2), 0), ((2, 3), 2), ((2, 4), 6), ((3, 4), 1)]
    {
        let space = space(size, blank);
        let plain = table(&space, Cpu::Scalar);
        for cpu in Cpu::available() {
            let other = loyd_heuristics::threads::run_in_pool(3, || table(&space, cpu)).unwrap();
            assert!(plain.bits[..] == other.bits[..], "{size:?} on {cpu}");
            assert_eq!(plain.census(), other.census(), "{size:?} on {cpu}");
        }
    }
}

fn far() -> Orientation {
    Orientation::new(blank_last("3x4").relabelling()).unwrap()
}

#[test]
fn limits_stop_a_build() {
    let stop = |limits| {
        let mut meter = Meter::new(limits, CancelToken::new());
        let stop = ExactTable::build(&far(), Cpu::detect(), &mut meter).unwrap_err();
        (stop, meter.finish().peak_bytes)
    };
    let memory = ExactTable::build_bytes(far().size());
    let bytes = |bytes| stop(Limits { max_bytes: Some(bytes), ..Limits::default() });
    assert_eq!(bytes(63 << 20 >> 1), (Stop::Memory, 0));
    assert_eq!(stop(Limits { max_time: Some(Duration::ZERO), ..Limits::default() }).0, Stop::Time);
    let limits = Limits { max_bytes: Some(memory), ..Limits::default() };
    let mut meter = Meter::new(limits, CancelToken::new());
    assert!(ExactTable::build(&far(), Cpu::detect(), &mut meter).is_ok());
    let held = meter.finish().peak_bytes;
    assert!((memory - (1 << 20)..=memory).contains(&held), "{held} of {memory}");
}

#[test]
fn cancellation_and_observer_stop_a_build() {
    for by_token in [true, false] {
        let cancel = CancelToken::new();
        let mut last = 0;
        let mut observer = |event: Event<'_>| match event {
            Event::Table { done, total } => {
                assert!((last..=total).contains(&done) && total == 239_500_800);
                last = done;
                match done > total / 4 {
                    true if by_token => cancel.cancel(),
                    true => return ControlFlow::Break(()),
                    false => {}
                }
                ControlFlow::Continue(())
            }
            _ => ControlFlow::Continue(()),
        };
        let mut meter = Meter::new(Limits::default(), cancel.clone()).with_observer(&mut observer);
        let stop = ExactTable::build(&far(), Cpu::detect(), &mut meter).unwrap_err();
        drop(meter);
        assert_eq!(stop, Stop::Cancelled);
        assert!((239_500_800 / 4..239_500_800 / 3).contains(&last), "stopped only at {last}");
    }
}

#[test]
#[should_panic(expected = "the goal cannot be reached")]
fn an_unsolvable_board_panics() {
    let space = blank_last("2x3");
    let numbers = [2, 1, 3, 4, 5, 0];
    let twin = loyd_tiles::Board::new(Size::new(2, 3).unwrap(), &numbers).unwrap();
    exact(&space).path(&space, &space.encode(&twin));
}

proptest! {
    /// Incrementally updated ranks and distances equal those computed from scratch.
    #[test]
    fn incremental_update_equals_evaluation_from_scratch(
        (size, blank) in (0..SIZES.len(), 0..12_usize),
        steps in prop::collection::vec(any::<u8>(), 0..80),
    ) {
        let size = SIZES[size];
        prop_assume!(blank < (size.0 * size.1) as usize);
        let space = space(size, blank);
        let exact = exact(&space);
        let mut state = space.goals().remove(0);
        let mut memo = exact.memo(&space, &state);
        for step in steps {
            let moves: Vec<Move> = space.actions(&state).into_iter().collect();
            let m = moves[usize::from(step) % moves.len()];
            let child = space.successor(&state, m);
            memo = exact.update(&space, memo, &state, m, &child);
            state = child;
            prop_assert_eq!(memo.distance(), exact.h(&space, &state));
            let scratch = exact.memo(&space, &state);
            prop_assert_eq!(format!("{memo:?}"), format!("{scratch:?}"));
        }
    }
}
