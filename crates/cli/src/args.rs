//! What can be said on the command line.

mod advice;
mod answers;
mod batch;
mod census;
mod compare;
mod dataset;
mod experiment;
mod list;
mod merge;
mod names;
mod optimize;
pub mod pdb;
mod perft;
mod play;
mod plot;
mod problem;
mod progress;
mod rank;
mod scramble;
mod search;
mod serve;
mod trace;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue};
use clap::{Arg, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use loyd::moves::Metric;
use loyd::notation::Format;
use serde_json::Value;

pub use advice::{HintArgs, ReviewArgs, StudyArgs};
pub use answers::{
    AnswerArgs, ApplyArgs, ConvertArgs, InvertArgs, Origin, PairArgs, ReadAsArgs, SimplifyArgs,
    StyleArgs, Target,
};
#[cfg(any(feature = "serve", feature = "tui"))]
pub use batch::or_cores;
pub use batch::{AnswersArgs, BatchArgs};
pub use census::{CensusArgs, CensusOutput};
pub use compare::{CompareArgs, ComparedBoards, ComparedRows, Export};
pub use dataset::{DatasetArgs, Form};
pub use experiment::ExperimentArgs;
pub use list::{ListArgs, Listed};
pub use merge::MergeArgs;
pub use optimize::{FilterArgs, OptimizeArgs};
pub use perft::{PerftArgs, Sides};
pub use play::PlayArgs;
#[cfg(feature = "tui")]
pub use play::{Arrows, ThemeName};
pub use plot::PlotArgs;
pub use problem::ProblemArgs;
use problem::{format_parser, goal_help, with_korf_goal};
pub use progress::{ProgressArgs, Shown};
pub use rank::{RankArgs, UnrankArgs};
pub use scramble::{Drawn, ScrambleArgs};
use search::with_time_by_quality;
pub use search::{LimitArgs, SHORT_TIME, SearchArgs, for_searches};
#[cfg(feature = "serve")]
pub use serve::LogLevel;
pub use serve::{PageArgs, ServeArgs};
pub use trace::TraceArgs;

use crate::input::is_fed;
use names::metric_parser;
pub use names::{goal_like, goal_meant};
use pdb::CacheArgs;
use search::{algorithm_parser, heuristic_parser};

/// Solve, judge, explain and study sliding-tile puzzles.
#[derive(Debug, Parser)]
#[command(
    name = "loyd",
    version,
    arg_required_else_help = true,
    after_help = "A bare board is solved:\n  \
        loyd \"2 3 4 1 5 x 7 6 8\"\n  \
        loyd 23415x768 --output grid\n  \
        loyd boards.txt\n  \
        loyd scramble --length 20 | loyd\n\n\
        Moves are the directions in which the blank travels: u, d, l, r. Capitals are those in which\n\
        tiles travel, the other way: see `loyd list notations`.\n\
        `loyd help COMMAND` has the details, with examples."
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    Solve(SolveArgs),
    Merge(MergeArgs),
    Judge(JudgeArgs),
    Realms(RealmsArgs),
    Compare(CompareArgs),
    Plot(PlotArgs),
    Experiment(ExperimentArgs),
    Explain(ExplainArgs),
    Verify(VerifyArgs),
    Hint(HintArgs),
    Review(ReviewArgs),
    Play(PlayArgs),
    Serve(ServeArgs),
    Page(PageArgs),
    Trace(TraceArgs),
    Optimize(OptimizeArgs),
    FilterOptimal(FilterArgs),
    Convert(ConvertArgs),
    Apply(ApplyArgs),
    Invert(InvertArgs),
    Simplify(SimplifyArgs),
    Scramble(ScrambleArgs),
    Rank(RankArgs),
    Unrank(UnrankArgs),
    Census(CensusArgs),
    Perft(PerftArgs),
    Dataset(DatasetArgs),
    List(ListArgs),
    Pdb(pdb::PdbArgs),
    /// Write shell completions to standard output
    #[command(
        after_help = "Example:\n  loyd completions bash > ~/.local/share/bash-completion/completions/loyd"
    )]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write the manual page to standard output
    #[command(after_help = "Example:\n  loyd man | man -l -")]
    Man,
}

impl Cli {
    /// Reads arguments, names of choices in capitals too, or ends the process with help or an error.
    pub fn read(args: Vec<OsString>) -> Self {
        let named = args.get(1).and_then(|word| word.to_str());
        let command = match named.filter(|word| Command::has_subcommand(word)) {
            // Not all commands: that takes half a millisecond, more than solving a board.
            Some(name) => Self::command().mut_subcommand(name, in_any_case),
            None => Self::command(),
        };
        let matches = command.get_matches_from(args);
        Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }
}

