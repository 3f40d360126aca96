//! What commands share that say something about a board.

use std::io::{self, Write};

use loyd::notation::{MoveText, slashes};
use loyd::search::Observer;
use loyd::{CancelToken, Goal, Problem};
use serde_json::json;

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

/// Says something about every board; what is wrong with one of a file does not keep it from the others.
///
/// # Errors
/// What is wrong with the input, or with the board of an argument.
pub fn each(
    items: Items,
    output: Output,
    attended: &Attended,
    mut say: impl FnMut(&Problem) -> Result<Status, Failure>,
) -> Result<Status, Failure> {
    let mut status = Status::Yes;
    let mut items = items.enumerate();
    while let Some((index, item)) = attended.next(&mut items) {
        let Item { line, problem, .. } = item?;
        apart(index, output)?;
        status = status.max(or_fault(problem.and_then(|problem| say(&problem)), line, output)?);
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
    mut say: impl FnMut(&Problem, &MoveText) -> Result<Status, Failure>,
) -> Result<Status, Failure> {
    let mut goals = Goals::new(shared.problem.goal.clone(), Goal::BlankLast);
    let (mut status, output) = (Status::Yes, shared.output);
    let mut items = items.enumerate();
    while let Some((index, item)) = attended.next(&mut items) {
        let GivenItem { line, given, .. } = item?;
        apart(index, output)?;
        let said = given.and_then(|Given { board, goal, said }| {
            let board = board.ok_or_else(no_board)?;
            let problem = goals.problem_of_record(Ok(board), goal.as_deref())??;
            match said {
                Said::Moves(read) => say(&problem, &read),
                Said::Word(word) => pass_on(&problem, word, output),
            }
        });
        status = status.max(or_fault(said, line, output)?);
    }
    Ok(attended.ended(status))
}

/// Says of a board without moves what was said of it before.
fn pass_on(problem: &Problem, word: &str, output: Output) -> Result<Status, Failure> {
    let board = slashes(problem.start()).to_string();
    output.print(|| format!("{word}\n"), || json!({"board": board, "status": word}))?;
    Ok(if word == UNSOLVABLE { Status::Yes } else { Status::No })
}

/// Leaves a line between texts.
fn apart(index: usize, output: Output) -> Result<(), Failure> {
    if output == Output::Text && index > 0 {
        writeln!(io::stdout().lock())?;
    }
    Ok(())
}

/// What was said, or what is wrong with `line` of a file.
fn or_fault(
    said: Result<Status, Failure>,
    line: Option<usize>,
    output: Output,
) -> Result<Status, Failure> {
    let (failure, line) = match (said, line) {
        (Err(Failure::Other(error)), _) if error.is::<io::Error>() => return Err(error.into()),
        (Err(Failure::Other(error)), Some(line)) => {
            (error.context(format!("line {line}")).into(), line)
        }
        (Err(failure), Some(line)) => (failure, line),
        (said, _) => return said,
    };
    failure.print();
    let record = json!({"status": "invalid", "error": in_a_line(&failure), "line": line});
    output.print(|| "invalid\n".to_owned(), || record)?;
    Ok(Status::Bad)
}
