//! Solves many boards, and prints the solutions in the order of the input.
//!
//! [`run`] solves boards on several threads and prints or saves their solutions. [`print_all_solutions`] prints all
//! shortest solutions as text, each as soon as it is found.

use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;

use loyd::batch::process_ordered;
use loyd::search::{Observer, Shortest};

#[cfg(feature = "queue")]
use super::super::queue::connect_on;
use super::answer::{Answerer, Answers, with_option};
use super::messages::stats;
use super::print::print_moves;
#[cfg(feature = "queue")]
use super::remote;
use super::save::SavedBatch;
use super::shard::ShardInput;
use crate::args::{Shown, SolveOutput};
use crate::failure::{Failure, Status, print_note};
use crate::input::{Item, Items};
use crate::interrupt;
use crate::progress::{BatchProgress, Progress, Watch};

/// Maximum number of boards in flight per thread.
const WINDOW: usize = 4096;
/// `WINDOW` if the answer to one board may be large.
const LARGE_ANSWERS_WINDOW: usize = 2;

/// A board or an error of the whole input, with the input position after it.
type Pending = (Result<Item, Failure>, u64);

/// The answers to consecutive boards.
#[derive(Default)]
struct Portion {
    answers: Answers,
    boards: u64,
    position: u64,
    /// The reason why the batch ended; `None` if it continues.
    ended: Option<BatchEnd>,
}

enum BatchEnd {
    Cancelled,
    Failed(Failure),
}

