//! The arguments of `loyd solve`, `loyd merge` and `loyd trace`.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::{Arg, ArgAction, Args, ValueEnum};
use loyd::Config;
use loyd::notation::{Notation, Style};
use loyd::search::{Direction, Shard};
use loyd_lab::trace::TraceFormat;

use super::pdb::CacheArgs;
use super::search::{or_cores, with_time_by_quality};
use super::shared::with_korf_goal;
use super::{Export, LimitArgs, OnArgs, Output, ProblemArgs, ProgressArgs, SearchArgs, StyleArgs};
use crate::units;

/// Solve boards with as few moves as the time limit allows.
///
/// If a solution is not proved shortest, a note on standard error reports the proved bounds. With --quality optimal, a
/// board gets a shortest solution or none.
///
/// Boards come from arguments, a file or standard input, in any common form, including JSON records with a `board`
/// field. A single argument that is not a board may be a file name.
// Headings appear in the order of their first field below; `with_headings` adds them.
#[derive(Debug, Args)]
#[command(
    disable_help_flag = true,
    arg(help_flag()),
    mut_arg("goal", with_korf_goal),
    mut_arg("max_time", with_time_by_quality),
    after_help = "Examples:\n  \
    loyd solve \"2 3 4 1 5 x 7 6 8\"\n  \
    loyd solve 23415x768 --output grid\n  \
    loyd solve 23415x768 --all\n  \
    loyd solve -f boards.txt --output json\n  \
    loyd solve -f large.txt --quality fast\n  \
    loyd solve \"5 1 2 3/4 x 6 7\" --goal blank-first\n  \
    loyd solve \"$BOARD\" --quality optimal --max-time none --save answer.txt --resume",
    after_long_help = "Examples:\n  \
    loyd solve \"2 3 4 1 5 x 7 6 8\"\n  \
    loyd solve 23415x768 --algorithm astar --heuristic manhattan --stats\n  \
    loyd solve 23415x768 --algorithm idastar --prune automaton=16 --stats\n  \
    loyd solve -f boards.txt --output json\n  \
    loyd solve -f boards.txt --output json --save answers.jsonl --resume\n  \
    loyd solve -f boards.txt --shard 0/4 --output json > answers.0\n  \
    loyd solve -f boards.txt --output json --save answers.jsonl --resume --on nats://localhost:4222\n  \
    loyd solve \"$BOARD\" --quality optimal --max-time none --save answer.txt --resume\n  \
    loyd solve \"$BOARD\" --quality optimal --shard 0/4 --max-depth 95 --output json > shard-0.json\n  \
    loyd solve 23415x768 --all\n  \
    loyd solve 23415x768 --notation tile --runs\n  \
    loyd solve -f boards.txt --output length\n  \
    loyd solve 23415x768 --export svg:solution.svg\n  \
    loyd solve -f large.txt --max-time 1m\n  \
    loyd solve -f large.txt --quality fast\n  \
    loyd solve \"5 1 2 3/4 x 6 7\" --goal blank-first --output grid\n  \
    loyd solve \"1 2 3 4 5 6 8 7 x\" --no-parity-check --algorithm bfs"
)]
pub struct SolveArgs {
    /// One board per argument, or the tiles of a single board as separate arguments
    #[arg(value_name = "BOARD")]
    pub boards: Vec<String>,
    /// Read boards from FILE, or from standard input if it is `-` [default: standard input, unless it is a terminal]
    #[arg(short, long, value_name = "FILE", conflicts_with = "boards")]
    pub file: Option<PathBuf>,
    #[command(flatten)]
    pub problem: ProblemArgs,
    #[command(flatten)]
    pub answers: AnswersArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Output format for each board
    #[arg(long, value_enum, value_name = "FORM", default_value_t = SolveOutput::Moves)]
    pub output: SolveOutput,
    /// With --output steps, add a column with the move that led to each board
    #[arg(long)]
    pub with_moves: bool,
    #[command(flatten)]
    pub style: StyleArgs,
    /// Also write the solution of a single board as an animation: svg:FILE
    #[arg(long, value_name = "FORM:PATH")]
    pub export: Option<Export>,
    /// Also write what others need to check the proof of a single board, for `loyd verify --certificate`
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub certificate: Option<PathBuf>,
    /// Report search statistics on standard error
    #[arg(long)]
    pub stats: bool,
    #[command(flatten)]
    pub progress: ProgressArgs,
    #[command(flatten)]
    pub batch: BatchArgs,
    #[command(flatten)]
    pub on: OnArgs,
    /// With one board and a queue: divide the search once its complete iterations have expanded NODES nodes
    #[arg(
        long,
        value_name = "NODES",
        value_parser = units::natural::<u64>,
        default_value = "100000000",
        hide_short_help = true
    )]
    pub divide_after: u64,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub cache: CacheArgs,
}

