//! The boards of the input with their goals.
//!
//! [`Goals`] determines the goal of each board. Boards on which several tiles have the same number, [`EqualItems`], are
//! read only if the goal has equal tiles too.

use anyhow::anyhow;
use loyd::goal::{EqualTiles, GOALS, GoalMismatch, PartialGoal};
use loyd::notation::{
    Hints, NotationError, TextLines, parse_board, parse_numbers, parse_partial_goal, read_board,
};
use loyd::{Board, Goal, Problem, Size};

use super::source::Input;
use crate::args::{resolve_goal_name, suggested_goal};
use crate::failure::Failure;

/// The origin of arguments in error messages.
pub const ARGUMENT: &str = "argument";

/// A board to solve, or its fault.
pub struct Item {
    /// The line in the file.
    pub line: Option<usize>,
    /// The name of the board in the file.
    pub id: Option<String>,
    /// The length of a shortest solution given by the file.
    pub expected: Option<u32>,
    /// The problem.
    pub problem: Result<Problem, Failure>,
}

/// Determines the goal of each board: its own, or a common one for all boards of a size.
pub struct Goals {
    text: Option<String>,
    /// The word for the blank, in goals as in boards.
    blank: Option<String>,
    default: Goal,
    /// The common goal of the last size.
    last: Option<Board>,
    /// The common partial goal of the last size.
    last_partial: Option<PartialGoal>,
}

impl Goals {
    /// Creates goals that are read from `text` for each board size, or are `default` if there is no text.
    pub fn new(text: Option<String>, default: Goal) -> Self {
        Self { text, blank: None, default, last: None, last_partial: None }
    }

    /// Sets the word for the blank.
    #[must_use]
    pub fn with_blank(self, blank: Option<String>) -> Self {
        Self { blank, ..self }
    }

    /// Returns the problem of a board, or its fault in the inner result: a goal of another size than this board may fit
    /// the next one. The outer error is an invalid goal, which fits no board.
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

    /// Returns the problem from `start` to its goal: its `own` goal, if the file gives one.
    pub fn problem(&mut self, start: Board, own: Option<Board>) -> Result<Problem, Failure> {
        if own.is_none() && self.text.as_ref().is_some_and(|text| text.contains('*')) {
            return Ok(Problem::with_partial_goal(start.clone(), self.partial(start.size())?)?);
        }
        let goal = match (own, &self.last) {
            (Some(_), _) if self.text.is_some() => {
                let message = "the file contains a goal: omit --goal";
                return Err(anyhow::anyhow!(message).into());
            }
            (Some(goal), _) => goal,
            (None, Some(last)) if last.size() == start.size() => last.clone(),
            (None, _) => self.common(start.size())?,
        };
        Ok(Problem::between(start, goal)?)
    }

    /// Returns the problem of a record: to its own goal, unless the command line specifies another.
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

    /// Returns the common partial goal for boards of `size`.
    fn partial(&mut self, size: Size) -> Result<&PartialGoal, Failure> {
        if self.last_partial.as_ref().is_none_or(|part| part.size() != size) {
            let text = self.text.as_deref().unwrap_or_default();
            let part = parse_partial_goal(text, Some(size)).map_err(|error| {
                goal_failure(
                    size,
                    error,
                    parse_partial_goal(text, None).ok().map(|part| part.size()),
                )
            })?;
            self.last_partial = Some(part);
        }
        Ok(self.last_partial.as_ref().expect("the partial goal was just stored"))
    }

    /// Reads a goal: a name, or a board with the same word for the blank as the boards.
    fn read(&self, text: &str, size: Size) -> Result<Goal, NotationError> {
        match &self.blank {
            Some(blank) if GOALS.iter().all(|row| row.name != text) => {
                let hints = Hints { size: Some(size), blank: Some(blank) };
                read_board(text, hints).map(|read| Goal::Board(read.board))
            }
            _ => Goal::parse(text, size),
        }
    }

    /// Returns the goal of all boards of `size` that have no goal in the file.
    fn common(&mut self, size: Size) -> Result<Board, Failure> {
        let goal = match &self.text {
            None => self.default.clone(),
            Some(text) => self.read(text, size).map_err(|error| {
                goal_failure(size, error, parse_board(text, None).ok().map(|goal| goal.size()))
            })?,
        };
        Ok(self.last.insert(goal.board(size)?).clone())
    }
}