/// Solves all boards and prints or saves the solutions.
pub fn run(answerer: &Answerer<'_>, items: Items) -> Result<Status, Failure> {
    let args = answerer.args;
    #[cfg(feature = "queue")]
    let queue = connect_on(&args.on)?;
    let mut input = ShardInput::new(items, args.batch.shard);
    let saved = args.batch.save.as_deref().map(|_| SavedBatch::open(answerer, &mut input));
    let mut saved = saved.transpose()?;
    #[cfg(feature = "queue")]
    if let (Some(queue), Some(saved)) = (&queue, &mut saved) {
        return remote::run(answerer, queue, input, saved);
    }
    let shown = if answerer.single_board { Shown::None } else { args.progress.progress };
    let items = &input.items;
    let progress = BatchProgress::new(shown, items.bytes_read(), items.length());
    let boards = items.known_count().and_then(NonZeroUsize::new).unwrap_or(NonZeroUsize::MAX);
    let window = if args.answers.all { LARGE_ANSWERS_WINDOW } else { WINDOW };
    let mut status = saved.as_ref().map_or(Status::Yes, |saved| saved.status);
    let mut out: Box<dyn Write + Send> = Box::new(io::stdout());
    let (mut ended, mut answered, mut interrupted) = (None, 0, false);
    let waits = args.file.as_deref() == Some(Path::new("-"));
    process_ordered(
        args.batch.threads().min(boards),
        window,
        |at_most| {
            let mut read = || pending_boards(&mut input, at_most);
            let read =
                if waits { interrupt::while_waiting(&answerer.cancel, read) } else { Some(read()) };
            interrupted |= read.is_none();
            read.unwrap_or_default()
        },
        |pending, portion| {
            interrupt::while_searching(|| work(answerer, &progress, pending, portion));
        },
        |portion: Portion| {
            status = status.max(portion.answers.status);
            let print = || match &mut saved {
                Some(saved) => saved.write(&portion.answers, portion.boards),
                None => portion.answers.write(&mut out),
            };
            let printed = progress.suspended(print);
            progress.advance(portion.boards, portion.answers.proved, portion.position);
            answered += portion.boards;
            ended = portion.ended.or(printed.err().map(BatchEnd::Failed));
            if ended.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    drop(progress);
    match (ended.or(interrupted.then_some(BatchEnd::Cancelled)), &mut saved) {
        (Some(BatchEnd::Failed(failure)), _) => Err(failure),
        (Some(BatchEnd::Cancelled), Some(saved)) => {
            print_note(saved.resume_hint());
            Ok(Status::No.max(status))
        }
        (Some(BatchEnd::Cancelled), None) => {
            let s = if answered == 1 { "" } else { "s" };
            print_note(format_args!("interrupted: {answered} board{s} answered"));
            Ok(Status::No.max(status))
        }
        (None, saved) => {
            if let Some(saved) = saved {
                let mut answer = |(_, item)| {
                    let mut answers = Answers::default();
                    let answered = answerer.answer(item, None, &mut answers)?;
                    Ok(answered.is_continue().then_some(answers))
                };
                let mut answer_all =
                    |items: Vec<(u64, Item)>| items.into_iter().map(&mut answer).collect();
                if !saved.try_failed_again(&mut answer_all)? {
                    print_note(saved.resume_hint());
                    return Ok(Status::No.max(status));
                }
                saved.finish()?;
                status = saved.status;
            }
            // Schedulers repeat tasks that fail. `loyd merge` has the status of all boards.
            Ok(if args.batch.shard.is_some() { Status::Yes } else { status })
        }
    }
}

/// Returns the next boards, at most `at_most`: it waits for the first, and adds the boards that are then available.
fn pending_boards(input: &mut ShardInput, at_most: usize) -> Vec<Pending> {
    let mut pending = Vec::with_capacity(at_most);
    while pending.len() < at_most
        && (pending.is_empty() || input.is_ready())
        && let Some(item) = input.next()
    {
        pending.push((item, input.items.bytes_read()));
    }
    pending
}

/// Solves one board, unless the portion has ended.
fn work(
    answerer: &Answerer<'_>,
    progress: &BatchProgress,
    (item, position): Pending,
    portion: &mut Portion,
) {
    if portion.ended.is_some() {
        return;
    }
    if answerer.cancel.is_cancelled() {
        portion.ended = Some(BatchEnd::Cancelled);
        return;
    }
    let mut single;
    let mut in_batch;
    let observer: Option<&mut dyn Observer> = if answerer.single_board {
        let max_time = answerer.solver.config().limits.max_time;
        single = Watch::new(answerer.args.progress, max_time).search();
        single.observer()
    } else {
        in_batch = progress.board(item.as_ref().ok().and_then(|item| item.line));
        in_batch.as_mut().map(|watch| watch as &mut dyn Observer)
    };
    let answered = item.and_then(|item| answerer.answer(item, observer, &mut portion.answers));
    match answered {
        Ok(ControlFlow::Continue(())) => {
            portion.boards += 1;
            portion.position = position;
        }
        Ok(ControlFlow::Break(())) => portion.ended = Some(BatchEnd::Cancelled),
        Err(failure) => portion.ended = Some(BatchEnd::Failed(failure)),
    }
}

/// Prints the solutions of the boards in order. If there may be several boards, each solution is preceded by its board.
pub fn print_all_solutions(answerer: &Answerer<'_>, mut items: Items) -> Result<Status, Failure> {
    let args = answerer.args;
    let labelled = items.known_count() != Some(1)
        && matches!(args.output, SolveOutput::Moves | SolveOutput::Words);
    let mut status = Status::Yes;
    let watch = Watch::new(args.progress, answerer.solver.config().limits.max_time);
    let watch = if answerer.single_board { watch } else { watch.with_numbers() };
    while let Some(item) = interrupt::while_waiting(&answerer.cancel, || items.next()).flatten() {
        watch.next_board();
        status = status.max(print_solutions(answerer, item?, labelled, &watch)?);
        if answerer.cancel.is_cancelled() {
            return Ok(status.max(Status::No));
        }
    }
    Ok(status)
}

fn print_solutions(
    answerer: &Answerer<'_>,
    item: Item,
    labelled: bool,
    watch: &Watch,
) -> Result<Status, Failure> {
    let Item { line, expected, problem, .. } = item;
    let mut out = io::stdout();
    let args = answerer.args;
    // The solutions and the progress line cannot share a terminal.
    let is_watched = args.progress.progress == Shown::Json || !out.is_terminal();
    let mut watch = is_watched.then(|| watch.search());
    let observer = watch.as_mut().and_then(Progress::observer);
    let (mut found, mut written) = (0, Ok(()));
    let word = if problem.is_ok() { "refused" } else { "invalid" };
    let answered = problem.and_then(|problem| {
        let label = match labelled {
            true => format!("{}\t", problem.start_text()),
            false => String::new(),
        };
        let all = answerer.solver.all_shortest(&problem, &answerer.cancel, observer, |moves| {
            found += 1;
            written = out
                .write_all(label.as_bytes())
                .and_then(|()| print_moves(&problem, moves, args, &mut out));
            if written.is_err() { ControlFlow::Break(()) } else { answerer.is_enough(found) }
        });
        let Shortest { report, .. } = all.map_err(|error| with_option(error, args, line))?;
        std::mem::replace(&mut written, Ok(()))?;
        if report.moves.is_none() {
            out.write_all(label.as_bytes())?;
            answerer.print(&report, &mut out)?;
        }
        Ok(report)
    });
    drop(watch);
    let report = match answered {
        Err(Failure::Other(error)) if error.is::<io::Error>() => return Err(Failure::Other(error)),
        Err(failure) => {
            failure.print();
            if !answerer.single_board {
                writeln!(out, "{word}")?;
            }
            return Ok(Status::Bad);
        }
        Ok(report) => report,
    };
    let mut remarks = Answers::default();
    remarks.judge(answerer, &report, line, expected);
    if answerer.args.stats {
        remarks.remark(stats(&report));
    }
    remarks.remarks.iter().for_each(|(_, remark)| print_note(remark));
    Ok(remarks.status)
}
