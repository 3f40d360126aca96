//! Boards in order, on as many threads as are wanted.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;

use loyd::batch::in_order;
use loyd::search::Observer;

use super::answer::{Answerer, Answers};
use super::dealt::Dealt;
use super::save::Saved;
use crate::Status;
use crate::args::Shown;
use crate::failure::{Failure, tell};
use crate::input::{Item, Items};
use crate::interrupt;
use crate::progress::{BatchProgress, Watch};

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
pub fn run(answerer: &Answerer<'_>, items: Items) -> Result<Status, Failure> {
    let args = answerer.args;
    let mut dealt = Dealt::new(items, args.batch.shard);
    let mut saved = args.batch.save.as_deref().map(|_| Saved::open(answerer)).transpose()?;
    if let Some(saved) = &saved {
        saved.skip(&mut dealt)?;
    }
    let shown = if answerer.alone { Shown::None } else { args.progress.progress };
    let items = &dealt.items;
    let progress = BatchProgress::new(shown, items.bytes_read(), items.length());
    let boards = items.known_count().and_then(NonZeroUsize::new).unwrap_or(NonZeroUsize::MAX);
    let window = if args.answers.all { WINDOW_OF_MANY } else { WINDOW };
    let mut status = saved.as_ref().map_or(Status::Yes, |saved| saved.status);
    let mut out: Box<dyn Write + Send> = Box::new(io::stdout());
    let (mut ended, mut answered, mut cut) = (None, 0, false);
    let waits = args.file.as_deref() == Some(Path::new("-"));
    in_order(
        args.batch.threads().min(boards),
        window,
        |at_most| {
            let mut read = || questions(&mut dealt, at_most);
            let read =
                if waits { interrupt::while_waiting(&answerer.cancel, read) } else { Some(read()) };
            cut |= read.is_none();
            read.unwrap_or_default()
        },
        |question, portion| {
            interrupt::while_searching(|| work(answerer, &progress, question, portion));
        },
        |portion: Portion| {
            status = status.max(portion.answers.status);
            let print = || match &mut saved {
                Some(saved) => saved.write(&portion.answers, portion.boards),
                None => write(&portion.answers, &mut out),
            };
            let printed = progress.off_the_clock(print);
            progress.advance(portion.boards, portion.answers.proved, portion.position);
            answered += portion.boards;
            ended = portion.ended.or(printed.err().map(Ended::Failed));
            if ended.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    drop(progress);
    match (ended.or(cut.then_some(Ended::Cancelled)), &saved) {
        (Some(Ended::Failed(failure)), _) => Err(failure),
        (Some(Ended::Cancelled), Some(saved)) => {
            tell(saved.how_to_continue());
            Ok(Status::No.max(status))
        }
        (Some(Ended::Cancelled), None) => {
            let s = if answered == 1 { "" } else { "s" };
            tell(format_args!("interrupted: {answered} board{s} answered"));
            Ok(Status::No.max(status))
        }
        (None, _) => Ok(status),
    }
}

/// The next boards, as many as are wanted and are here without waiting, but at least one.
fn questions(dealt: &mut Dealt, at_most: usize) -> Vec<Question> {
    let mut questions = Vec::with_capacity(at_most);
    while questions.len() < at_most
        && (questions.is_empty() || dealt.is_ready())
        && let Some(item) = dealt.next()
    {
        questions.push((item, dealt.items.bytes_read()));
    }
    questions
}

/// Solves one more board, unless there was an end.
fn work(
    answerer: &Answerer<'_>,
    progress: &BatchProgress,
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
    let mut alone;
    let mut among_many;
    let observer: Option<&mut dyn Observer> = if answerer.alone {
        let max_time = answerer.solver.config().limits.max_time;
        alone = Watch::new(answerer.args.progress, max_time).search();
        alone.observer()
    } else {
        among_many = progress.board(item.as_ref().ok().and_then(|item| item.line));
        among_many.as_mut().map(|watch| watch as &mut dyn Observer)
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
///
/// # Errors
/// When that fails.
pub fn write(answers: &Answers, out: &mut impl Write) -> Result<(), Failure> {
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
