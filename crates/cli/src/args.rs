//! What can be said on the command line.

mod advice;
mod answers;
mod batch;
mod list;
pub mod pdb;
mod rank;
mod scramble;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use loyd::notation::{FORMATS, Format};
use loyd::{
    ALGORITHMS, Algorithm, Closed, Config, DistanceMatrix, GOALS, Guide, HEURISTICS, Limits,
    Metric, Quality, Size, TableChoice, Weight,
};

pub use advice::{HintArgs, ReviewArgs};
pub use answers::{
    AnswerArgs, ApplyArgs, ConvertArgs, InvertArgs, Origin, ReadAsArgs, SimplifyArgs, StyleArgs,
    Target,
};
pub use batch::{AnswersArgs, BatchArgs};
pub use list::{ListArgs, Listed};
pub use rank::{RankArgs, UnrankArgs};
pub use scramble::ScrambleArgs;

use crate::input::small_text;
use crate::units::{self, Limit};
use pdb::CacheArgs;

/// Solve, judge, explain and study sliding-tile puzzles.
#[derive(Debug, Parser)]
#[command(
    name = "loyd",
    version,
    arg_required_else_help = true,
    after_help = "A bare board is solved:\n  \
        loyd \"2 3 4 1 5 x 7 6 8\"\n  \
        loyd 23415x768 --output grid\n\n\
        Moves are the directions in which the blank travels: u, d, l, r. Capitals are those in which\n\
        tiles travel, the other way: see `loyd list notations`.\n\
        `loyd help COMMAND` tells more, with examples."
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    Solve(SolveArgs),
    Judge(JudgeArgs),
    Realms(RealmsArgs),
    Explain(ExplainArgs),
    Verify(VerifyArgs),
    Hint(HintArgs),
    Review(ReviewArgs),
    Convert(ConvertArgs),
    Apply(ApplyArgs),
    Invert(InvertArgs),
    Simplify(SimplifyArgs),
    Scramble(ScrambleArgs),
    Rank(RankArgs),
    Unrank(UnrankArgs),
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

/// Puts `solve` in front of arguments that begin with a board or an option of `solve`.
pub fn with_default_command(args: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut args: Vec<OsString> = args.collect();
    let known = |word: &str| {
        ["help", "-h", "--help", "-V", "--version"].contains(&word) || Command::has_subcommand(word)
    };
    if args.get(1).is_some_and(|first| !first.to_str().is_some_and(known)) {
        args.insert(1, "solve".into());
    }
    args
}

/// Solve boards, by default with a proved shortest answer each.
///
/// Boards come as arguments, from a file, or from standard input; every usual form is read.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd solve \"2 3 4 1 5 x 7 6 8\"\n  \
    loyd solve 23415x768 --algorithm astar --heuristic manhattan --stats\n  \
    loyd solve -f boards.txt --output json\n  \
    loyd solve -f boards.txt --output json --save answers.jsonl --resume\n  \
    loyd solve 23415x768 --all\n  \
    loyd solve 23415x768 --notation tile --runs\n  \
    loyd solve -f large.txt --quality fast --max-time 1s\n  \
    loyd solve \"5 1 2 3/4 x 6 7\" --goal blank-first --output grid\n  \
    loyd solve \"1 2 3 4 5 6 8 7 x\" --no-parity-check --algorithm bfs")]
pub struct SolveArgs {
    /// Boards, one an argument (or one spelt out over many)
    #[arg(value_name = "BOARD")]
    pub boards: Vec<String>,
    /// Read boards from FILE, `-` being standard input
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
    #[command(flatten)]
    pub style: StyleArgs,
    /// Tell on standard error what each search did
    #[arg(long)]
    pub stats: bool,
}

/// The ways in which an answer is printed.
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

/// Which board, and where it should go.
#[derive(Debug, Args)]
pub struct ProblemArgs {
    /// Width and height, where the board does not tell
    #[arg(long, value_name = "WxH")]
    pub size: Option<Size>,
    #[arg(
        long,
        value_name = "GOAL",
        help = goal_help("[default: blank-last, but blank-first for korf files]")
    )]
    pub goal: Option<String>,
}

/// What `--goal` takes.
fn goal_help(more: &str) -> String {
    let names: Vec<&str> = GOALS.iter().map(|row| row.name).collect();
    format!("{} (see `loyd list goals`) or a board {more}", names.join(", "))
}

