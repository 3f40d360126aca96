use std::cell::RefCell;

use loyd_search::{Cost, Stop};

use super::*;
use crate::config::Config;
use crate::solver::Solver;
use crate::{Problem, plan};

/// How a search goes from one end: its rounds, or what stops it before the first.
type Course = Result<Vec<(Cost, u64, u64)>, Stop>;

/// Each search, by its direction and whether it is one that goes on; and the outcome in the end.
type Told = (Vec<(Direction, bool)>, Outcome<Move>);

/// What comes of a search that takes these courses when it is tried, and is solved when it goes on.
fn course(forward: &Course, backward: &Course) -> Result<Told, Stop> {
    let start = "5x5".parse().unwrap();
    let goal = loyd_tiles::Goal::BlankLast.board(start).unwrap();
    let mut board = goal.clone();
    [Move::Up, Move::Left].into_iter().for_each(|m| board.apply(m).unwrap());
    let problem = Problem::between(board, goal).unwrap();
    let solver = Solver::new(Config::default()).unwrap();
    let plan = solver.plan(&problem).unwrap();
    let back = plan::back(solver.config(), &problem, &plan).unwrap();
    assert!(back.is_some(), "there are tables for both ends");
    let run = Run { back: back.as_ref(), ..solver.run(&problem, &plan) };
    let calls = RefCell::new(Vec::new());
    let search = |run: &Run<'_>, _: &Stage, meter: &mut Meter<'_>| {
        let keeper = run.keeper.expect("someone keeps it");
        let begun = keeper.begin();
        calls.borrow_mut().push((run.direction, begun.is_counted));
        if begun.is_counted {
            let courses = [forward, backward];
            let other = courses[usize::from(run.direction == Direction::Forward)];
            let taken = if other.is_ok() { TRIAL - 1 } else { 0 };
            assert_eq!(begun.progress.beside, (taken, 0), "what the other end took is kept");
            return Ok(Outcome::Solved { path: vec![Move::Down, Move::Right], cost: 2 });
        }
        let course = if run.direction == Direction::Forward { forward } else { backward };
        let rounds = course.clone()?;
        keeper.keep(run.direction, &Progress { rounds, ..Progress::default() });
        meter.expand_many(TRIAL - 1);
        Ok(Outcome::Stopped(Stop::Expanded))
    };
    let mut meter = Meter::default();
    let stage = plan.stages.last().unwrap();
    let outcome = super::search(&run, stage, &search, &mut meter)?;
    Ok((calls.into_inner(), outcome))
}

#[test]
fn the_search_goes_on_at_the_end_with_fewer_nodes() {
    use Direction::{Backward, Forward};
    let tried = [(Forward, false), (Backward, false)];
    for (forward, backward, better) in [
        (vec![(80, 5, 9), (82, 50, 90)], vec![(80, 6, 9), (82, 40, 90)], Backward),
        (vec![(80, 5, 9), (82, 50, 90)], vec![(80, 4, 9), (82, 60, 90)], Forward),
        (vec![(80, 5, 9), (82, 50, 90)], vec![(82, 60, 9), (84, 600, 90)], Backward),
        (vec![(80, 5, 9)], vec![], Forward),
        (vec![], vec![], Forward),
    ] {
        let (calls, outcome) = course(&Ok(forward), &Ok(backward)).unwrap();
        assert_eq!(calls, [tried[0], tried[1], (better, true)]);
        let path = match better {
            Forward => vec![Move::Down, Move::Right],
            Backward => vec![Move::Left, Move::Up],
        };
        assert_eq!(outcome, Outcome::Solved { path, cost: 2 });
    }
}

#[test]
fn tables_that_the_goal_lacks_do_not_stop_the_search_from_the_start() {
    for stop in [Stop::Memory, Stop::Tables] {
        let (calls, outcome) = course(&Ok(vec![(80, 5, 9)]), &Err(stop)).unwrap();
        assert_eq!(calls.last(), Some(&(Direction::Forward, true)));
        assert!(matches!(outcome, Outcome::Solved { .. }));
        assert_eq!(course(&Err(stop), &Ok(vec![(80, 5, 9)])), Err(stop));
    }
    for stop in [Stop::Time, Stop::Cancelled] {
        assert_eq!(course(&Ok(vec![(80, 5, 9)]), &Err(stop)), Err(stop));
    }
}
