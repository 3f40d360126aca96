//! Solves a large board immediately, and then improves the solution for half a second.

use std::time::Duration;

use loyd::goal::Goal;
use loyd::scramble::{Random, random_board};
use loyd::search::Quality;
use loyd::{Config, Problem, Size, Solver};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let goal = Goal::BlankLast.board(Size::new(10, 10)?)?;
    let problem = Problem::between(random_board(&goal, &mut Random::new(1)), goal)?;
    let mut lengths = Vec::new();
    for improve in [Duration::ZERO, Duration::from_millis(500)] {
        let config = Config { quality: Some(Quality::Fast), improve, ..Config::default() };
        let report = Solver::new(config)?.solve(&problem)?;
        let (length, least) = (report.length().unwrap(), report.lower_bound.unwrap());
        println!("{length} moves after {:?}; at least {least} are needed", report.stats.elapsed);
        lengths.push(length);
    }
    assert!(lengths[1] <= lengths[0]);
    Ok(())
}