/// How to search.
#[derive(Debug, Args)]
pub struct SearchArgs {
    /// How good answers have to be, in place of how to search: optimal, bounded=W (proved at most W
    /// times the shortest) or fast (at once, on any board; improved for --max-time if that is given)
    #[arg(long, value_name = "QUALITY")]
    pub quality: Option<Quality>,
    /// One of `loyd list algorithms` [default: table for 3x3, 10 or 11 cells and thousands of boards of 12,
    /// else idastar; wastar with --weight, astar with --closed or --no-parity-check, idastar with
    /// --heuristic]
    #[arg(long, value_name = "NAME", value_parser = algorithm_parser(), hide_possible_values = true)]
    pub algorithm: Option<&'static Algorithm>,
    /// One of `loyd list heuristics`, or matrix=FILE with a cells x cells matrix [default: manhattan;
    /// linear-conflict, or pdb on 12 to 25 cells, if nothing is chosen]
    #[arg(long, value_name = "NAME", value_parser = guide)]
    pub heuristic: Option<Guide>,
    /// The pattern databases of the heuristic pdb: default, auto (by the number of boards), 5-5-5, 6-6-3,
    /// 7-7-1, 7-8, or goal cells as in 1,4,5,8,9,12/2,3,6,7,10,11/13,14,15
    #[arg(long, value_name = "TABLES", default_value_t)]
    pub tables: TableChoice,
    /// What counts as a move: stm, each tile, or mtm, each slide of one or more tiles in a line
    #[arg(long, value_name = "METRIC", default_value_t)]
    pub metric: Metric,
    /// The weight of wastar, 1 to 100 [default: 2]
    #[arg(long, value_name = "W")]
    pub weight: Option<Weight>,
    /// How states met before are recognised
    #[arg(long, value_name = "KIND", value_parser = closed_parser())]
    pub closed: Option<Closed>,
    /// Try no answer longer than this
    #[arg(long, value_name = "MOVES")]
    pub max_depth: Option<u32>,
    /// Find out by exhaustion that a board cannot be solved; depth-first searches and IDA* never do
    #[arg(long)]
    pub no_parity_check: bool,
}

/// When to give up.
#[derive(Debug, Args)]
pub struct LimitArgs {
    /// Stop a search after so many expanded nodes
    #[arg(long, value_name = "NODES")]
    pub max_expanded: Option<u64>,
    /// Stop a search after so many seconds (or 500ms, 2m, none) [default: 1h; 10s to explain, verify, hint and
    /// review]
    #[arg(long, value_name = "TIME", value_parser = units::time)]
    pub max_time: Option<Limit<Duration>>,
    /// Stop a search that needs more memory (64M, 2G, none) [default: 1G]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    pub max_memory: Option<Limit<u64>>,
}

impl LimitArgs {
    /// The limits of commands that look for a shortest answer by the way.
    pub fn short(&self) -> Limits {
        const PATIENCE: Duration = Duration::from_secs(10);
        let max_time = self.max_time.map_or(Some(PATIENCE), |Limit(limit)| limit);
        Limits { max_time, ..self.limits(None) }
    }

    /// How long a fast answer is improved: only if there is time by order.
    fn improve(&self) -> Duration {
        self.max_time.map_or(Duration::ZERO, |Limit(limit)| limit.unwrap_or(Duration::MAX))
    }

    /// The limits, with the defaults where nothing was said.
    pub fn limits(&self, max_depth: Option<u32>) -> Limits {
        let defaults = Config::default().limits;
        Limits {
            max_expanded: self.max_expanded,
            max_depth,
            max_time: self.max_time.map_or(defaults.max_time, |Limit(limit)| limit),
            max_bytes: self.max_memory.map_or(defaults.max_bytes, |Limit(limit)| limit),
        }
    }
}

impl SearchArgs {
    /// The configuration that the arguments ask for.
    pub fn config(&self, limits: &LimitArgs) -> Config {
        Config {
            algorithm: self.algorithm,
            heuristic: self.heuristic.clone(),
            weight: self.weight,
            tables: self.tables.clone(),
            metric: self.metric,
            closed: self.closed,
            parity_check: !self.no_parity_check,
            quality: self.quality,
            improve: limits.improve(),
            limits: limits.limits(self.max_depth),
            ..Config::default()
        }
    }
}

