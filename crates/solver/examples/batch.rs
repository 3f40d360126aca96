//! Solves many boards on all cores, and receives the reports in the order of the boards.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::thread::available_parallelism;

use loyd::goal::Goal;
use loyd::scramble::Scrambler;
use loyd::{CancelToken, Config, Problem, Size, Solver};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    const BOARDS: usize = 1_000;
    let goal = Goal::BlankLast.board(Size::EIGHT)?;
    let mut scrambler = Scrambler::new(goal.clone(), 1, Config::default())?;
    let boards: Vec<_> = (0..BOARDS).map(|_| scrambler.uniform()).collect();
    let problem = |board| Problem::between(board, goal.clone()).expect("boards of one size");

    // The number of boards decides which tables pay off.
    let solver = Solver::new(Config { boards: Some(BOARDS as u64), ..Config::default() })?;
    let threads = available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let (mut solved, mut longest) = (0, 0);
    solver.solve_all(boards.into_iter().map(problem), threads, &CancelToken::new(), |report| {
        let Some(length) = report.ok().and_then(|report| report.length()) else {
            return ControlFlow::Break(());
        };
        (solved, longest) = (solved + 1, longest.max(length));
        ControlFlow::Continue(())
    });
    println!("{solved} boards solved, the farthest {longest} moves from the goal");
    assert!(solved == BOARDS && (25..=31).contains(&longest));
    Ok(())
}
