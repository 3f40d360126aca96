//! Runs a process once and measures its time and its peak memory; the core, the folder and the machine of a benchmark.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use nix::sched::{CpuSet, sched_setaffinity};
use nix::sys::resource::{UsageWho, getrusage};
use nix::unistd::Pid;

use crate::run::print_line;

/// A program with its arguments and environment.
pub struct Call {
    pub program: PathBuf,
    pub arguments: Vec<String>,
    pub variables: Vec<(&'static str, &'static str)>,
    /// The file to read as standard input.
    pub input: Option<PathBuf>,
}

/// The result of a run.
pub struct Finished {
    pub output: String,
    pub errors: String,
    pub code: Option<i32>,
    /// Peak resident memory in bytes.
    pub peak: u64,
}

impl Call {
    fn command(&self, program: &Path) -> Result<Command> {
        let mut command = Command::new(program);
        // The user's own settings must not affect the result.
        command.env_remove("LOYD_CACHE").env_remove("LOYD_CPU");
        command.envs(self.variables.iter().copied());
        command.stdin(match &self.input {
            Some(path) => File::open(path)?.into(),
            None => Stdio::null(),
        });
        Ok(command)
    }

    /// Runs the program, discards its output, and returns its processor time in seconds.
    ///
    /// # Errors
    /// Fails if the program cannot be run or fails.
    pub fn seconds(&self) -> Result<f64> {
        let before = processor_seconds()?;
        let mut command = self.command(&self.program)?;
        let status = command.args(&self.arguments).stdout(Stdio::null()).stderr(Stdio::null());
        let status = status.status()?;
        if !status.success() {
            bail!("{} failed in a later run ({status})", self.program.display());
        }
        Ok(processor_seconds()? - before)
    }

    /// Runs the program and returns its output and its peak memory.
    ///
    /// The system reports the peak of all children of a process together. So an intermediate process runs the program
    /// as its only child, and writes the peak to the file `note`.
    ///
    /// # Errors
    /// Fails if the program cannot be run, or its output is not UTF-8. A failure of the program is not an error.
    pub fn finish(&self, note: &Path) -> Result<Finished> {
        let mut command = self.command(&env::current_exe()?)?;
        command.arg("peak").arg(note).arg("--").arg(&self.program).args(&self.arguments);
        let output = command.output()?;
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        let peak = fs::read_to_string(note);
        let peak = peak.with_context(|| format!("{}: {errors}", self.program.display()))?;
        fs::remove_file(note)?;
        let (code, output) = (output.status.code(), String::from_utf8(output.stdout)?);
        Ok(Finished { output, errors, code, peak: 1024 * peak.trim().parse::<u64>()? })
    }
}

/// Returns the processor time of all children so far, in seconds.
fn processor_seconds() -> Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let times = [usage.user_time(), usage.system_time()];
    Ok(times.iter().map(|time| time.tv_sec() as f64 + time.tv_usec() as f64 * 1e-6).sum())
}

/// Returns the median; the higher of the two middle figures if their number is even.
pub fn median(figures: &[f64]) -> f64 {
    let mut figures = figures.to_vec();
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// Run a program and write its peak memory in KB to a file.
#[derive(clap::Args)]
pub struct PeakArgs {
    note: PathBuf,
    /// The program and its arguments
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<String>,
}

/// Runs the program, writes its peak memory, and exits with its status.
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

/// Pins this process and all its children to the first core that it may use, and returns the core.
pub fn pin_to_one_core() -> Result<usize> {
    let allowed = nix::sched::sched_getaffinity(Pid::from_raw(0))?;
    let is_allowed = |&core: &usize| allowed.is_set(core).unwrap_or(false);
    let core = (0..CpuSet::count()).find(is_allowed).unwrap_or(0);
    let mut one = CpuSet::new();
    one.set(core)?;
    sched_setaffinity(Pid::from_raw(0), &one)?;
    Ok(core)
}

/// A folder for boards, solutions and tables, removed at the end.
pub struct Workplace(PathBuf);

impl Workplace {
    pub fn new() -> Result<Self> {
        let folder = env::temp_dir().join(format!("loyd-bench-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        Ok(Self(folder))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Workplace {
    fn drop(&mut self) {
        // If the folder cannot be removed now, the system will remove it: it is in the temporary folder.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Prints the machine and the command.
pub fn print_machine(core: usize) {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let models: Vec<&str> = info
        .lines()
        .filter_map(|line| line.strip_prefix("model name")?.split_once(':'))
        .map(|(_, model)| model.trim())
        .collect();
    let model = models.first().unwrap_or(&"an unknown processor");
    print_line(format_args!(
        "Machine: {model}, {} cores, {}; pinned to core {core}.",
        models.len(),
        env::consts::ARCH
    ));
    let command: Vec<String> = env::args().skip(1).map(|word| shortened(&word)).collect();
    print_line(format_args!("Command: `cargo xtask {}`.\n", command.join(" ")));
}

/// Strips the folders from a path, so that tables can be published.
fn shortened(word: &str) -> String {
    let (name, path) = word.split_once('=').map_or(("", word), |(name, path)| (name, path));
    match Path::new(path).file_name().and_then(|file| file.to_str()) {
        Some(file) if name.is_empty() => file.to_owned(),
        Some(file) => format!("{name}={file}"),
        None => word.to_owned(),
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
