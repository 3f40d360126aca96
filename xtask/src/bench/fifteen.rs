//! The 15-puzzle with pattern databases: `loyd solve` on published boards, beside other programs.
//!
//! What a search takes is what `--output json` says of each board, tables in memory; whole processes
//! are timed from outside. Every answer is replayed, and has the length that the list gives.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, bail};
use loyd::notation::{parse_board, parse_moves};
use serde_json::Value;

use super::measure::median_and_least;
use super::{Workplace, pin_to_one_core, print_machine};
use crate::Result;
use crate::run::release_build;

/// The 15-puzzle with pattern databases.
#[derive(clap::Args)]
pub struct Args {
    /// Korf's hundred boards: name, length and tiles on each line, blank first
    korf: PathBuf,
    /// Boards at the greatest distance, in the same form
    #[arg(long, value_name = "FILE")]
    far: Option<PathBuf>,
    /// A folder with the programs `pdb78` and `pdb_partition`, to be timed beside
    #[arg(long, value_name = "FOLDER")]
    beside: Option<PathBuf>,
    /// Runs of each
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    runs: u16,
    /// Time Manhattan distance through the generic search too, which takes minutes
    #[arg(long)]
    manhattan: bool,
}

/// Boards that are searched with certain tables, the tables being there.
struct Warm {
    name: &'static str,
    tables: &'static str,
    cpu: &'static str,
    far: bool,
    limit_ms: f64,
    stretch_ms: f64,
    /// The program and its arguments that do the same in shorthand.
    beside: Option<[&'static str; 3]>,
}

const HALVES: &str = "1,4,5,8,9,12,13";
const ROWS: &str = "1,2,3,4,5,6,7/8,9,10,12,13,14,15/11";

const WARM: &[Warm] = &[
    Warm {
        name: "100 random boards",
        tables: "7-8",
        cpu: "",
        far: false,
        limit_ms: 0.32,
        stretch_ms: 0.22,
        beside: Some(["pdb78", HALVES, "32"]),
    },
    Warm {
        name: "100 random boards",
        tables: "7-7-1",
        cpu: "",
        far: false,
        limit_ms: 0.75,
        stretch_ms: 0.55,
        beside: Some(["pdb_partition", ROWS, "32"]),
    },
    Warm {
        name: "100 random boards",
        tables: "7-8",
        cpu: "scalar",
        far: false,
        limit_ms: 1.4,
        stretch_ms: 1.0,
        beside: None,
    },
    Warm {
        name: "boards of 80 moves",
        tables: "7-8",
        cpu: "",
        far: true,
        limit_ms: 150.0,
        stretch_ms: 100.0,
        beside: Some(["pdb78", HALVES, "32"]),
    },
];

pub fn run(args: &Args) -> Result<()> {
    let bench = Fifteen { loyd: release_build()?, place: Workplace::new()?, args };
    bench.prepare()?;
    bench.two_threads()?;
    bench.processes()?;
    let core = pin_to_one_core()?;
    bench.builds()?;
    bench.warm()?;
    if args.manhattan {
        bench.manhattan()?;
    }
    print_machine(core);
    Ok(())
}

struct Fifteen<'a> {
    loyd: PathBuf,
    place: Workplace,
    args: &'a Args,
}

