//! The regression bench: times whole processes of this program and an older one, alternating in one run.
//!
//! Each row draws its boards by seed and runs every program once to check the solutions. Then the programs
//! take turns, so that a busy moment of the machine affects all of them. Everything is pinned to one core.
//! The times are processor times, user and system.

mod answers;
mod anytime;
mod boards;
mod compare;
mod measure;
mod replay;
mod rows;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::bail;
use nix::sched::{CpuSet, sched_setaffinity};
use nix::unistd::Pid;

use crate::Result;
use crate::run::{release_build, say};
use compare::Bench;
use rows::{ROWS, Row};

pub use measure::{PeakArgs, print_peak};

/// Time the release build and compare it with the program of another commit.
///
/// All solutions are replayed and compared: a row fails if one is wrong or if optimal solutions differ in
/// length. The summary names the rows that take more than 1.05 times as long as before.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    other: Option<Other>,
    /// The `loyd` program of another commit or release
    #[arg(long, value_name = "PATH")]
    before: Option<PathBuf>,
    /// The `loyd` program to compare with it [default: the release build of this working tree]
    #[arg(long, value_name = "PATH")]
    after: Option<PathBuf>,
    /// Another solver to time: it reads the boards of a row from standard input, and writes a line of moves
    /// (u, d, l, r: where the blank goes) or `unsolvable` for each; may be repeated
    #[arg(long = "baseline", value_name = "NAME=PATH")]
    baselines: Vec<Baseline>,
    /// Only rows whose names begin with one of these
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    rows: Vec<String>,
    /// Timed runs of each program; short rows run up to ten times as often
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
    /// List the rows and their commands, and run nothing
    #[arg(long)]
    list: bool,
}

/// Benches of another kind.
#[derive(clap::Subcommand)]
enum Other {
    Anytime(anytime::Args),
}

#[derive(Clone)]
struct Baseline {
    name: String,
    path: PathBuf,
}

impl FromStr for Baseline {
    type Err = &'static str;

    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        match text.split_once('=') {
            Some((name, path)) if !name.is_empty() && !path.is_empty() => {
                Ok(Self { name: name.to_owned(), path: path.into() })
            }
            _ => Err("write NAME=PATH"),
        }
    }
}

pub fn run(args: &Args) -> Result<()> {
    if let Some(Other::Anytime(args)) = &args.other {
        return anytime::run(args);
    }
    let rows = chosen(&args.rows)?;
    if args.list {
        rows.iter().for_each(|row| say(format_args!("{:<24} {}", row.name, row.command())));
        return Ok(());
    }
    let after = args.after.clone().map_or_else(release_build, Ok)?;
    let place = Workplace::new()?;
    print_machine(pin_to_one_core()?);
    let mut bench = Bench::new(args, &after, &place);
    bench.print_head();
    rows.into_iter().for_each(|row| bench.run(row));
    bench.finish()
}

/// The rows whose names begin with one of `names`; all rows if `names` is empty.
fn chosen(names: &[String]) -> Result<Vec<&'static Row>> {
    let begins = |row: &Row, name: &String| row.name.starts_with(name.as_str());
    if let Some(unknown) = names.iter().find(|name| !ROWS.iter().any(|row| begins(row, name))) {
        let all: Vec<&str> = ROWS.iter().map(|row| row.name).collect();
        bail!("no row begins with `{unknown}`; there are {}", all.join(", "));
    }
    let is_chosen = |row: &&Row| names.is_empty() || names.iter().any(|name| begins(row, name));
    Ok(ROWS.iter().filter(is_chosen).collect())
}

/// Pins this process and all its children to the first core that it may use.
fn pin_to_one_core() -> Result<usize> {
    let allowed = nix::sched::sched_getaffinity(Pid::from_raw(0))?;
    let is_allowed = |&core: &usize| allowed.is_set(core).unwrap_or(false);
    let core = (0..CpuSet::count()).find(is_allowed).unwrap_or(0);
    let mut one = CpuSet::new();
    one.set(core)?;
    sched_setaffinity(Pid::from_raw(0), &one)?;
    Ok(core)
}

/// A folder for boards, solutions and tables, removed at the end.
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
}

impl Drop for Workplace {
    fn drop(&mut self) {
        // It is in the temporary folder: if it cannot be removed now, the system will do so.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Prints the machine and the command.
fn print_machine(core: usize) {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let models: Vec<&str> = info
        .lines()
        .filter_map(|line| line.strip_prefix("model name")?.split_once(':'))
        .map(|(_, model)| model.trim())
        .collect();
    let model = models.first().unwrap_or(&"an unknown processor");
    say(format_args!(
        "Machine: {model}, {} cores, {}; pinned to core {core}.",
        models.len(),
        env::consts::ARCH
    ));
    let command: Vec<String> = env::args().skip(1).map(|word| shortened(&word)).collect();
    say(format_args!("Command: `cargo xtask {}`.\n", command.join(" ")));
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
    fn rows_are_chosen_by_the_beginnings_of_their_names() {
        let names = |chosen: &[&str]| {
            let words: Vec<String> = chosen.iter().map(|&word| word.to_owned()).collect();
            super::chosen(&words).map(|rows| rows.iter().map(|row| row.name).collect::<Vec<_>>())
        };
        assert_eq!(names(&[]).unwrap().len(), ROWS.len());
        assert_eq!(names(&["judge"]).unwrap(), ["judge", "judge-scalar"]);
        assert_eq!(names(&["one", "classic-bibfs"]).unwrap(), ["one", "classic-bibfs"]);
        assert!(names(&["judge", "nonsense"]).unwrap_err().to_string().contains("`nonsense`"));
    }

    #[test]
    fn names_of_rows_are_unique() {
        let mut names: Vec<&str> = ROWS.iter().map(|row| row.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ROWS.len());
    }
}
