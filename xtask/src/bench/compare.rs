//! Runs the rows: checks the solutions, compares the times, and collects the rows that failed or became slower.

use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, Instant};

use super::answers::{self, Answer};
use super::measure::{Call, Workplace, median};
use super::replay::Board;
use super::rows::Row;
use crate::run::print_line;
use anyhow::{Context, Result, bail};

/// The summary lists rows with a higher ratio of times.
const SLOWER: f64 = 1.05;

/// Short runs are noisy, so they are repeated for this long, but at most [`MAX_REPEATS`] times as often as requested.
const MIN_TIME: Duration = Duration::from_secs(2);
const MAX_REPEATS: u16 = 10;

/// Another solver to time, given as `NAME=PATH`.
#[derive(Clone)]
pub struct Baseline {
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

/// The programs to time, and the results so far.
pub struct Bench<'a> {
    programs: Vec<Program>,
    rounds: u16,
    place: &'a Workplace,
    worse: Vec<String>,
    failed: Vec<String>,
}

struct Program {
    name: String,
    path: PathBuf,
    role: Role,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Before,
    After,
    Baseline,
}

/// A program that solved a row correctly.
struct Entry<'a> {
    program: &'a Program,
    call: Call,
    answers: Vec<Answer>,
    peak: u64,
    seconds: Vec<f64>,
}

/// The result of the first run of a program.
enum FirstRun<'a> {
    Correct(Entry<'a>),
    /// The program does not support an option of the row, or cannot solve such boards; with a note for the table.
    Unsupported(String),
}

impl<'a> Bench<'a> {
    pub fn new(
        (before, after): (Option<&Path>, &Path),
        baselines: &[Baseline],
        rounds: u16,
        place: &'a Workplace,
    ) -> Self {
        let program = |name: &str, path: &Path, role| Program {
            name: name.to_owned(),
            path: path.to_owned(),
            role,
        };
        let before = before.map(|path| program("before", path, Role::Before));
        let baselines =
            baselines.iter().map(|given| program(&given.name, &given.path, Role::Baseline));
        let programs =
            before.into_iter().chain([program("after", after, Role::After)]).chain(baselines);
        let programs = programs.collect();
        Self { programs, rounds, place, worse: Vec::new(), failed: Vec::new() }
    }

    pub fn print_head(&self) {
        let times: Vec<String> =
            self.programs.iter().map(|program| format!("{}, ms", program.name)).collect();
        let has_before = self.programs[0].role == Role::Before;
        let ratio = if has_before { " ratio |" } else { "" };
        print_line(format_args!(
            "| row | command | boards | mean moves | {} |{ratio} MB | notes |",
            times.join(" | ")
        ));
        print_line(format_args!(
            "|{}",
            "---|".repeat(6 + self.programs.len() + usize::from(has_before))
        ));
    }

    /// Checks and times a row, and prints the result.
    pub fn run(&mut self, row: &Row) {
        match self.measure(row) {
            Ok((line, ratio)) => {
                print_line(line);
                if let Some(ratio) = ratio.filter(|&ratio| ratio > SLOWER) {
                    self.worse.push(format!("{} ({ratio:.3})", row.name));
                }
            }
            Err(error) => {
                print_line(format_args!(
                    "| {} | `{}` | **failed**: {error:#} |",
                    row.name,
                    row.command()
                ));
                self.failed.push(row.name.to_owned());
            }
        }
    }

    /// Prints the summary.
    ///
    /// # Errors
    /// Fails if a row failed.
    pub fn finish(&self) -> Result<()> {
        let listed = |names: &[String]| match names {
            [] => "none".to_owned(),
            names => names.join(", "),
        };
        if self.programs[0].role == Role::Before {
            print_line(format_args!("\nWorse than {SLOWER}: {}.", listed(&self.worse)));
        }
        if !self.failed.is_empty() {
            bail!("rows that failed: {}", listed(&self.failed));
        }
        Ok(())
    }

    /// Returns the line of the table for a row, and the ratio of the times.
    fn measure(&self, row: &Row) -> Result<(String, Option<f64>)> {
        let after = self.programs.iter().find(|program| program.role == Role::After);
        let file = self.place.path("boards.txt");
        row.boards.write(&after.context("no program to time")?.path, &file)?;
        let text = fs::read_to_string(&file)?;
        let boards = text.lines().map(Board::parse).collect::<Result<Vec<Board>>>()?;
        let (mut entries, mut notes) = (Vec::new(), Vec::new());
        for program in &self.programs {
            let checked = self.check(program, row, &file, &boards);
            match checked.with_context(|| program.name.clone())? {
                FirstRun::Correct(entry) => entries.push(entry),
                FirstRun::Unsupported(note) => notes.push(note),
            }
        }
        notes.extend(compared(&entries)?);
        time(&mut entries, self.rounds)?;
        Ok(self.line(row, &entries, &notes))
    }