/// Returns the failure of a goal for boards of `size`. `own` is the size of the goal if it is valid for another size.
fn goal_failure(size: Size, error: NotationError, own: Option<Size>) -> Failure {
    match own {
        Some(goal) if goal != size => GoalMismatch { start: size, goal }.into(),
        _ => {
            let board = format!("a {size} board, with `*` on cells that may have any tile");
            not_a_goal(error, &board)
        }
    }
}

/// Returns the failure of a goal that is neither a name nor a board.
fn not_a_goal(mut error: NotationError, board: &str) -> Failure {
    let names: Vec<&str> = GOALS.iter().map(|row| row.name).collect();
    let meant = suggested_goal(&error.source).map(|name| format!("did you mean {name}? "));
    let meant = meant.unwrap_or_default();
    error.help = Some(format!("{meant}a goal is {} or {board}", names.join(", ")));
    Failure::in_text("--goal")(error)
}

/// Returns the goal for commands that need a tile on every cell. A given board determines the size.
pub fn goal_board(size: Option<Size>, goal: Option<&str>) -> Result<Board, Failure> {
    let Some(text) = goal else { return Ok(Goal::BlankLast.board(size.unwrap_or(Size::FIFTEEN))?) };
    let named = GOALS.iter().find(|row| row.name == text);
    match named {
        Some(row) => Ok(row.goal.board(size.unwrap_or(Size::FIFTEEN))?),
        None if text.contains('*') => {
            let message = "--goal: a goal with `*` is not allowed here: every cell needs a tile";
            Err(anyhow::anyhow!(message).into())
        }
        None => parse_board(text, size).map_err(|error| not_a_goal(error, "a board")),
    }
}

/// Returns the partial goal in the text, or `None` if it has no `*`.
pub fn partial_goal(
    size: Option<Size>,
    goal: Option<&str>,
) -> Result<Option<PartialGoal>, Failure> {
    let Some(text) = goal.filter(|text| text.contains('*')) else { return Ok(None) };
    let goal = parse_partial_goal(text, size);
    goal.map(Some)
        .map_err(|error| not_a_goal(error, "a board, with `*` on cells that may have any tile"))
}

/// Returns the problem of a record: its board and its goal, as [`Problem::start_text`] and [`Problem::goal_text`] write
/// them.
///
/// # Errors
/// Returns an error if either is invalid, or if they do not belong together.
pub fn recorded_problem(board: &str, goal: &str) -> Result<Problem, Failure> {
    match EqualGoal::read(goal, None)? {
        Some(goal) => goal.problem("board", board),
        None => to_goal(parse_board(board, None).map_err(Failure::in_text("board"))?, goal),
    }
}

/// Returns the problem from `start` to the goal in the text.
fn to_goal(start: Board, goal: &str) -> Result<Problem, Failure> {
    let (fault, size) = (Failure::in_text("goal"), Some(start.size()));
    Ok(match goal.contains('*') {
        true => Problem::with_partial_goal(start, &parse_partial_goal(goal, size).map_err(fault)?)?,
        false => {
            let goal = Goal::parse(resolve_goal_name(goal), start.size()).map_err(fault)?;
            Problem::new(start, &goal)?
        }
    })
}

/// A goal given by numbers of which some repeat.
pub struct EqualGoal {
    size: Size,
    numbers: Vec<u32>,
}

impl EqualGoal {
    /// Reads the goal in the text. Returns `None` if it repeats no number.
    ///
    /// # Errors
    /// Returns an error if the goal does not have exactly one blank.
    pub fn read(text: &str, size: Option<Size>) -> Result<Option<Self>, Failure> {
        // A `*` marks an unconstrained cell, so the goal is partial.
        let read = parse_numbers(text, size).ok().filter(|_| !text.contains('*'));
        let Some((size, numbers)) = read else { return Ok(None) };
        if !repeats(&numbers) {
            return Ok(None);
        }
        match EqualTiles::new(size, &numbers) {
            Ok(_) => Ok(Some(Self { size, numbers })),
            Err(error) => Err(anyhow!("--goal: {error}").into()),
        }
    }

