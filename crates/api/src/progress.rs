//! Progress events of a running search.

use std::ops::ControlFlow;
use std::time::Duration;

use loyd::engine::Clock;
use loyd::search::{Event as SearchEvent, Observer};
use serde::Serialize;

/// An event that a call reports before its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Name of the event: what has changed.
    pub name: &'static str,
    /// Everything known at that time, as a JSON object.
    pub data: String,
}

/// Callback for the events of a call, which ends when the callback returns `Break`. Without a callback, no events are
/// created.
pub type Listener<'a> = Option<&'a mut (dyn FnMut(Event) -> ControlFlow<()> + Send)>;

/// State of a search, reconstructed from its events.
#[derive(Clone, Debug, Default)]
pub struct SearchState {
    /// Number of the board, if there are several.
    pub board: Option<u64>,
    /// Input line of the board.
    pub line: Option<usize>,
    /// Number of the search, if a command runs several for the board.
    pub search: Option<u64>,
    /// Stage of the search, with the heuristic or algorithm that it uses.
    pub stage: Option<(&'static str, Option<&'static str>)>,
    /// Best solution and its length.
    pub best: Option<(String, u32)>,
    /// Proved lower bound on the length of a solution.
    pub lower_bound: Option<u32>,
    /// Number of entries built so far of the table under construction, and its total number of entries.
    pub table: Option<(u64, u64)>,
    expanded: u64,
    /// Number of nodes expanded by the previous searches.
    before: u64,
    /// Memory of the search's own data structures, in bytes.
    pub bytes: u64,
}

/// Kind of change caused by an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// The next search for the same board starts.
    Search,
    /// The search enters another stage.
    Stage,
    /// A better solution was found.
    Incumbent,
    /// The lower bound has risen.
    LowerBound,
    /// More entries of a table have been built.
    Table,
    /// More nodes have been expanded.
    Progress,
}

impl ChangeKind {
    /// Returns whether the event is reported immediately instead of being throttled.
    pub fn is_rare(self) -> bool {
        !matches!(self, Self::Table | Self::Progress)
    }

    /// Returns the name of the event.
    pub fn name(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Stage => "stage",
            Self::Incumbent => "incumbent",
            Self::LowerBound => "lower_bound",
            Self::Table => "table",
            Self::Progress => "progress",
        }
    }
}

/// An event with the state at that time.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Progress<'a> {
    /// The change: `search`, `stage`, `incumbent`, `lower_bound`, `table` or `progress`.
    event: &'static str,
    /// Number of the board, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<u64>,
    /// Input line of the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    /// Number of the search, if there are several for the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    search: Option<u64>,
    /// Stage of the search.
    stage: Option<&'static str>,
    /// Heuristic or algorithm of the stage.
    with: Option<&'static str>,
    /// Best solution: the directions of the blank. Only with `incumbent`.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<&'a str>,
    /// Length of the best solution so far.
    length: Option<u32>,
    /// Proved lower bound on the length of a solution.
    lower_bound: Option<u32>,
    /// Proved upper bound on the ratio of the length to that of a shortest solution.
    within: Option<f64>,
    /// Number of entries of the table that have been built, while one is built.
    #[serde(skip_serializing_if = "Option::is_none")]
    done: Option<u64>,
    /// Number of entries of that table.
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<u64>,
    /// Nodes expanded.
    expanded: u64,
    /// Memory of the search, in bytes.
    bytes: u64,
    /// Time since the start of the search, in nanoseconds.
    elapsed_ns: u64,
}

impl SearchState {
    /// Creates an empty state for the board with this number or on this line.
    pub fn new(board: Option<u64>, line: Option<usize>) -> Self {
        Self { board, line, ..Self::default() }
    }

    /// Updates the state and returns the kind of change, or `None` if the event changes nothing.
    pub fn update(&mut self, event: SearchEvent<'_>) -> Option<ChangeKind> {
        match event {
            SearchEvent::Board { number } => {
                let (board, line) = (self.board, self.line);
                let before = self.expanded();
                *self = Self { board, line, before, search: Some(number), ..Self::default() };
                Some(ChangeKind::Search)
            }
            SearchEvent::Stage { name, with } => {
                self.stage = Some((name, with));
                self.table = None;
                Some(ChangeKind::Stage)
            }
            SearchEvent::Incumbent { cost, solution } => {
                self.best = Some((solution.to_owned(), cost));
                Some(ChangeKind::Incumbent)
            }
            SearchEvent::LowerBound(bound) => {
                self.lower_bound = Some(bound);
                Some(ChangeKind::LowerBound)
            }
            SearchEvent::Table { done, total } => {
                self.table = Some((done, total));
                Some(ChangeKind::Table)
            }
            // No node is expanded while a table is built.
            SearchEvent::Progress { expanded, bytes, .. } if expanded > self.expanded => {
                (self.expanded, self.bytes, self.table) = (expanded, bytes, None);
                Some(ChangeKind::Progress)
            }
            _ => None,
        }
    }

    /// Returns the number of nodes expanded by all searches for the board.
    pub fn expanded(&self) -> u64 {
        self.before + self.expanded
    }

    /// Returns an upper bound on the ratio of the length of the best solution to that of a shortest one, rounded up to
    /// two decimals.
    pub fn within(&self) -> Option<f64> {
        let (Some((_, length)), Some(bound @ 1..)) = (&self.best, self.lower_bound) else {
            return None;
        };
        Some((100 * u64::from(*length)).div_ceil(bound.into()) as f64 / 100.0)
    }

    /// Returns the event as a JSON object on one line.
    pub fn record(&self, news: ChangeKind, elapsed: Duration) -> String {
        let stage = self.stage.unzip();
        let (done, total) = self.table.unzip();
        let best = self.best.as_ref();
        let record = Progress {
            event: news.name(),
            board: self.board,
            line: self.line,
            search: self.search,
            stage: stage.0,
            with: stage.1.flatten(),
            moves: best.filter(|_| news == ChangeKind::Incumbent).map(|best| best.0.as_str()),
            length: best.map(|best| best.1),
            lower_bound: self.lower_bound,
            within: self.within(),
            done,
            total,
            expanded: self.expanded(),
            bytes: self.bytes,
            elapsed_ns: elapsed.as_nanos() as u64,
        };
        serde_json::to_string(&record).expect("a record has only JSON types")
    }
}

/// Observer of a search that reports to a [`Listener`]: rare events immediately, the rest at most ten times per second.
pub struct Watcher<'a> {
    listener: Listener<'a>,
    known: SearchState,
    clock: Clock,
    started: Duration,
    last_report: Duration,
}

impl<'a> Watcher<'a> {
    /// Creates an observer of a search that starts now.
    pub fn new(listener: Listener<'a>, clock: Clock) -> Self {
        let now = clock.now();
        Self { listener, known: SearchState::default(), clock, started: now, last_report: now }
    }
}

/// Minimum time between two reports of frequent events.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

impl Observer for Watcher<'_> {
    fn event(&mut self, event: SearchEvent<'_>) -> ControlFlow<()> {
        let Some(listener) = &mut self.listener else { return ControlFlow::Continue(()) };
        let Some(news) = self.known.update(event) else { return ControlFlow::Continue(()) };
        let now = self.clock.now();
        if !news.is_rare() && now < self.last_report + REPORT_INTERVAL {
            return ControlFlow::Continue(());
        }
        if !news.is_rare() {
            self.last_report = now;
        }
        let data = self.known.record(news, now.saturating_sub(self.started));
        listener(Event { name: news.name(), data })
    }
}
