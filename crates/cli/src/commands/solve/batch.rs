//! Boards in order, on as many threads as are wanted.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use loyd::batch::in_order;
use loyd::search::{Event, Observer};

use super::answer::{Answerer, Answers};
use super::save::Saved;
use crate::Status;
use crate::failure::{Failure, tell};
use crate::input::{Item, Items};
use crate::progress::{BatchProgress, Progress};

/// Boards that may be in flight for each thread; fewer where a solution may be large.
const WINDOW: usize = 4096;
const WINDOW_OF_MANY: usize = 2;

/// A board, or what is wrong with the whole input, and how far the file is read then.
type Question = (Result<Item, Failure>, u64);

/// Some boards that follow each other, answered.
#[derive(Default)]
struct Portion {
    answers: Answers,
    boards: u64,
    position: u64,
    /// Why there is no more.
    ended: Option<Ended>,
}

enum Ended {
    Cancelled,
    Failed(Failure),
}

/// Solves all boards and prints or saves the solutions.
pub fn run(answerer: &Answerer<'_>, mut items: Items) -> Result<Status, Failure> {
    let args = answerer.args;
    let mut saved = args.batch.save.as_deref().map(|_| Saved::open(answerer)).transpose()?;
    if let Some(saved) = &saved {
        saved.skip(&mut items)?;
    }
    if saved.is_some() || answerer.keeps_the_best() {
        cancel_on_signals(answerer)?;
    }
    let alone = items.known_count() == Some(1);
    let progress = BatchProgress::new(!alone, items.bytes_read(), items.length());
    let boards = items.known_count().and_then(NonZeroUsize::new).unwrap_or(NonZeroUsize::MAX);
    let window = if args.answers.all { WINDOW_OF_MANY } else { WINDOW };
    let mut status = saved.as_ref().map_or(Status::Yes, |saved| saved.status);
    let mut out: Box<dyn Write + Send> = Box::new(io::stdout());
    let mut ended = None;
    in_order(
        args.batch.threads().min(boards),
        window,
        |at_most| questions(&mut items, at_most),
        |question, portion| work(answerer, &progress, alone, question, portion),
        |portion: Portion| {
            status = status.max(portion.answers.status);
            let print = || match &mut saved {
                Some(saved) => saved.write(&portion.answers, portion.boards),
                None => write(&portion.answers, &mut out),
            };
            let printed = progress.off_the_clock(print);
            progress.advance(portion.boards, portion.position);
            ended = portion.ended.or(printed.err().map(Ended::Failed));
            if ended.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    drop(progress);
    match (ended, &saved) {
        (Some(Ended::Failed(failure)), _) => Err(failure),
        (Some(Ended::Cancelled), Some(saved)) => {
            tell(saved.how_to_continue());
            Ok(Status::No.max(status))
        }
        // Some boards are left.
        (Some(Ended::Cancelled), None) => Ok(Status::No.max(status)),
        (None, _) => Ok(status),
    }
}

/// The next boards, as many as are wanted and are here without waiting, but at least one.
fn questions(items: &mut Items, at_most: usize) -> Vec<Question> {
    let mut questions = Vec::with_capacity(at_most);
    while questions.len() < at_most
        && (questions.is_empty() || items.is_ready())
        && let Some(item) = items.next()
    {
        questions.push((item, items.bytes_read()));
    }
    questions
}

/// Solves one more board, unless there was an end.
fn work(
    answerer: &Answerer<'_>,
    progress: &BatchProgress,
    alone: bool,
    (item, position): Question,
    portion: &mut Portion,
) {
    if portion.ended.is_some() {
        return;
    }
    if answerer.cancel.is_cancelled() {
        portion.ended = Some(Ended::Cancelled);
        return;
    }
    let mut watch;
    let mut sign;
    let observer: Option<&mut dyn Observer> = if alone {
        watch = Progress::new(answerer.solver.config().limits.max_time);
        Some(&mut watch)
    } else if progress.is_watched() {
        sign = |_: Event| {
            progress.wake();
            ControlFlow::Continue(())
        };
        Some(&mut sign)
    } else {
        None
    };
    let answered = item.and_then(|item| answerer.answer(item, observer, &mut portion.answers));
    match answered {
        Ok(ControlFlow::Continue(())) => {
            portion.boards += 1;
            portion.position = position;
        }
        Ok(ControlFlow::Break(())) => portion.ended = Some(Ended::Cancelled),
        Err(failure) => portion.ended = Some(Ended::Failed(failure)),
    }
}

/// Writes text and remarks, each remark in its place.
fn write(answers: &Answers, out: &mut impl Write) -> Result<(), Failure> {
    let mut written = 0;
    for (place, remark) in &answers.remarks {
        out.write_all(&answers.text[written..*place])?;
        out.flush()?;
        tell(remark);
        written = *place;
    }
    out.write_all(&answers.text[written..])?;
    Ok(out.flush()?)
}

/// Lets the first signal to end stop the searches, and the second one the process.
fn cancel_on_signals(answerer: &Answerer<'_>) -> Result<(), Failure> {
    /// What a shell reports of a process that was interrupted.
    const INTERRUPTED: i32 = 130;
    let cancel = answerer.cancel.clone();
    let handler = move || match cancel.is_cancelled() {
        true => std::process::exit(INTERRUPTED),
        false => cancel.cancel(),
    };
    Ok(ctrlc::set_handler(handler)?)
}
