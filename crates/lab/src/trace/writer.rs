//! The interface of trace writers, what a trace reports at its end, and traces as text.

use std::io::{self, Write};

use loyd::notation::moves_to_string;
use loyd::search::{Status, Stop};
use loyd::study::{TraceEvent, TraceKind};
use loyd::{Problem, Report};

/// Summary of a written trace.
#[derive(Clone, Debug)]
pub struct TraceSummary {
    /// Report of the search. Its status is "cancelled" if the limit of events was reached.
    pub report: Report,
    /// Number of events written.
    pub events: u64,
    /// Whether events were dropped because the limit was reached.
    pub truncated: bool,
}

impl TraceSummary {
    /// Returns what stopped the search early: `events` or the name of a limit.
    pub(super) fn stopped_by(&self) -> Option<&'static str> {
        match self.report.status {
            _ if self.truncated => Some("events"),
            Status::Stopped(stop) => Some(stop.name()),
            _ => None,
        }
    }

    /// Describes the outcome of the search.
    pub(super) fn outcome(&self) -> String {
        let report = &self.report;
        match (report.status, &report.moves) {
            (Status::Solved, Some(moves)) if moves.is_empty() => {
                "solved: this is the goal".to_owned()
            }
            (Status::Solved, Some(moves)) => {
                let length = report.metric.length(moves);
                let shortest = if report.optimal { ", the fewest possible" } else { "" };
                format!("solved, moves: {length}{shortest}: {}", moves_to_string(moves))
            }
            (Status::Stopped(Stop::Cancelled), _) if self.truncated => {
                format!("the trace ends after {} events, and the search with it", self.events)
            }
            (Status::Stopped(stop), _) => format!("stopped: {stop}"),
            (status, _) => status.name().to_owned(),
        }
    }

    /// Describes the statistics of the search.
    pub(super) fn statistics(&self) -> String {
        let stats = &self.report.stats;
        format!(
            "expanded {}, generated {}, duplicates {}, reopened {}; events {}",
            stats.expanded, stats.generated, stats.duplicates, stats.reopened, self.events
        )
    }
}

/// Writes a trace in one of the formats.
pub trait TraceWriter {
    /// Writes the start of the trace; `header` is a line of JSON.
    fn begin(&mut self, out: &mut dyn Write, problem: &Problem, header: &str) -> io::Result<()>;

    /// Writes an event.
    fn event(&mut self, out: &mut dyn Write, event: &TraceEvent<'_>) -> io::Result<()>;

    /// Writes the end of the trace with the result.
    fn end(&mut self, out: &mut dyn Write, traced: &TraceSummary) -> io::Result<()>;
}

/// Formats the tiles of a row, with `*` for a don't-care tile.
pub fn row(tiles: &[Option<u8>]) -> String {
    let word = |tile: &Option<u8>| tile.map_or("*".to_owned(), |tile| tile.to_string());
    tiles.iter().map(word).collect::<Vec<_>>().join(" ")
}

/// Formats the known costs of a node.
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

/// Maximum number of moves by which lines are indented, two spaces each; deeper lines would become too long.
const MAX_INDENT_DEPTH: u32 = 40;

/// Writes a line for each event, in order.
#[derive(Default)]
pub struct Text {
    width: usize,
}

impl TraceWriter for Text {
    fn begin(&mut self, _: &mut dyn Write, problem: &Problem, _: &str) -> io::Result<()> {
        self.width = problem.start().size().width();
        Ok(())
    }

    fn event(&mut self, out: &mut dyn Write, event: &TraceEvent<'_>) -> io::Result<()> {
        if let (TraceKind::Iteration, Some(bound)) = (event.kind, event.bound) {
            return writeln!(out, "iteration with bound {bound}");
        }
        let indent = 2 * event.g.min(MAX_INDENT_DEPTH) as usize;
        write!(out, "{:indent$}{} {}", "", event.kind.name(), event.id)?;
        if event.backward {
            write!(out, " backward")?;
        }
        if !event.moves.is_empty() && event.kind != TraceKind::Expanding {
            write!(out, " by {}", moves_to_string(event.moves))?;
        }
        let rows: Vec<String> = event.board.chunks(self.width).map(row).collect();
        write!(out, "  {}  {}", rows.join("/"), costs(event))?;
        match event.kind.reason() {
            Some(reason) => writeln!(out, "  ({reason})"),
            None => writeln!(out),
        }
    }

    fn end(&mut self, out: &mut dyn Write, traced: &TraceSummary) -> io::Result<()> {
        let gap = if traced.events > 0 { "\n" } else { "" };
        writeln!(out, "{gap}{}\n{}", traced.outcome(), traced.statistics())
    }
}
