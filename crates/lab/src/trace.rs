//! One search as it happened, node by node, in forms that people and other programs read.

mod dot;
mod json;
mod posthoc;
mod text;

use std::io::{self, Write};
use std::ops::ControlFlow;

use loyd::notation::{moves_to_string, slashes};
use loyd::search::{Observer, Status, Stop};
use loyd::study::TraceEvent;
use loyd::{CancelToken, Problem, Report, Solver};
use serde::Serialize;

use crate::header::Header;

/// The form of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceFormat {
    /// Lines, indented by the cost so far.
    Text,
    /// A graph, in the language of Graphviz.
    Dot,
    /// A header, an object for each event, and the result.
    JsonLines,
    /// A search trace 1.4.0 of Posthoc (<https://github.com/ShortestPathLab/posthoc-app>), as JSON, with a view that
    /// draws boards.
    Posthoc,
}

impl TraceFormat {
    fn writer(self) -> Box<dyn TraceWriter> {
        match self {
            Self::Text => Box::<text::Text>::default(),
            Self::Dot => Box::<dot::Dot>::default(),
            Self::JsonLines => Box::new(json::JsonLines),
            Self::Posthoc => Box::<posthoc::Posthoc>::default(),
        }
    }
}

/// Where a trace is written to, and how much of it.
pub struct TraceOutput<'a> {
    /// The file, pipe or whatever else.
    pub out: &'a mut dyn Write,
    /// The form.
    pub format: TraceFormat,
    /// The trace ends after so many events, and the search with it.
    pub max_events: u64,
    /// The command that writes the trace, for its header.
    pub command: &'a [String],
}

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

/// Why a trace could not be written.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The configuration does not fit the board.
    #[error(transparent)]
    Refused(#[from] loyd::Error),
    /// The output takes no more.
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// Solves `problem` with the algorithm of `solver`, and writes what happens to each node.
///
/// # Errors
/// When the configuration does not fit the board, and when the output takes no more.
pub fn trace(
    solver: &Solver,
    problem: &Problem,
    (cancel, observer): (&CancelToken, Option<&mut dyn Observer>),
    TraceOutput { out, format, max_events, command }: TraceOutput<'_>,
) -> Result<Traced, TraceError> {
    let mut writer = format.writer();
    let header = TraceHeader {
        header: Header::new("trace", command, None),
        board: slashes(problem.start()).to_string(),
        goal: problem.goal_text(),
        metric: solver.config().metric.name(),
        max_events,
    };
    writer.begin(out, problem, &serde_json::to_string(&header).map_err(io::Error::from)?)?;
    let (mut events, mut cut, mut failed) = (0, false, None);
    let report = solver.trace(problem, cancel, observer, &mut |event| {
        cut = events == max_events;
        if cut {
            return ControlFlow::Break(());
        }
        events += 1;
        match writer.event(out, event) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        }
    })?;
    if let Some(error) = failed {
        return Err(error.into());
    }
    let traced = Traced { report, events, cut };
    writer.end(out, &traced)?;
    out.flush()?;
    Ok(traced)
}

/// The command, and what it traces.
#[derive(Serialize)]
struct TraceHeader<'a> {
    #[serde(flatten)]
    header: Header<'a>,
    board: String,
    goal: String,
    metric: &'static str,
    max_events: u64,
}

impl Traced {
    /// What ended the search before it was done: `events`, or the word for a limit.
    fn stopped_by(&self) -> Option<&'static str> {
        match self.report.status {
            _ if self.cut => Some("events"),
            Status::Stopped(stop) => Some(stop.name()),
            _ => None,
        }
    }

    /// How the search ended, in words.
    fn ending(&self) -> String {
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
    fn counts(&self) -> String {
        let stats = &self.report.stats;
        format!(
            "expanded {}, generated {}, duplicates {}, reopened {}; events {}",
            stats.expanded, stats.generated, stats.duplicates, stats.reopened, self.events
        )
    }
}

/// Writes a trace in one of the forms.
trait TraceWriter {
    /// Begins with a header, which is a line of JSON.
    fn begin(&mut self, out: &mut dyn Write, problem: &Problem, header: &str) -> io::Result<()>;

    fn event(&mut self, out: &mut dyn Write, event: &TraceEvent<'_>) -> io::Result<()>;

    fn end(&mut self, out: &mut dyn Write, traced: &Traced) -> io::Result<()>;
}

/// The tiles of a row, `*` for one that may lie anywhere in the goal.
fn row(tiles: &[Option<u8>]) -> String {
    let word = |tile: &Option<u8>| tile.map_or("*".to_owned(), |tile| tile.to_string());
    tiles.iter().map(word).collect::<Vec<_>>().join(" ")
}

/// The costs of a node, with what is known.
fn costs(event: &TraceEvent<'_>) -> String {
    let mut text = format!("g {}", event.g);
    if let Some(h) = event.h {
        text += &format!(" h {h}");
    }
    if let Some(f) = event.f {
        text += &format!(" f {f}");
    }
    text
}
