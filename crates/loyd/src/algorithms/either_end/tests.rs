use std::cell::RefCell;
use std::time::Duration;

use loyd_search::Cost;

use super::*;
use crate::algorithms::row::{Begun, Keeper};
use crate::config::Config;
use crate::problem::Problem;
use crate::{plan, solver::Solver};
use Direction::{Backward, Forward};

/// How a search goes from one end: its rounds, or what stops it before the first.
type Course = Result<Vec<(Cost, u64, u64)>, Stop>;

/// Each search: its direction, whether it goes on, and what it may expand.
type Calls = Vec<(Direction, bool, u64)>;

/// What a trial counts here.
const COUNTED: u64 = TRIAL - 1;

/// Remembers what it is to keep.
#[derive(Default)]
struct Memory {
    begun: Progress,
    kept: Mutex<Vec<(Option<Direction>, Progress)>>,
}

impl Keeper for Memory {
    fn begin(&self) -> Begun {
        Begun { progress: self.begun.clone(), ..Begun::default() }
    }

    fn interval(&self) -> Duration {
        Duration::MAX
    }

    fn keep(&self, direction: Option<Direction>, progress: &Progress) {
        lock(&self.kept).push((direction, progress.clone()));
    }

    fn fit(&self, _: Fit) {
        panic!("tables are not chosen so soon");
    }

    fn refuse(&self) {
        panic!("nothing is wrong with it");
    }
}

/// What comes of a search that takes these courses when it is tried, and is solved when it goes on.
fn course(
    forward: &Course,
    backward: &Course,
    memory: &Memory,
) -> (Calls, Result<Outcome<Move>, Stop>) {
    let goal = loyd_tiles::Goal::BlankLast.board("5x5".parse().unwrap()).unwrap();
    let mut board = goal.clone();
    // The blank is back where it was, so that the tables of one end serve both.
    let walk = [Move::Up, Move::Left, Move::Down, Move::Right];
    walk.into_iter().for_each(|m| board.apply(m).unwrap());
    let problem = Problem::between(board, goal).unwrap();
    let solver = Solver::new(Config::default()).unwrap();
    let plan = solver.plan(&problem).unwrap();
    let back = plan::back(solver.config(), &problem, &plan, None).unwrap();
    let back = back.expect("there are tables for both ends");
    let run = Run { keeper: Some(memory), ..solver.run(&problem, &plan) };
    let calls = RefCell::new(Vec::new());
    let search = |run: &Run<'_>, _: &Stage, meter: &mut Meter<'_>| {
        let keeper = run.keeper.expect("someone keeps it");
        let begun = keeper.begin();
        calls.borrow_mut().push((run.direction, begun.is_counted, meter.left_to_expand()));
        if begun.is_counted {
            return Ok(Outcome::Solved { path: walk[..2].to_vec(), cost: 2 });
        }
        let course = if run.direction == Forward { forward } else { backward };
        let rounds = course.clone()?;
        keeper.keep(Some(run.direction), &Progress { rounds, ..Progress::default() });
        let counted = COUNTED.min(meter.left_to_expand());
        meter.expand_many(counted);
        meter.generate(counted);
        Ok(Outcome::Stopped(Stop::Expanded))
    };
    let mut meter = Meter::default();
    let stage = plan.stages.last().unwrap();
    let outcome = super::search((&run, &back), stage, &search, &mut meter);
    (calls.into_inner(), outcome)
}

#[test]
fn the_search_goes_on_at_the_end_with_fewer_nodes() {
    for (forward, backward, better) in [
        (vec![(80, 5, 9), (82, 50, 90)], vec![(80, 6, 9), (82, 40, 90)], Backward),
        (vec![(80, 5, 9), (82, 50, 90)], vec![(80, 4, 9), (82, 60, 90)], Forward),
        (vec![(80, 5, 9), (82, 50, 90)], vec![(82, 40, 9), (84, 600, 90)], Backward),
        (vec![(80, 5, 9), (82, 50, 90)], vec![(82, 60, 9), (84, 600, 90)], Forward),
        // It has used up what the other one needed.
        (vec![(80, 5, 9), (82, 50, 90)], vec![(80, 4, 9)], Forward),
        (vec![(80, 5, 9), (82, 50, 90)], vec![(84, 60, 9)], Backward),
        (vec![(80, 5, 9)], vec![], Forward),
        (vec![], vec![], Forward),
    ] {
        let memory = Memory::default();
        let rounds: u64 = forward.iter().map(|round| round.1).sum();
        let enough = if rounds > 0 { rounds + rounds / 4 } else { TRIAL };
        let (calls, outcome) = course(&Ok(forward), &Ok(backward), &memory);
        let tried = [(Forward, false, TRIAL), (Backward, false, enough)];
        assert_eq!(calls, [tried[0], tried[1], (better, true, u64::MAX)]);
        let path = match better {
            Forward => vec![Move::Up, Move::Left],
            Backward => vec![Move::Right, Move::Down],
        };
        assert_eq!(outcome, Ok(Outcome::Solved { path, cost: 2 }));
        // The choice is kept at once, and with it what both have counted.
        let kept = memory.kept.into_inner().unwrap();
        let (direction, progress) = kept.last().unwrap();
        assert_eq!(*direction, Some(better));
        let counted = COUNTED + COUNTED.min(enough);
        assert_eq!(trial::counts(progress), (counted, counted));
    }
}

#[test]
fn a_trial_goes_on_where_it_was_put_aside() {
    let begun = Progress {
        rounds: vec![(80, 10_000_000, 20_000_000)],
        beside: (5_000_000, 9_000_000),
        ..Progress::default()
    };
    let memory = Memory { begun, ..Memory::default() };
    let (calls, _) = course(&Ok(vec![(80, 5, 9)]), &Ok(vec![(80, 4, 9)]), &memory);
    assert_eq!(calls[0], (Forward, false, TRIAL - 15_000_000));
    assert_eq!(calls[1], (Backward, false, 6));
    // More than the trial from the start is never needed.
    let (calls, _) = course(&Ok(vec![(80, TRIAL - 1, 9)]), &Ok(vec![]), &Memory::default());
    assert_eq!(calls[1], (Backward, false, TRIAL));
}

#[test]
fn what_ends_a_trial_leaves_something_to_go_on_with() {
    let some = || Ok(vec![(80, 5, 9)]);
    for stop in [Stop::Time, Stop::Cancelled, Stop::Depth] {
        let memory = Memory::default();
        let (calls, outcome) = course(&some(), &Err(stop), &memory);
        assert_eq!((calls.len(), outcome), (2, Err(stop)));
        let kept = memory.kept.into_inner().unwrap();
        // Otherwise a run that is too short for a trial would begin it again and again.
        assert_eq!(kept.iter().map(|kept| kept.0).collect::<Vec<_>>(), [None, Some(Forward)]);
    }
}

#[test]
fn tables_that_the_goal_lacks_do_not_stop_the_search_from_the_start() {
    let some = || Ok(vec![(80, 5, 9)]);
    for stop in [Stop::Memory, Stop::Tables] {
        let (calls, outcome) = course(&some(), &Err(stop), &Memory::default());
        assert!(calls.last().is_some_and(|call| (call.0, call.1) == (Forward, true)), "{calls:?}");
        assert!(matches!(outcome, Ok(Outcome::Solved { .. })));
        assert_eq!(course(&Err(stop), &some(), &Memory::default()).1, Err(stop));
    }
}
