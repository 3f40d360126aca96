//! The arguments of commands that read moves: `apply`, `invert`, `simplify`, `convert`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::TypedValueParser;
use loyd::Size;
use loyd::notation::{FORMATS, FORMS, Form, Format, NOTATIONS, Notation, Style};

use super::names::{Names, goal};
use super::{Output, goal_help};

/// How moves are written.
#[derive(Debug, Args)]
pub struct StyleArgs {
    /// How moves are written: blank (small letters, where the blank goes), tile (capitals, where the
    /// tile goes), numbers (which tile moves), coordinates (row and column of that tile) [default:
    /// blank]
    #[arg(long, value_name = "NOTATION", value_parser = notation_parser(), hide_possible_values = true)]
    pub notation: Option<Notation>,
    /// Write R3 for RRR; of tiles that are pushed at once, name the farthest only
    #[arg(long)]
    pub runs: bool,
}

impl StyleArgs {
    /// The style, where one was asked for.
    pub fn asked(&self) -> Option<Style> {
        let Self { notation, runs } = *self;
        (notation.is_some() || runs).then(|| Style { notation: notation.unwrap_or_default(), runs })
    }
}

/// In which notation moves are read.
#[derive(Debug, Args)]
pub struct ReadAsArgs {
    /// How the moves are written: blank, tile, numbers or coordinates [default: what fits]
    #[arg(long, value_name = "NOTATION", value_parser = notation_parser(), hide_possible_values = true)]
    pub notation: Option<Notation>,
}

/// Where solutions come from, and the board on which they begin.
#[derive(Debug, Args)]
pub struct AnswerArgs {
    /// One solution in each argument, or the numbers of a single solution as separate arguments
    #[arg(value_name = "MOVES")]
    pub moves: Vec<String>,
    /// Read solutions from FILE, one a line, `-` being standard input; a line may begin with its board and a
    /// tab, or be a record of JSON [default: standard input, if it is no terminal]
    #[arg(short, long, value_name = "FILE", conflicts_with = "moves")]
    pub file: Option<PathBuf>,
    /// The board on which the moves begin; numbers and coordinates say nothing without it
    #[arg(long, value_name = "BOARD")]
    pub board: Option<String>,
    /// Width and height, where the board does not tell
    #[arg(long, value_name = "WxH")]
    pub size: Option<Size>,
}

/// A board, and moves on it.
#[derive(Debug, Args)]
pub struct PairArgs {
    /// The board; with --board, these are moves already
    #[arg(value_name = "BOARD")]
    pub first: Option<String>,
    /// One solution in each argument, or the numbers of a single solution as separate arguments
    #[arg(value_name = "MOVES")]
    pub moves: Vec<String>,
    /// Read solutions from FILE, one a line, `-` being standard input; a line may begin with its board and a
    /// tab, or be a record of JSON [default: standard input, if it is no terminal]
    #[arg(short, long, value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// The board on which the moves begin
    #[arg(long, value_name = "BOARD")]
    pub board: Option<String>,
}

/// Make moves on a board and print where they lead.
///
/// If a move cannot be made, the error points at it, and the exit status is 2.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd apply \"2 3 4/1 5 x/7 6 8\" ull\n  \
    loyd apply \"2 3 4/1 5 x/7 6 8\" DR2\n  \
    loyd apply \"2 3 4/1 5 x/7 6 8\" \"4 3 2\"\n  \
    loyd apply 12345678x -f answers.txt\n  \
    loyd solve -f boards.txt --all | loyd apply")]
pub struct ApplyArgs {
    #[command(flatten)]
    pub pair: PairArgs,
    /// Width and height, where the board does not tell
    #[arg(long, value_name = "WxH")]
    pub size: Option<Size>,
    #[command(flatten)]
    pub read_as: ReadAsArgs,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Output::Text)]
    pub output: Output,
}

/// Print the moves that lead back, in the notation that was read.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd invert ulld\n  \
    loyd invert DR2 --runs\n  \
    loyd invert 4 3 2 --board \"2 3 4/1 5 x/7 6 8\"\n  \
    loyd invert -f answers.txt --output json")]
pub struct InvertArgs {
    #[command(flatten)]
    pub answers: AnswerArgs,
    #[command(flatten)]
    pub style: SameStyleArgs,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Output::Text)]
    pub output: Output,
}

/// Leave out moves that undo each other.
///
/// The rest is written in the notation that was read. With a board, the moves are tried on it, and both lengths
/// are reported on standard error.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd simplify ulduurrd\n  \
    loyd simplify URLD --runs\n  \
    loyd simplify ulrl --board \"2 3 4/1 5 x/7 6 8\"\n  \
    loyd simplify -f answers.txt --output json")]
pub struct SimplifyArgs {
    #[command(flatten)]
    pub answers: AnswerArgs,
    #[command(flatten)]
    pub style: SameStyleArgs,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Output::Text)]
    pub output: Output,
}

