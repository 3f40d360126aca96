//! What is known of a search that runs.

use std::time::Duration;

use loyd::search::Event;
use serde::Serialize;

use super::rough;
use crate::units::{grouped, size};

/// What is known of a search.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The number of the board, where there are several.
    board: Option<u64>,
    /// The line of the input on which it stands.
    pub line: Option<usize>,
    /// The number of the search, of those that the command makes for the board.
    search: Option<u64>,
    stage: Option<(&'static str, Option<&'static str>)>,
    /// The best solution and its length.
    best: Option<(String, u32)>,
    least: Option<u32>,
    /// Entries of a table that is being built: those that are there, and all.
    table: Option<(u64, u64)>,
    expanded: u64,
    /// Expanded by the searches before.
    before: u64,
    bytes: u64,
}

/// What an event was about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    Search,
    Stage,
    Incumbent,
    LowerBound,
    Table,
    Progress,
}

impl News {
    /// Whether it is told at once, and not with what comes every few milliseconds.
    pub fn is_rare(self) -> bool {
        !matches!(self, Self::Table | Self::Progress)
    }

    fn name(self) -> &'static str {
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
    pub fn learn(&mut self, event: Event<'_>) -> Option<News> {
        match event {
            Event::Board { number } => {
                let (board, line) = (self.board, self.line);
                let before = self.before + self.expanded;
                *self = Self { board, line, before, search: Some(number), ..Self::default() };
                Some(News::Search)
            }
            Event::Stage { name, with } => {
                self.stage = Some((name, with));
                self.table = None;
                Some(News::Stage)
            }
            Event::Incumbent { cost, solution } => {
                self.best = Some((solution.to_owned(), cost));
                Some(News::Incumbent)
            }
            Event::LowerBound(bound) => {
                self.least = Some(bound);
                Some(News::LowerBound)
            }
            Event::Table { done, total } => {
                self.table = Some((done, total));
                Some(News::Table)
            }
            // While a table is built, nothing is expanded.
            Event::Progress { expanded, bytes, .. } if expanded > self.expanded => {
                (self.expanded, self.bytes, self.table) = (expanded, bytes, None);
                Some(News::Progress)
            }
            _ => None,
        }
    }

    /// Whether there is a solution.
    pub fn has_solution(&self) -> bool {
        self.best.is_some()
    }

    /// How many times as long as a shortest solution the best one is at most, rounded up to two decimals.
    fn within(&self) -> Option<f64> {
        let (Some((_, length)), Some(least @ 1..)) = (&self.best, self.least) else { return None };
        Some((100 * u64::from(*length)).div_ceil(least.into()) as f64 / 100.0)
    }

    /// A line for a terminal.
    pub fn in_words(&self, elapsed: Duration, max_time: Option<Duration>) -> String {
        let mut text = match (self.board, self.line) {
            (Some(number), _) => format!("board {number}: "),
            (None, Some(line)) => format!("line {line}: "),
            (None, None) => String::new(),
        };
        if let Some(number @ 2..) = self.search {
            text += &format!("search {number}: ");
        }
        text += &match (self.table, self.stage) {
            (Some((done, total)), _) => {
                // What is nearly done is not done.
                let percent = (100 * done / total.max(1)).min(99);
                format!("building tables, {percent}%")
            }
            (None, Some((name, Some(with)))) => format!("{name} with {with}"),
            (None, Some((name, None))) => name.to_owned(),
            (None, None) => "searching".to_owned(),
        };
        text += &match (&self.best, self.least, self.within()) {
            (Some((_, length)), Some(least), Some(within)) => {
                format!("; best so far {length}, at least {least} (within {within})")
            }
            (Some((_, length)), ..) => format!("; best so far {length}"),
            (None, Some(least), _) => format!("; at least {least}"),
            (None, None, _) => String::new(),
        };
        text += &format!("; {}", rough(elapsed.as_secs_f64()));
        if let Some(limit) = max_time {
            text += &format!(" of {}", rough(limit.as_secs_f64()));
        }
        let expanded = self.before + self.expanded;
        if expanded > 0 {
            let rate = expanded as f64 / elapsed.as_secs_f64() / 1e6;
            text += &format!("; {} expanded ({rate:.1} M/s)", grouped(expanded));
        }
        if self.bytes > 0 {
            text += &format!(", {}", size(self.bytes));
        }
        text
    }

    /// A line of JSON.
    pub fn record(&self, news: News, elapsed: Duration) -> String {
        let stage = self.stage.unzip();
        let (done, total) = self.table.unzip();
        let record = Record {
            event: news.name(),
            board: self.board,
            line: self.line,
            search: self.search,
            stage: stage.0,
            with: stage.1.flatten(),
            moves: self
                .best
                .as_ref()
                .filter(|_| news == News::Incumbent)
                .map(|best| best.0.as_str()),
            length: self.best.as_ref().map(|best| best.1),
            lower_bound: self.least,
            within: self.within(),
            done,
            total,
            expanded: self.before + self.expanded,
            bytes: self.bytes,
            elapsed_ns: elapsed.as_nanos() as u64,
        };
        serde_json::to_string(&record).expect("nothing in a record is foreign to JSON")
    }
}