impl Fifteen<'_> {
    fn cache(&self) -> PathBuf {
        self.place.path("tables")
    }

    fn loyd(&self, cache: &Path) -> Command {
        let mut command = Command::new(&self.loyd);
        command.env("LOYD_CACHE", cache).env_remove("LOYD_CPU");
        command
    }

    /// Makes all tables.
    fn prepare(&self) -> Result<()> {
        for tables in ["6-6-3", "7-7-1", "7-8"] {
            output(self.loyd(&self.cache()).args(["pdb", "build", tables]))?;
        }
        Ok(())
    }

    /// Milliseconds of each board of `list`. The first line is a warm-up that is not counted: it pays
    /// for reading the tables.
    fn solve(&self, list: &Path, cpu: &str, options: &[&str]) -> Result<Vec<f64>> {
        let text = fs::read_to_string(list)?;
        let first = text.lines().next().context("an empty list")?;
        let file = self.place.path("boards.txt");
        fs::write(&file, format!("{first}\n{text}"))?;
        let mut command = self.loyd(&self.cache());
        command.args(["solve", "--input", "korf", "--output", "json"]).args(options);
        command.arg("-f").arg(&file);
        if !cpu.is_empty() {
            command.env("LOYD_CPU", cpu);
        }
        let records = output(&mut command)?;
        records.lines().skip(1).map(checked_milliseconds).collect()
    }

    fn list(&self, far: bool) -> Option<&Path> {
        if far { self.args.far.as_deref() } else { Some(&self.args.korf) }
    }

    fn warm(&self) -> Result<()> {
        println!(
            "| boards | tables | instructions | mean ms | beside, ms | ratio | limit | stretch |"
        );
        println!("|---|---|---|---|---|---|---|---|");
        for row in WARM {
            let Some(list) = self.list(row.far) else { continue };
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            for _ in 0..self.args.runs {
                let times =
                    self.solve(list, row.cpu, &["--tables", row.tables, "--threads", "1"])?;
                ours.push(mean(&times));
                if let (Some(folder), Some(program)) = (&self.args.beside, row.beside) {
                    theirs.push(beside(folder, &program, list)?.1);
                }
            }
            let (ours, _) = median_and_least(ours.into_iter());
            let compared = match theirs.is_empty() {
                true => " | ".to_owned(),
                false => {
                    let (theirs, _) = median_and_least(theirs.into_iter());
                    format!("{theirs:.3} | {:.2}", ours / theirs)
                }
            };
            let cpu = if row.cpu.is_empty() { "best" } else { row.cpu };
            let (limit, stretch) = (row.limit_ms, row.stretch_ms);
            let verdict = verdict(ours, limit);
            println!(
                "| {} | {} | {cpu} | {ours:.3} | {compared} | {limit}{verdict} | {stretch} |",
                row.name, row.tables
            );
        }
        println!();
        Ok(())
    }

    fn builds(&self) -> Result<()> {
        println!("| tables built, whole process | s | beside, s | ratio |");
        println!("|---|---|---|---|");
        let shorthand = [
            ("6-6-3", None),
            ("7-7-1", Some(["pdb_partition", ROWS, "32"])),
            ("7-8", Some(["pdb78", HALVES, "32"])),
        ];
        for (tables, program) in shorthand {
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            for _ in 0..self.args.runs.min(5) {
                let cache = self.empty_cache()?;
                let start = Instant::now();
                output(self.loyd(&cache).args(["pdb", "build", tables, "--threads", "1"]))?;
                ours.push(start.elapsed().as_secs_f64());
                if let (Some(folder), Some(program)) = (&self.args.beside, program) {
                    theirs.push(beside(folder, &program, &self.args.korf)?.0);
                }
            }
            let (ours, _) = median_and_least(ours.into_iter());
            let compared = match theirs.is_empty() {
                true => " | ".to_owned(),
                false => {
                    let (theirs, _) = median_and_least(theirs.into_iter());
                    format!("{theirs:.3} | {:.2}", ours / theirs)
                }
            };
            println!("| {tables} | {ours:.3} | {compared} |");
        }
        println!();
        Ok(())
    }

    fn empty_cache(&self) -> Result<PathBuf> {
        let cache = self.place.path("empty");
        if cache.exists() {
            fs::remove_dir_all(&cache)?;
        }
        Ok(cache)
    }

    /// One process a board, on all cores: with nothing on disk, and with tables there.
    fn processes(&self) -> Result<()> {
        println!("| one board, whole process | median ms | worst ms |");
        println!("|---|---|---|");
        for (name, far, cold) in [
            ("100 random boards, no tables on disk", false, true),
            ("100 random boards, tables on disk", false, false),
            ("boards of 80 moves, no tables on disk", true, true),
            ("boards of 80 moves, tables on disk", true, false),
        ] {
            let Some(list) = self.list(far) else { continue };
            let mut times = Vec::new();
            for line in fs::read_to_string(list)?.lines() {
                let cache = if cold { self.empty_cache()? } else { self.cache() };
                times.push(self.process(&cache, line)?);
            }
            let worst = times.iter().copied().fold(0.0, f64::max);
            let (median, _) = median_and_least(times.into_iter());
            println!("| {name} | {median:.1} | {worst:.1} |");
        }
        println!();
        Ok(())
    }

    /// Milliseconds of a process that solves the board of `line`.
    fn process(&self, cache: &Path, line: &str) -> Result<f64> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let start = Instant::now();
        let mut command = self.loyd(cache);
        command.args(["solve", &words[2..].join(" "), "--goal", "blank-first"]);
        let moves = output(&mut command)?;
        let milliseconds = start.elapsed().as_secs_f64() * 1e3;
        if moves.trim().len() != words[1].parse::<usize>()? {
            bail!("`{line}` is answered with {} moves", moves.trim().len());
        }
        Ok(milliseconds)
    }

    /// What a second thread brings: to hard boards, and to many. Two programs of one thread each show
    /// what the machine allows, for threads share its caches and its memory.
    fn two_threads(&self) -> Result<()> {
        println!(
            "| two threads against one | one, ms | two, ms | times as fast | limit | two programs |"
        );
        println!("|---|---|---|---|---|---|");
        let many = self.place.path("many.txt");
        fs::write(&many, fs::read_to_string(&self.args.korf)?.repeat(20))?;
        let mut figures = [Vec::new(), Vec::new(), Vec::new()];
        for _ in 0..self.args.runs {
            for (place, threads) in [&["1"][..], &["2"], &["1", "1"]].into_iter().enumerate() {
                figures[place].push(self.all_at_once(&many, threads)?);
            }
        }
        let [one, two, both] = figures.map(|times| median_and_least(times.into_iter()).0);
        let (times, ceiling) = (one / two, 2.0 * one / both);
        let name = "2,000 random boards, 7-7-1, all";
        let missed = if times < 1.8 { ", **missed**" } else { "" };
        println!("| {name} | {one:.1} | {two:.1} | {times:.2} | 1.8{missed} | {ceiling:.2} |");
        if let Some(far) = &self.args.far {
            let mut figures = [Vec::new(), Vec::new()];
            for _ in 0..self.args.runs {
                for (threads, figures) in ["1", "2"].iter().zip(&mut figures) {
                    figures.push(self.one_by_one(far, threads)?);
                }
            }
            let [one, two] = figures.map(|times| median_and_least(times.into_iter()).0);
            let (name, times) = ("boards of 80 moves, 7-8, mean", one / two);
            let missed = if times < 1.6 { ", **missed**" } else { "" };
            println!("| {name} | {one:.1} | {two:.1} | {times:.2} | 1.6{missed} | |");
        }
        println!();
        Ok(())
    }

    /// Mean of boards that are solved in a process of their own each.
    fn one_by_one(&self, list: &Path, threads: &str) -> Result<f64> {
        let mut times = Vec::new();
        for line in fs::read_to_string(list)?.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let mut command = self.loyd(&self.cache());
            command.args(["solve", "--tables", "7-8", "--threads", threads, "--output", "json"]);
            command.args(["--goal", "blank-first", &words[2..].join(" ")]);
            let record: Value = serde_json::from_str(&output(&mut command)?)?;
            let (all, tables) = (&record["elapsed_ns"], &record["tables_ns"]);
            let nanoseconds = all.as_f64().context("no time")? - tables.as_f64().unwrap_or(0.0);
            times.push(nanoseconds * 1e-6);
        }
        Ok(mean(&times))
    }

    /// Milliseconds until programs that are started together, of so many threads each, have solved all
    /// boards of `list`.
    fn all_at_once(&self, list: &Path, threads: &[&str]) -> Result<f64> {
        let start = Instant::now();
        let programs = threads.iter().map(|threads| {
            let mut command = self.loyd(&self.cache());
            command.args(["solve", "--input", "korf", "--tables", "7-7-1", "--threads", threads]);
            command.arg("-f").arg(list).stdout(Stdio::null()).spawn()
        });
        for program in programs.collect::<Vec<_>>() {
            if !program?.wait()?.success() {
                bail!("`loyd solve` failed");
            }
        }
        Ok(start.elapsed().as_secs_f64() * 1e3)
    }

    fn manhattan(&self) -> Result<()> {
        let options = ["--algorithm", "idastar", "--heuristic", "manhattan", "--threads", "1"];
        let times = self.solve(&self.args.korf, "", &options)?;
        let seconds = times.iter().sum::<f64>() * 1e-3;
        println!("Manhattan distance, all {} boards: {seconds:.1} s (at most 95).\n", times.len());
        Ok(())
    }
}

