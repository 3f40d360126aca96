//! The arguments of `loyd compare`.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::builder::TypedValueParser;
use clap::{Args, ValueEnum};
use loyd::moves::Metric;
use loyd::search::{Closed, Prune, Weight};
use loyd_lab::compare::{PRESETS, Preset};

use super::batch::or_cores;
use super::names::{Names, metric_parser, prune};
use super::pdb::CacheArgs;
use super::scramble::Lengths;
use super::search::{algorithm_parser, closed_parser, heuristic_parser};
use super::{LimitArgs, Output, ProblemArgs, ProgressArgs};
use crate::units;

/// Run searches side by side on the same boards, and compare what they cost.
///
/// Every algorithm runs with every heuristic, closed list, weight and way to prune that it uses, on every board. Each search has one
/// thread, so that counts do not depend on --threads. With --save, the results are kept as JSON Lines: the first line
/// says how they were made, the others have a run each.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd compare --preset realms\n  \
    loyd compare --algorithms A*,IDA* --heuristics manhattan,walking-distance --random 100 --seed 7\n  \
    loyd compare --preset classics --lengths 1-31 --each 100 --seed 7 --save classics.jsonl\n  \
    loyd compare --preset weights --size 4x4 --lengths 30,40 --each 10 --seed 1\n  \
    loyd compare --algorithms idastar -f boards.txt --export csv > runs.csv\n  \
    loyd compare --algorithms idastar --prune undo,automaton=8,automaton=12 --size 4x4 --lengths 30,40\n  \
    loyd compare --from classics.jsonl --export markdown --report classics.html")]
pub struct CompareArgs {
    #[command(flatten)]
    pub boards: ComparedBoards,
    #[command(flatten)]
    pub rows: ComparedRows,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub cache: CacheArgs,
    /// Run so many searches at a time [default: one for each core]
    #[arg(
        long,
        value_name = "N",
        value_parser = units::positive::<NonZeroUsize>,
        allow_negative_numbers = true
    )]
    pub threads: Option<NonZeroUsize>,
    /// Write the results to FILE, as runs end
    #[arg(long, value_name = "FILE", conflicts_with = "from")]
    pub save: Option<PathBuf>,
    /// Continue the comparison that was saved in FILE, or begin it if there is no such file
    #[arg(long, requires = "save")]
    pub resume: bool,
    /// Summarise the comparison that was saved in FILE, and search for nothing
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["boards", "file", "random", "lengths", "preset", "algorithms", "heuristics"]
    )]
    pub from: Option<PathBuf>,
    /// Write tables, plots and the command that makes the comparison again into FILE, as HTML
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Print the runs (csv, parquet, lab: the `properties` of Downward Lab) or the summary (markdown) in another form
    #[arg(
        long,
        value_enum,
        value_name = "FORM",
        conflicts_with = "output",
        hide_possible_values = true
    )]
    pub export: Option<Export>,
    /// What to print: a summary for people, or the results as JSON Lines, as --save writes them
    #[arg(long, value_enum, default_value_t = Output::Text)]
    pub output: Output,
    #[command(flatten)]
    pub progress: ProgressArgs,
}

impl CompareArgs {
    /// The number of threads.
    pub fn threads(&self) -> NonZeroUsize {
        or_cores(self.threads)
    }
}

/// On which boards.
#[derive(Debug, Args)]
pub struct ComparedBoards {
    /// One board in each argument [default: --random 20, with the seed 1]
    #[arg(value_name = "BOARD")]
    pub boards: Vec<String>,
    /// Read boards from FILE, `-` being standard input
    #[arg(short, long, value_name = "FILE", conflicts_with = "boards")]
    pub file: Option<PathBuf>,
    /// Draw N boards that can be solved, each as likely as any other
    #[arg(
        long,
        value_name = "N",
        value_parser = units::positive::<NonZeroU64>,
        allow_negative_numbers = true,
        conflicts_with_all = ["boards", "file", "lengths"]
    )]
    pub random: Option<NonZeroU64>,
    /// Draw boards whose shortest solutions have exactly so many moves, as in 10,20,30-40
    #[arg(long, value_name = "MOVES", conflicts_with_all = ["boards", "file"], allow_negative_numbers = true)]
    pub lengths: Option<Lengths>,
    /// How many boards of each length
    #[arg(
        long,
        value_name = "N",
        default_value = "1",
        value_parser = units::positive::<NonZeroU64>,
        allow_negative_numbers = true
    )]
    pub each: NonZeroU64,
    /// The seed of boards that are drawn
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

/// Which searches.
#[derive(Debug, Args)]
pub struct ComparedRows {
    /// A comparison with a name: realms, classics, weights, heuristics, duplicates or bidirectional
    #[arg(
        long,
        value_name = "NAME",
        long_help = preset_help(),
        value_parser = preset_parser(),
        hide_possible_values = true,
        conflicts_with_all = ["algorithms", "heuristics", "closed", "weights", "prune"]
    )]
    pub preset: Option<&'static Preset>,
    /// Names of `loyd list algorithms`, with commas between them [default: bfs,astar,idastar]
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        value_parser = algorithm_parser(),
        hide_possible_values = true
    )]
    pub algorithms: Vec<&'static str>,
    /// Names of `loyd list heuristics`, with commas between them [default: manhattan; line-crossings in mtm]
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        value_parser = heuristic_parser(),
        hide_possible_values = true
    )]
    pub heuristics: Vec<&'static str>,
    /// Closed lists: ordered, hashed, ranked, with commas between them [default: the best for the board]
    #[arg(
        long,
        value_name = "KINDS",
        value_delimiter = ',',
        value_parser = closed_parser(),
        hide_possible_values = true
    )]
    pub closed: Vec<Closed>,
    /// Weights of wastar, with commas between them [default: 2]
    #[arg(long, value_name = "WEIGHTS", value_delimiter = ',', allow_negative_numbers = true)]
    pub weights: Vec<Weight>,
    /// What depth-first searches leave out: undo or automaton[=WORDS], as in undo,automaton=8,automaton=12 [default: as
    /// solve chooses it]
    #[arg(long, value_name = "HOWS", value_delimiter = ',', value_parser = prune)]
    pub prune: Vec<Prune>,
    /// What counts as a move: stm, each tile, or mtm, each slide of one or more tiles in a line
    #[arg(long, value_name = "METRIC", value_parser = metric_parser(), hide_possible_values = true, default_value_t)]
    pub metric: Metric,
}

/// Forms of other programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Export {
    /// A line for each run
    Csv,
    /// A row for each run
    Parquet,
    /// The summary as a table
    Markdown,
    /// The `properties` of Downward Lab
    Lab,
}

fn preset_help() -> String {
    let lines = PRESETS.iter().map(|preset| format!("\n- {}: {}", preset.name, preset.summary));
    format!("A comparison with a name:{}", lines.collect::<String>())
}

fn preset_parser() -> impl TypedValueParser<Value = &'static Preset> {
    Names::new(PRESETS.iter().map(|preset| preset.name), &[])
        .map(|name| Preset::named(&name).expect("the parser admits names only"))
}