/// The command with names of choices in capitals too.
pub fn in_any_case(command: clap::Command) -> clap::Command {
    let in_any_case_if_valued = |arg: Arg| {
        let takes_values = arg.get_action().takes_values();
        arg.ignore_case(takes_values)
    };
    command.mut_args(in_any_case_if_valued).mut_subcommands(in_any_case)
}

/// Puts `solve` in front of arguments that begin with a board or an option of `solve`, and where there are none if
/// boards come through standard input.
pub fn with_default_command(mut args: Vec<OsString>) -> Vec<OsString> {
    let known = |word: &str| {
        ["help", "-h", "--help", "-V", "--version"].contains(&word) || Command::has_subcommand(word)
    };
    let solves = match args.get(1) {
        Some(first) => !first.to_str().is_some_and(known),
        None => is_fed(),
    };
    if solves {
        args.insert(1.min(args.len()), "solve".into());
    }
    args
}

/// The command that clap takes a misspelt one for.
pub fn command_like(word: &str) -> Option<String> {
    let error = Cli::try_parse_from(["loyd", word]).err()?;
    match error.get(ContextKind::SuggestedSubcommand)? {
        ContextValue::Strings(names) => names.last().cloned(),
        ContextValue::String(name) => Some(name.clone()),
        _ => None,
    }
}

/// Solve boards with as few moves as can be found in time.
///
/// Where a solution could not be proved to be a shortest one, standard error says so, with the bounds that were
/// proved. With --quality optimal, a board has a shortest solution or none.
///
/// Boards come as arguments, from a file, or from standard input; every usual form is read, records of JSON
/// with a field `board` too. A single argument that is no board may be the name of a file.
#[derive(Debug, Args)]
#[command(
    mut_arg("goal", with_korf_goal),
    mut_arg("max_time", with_time_by_quality),
    after_help = "Examples:\n  \
    loyd solve \"2 3 4 1 5 x 7 6 8\"\n  \
    loyd solve 23415x768 --algorithm astar --heuristic manhattan --stats\n  \
    loyd solve 23415x768 --algorithm idastar --prune automaton=16 --stats\n  \
    loyd solve -f boards.txt --output json\n  \
    loyd solve -f boards.txt --output json --save answers.jsonl --resume\n  \
    loyd solve -f boards.txt --shard 0/4 > answers.0\n  \
    loyd solve \"$BOARD\" --quality optimal --max-time none --save answer.txt --resume\n  \
    loyd solve \"$BOARD\" --quality optimal --shard 0/4 --max-depth 95 --output json > shard-0.json\n  \
    loyd solve 23415x768 --all\n  \
    loyd solve 23415x768 --notation tile --runs\n  \
    loyd solve -f large.txt --max-time 1m\n  \
    loyd solve -f large.txt --quality fast\n  \
    loyd solve \"5 1 2 3/4 x 6 7\" --goal blank-first --output grid\n  \
    loyd solve \"1 2 3 4 5 6 8 7 x\" --no-parity-check --algorithm bfs"
)]
pub struct SolveArgs {
    /// One board in each argument, or the tiles of a single board as separate arguments
    #[arg(value_name = "BOARD")]
    pub boards: Vec<String>,
    /// Read boards from FILE, `-` being standard input [default: standard input, if it is no terminal]
    #[arg(short, long, value_name = "FILE", conflicts_with = "boards")]
    pub file: Option<PathBuf>,
    /// The form of the file [default: auto, which recognises it]
    #[arg(long, value_name = "FORMAT", value_parser = format_parser(), requires = "file")]
    pub input: Option<Format>,
    #[command(flatten)]
    pub problem: ProblemArgs,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub cache: CacheArgs,
    #[command(flatten)]
    pub answers: AnswersArgs,
    #[command(flatten)]
    pub batch: BatchArgs,
    /// What to print for each board
    #[arg(long, value_enum, default_value_t = SolveOutput::Moves)]
    pub output: SolveOutput,
    /// Add the move that led to each board as a column of --output steps
    #[arg(long)]
    pub with_moves: bool,
    #[command(flatten)]
    pub style: StyleArgs,
    /// Report on standard error what each search did
    #[arg(long)]
    pub stats: bool,
    #[command(flatten)]
    pub progress: ProgressArgs,
}

/// The ways in which a solution is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SolveOutput {
    /// The moves in a line, as a judge expects them
    Moves,
    /// Step number, tab and board for each step
    Steps,
    /// Boards drawn one after the other
    Grid,
    /// One JSON object a line
    Json,
}

/// Text for people or JSON for machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Output {
    /// For people
    Text,
    /// One JSON object a line
    Json,
}

impl Output {
    /// Prints what a command has found: `text`, or `record` on a line.
    pub fn print(
        self,
        text: impl FnOnce() -> String,
        record: impl FnOnce() -> Value,
    ) -> io::Result<()> {
        let mut out = io::stdout().lock();
        match self {
            Self::Text => out.write_all(text().as_bytes()),
            Self::Json => writeln!(out, "{}", record()),
        }
    }
}

