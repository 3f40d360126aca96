//! What commands share that say something about a board.

use std::io::{self, Write};

use loyd::notation::{MoveText, slashes};
use loyd::search::Observer;
use loyd::{Board, CancelToken, Goal, Problem};
use serde_json::{Value, json};

use super::answers::{UNSOLVABLE, no_board};
use crate::Status;
use crate::args::{Output, ProgressArgs, Shown, StudyArgs};
use crate::failure::Failure;
use crate::input::{Given, GivenItem, GivenItems, Goals, Item, Items, Said, in_a_line};
use crate::interrupt;
use crate::progress::Watch;

/// Watches the searches of a command, and ends them when the user asks for it.
pub struct Attended {
    watch: Watch,
    cancel: CancelToken,
    /// Whether there is one board.
    alone: bool,
}

impl Attended {
    /// For a command that is about one board, if it is `alone`.
    pub fn new(shared: &StudyArgs, alone: bool) -> Result<Self, Failure> {
        let watch = Watch::new(shared.progress, shared.limits.short().max_time);
        let watch = if alone { watch } else { watch.of_many() };
        Ok(Self { watch, cancel: interrupt::token()?, alone })
    }

    /// For a command that searches for nothing: what ends it ends it at once.
    pub fn without_searches() -> Self {
        let watch = Watch::new(ProgressArgs { progress: Shown::None }, None);
        Self { watch, cancel: CancelToken::new(), alone: true }
    }

    /// Does `work` with a token that ends it and an observer.
    pub fn search<T>(&self, work: impl FnOnce(&CancelToken, Option<&mut dyn Observer>) -> T) -> T {
        work(&self.cancel, self.watch.search().observer())
    }

    /// The next of `items`, unless the user has asked for the end.
    pub fn next<I: Iterator>(&self, items: &mut I) -> Option<I::Item> {
        self.watch.next_board();
        interrupt::while_waiting(&self.cancel, || items.next()).flatten()
    }

    /// The exit status, if all that was said is worth `status`: boards may be left.
    pub fn ended(&self, status: Status) -> Status {
        if self.cancel.is_cancelled() && !self.alone { status.max(Status::No) } else { status }
    }
}

/// What is asked, and in which form it is answered.
pub struct Asked<'a> {
    output: Output,
    /// The name of the board in the input.
    id: Option<&'a str>,
    /// The line of the input.
    line: Option<usize>,
}

impl Asked<'_> {
    /// Prints the answer: `text`, or `record` with the name and the line of the board.
    ///
    /// # Errors
    /// When it cannot be written.
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

/// Says something about every board; what is wrong with one of a file does not keep it from the others.
///
/// # Errors
/// What is wrong with the input, or with the board of an argument.
pub fn each(
    items: Items,
    output: Output,
    attended: &Attended,
    mut say: impl FnMut(&Problem, &Asked<'_>) -> Result<Status, Failure>,
) -> Result<Status, Failure> {
    let mut status = Status::Yes;
    let mut items = items.enumerate();
    while let Some((index, item)) = attended.next(&mut items) {
        let Item { line, id, problem, .. } = item?;
        apart(index, output)?;
        let asked = Asked { output, id: id.as_deref(), line };
        let said = problem.and_then(|problem| say(&problem, &asked));
        status = status.max(or_fault(said, &asked)?);
    }
    Ok(attended.ended(status))
}

/// Says something about every solution and the board on which it begins.
///
/// # Errors
/// What is wrong with the input, or with an argument.
pub fn each_solution(
    items: GivenItems,
    shared: &StudyArgs,
    attended: &Attended,
    mut say: impl FnMut(&Problem, &MoveText, &Asked<'_>) -> Result<Status, Failure>,
) -> Result<Status, Failure> {
    let mut goals = Goals::new(shared.problem.goal.clone(), Goal::BlankLast);
    let (mut status, output) = (Status::Yes, shared.output);
    let mut items = items.enumerate();
    while let Some((index, item)) = attended.next(&mut items) {
        let GivenItem { line, given, .. } = item?;
        apart(index, output)?;
        let id = given.as_ref().ok().and_then(|given| given.id.clone());
        let asked = Asked { output, id: id.as_deref(), line };
        let said = given.and_then(|Given { board, goal, said, .. }| {
            let read = match said {
                Said::Moves(read) => read,
                Said::Word(word) => return pass_on(board.as_ref(), word, &asked),
            };
            let board = board.ok_or_else(no_board)?;
            let problem = goals.problem_of_record(Ok(board), goal.as_deref())??;
            say(&problem, &read, &asked)
        });
        status = status.max(or_fault(said, &asked)?);
    }
    Ok(attended.ended(status))
}

/// Says of a board without moves what was said of it before.
fn pass_on(board: Option<&Board>, word: &str, asked: &Asked<'_>) -> Result<Status, Failure> {
    let board = board.map(|board| slashes(board).to_string());
    asked.print(|| format!("{word}\n"), || json!({"board": board, "status": word}))?;
    Ok(if word == UNSOLVABLE { Status::Yes } else { Status::No })
}

/// Leaves a line between texts.
fn apart(index: usize, output: Output) -> Result<(), Failure> {
    if output == Output::Text && index > 0 {
        writeln!(io::stdout().lock())?;
    }
    Ok(())
}

/// What was said, or what is wrong with the line of a file.
fn or_fault(said: Result<Status, Failure>, asked: &Asked<'_>) -> Result<Status, Failure> {
    let failure = match (said, asked.line) {
        (Err(Failure::Other(error)), _) if error.is::<io::Error>() => return Err(error.into()),
        (Err(Failure::Other(error)), Some(line)) => error.context(format!("line {line}")).into(),
        (Err(failure), Some(_)) => failure,
        (said, _) => return said,
    };
    failure.print();
    let record = || json!({"status": "invalid", "error": in_a_line(&failure)});
    asked.print(|| "invalid\n".to_owned(), record)?;
    Ok(Status::Bad)
}
