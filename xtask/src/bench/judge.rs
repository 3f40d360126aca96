//! `loyd judge` on every board there is.

use std::path::PathBuf;

use anyhow::Context;
use loyd::Cpu;

use super::answers::Answers;
use super::measure::{Program, in_turn, median_and_least};
use super::{Workplace, inputs, pin_to_one_core, print_machine};
use crate::Result;
use crate::run::release_build;

/// Shuffles the boards.
const SEED: u64 = 362_880;

/// How many times the floor's time the highest level, and plain code, may take.
const LIMIT: f64 = 1.5;
const SCALAR_LIMIT: f64 = 3.0;

/// `loyd judge` on all 362,880 boards, shuffled, against the floor of the machine.
#[derive(clap::Args)]
pub struct Args {
    /// The program that shows how fast the machine allows
    #[arg(long, value_name = "PATH")]
    floor: PathBuf,
    /// Runs of each program
    #[arg(long, value_name = "N", default_value_t = 31, value_parser = clap::value_parser!(u16).range(1..))]
    runs: u16,
}

pub fn run(args: &Args) -> Result<()> {
    let loyd = release_build()?;
    let place = Workplace::new()?;
    let boards = inputs::all_boards(SEED)?;
    let file = place.boards("boards.txt", &boards)?;
    let mut programs = vec![Program::new("floor", &args.floor, &[]).reading(&file)];
    programs.extend(Cpu::available().map(|cpu| {
        let program = Program::new(format!("`loyd judge`, {cpu}"), &loyd, &["judge"]);
        program.reading(&file).with_variable(Cpu::VARIABLE, cpu.name())
    }));
    let answers = Answers::new(&boards)?;
    for program in &programs {
        let output = program.answers(&place.path("answers.txt"))?;
        answers.check_shortest(&output).with_context(|| program.name.clone())?;
    }
    let core = pin_to_one_core()?;
    let all = in_turn(&programs, args.runs.into())?;
    print_machine(core);
    println!("Every answer is right and shortest: {} of 362,880 boards.\n", answers.solvable());
    println!("| whole process | median ms | least ms | ns a board | of the floor | limit |");
    println!("|---|---|---|---|---|---|");
    let walls: Vec<_> = all.iter().map(|r| median_and_least(r.iter().map(|r| r.wall))).collect();
    for (program, (median, least)) in programs.iter().zip(&walls) {
        let limit = match program.variables.first().map(|(_, level)| level.as_str()) {
            None => String::new(),
            Some("scalar") => format!("{SCALAR_LIMIT}"),
            Some(level) if level == Cpu::detect().name() => format!("{LIMIT}"),
            Some(_) => String::new(),
        };
        let (name, ratio, each) = (&program.name, median / walls[0].0, median * 1e9 / 362_880.0);
        let (median, least) = (median * 1e3, least * 1e3);
        println!("| {name} | {median:.2} | {least:.2} | {each:.1} | {ratio:.2} | {limit} |");
    }
    Ok(())
}
