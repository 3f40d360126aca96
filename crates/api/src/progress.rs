//! What is told while a search runs.

use std::ops::ControlFlow;
use std::time::Duration;

use loyd::engine::Clock;
use loyd::search::{Event as SearchEvent, Observer};
use serde::Serialize;

/// Something that a call tells before its answer: the name of the event, and its data as JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// What is new.
    pub name: &'static str,
    /// All that is known then, as a JSON object.
    pub data: String,
}

/// Who listens to the events of a call, and may end it.
/// None saves the work of saying what happens.
pub type Listener<'a> = Option<&'a mut (dyn FnMut(Event) -> ControlFlow<()> + Send)>;

/// What is known of a search.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The number of the board, where there are several.
    pub board: Option<u64>,
    /// The line of the input on which it stands.
    pub line: Option<usize>,
    /// The number of the search, of those that a command makes for the board.
    pub search: Option<u64>,
    /// What the search does, and with what.
    pub stage: Option<(&'static str, Option<&'static str>)>,
    /// The best solution and its length.
    pub best: Option<(String, u32)>,
    /// No solution is shorter.
    pub least: Option<u32>,
    /// Entries of a table that is being built: those that are there, and all.
    pub table: Option<(u64, u64)>,
    expanded: u64,
    /// Expanded by the searches before.
    before: u64,
    /// The memory of the search's own structures.
    pub bytes: u64,
}

/// What an event was about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// The next search for the same board begins.
    Search,
    /// The search does something else from now on.
    Stage,
    /// There is a better solution.
    Incumbent,
    /// There is a higher lower bound.
    LowerBound,
    /// A table has more entries.
    Table,
    /// More nodes were expanded.
    Progress,
}

impl News {
    /// Whether it is told at once, and not with what comes every few milliseconds.
    pub fn is_rare(self) -> bool {
        !matches!(self, Self::Table | Self::Progress)
    }

    /// The name of the event.
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

/// An event with what is known then.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Record<'a> {
    event: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    search: Option<u64>,
    stage: Option<&'static str>,
    with: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<&'a str>,
    length: Option<u32>,
    lower_bound: Option<u32>,
    within: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    done: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<u64>,
    expanded: u64,
    bytes: u64,
    elapsed_ns: u64,
}

impl Known {
    /// Nothing yet of a board with this number or on this line.
    pub fn new(board: Option<u64>, line: Option<usize>) -> Self {
        Self { board, line, ..Self::default() }
    }

    /// Takes note of an event; returns what it was about, unless it says nothing new.
    pub fn learn(&mut self, event: SearchEvent<'_>) -> Option<News> {
        match event {
            SearchEvent::Board { number } => {
                let (board, line) = (self.board, self.line);
                let before = self.expanded();
                *self = Self { board, line, before, search: Some(number), ..Self::default() };
                Some(News::Search)
            }
            SearchEvent::Stage { name, with } => {
                self.stage = Some((name, with));
                self.table = None;
                Some(News::Stage)
            }
            SearchEvent::Incumbent { cost, solution } => {
                self.best = Some((solution.to_owned(), cost));
                Some(News::Incumbent)
            }
            SearchEvent::LowerBound(bound) => {
                self.least = Some(bound);
                Some(News::LowerBound)
            }
            SearchEvent::Table { done, total } => {
                self.table = Some((done, total));
                Some(News::Table)
            }
            // While a table is built, nothing is expanded.
            SearchEvent::Progress { expanded, bytes, .. } if expanded > self.expanded => {
                (self.expanded, self.bytes, self.table) = (expanded, bytes, None);
                Some(News::Progress)
            }
            _ => None,
        }
    }

    /// The nodes that all searches for the board have expanded.
    pub fn expanded(&self) -> u64 {
        self.before + self.expanded
    }

    /// How many times as long as a shortest solution the best one is at most, rounded up to two decimals.
    pub fn within(&self) -> Option<f64> {
        let (Some((_, length)), Some(least @ 1..)) = (&self.best, self.least) else { return None };
        Some((100 * u64::from(*length)).div_ceil(least.into()) as f64 / 100.0)
    }

    /// A line of JSON.
    pub fn record(&self, news: News, elapsed: Duration) -> String {
        let stage = self.stage.unzip();
        let (done, total) = self.table.unzip();
        let best = self.best.as_ref();
        let record = Record {
            event: news.name(),
            board: self.board,
            line: self.line,
            search: self.search,
            stage: stage.0,
            with: stage.1.flatten(),
            moves: best.filter(|_| news == News::Incumbent).map(|best| best.0.as_str()),
            length: best.map(|best| best.1),
            lower_bound: self.least,
            within: self.within(),
            done,
            total,
            expanded: self.expanded(),
            bytes: self.bytes,
            elapsed_ns: elapsed.as_nanos() as u64,
        };
        serde_json::to_string(&record).expect("nothing in a record is foreign to JSON")
    }
}

/// Watches a search and tells a [`Listener`]: news at once, the rest ten times a second.
pub struct Watcher<'a> {
    listener: Listener<'a>,
    known: Known,
    clock: Clock,
    begun: Duration,
    told: Duration,
}

impl<'a> Watcher<'a> {
    /// Tells `listener` of a search that begins now.
    pub fn new(listener: Listener<'a>, clock: Clock) -> Self {
        let now = clock.now();
        Self { listener, known: Known::default(), clock, begun: now, told: now }
    }
}

/// How long nothing is told but news.
const PAUSE: Duration = Duration::from_millis(100);

impl Observer for Watcher<'_> {
    fn event(&mut self, event: SearchEvent<'_>) -> ControlFlow<()> {
        let Some(listener) = &mut self.listener else { return ControlFlow::Continue(()) };
        let Some(news) = self.known.learn(event) else { return ControlFlow::Continue(()) };
        let now = self.clock.now();
        if !news.is_rare() && now < self.told + PAUSE {
            return ControlFlow::Continue(());
        }
        if !news.is_rare() {
            self.told = now;
        }
        let data = self.known.record(news, now.saturating_sub(self.begun));
        listener(Event { name: news.name(), data })
    }
}
