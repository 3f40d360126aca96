//! Cancels a search from another thread. The report still has the counts up to then.

use std::thread;
use std::time::Duration;

use loyd::search::{Status, Stop};
use loyd::{CancelToken, Config, Error, Problem, Solver};

fn main() -> Result<(), Error> {
    let problem: Problem = "15 14 8 12/10 11 13 9/2 6 5 1/3 7 4 x".parse()?;
    let slow = Config { heuristic: Some("misplaced".into()), ..Config::default() };
    let (solver, cancel) = (Solver::new(slow)?, CancelToken::new());
    let report = thread::scope(|scope| {
        let search = scope.spawn(|| solver.solve_watched(&problem, &cancel, None));
        thread::sleep(Duration::from_millis(100));
        cancel.cancel();
        search.join().expect("searches do not panic")
    })?;
    assert_eq!(report.status, Status::Stopped(Stop::Cancelled));
    println!("cancelled after {} expansions", report.stats.expanded);
    assert!(report.stats.expanded > 0);
    Ok(())
}
