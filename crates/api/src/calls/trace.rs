//! The call `trace`.

use std::io::{self, Write};

use loyd::Config;
use loyd_lab::trace::{TraceError, TraceFormat, TraceOutput};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::fault::Fault;
use crate::progress::Listener;
use crate::request::named;
use crate::work::{Work, json};

/// Default limit on the number of events.
const EVENTS: u64 = 2_000;

/// Trace of a search.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Trace<'a> {
    /// JSON.
    Json {
        /// Description of the search.
        #[cfg_attr(
            feature = "schema",
            schemars(with = "serde_json::Map<String, serde_json::Value>")
        )]
        header: &'a RawValue,
        /// Events in the order in which they occurred.
        #[cfg_attr(
            feature = "schema",
            schemars(with = "Vec<serde_json::Map<String, serde_json::Value>>")
        )]
        events: Vec<&'a RawValue>,
        /// Result of the search.
        #[cfg_attr(
            feature = "schema",
            schemars(with = "serde_json::Map<String, serde_json::Value>")
        )]
        result: &'a RawValue,
    },
    /// Another format.
    Text {
        /// Contents of the trace file.
        text: String,
    },
}

/// Names of the formats.
const FORMATS: [(&str, TraceFormat); 4] = [
    ("json", TraceFormat::JsonLines),
    ("posthoc", TraceFormat::Posthoc),
    ("dot", TraceFormat::Dot),
    ("text", TraceFormat::Text),
];

/// Number of copies of a trace in memory: the text, which may have grown to twice its size, and the answer.
const COPIES: u64 = 3;

/// Size of a trace that is allowed with any limit on memory.
const LEAST_BYTES: u64 = 4 << 20;

/// A text of limited length.
struct Limited {
    text: Vec<u8>,
    most: u64,
}

impl Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.text.len() as u64 + bytes.len() as u64 > self.most {
            let most = self.most;
            return Err(io::Error::other(format!(
                "the trace takes more than {most} bytes, a third of the memory limit or 4 MiB: give a smaller max_events"
            )));
        }
        self.text.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Traces a search.
pub fn trace(work: &Work<'_>, listener: Listener<'_>) -> Result<String, Fault> {
    let problem = work.request.problem()?;
    let max_events = work.request.max_events.unwrap_or(EVENTS);
    let max_events = Work::at_most("max_events", max_events, work.limits.events)?;
    let name = work.request.format.as_deref().unwrap_or("json");
    let (_, format) = named("format", name, FORMATS, |(name, _)| name)?;
    // A quality would not determine which search is traced.
    let config = work.config_on(problem.start().size())?;
    let solver = work.solver_with(Config { quality: None, ..config })?;
    let most = solver.config().limits.max_bytes.unwrap_or(u64::MAX) / COPIES;
    let mut out = Limited { text: Vec::new(), most: most.max(LEAST_BYTES) };
    let output = TraceOutput { out: &mut out, format, max_events, command: &[] };
    let mut watcher = work.watcher(listener);
    let traced =
        loyd_lab::trace::trace(&solver, &problem, (work.cancel, Some(&mut watcher)), output);
    traced.map_err(|error| match error {
        TraceError::Refused(error) => Fault::from(error),
        TraceError::Write(error) => Fault::of("max_events", error.to_string()),
    })?;
    let text = String::from_utf8(out.text).expect("a trace is text");
    if format != TraceFormat::JsonLines {
        return json(&Trace::Text { text });
    }
    let lines: Result<Vec<&RawValue>, _> = text.lines().map(serde_json::from_str).collect();
    match lines.expect("its lines are JSON").as_slice() {
        [header, events @ .., result] => {
            json(&Trace::Json { header, events: events.to_vec(), result })
        }
        _ => unreachable!("a trace has a header and a result"),
    }
}