/// Answer a judge's file of 8-puzzle boards, as fast as it can be read.
///
/// A case is the next nine tokens, wherever lines break. Standard output has one line for each case: a
/// shortest solution, `unsolvable`, or `invalid`. What is wrong with an invalid case goes to standard
/// error, and the exit status is then 2. Boards in any other form, and of any size, are answered one by one.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd judge < boards.txt > answers.txt\n  \
    echo \"2 3 4 1 5 x 7 6 8\" | loyd judge\n\n\
    LOYD_CPU=scalar|avx2|avx512 chooses a level of instructions that the processor has.")]
pub struct JudgeArgs {
    /// The boards [default: standard input]
    pub file: Option<PathBuf>,
}

/// Run the eight classic programs, or others, side by side on the same boards.
///
/// The table has a row for each board, and one for all if there are several. On boards of more than ten cells, closed
/// lists are hashed where they would be ranked.
#[derive(Debug, Args)]
#[command(
    mut_arg("goal", with_korf_goal),
    after_help = "Examples:\n  \
    loyd realms\n  \
    loyd realms \"8 6 7/2 5 4/3 x 1\"\n  \
    loyd realms --algorithms A*,IDA*,BFS --heuristics hamming,md\n  \
    loyd realms -f boards.txt --output json"
)]
pub struct RealmsArgs {
    /// Boards of up to 3x3 or so [default: 2 3 4 1 5 x 7 6 8]
    #[arg(value_name = "BOARD")]
    pub boards: Vec<String>,
    /// Read boards from FILE, `-` being standard input
    #[arg(short, long, value_name = "FILE", conflicts_with = "boards")]
    pub file: Option<PathBuf>,
    /// Run these in place of the eight, with commas between them: names of `loyd list algorithms` [default:
    /// astar,idastar if there are --heuristics]
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        value_parser = algorithm_parser(),
        hide_possible_values = true
    )]
    pub algorithms: Vec<&'static str>,
    /// Run each algorithm that uses one with each of these heuristics: names of `loyd list heuristics` [default:
    /// manhattan if there are --algorithms]
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        value_parser = heuristic_parser(),
        hide_possible_values = true
    )]
    pub heuristics: Vec<&'static str>,
    #[command(flatten)]
    pub problem: ProblemArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub progress: ProgressArgs,
    /// How to print the table
    #[arg(long, value_enum, default_value_t = Output::Text)]
    pub output: Output,
}

/// Show whether and why a board can be solved, what each heuristic estimates, and the true distance.
///
/// Where the distance is not proved in time, it has bounds: no solution is shorter than `at least`, and one is as long
/// as `best known`. The exit status is 0, unless the input is faulty.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd explain \"1 2 3 4 5 6 8 7 x\"\n  \
    loyd explain \"1 3 2 x\" --size 4x1\n  \
    loyd explain --matrix --size 3x3 > eight_dis.txt")]
pub struct ExplainArgs {
    /// One board in each argument, or the tiles of a single board as separate arguments
    #[arg(value_name = "BOARD")]
    pub board: Vec<String>,
    /// Read boards from FILE, `-` being standard input [default: standard input, if it is no terminal]
    #[arg(short, long, value_name = "FILE", conflicts_with = "board")]
    pub file: Option<PathBuf>,
    /// Print the cells x cells matrix of distances between cells instead
    #[arg(long, conflicts_with_all = ["goal", "output"])]
    pub matrix: bool,
    #[command(flatten)]
    pub shared: StudyArgs,
}

/// Check whether moves solve a board and whether they are the fewest, or show where they go wrong.
///
/// Where it is not proved in time that no solution is shorter, it says how many moves are needed at least. Moves are
/// read in any notation. The exit status is 0 for a solution, be it a shortest one or not, and 1 for anything else.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd verify \"2 3 4 1 5 x 7 6 8\" ullddrurdllurdruldr\n  \
    loyd verify \"1 2 3 4 x 5 7 8 6\" LU\n  \
    loyd verify \"1 2 3 4 5 6 7 8 x\" \"\"\n  \
    loyd solve -f boards.txt --output json | loyd verify")]
pub struct VerifyArgs {
    #[command(flatten)]
    pub pair: PairArgs,
    /// What counts as a move: stm, each tile, or mtm, each slide of one or more tiles in a line
    #[arg(long, value_name = "METRIC", value_parser = metric_parser(), hide_possible_values = true, default_value_t)]
    pub metric: Metric,
    #[command(flatten)]
    pub read_as: ReadAsArgs,
    #[command(flatten)]
    pub shared: StudyArgs,
}
