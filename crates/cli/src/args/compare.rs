//! The arguments of `loyd compare`, `loyd plot` and `loyd experiment`.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::builder::TypedValueParser;
use clap::{Args, ValueEnum};
use loyd::moves::Metric;
use loyd::search::{ClosedKind, Prune, Shard, Weight};
use loyd_lab::compare::{PRESETS, Preset};
use loyd_lab::experiment::{EXPERIMENTS, Experiment};

use super::names::{Names, metric_parser, prune};
use super::pdb::CacheArgs;
use super::scramble::Lengths;
use super::search::{algorithm_parser, closed_parser, heuristic_parser, or_cores};
use super::{Export, LimitArgs, OnArgs, Output, ProblemArgs, ProgressArgs};
use crate::units;

/// Run searches side by side on the same boards and compare their cost.
///
/// Every algorithm runs on every board, with every heuristic, closed list, weight and pruning method that it uses.
/// Each search has one thread, so counts do not depend on --threads. With --save, results are written as JSON Lines: a
/// header that describes the comparison, then one run per line.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd compare --preset realms\n  \
    loyd compare --algorithms A*,IDA* --heuristics manhattan,walking-distance -n 100 --seed 7\n  \
    loyd compare --preset classics --length 1-31 -n 100 --seed 7 --save classics.jsonl\n  \
    loyd compare --preset weights --size 4x4 --length 30,40 -n 10 --seed 1\n  \
    loyd compare --preset classics --length 1-31 -n 100 --seed 7 --shard 0/4 --save classics-0.jsonl --resume\n  \
    loyd compare --preset classics --length 1-31 -n 100 --seed 7 --save classics.jsonl --on nats://localhost:4222\n  \
    loyd compare --algorithms idastar -f boards.txt --output csv > runs.csv\n  \
    loyd compare --algorithms idastar --prune undo,automaton=8,automaton=12 --size 4x4 --length 30,40\n  \
    loyd compare --results classics.jsonl --output markdown --export html:classics.html")]
pub struct CompareArgs {
    #[command(flatten)]
    pub boards: ComparedBoards,
    #[command(flatten)]
    pub rows: ComparedRows,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub cache: CacheArgs,
    /// Number of searches that run at a time [default: one per core]
    #[arg(
        long,
        value_name = "N",
        value_parser = units::positive::<NonZeroUsize>,
        allow_negative_numbers = true
    )]
    pub threads: Option<NonZeroUsize>,
    /// Write the results to FILE as runs end
    #[arg(long, value_name = "FILE", conflicts_with = "results")]
    pub save: Option<PathBuf>,
    /// Resume the comparison saved in FILE, or start afresh if it does not exist
    #[arg(long, requires = "save")]
    pub resume: bool,
    /// Do one of N shares of the work, 0/N to (N-1)/N; `loyd merge` joins the results.
    ///
    /// The share of a comparison is every Nth board (with --output json or --save).
    #[arg(long, value_name = "I/N", conflicts_with_all = ["results", "on"])]
    pub shard: Option<Shard>,
    #[command(flatten)]
    pub on: OnArgs,
    /// Summarise the comparison saved in FILE, without searching
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["boards", "file", "number", "length", "preset", "algorithms", "heuristics"]
    )]
    pub results: Option<PathBuf>,
    /// Also write FORM to PATH: csv, parquet or lab (runs), markdown (summary), html (report) or svg (a folder of
    /// plots); may be repeated
    #[arg(long, value_name = "FORM:PATH")]
    pub export: Vec<Export>,
    /// What to print
    #[arg(long, value_enum, value_name = "FORM", default_value_t = CompareOutput::Text)]
    pub output: CompareOutput,
    #[command(flatten)]
    pub progress: ProgressArgs,
}

impl CompareArgs {
    /// Returns the number of searches that run at a time.
    pub fn threads(&self) -> NonZeroUsize {
        or_cores(self.threads)
    }
}

/// The boards of a comparison.
#[derive(Debug, Args)]
pub struct ComparedBoards {
    /// One board per argument [default: 20 drawn ones]
    #[arg(value_name = "BOARD")]
    pub boards: Vec<String>,
    /// Read boards from FILE, or from standard input if it is `-`
    #[arg(short, long, value_name = "FILE", conflicts_with = "boards")]
    pub file: Option<PathBuf>,
    /// Draw N solvable boards, all equally likely, or N of each length with --length [default: 20, or 1 of each length]
    #[arg(
        short = 'n',
        long,
        value_name = "N",
        value_parser = units::positive::<NonZeroU64>,
        allow_negative_numbers = true,
        conflicts_with_all = ["boards", "file"]
    )]
    pub number: Option<NonZeroU64>,
    /// Draw boards whose shortest solutions have exactly MOVES moves, as in 10,20,30-40
    #[arg(long, value_name = "MOVES", conflicts_with_all = ["boards", "file"], allow_negative_numbers = true)]
    pub length: Option<Lengths>,
    /// Seed for drawn boards
    #[arg(
        long,
        value_name = "SEED",
        default_value = "1",
        value_parser = units::natural::<u64>,
        allow_negative_numbers = true
    )]
    pub seed: u64,
    #[command(flatten)]
    pub problem: ProblemArgs,
}