/// The options of `loyd solve` under each heading of its help, everyday options first.
const HEADINGS: [(&str, &[&str]); 6] = [
    ("Input", &["file", "goal", "size", "blank", "input"]),
    ("Search", &["quality", "metric", "all", "limit", "count", "algorithm", "heuristic"]),
    ("Limits", &["max_time", "max_memory", "max_expanded", "max_depth"]),
    (
        "Output",
        &[
            "output",
            "notation",
            "runs",
            "with_moves",
            "export",
            "certificate",
            "stats",
            "progress",
            "help",
        ],
    ),
    (
        "Many boards",
        &[
            "threads",
            "save",
            "resume",
            "shard",
            "on",
            "divide_after",
            "credentials",
            "tls_ca",
            "insecure",
        ],
    ),
    (
        "Expert",
        &["weight", "tables", "cache", "prune", "closed", "costs", "direction", "no_parity_check"],
    ),
];

/// Puts the options of `loyd solve` under their headings. Only help needs them, and they take as long as the rest of the
/// parsing.
pub fn with_headings(solve: clap::Command) -> clap::Command {
    solve.mut_args(with_heading)
}

/// Puts an option under its heading.
fn with_heading(arg: Arg) -> Arg {
    let place = HEADINGS.iter().find_map(|(heading, options)| {
        Some((*heading, options.iter().position(|option| arg.get_id() == option)?))
    });
    match place {
        Some((heading, order)) => arg.help_heading(heading).display_order(order),
        None => arg,
    }
}

/// Returns the flag `--help`, which prints the summary: the full help is more than twice as long.
fn help_flag() -> Arg {
    Arg::new("help")
        .short('h')
        .long("help")
        .action(ArgAction::HelpShort)
        .help("Print this summary; `loyd help solve` has the details")
        .long_help("Print a summary of this help")
}

impl SolveArgs {
    /// Returns the style of printed moves, or `None` if no option selects one.
    pub fn style(&self) -> Option<Style> {
        match self.output {
            SolveOutput::Words => Some(Style { notation: Notation::Words, runs: self.style.runs }),
            _ => self.style.chosen_style(),
        }
    }
}

/// The output formats of `loyd solve`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SolveOutput {
    /// Moves on one line, as a judge expects them
    Moves,
    /// Moves as words: up, down, left, right
    Words,
    /// Number of moves
    Length,
    /// Step number, tab and board, one step per line
    Steps,
    /// Drawings of the boards along the solution
    Grid,
    /// One JSON object per line
    Json,
}

impl SolveOutput {
    /// Returns the name of the format, as the option takes it.
    pub fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

/// The number of solutions per board.
#[derive(Debug, Args)]
pub struct AnswersArgs {
    /// Print all shortest solutions, each as soon as it is found.
    ///
    /// Their order is up, left, right, down; of slides in one direction, shorter ones come first.
    #[arg(long, conflicts_with = "count")]
    pub all: bool,
    /// With --all, print at most N solutions per board
    #[arg(
        long,
        value_name = "N",
        requires = "all",
        value_parser = units::positive::<NonZeroU64>,
        allow_negative_numbers = true
    )]
    pub limit: Option<NonZeroU64>,
    /// Print the number of shortest solutions
    #[arg(long)]
    pub count: bool,
}

/// Options for many boards and long searches.
#[derive(Debug, Args)]
pub struct BatchArgs {
    /// Number of threads: all work on a single board, or each on one of many [default: one per core]
    #[arg(
        long,
        value_name = "N",
        value_parser = units::positive::<NonZeroUsize>,
        allow_negative_numbers = true
    )]
    pub threads: Option<NonZeroUsize>,
    /// Save the solutions of a file of boards, or of one hard board, in FILE, for --resume.
    ///
    /// The search for a single board is suspended to FILE.checkpoint every 30 seconds.
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Resume from the --save FILE, or start afresh if it does not exist
    #[arg(long, requires = "save")]
    pub resume: bool,
    /// Do one of N shares of the work, 0/N to (N-1)/N; `loyd merge` joins the results.
    ///
    /// The share of a file is every Nth board; of a single board, every Nth subtree of the search (with --output
    /// json).
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Search from the start (forward) or from the goal (backward).
    ///
    /// It applies to the searches that --save can suspend [default: hard boards with a `catalogue` for both ends are
    /// probed in both directions; forward with --shard]
    #[arg(long, value_name = "DIRECTION")]
    pub direction: Option<Direction>,
}

impl BatchArgs {
    /// Returns the number of threads.
    pub fn threads(&self) -> NonZeroUsize {
        or_cores(self.threads)
    }
}