    /// Returns the problem from the board in the text to the goal.
    fn problem(&self, origin: &str, text: &str) -> Result<Problem, Failure> {
        // A list without rows takes the shape of the goal.
        let read = parse_numbers(text, None).or_else(|_| parse_numbers(text, Some(self.size)));
        let (size, numbers) = read.map_err(Failure::in_text(origin))?;
        match size == self.size || numbers.len() == self.numbers.len() && is_list(text) {
            true => Ok(Problem::with_equal_tiles(self.size, &numbers, &self.numbers)?),
            false => Err(GoalMismatch { start: size, goal: self.size }.into()),
        }
    }
}

/// Returns whether a text has no rows.
fn is_list(text: &str) -> bool {
    !text.contains(['/', '\n', '[', '(', '{'])
}

fn repeats(numbers: &[u32]) -> bool {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).any(|pair| pair[0] == pair[1])
}

/// Adds a hint to the error of a board with equal tiles.
pub fn with_goal_hint(text: &str, size: Option<Size>, mut error: NotationError) -> NotationError {
    let has_equal_tiles = parse_numbers(text, size)
        .is_ok_and(|(size, numbers)| repeats(&numbers) && EqualTiles::new(size, &numbers).is_ok());
    if has_equal_tiles && error.help.is_none() {
        let help = "`loyd solve` takes equal tiles with a --goal that has the same tiles";
        error.help = Some(help.to_owned());
    }
    error
}

/// Iterator over boards given by numbers, all with the same goal.
pub struct EqualItems {
    goal: EqualGoal,
    source: Source,
}

enum Source {
    Arguments(std::vec::IntoIter<String>),
    /// The lines of a file, one board per line, and its name.
    Lines(Box<TextLines<Input>>, String),
}

impl EqualItems {
    /// Reads boards from arguments.
    pub fn of_arguments(boards: Vec<String>, goal: EqualGoal) -> Self {
        Self { goal, source: Source::Arguments(boards.into_iter()) }
    }

    /// Reads boards from a file called `origin`, one per line.
    pub fn of_lines(lines: TextLines<Input>, origin: String, goal: EqualGoal) -> Self {
        Self { goal, source: Source::Lines(Box::new(lines), origin) }
    }

    /// Returns the number of remaining boards, if it is known.
    pub fn known_count(&self) -> Option<usize> {
        match &self.source {
            Source::Arguments(boards) => Some(boards.len()),
            Source::Lines(..) => None,
        }
    }

    /// Returns the reader, if the boards come from a file.
    pub fn reader(&self) -> Option<&Input> {
        match &self.source {
            Source::Arguments(_) => None,
            Source::Lines(lines, _) => Some(lines.reader()),
        }
    }

    /// Reads the board on a line of a file. Returns `None` if the line is blank.
    fn on_line(&self, line: usize, text: Result<String, NotationError>) -> Option<Item> {
        let Source::Lines(_, origin) = &self.source else { return None };
        let text = text.map_err(Failure::in_text(origin));
        if text.as_ref().is_ok_and(|text| text.trim().is_empty()) {
            return None;
        }
        let problem = text.and_then(|text| self.goal.problem(origin, &text));
        let problem = problem.map_err(|failure| match failure {
            Failure::Notation { origin, mut error } => {
                error.line = line;
                Failure::Notation { origin, error }
            }
            failure => failure.at(origin, line),
        });
        Some(Item { line: Some(line), id: None, expected: None, problem })
    }
}

impl Iterator for EqualItems {
    type Item = Result<Item, Failure>;

    fn next(&mut self) -> Option<Result<Item, Failure>> {
        loop {
            let (line, text) = match &mut self.source {
                Source::Arguments(boards) => {
                    let problem = self.goal.problem(ARGUMENT, &boards.next()?);
                    return Some(Ok(Item { line: None, id: None, expected: None, problem }));
                }
                Source::Lines(lines, origin) => match lines.next()? {
                    Ok(line) => line,
                    Err(error) => {
                        return Some(Err(anyhow::Error::new(error).context(origin.clone()).into()));
                    }
                },
            };
            if let Some(item) = self.on_line(line, text) {
                return Some(Ok(item));
            }
        }
    }
}
