//! One run of a process: its time, and the most memory that it took.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};
use nix::sys::resource::{UsageWho, getrusage};

use crate::Result;

/// A program as it is called.
pub struct Call {
    pub program: PathBuf,
    pub arguments: Vec<String>,
    pub variables: Vec<(&'static str, &'static str)>,
    /// A file for standard input.
    pub input: Option<PathBuf>,
}

/// What a run said, and how it ended.
pub struct Said {
    pub output: String,
    pub errors: String,
    pub code: Option<i32>,
    /// The most memory that it took, in bytes.
    pub peak: u64,
}

impl Call {
    fn command(&self, program: &Path) -> Result<Command> {
        let mut command = Command::new(program);
        // What the user has set must not choose tables or instructions.
        command.env_remove("LOYD_CACHE").env_remove("LOYD_CPU");
        command.envs(self.variables.iter().copied());
        command.stdin(match &self.input {
            Some(path) => File::open(path)?.into(),
            None => Stdio::null(),
        });
        Ok(command)
    }

    /// Runs it with its answers thrown away; returns the seconds that the processor worked for it.
    ///
    /// # Errors
    /// It cannot be run, or fails.
    pub fn seconds(&self) -> Result<f64> {
        let before = processor_seconds()?;
        let mut command = self.command(&self.program)?;
        let status = command.args(&self.arguments).stdout(Stdio::null()).stderr(Stdio::null());
        let status = status.status()?;
        if !status.success() {
            bail!("{} failed in a further run ({status})", self.program.display());
        }
        Ok(processor_seconds()? - before)
    }

    /// Runs it as the only child of another process, whose peak is then that of all children, and which
    /// writes it to `note`.
    ///
    /// # Errors
    /// It cannot be run, or says what is no text. How it ends is told and not judged.
    pub fn said(&self, note: &Path) -> Result<Said> {
        let mut command = self.command(&env::current_exe()?)?;
        command.arg("peak").arg(note).arg("--").arg(&self.program).args(&self.arguments);
        let output = command.output()?;
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        let peak = fs::read_to_string(note);
        let peak = peak.with_context(|| format!("{}: {errors}", self.program.display()))?;
        fs::remove_file(note)?;
        let (code, output) = (output.status.code(), String::from_utf8(output.stdout)?);
        Ok(Said { output, errors, code, peak: 1024 * peak.trim().parse::<u64>()? })
    }
}

/// The processor's seconds for all children so far.
fn processor_seconds() -> Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let times = [usage.user_time(), usage.system_time()];
    Ok(times.iter().map(|time| time.tv_sec() as f64 + time.tv_usec() as f64 * 1e-6).sum())
}

/// The middle of some figures; of an even number, the upper one of two.
pub fn median(figures: &[f64]) -> f64 {
    let mut figures = figures.to_vec();
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// Run a program, and write to a file how much memory it took at most, in KB.
#[derive(clap::Args)]
pub struct PeakArgs {
    note: PathBuf,
    /// The program and its arguments
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<String>,
}

/// Runs the program, and ends as it does.
pub fn print_peak(args: &PeakArgs) -> Result<()> {
    let [program, arguments @ ..] = args.command.as_slice() else { bail!("nothing to run") };
    let status = Command::new(program).args(arguments).status();
    let status = status.with_context(|| format!("cannot run {program}"))?;
    fs::write(&args.note, getrusage(UsageWho::RUSAGE_CHILDREN)?.max_rss().to_string())?;
    match status.code() {
        Some(0) => Ok(()),
        Some(code) => std::process::exit(code),
        None => bail!("{program} was killed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_one_in_the_middle() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[7.0]), 7.0);
    }
}
