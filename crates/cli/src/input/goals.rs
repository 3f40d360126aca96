//! The goals of boards.

use loyd::goal::{GOALS, GoalMismatch, PartialGoal};
use loyd::notation::{NotationError, parse_board, parse_partial_goal};
use loyd::{Board, Goal, Problem, Size};

use crate::args::{goal_like, goal_meant};
use crate::failure::Failure;

/// Finds the goal of each board: its own, or the same for all of a size.
pub struct Goals {
    text: Option<String>,
    default: Goal,
    /// The goal of the last board that had none of its own.
    last: Option<Board>,
    /// The same, where only some cells matter.
    last_part: Option<PartialGoal>,
}

impl Goals {
    /// Reads `text` as a goal for each size that is met; `default` where there is none.
    pub fn new(text: Option<String>, default: Goal) -> Self {
        Self { text, default, last: None, last_part: None }
    }

    /// The problem of a board that was read, or what is wrong with it: a goal of another size may fit the
    /// next board, and one that fits no board is an error.
    pub fn problem_of(
        &mut self,
        start: Result<Board, Failure>,
        own: Option<Board>,
    ) -> Result<Result<Problem, Failure>, Failure> {
        let start = match start {
            Ok(start) => start,
            Err(failure) => return Ok(Err(failure)),
        };
        match self.problem(start, own) {
            Err(Failure::Other(error)) if error.is::<GoalMismatch>() => Ok(Err(error.into())),
            problem => problem.map(Ok),
        }
    }

    /// The problem of bringing `start` to its goal: its own, if the file has one.
    pub fn problem(&mut self, start: Board, own: Option<Board>) -> Result<Problem, Failure> {
        if own.is_none() && self.text.as_ref().is_some_and(|text| text.contains('*')) {
            return Ok(Problem::to_partial(start.clone(), self.part(start.size())?)?);
        }
        let goal = match (own, &self.last) {
            (Some(_), _) if self.text.is_some() => {
                let message = "the file has a goal of its own: leave --goal out";
                return Err(anyhow::anyhow!(message).into());
            }
            (Some(goal), _) => goal,
            (None, Some(last)) if last.size() == start.size() => last.clone(),
            (None, _) => self.common(start.size())?,
        };
        Ok(Problem::between(start, goal)?)
    }

    /// The problem of a record: to its own goal, unless the command line has another.
    pub fn problem_of_record(
        &mut self,
        start: Result<Board, Failure>,
        goal: Option<&str>,
    ) -> Result<Result<Problem, Failure>, Failure> {
        match (start, goal.filter(|_| self.text.is_none())) {
            (Ok(start), Some(goal)) => Ok(to_goal(start, goal)),
            (start, _) => self.problem_of(start, None),
        }
    }

    /// The same, where only some cells matter.
    fn part(&mut self, size: Size) -> Result<&PartialGoal, Failure> {
        if self.last_part.as_ref().is_none_or(|part| part.size() != size) {
            let text = self.text.as_deref().unwrap_or_default();
            let part = parse_partial_goal(text, Some(size)).map_err(|error| {
                no_goal_of(size, error, parse_partial_goal(text, None).ok().map(|part| part.size()))
            })?;
            self.last_part = Some(part);
        }
        Ok(self.last_part.as_ref().expect("it was just read"))
    }

    /// The goal of all boards of `size` that have none of their own.
    fn common(&mut self, size: Size) -> Result<Board, Failure> {
        let goal = match &self.text {
            None => self.default.clone(),
            Some(text) => Goal::parse(text, size).map_err(|error| {
                no_goal_of(size, error, parse_board(text, None).ok().map(|goal| goal.size()))
            })?,
        };
        Ok(self.last.insert(goal.board(size)?).clone())
    }
}

/// The failure of a goal for boards of `size`, if the text is read as one of its `own` size otherwise.
fn no_goal_of(size: Size, error: NotationError, own: Option<Size>) -> Failure {
    match own {
        Some(goal) if goal != size => GoalMismatch { start: size, goal }.into(),
        _ => {
            let board = format!("a {size} board, with `*` on cells that may have any tile");
            not_a_goal(error, &board)
        }
    }
}

/// The failure of a goal that is neither a name nor a board.
fn not_a_goal(mut error: NotationError, board: &str) -> Failure {
    let names: Vec<&str> = GOALS.iter().map(|row| row.name).collect();
    let meant = goal_like(&error.source).map(|name| format!("did you mean {name}? "));
    let meant = meant.unwrap_or_default();
    error.help = Some(format!("{meant}a goal is {} or {board}", names.join(", ")));
    Failure::in_text("--goal")(error)
}

/// The goal that is meant, for commands that need one for every tile. One that is a board tells its size.
pub fn goal_board(size: Option<Size>, goal: Option<&str>) -> Result<Board, Failure> {
    let Some(text) = goal else { return Ok(Goal::BlankLast.board(size.unwrap_or(Size::FIFTEEN))?) };
    let named = GOALS.iter().find(|row| row.name == text);
    match named {
        Some(row) => Ok(row.goal.board(size.unwrap_or(Size::FIFTEEN))?),
        None if text.contains('*') => {
            let message = "--goal: a goal with `*` is none here: every cell needs a tile";
            Err(anyhow::anyhow!(message).into())
        }
        None => parse_board(text, size).map_err(|error| not_a_goal(error, "a board")),
    }
}

/// The partial goal in the text, if it is one.
pub fn partial_goal(
    size: Option<Size>,
    goal: Option<&str>,
) -> Result<Option<PartialGoal>, Failure> {
    let Some(text) = goal.filter(|text| text.contains('*')) else { return Ok(None) };
    let goal = parse_partial_goal(text, size);
    goal.map(Some)
        .map_err(|error| not_a_goal(error, "a board, with `*` on cells that may have any tile"))
}

/// The problem of bringing `start` to the goal in the text.
fn to_goal(start: Board, goal: &str) -> Result<Problem, Failure> {
    let (fault, size) = (Failure::in_text("goal"), Some(start.size()));
    Ok(match goal.contains('*') {
        true => Problem::to_partial(start, &parse_partial_goal(goal, size).map_err(fault)?)?,
        false => {
            let goal = Goal::parse(goal_meant(goal), start.size()).map_err(fault)?;
            Problem::new(start, &goal)?
        }
    })
}
