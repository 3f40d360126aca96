//! The options, texts and messages of the command line for other languages, without a process.
//!
//! The Python package uses this module, so it accepts and rejects the same input as the command line.

use std::fmt;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use anyhow::anyhow;
use clap::{Args, FromArgMatches};
use loyd::goal::{GOALS, PartialGoal};
use loyd::moves::Metric;
use loyd::notation::{
    Form, Format, MoveText, Notation, NotationError, Style, parse_board, read_moves, slashes,
};
use loyd::search::{Limits, Meter, Stop};
use loyd::study::{Explanation, Review, ReviewError};
use loyd::{Board, CancelToken, Config, Goal, Move, Problem, Size, Solver};
use loyd_lab::census::Survey;
use loyd_lab::compare::{Comparison, Record};

use crate::args::{
    CensusArgs, CompareArgs, ConvertArgs, Origin, ReviewArgs, SolveArgs, StyleArgs, Target,
    in_any_case, resolve_goal_name,
};
use crate::commands::advice;
pub use crate::commands::advice::hint_text;
use crate::commands::census::{MAX_THREADS, questions, refuse};
use crate::commands::compare::{boards_of, rows};
use crate::commands::explain;
use crate::failure::Failure;
use crate::input::{Goals, goal_board, partial_goal};
use crate::{pddl, replay};

/// An error message, with the wording of the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message(String);

impl Message {
    /// Creates the message from the text of `error`.
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
        Self(failure.to_line())
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

impl From<anyhow::Error> for Message {
    fn from(error: anyhow::Error) -> Self {
        Failure::Other(error).into()
    }
}

impl From<clap::Error> for Message {
    /// Takes the error without the usage of the command and the hint at its help.
    fn from(error: clap::Error) -> Self {
        let text = error.render().to_string();
        let text = text.strip_prefix("error: ").unwrap_or(&text);
        let ends = ["\n\nUsage:", "\n\nFor more information"].into_iter();
        let end = ends.filter_map(|mark| text.find(mark)).min().unwrap_or(text.len());
        Self(text[..end].trim_end().to_owned())
    }
}

/// Parses the arguments of a command, ignoring the case of values.
fn read<A: Args + FromArgMatches>(words: Vec<String>) -> Result<A, Message> {
    let command = in_any_case(A::augment_args(clap::Command::new("loyd").no_binary_name(true)));
    Ok(A::from_arg_matches(&command.try_get_matches_from(words)?)?)
}

/// The search configuration and goal from options of `loyd solve`.
#[derive(Clone, Debug)]
pub struct SolveOptions {
    /// Configuration of a search; one thread unless `--threads` is given.
    pub config: Config,
    /// Configuration for all shortest solutions, or their number.
    pub all: Config,
    /// The goal: a name or the text of a board.
    pub goal: Option<String>,
}

impl SolveOptions {
    /// Parses words such as `--algorithm=astar`.
    ///
    /// # Errors
    /// Fails with the message of the command line for unknown options and invalid values.
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

/// Parses a board in any form.
///
/// # Errors
/// Fails if `text` is not a board.
pub fn read_board(text: &str, size: Option<Size>) -> Result<Board, Message> {
    Ok(parse_board(text, size)?)
}

/// Returns the form of boards with this name, as in `loyd convert --to`.
///
/// # Errors
/// Fails if there is no such form.
pub fn form(name: &str) -> Result<Form, Message> {
    match read::<ConvertArgs>(vec![format!("--to={name}")])?.to {
        Target::Board(form) => Ok(form),
        _ => Err(Message(format!("{name} is not a form of boards"))),
    }
}

/// Returns the style of moves for values of `--notation` and `--runs`.
///
/// # Errors
/// Fails if there is no such notation.
pub fn style(notation: Option<&str>, runs: bool) -> Result<Style, Message> {
    let mut words: Vec<String> =
        notation.map(|name| format!("--notation={name}")).into_iter().collect();
    words.extend(runs.then(|| "--runs".to_owned()));
    Ok(read::<StyleArgs>(words)?.chosen_style().unwrap_or_default())
}

/// Returns the metric with this name, as in `--metric`.
///
/// # Errors
/// Fails if there is no such metric.
pub fn metric(name: &str) -> Result<Metric, Message> {
    let args: ReviewArgs = read(vec![format!("--metric={name}")])?;
    Ok(args.metric.unwrap_or_default())
}

/// A goal for boards of any size, as in `--goal`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoalText(String);

impl GoalText {
    /// Creates the goal from a name or a board, with `*` on cells that may hold any tile.
    pub fn new(text: &str) -> Self {
        Self(resolve_goal_name(text).to_owned())
    }

    /// Returns the name, or the text of the board.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether the goal is partial: some cells may hold any tile.
    pub fn is_partial(&self) -> bool {
        self.0.contains('*')
    }

