//! One run of a process, and many in turn.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, bail};
use nix::sys::resource::{UsageWho, getrusage};

use crate::Result;

/// A program as it is called, with what it reads.
#[derive(Clone)]
pub struct Program {
    pub name: String,
    pub path: PathBuf,
    pub arguments: Vec<String>,
    pub variables: Vec<(String, String)>,
    /// A file for standard input.
    pub input: Option<PathBuf>,
}

impl Program {
    pub fn new(name: impl Into<String>, path: &Path, arguments: &[&str]) -> Self {
        Self {
            name: name.into(),
            path: path.to_owned(),
            arguments: arguments.iter().map(|&word| word.to_owned()).collect(),
            variables: Vec::new(),
            input: None,
        }
    }

    pub fn reading(self, input: &Path) -> Self {
        Self { input: Some(input.to_owned()), ..self }
    }

    pub fn with_variable(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    fn command(&self, output: Stdio) -> Result<Command> {
        let mut command = Command::new(&self.path);
        command.args(&self.arguments).stdout(output);
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.stdin(match &self.input {
            Some(path) => File::open(path)?.into(),
            None => Stdio::null(),
        });
        Ok(command)
    }

    /// What it answers, by way of the file `answers`.
    pub fn answers(&self, answers: &Path) -> Result<String> {
        self.finish(File::create(answers)?.into())?;
        Ok(fs::read_to_string(answers)?)
    }

    /// Runs it with its answers thrown away.
    pub fn time(&self) -> Result<Run> {
        let before = processor_seconds()?;
        let start = Instant::now();
        self.finish(Stdio::null())?;
        let wall = start.elapsed().as_secs_f64();
        Ok(Run { wall, processor: processor_seconds()? - before })
    }

    fn finish(&self, output: Stdio) -> Result<()> {
        let status = self.command(output)?.status();
        let status = status.with_context(|| format!("cannot run {}", self.name))?;
        if !status.success() {
            bail!("{} failed ({status})", self.name);
        }
        Ok(())
    }
}

/// Seconds of one run: by the clock, and of the processor for the process and the system.
#[derive(Clone, Copy)]
pub struct Run {
    pub wall: f64,
    pub processor: f64,
}

/// The processor's seconds for all children so far.
fn processor_seconds() -> Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let times = [usage.user_time(), usage.system_time()];
    Ok(times.iter().map(|time| time.tv_sec() as f64 + time.tv_usec() as f64 * 1e-6).sum())
}

/// Runs all programs in turn, `runs` times.
pub fn in_turn(programs: &[Program], runs: usize) -> Result<Vec<Vec<Run>>> {
    let mut all = vec![Vec::with_capacity(runs); programs.len()];
    for _ in 0..runs {
        for (program, runs) in programs.iter().zip(&mut all) {
            runs.push(program.time()?);
        }
    }
    Ok(all)
}

/// The middle and the least of some figures.
pub fn median_and_least(figures: impl Iterator<Item = f64>) -> (f64, f64) {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    (figures[figures.len() / 2], figures[0])
}

/// Run a program and print the most memory that it took.
#[derive(clap::Args)]
pub struct MemoryArgs {
    /// The program and its arguments
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<String>,
}

/// Runs a program as the only child of this process, whose peak is then that of all children.
pub fn print_memory(args: &MemoryArgs) -> Result<()> {
    let [program, arguments @ ..] = args.command.as_slice() else { bail!("nothing to run") };
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    Program::new(program, Path::new(program), &arguments).finish(Stdio::null())?;
    println!("{}", getrusage(UsageWho::RUSAGE_CHILDREN)?.max_rss());
    Ok(())
}

/// The most memory that `program` took in one run, in KB.
pub fn memory(program: &Program) -> Result<u64> {
    let mut command = Command::new(env::current_exe()?);
    command.args(["bench", "memory", "--"]).arg(&program.path).args(&program.arguments);
    let output = command.output()?;
    if !output.status.success() {
        bail!("{} failed: {}", program.name, String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8(output.stdout)?.trim().parse()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_one_in_the_middle() {
        assert_eq!(median_and_least([3.0, 1.0, 2.0].into_iter()), (2.0, 1.0));
        assert_eq!(median_and_least([7.0].into_iter()), (7.0, 7.0));
    }
}
