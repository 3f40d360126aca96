//! The call that solves many boards.

use std::time::Duration;

use loyd::batch::Record;
use loyd::notation::{Hints, read_board};
use loyd::{Config, Problem, Solver};

use crate::fault::Fault;
use crate::progress::{Event, Listener};
use crate::request::Request;
use crate::work::{Budget, Work};

/// Size in bytes from which records are reported.
const CHUNK: usize = 32 * 1024;

/// Longest time until finished records are reported.
const PAUSE: Duration = Duration::from_millis(100);

/// Part of the time of the request after which the rest is divided again among the boards that are left.
const PARTS: u32 = 64;

/// Solves boards. Reports the records as lines of JSON with the event `records`, several at a time, and returns the last
/// ones; without a listener, all. Boards that cannot be read, and those left after a cancellation, have records too.
pub fn batch(work: &Work<'_>, mut listener: Listener<'_>) -> Result<String, Fault> {
    let boards = Request::needed("boards", work.request.boards.as_deref())?;
    Work::at_most("boards", boards.len(), work.limits.batch)?;
    let config = Config { boards: Some(boards.len() as u64), ..work.config()? };
    let hints = work.request.hints()?;
    let mut solvers = Solvers::new(work, config, boards.len())?;
    let mut lines = Vec::new();
    let mut reported = solvers.budget.clock().now();
    for (number, text) in boards.iter().enumerate() {
        let (solver, now) = solvers.next(boards.len() - number)?;
        if let Some(listen) = &mut listener
            && (lines.len() >= CHUNK || now > reported + PAUSE)
            && !lines.is_empty()
        {
            reported = now;
            if listen(Event { name: "records", data: text_of(&mut lines) }).is_break() {
                work.cancel.cancel();
            }
        }
        let mut record = record(work, solver, hints, text);
        record.line = Some(number + 1);
        record.write_json_line(&mut lines);
    }
    Ok(text_of(&mut lines))
}

/// Solves a board. A fault of the board is part of its record.
fn record(work: &Work<'_>, solver: &Solver, hints: Hints<'_>, text: &str) -> Record {
    let problem = || -> Result<Problem, Fault> {
        let board = read_board(text, hints).map_err(Fault::in_text("boards", text))?.board;
        let (prune, metric) = (solver.config().prune, solver.config().metric);
        work.check_prune(prune, board.size(), metric)?;
        work.request.problem_of(board)
    };
    match problem() {
        Err(fault) => Record::invalid(None, fault.error),
        // Even the shortest search takes a while, and there may be thousands of boards.
        Ok(problem) if solver.config().limits.max_time == Some(Duration::ZERO) => Record {
            board: Some(problem.start_text()),
            goal: Some(problem.goal_text()),
            status: "stopped",
            stopped_by: Some("time"),
            ..Record::default()
        },
        Ok(problem) => match solver.solve_watched(&problem, work.cancel, None) {
            Ok(report) => Record::from(&report),
            Err(error) => Record::invalid(Some(&problem), error.to_string()),
        },
    }
}

/// Takes the lines, without the end of the last one.
fn text_of(lines: &mut Vec<u8>) -> String {
    lines.pop();
    String::from_utf8(std::mem::take(lines)).expect("JSON is UTF-8")
}

/// Solvers, each with its share of the time that is left for the request.
struct Solvers<'a> {
    work: &'a Work<'a>,
    config: Config,
    budget: Budget,
    solver: Solver,
    /// Time at which the rest is divided again.
    next: Duration,
}

impl<'a> Solvers<'a> {
    fn new(work: &'a Work<'a>, config: Config, boards: usize) -> Result<Self, Fault> {
        let budget = Budget::start(&config);
        let limits = budget.share(boards, 1);
        let solver = work.solver_with(Config { limits, ..config.clone() })?;
        let next = budget.clock().now().saturating_add(Self::pause(&config));
        Ok(Self { work, config, budget, solver, next })
    }

    /// Returns the time after which the rest is divided again.
    fn pause(config: &Config) -> Duration {
        config.limits.max_time.map_or(Duration::MAX, |time| time / PARTS)
    }

    /// Returns the solver for the next board of `boards` that are left, and the time.
    fn next(&mut self, boards: usize) -> Result<(&Solver, Duration), Fault> {
        let now = self.budget.clock().now();
        if now >= self.next {
            let limits = self.budget.share(boards, 1);
            self.solver = self.work.solver_with(Config { limits, ..self.config.clone() })?;
            self.next = now.saturating_add(Self::pause(&self.config));
        }
        Ok((&self.solver, now))
    }
}
