use std::cell::RefCell;
use std::time::Duration;

use loyd_search::Cost;

use super::*;
use crate::algorithms::row::{Checkpointer, Resumed};
use crate::config::Config;
use crate::problem::Problem;
use crate::{plan, solver::Solver};
use Direction::{Backward, Forward};

/// Result of a probe: its iterations (bound, expanded, generated), or what stops it before the first.
type ProbeResult = Result<Vec<(Cost, u64, u64)>, Stop>;

/// One entry per search: its direction, whether its progress was counted already, and its limit on expansions.
type Calls = Vec<(Direction, bool, u64)>;

/// Nodes that a probe counts in these tests.
const COUNTED: u64 = PROBE_LIMIT - 1;

/// Checkpoint in memory that records everything saved.
#[derive(Default)]
struct MemoryCheckpoint {
    resumed: Progress,
    saved: Mutex<Vec<(Option<Direction>, Progress)>>,
}

impl Checkpointer for MemoryCheckpoint {
    fn resume(&self) -> Resumed {
        Resumed { progress: self.resumed.clone(), ..Resumed::default() }
    }

    fn interval(&self) -> Duration {
        Duration::MAX
    }

    fn save(&self, direction: Option<Direction>, progress: &Progress) {
        lock(&self.saved).push((direction, progress.clone()));
    }

    fn save_table_fit(&self, _: TableFit) {
        panic!("tables are not chosen within the probes");
    }

    fn reject(&self) {
        panic!("the checkpoint fits the search");
    }
}

/// Runs a search whose probes end as specified, and that is solved when it resumes from its probe.
fn searches_of(
    forward: &ProbeResult,
    backward: &ProbeResult,
    memory: &MemoryCheckpoint,
) -> (Calls, Result<Outcome<Move>, Stop>) {
    let goal = loyd_tiles::Goal::BlankLast.board("5x5".parse().unwrap()).unwrap();
    let mut board = goal.clone();
    // The blank returns to its cell, so that the same tables serve both directions.
    let walk = [Move::Up, Move::Left, Move::Down, Move::Right];
    walk.into_iter().for_each(|m| board.apply(m).unwrap());
    let problem = Problem::between(board, goal).unwrap();
    let solver = Solver::new(Config::default()).unwrap();
    let plan = solver.plan(&problem).unwrap();
    let reverse = plan::reverse_problem(solver.config(), &problem, &plan, None).unwrap();
    let reverse = reverse.expect("there are tables for both directions");
    let run = Run { checkpointer: Some(memory), ..solver.run(&problem, &plan) };
    let calls = RefCell::new(Vec::new());
    let search = |run: &Run<'_>, _: &Stage, meter: &mut Meter<'_>| {
        let checkpointer = run.checkpointer.expect("the search has a checkpoint");
        let resumed = checkpointer.resume();
        calls.borrow_mut().push((run.direction, resumed.is_counted, meter.remaining_expansions()));
        if resumed.is_counted {
            return Ok(Outcome::Solved { path: walk[..2].to_vec(), cost: 2 });
        }
        let result = if run.direction == Forward { forward } else { backward };
        let iterations = result.clone()?;
        checkpointer.save(Some(run.direction), &Progress { iterations, ..Progress::default() });
        let counted = COUNTED.min(meter.remaining_expansions());
        meter.expand_many(counted);
        meter.generate(counted);
        Ok(Outcome::Stopped(Stop::Expanded))
    };
    let mut meter = Meter::default();
    let stage = plan.stages.last().unwrap();
    let outcome = super::search((&run, &reverse), stage, &search, &mut meter);
    (calls.into_inner(), outcome)
}

