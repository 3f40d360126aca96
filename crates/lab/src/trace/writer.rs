//! What the forms of a trace have in common.

use std::io::{self, Write};

use loyd::notation::moves_to_string;
use loyd::search::{Status, Stop};
use loyd::study::TraceEvent;
use loyd::{Problem, Report};

/// A trace that was written.
#[derive(Clone, Debug)]
pub struct Traced {
    /// What the search came to. Its status is that it was cancelled if there were too many events.
    pub report: Report,
    /// How many events were written.
    pub events: u64,
    /// Whether more events would have followed than were allowed.
    pub cut: bool,
}

impl Traced {
    /// What ended the search before it was done: `events`, or the word for a limit.
    pub(super) fn stopped_by(&self) -> Option<&'static str> {
        match self.report.status {
            _ if self.cut => Some("events"),
            Status::Stopped(stop) => Some(stop.name()),
            _ => None,
        }
    }

    /// How the search ended, in words.
    pub(super) fn ending(&self) -> String {
        let report = &self.report;
        match (report.status, &report.moves) {
            (Status::Solved, Some(moves)) if moves.is_empty() => {
                "solved: this is the goal".to_owned()
            }
            (Status::Solved, Some(moves)) => {
                let length = report.metric.length(moves);
                let shortest = if report.optimal { ", as few as can be" } else { "" };
                format!("solved, moves: {length}{shortest}: {}", moves_to_string(moves))
            }
            (Status::Stopped(Stop::Cancelled), _) if self.cut => {
                format!("the trace ends after {} events, and the search with it", self.events)
            }
            (Status::Stopped(stop), _) => format!("stopped: {stop}"),
            (status, _) => status.name().to_owned(),
        }
    }

    /// What the search counted.
    pub(super) fn counts(&self) -> String {
        let stats = &self.report.stats;
        format!(
            "expanded {}, generated {}, duplicates {}, reopened {}; events {}",
            stats.expanded, stats.generated, stats.duplicates, stats.reopened, self.events
        )
    }
}

/// Writes a trace in one of the forms.
pub trait TraceWriter {
    /// Begins with a header, which is a line of JSON.
    fn begin(&mut self, out: &mut dyn Write, problem: &Problem, header: &str) -> io::Result<()>;

    /// Writes an event.
    fn event(&mut self, out: &mut dyn Write, event: &TraceEvent<'_>) -> io::Result<()>;

    /// Ends with the result.
    fn end(&mut self, out: &mut dyn Write, traced: &Traced) -> io::Result<()>;
}

/// The tiles of a row, `*` for one that may lie anywhere in the goal.
pub fn row(tiles: &[Option<u8>]) -> String {
    let word = |tile: &Option<u8>| tile.map_or("*".to_owned(), |tile| tile.to_string());
    tiles.iter().map(word).collect::<Vec<_>>().join(" ")
}

/// The costs of a node, with what is known.
pub fn costs(event: &TraceEvent<'_>) -> String {
    let mut text = format!("g {}", event.g);
    if let Some(h) = event.h {
        text += &format!(" h {h}");
    }
    if let Some(f) = event.f {
        text += &format!(" f {f}");
    }
    text
}
