//! Shortens a solution by solving windows of it again, and prints the lower bound on the length.

use loyd::search::{Limits, Quality};
use loyd::{CancelToken, Config, Problem, Solver};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let problem: Problem =
        "13 1 8 3 5/6 2 4 10 15/11 12 7 9 20/16 17 18 14 24/x 21 22 19 23".parse()?;
    let fast = Solver::new(Config { quality: Some(Quality::Fast), ..Config::default() })?;
    let moves = fast.solve(&problem)?.moves.ok_or("the board cannot be solved")?;

    let limits = Limits { max_expanded: Some(1_000_000), ..Limits::default() };
    let solver = Solver::new(Config { limits, ..Config::default() })?;
    let found = solver.optimize(problem.start(), &moves, None, &CancelToken::new(), None)?;
    println!(
        "{} moves, before {}; at least {}",
        found.bounds.upper, found.before, found.bounds.lower
    );
    assert!(found.bounds.upper <= moves.len() && found.bounds.lower > 0);
    let mut end = problem.start().clone();
    end.walk(&found.moves)?;
    assert_eq!(end, *problem.goal());
    Ok(())
}
