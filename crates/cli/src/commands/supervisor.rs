//! Shared parts of commands that answer each board or solution separately.

use std::io::{self, Write};

use loyd::board::Solvability;
use loyd::notation::{MoveText, slashes};
use loyd::search::Observer;
use loyd::{Board, CancelToken, Goal, Problem};
use serde_json::{Value, json};

use super::answers::{UNSOLVABLE, no_board};
use crate::args::{Output, ProgressArgs, Shown, StudyArgs};
use crate::failure::{Failure, Status};
use crate::input::{Goals, Item, Items, MovesEntry, MovesItem, MovesItems, MovesOrStatus};
use crate::interrupt;
use crate::progress::Watch;

/// Runs the searches of a command with progress reports and cancellation.
pub struct Supervisor {
    watch: Watch,
    cancel: CancelToken,
    /// Whether the input is a single board.
    single: bool,
}

impl Supervisor {
    /// Creates the supervisor of a command; `single` is whether its input is a single board.
    pub fn new(shared: &StudyArgs, single: bool) -> Result<Self, Failure> {
        let watch = Watch::new(shared.progress, shared.limits.short().max_time);
        let watch = if single { watch } else { watch.with_numbers() };
        Ok(Self { watch, cancel: interrupt::token()?, single })
    }

    /// Creates the supervisor of a command without searches. An interruption ends such a command immediately.
    pub fn without_searches() -> Self {
        let watch = Watch::new(ProgressArgs { progress: Shown::None }, None);
        Self { watch, cancel: CancelToken::new(), single: true }
    }

    /// Runs `work` with a cancel token and an observer.
    pub fn search<T>(&self, work: impl FnOnce(&CancelToken, Option<&mut dyn Observer>) -> T) -> T {
        work(&self.cancel, self.watch.search().observer())
    }

    /// Returns the next of `items`, or `None` after an interruption.
    pub fn next<I: Iterator>(&self, items: &mut I) -> Option<I::Item> {
        self.watch.next_board();
        interrupt::while_waiting(&self.cancel, || items.next()).flatten()
    }

    /// Returns the exit status, given the status of the answers: at least [`Status::No`] after an interruption, which
    /// leaves boards unanswered, unless the input is a single board.
    pub fn exit_status(&self, status: Status) -> Status {
        if self.cancel.is_cancelled() && !self.single { status.max(Status::No) } else { status }
    }
}

/// The output format of an answer, and the name and line of its board in the input.
pub struct Reply<'a> {
    output: Output,
    /// The name of the board in the input.
    id: Option<&'a str>,
    /// The line number of the board in the input.
    line: Option<usize>,
}

impl Reply<'_> {
    /// Prints the answer: `text`, or `record` with the name and the line number of the board.
    ///
    /// # Errors
    /// Fails if the answer cannot be written.
    pub fn print(
        &self,
        text: impl FnOnce() -> String,
        record: impl FnOnce() -> Value,
    ) -> io::Result<()> {
        let record = || {
            let mut record = record();
            if let Some(fields) = record.as_object_mut() {
                fields.extend(self.id.map(|id| ("id".to_owned(), id.into())));
                fields.extend(self.line.map(|line| ("line".to_owned(), line.into())));
            }
            record
        };
        self.output.print(text, record)
    }
}

