//! The call `compare`.

use std::ops::ControlFlow;
use std::time::Duration;

use loyd::notation::read_board;
use loyd::search::{Clock, Event as SearchEvent, Limits, Observer};
use loyd::{CancelToken, Config, Problem};
use loyd_lab::compare::{Comparison, Instance, Preset, Record, Row, RowSummary, Run, Summary};
use serde::Serialize;

use crate::fault::Fault;
use crate::lists::list_named;
use crate::progress::{Event, Listener};
use crate::request::{RowRequest, algorithm, closed, heuristic, prune, weight};
use crate::work::{Budget, Work, json};

/// Results of all rows on all boards.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Compared {
    /// Names of the rows.
    pub rows: Vec<String>,
    /// Results of each row.
    pub summary: Vec<RowSummary>,
    /// Comparisons of each row with the best one, one sentence each.
    pub sentences: Vec<String>,
}

/// Progress of a run.
#[derive(Debug, Serialize)]
struct Progress {
    row: String,
    board: u64,
    expanded: u64,
    bytes: u64,
    elapsed_ns: u64,
}

/// Event of a run.
enum RunEvent {
    Progress(Progress),
    Record(Box<Record>),
}

/// Runs all rows on each board. With the feature `parallel`, the rows of a board start together, each on its own
/// thread, and share the memory of the request. All runs share its time.
pub fn compare(work: &Work<'_>, mut listener: Listener<'_>) -> Result<String, Fault> {
    let rows = rows(work)?;
    let boards = boards(work)?;
    check_prune(work, &rows, &boards)?;
    let config = Config { quality: None, ..work.config()? };
    let budget = Budget::start(&config);
    let comparison = Comparison::new(rows, boards, &config)?;
    let mut records = Vec::new();
    for board in 0..comparison.boards().len() {
        let mut report = |run_event: RunEvent| {
            let event = match run_event {
                RunEvent::Progress(progress) => Event { name: "progress", data: json(&progress)? },
                RunEvent::Record(record) => {
                    let event = Event { name: "record", data: json(&*record)? };
                    records.push(*record);
                    event
                }
            };
            if listener.as_mut().is_some_and(|listen| listen(event).is_break()) {
                work.cancel.cancel();
            }
            Ok::<(), Fault>(())
        };
        run_rows(&comparison, board, &budget, work.cancel, &mut report)?;
        if work.cancel.is_cancelled() {
            return Err(Fault::stopped("the comparison was cancelled"));
        }
    }
    let rows: Vec<String> = comparison.rows().map(Row::name).collect();
    // Records arrive in the order in which the runs end.
    records.sort_by_key(|record| rows.iter().position(|row| *row == record.row));
    let summary = Summary::of(&records);
    let sentences = summary.sentences();
    json(&Compared { rows, summary: summary.rows, sentences })
}

fn rows(work: &Work<'_>) -> Result<Vec<Row>, Fault> {
    let request = work.request;
    let rows = match (&request.rows, &request.preset) {
        (Some(rows), None) => rows.iter().map(row).collect::<Result<Vec<_>, _>>()?,
        (None, Some(name)) => {
            let preset = Preset::named(name).ok_or_else(|| {
                let rows = list_named("presets").map(|list| (list.rows)()).unwrap_or_default();
                let names: Vec<&str> = rows.iter().filter_map(|row| row["name"].as_str()).collect();
                let message =
                    format!("there is no preset `{name}`; there are {}", names.join(", "));
                Fault::of("preset", message)
            })?;
            preset.rows(request.metric()?)?
        }
        _ => return Err(Fault::of("rows", "give either rows or a preset")),
    };
    Work::at_most("rows", rows.len(), work.limits.rows)?;
    Ok(rows)
}

fn row(request: &RowRequest) -> Result<Row, Fault> {
    Ok(Row {
        algorithm: algorithm(&request.algorithm)?,
        heuristic: request.heuristic.as_deref().map(heuristic).transpose()?,
        closed: request.closed.as_deref().map(closed).transpose()?,
        weight: request.weight.map(weight).transpose()?,
        prune: request.prune.as_deref().map(prune).transpose()?,
    })
}

/// Rejects rows whose automata have words that are too long for one of the boards.
fn check_prune(work: &Work<'_>, rows: &[Row], boards: &[Instance]) -> Result<(), Fault> {
    let metric = work.request.metric()?;
    let sizes = boards.iter().map(|subject| subject.problem.goal().size());
    sizes
        .flat_map(|size| rows.iter().map(move |row| (row.prune, size)))
        .try_for_each(|(prune, size)| work.check_prune(prune, size, metric))
}