/// Answer a judge's file of 8-puzzle boards, as fast as it can be read.
///
/// A case is the next nine tokens, wherever lines break. Standard output has a line a case: a
/// shortest answer, `unsolvable`, or `invalid`; what is wrong with an invalid case is told on
/// standard error, and the exit status is then 2.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd judge < boards.txt > answers.txt\n  \
    echo \"2 3 4 1 5 x 7 6 8\" | loyd judge\n\n\
    LOYD_CPU=scalar|avx2|avx512 chooses a level of instructions that the processor has.")]
pub struct JudgeArgs {
    /// The boards [default: standard input]
    pub file: Option<PathBuf>,
}

/// Run the eight classic programs side by side on the same boards.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd realms\n  \
    loyd realms \"8 6 7/2 5 4/3 x 1\"\n  \
    loyd realms -f boards.txt --output json")]
pub struct RealmsArgs {
    /// Boards of up to 3x3 or so [default: 2 3 4 1 5 x 7 6 8]
    #[arg(value_name = "BOARD")]
    pub boards: Vec<String>,
    /// Read boards from FILE, `-` being standard input
    #[arg(short, long, value_name = "FILE", conflicts_with = "boards")]
    pub file: Option<PathBuf>,
    #[command(flatten)]
    pub problem: ProblemArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// How to print the table
    #[arg(long, value_enum, default_value_t = Output::Text)]
    pub output: Output,
}

/// Tell whether and why a board can be solved, what each heuristic says, and how far it really is.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd explain \"1 2 3 4 5 6 8 7 x\"\n  \
    loyd explain \"1 3 2 x\" --size 4x1\n  \
    loyd explain --matrix --size 3x3 > eight_dis.txt")]
pub struct ExplainArgs {
    /// The board
    #[arg(value_name = "BOARD", required_unless_present = "matrix")]
    pub board: Vec<String>,
    /// Print the cells x cells matrix of distances between cells instead
    #[arg(long, conflicts_with_all = ["goal", "output"])]
    pub matrix: bool,
    #[command(flatten)]
    pub problem: ProblemArgs,
    #[command(flatten)]
    pub cache: CacheArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Output::Text)]
    pub output: Output,
}

/// Tell whether moves solve a board, whether they are the fewest, or where they go wrong.
///
/// The exit status is 0 for a solution and 1 for anything else.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd verify \"2 3 4 1 5 x 7 6 8\" ullddrurdllurdruldr\n  \
    loyd verify \"1 2 3 4 x 5 7 8 6\" LU\n  \
    loyd verify \"1 2 3 4 5 6 7 8 x\" \"\"")]
pub struct VerifyArgs {
    /// The board
    pub board: String,
    /// The moves, in any notation
    pub moves: String,
    /// What counts as a move: stm, each tile, or mtm, each slide of one or more tiles in a line
    #[arg(long, value_name = "METRIC", default_value_t)]
    pub metric: Metric,
    #[command(flatten)]
    pub read_as: ReadAsArgs,
    #[command(flatten)]
    pub problem: ProblemArgs,
    #[command(flatten)]
    pub cache: CacheArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Output::Text)]
    pub output: Output,
}

fn algorithm_parser() -> impl TypedValueParser<Value = &'static Algorithm> {
    PossibleValuesParser::new(ALGORITHMS.iter().map(|row| row.name))
        .try_map(|name| Algorithm::named(&name))
}

fn closed_parser() -> impl TypedValueParser<Value = Closed> {
    PossibleValuesParser::new(Closed::ALL.map(Closed::name)).map(|name| {
        let found = Closed::ALL.into_iter().find(|closed| closed.name() == name);
        found.expect("the parser admits names only")
    })
}

fn format_parser() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(FORMATS.iter().map(|row| row.name))
        .try_map(|name| name.parse::<Format>())
}

/// More than the largest matrix takes.
const MATRIX_BYTES: u64 = 1 << 20;

/// Reads the name of a heuristic, or `matrix=FILE`.
fn guide(text: &str) -> Result<Guide, String> {
    let Some(path) = text.strip_prefix("matrix=") else {
        return Guide::named(text).map_err(|_| {
            let names: Vec<&str> = HEURISTICS.iter().map(|row| row.name).collect();
            format!("there is no such heuristic; there are {} and matrix=FILE", names.join(", "))
        });
    };
    let text = small_text(path, MATRIX_BYTES)?;
    let matrix = DistanceMatrix::parse(&text).map_err(|error| format!("{path}: {error}"))?;
    Ok(Guide::Matrix(matrix.into()))
}