    /// Runs `program` once and reads its solutions.
    fn check<'p>(
        &self,
        program: &'p Program,
        row: &Row,
        file: &Path,
        boards: &[Board],
    ) -> Result<FirstRun<'p>> {
        let call = self.call(program, row, file);
        let run = call.finish(&self.place.path("peak"))?;
        let first = run.errors.lines().find(|line| !line.trim().is_empty());
        let problem = first.unwrap_or("no message");
        match (program.role, run.code) {
            (_, Some(0)) => {}
            // Usage error: an option or a name that the older program does not know.
            (Role::Before, Some(2)) => {
                return Ok(FirstRun::Unsupported(format!(
                    "the older program cannot run it: {problem}"
                )));
            }
            (Role::Baseline, _) => {
                return Ok(FirstRun::Unsupported(format!(
                    "{} cannot run it: {problem}",
                    program.name
                )));
            }
            (_, code) => bail!("exit status {code:?}: {problem}"),
        }
        let answers = match program.role != Role::Baseline && !row.is_judge() {
            true => answers::parse_records(&run.output, boards)?,
            false => answers::parse_lines(&run.output, boards, program.role != Role::Baseline)?,
        };
        Ok(FirstRun::Correct(Entry { program, call, answers, peak: run.peak, seconds: Vec::new() }))
    }

    fn call(&self, program: &Program, row: &Row, file: &Path) -> Call {
        let mut call = Call {
            program: program.path.clone(),
            arguments: Vec::new(),
            variables: Vec::new(),
            input: Some(file.to_owned()),
        };
        if program.role == Role::Baseline {
            return call;
        }
        call.arguments.extend(row.words.iter().map(|&word| word.to_owned()));
        if !row.is_judge() {
            let tables = match row.keeps_tables {
                true => self.place.path(&format!("tables-{}", program.name)).display().to_string(),
                false => "none".to_owned(),
            };
            let shared = ["--output", "json", "--threads", "1", "--file", "-", "--cache", &tables];
            call.arguments.extend(shared.map(str::to_owned));
        }
        if !row.cpu.is_empty() {
            call.variables.push(("LOYD_CPU", row.cpu));
        }
        call
    }

    fn line(&self, row: &Row, entries: &[Entry<'_>], notes: &[String]) -> (String, Option<f64>) {
        let of = |role: Role| entries.iter().find(|entry| entry.program.role == role);
        let found =
            |program: &Program| entries.iter().find(|entry| std::ptr::eq(entry.program, program));
        let times = self.programs.iter().map(|program| match found(program) {
            Some(entry) => format!("{:.2}", median(&entry.seconds) * 1e3),
            None => String::new(),
        });
        let times = times.collect::<Vec<_>>().join(" | ");
        let megabytes: Vec<String> =
            entries.iter().map(|entry| format!("{:.1}", entry.peak as f64 / 1e6)).collect();
        let lengths = of(Role::After).map_or(&[][..], |entry| &entry.answers).iter();
        let lengths: Vec<u64> = lengths.filter_map(|answer| answer.length).collect();
        let mean = lengths.iter().sum::<u64>() as f64 / lengths.len() as f64;
        let ratio = match (of(Role::Before), of(Role::After)) {
            (Some(before), Some(after)) => Some(ratio(&before.seconds, &after.seconds)),
            _ => None,
        };
        let shown = match ratio {
            Some(ratio) => format!(" {ratio:.3} |"),
            None if self.programs[0].role == Role::Before => "  |".to_owned(),
            None => String::new(),
        };
        let (name, command, count) = (row.name, row.command(), row.boards.count());
        let (megabytes, notes) = (megabytes.join(", "), notes.join("; "));
        let line = format!(
            "| {name} | `{command}` | {count} | {mean:.2} | {times} |{shown} {megabytes} | {notes} |"
        );
        (line, ratio)
    }
}

/// Returns notes on differences between the solutions of the programs.
fn compared(entries: &[Entry<'_>]) -> Result<Vec<String>> {
    let mut notes = Vec::new();
    let Some(after) = entries.iter().find(|entry| entry.program.role == Role::After) else {
        return Ok(notes);
    };
    for entry in entries {
        match entry.program.role {
            Role::Before => notes.extend(answers::differences(&entry.answers, &after.answers)?),
            Role::After => {}
            Role::Baseline => {
                let pairs = entry.answers.iter().zip(&after.answers);
                let same = pairs.filter(|(theirs, ours)| theirs.length == ours.length).count();
                let (name, count) = (&entry.program.name, after.answers.len());
                notes.push(format!("{name}: {same} of {count} solutions have the same length"));
            }
        }
    }
    Ok(notes)
}

/// Runs all programs in turn, in reverse order in every second repetition.
fn time(entries: &mut [Entry<'_>], rounds: u16) -> Result<()> {
    let start = Instant::now();
    for round in 0..rounds * MAX_REPEATS {
        if round >= rounds && start.elapsed() > MIN_TIME {
            break;
        }
        let run = |entry: &mut Entry<'_>| -> Result<()> {
            entry.seconds.push(entry.call.seconds()?);
            Ok(())
        };
        match round % 2 {
            0 => entries.iter_mut().try_for_each(run)?,
            _ => entries.iter_mut().rev().try_for_each(run)?,
        }
    }
    Ok(())
}

/// Returns the median of the ratios of all repetitions: a disturbance that lasts for a whole repetition cancels out.
fn ratio(before: &[f64], after: &[f64]) -> f64 {
    let ratios: Vec<f64> = before.iter().zip(after).map(|(before, after)| after / before).collect();
    median(&ratios)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_repetition_does_not_change_the_ratio() {
        assert_eq!(ratio(&[1.0, 50.0, 1.0], &[2.0, 100.0, 2.0]), 2.0);
        assert_eq!(ratio(&[1.0, 1.0, 1.0], &[1.5, 9.0, 1.5]), 1.5);
    }
}