/// The searches of a comparison.
#[derive(Debug, Args)]
pub struct ComparedRows {
    /// Named comparison: realms, classics, weights, heuristics, duplicates or bidirectional
    #[arg(
        long,
        value_name = "NAME",
        long_help = preset_help(),
        value_parser = preset_parser(),
        hide_possible_values = true,
        conflicts_with_all = ["algorithms", "heuristics", "closed", "weights", "prune"]
    )]
    pub preset: Option<&'static Preset>,
    /// Algorithms: comma-separated names from `loyd list algorithms` [default: bfs,astar,idastar]
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        value_parser = algorithm_parser(),
        hide_possible_values = true
    )]
    pub algorithms: Vec<&'static str>,
    /// Heuristics: comma-separated names from `loyd list heuristics` [default: manhattan; line-crossings in mtm]
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        value_parser = heuristic_parser(),
        hide_possible_values = true
    )]
    pub heuristics: Vec<&'static str>,
    /// Closed lists, comma-separated: ordered, hashed, ranked [default: the best for the board]
    #[arg(
        long,
        value_name = "KINDS",
        value_delimiter = ',',
        value_parser = closed_parser(),
        hide_possible_values = true
    )]
    pub closed: Vec<ClosedKind>,
    /// Weights of wastar, comma-separated [default: 2]
    #[arg(long, value_name = "WEIGHTS", value_delimiter = ',', allow_negative_numbers = true)]
    pub weights: Vec<Weight>,
    /// Move sequences that depth-first searches skip: undo or automaton[=WORDS], as in undo,automaton=8,automaton=12
    /// [default: as for `loyd solve`]
    #[arg(long, value_name = "HOWS", value_delimiter = ',', value_parser = prune)]
    pub prune: Vec<Prune>,
    /// Move metric: stm counts each tile moved, mtm each slide of any number of tiles in a line
    #[arg(long, value_name = "METRIC", value_parser = metric_parser(), hide_possible_values = true, default_value_t)]
    pub metric: Metric,
}

/// The output formats of `loyd compare`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CompareOutput {
    /// Human-readable summary
    Text,
    /// The runs as JSON Lines, as --save writes them
    Json,
    /// One line for each run
    Csv,
    /// The summary as a table
    Markdown,
    /// The runs as `properties` of Downward Lab
    Lab,
}

fn preset_help() -> String {
    let lines = PRESETS.iter().map(|preset| format!("\n- {}: {}", preset.name, preset.summary));
    format!("Named comparison:{}", lines.collect::<String>())
}

fn preset_parser() -> impl TypedValueParser<Value = &'static Preset> {
    Names::new(PRESETS.iter().map(|preset| preset.name), &[])
        .map(|name| Preset::named(&name).expect("the parser accepts only these names"))
}

/// Plot, report or export the results of a comparison.
///
/// Plots are SVG files and the report is one HTML page; neither runs scripts or loads resources. There are plots of
/// nodes, time and memory against the length of a shortest solution, of the growth of iterations, of quality and nodes
/// against the weight, and of each heuristic against the true distance, if the results contain these values.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd plot results.jsonl --export svg:plots\n  \
    loyd plot results.jsonl --export html:report.html --export csv:runs.csv")]
pub struct PlotArgs {
    /// Results written by `loyd compare`; `-` is standard input
    #[arg(value_name = "RESULTS")]
    pub results: PathBuf,
    /// Write FORM to PATH: svg (a folder of plots), html (tables, plots and the command that repeats the comparison),
    /// csv, parquet or lab (runs), or markdown (summary); may be repeated
    #[arg(long, value_name = "FORM:PATH", required = true)]
    pub export: Vec<Export>,
}

/// Test a claim about the 8-puzzle.
///
/// Each experiment has a claim, figures, plots and a verdict: the claim holds, holds in part, or fails. Figures about
/// time differ from run to run; all others are the same on every machine. `loyd list experiments` lists the claims.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd experiment blank-in-parity\n  \
    loyd experiment astar-and-bibfs --save pages\n  \
    loyd experiment --all --save docs/experiments")]
pub struct ExperimentArgs {
    /// Experiments to run, from `loyd list experiments`
    #[arg(
        value_name = "NAME",
        value_parser = experiment_parser(),
        hide_possible_values = true,
        required_unless_present = "all"
    )]
    pub names: Vec<&'static Experiment>,
    /// Test all claims; with --save, also write README.md, which lists them
    #[arg(long, conflicts_with = "names")]
    pub all: bool,
    /// Write a page (NAME.md) and its plots (NAME.svg) into DIR for each experiment
    #[arg(long, value_name = "DIR")]
    pub save: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Output::Text)]
    pub output: Output,
}

fn experiment_parser() -> impl TypedValueParser<Value = &'static Experiment> {
    Names::new(EXPERIMENTS.iter().map(|row| row.name), &[]).try_map(|name| Experiment::named(&name))
}
