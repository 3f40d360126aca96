//! Finds a shortest solution of a board with the default algorithm.

use loyd::{Error, Problem, Solver};

fn main() -> Result<(), Error> {
    let problem: Problem = "2 3 4 1 5 x 7 6 8".parse()?;
    let report = Solver::default().solve(&problem)?;
    assert_eq!((report.length(), report.optimal), (Some(19), true));
    for direction in report.moves.iter().flatten() {
        print!("{direction} ");
    }
    println!("\nby {}, {} nodes expanded", report.algorithm, report.stats.expanded);
    Ok(())
}
