//! Runs targets on mutated seeds, without coverage guidance.
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

/// Run fuzz targets on mutated seeds, or on files.
#[derive(Parser)]
#[command(name = "loyd-fuzz")]
struct Args {
    /// Seconds for each target
    #[arg(long, value_name = "N", default_value_t = 10)]
    seconds: u64,
    /// Seed of the mutations: the same number generates the same inputs
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Folder for failing inputs
    #[arg(long, value_name = "FOLDER", default_value = "target/fuzz/failures")]
    failures: PathBuf,
    /// Run only these files
    #[arg(long, value_name = "FILE", num_args = 1..)]
    files: Vec<PathBuf>,
    /// Run only these targets
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
    let mut failures = Vec::new();
    for target in all {
        let started = Instant::now();
        let (inputs, failure) = match args.files.as_slice() {
            [] => mutated(target, args, &guard)?,
            files => {
                let files =
                    files.iter().map(|file| fs::read(file).context(file.display().to_string()));
                try_all(target, &files.collect::<Result<Vec<_>, _>>()?, &guard)?
            }
        };
        let seconds = started.elapsed().as_secs_f64();
        println!("{:10} {inputs} inputs in {seconds:.1} s", target.name);
        failures.extend(failure);
    }
    if !failures.is_empty() {
        bail!("failing inputs:\n  {}", failures.join("\n  "));
    }
    Ok(())
}

/// Number of inputs run, and the path of the failing one.
type Outcome = (u64, Option<String>);

fn mutated(target: &Target, args: &Args, guard: &Guard) -> anyhow::Result<Outcome> {
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

fn try_all(target: &Target, inputs: &[Vec<u8>], guard: &Guard) -> anyhow::Result<Outcome> {
    for (number, input) in (1..).zip(inputs) {
        guard.begin(target.name, input);
        let result = panic::catch_unwind(|| (target.check)(input));
        guard.end();
        if result.is_err() {
            return Ok((number, Some(guard.save(target.name, input)?)));
        }
    }
    Ok((inputs.len() as u64, None))
}