/// What `command` prints.
fn output(command: &mut Command) -> Result<String> {
    let output = command.output()?;
    if !output.status.success() {
        bail!("{command:?} failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// The time of a record, once its answer is replayed.
fn checked_milliseconds(record: &str) -> Result<f64> {
    let record: Value = serde_json::from_str(record)?;
    let text = |key: &str| record[key].as_str().with_context(|| format!("no {key}: {record}"));
    let moves = parse_moves(text("moves")?)?;
    let mut board = parse_board(text("board")?, None)?;
    for &step in &moves {
        board.apply(step)?;
    }
    let expected = record["expected"].as_u64().context("no expected length")?;
    if board != parse_board(text("goal")?, None)? || moves.len() as u64 != expected {
        bail!("a wrong answer: {record}");
    }
    Ok(record["elapsed_ns"].as_f64().context("no time")? * 1e-6)
}

fn mean(times: &[f64]) -> f64 {
    times.iter().sum::<f64>() / times.len() as f64
}

fn verdict(figure: f64, limit: f64) -> &'static str {
    if figure <= limit { "" } else { ", **missed**" }
}

/// Seconds that a throw-away program takes to build its tables, and milliseconds a board.
fn beside(folder: &Path, program: &[&str; 3], list: &Path) -> Result<(f64, f64)> {
    let [name, tables, depth] = program;
    let mut command = Command::new(folder.join(name));
    command.args([tables, depth]).arg(list).arg("1");
    let output = command.output()?;
    let text =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    let text = text.join("\n") + "\n";
    let number = |before: &str, after: &str| -> Result<f64> {
        let found = text.split_once(before).with_context(|| format!("{name}: {text}"))?.1;
        let word = found.trim_start().split(after).next().unwrap_or("");
        Ok(word.trim().parse()?)
    };
    Ok((number("built cpu", "\n")?, number("rep 0:", "ms/inst")?))
}
