//! The arguments of commands that read moves: `apply`, `invert`, `simplify`, `convert`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::TypedValueParser;
use loyd::Size;
use loyd::notation::{FORMATS, FORMS, Form, Format, NOTATIONS, Notation, Style};

use super::names::{Names, goal};
use super::{Output, blank_word, goal_help};

/// Options for the notation of printed moves.
#[derive(Debug, Args)]
pub struct StyleArgs {
    /// Notation for printed moves, from `loyd list notations` [default: blank].
    ///
    /// Among them are blank (lower case, where the blank goes), tile (capitals, where the tile goes), capitals, words
    /// or arrows (where the blank goes), numbers (which tile moves) and coordinates (row and column of that tile).
    #[arg(long, value_name = "NOTATION", value_parser = notation_parser(), hide_possible_values = true)]
    pub notation: Option<Notation>,
    /// Write R3 instead of RRR; for tiles pushed together, name only the farthest
    #[arg(long)]
    pub runs: bool,
}

impl StyleArgs {
    /// Returns the style, or `None` if no option selects one.
    pub fn chosen_style(&self) -> Option<Style> {
        let Self { notation, runs } = *self;
        (notation.is_some() || runs).then(|| Style { notation: notation.unwrap_or_default(), runs })
    }
}

/// The option for the notation of moves in the input.
#[derive(Debug, Args)]
pub struct ReadAsArgs {
    /// Notation of the moves, from `loyd list notations`: blank, tile, capitals, words, tile-words … [default:
    /// detected]
    #[arg(long, value_name = "NOTATION", value_parser = notation_parser(), hide_possible_values = true)]
    pub notation: Option<Notation>,
}

/// The solutions to read, and the board on which they start.
#[derive(Debug, Args)]
pub struct AnswerArgs {
    /// One solution per argument, or the moves of a single solution as separate arguments
    #[arg(value_name = "MOVES")]
    pub moves: Vec<String>,
    /// Read solutions from FILE, or from standard input if it is `-`, one per line; a line may start with its board
    /// and a tab, or be a JSON record [default: standard input, unless it is a terminal]
    #[arg(short, long, value_name = "FILE", conflicts_with = "moves")]
    pub file: Option<PathBuf>,
    /// Board on which the moves start; required for numbers and coordinates
    #[arg(long, value_name = "BOARD")]
    pub board: Option<String>,
    /// Width and height, if the board does not show them
    #[arg(long, value_name = "WxH")]
    pub size: Option<Size>,
}

/// A board and moves on it.
#[derive(Debug, Args)]
pub struct PairArgs {
    /// Board, unless --board gives it
    #[arg(value_name = "BOARD")]
    pub first: Option<String>,
    /// One solution per argument, or the moves of a single solution as separate arguments
    #[arg(value_name = "MOVES")]
    pub moves: Vec<String>,
    /// Read solutions from FILE, or from standard input if it is `-`, one per line; a line may start with its board
    /// and a tab, or be a JSON record [default: standard input, unless it is a terminal]
    #[arg(short, long, value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Board on which the moves start
    #[arg(long, value_name = "BOARD")]
    pub board: Option<String>,
}

/// Make moves on a board and print the resulting board.
///
/// An impossible move is an error that points at the move; the exit status is 2.
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
    /// Width and height, if the board does not show them
    #[arg(long, value_name = "WxH")]
    pub size: Option<Size>,
    #[command(flatten)]
    pub read_as: ReadAsArgs,
    /// Output format
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Output::Text)]
    pub output: Output,
}

/// Print the moves that lead back, in the notation of the input.
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
    /// Output format
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Output::Text)]
    pub output: Output,
}

/// Remove moves that undo each other.
///
/// The result is in the notation of the input. With a board, the moves are checked on it, and both lengths are
/// reported on standard error.
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
    /// Output format
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Output::Text)]
    pub output: Output,
}

/// Options for commands that print moves in the notation of the input.
#[derive(Debug, Args)]
pub struct SameStyleArgs {
    #[command(flatten)]
    pub read_as: ReadAsArgs,
    /// Write R3 instead of RRR; for tiles pushed together, name only the farthest
    #[arg(long)]
    pub runs: bool,
}

/// Convert boards to another form, or solutions to another notation.
///
/// `loyd list forms` lists the forms of boards, `loyd list notations` the notations of moves.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd convert 23415x768 --to list\n  \
    loyd convert -f boards.txt --to slashes\n  \
    loyd convert 23415x768 --to tatham\n  \
    loyd convert ulldrr --to tile --runs\n  \
    loyd convert \"['r', 'd']\" --to arrows\n  \
    loyd convert DR2 --to numbers --board \"2 3 4/1 5 x/7 6 8\"\n  \
    loyd convert 4 3 2 --to blank --board \"2 3 4/1 5 x/7 6 8\"\n  \
    loyd solve 23415x768 | loyd convert --to replay --board 23415x768\n  \
    loyd convert 23415x768 --to pddl --goal spiral > problem.pddl\n  \
    loyd convert -f plan.soln --to blank\n  \
    loyd solve -f boards.txt --all | loyd convert --to coordinates")]
pub struct ConvertArgs {
    /// One board or solution per argument, or the parts of a single one as separate arguments
    #[arg(value_name = "TEXT")]
    pub texts: Vec<String>,
    /// Read boards or solutions from FILE, or from standard input if it is `-`; each solution is on its own line,
    /// which may start with its board and a tab, or be a JSON record [default: standard input, unless it is a
    /// terminal]
    #[arg(short, long, value_name = "FILE", conflicts_with = "texts")]
    pub file: Option<PathBuf>,
    /// Form of boards (slashes, tokens, compact, list, rows, grid, hex, letters, princeton, 42, tatham, korf) or
    /// notation of moves (blank, tile, capitals, words, arrows, numbers, coordinates …); replay, a link for slidysim;
    /// pddl, a planning problem, or pddl-domain, its domain
    #[arg(long, value_name = "FORM", value_parser = target_parser(), hide_possible_values = true)]
    pub to: Target,
    /// Input: a format for files of boards, or a notation of moves [default: auto, which detects it]
    #[arg(long, value_name = "FORM", value_parser = origin_parser(), hide_possible_values = true)]
    pub from: Option<Origin>,
    /// Write R3 instead of RRR; for tiles pushed together, name only the farthest
    #[arg(long)]
    pub runs: bool,
    /// Board on which the moves start; required for numbers and coordinates
    #[arg(long, value_name = "BOARD")]
    pub board: Option<String>,
    #[arg(
        long,
        value_name = "GOAL",
        value_parser = goal,
        help = goal_help("with `*` on cells that may hold any tile, for --to pddl [default: blank-last]")
    )]
    pub goal: Option<String>,
    /// Width and height, if a board does not show them
    #[arg(long, value_name = "WxH")]
    pub size: Option<Size>,
    /// Word for the blank of boards, if it is not a common one
    #[arg(long, value_name = "WORD", value_parser = blank_word)]
    pub blank: Option<String>,
    /// Output format
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Output::Text)]
    pub output: Output,
}

/// The value of `--to`.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// A form of boards.
    Board(Form),
    /// A notation of moves.
    Moves(Notation),
    /// A replay link for slidysim.
    Replay,
    /// A planning problem in PDDL.
    Pddl,
    /// The PDDL domain of these problems.
    PddlDomain,
}

/// Targets that are neither forms of boards nor notations of moves.
const TARGETS: [(&str, Target); 3] =
    [("replay", Target::Replay), ("pddl", Target::Pddl), ("pddl-domain", Target::PddlDomain)];

/// The value of `--from`.
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
