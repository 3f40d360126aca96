//! Tries the laws of readers on changed seeds, without knowing what code they reach.
#![forbid(unsafe_code)]

mod guard;

use std::fs;
use std::panic;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Parser;
use loyd_fuzz::mutate::Mutator;
use loyd_fuzz::{TARGETS, Target};

use guard::Guard;

/// Try the laws of readers on changed seeds, or on files.
#[derive(Parser)]
#[command(name = "loyd-fuzz")]
struct Args {
    /// Seconds for each target
    #[arg(long, value_name = "N", default_value_t = 10)]
    seconds: u64,
    /// What changes are drawn from: the same number, the same inputs
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Where inputs go that break a law
    #[arg(long, value_name = "FOLDER", default_value = "target/fuzz/failures")]
    failures: PathBuf,
    /// Try nothing but these files
    #[arg(long, value_name = "FILE", num_args = 1..)]
    files: Vec<PathBuf>,
    /// Only these targets
    #[arg(value_name = "TARGET", value_parser = Target::named)]
    targets: Vec<Target>,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("loyd-fuzz: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> anyhow::Result<()> {
    let all = if args.targets.is_empty() { TARGETS } else { &args.targets };
    let guard = Guard::start(args.failures.clone());
    let mut broken = Vec::new();
    for target in all {
        let begun = Instant::now();
        let (inputs, failure) = match args.files.as_slice() {
            [] => mutated(target, args, &guard)?,
            files => {
                let files =
                    files.iter().map(|file| fs::read(file).context(file.display().to_string()));
                try_all(target, &files.collect::<Result<Vec<_>, _>>()?, &guard)?
            }
        };
        let seconds = begun.elapsed().as_secs_f64();
        println!("{:10} {inputs} inputs in {seconds:.1} s", target.name);
        broken.extend(failure);
    }
    if !broken.is_empty() {
        bail!("laws are broken; inputs that show it:\n  {}", broken.join("\n  "));
    }
    Ok(())
}

/// How many inputs there were, and where the one is that broke a law.
type Tried = (u64, Option<String>);

fn mutated(target: &Target, args: &Args, guard: &Guard) -> anyhow::Result<Tried> {
    let seeds = target.seeds().with_context(|| format!("the seeds of {}", target.name))?;
    let end = Instant::now() + Duration::from_secs(args.seconds);
    let (mut inputs, failure) = try_all(target, &seeds, guard)?;
    let mut mutator = Mutator::new(seeds, args.seed);
    if failure.is_some() {
        return Ok((inputs, failure));
    }
    while Instant::now() < end {
        let (one, failure) = try_all(target, &[mutator.next_input()], guard)?;
        inputs += one;
        if failure.is_some() {
            return Ok((inputs, failure));
        }
    }
    Ok((inputs, None))
}

fn try_all(target: &Target, inputs: &[Vec<u8>], guard: &Guard) -> anyhow::Result<Tried> {
    for (number, input) in (1..).zip(inputs) {
        guard.begin(target.name, input);
        let kept = panic::catch_unwind(|| (target.check)(input));
        guard.end();
        if kept.is_err() {
            return Ok((number, Some(guard.save(target.name, input)?)));
        }
    }
    Ok((inputs.len() as u64, None))
}
