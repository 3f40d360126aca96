//! One board, whole process.

use anyhow::Context;
use loyd::Problem;

use super::answers::Answers;
use super::measure::{Program, in_turn, median_and_least, memory};
use super::{Workplace, pin_to_one_core, print_machine};
use crate::Result;
use crate::run::release_build;

const BOARD: &str = "2 3 4 1 5 x 7 6 8";

/// `loyd solve` on one board: time and memory of the whole process.
#[derive(clap::Args)]
pub struct Args {
    /// Runs
    #[arg(long, value_name = "N", default_value_t = 31, value_parser = clap::value_parser!(u16).range(1..))]
    runs: u16,
}

pub fn run(args: &Args) -> Result<()> {
    let loyd = release_build()?;
    let place = Workplace::new()?;
    let program = Program::new("`loyd solve`", &loyd, &["solve", BOARD, "--output", "moves"]);
    let boards = [BOARD.parse::<Problem>()?.start().clone()];
    let output = program.answers(&place.path("answers.txt"))?;
    Answers::new(&boards)?.check_shortest(&output).context("the answer to the one board")?;
    let core = pin_to_one_core()?;
    let runs = in_turn(std::slice::from_ref(&program), args.runs.into())?.remove(0);
    let (median, least) = median_and_least(runs.iter().map(|run| run.wall * 1e3));
    let megabytes = memory(&program)? as f64 / 1024.0;
    print_machine(core);
    println!("| whole process | median ms | least ms | limit ms | peak MB | limit MB |");
    println!("|---|---|---|---|---|---|");
    println!("| `loyd solve \"{BOARD}\"` | {median:.2} | {least:.2} | 3 | {megabytes:.1} | 16 |");
    Ok(())
}