/// How moves are read, and written again.
#[derive(Debug, Args)]
pub struct SameStyleArgs {
    #[command(flatten)]
    pub read_as: ReadAsArgs,
    /// Write R3 for RRR; of tiles that are pushed at once, name the farthest only
    #[arg(long)]
    pub runs: bool,
}

/// Write boards in another form, or solutions in another notation.
///
/// Forms of boards and notations of moves are listed by `loyd list forms` and `loyd list notations`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd convert 23415x768 --to list\n  \
    loyd convert -f boards.txt --to slashes\n  \
    loyd convert ulldrr --to tile --runs\n  \
    loyd convert DR2 --to numbers --board \"2 3 4/1 5 x/7 6 8\"\n  \
    loyd convert 4 3 2 --to blank --board \"2 3 4/1 5 x/7 6 8\"\n  \
    loyd solve 23415x768 | loyd convert --to replay --board 23415x768\n  \
    loyd convert 23415x768 --to pddl --goal spiral > problem.pddl\n  \
    loyd convert -f plan.soln --to blank\n  \
    loyd solve -f boards.txt --all | loyd convert --to coordinates")]
pub struct ConvertArgs {
    /// One board or solution in each argument, or the parts of a single one as separate arguments
    #[arg(value_name = "TEXT")]
    pub texts: Vec<String>,
    /// Read boards or solutions from FILE, `-` being standard input; solutions stand on a line each, which may
    /// have a board and a tab in front or be a record of JSON [default: standard input, if it is no terminal]
    #[arg(short, long, value_name = "FILE", conflicts_with = "texts")]
    pub file: Option<PathBuf>,
    /// A form of boards (slashes, tokens, compact, list, rows, grid) or a notation of moves (blank, tile,
    /// numbers, coordinates); replay, a link that slidysim plays; pddl, a planning problem, and pddl-domain, its domain
    #[arg(long, value_name = "FORM", value_parser = target_parser(), hide_possible_values = true)]
    pub to: Target,
    /// What is read: a format of files of boards, or a notation [default: auto, what fits]
    #[arg(long, value_name = "FORM", value_parser = origin_parser(), hide_possible_values = true)]
    pub from: Option<Origin>,
    /// Write R3 for RRR; of tiles that are pushed at once, name the farthest only
    #[arg(long)]
    pub runs: bool,
    /// The board on which the moves begin; numbers and coordinates say nothing without it
    #[arg(long, value_name = "BOARD")]
    pub board: Option<String>,
    #[arg(
        long,
        value_name = "GOAL",
        value_parser = goal,
        help = goal_help("with `*` on cells that may have any tile, for --to pddl [default: blank-last]")
    )]
    pub goal: Option<String>,
    /// Width and height, where a board does not tell
    #[arg(long, value_name = "WxH")]
    pub size: Option<Size>,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Output::Text)]
    pub output: Output,
}

/// What `--to` names.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// A form of boards.
    Board(Form),
    /// A notation of moves.
    Moves(Notation),
    /// A replay link of slidysim.
    Replay,
    /// A problem in PDDL.
    Pddl,
    /// The domain of these problems.
    PddlDomain,
}

/// Targets that are neither.
const TARGETS: [(&str, Target); 3] =
    [("replay", Target::Replay), ("pddl", Target::Pddl), ("pddl-domain", Target::PddlDomain)];

/// What `--from` names.
#[derive(Clone, Copy, Debug)]
pub enum Origin {
    /// A format of boards, or `auto`.
    Board(Format),
    /// A notation of moves.
    Moves(Notation),
}

fn notation_parser() -> impl TypedValueParser<Value = Notation> {
    Names::new(notations(), &[]).try_map(|name| name.parse::<Notation>())
}

fn notations() -> impl Iterator<Item = &'static str> {
    NOTATIONS.iter().map(|row| row.name)
}

fn target_parser() -> impl TypedValueParser<Value = Target> {
    let names = FORMS.iter().map(|row| row.name).chain(notations());
    let names = names.chain(TARGETS.map(|(name, _)| name));
    Names::new(names, &[]).try_map(|name| {
        let other = TARGETS.iter().find(|(other, _)| *other == name);
        match (other, name.parse()) {
            (Some(&(_, target)), _) => Ok(target),
            (None, Ok(form)) => Ok(Target::Board(form)),
            (None, Err(_)) => name.parse().map(Target::Moves),
        }
    })
}

fn origin_parser() -> impl TypedValueParser<Value = Origin> {
    let names = FORMATS.iter().map(|row| row.name).chain(notations());
    Names::new(names, &[]).try_map(|name| match name.parse() {
        Ok(format) => Ok(Origin::Board(format)),
        Err(_) => name.parse().map(Origin::Moves),
    })
}
