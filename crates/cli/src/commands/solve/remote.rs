//! Lets workers on other machines solve a file of boards.
//!
//! The file of `--save` is the truth, as for one process: answers are written in the order of the boards, each after it
//! was checked against its board. Nothing on the queue is needed to resume.

use std::collections::BTreeMap;

use anyhow::anyhow;
use loyd::Problem;
use loyd::batch::Record;
use loyd_queue::{Job as QueueJob, Outcome, Queue, Run, State, Work};

use super::super::queue::{
    Job, JobSize, Jobs, Lookout, MOST_BYTES_IN_JOB, MOST_WRONG, QueuedAnswer, QueuedBoard,
    SolveOptions, SolvedBoards, printable, progress_of, status_of,
};
use super::answer::{Answerer, Answers, FAILED};
use super::kept_lines::check_line;
use super::save::SavedBatch;
use super::shard::ShardInput;
use crate::failure::{Failure, Status, print_note};
use crate::input::{Item, expected_boards};
use crate::progress::BatchProgress;

/// Maximum number of boards in memory.
const MOST_BOARDS: usize = 1 << 14;

/// Maximum size of the boards and answers in memory, in bytes: no boards are read while there are more.
const MOST_BYTES: usize = 64 << 20;

/// Estimated size of a board in memory for each of its cells: start and goal, and their texts in a job.
const CELL_BYTES: usize = 16;

/// Maximum number of boards of a job.
const MOST_IN_JOB: f64 = 1000.0;

/// Solves the boards of `input` with the workers of `queue`. Returns the exit status.
///
/// # Errors
/// Returns an error of the input, of the file of `--save` or of the queue.
pub fn run(
    answerer: &Answerer<'_>,
    queue: &Queue,
    mut input: ShardInput,
    saved: &mut SavedBatch,
) -> Result<Status, Failure> {
    let items = &input.items;
    let shown = answerer.args.progress.progress;
    let progress = BatchProgress::new(shown, items.bytes_read(), items.length());
    let mut number = saved.boards();
    let mut read = || {
        let item = input.next()?;
        number += 1;
        Some((number - 1, item, input.items.bytes_read()))
    };
    let mut write = |answers: Answers| saved.write(&answers, 1);
    let mut is_complete = drive(answerer, queue, &mut read, &mut write, progress)?;
    if is_complete {
        is_complete = saved.try_failed_again(&mut |items| {
            let progress = BatchProgress::new(shown, 0, Some(items.len() as u64));
            let (mut items, mut answers) = ((1..).zip(items), Vec::new());
            let mut read =
                || items.next().map(|(position, (number, item))| (number, Ok(item), position));
            let mut write = |answer| {
                answers.push(answer);
                Ok(())
            };
            let is_complete = drive(answerer, queue, &mut read, &mut write, progress)?;
            Ok(is_complete.then_some(answers))
        })?;
    }
    if !is_complete {
        print_note(saved.resume_hint());
        return Ok(Status::No.max(saved.status));
    }
    saved.finish()?;
    Ok(saved.status)
}

/// Returns the number of the next board among all boards of the file, the board or an error of the input, and the position
/// in the input after it.
type Read<'a> = dyn FnMut() -> Option<(u64, Result<Item, Failure>, u64)> + 'a;

/// Writes the answers to the next board.
type Write<'a> = dyn FnMut(Answers) -> Result<(), Failure> + 'a;

/// Solves the boards that `read` returns. Returns false after an interruption.
fn drive(
    answerer: &Answerer<'_>,
    queue: &Queue,
    read: &mut Read<'_>,
    write: &mut Write<'_>,
    progress: BatchProgress,
) -> Result<bool, Failure> {
    let args = answerer.args;
    let run = Run::new(env!("CARGO_PKG_VERSION"), &answerer.identity.search);
    let mut driver = Driver {
        answerer,
        options: SolveOptions::new(args, expected_boards(&args.boards, args.file.as_deref())),
        read: Some(read),
        write,
        failure: None,
        progress,
        boards: BTreeMap::new(),
        bytes: 0,
        next: 0,
        early: BTreeMap::new(),
        jobs: Jobs::new(),
        size: JobSize::at_most(MOST_IN_JOB),
        failed: 0,
        is_interrupted: false,
        lookout: Lookout::new(),
    };
    let driven = queue.drive(&run, &mut driver);
    let Driver { failure, is_interrupted, progress, .. } = driver;
    drop(progress);
    driven?;
    failure.map_or(Ok(!is_interrupted), Err)
}

/// A board that is read, but whose answer is not written.
struct Waiting {
    /// `None` if it is answered, or invalid.
    item: Option<Item>,
    answers: Option<Answers>,
    /// Position in the input after the board.
    position: u64,
    /// Number of wrong answers.
    wrong: u32,
}