    /// Returns the goal, if it is a named one.
    pub fn named(&self) -> Option<Goal> {
        GOALS.iter().find(|row| row.name == self.0).map(|row| row.goal.clone())
    }

    /// Returns the goal as a board of `size`, by default the size of the goal itself.
    ///
    /// # Errors
    /// Fails if the goal does not fit `size` or is partial.
    pub fn board(&self, size: Option<Size>) -> Result<Board, Message> {
        Ok(goal_board(size, Some(&self.0))?)
    }

    /// Returns the partial goal, or `None` if the goal is not partial.
    ///
    /// # Errors
    /// Fails if the goal does not fit `size`, or is invalid.
    pub fn partial(&self, size: Option<Size>) -> Result<Option<PartialGoal>, Message> {
        Ok(partial_goal(size, Some(&self.0))?)
    }

    /// Returns the problem of moving `start` to this goal.
    ///
    /// # Errors
    /// Fails if the goal does not fit the size of `start`.
    pub fn problem(&self, start: Board) -> Result<Problem, Message> {
        Ok(Goals::new(Some(self.0.clone()), Goal::BlankLast).problem(start, None)?)
    }
}

/// A completed census.
pub struct Census {
    /// The counts and farthest boards.
    pub survey: Survey,
    /// Memory used, in bytes.
    pub bytes: u64,
    /// Elapsed time.
    pub elapsed: Duration,
}

/// Runs the census that `words`, the arguments of `loyd census`, specify; on one thread by default.
///
/// # Errors
/// Fails with the message of the command line for invalid arguments, and with that of [`Stop::Cancelled`] if `cancel`
/// is triggered.
pub fn census(words: Vec<String>, cancel: &CancelToken) -> Result<Census, Message> {
    let args: CensusArgs = read(words)?;
    let mut survey = Survey::new(questions(&args)?, args.farthest);
    let bytes = survey.bytes();
    refuse(&args, bytes)?;
    let threads = args.threads.map_or(1, |threads| threads.get().min(MAX_THREADS));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let start = Instant::now();
    let counted = pool.map_err(|error| anyhow!(error))?.install(|| {
        let mut meter = Meter::new(Limits::default(), cancel.clone());
        while survey.advance(&mut meter)? {}
        Ok::<(), Stop>(())
    });
    counted.map_err(|stop| anyhow!(stop))?;
    Ok(Census { survey, bytes, elapsed: start.elapsed() })
}

/// Runs the searches that `words`, the arguments of `loyd compare`, specify.
///
/// They run on `boards`, or on the boards that `words` specify. The records are ordered by board, then by row of the
/// comparison. Searches that `cancel` stops have no record.
///
/// # Errors
/// Fails with the message of the command line for invalid arguments and boards.
pub fn compare(
    mut words: Vec<String>,
    boards: &[Board],
    cancel: &CancelToken,
) -> Result<Vec<Record>, Message> {
    words.push("--".to_owned());
    words.extend(boards.iter().map(|board| slashes(board).to_string()));
    let args: CompareArgs = read(words)?;
    let config = Config {
        metric: args.rows.metric,
        store: args.cache.store(),
        limits: args.limits.limits(None),
        ..Config::default()
    };
    let (boards, _) = boards_of(&args.boards, &config, cancel)?;
    let comparison = Comparison::new(rows(&args.rows)?, boards, &config)?.with_shard(args.shard);
    let threads = args.threads.map_or(NonZeroUsize::MIN, |_| args.threads());
    let mut records = Vec::new();
    comparison.run(&[], threads, cancel, |record| {
        records.push(record);
        ControlFlow::Continue(())
    });
    let names: Vec<String> = comparison.rows().map(|row| row.name()).collect();
    let place = |record: &Record| names.iter().position(|name| *name == record.row);
    records.sort_by_key(|record| (record.board_id, place(record)));
    Ok(records)
}

/// Converts the single board or solution in `words`, the arguments of `loyd convert`, to another form.
///
/// # Errors
/// Fails with the message of the command line for invalid arguments.
pub fn convert(words: Vec<String>) -> Result<String, Message> {
    let args: ConvertArgs = read(words)?;
    let text = args.texts.join(" ");
    match args.to {
        Target::Board(form) => {
            let board = parse_board(&text, args.size)?;
            Ok(form.write(&board).map_err(|error| anyhow!(error))?)
        }
        Target::Pddl => {
            let goal = GoalText::new(args.goal.as_deref().unwrap_or("blank-last"));
            Ok(pddl::problem(&goal.problem(parse_board(&text, args.size)?)?))
        }
        Target::PddlDomain => Ok(pddl::DOMAIN.to_owned()),
        Target::Moves(_) | Target::Replay => convert_moves(&args, &text),
    }
}

/// Converts moves.
fn convert_moves(args: &ConvertArgs, text: &str) -> Result<String, Message> {
    let board = args.board.as_deref().map(|board| parse_board(board, args.size)).transpose()?;
    let from = source_notation(args)?;
    let read = read_moves(text, from, board.as_ref())?;
    if let Some(board) = &board {
        read.apply_to(board)?;
    }
    let written = match (args.to, &board) {
        (Target::Moves(notation), _) => {
            let style = Style { notation, runs: args.runs };
            style.write(&read.moves, board.as_ref()).map_err(|error| anyhow!(error))
        }
        (_, Some(board)) => replay::link(board, &read.moves),
        (_, None) => Err(anyhow!("the board is missing, and a replay starts with it")),
    };
    Ok(written?)
}

/// Returns the notation of the input moves, if `--from` selects one.
fn source_notation(args: &ConvertArgs) -> Result<Option<Notation>, Message> {
    match args.from {
        None | Some(Origin::Board(Format::Auto)) => Ok(None),
        Some(Origin::Moves(notation)) => Ok(Some(notation)),
        Some(Origin::Board(format)) => {
            Err(anyhow!("{format} is a format of boards, but moves are required").into())
        }
    }
}

/// The reason why formatting cannot fail.
const INFALLIBLE: &str = "writing to a string cannot fail";

/// Returns the text of `loyd explain`: whether and why a board is solvable, and its distance from the goal.
pub fn explain_text(problem: &Problem, explanation: &Explanation) -> String {
    explain::text(problem, explanation).expect(INFALLIBLE)
}

/// Returns the text of `loyd review` in one metric: where moves were lost.
pub fn review_text(review: &Review, problem: &Problem, read: &MoveText) -> String {
    advice::review_text(review, problem, read).expect(INFALLIBLE)
}

/// Reviews moves in each of `metrics`, as `loyd review` does; they share the time limit of `solver`.
///
/// A review is `None` if the board is unsolvable.
///
/// # Errors
/// Fails if the solver does not support the board, or if a limit was reached before any solution was known.
pub fn reviews(
    solver: &Solver,
    problem: &Problem,
    moves: &[Move],
    metrics: &[Metric],
    cancel: &CancelToken,
) -> Result<Vec<Option<Review>>, Message> {
    let (mut reviews, mut best): (_, Option<Vec<Move>>) = (Vec::new(), None);
    for &metric in metrics {
        // Each board along the solution needs a search.
        let boards = Some((moves.len() as u64).max(1));
        let mut config = Config { metric, boards, ..solver.config().clone() };
        let time = &mut config.limits.max_time;
        *time = time.map(|time| time / metrics.len() as u32);
        match solver.sharing(config)?.review(problem, moves, cancel, None) {
            Ok(mut review) => {
                // The best solution in one metric may improve on the one found in the other.
                if let Some(best) = &best {
                    review.offer_solution(best);
                }
                best = Some(review.best.clone());
                reviews.push(Some(review));
            }
            Err(ReviewError::Unsolvable) => reviews.push(None),
            Err(error) => return Err(Message(error.to_string())),
        }
    }
    Ok(reviews)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message_of<T>(result: Result<T, Message>) -> String {
        result.err().map(|message| message.to_string()).unwrap_or_default()
    }

    #[test]
    fn options_are_parsed_as_on_the_command_line() {
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
        let message = message_of(read(&["--weight=0.5"]));
        assert!(message.starts_with("invalid value '0.5' for '--weight <W>'"), "{message}");
        assert!(message.ends_with("as in 1.5, is allowed"), "{message}");
        let message = message_of(read(&["--algorithm=asta"]));
        assert!(!message.contains("Usage") && !message.contains("--help"), "{message}");
    }

    #[test]
    fn names_match_the_command_line() {
        assert_eq!(form("LIST").unwrap(), Form::List);
        assert_eq!(message_of(form("tile")), "tile is not a form of boards");
        assert_eq!(metric("slides").unwrap(), Metric::MultiTile);
        assert!(style(Some("numbers"), true).unwrap().runs);
        assert!(message_of(style(Some("morse"), false)).contains("possible values: blank"));
        assert!(
            message_of(metric("htm")).starts_with("invalid value 'htm' for '--metric <METRIC>'")
        );
    }

    #[test]
    fn goals_apply_to_boards_of_any_size() {
        let board = |text: &str| read_board(text, None).unwrap();
        let (named, whole) = (GoalText::new("Snail"), GoalText::new("1 2/0 3"));
        assert_eq!(
            (named.as_str(), named.named(), whole.named()),
            ("spiral", Some(Goal::Spiral), None)
        );
        assert_eq!(named.problem(board("0 1/3 2")).unwrap().goal(), &board("1 2/0 3"));
        assert_eq!(
            message_of(whole.problem(board("1 2 3/4 5 6/7 8 0"))),
            "the goal is a 2x2 board, the start a 3x3 board"
        );
        let partial = GoalText::new("1 2/* *");
        assert!(partial.is_partial() && partial.problem(board("0 1/3 2")).is_ok());
        assert!(message_of(partial.board(None)).contains("every cell needs a tile"));
    }
}