fn boards(work: &Work<'_>) -> Result<Vec<Instance>, Fault> {
    let request = work.request;
    let texts = match (&request.boards, &request.board) {
        (Some(boards), None) => boards.as_slice(),
        (None, Some(board)) => std::slice::from_ref(board),
        _ => return Err(Fault::of("boards", "give either boards or a board")),
    };
    Work::at_most("boards", texts.len(), work.limits.boards)?;
    let subject = |text: &String| -> Result<Instance, Fault> {
        let board = read_board(text, request.hints()?).map(|read| read.board);
        let problem: Problem =
            request.problem_of(board.map_err(Fault::in_text("boards", text))?)?;
        Ok(Instance { problem, optimal_length: None })
    };
    texts.iter().map(subject).collect()
}

/// Reports the progress of a run at most every [`REPORT_INTERVAL`].
struct RunObserver<'a> {
    row: String,
    board: u64,
    clock: Clock,
    started: Duration,
    last_report: Duration,
    report: &'a mut (dyn FnMut(Progress) -> ControlFlow<()> + Send),
}

/// Minimum time between two progress reports of a run.
const REPORT_INTERVAL: Duration = Duration::from_millis(50);

impl Observer for RunObserver<'_> {
    fn event(&mut self, event: SearchEvent<'_>) -> ControlFlow<()> {
        let SearchEvent::Progress { expanded, bytes, .. } = event else {
            return ControlFlow::Continue(());
        };
        let now = self.clock.now();
        if now < self.last_report + REPORT_INTERVAL {
            return ControlFlow::Continue(());
        }
        self.last_report = now;
        let elapsed_ns = now.saturating_sub(self.started).as_nanos() as u64;
        let (row, board) = (self.row.clone(), self.board);
        (self.report)(Progress { row, board, expanded, bytes, elapsed_ns })
    }
}

/// Runs a row on a board.
fn run_row(
    comparison: &Comparison,
    run: Run,
    (limits, clock): (Limits, Clock),
    cancel: &CancelToken,
    report: &mut (dyn FnMut(RunEvent) -> ControlFlow<()> + Send),
) {
    let row = comparison.rows().nth(run.row).map(Row::name).unwrap_or_default();
    let (started, board) = (clock.now(), run.board as u64 + 1);
    let mut progress = |progress| report(RunEvent::Progress(progress));
    let report_to = &mut progress;
    let mut observer =
        RunObserver { row, board, clock, started, last_report: started, report: report_to };
    let record = comparison.solve(run, limits, cancel, Some(&mut observer));
    if let Some(record) = record {
        let _ = report(RunEvent::Record(Box::new(record)));
    }
}

/// Runs all rows on a board, each on its own thread, and calls `report` on this thread. Rows for which the system has no
/// thread run here, one after the other.
#[cfg(feature = "parallel")]
fn run_rows(
    comparison: &Comparison,
    board: usize,
    budget: &Budget,
    cancel: &CancelToken,
    report: &mut (dyn FnMut(RunEvent) -> Result<(), Fault> + Send),
) -> Result<(), Fault> {
    /// Capacity of the channel: events that may wait to be reported.
    const CAPACITY: usize = 64;
    let (rows, boards) = (comparison.rows().len(), comparison.boards().len() - board);
    let limits = (budget.share(boards, rows), budget.clock());
    let (sender, run_events) = std::sync::mpsc::sync_channel(CAPACITY);
    let mut left = Vec::new();
    std::thread::scope(|scope| {
        for row in 0..rows {
            let sender = sender.clone();
            let work = move || {
                let mut send = |run_event| match sender.send(run_event) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                };
                run_row(comparison, Run { row, board }, limits, cancel, &mut send);
            };
            if std::thread::Builder::new().spawn_scoped(scope, work).is_err() {
                left.push(row);
            }
        }
        drop(sender);
        run_events.into_iter().try_for_each(&mut *report)
    })?;
    run_in_turn(comparison, &left, (board, boards), budget, cancel, report)
}

/// Runs all rows on a board, one after the other.
#[cfg(not(feature = "parallel"))]
fn run_rows(
    comparison: &Comparison,
    board: usize,
    budget: &Budget,
    cancel: &CancelToken,
    report: &mut (dyn FnMut(RunEvent) -> Result<(), Fault> + Send),
) -> Result<(), Fault> {
    let (all, boards) = (comparison.rows().len(), comparison.boards().len() - board);
    let rows: Vec<usize> = (0..all).collect();
    run_in_turn(comparison, &rows, (board, boards), budget, cancel, report)
}

/// Runs `rows` on a board, one after the other. `boards` are left, with this one.
fn run_in_turn(
    comparison: &Comparison,
    rows: &[usize],
    (board, boards): (usize, usize),
    budget: &Budget,
    cancel: &CancelToken,
    report: &mut (dyn FnMut(RunEvent) -> Result<(), Fault> + Send),
) -> Result<(), Fault> {
    let mut fault = None;
    for (done, &row) in rows.iter().enumerate() {
        let mut send = |run_event| match report(run_event) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                fault = Some(error);
                ControlFlow::Break(())
            }
        };
        let limits = (budget.share(rows.len() * boards - done, 1), budget.clock());
        run_row(comparison, Run { row, board }, limits, cancel, &mut send);
    }
    fault.map_or(Ok(()), Err)
}
