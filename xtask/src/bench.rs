//! Timings of whole processes, paired in one run and checked; none of them is a test.
//!
//! Each bench makes its inputs by seed in a temporary folder, runs every program once to check its
//! answers and then all of them in turn, so that a busy moment hits each alike. Everything is
//! pinned to one core.

mod answers;
mod classics;
mod fifteen;
mod inputs;
mod judge;
mod measure;
mod one;
mod qualities;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use loyd::Board;
use nix::sched::{CpuSet, sched_setaffinity};
use nix::unistd::Pid;

use crate::Result;

/// Time the release build.
#[derive(Subcommand)]
pub enum Bench {
    /// `loyd judge` on all 362,880 boards, shuffled, against the floor of the machine.
    Judge(judge::Args),
    /// `loyd solve` on one board: time and memory of the whole process.
    One(one::Args),
    /// Classic searches on 2,000 boards, half of them unsolvable.
    Classics(classics::Args),
    /// `loyd solve` on 4x4 boards with pattern databases.
    Fifteen(fifteen::Args),
    /// `loyd solve` on random boards of several sizes: fast answers, part goals and slides.
    Qualities(qualities::Args),
    /// Run a program and print the most memory that it took, in KB.
    #[command(hide = true)]
    Memory(measure::MemoryArgs),
}

pub fn run(bench: Bench) -> Result<()> {
    match bench {
        Bench::Judge(args) => judge::run(&args),
        Bench::One(args) => one::run(&args),
        Bench::Classics(args) => classics::run(&args),
        Bench::Fifteen(args) => fifteen::run(&args),
        Bench::Qualities(args) => qualities::run(&args),
        Bench::Memory(args) => measure::print_memory(&args),
    }
}

/// Keeps this program, and all that it starts, on the first core that it may use.
fn pin_to_one_core() -> Result<usize> {
    let allowed = nix::sched::sched_getaffinity(Pid::from_raw(0))?;
    let is_allowed = |&core: &usize| allowed.is_set(core).unwrap_or(false);
    let core = (0..CpuSet::count()).find(is_allowed).unwrap_or(0);
    let mut one = CpuSet::new();
    one.set(core)?;
    sched_setaffinity(Pid::from_raw(0), &one)?;
    Ok(core)
}

/// A folder for inputs and answers, removed at the end.
struct Workplace(PathBuf);

impl Workplace {
    fn new() -> Result<Self> {
        let folder = env::temp_dir().join(format!("loyd-bench-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        Ok(Self(folder))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes boards, one a line.
    fn boards(&self, name: &str, boards: &[Board]) -> Result<PathBuf> {
        let path = self.path(name);
        let lines: String = boards.iter().map(|board| format!("{board}\n")).collect();
        fs::write(&path, lines)?;
        Ok(path)
    }
}

impl Drop for Workplace {
    fn drop(&mut self) {
        // What cannot be removed is left to the system's own cleaning.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Says on what machine the rows below were measured.
fn print_machine(core: usize) {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let models: Vec<&str> = info
        .lines()
        .filter_map(|line| line.strip_prefix("model name")?.split_once(':'))
        .map(|(_, model)| model.trim())
        .collect();
    let model = models.first().unwrap_or(&"an unknown processor");
    println!(
        "Machine: {model}, {} cores, {}; pinned to core {core}.",
        models.len(),
        env::consts::ARCH
    );
    let command: Vec<String> = env::args().skip(1).map(|word| shortened(&word)).collect();
    println!("Command: `cargo xtask {}`.\n", command.join(" "));
}

/// Where a program lies on this machine is nobody's business: the file name says which it is.
fn shortened(word: &str) -> String {
    let (name, path) = word.split_once('=').map_or(("", word), |(name, path)| (name, path));
    match Path::new(path).file_name().and_then(|file| file.to_str()) {
        Some(file) if name.is_empty() => file.to_owned(),
        Some(file) => format!("{name}={file}"),
        None => word.to_owned(),
    }
}
