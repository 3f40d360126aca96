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

/// An instruction set, as `LOYD_CPU` names it.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Level {
    Avx512,
    Avx2,
    Scalar,
}

impl Level {
    const fn name(self) -> &'static str {
        match self {
            Self::Avx512 => "avx512",
            Self::Avx2 => "avx2",
            Self::Scalar => "scalar",
        }
    }
}

/// The programs to time, and the results so far.
pub struct Bench<'a> {
    programs: Vec<Program>,
    /// The instruction sets, each of which has a line per row; `None` is the best of this machine.
    levels: Vec<Option<Level>>,
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

/// A program that solved a row correctly with an instruction set.
struct Entry<'a> {
    program: &'a Program,
    level: Option<Level>,
    call: Call,
    answers: Vec<Answer>,
    peak: u64,
    seconds: Vec<f64>,
}

/// A line of the table of results.
struct Line {
    name: String,
    text: String,
    /// The time of the program in relation to that of the program before.
    ratio: Option<f64>,
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
        levels: &[Level],
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
        let levels = match levels {
            [] => vec![None],
            levels => levels.iter().copied().map(Some).collect(),
        };
        Self { programs, levels, rounds, place, worse: Vec::new(), failed: Vec::new() }
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

    /// Checks and times a row, and prints a line for each instruction set.
    pub fn run(&mut self, row: &Row) {
        match self.measure(row) {
            Ok(lines) => {
                for Line { name, text, ratio } in lines {
                    print_line(text);
                    if let Some(ratio) = ratio.filter(|&ratio| ratio > SLOWER) {
                        self.worse.push(format!("{name} ({ratio:.3})"));
                    }
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

    /// Returns the lines of the table for a row.
    fn measure(&self, row: &Row) -> Result<Vec<Line>> {
        let after = self.programs.iter().find(|program| program.role == Role::After);
        let file = self.place.path("boards.txt");
        row.boards.write(&after.context("no program to time")?.path, &file)?;
        let text = fs::read_to_string(&file)?;
        let boards = text.lines().map(Board::parse).collect::<Result<Vec<Board>>>()?;
        let mut entries: Vec<Entry<'_>> = Vec::new();
        let mut notes = Vec::new();
        for &level in &self.levels {
            let mut of_level = Vec::new();
            for program in &self.programs {
                let checked = self.check((program, level), row, &file, &boards);
                match checked.with_context(|| program.name.clone())? {
                    FirstRun::Correct(entry) => entries.push(entry),
                    FirstRun::Unsupported(note) => of_level.push(note),
                }
            }
            of_level.extend(compared(&entries, level)?);
            notes.push(of_level);
        }
        time(&mut entries, self.rounds)?;
        let lines = self.levels.iter().zip(notes).map(|(&level, notes)| {
            let entries: Vec<&Entry<'_>> =
                entries.iter().filter(|entry| entry.level == level).collect();
            self.line((row, level), &entries, &notes)
        });
        Ok(lines.collect())
    }

    /// Runs `program` once with the instruction set `level` and reads its solutions.
    fn check<'p>(
        &self,
        (program, level): (&'p Program, Option<Level>),
        row: &Row,
        file: &Path,
        boards: &[Board],
    ) -> Result<FirstRun<'p>> {
        let call = self.call((program, level), row, file);
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
            // The processor does not have these instructions.
            (Role::After, Some(2)) if level.is_some() => {
                return Ok(FirstRun::Unsupported(problem.to_owned()));
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
        let seconds = Vec::new();
        Ok(FirstRun::Correct(Entry { program, level, call, answers, peak: run.peak, seconds }))
    }

    fn call(&self, (program, level): (&Program, Option<Level>), row: &Row, file: &Path) -> Call {
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
        call.variables.extend(level.map(|level| ("LOYD_CPU", level.name())));
        call
    }

    fn line(
        &self,
        (row, level): (&Row, Option<Level>),
        entries: &[&Entry<'_>],
        notes: &[String],
    ) -> Line {
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
        let name = match level {
            Some(level) => format!("{}, {}", row.name, level.name()),
            None => row.name.to_owned(),
        };
        let (command, count) = (row.command(), row.boards.count());
        let (megabytes, notes) = (megabytes.join(", "), notes.join("; "));
        let text = format!(
            "| {name} | `{command}` | {count} | {mean:.2} | {times} |{shown} {megabytes} | {notes} |"
        );
        Line { name, text, ratio }
    }
}

/// Returns notes on differences between the solutions of the programs with the instruction set `level`. The program's
/// own solutions are also compared with its solutions for the first instruction set.
fn compared(entries: &[Entry<'_>], level: Option<Level>) -> Result<Vec<String>> {
    let mut notes = Vec::new();
    let mut of_program = entries.iter().filter(|entry| entry.program.role == Role::After);
    let after = of_program.clone().find(|entry| entry.level == level);
    let (Some(first), Some(after)) = (of_program.next(), after) else { return Ok(notes) };
    for entry in entries.iter().filter(|entry| entry.level == level) {
        match entry.program.role {
            Role::Before => notes.extend(answers::differences(&entry.answers, &after.answers)?),
            Role::After => {
                let unlike = answers::differences(&first.answers, &entry.answers)?;
                notes.extend(unlike.iter().map(|note| format!("between instruction sets: {note}")));
            }
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