/// The driver of the workers.
struct Driver<'a, 'b> {
    answerer: &'a Answerer<'b>,
    options: SolveOptions,
    /// `None` at the end of the input.
    read: Option<&'a mut Read<'b>>,
    write: &'a mut Write<'b>,
    /// The error that ended the input.
    failure: Option<Failure>,
    progress: BatchProgress,
    /// The boards that are read and not written, by number.
    boards: BTreeMap<u64, Waiting>,
    /// Size of these boards and their answers in bytes.
    bytes: usize,
    /// Number of the next board of the input.
    next: u64,
    /// Answers to boards that are not read yet, from results that an earlier driver has left.
    early: BTreeMap<u64, QueuedAnswer>,
    /// The numbers of the boards of each job.
    jobs: Jobs<u64>,
    size: JobSize,
    /// Number of boards that failed.
    failed: u64,
    is_interrupted: bool,
    lookout: Lookout,
}

impl Work for Driver<'_, '_> {
    type Error = Failure;

    fn next_job(&mut self) -> Result<Option<QueueJob>, Failure> {
        if let Some(number) = self.jobs.next_alone() {
            return Ok(self.queued(number).map(|board| self.job(vec![board])));
        }
        if self.jobs.are_enough() {
            return Ok(None);
        }
        let mut job = Vec::new();
        let mut bytes = 0;
        while job.len() < self.size.items() && bytes < MOST_BYTES_IN_JOB && !self.is_full() {
            let Some(number) = self.read()? else { break };
            if let Some(board) = self.queued(number) {
                bytes += board.board.len() + board.goal.len();
                job.push(board);
            }
        }
        Ok((!job.is_empty()).then(|| self.job(job)))
    }

    fn is_done(&self) -> bool {
        self.read.is_none() && self.boards.is_empty()
    }

    fn take(&mut self, key: &str, outcome: Outcome<'_>) -> Result<bool, Failure> {
        let solved = match outcome {
            Outcome::Failed(reason) => {
                self.fail(key, reason)?;
                return Ok(true);
            }
            Outcome::Done(result) => serde_json::from_slice::<SolvedBoards>(result),
        };
        let Ok(SolvedBoards { answers, elapsed_ns }) = solved else {
            print_note("a result of a worker is not readable; its boards are solved again");
            return Ok(false);
        };
        self.size.adapt(answers.len(), elapsed_ns);
        let mut is_valid = true;
        for answer in answers {
            is_valid &= self.accept(answer)?;
        }
        let is_open =
            |number: &u64| self.boards.get(number).is_some_and(|board| board.item.is_some());
        is_valid &= !self.jobs.items(key).iter().any(is_open);
        // The boards of a wrong answer get a new job with the same name.
        if is_valid {
            self.jobs.remove(key);
        }
        self.write()?;
        Ok(is_valid)
    }

    fn look(&mut self, state: State) -> bool {
        self.jobs.look(&state);
        if let Some(note) = self.lookout.look(&state) {
            self.progress.suspended(|| print_note(note));
        }
        self.progress.set_queue(progress_of(state, self.failed));
        self.is_interrupted = self.answerer.cancel.is_cancelled();
        !self.is_interrupted
    }
}

impl Driver<'_, '_> {
    fn is_full(&self) -> bool {
        self.boards.len() >= MOST_BOARDS || self.bytes >= MOST_BYTES
    }

    /// Reads the next board; returns its number. Invalid boards, and boards whose answer an earlier driver has left, are
    /// answered at once.
    fn read(&mut self) -> Result<Option<u64>, Failure> {
        let Some(read) = &mut self.read else { return Ok(None) };
        let (number, item, position) = match read() {
            Some((number, Ok(item), position)) => (number, item, position),
            ended => {
                self.failure = ended.and_then(|(_, error, _)| error.err());
                self.read = None;
                return Ok(None);
            }
        };
        self.next = number + 1;
        let mut waiting = Waiting { item: None, answers: None, position, wrong: 0 };
        match item.problem {
            Ok(ref problem) => {
                self.bytes += board_bytes(problem);
                waiting.item = Some(item);
            }
            Err(_) => {
                let mut answers = Answers::default();
                _ = self.answerer.answer(item, None, &mut answers)?;
                waiting.answers = Some(answers);
            }
        }
        self.boards.insert(number, waiting);
        if let Some(answer) = self.early.remove(&number) {
            self.accept(answer)?;
        }
        self.write()?;
        Ok(Some(number))
    }

