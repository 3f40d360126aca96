//! What other languages have of the command line: its options, its texts and its messages, without its processes.
//!
//! The Python package stands on it, so that whatever can be written there is written and refused as on the command line.

mod census;
mod compare;
mod convert;
mod texts;

use std::fmt;

use clap::{Args, FromArgMatches};
use loyd::goal::{GOALS, PartialGoal};
use loyd::moves::Metric;
use loyd::notation::{Form, NotationError, Style, parse_board};
use loyd::{Board, Config, Goal, Problem, Size};

use crate::args::{ConvertArgs, ReviewArgs, SolveArgs, StyleArgs, Target, goal_meant, in_any_case};
use crate::failure::Failure;
use crate::input::{Goals, goal_board, in_a_line, partial_goal};

pub use census::{Census, census};
pub use compare::compare;
pub use convert::convert;
pub use texts::{explained, hinted, reviewed, reviews};

/// What is wrong, in the words of the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message(String);

impl Message {
    /// What `error` says.
    pub fn new(error: impl fmt::Display) -> Self {
        Self(error.to_string())
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Message {}

impl From<Failure> for Message {
    fn from(failure: Failure) -> Self {
        Self(in_a_line(&failure))
    }
}

impl From<NotationError> for Message {
    fn from(error: NotationError) -> Self {
        Failure::in_text("")(error).into()
    }
}

impl From<loyd::Error> for Message {
    fn from(error: loyd::Error) -> Self {
        Self(error.to_string())
    }
}

impl From<clap::Error> for Message {
    /// What is wrong with the arguments, without the usage of the command and the place of its help.
    fn from(error: clap::Error) -> Self {
        let text = error.render().to_string();
        let text = text.strip_prefix("error: ").unwrap_or(&text);
        let ends = ["\n\nUsage:", "\n\nFor more information"].into_iter();
        let end = ends.filter_map(|mark| text.find(mark)).min().unwrap_or(text.len());
        Self(text[..end].trim_end().to_owned())
    }
}

/// Reads the arguments of a command, names of choices in capitals too.
fn read<A: Args + FromArgMatches>(words: Vec<String>) -> Result<A, Message> {
    let command = in_any_case(A::augment_args(clap::Command::new("loyd").no_binary_name(true)));
    Ok(A::from_arg_matches(&command.try_get_matches_from(words)?)?)
}

/// What options of `loyd solve` say of searches, and the goal.
#[derive(Clone, Debug)]
pub struct SolveOptions {
    /// How to search; with one thread unless `--threads` says otherwise.
    pub config: Config,
    /// The same for whoever wants all shortest solutions, or their number.
    pub all: Config,
    /// The goal.
    pub goal: Option<String>,
}

impl SolveOptions {
    /// Reads words such as `--algorithm=astar`.
    ///
    /// # Errors
    /// What the command line says of options that are unknown or have no such value.
    pub fn read(words: Vec<String>) -> Result<Self, Message> {
        let args: SolveArgs = read(words)?;
        let config = |all| Config {
            threads: args.batch.threads.map_or(1, |_| args.batch.threads().get()),
            store: args.cache.store(),
            ..args.search.config(&args.limits, all)
        };
        Ok(Self { config: config(false), all: config(true), goal: args.problem.goal })
    }
}

/// Reads a board in any form.
///
/// # Errors
/// When it is none.
pub fn read_board(text: &str, size: Option<Size>) -> Result<Board, Message> {
    Ok(parse_board(text, size)?)
}

/// The form of boards of this name, as `loyd convert --to` has it.
///
/// # Errors
/// When there is none.
pub fn form(name: &str) -> Result<Form, Message> {
    match read::<ConvertArgs>(vec![format!("--to={name}")])?.to {
        Target::Board(form) => Ok(form),
        _ => Err(Message(format!("{name} is no form of boards"))),
    }
}

/// How moves are written, as `--notation` and `--runs` have it.
///
/// # Errors
/// When there is no such notation.
pub fn style(notation: Option<&str>, runs: bool) -> Result<Style, Message> {
    let mut words: Vec<String> =
        notation.map(|name| format!("--notation={name}")).into_iter().collect();
    words.extend(runs.then(|| "--runs".to_owned()));
    Ok(read::<StyleArgs>(words)?.asked().unwrap_or_default())
}

/// The metric of this name, as `--metric` has it.
///
/// # Errors
/// When there is none.
pub fn metric(name: &str) -> Result<Metric, Message> {
    let args: ReviewArgs = read(vec![format!("--metric={name}")])?;
    Ok(args.metric.unwrap_or_default())
}

/// The goal of boards of any size, as `--goal` has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoalText(String);

impl GoalText {
    /// The goal that is meant: a name or a board, with `*` on cells that may have any tile.
    pub fn new(text: &str) -> Self {
        Self(goal_meant(text).to_owned())
    }

    /// The name, or the text of the board.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether only some cells matter.
    pub fn is_partial(&self) -> bool {
        self.0.contains('*')
    }

    /// The goal, if it has a name.
    pub fn named(&self) -> Option<Goal> {
        GOALS.iter().find(|row| row.name == self.0).map(|row| row.goal.clone())
    }

    /// The board of this size that is the goal, or the one of its own size.
    ///
    /// # Errors
    /// When there is none: partial goals are not boards.
    pub fn board(&self, size: Option<Size>) -> Result<Board, Message> {
        Ok(goal_board(size, Some(&self.0))?)
    }

    /// The partial goal, if it is one.
    ///
    /// # Errors
    /// When it is none of this size, or of its own.
    pub fn partial(&self, size: Option<Size>) -> Result<Option<PartialGoal>, Message> {
        Ok(partial_goal(size, Some(&self.0))?)
    }

    /// The problem of bringing `start` to this goal.
    ///
    /// # Errors
    /// When the goal is none for boards of this size.
    pub fn problem(&self, start: Board) -> Result<Problem, Message> {
        Ok(Goals::new(Some(self.0.clone()), Goal::BlankLast).problem(start, None)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused<T>(result: Result<T, Message>) -> String {
        result.err().map(|message| message.to_string()).unwrap_or_default()
    }

    #[test]
    fn options_are_read_and_refused_in_the_words_of_the_command_line() {
        let read =
            |words: &[&str]| SolveOptions::read(words.iter().map(ToString::to_string).collect());
        let options = read(&["--algorithm=A*", "--goal=korf", "--max-time=500ms"]).unwrap();
        assert_eq!((options.config.algorithm, options.config.threads), (Some("astar"), 1));
        assert_eq!(options.goal.as_deref(), Some("blank-first"));
        let usual = read(&[]).unwrap();
        assert_eq!(
            (usual.config.quality.map(|q| q.name()), usual.all.quality),
            (Some("auto"), None)
        );
        let message = refused(read(&["--weight=0.5"]));
        assert!(message.starts_with("invalid value '0.5' for '--weight <W>'"), "{message}");
        assert!(message.ends_with("as in 1.5, is allowed"), "{message}");
        let message = refused(read(&["--algorithm=asta"]));
        assert!(!message.contains("Usage") && !message.contains("--help"), "{message}");
    }

    #[test]
    fn names_are_those_of_the_command_line() {
        assert_eq!(form("LIST").unwrap(), Form::List);
        assert_eq!(refused(form("tile")), "tile is no form of boards");
        assert_eq!(metric("slides").unwrap(), Metric::MultiTile);
        assert!(style(Some("numbers"), true).unwrap().runs);
        assert!(refused(style(Some("morse"), false)).contains("possible values: blank"));
        assert!(refused(metric("htm")).starts_with("invalid value 'htm' for '--metric <METRIC>'"));
    }

    #[test]
    fn goals_are_read_for_boards_of_any_size() {
        let board = |text: &str| read_board(text, None).unwrap();
        let (named, whole) = (GoalText::new("Snail"), GoalText::new("1 2/0 3"));
        assert_eq!(
            (named.as_str(), named.named(), whole.named()),
            ("spiral", Some(Goal::Spiral), None)
        );
        assert_eq!(named.problem(board("0 1/3 2")).unwrap().goal(), &board("1 2/0 3"));
        assert_eq!(
            refused(whole.problem(board("1 2 3/4 5 6/7 8 0"))),
            "the goal is a 2x2 board, the start a 3x3 board"
        );
        let partial = GoalText::new("1 2/* *");
        assert!(partial.is_partial() && partial.problem(board("0 1/3 2")).is_ok());
        assert!(refused(partial.board(None)).contains("every cell needs a tile"));
    }
}
