//! Traces of a search, node by node, for people and for other programs.

mod dot;
mod json;
mod writer;

use std::io::{self, Write};
use std::ops::ControlFlow;

use loyd::notation::slashes;
use loyd::search::Observer;
use loyd::{CancelToken, Problem, Solver};
use serde::Serialize;

use crate::header::Header;
pub use writer::TraceSummary;
use writer::TraceWriter;

/// Format of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceFormat {
    /// Lines of text, indented by the cost so far.
    Text,
    /// A graph in the Graphviz language.
    Dot,
    /// JSON Lines: a header, an object per event, and the result.
    JsonLines,
    /// A search trace 1.4.0 of Posthoc (<https://github.com/ShortestPathLab/posthoc-app>), as JSON, with a view that
    /// draws the boards.
    Posthoc,
}

impl TraceFormat {
    fn writer(self) -> Box<dyn TraceWriter> {
        match self {
            Self::Text => Box::<writer::Text>::default(),
            Self::Dot => Box::<dot::Dot>::default(),
            Self::JsonLines => Box::new(json::JsonLines),
            Self::Posthoc => Box::<json::Posthoc>::default(),
        }
    }
}

/// Destination, format and size limit of a trace.
pub struct TraceOutput<'a> {
    /// Output.
    pub out: &'a mut dyn Write,
    /// Format.
    pub format: TraceFormat,
    /// Number of events after which the trace ends, and the search with it.
    pub max_events: u64,
    /// Command that writes the trace, for its header.
    pub command: &'a [String],
}

/// Reason why a trace could not be written.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The configuration does not fit the board.
    #[error(transparent)]
    Refused(#[from] loyd::Error),
    /// The output failed.
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// Solves `problem` with the algorithm of `solver` and writes an event for everything that happens to a node.
///
/// # Errors
/// Returns an error if the configuration does not fit the board, or if the output fails.
pub fn trace(
    solver: &Solver,
    problem: &Problem,
    (cancel, observer): (&CancelToken, Option<&mut dyn Observer>),
    TraceOutput { out, format, max_events, command }: TraceOutput<'_>,
) -> Result<TraceSummary, TraceError> {
    let mut writer = format.writer();
    let header = TraceHeader {
        header: Header::new("trace", command, None),
        board: slashes(problem.start()).to_string(),
        goal: problem.goal_text(),
        metric: solver.config().metric.name(),
        max_events,
    };
    writer.begin(out, problem, &serde_json::to_string(&header).map_err(io::Error::from)?)?;
    let (mut events, mut truncated, mut failed) = (0, false, None);
    let report = solver.trace(problem, cancel, observer, &mut |event| {
        truncated = events == max_events;
        if truncated {
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
    let traced = TraceSummary { report, events, truncated };
    writer.end(out, &traced)?;
    out.flush()?;
    Ok(traced)
}

/// Header of a trace: the command, the problem and the limit of events.
#[derive(Serialize)]
struct TraceHeader<'a> {
    #[serde(flatten)]
    header: Header<'a>,
    board: String,
    goal: String,
    metric: &'static str,
    max_events: u64,
}