    /// Returns the record of a board for a job; `None` if it is answered.
    fn queued(&self, number: u64) -> Option<QueuedBoard> {
        let item = self.boards.get(&number)?.item.as_ref()?;
        item.problem.as_ref().ok().map(|problem| QueuedBoard::new(number, item, problem))
    }

    /// Returns the job of `boards`.
    fn job(&mut self, boards: Vec<QueuedBoard>) -> QueueJob {
        let numbers: Vec<u64> = boards.iter().map(|board| board.number).collect();
        let job = Job::Solve { options: self.options.clone(), boards };
        self.jobs.add(numbers[0], numbers, &job)
    }

    /// Takes the answer to a board, unless there is one. Returns false if it is wrong.
    fn accept(&mut self, answer: QueuedAnswer) -> Result<bool, Failure> {
        let number = answer.number;
        let Some(waiting) = self.boards.get_mut(&number) else {
            if number >= self.next && self.early.len() < MOST_BOARDS {
                self.early.insert(number, answer);
            }
            return Ok(true);
        };
        let Some(item) = &waiting.item else { return Ok(true) };
        let line = item.line;
        let is_line = !answer.line.chars().any(char::is_control);
        let checked = match is_line {
            true => check_line(self.answerer, answer.line.as_bytes(), item),
            false => Err(anyhow!("it is not a line of text")),
        };
        if let Err(why) = checked {
            waiting.wrong += 1;
            let wrong = waiting.wrong;
            let place = line.map_or_else(|| "a board".to_owned(), |line| format!("line {line}"));
            let message = format!("{place}: a worker gave a wrong answer: {why:#}");
            if wrong < MOST_WRONG {
                print_note(format_args!("{message}; the board is solved again"));
                return Ok(false);
            }
            self.set_failed(number, &message)?;
            return Ok(true);
        }
        let counters = &self.answerer.counters;
        answer.shared_remarks.iter().for_each(|text| counters.add(printable(text), line));
        let text = (answer.line + "\n").into_bytes();
        let remarks = answer.remarks.into_iter().map(|remark| (0, printable(&remark))).collect();
        let (status, proved) = (status_of(answer.status), u64::from(answer.is_proved));
        self.bytes += text.len();
        waiting.answers = Some(Answers { text, remarks, status, proved });
        self.forget(number);
        Ok(true)
    }

    /// Takes the failure of a job. One with several boards is repeated with each of them alone, so that one of them does
    /// not cost the others.
    fn fail(&mut self, key: &str, reason: &str) -> Result<(), Failure> {
        match *self.jobs.remove(key) {
            [number] => {
                self.set_failed(number, reason)?;
                self.write()
            }
            ref numbers => {
                self.jobs.repeat_alone(numbers.iter().copied());
                Ok(())
            }
        }
    }

    /// Answers a board with the reason why it has no answer.
    fn set_failed(&mut self, number: u64, reason: &str) -> Result<(), Failure> {
        let Some(item) = self.forget(number) else { return Ok(()) };
        let (line, id, expected) = (item.line, item.id.clone(), item.expected);
        let mut answers = Answers { status: Status::No, ..Answers::default() };
        answers.remark(match line {
            Some(line) => format!("line {line}: failed: {}", printable(reason)),
            None => format!("failed: {}", printable(reason)),
        });
        let record = Record::invalid(item.problem.as_ref().ok(), reason.to_owned());
        let record = Record { line, id, expected, status: FAILED, ..record };
        self.answerer.write_in_place(&record, &mut answers)?;
        self.bytes += answers.text.len();
        if let Some(waiting) = self.boards.get_mut(&number) {
            waiting.answers = Some(answers);
        }
        self.failed += 1;
        Ok(())
    }

    /// Drops the board of an answer.
    fn forget(&mut self, number: u64) -> Option<Item> {
        let item = self.boards.get_mut(&number)?.item.take()?;
        let bytes = item.problem.as_ref().map_or(0, board_bytes);
        self.bytes = self.bytes.saturating_sub(bytes);
        Some(item)
    }

    /// Writes the answers to the next boards.
    fn write(&mut self) -> Result<(), Failure> {
        while let Some(first) = self.boards.first_entry()
            && first.get().answers.is_some()
        {
            let Waiting { answers, position, .. } = first.remove();
            let answers = answers.unwrap_or_default();
            self.bytes = self.bytes.saturating_sub(answers.text.len());
            let (write, proved) = (&mut *self.write, answers.proved);
            self.progress.suspended(|| write(answers))?;
            self.progress.advance(1, proved, position);
        }
        Ok(())
    }
}

/// Returns the estimated size of a board in memory, in bytes.
fn board_bytes(problem: &Problem) -> usize {
    CELL_BYTES * problem.start().size().cells()
}