#[test]
fn search_uses_direction_with_fewer_expansions() {
    for (forward, backward, better) in [
        (vec![(80, 5, 9), (82, 50, 90)], vec![(80, 6, 9), (82, 40, 90)], Backward),
        (vec![(80, 5, 9), (82, 50, 90)], vec![(80, 4, 9), (82, 60, 90)], Forward),
        (vec![(80, 5, 9), (82, 50, 90)], vec![(82, 40, 9), (84, 600, 90)], Backward),
        (vec![(80, 5, 9), (82, 50, 90)], vec![(82, 60, 9), (84, 600, 90)], Forward),
        // The backward probe reaches its limit before it completes the iteration.
        (vec![(80, 5, 9), (82, 50, 90)], vec![(80, 4, 9)], Forward),
        (vec![(80, 5, 9), (82, 50, 90)], vec![(84, 60, 9)], Backward),
        (vec![(80, 5, 9)], vec![], Forward),
        (vec![], vec![], Forward),
    ] {
        let memory = MemoryCheckpoint::default();
        let iterations: u64 = forward.iter().map(|iteration| iteration.1).sum();
        let backward_limit = if iterations > 0 { iterations + iterations / 4 } else { PROBE_LIMIT };
        let (calls, outcome) = searches_of(&Ok(forward), &Ok(backward), &memory);
        let probes = [(Forward, false, PROBE_LIMIT), (Backward, false, backward_limit)];
        assert_eq!(calls, [probes[0], probes[1], (better, true, u64::MAX)]);
        let path = match better {
            Forward => vec![Move::Up, Move::Left],
            Backward => vec![Move::Right, Move::Down],
        };
        assert_eq!(outcome, Ok(Outcome::Solved { path, cost: 2 }));
        // The choice is saved immediately, with the counts of both probes.
        let saved = memory.saved.into_inner().unwrap();
        let (direction, progress) = saved.last().unwrap();
        assert_eq!(*direction, Some(better));
        let counted = COUNTED + COUNTED.min(backward_limit);
        assert_eq!(choice::total_counts(progress), (counted, counted));
    }
}

#[test]
fn probe_resumes_where_it_was_suspended() {
    let resumed = Progress {
        iterations: vec![(80, 10_000_000, 20_000_000)],
        outside_iterations: (5_000_000, 9_000_000),
        ..Progress::default()
    };
    let memory = MemoryCheckpoint { resumed, ..MemoryCheckpoint::default() };
    let (calls, _) = searches_of(&Ok(vec![(80, 5, 9)]), &Ok(vec![(80, 4, 9)]), &memory);
    assert_eq!(calls[0], (Forward, false, PROBE_LIMIT - 15_000_000));
    assert_eq!(calls[1], (Backward, false, 6));
    // The backward probe never exceeds the limit of the forward one.
    let (calls, _) =
        searches_of(&Ok(vec![(80, PROBE_LIMIT - 1, 9)]), &Ok(vec![]), &MemoryCheckpoint::default());
    assert_eq!(calls[1], (Backward, false, PROBE_LIMIT));
}

#[test]
fn interrupted_backward_probe_saves_a_choice() {
    let some = || Ok(vec![(80, 5, 9)]);
    for stop in [Stop::Time, Stop::Cancelled, Stop::Depth] {
        let memory = MemoryCheckpoint::default();
        let (calls, outcome) = searches_of(&some(), &Err(stop), &memory);
        assert_eq!((calls.len(), outcome), (2, Err(stop)));
        let saved = memory.saved.into_inner().unwrap();
        // Otherwise runs that are too short for both probes would never get past them.
        assert_eq!(saved.iter().map(|saved| saved.0).collect::<Vec<_>>(), [None, Some(Forward)]);
    }
}

#[test]
fn missing_backward_tables_do_not_stop_the_forward_search() {
    let some = || Ok(vec![(80, 5, 9)]);
    for stop in [Stop::Memory, Stop::Tables] {
        let (calls, outcome) = searches_of(&some(), &Err(stop), &MemoryCheckpoint::default());
        assert!(calls.last().is_some_and(|call| (call.0, call.1) == (Forward, true)), "{calls:?}");
        assert!(matches!(outcome, Ok(Outcome::Solved { .. })));
        assert_eq!(searches_of(&Err(stop), &some(), &MemoryCheckpoint::default()).1, Err(stop));
    }
}