/// Calls `answer` for every board. An error in a board from a file is printed and does not affect the other boards.
///
/// # Errors
/// Fails if the input cannot be read, or if a board given as an argument is invalid.
pub fn for_each_board(
    items: Items,
    output: Output,
    supervisor: &Supervisor,
    mut answer: impl FnMut(&Problem, &Reply<'_>) -> Result<Status, Failure>,
) -> Result<Status, Failure> {
    let mut status = Status::Yes;
    let mut items = items.enumerate();
    while let Some((index, item)) = supervisor.next(&mut items) {
        let Item { line, id, problem, .. } = item?;
        separate(index, output)?;
        let reply = Reply { output, id: id.as_deref(), line };
        let answered = problem.and_then(|problem| answer(&problem, &reply));
        status = status.max(print_fault(answered, &reply)?);
    }
    Ok(supervisor.exit_status(status))
}

/// Calls `answer` for every solution and the board from which it starts.
///
/// # Errors
/// Fails if the input cannot be read, or if an argument is invalid.
pub fn for_each_solution(
    items: MovesItems,
    shared: &StudyArgs,
    supervisor: &Supervisor,
    mut answer: impl FnMut(&Problem, &MoveText, &Reply<'_>) -> Result<Status, Failure>,
) -> Result<Status, Failure> {
    let mut goals = goals(shared);
    let (mut status, output) = (Status::Yes, shared.output);
    let mut items = items.enumerate();
    while let Some((index, item)) = supervisor.next(&mut items) {
        let MovesItem { line, entry, .. } = item?;
        separate(index, output)?;
        let id = entry.as_ref().ok().and_then(|entry| entry.id.clone());
        let reply = Reply { output, id: id.as_deref(), line };
        let answered = entry.and_then(|MovesEntry { board, goal, content, .. }| {
            let read = match content {
                MovesOrStatus::Moves(read) => read,
                MovesOrStatus::Status(word) => {
                    let problem = board
                        .clone()
                        .map(|board| goals.problem_of_record(Ok(board), goal.as_deref()));
                    let problem = problem.transpose()?.transpose()?;
                    if word == UNSOLVABLE && problem.as_ref().is_some_and(can_be_solved) {
                        return refuse_unsolvable(board.as_ref(), &reply);
                    }
                    return forward_word(board.as_ref(), word, &reply);
                }
            };
            let board = board.ok_or_else(no_board)?;
            let problem = goals.problem_of_record(Ok(board), goal.as_deref())??;
            answer(&problem, &read, &reply)
        });
        status = status.max(print_fault(answered, &reply)?);
    }
    Ok(supervisor.exit_status(status))
}

/// Returns the goals of the boards of a command.
pub fn goals(shared: &StudyArgs) -> Goals {
    Goals::new(shared.problem.goal.clone(), Goal::BlankLast)
}

/// Prints `word`, the status word that the input contains instead of moves.
fn forward_word(board: Option<&Board>, word: &str, reply: &Reply<'_>) -> Result<Status, Failure> {
    let board = board.map(|board| slashes(board).to_string());
    reply.print(|| format!("{word}\n"), || json!({"board": board, "status": word}))?;
    Ok(if word == UNSOLVABLE { Status::Yes } else { Status::No })
}

/// Returns whether parity shows that a board can be solved; false for goals with `*`, which several boards meet.
pub fn can_be_solved(problem: &Problem) -> bool {
    problem.partial_goal().is_none() && Solvability::is_reachable(problem.start(), problem.goal())
}

/// Prints that `unsolvable` is wrong.
fn refuse_unsolvable(board: Option<&Board>, reply: &Reply<'_>) -> Result<Status, Failure> {
    let board = board.map(|board| slashes(board).to_string());
    let text = || "not unsolvable: the board can be solved\n".to_owned();
    reply.print(text, || json!({"board": board, "status": UNSOLVABLE, "solution": false}))?;
    Ok(Status::No)
}

/// Prints an empty line before each text answer but the first.
fn separate(index: usize, output: Output) -> Result<(), Failure> {
    if output == Output::Text && index > 0 {
        writeln!(io::stdout().lock())?;
    }
    Ok(())
}

/// Returns the status of an answer. An error in a line of a file is printed, and its status is [`Status::Bad`].
fn print_fault(answered: Result<Status, Failure>, reply: &Reply<'_>) -> Result<Status, Failure> {
    let failure = match (answered, reply.line) {
        (Err(Failure::Other(error)), _) if error.is::<io::Error>() => return Err(error.into()),
        (Err(Failure::Other(error)), Some(line)) => error.context(format!("line {line}")).into(),
        (Err(failure), Some(_)) => failure,
        (answered, _) => return answered,
    };
    failure.print();
    let record = || json!({"status": "invalid", "error": failure.to_line()});
    reply.print(|| "invalid\n".to_owned(), record)?;
    Ok(Status::Bad)
}
