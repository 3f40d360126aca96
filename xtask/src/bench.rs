//! The regression benchmark: times entire processes of this program and an older one, alternating in one run.
//!
//! Each row draws its boards from a fixed seed and runs every program once to check the solutions. Then the programs
//! take turns, so that a disturbance of the machine affects all of them. Everything is pinned to one core. The times
//! are processor times, user and system.

mod answers;
mod anytime;
mod boards;
mod compare;
mod measure;
mod replay;
mod rows;

use std::path::PathBuf;

use crate::run::{print_line, release_build};
use anyhow::{Result, bail};
use compare::{Baseline, Bench, Level};
use measure::{Workplace, pin_to_one_core, print_machine};
use rows::{ROWS, Row};

pub use measure::{PeakArgs, print_peak};

/// Time the release build and compare it with the program of another commit.
///
/// All solutions are replayed and compared: a row fails if one is wrong or if optimal solutions differ in length. The
/// summary lists the rows that take more than 1.05 times as long as before.
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
    /// Another solver to time: it reads the boards of a row from standard input, and writes a line of moves (u, d, l,
    /// r: the direction of the blank) or `unsolvable` for each; may be repeated
    #[arg(long = "baseline", value_name = "NAME=PATH")]
    baselines: Vec<Baseline>,
    /// Run each row with these instruction sets in turn [default: the best that the processor has]
    #[arg(long, value_name = "LEVELS", value_delimiter = ',')]
    cpu: Vec<Level>,
    /// Only rows whose names have one of these prefixes
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    rows: Vec<String>,
    /// Timed runs of each program; short rows run up to ten times as often
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
    /// List the rows and their commands, and run nothing
    #[arg(long)]
    list: bool,
}

/// Other benchmarks.
#[derive(clap::Subcommand)]
enum Other {
    Anytime(anytime::Args),
}

pub fn run(args: &Args) -> Result<()> {
    if let Some(Other::Anytime(args)) = &args.other {
        return anytime::run(args);
    }
    let rows = select(&args.rows)?;
    if args.list {
        rows.iter().for_each(|row| print_line(format_args!("{:<24} {}", row.name, row.command())));
        return Ok(());
    }
    let after = args.after.clone().map_or_else(release_build, Ok)?;
    let place = Workplace::new()?;
    print_machine(pin_to_one_core()?);
    let programs = (args.before.as_deref(), after.as_path());
    let mut bench = Bench::new(programs, &args.baselines, &args.cpu, args.rounds, &place);
    bench.print_head();
    rows.into_iter().for_each(|row| bench.run(row));
    bench.finish()
}

/// Returns the rows whose names have one of the prefixes `names`, or all rows if `names` is empty.
fn select(names: &[String]) -> Result<Vec<&'static Row>> {
    let begins = |row: &Row, name: &String| row.name.starts_with(name.as_str());
    if let Some(unknown) = names.iter().find(|name| !ROWS.iter().any(|row| begins(row, name))) {
        let all: Vec<&str> = ROWS.iter().map(|row| row.name).collect();
        bail!("no row has the prefix `{unknown}`; there are {}", all.join(", "));
    }
    let is_chosen = |row: &&Row| names.is_empty() || names.iter().any(|name| begins(row, name));
    Ok(ROWS.iter().filter(is_chosen).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_selected_by_prefix() {
        let names = |prefixes: &[&str]| {
            let words: Vec<String> = prefixes.iter().map(|&word| word.to_owned()).collect();
            select(&words).map(|rows| rows.iter().map(|row| row.name).collect::<Vec<_>>())
        };
        assert_eq!(names(&[]).unwrap().len(), ROWS.len());
        assert_eq!(names(&["judge"]).unwrap(), ["judge"]);
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
