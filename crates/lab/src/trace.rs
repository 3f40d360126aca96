//! One search as it happened, node by node, in forms that people and other programs read.

mod dot;
mod json;
mod posthoc;
mod text;
mod writer;

use std::io::{self, Write};
use std::ops::ControlFlow;

use loyd::notation::slashes;
use loyd::search::Observer;
use loyd::{CancelToken, Problem, Solver};
use serde::Serialize;

use crate::header::Header;
use writer::TraceWriter;
pub use writer::Traced;

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
