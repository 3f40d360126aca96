//! The arguments of the command line.

mod answers;
mod compare;
mod counts;
mod dataset;
mod interactive;
mod names;
pub mod pdb;
mod queue;
mod scramble;
mod search;
mod shared;
mod solve;
mod study;

use std::ffi::OsString;
use std::io::{self, BufRead, IsTerminal};
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue};
use clap::{Arg, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

pub use answers::{
    AnswerArgs, ApplyArgs, ConvertArgs, InvertArgs, Origin, PairArgs, ReadAsArgs, SimplifyArgs,
    StyleArgs, Target,
};
pub use compare::{
    CompareArgs, CompareOutput, ComparedBoards, ComparedRows, ExperimentArgs, PlotArgs,
};
pub use counts::{CensusArgs, CensusOutput, PerftArgs, Sides};
pub use dataset::{DatasetArgs, Form};
#[cfg(feature = "serve")]
pub use interactive::LogLevel;
#[cfg(feature = "tui")]
pub use interactive::{Arrows, ThemeName};
pub use interactive::{PageArgs, PlayArgs, ServeArgs};
pub use names::{resolve_goal_name, suggested_goal};
#[cfg(feature = "queue")]
pub use queue::AccessArgs;
pub use queue::{OnArgs, WorkArgs};
pub use scramble::{RankArgs, ScrambleArgs, ScrambleOutput, UnrankArgs};
#[cfg(any(feature = "queue", feature = "serve", feature = "tui"))]
pub use search::or_cores;
pub use search::{LimitArgs, SHORT_TIME, SearchArgs};
use search::{algorithm_parser, heuristic_parser};
pub use shared::{Export, ExportForm, Output, ProblemArgs, ProgressArgs, Shown, blank_word};
use shared::{goal_help, with_korf_goal};
pub use solve::{AnswersArgs, BatchArgs, MergeArgs, SolveArgs, SolveOutput, TraceArgs};
pub use study::{
    ExplainArgs, FilterArgs, HintArgs, OptimizeArgs, ReviewArgs, StudyArgs, VerifyArgs,
};

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
        Moves are the directions of the blank: u, d, l, r. Capitals are the opposite directions,\n\
        those of the tiles; see `loyd list notations`.\n\
        `loyd help COMMAND` has the details, with examples."
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
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
    Work(WorkArgs),
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
    /// Parses arguments, ignoring the case of values, or exits the process with help or an error.
    pub fn read(args: Vec<OsString>) -> Self {
        let named = args.get(1).and_then(|word| word.to_str());
        let needs_help = || args.iter().any(|word| word == "-h" || word == "--help");
        let command = match named.filter(|word| Command::has_subcommand(word)) {
            // Only the named command: changing all of them takes 0.5 ms, longer than solving a board.
            Some(name) if needs_help() => Self::with_help().mut_subcommand(name, in_any_case),
            // Describing the other commands takes as long as all the rest of solving a board.
            Some("solve") => {
                let solve = SolveArgs::augment_args(clap::Command::new("solve"));
                clap::Command::new("loyd").subcommand(in_any_case(solve))
            }
            Some(name) => Self::command().mut_subcommand(name, in_any_case),
            None => Self::with_help(),
        };
        let matches = command.get_matches_from(args);
        Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }

    /// Returns the command as its help shows it.
    pub fn with_help() -> clap::Command {
        Self::command().mut_subcommand("solve", solve::with_headings)
    }
}

/// Returns the command with case-insensitive option values.
pub fn in_any_case(command: clap::Command) -> clap::Command {
    let in_any_case_if_valued = |arg: Arg| {
        let takes_values = arg.get_action().takes_values();
        arg.ignore_case(takes_values)
    };
    command.mut_args(in_any_case_if_valued).mut_subcommands(in_any_case)
}

/// Inserts the command `solve` if the first argument is neither a command nor a global option, or if there are no
/// arguments and standard input is piped.
pub fn with_default_command(mut args: Vec<OsString>) -> Vec<OsString> {
    let known = |word: &str| {
        ["help", "-h", "--help", "-V", "--version"].contains(&word) || Command::has_subcommand(word)
    };
    let solves = match args.get(1) {
        Some(first) => !first.to_str().is_some_and(known),
        None => stdin_is_piped(),
    };
    if solves {
        args.insert(1.min(args.len()), "solve".into());
    }
    args
}

/// Returns whether standard input is not a terminal and has data.
pub fn stdin_is_piped() -> bool {
    let stdin = io::stdin();
    !stdin.is_terminal() && stdin.lock().fill_buf().is_ok_and(|bytes| !bytes.is_empty())
}

