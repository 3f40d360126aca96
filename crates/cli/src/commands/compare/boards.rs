//! The boards of a comparison.

use loyd::notation::Format;
use loyd::scramble::Scrambler;
use loyd::search::Limits;
use loyd::{Board, CancelToken, Config, Problem, Size};
use loyd_lab::compare::Subject;

use crate::Status;
use crate::args::{ComparedBoards, ProblemArgs};
use crate::failure::Failure;
use crate::input::{Items, goal_board, partial_goal};

/// Boards that are drawn if none are named.
const DRAWN: u64 = 20;

/// The boards that are given or drawn, and whether all of them could be read: what is wrong with the others has been
/// told.
pub fn of(
    args: &ComparedBoards,
    config: &Config,
    cancel: &CancelToken,
) -> Result<(Vec<Subject>, Status), Failure> {
    if args.draws() {
        return Ok((drawn(args, config, cancel)?, Status::Yes));
    }
    let (mut boards, mut status) = (Vec::new(), Status::Yes);
    for item in Items::new(&args.boards, args.file.as_deref(), Format::Auto, &args.problem)? {
        let item = item?;
        match item.problem {
            Ok(problem) => {
                let optimal_length = item.expected.map(u64::from);
                boards.push(Subject { problem, optimal_length });
            }
            Err(failure) => {
                failure.print();
                status = Status::Bad;
            }
        }
    }
    Ok((boards, status))
}

impl ComparedBoards {
    /// Whether boards are drawn.
    pub fn draws(&self) -> bool {
        self.boards.is_empty() && self.file.is_none()
    }
}

/// Boards drawn by seed, as `loyd scramble` draws them.
fn drawn(
    args: &ComparedBoards,
    config: &Config,
    cancel: &CancelToken,
) -> Result<Vec<Subject>, Failure> {
    // Limits of time and expansions are for the runs.
    let max_bytes = config.limits.max_bytes;
    let config =
        &Config { limits: Limits { max_bytes, ..Config::default().limits }, ..config.clone() };
    let ProblemArgs { size, goal } = &args.problem;
    let size = size.or(goal.is_none().then_some(Size::EIGHT));
    let partial = partial_goal(size, goal.as_deref())?;
    let mut scrambler = match &partial {
        Some(partial) => Scrambler::to_partial(partial, args.seed, config.clone())?,
        None => Scrambler::new(goal_board(size, goal.as_deref())?, args.seed, config.clone())?,
    };
    let whole = partial.is_none().then(|| goal_board(size, goal.as_deref())).transpose()?;
    let problem = |board: Board| match (&partial, &whole) {
        (Some(partial), _) => Problem::to_partial(board, partial),
        (None, Some(goal)) => Problem::between(board, goal.clone()),
        (None, None) => unreachable!("a goal is partial or whole"),
    };
    let Some(lengths) = &args.lengths else {
        let number = args.random.map_or(DRAWN, Into::into);
        let subject = |board| Ok(Subject { problem: problem(board)?, optimal_length: None });
        return (0..number).map(|_| subject(scrambler.any())).collect();
    };
    let is_length = config.metric == loyd::moves::Metric::SingleTile;
    let mut boards = Vec::new();
    for &length in &lengths.0 {
        for _ in 0..args.each.get() {
            let board = scrambler.of_length(length, cancel, None)?.board;
            // Lengths of boards that are drawn are in single-tile moves.
            let optimal_length = is_length.then_some(u64::from(length));
            boards.push(Subject { problem: problem(board)?, optimal_length });
        }
    }
    Ok(boards)
}
