//! Ways to search, side by side.

use std::ops::ControlFlow;
use std::time::Duration;

use loyd::search::{Clock, Event as SearchEvent, Observer};
use loyd::{CancelToken, Config, Problem};
use loyd_lab::compare::{Comparison, Preset, Record, Row, RowSummary, Run, Subject, Summary};
use serde::Serialize;

use crate::fault::Fault;
use crate::lists::list_named;
use crate::progress::{Event, Listener};
use crate::request::{RowRequest, algorithm, closed, heuristic, prune, weight};
use crate::work::{Work, json};

/// What rows did on all boards.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Compared {
    /// The names of the rows.
    pub rows: Vec<String>,
    /// What each of them did.
    pub summary: Vec<RowSummary>,
    /// How they compare with the best, a sentence each.
    pub sentences: Vec<String>,
}

/// How far a run is.
#[derive(Debug, Serialize)]
struct Progress {
    row: String,
    board: u64,
    expanded: u64,
    bytes: u64,
    elapsed_ns: u64,
}

/// What a run tells.
enum Told {
    Progress(Progress),
    Record(Box<Record>),
}

/// Runs all rows on each board: they start together on it, each on a thread of its own.
pub fn compare(work: &Work<'_>, mut listener: Listener<'_>) -> Result<String, Fault> {
    let rows = rows(work)?;
    let boards = boards(work)?;
    check_prune(work, &rows, &boards)?;
    let (numbers, clock) = (0..boards.len(), work.tables.config().clock);
    // Each run of a row has the limits; together they have the time of a request.
    let comparison = Comparison::new(rows, boards, &Config { quality: None, ..work.config()? })?;
    let mut records = Vec::new();
    for board in numbers {
        let mut tell = |told: Told| {
            let event = match told {
                Told::Progress(progress) => Event { name: "progress", data: json(&progress)? },
                Told::Record(record) => {
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
        run_rows(&comparison, board, (work.cancel, clock), &mut tell)?;
        if work.cancel.is_cancelled() {
            return Err(Fault::stopped("the comparison was cancelled"));
        }
    }
    let rows: Vec<String> = comparison.rows().map(Row::name).collect();
    // They came in the order in which runs ended.
    records.sort_by_key(|record| rows.iter().position(|row| *row == record.row));
    let summary = Summary::of(&records);
    let sentences = summary.sentences();
    json(&Compared { rows, summary: summary.rows, sentences })
}

fn rows(work: &Work<'_>) -> Result<Vec<Row>, Fault> {
    let request = &work.request;
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
        _ => return Err(Fault::of("rows", "a comparison needs rows or a preset, one of them")),
    };
    Work::at_most("rows", rows.len(), work.most.rows)?;
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

/// Refuses rows with automata of words that are too long for one of the boards.
fn check_prune(work: &Work<'_>, rows: &[Row], boards: &[Subject]) -> Result<(), Fault> {
    let metric = work.request.metric()?;
    let sizes = boards.iter().map(|subject| subject.problem.goal().size());
    sizes
        .flat_map(|size| rows.iter().map(move |row| (row.prune, size)))
        .try_for_each(|(prune, size)| work.check_prune(prune, size, metric))
}

fn boards(work: &Work<'_>) -> Result<Vec<Subject>, Fault> {
    let request = &work.request;
    let texts = match (&request.boards, &request.board) {
        (Some(boards), None) => boards.as_slice(),
        (None, Some(board)) => std::slice::from_ref(board),
        _ => return Err(Fault::of("boards", "a comparison needs boards or a board, one of them")),
    };
    Work::at_most("boards", texts.len(), work.most.boards)?;
    let subject = |text: &String| -> Result<Subject, Fault> {
        let board = loyd::notation::parse_board(text, request.size()?);
        let problem: Problem =
            request.problem_of(board.map_err(Fault::in_text("boards", text))?)?;
        Ok(Subject { problem, optimal_length: None })
    };
    texts.iter().map(subject).collect()
}

/// Watches a run.
struct RunObserver<'a> {
    row: String,
    board: u64,
    clock: Clock,
    begun: Duration,
    told: Duration,
    tell: &'a mut (dyn FnMut(Progress) -> ControlFlow<()> + Send),
}

/// How long a run tells nothing.
const PAUSE: Duration = Duration::from_millis(50);

impl Observer for RunObserver<'_> {
    fn event(&mut self, event: SearchEvent<'_>) -> ControlFlow<()> {
        let SearchEvent::Progress { expanded, bytes, .. } = event else {
            return ControlFlow::Continue(());
        };
        let now = self.clock.now();
        if now < self.told + PAUSE {
            return ControlFlow::Continue(());
        }
        self.told = now;
        let elapsed_ns = now.saturating_sub(self.begun).as_nanos() as u64;
        let (row, board) = (self.row.clone(), self.board);
        (self.tell)(Progress { row, board, expanded, bytes, elapsed_ns })
    }
}

/// Runs a row on a board.
fn run_row(
    comparison: &Comparison,
    run: Run,
    (cancel, clock): (&CancelToken, Clock),
    tell: &mut (dyn FnMut(Told) -> ControlFlow<()> + Send),
) {
    let row = comparison.rows().nth(run.row).map(Row::name).unwrap_or_default();
    let (begun, board) = (clock.now(), run.board as u64 + 1);
    let mut progress = |progress| tell(Told::Progress(progress));
    let mut observer = RunObserver { row, board, clock, begun, told: begun, tell: &mut progress };
    let record = comparison.solve(run, cancel, Some(&mut observer));
    if let Some(record) = record {
        let _ = tell(Told::Record(Box::new(record)));
    }
}

/// Runs all rows on a board, each on a thread, and tells of them on this one.
#[cfg(feature = "parallel")]
fn run_rows(
    comparison: &Comparison,
    board: usize,
    watched: (&CancelToken, Clock),
    tell: &mut (dyn FnMut(Told) -> Result<(), Fault> + Send),
) -> Result<(), Fault> {
    /// What may wait to be told.
    const WAITING: usize = 64;
    let (sender, told) = std::sync::mpsc::sync_channel(WAITING);
    std::thread::scope(|scope| {
        for row in 0..comparison.rows().len() {
            let sender = sender.clone();
            scope.spawn(move || {
                let mut send = |told| match sender.send(told) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                };
                run_row(comparison, Run { row, board }, watched, &mut send);
            });
        }
        drop(sender);
        told.into_iter().try_for_each(tell)
    })
}

/// Runs all rows on a board, one after the other.
#[cfg(not(feature = "parallel"))]
fn run_rows(
    comparison: &Comparison,
    board: usize,
    watched: (&CancelToken, Clock),
    tell: &mut (dyn FnMut(Told) -> Result<(), Fault> + Send),
) -> Result<(), Fault> {
    let mut fault = None;
    for row in 0..comparison.rows().len() {
        let mut send = |told| match tell(told) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                fault = Some(error);
                ControlFlow::Break(())
            }
        };
        run_row(comparison, Run { row, board }, watched, &mut send);
    }
    fault.map_or(Ok(()), Err)
}