/// Join the results of shards: of `loyd solve`, `loyd dataset` and `loyd compare` with --shard.
///
/// Shards of a file of boards give the lines that a single process would have printed. Shards of one board give the
/// shortest solution that any of them found, whether it is proved shortest, and the sums of the iterations that all of
/// them completed. Shards of a dataset give its files, in the folder of --save. Shards of a comparison give its summary
/// or its results.
///
/// Each shard is required exactly once. JSON records identify their shard, as do the notes next to a --save file. Every
/// solution in a record is replayed, and with --file those in text too. The exit status is that of a single process, or
/// 1 if shards of one board did not prove a shortest solution.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd merge answers.0 answers.1 answers.2 > answers.jsonl\n  \
    loyd merge answers-*.txt -f boards.txt > answers.txt\n  \
    loyd merge shard-*.json\n  \
    loyd merge shard-*.json --output json\n  \
    loyd merge data-0 data-1 --save data\n  \
    loyd merge runs-*.jsonl --output json > runs.jsonl\n  \
    loyd merge --missing results")]
pub struct MergeArgs {
    /// Files that the shards printed or saved, or their folders of datasets; with --missing, also folders of these
    #[arg(value_name = "FILES", required = true)]
    pub files: Vec<PathBuf>,
    /// File of boards that the shards solved: check that each board has its answer, and replay solutions in text
    #[arg(short, long, value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Only print the numbers of the shards without a complete result, such as 3,7,12-15; the exit status is 1 if there
    /// are any. Printed results of a file of boards have no mark at their end, and count as complete
    #[arg(long, conflicts_with_all = ["file", "output"])]
    pub missing: bool,
    /// Folder for the files of a dataset, which must be empty. Files are linked where that is possible
    #[arg(long, value_name = "DIR", conflicts_with_all = ["missing", "file", "output"])]
    pub save: Option<PathBuf>,
    /// Output format for the shards of one board or of a comparison; lines of a batch are printed unchanged
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Output::Text)]
    pub output: Output,
}

/// Show a search node by node, with the reason for each pruning.
///
/// An event is a node that is expanded, generated, reached by a shorter path or pruned, or a child whose board is
/// already known. The search visits the same nodes in the same order as `solve`, and stops after --max-events events;
/// the trace then ends with a note.
#[derive(Debug, Args)]
#[command(
    mut_arg("quality", hidden),
    mut_arg("algorithm", with_astar),
    after_help = "Examples:\n  \
    loyd trace \"1 2 3/4 x 5/7 8 6\"\n  \
    loyd trace 23415x768 --algorithm idastar --heuristic linear-conflict\n  \
    loyd trace 23415x768 --output json | jq -c 'select(.type == \"pruned\")'\n  \
    loyd trace 23415x768 --output dot --max-events 200 | dot -Tsvg > trace.svg\n  \
    loyd trace 23415x768 --output posthoc > astar.trace.json"
)]
pub struct TraceArgs {
    /// Board, as one argument or its tiles as separate arguments
    #[arg(value_name = "BOARD")]
    pub board: Vec<String>,
    /// Read the board from FILE, or from standard input if it is `-` [default: standard input, unless it is a
    /// terminal]
    #[arg(short, long, value_name = "FILE", conflicts_with = "board")]
    pub file: Option<PathBuf>,
    /// Format of the trace
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Format::Text)]
    pub output: Format,
    /// Stop the trace after N events
    #[arg(long, value_name = "N", value_parser = units::positive::<NonZeroU64>, default_value = "20000")]
    pub max_events: NonZeroU64,
    #[command(flatten)]
    pub problem: ProblemArgs,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub cache: CacheArgs,
    #[command(flatten)]
    pub progress: ProgressArgs,
}

/// The formats of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Lines, indented by depth
    Text,
    /// Graph for Graphviz, of up to a few hundred events
    Dot,
    /// JSON Lines: a header, one object per event, the result
    Json,
    /// Search trace 1.4.0 for Posthoc, as JSON
    Posthoc,
}

impl From<Format> for TraceFormat {
    fn from(format: Format) -> Self {
        match format {
            Format::Text => Self::Text,
            Format::Dot => Self::Dot,
            Format::Json => Self::JsonLines,
            Format::Posthoc => Self::Posthoc,
        }
    }
}

/// Hides `--quality`, since a trace is of one definite search.
fn hidden(arg: Arg) -> Arg {
    arg.hide(true)
}

fn with_astar(arg: Arg) -> Arg {
    arg.help("Algorithm, from `loyd list algorithms` [default: astar; wastar with --weight]")
}

impl TraceArgs {
    /// Returns the configuration for the arguments.
    pub fn config(&self) -> Config {
        let search = &self.search;
        Config {
            algorithm: search.algorithm.or(search.weight.is_none().then_some("astar")),
            quality: search.quality,
            store: self.cache.store(),
            limits: self.limits.limits(search.max_depth),
            ..search.config(&self.limits, false)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summary_fits_two_screens_and_has_all_options() {
        let command = SolveArgs::augment_args(clap::Command::new("solve")).term_width(100);
        let mut command = with_headings(command);
        let summary = command.render_help().to_string();
        assert!(summary.lines().count() <= 90, "{summary}");
        assert!(!summary.contains("\nOptions:"), "{summary}");
        assert!(HEADINGS.map(|(heading, _)| summary.find(heading)).is_sorted(), "{summary}");
    }
}
