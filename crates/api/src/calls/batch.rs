//! The call that solves many boards.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use loyd::batch::Record;
use loyd::notation::{Hints, read_board};
use loyd::search::{Limits, Stop};
use loyd::{Config, Size, Solver};

use crate::fault::Fault;
use crate::progress::{Event, Listener};
use crate::request::{Request, RequestGoal};
use crate::work::Work;

/// Maximum number of boards of a block.
const BLOCK: usize = 128;

/// Number of blocks of a small batch per block that is solved at the same time, because some take longer than others.
const BLOCKS: usize = 4;

/// Size in bytes from which records are reported.
const CHUNK: usize = 32 * 1024;

/// Longest time until finished records are reported.
const PAUSE: Duration = Duration::from_millis(100);

/// Solves boards. Reports the records as lines of JSON with the event `records`, several at a time, and returns the last
/// ones; without a listener, all. Boards that cannot be read, and those left after a cancellation, have records too.
pub fn batch(work: &Work<'_>, mut listener: Listener<'_>) -> Result<String, Fault> {
    let limits = BatchLimits::new(work, 1)?;
    let mut rest = 0..limits.boards;
    let mut records = String::new();
    while !rest.is_empty() {
        if let Some(listen) = &mut listener
            && !records.is_empty()
        {
            let data = std::mem::take(&mut records);
            if listen(Event { name: "records", data }).is_break() {
                work.cancel.cancel();
            }
        }
        if !records.is_empty() {
            records.push('\n');
        }
        records += &limits.solve(work, &mut rest)?;
    }
    Ok(records)
}

/// The limits of a batch on time and memory, which its boards share.
#[derive(Debug)]
pub struct BatchLimits {
    config: Config,
    boards: usize,
    /// Number of boards of a block.
    block: usize,
    /// Number of blocks that are solved at the same time.
    at_once: usize,
    used: Mutex<Used>,
}

/// Use of the limits so far.
#[derive(Debug, Default)]
struct Used {
    boards: usize,
    time: Duration,
}

impl BatchLimits {
    /// Checks the request of a batch of which up to `at_once` blocks are solved at the same time.
    pub fn new(work: &Work<'_>, at_once: usize) -> Result<Self, Fault> {
        let boards = Request::needed("boards", work.request.boards.as_deref())?.len();
        Work::at_most("boards", boards, work.limits.batch)?;
        let config = Config { boards: Some(boards as u64), ..work.config()? };
        work.request.hints()?;
        work.solver_with(config.clone())?;
        let block = boards.div_ceil(BLOCKS * at_once.max(1)).clamp(1, BLOCK);
        let at_once = boards.div_ceil(block).clamp(1, at_once.max(1));
        Ok(Self { config, boards, block, at_once, used: Mutex::default() })
    }

    pub fn at_once(&self) -> usize {
        self.at_once
    }

    /// Returns the numbers of the boards of a block.
    pub fn block(&self, index: usize) -> Range<usize> {
        let first = index.saturating_mul(self.block).min(self.boards);
        first..self.boards.min(first + self.block)
    }

    /// Solves the first boards of `rest`, and removes them from it: as many as fill a [`CHUNK`], or are done after a
    /// [`PAUSE`]. Returns their records, one per line.
    pub fn solve(&self, work: &Work<'_>, rest: &mut Range<usize>) -> Result<String, Fault> {
        let boards = Request::needed("boards", work.request.boards.as_deref())?;
        let hints = work.request.hints()?;
        let limits = self.limits();
        let solver = work.solver_with(Config { limits, ..self.config.clone() })?;
        let (clock, first) = (self.config.clock, rest.start);
        let start = clock.now();
        let (mut lines, mut last_goal) = (Vec::new(), None);
        for number in rest.by_ref() {
            let mut record = record(work, &solver, hints, &mut last_goal, &boards[number]);
            record.line = Some(number + 1);
            record.write_json_line(&mut lines);
            if lines.len() >= CHUNK || clock.now() > start.saturating_add(PAUSE) {
                break;
            }
        }
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.boards += rest.start - first;
        used.time += clock.now().saturating_sub(start);
        Ok(text_of(lines))
    }

    /// Returns the limits of each of the boards that are left. What a board does not use remains for the others.
    fn limits(&self) -> Limits {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let left = self.boards.saturating_sub(used.boards).max(1) as u32;
        let Limits { max_time, max_bytes, .. } = self.config.limits;
        Limits {
            max_time: max_time.map(|time| time.saturating_sub(used.time) / left),
            max_bytes: max_bytes.map(|bytes| bytes / self.at_once as u64),
            ..self.config.limits
        }
    }
}

/// The goal for the size of the last board: texts of goals may be long.
type LastGoal = Option<(Size, Result<RequestGoal, Fault>)>;

/// Solves a board. A fault of the board is part of its record.
fn record(
    work: &Work<'_>,
    solver: &Solver,
    hints: Hints<'_>,
    last_goal: &mut LastGoal,
    text: &str,
) -> Record {
    let board = match read_board(text, hints).map_err(Fault::in_text("boards", text)) {
        Ok(read) => read.board,
        Err(fault) => return Record::invalid(None, fault.error),
    };
    // Even the shortest search takes a while, and there may be thousands of boards.
    let is_late = solver.config().limits.max_time == Some(Duration::ZERO);
    if is_late || work.cancel.is_cancelled() {
        let stop = if is_late { Stop::Time } else { Stop::Cancelled };
        return Record {
            board: Some(board.to_string()),
            status: "stopped",
            stopped_by: Some(stop.name()),
            ..Record::default()
        };
    }
    let size = board.size();
    last_goal.take_if(|(other, _)| *other != size);
    let (_, goal) = last_goal.get_or_insert_with(|| (size, work.request.goal(size)));
    let problem = goal.as_ref().map_err(Fault::clone);
    let problem = match problem.and_then(|goal| Request::problem_between(board, goal)) {
        Ok(problem) => problem,
        Err(fault) => return Record::invalid(None, fault.error),
    };
    let (prune, metric) = (solver.config().prune, solver.config().metric);
    if let Err(fault) = work.check_prune(prune, size, metric) {
        return Record::invalid(Some(&problem), fault.error);
    }
    // A defect that one board meets must not lose the records of the others.
    let search = || solver.solve_watched(&problem, work.cancel, None);
    match catch_unwind(AssertUnwindSafe(search)) {
        Ok(Ok(report)) => Record::from(&report),
        Ok(Err(error)) => Record::invalid(Some(&problem), error.to_string()),
        Err(_) => {
            let error = "the search failed, which is a defect of Loyd";
            Record::invalid(Some(&problem), error.to_owned())
        }
    }
}

/// Returns the lines as text, without the end of the last one.
fn text_of(mut lines: Vec<u8>) -> String {
    lines.pop();
    String::from_utf8(lines).expect("JSON is UTF-8")
}