/// Returns the command that clap suggests for a misspelt one.
pub fn command_like(word: &str) -> Option<String> {
    let error = Cli::try_parse_from(["loyd", word]).err()?;
    match error.get(ContextKind::SuggestedSubcommand)? {
        ContextValue::Strings(names) => names.last().cloned(),
        ContextValue::String(name) => Some(name.clone()),
        _ => None,
    }
}

/// Answer a judge's file of 8-puzzle boards as fast as it can be read.
///
/// A case is the next nine tokens, regardless of line breaks. Each case gets one line on standard output: a shortest
/// solution, `unsolvable`, or `invalid`. An invalid case is explained on standard error and makes the exit status 2.
/// Boards of other forms and sizes are accepted too, and answered one at a time.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd judge < boards.txt > answers.txt\n  \
    echo \"2 3 4 1 5 x 7 6 8\" | loyd judge\n\n\
    LOYD_CPU=scalar|avx2|avx512 selects an instruction set, which the processor must support.")]
pub struct JudgeArgs {
    /// File of boards [default: standard input]
    pub file: Option<PathBuf>,
}

/// Run the eight classic programs, or other searches, side by side on the same boards.
///
/// The table has a row for each board, and a total row if there are several boards. On boards of more than ten cells,
/// hashed closed lists replace the ranked ones.
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
    /// Boards of up to about 3x3 [default: 2 3 4 1 5 x 7 6 8]
    #[arg(value_name = "BOARD")]
    pub boards: Vec<String>,
    /// Read boards from FILE, or from standard input if it is `-`
    #[arg(short, long, value_name = "FILE", conflicts_with = "boards")]
    pub file: Option<PathBuf>,
    /// Run these algorithms instead of the eight programs: comma-separated names from `loyd list algorithms` [default:
    /// astar,idastar with --heuristics]
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        value_parser = algorithm_parser(),
        hide_possible_values = true
    )]
    pub algorithms: Vec<&'static str>,
    /// Run each informed algorithm with each of these heuristics: comma-separated names from `loyd list heuristics`
    /// [default: manhattan with --algorithms]
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
    /// Output format
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Output::Text)]
    pub output: Output,
}

/// List the available algorithms, heuristics, formats and other choices.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  loyd list algorithms")]
pub struct ListArgs {
    /// List to print
    #[arg(value_enum)]
    pub what: ListName,
    /// Output format
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Output::Text)]
    pub output: Output,
}

/// The lists of `loyd list`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ListName {
    /// Values of --algorithm
    Algorithms,
    /// Values of --heuristic
    Heuristics,
    /// Values of --input
    Formats,
    /// Values of --goal
    Goals,
    /// Values of --metric
    Metrics,
    /// Values of --quality
    Qualities,
    /// Notations of moves
    Notations,
    /// Forms of boards that `convert` writes
    Forms,
    /// Experiments of `loyd experiment`
    Experiments,
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    /// Adds the letter and the values of each option of `command` and its subcommands, by name.
    fn collect(command: &clap::Command, options: &mut BTreeMap<String, BTreeSet<String>>) {
        for arg in command.get_arguments() {
            let Some(name) = arg.get_long().filter(|_| !arg.is_hide_set()) else { continue };
            let letter = arg.get_short().map_or(String::new(), |letter| format!("-{letter} "));
            let takes_value = arg.get_action().takes_values();
            let values =
                arg.get_value_names().filter(|_| takes_value).unwrap_or_default().join(" ");
            options.entry(name.to_owned()).or_default().insert(letter + &values);
        }
        command.get_subcommands().for_each(|command| collect(command, options));
    }

    #[test]
    fn options_mean_the_same_in_all_commands() {
        // `compare` takes lists where other commands take one, and some commands save one file, others several.
        const DIFFERENT: [(&str, [&str; 2]); 3] =
            [("closed", ["KIND", "KINDS"]), ("prune", ["HOW", "HOWS"]), ("save", ["DIR", "FILE"])];
        let mut options = BTreeMap::new();
        collect(&Cli::command(), &mut options);
        // Words for which CONTRIBUTING.md has another one.
        for name in ["random", "each", "lengths", "format", "out", "report", "as"] {
            assert!(!options.contains_key(name), "--{name}");
        }
        let is_one_thing = |name: &str, values: &BTreeSet<String>| match DIFFERENT
            .iter()
            .find(|(different, _)| *different == name)
        {
            Some((_, expected)) => values.iter().eq(expected),
            None => values.len() == 1,
        };
        options.retain(|name, values| !is_one_thing(name, values));
        assert!(options.is_empty(), "{options:?}");
    }
}
