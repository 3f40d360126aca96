//! Traces as JSON: JSON Lines, and files for the visualiser Posthoc.
//!
//! The fields of Posthoc follow `protocol/Trace-v140.ts` and `client/src/language/schema.ts` in
//! <https://github.com/ShortestPathLab/posthoc-app>, which allow additional fields.

use std::io::{self, Write};

use loyd::Problem;
use loyd::batch::IterationRecord;
use loyd::notation::moves_to_string;
use loyd::search::{ClosedKind, Weight};
use loyd::study::{TraceEvent, TraceKind};
use serde::Serialize;
use serde_json::{Number, Value, json};

use super::writer::{TraceSummary, TraceWriter};

/// Writes a header, an object per event, and the result.
pub struct JsonLines;

impl TraceWriter for JsonLines {
    fn begin(&mut self, out: &mut dyn Write, _: &Problem, header: &str) -> io::Result<()> {
        writeln!(out, "{header}")
    }

    fn event(&mut self, out: &mut dyn Write, event: &TraceEvent<'_>) -> io::Result<()> {
        line(out, &EventRecord::from(event))
    }

    fn end(&mut self, out: &mut dyn Write, traced: &TraceSummary) -> io::Result<()> {
        line(out, &ResultRecord::from(traced))
    }
}

fn line(out: &mut dyn Write, record: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, record)?;
    writeln!(out)
}

/// An event with Posthoc's field names; unknown values are omitted.
#[derive(Serialize)]
struct EventRecord {
    #[serde(rename = "type")]
    kind: &'static str,
    id: u64,
    #[serde(rename = "pId", skip_serializing_if = "Option::is_none")]
    parent: Option<u64>,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    moves: Option<String>,
    g: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    h: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    f: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<u32>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    backward: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    board: Vec<Entry>,
}

/// Content of a cell.
#[derive(Serialize)]
#[serde(untagged)]
enum Entry {
    /// Number of a tile, 0 for the blank.
    Tile(u8),
    /// `*` for a don't-care tile.
    DontCare(&'static str),
}

impl From<&TraceEvent<'_>> for EventRecord {
    fn from(event: &TraceEvent<'_>) -> Self {
        let known = match event.kind {
            TraceKind::Duplicate { known, .. } => Some(known),
            _ => None,
        };
        let entry = |tile: &Option<u8>| tile.map_or(Entry::DontCare("*"), Entry::Tile);
        Self {
            kind: event.kind.name(),
            id: event.id,
            parent: event.parent,
            moves: (!event.moves.is_empty()).then(|| moves_to_string(event.moves)),
            g: event.g,
            h: event.h,
            f: event.f.and_then(number),
            bound: event.bound,
            backward: event.backward,
            known,
            reason: event.kind.reason(),
            board: event.board.iter().map(entry).collect(),
        }
    }
}

/// Converts a number, to an integer if possible.
fn number(number: f64) -> Option<Number> {
    if number.fract() == 0.0 { Some((number as u64).into()) } else { Number::from_f64(number) }
}

/// Outcome and statistics of the search.
#[derive(Serialize)]
struct ResultRecord {
    #[serde(rename = "type")]
    kind: &'static str,
    status: &'static str,
    stopped_by: Option<&'static str>,
    algorithm: &'static str,
    heuristic: Option<&'static str>,
    tables: Option<String>,
    weight: Option<f64>,
    closed: Option<&'static str>,
    prune: Option<String>,
    moves: Option<String>,
    length: Option<usize>,
    optimal: bool,
    expanded: u64,
    generated: u64,
    duplicates: u64,
    reopened: u64,
    iterations: Vec<IterationRecord>,
    events: u64,
    complete: bool,
}

impl From<&TraceSummary> for ResultRecord {
    fn from(traced: &TraceSummary) -> Self {
        let (report, stats) = (&traced.report, &traced.report.stats);
        Self {
            kind: "result",
            status: report.status.name(),
            stopped_by: traced.stopped_by(),
            algorithm: report.algorithm,
            heuristic: report.heuristic,
            tables: report.tables.clone(),
            weight: report.weight.map(Weight::as_f64),
            closed: report.closed.map(ClosedKind::name),
            prune: report.prune.map(|prune| prune.to_string()),
            moves: report.moves.as_deref().map(moves_to_string),
            length: report.length(),
            optimal: report.optimal,
            expanded: stats.expanded,
            generated: stats.generated,
            duplicates: stats.duplicates,
            reopened: stats.reopened,
            iterations: stats.iterations.iter().copied().map(IterationRecord::from).collect(),
            events: traced.events,
            complete: !traced.truncated,
        }
    }
}

/// Colour expression: maps event types unknown to Posthoc to types for which it has colours.
const FILL: &str = "color[({duplicate: 'closing', pruned: 'destination', reopening: 'updating', \
    iteration: 'source'})[$.type] || $.type]";

/// Caption expression: the known values of a node, in a line below its board.
const CAPTION: &str = "$.type + ' ' + $.id + ($.move ? ' by ' + $.move : '') + '   g ' + $.g \
    + ($.h >= 0 ? '  h ' + $.h : '') + ($.f >= 0 ? '  f ' + $.f : '') \
    + ($.bound >= 0 ? '  bound ' + $.bound : '')";

/// Writes one JSON object with version, view, events and result.
#[derive(Default)]
pub struct Posthoc {
    has_events: bool,
}

impl TraceWriter for Posthoc {
    fn begin(&mut self, out: &mut dyn Write, problem: &Problem, header: &str) -> io::Result<()> {
        let size = problem.start().size();
        let views = json!({ "main": view(size.width(), size.height()) });
        write!(out, "{{\"version\":\"1.4.0\",\n\"header\":{header},\n\"views\":{views},\n")?;
        write!(out, "\"events\":[")
    }

    fn event(&mut self, out: &mut dyn Write, event: &TraceEvent<'_>) -> io::Result<()> {
        let comma = if std::mem::replace(&mut self.has_events, true) { "," } else { "" };
        writeln!(out, "{comma}")?;
        Ok(serde_json::to_writer(out, &EventRecord::from(event))?)
    }

    fn end(&mut self, out: &mut dyn Write, traced: &TraceSummary) -> io::Result<()> {
        write!(out, "\n],\n\"result\":")?;
        serde_json::to_writer(&mut *out, &ResultRecord::from(traced))?;
        writeln!(out, "}}")
    }
}

/// Returns a view that draws the board of an event, with tiles in the event's colour, and its costs below.
fn view(width: usize, height: usize) -> Value {
    let tile = json!({
        "$": "rect", "$for": {"$to": width * height},
        "x": format!("${{{{ $.i % {width} }}}}"), "y": format!("${{{{ Math.floor($.i / {width}) }}}}"),
        "width": 0.95, "height": 0.95,
        "fill": format!("${{{{ $.board[$.i] ? {FILL} : theme.background }}}}"),
        "label": "${{ $.board[$.i] || '' }}", "label-x": 0.25, "label-y": 0.65, "label-size": 0.45,
        "label-color": "${{ theme.background }}", "clear": true,
    });
    let line = |text: &str, y: f64| {
        json!({
            "$": "rect", "x": 0, "y": y, "width": width, "height": 0.35,
            "fill": "${{ theme.background }}", "label": format!("${{{{ {text} }}}}"),
            "label-y": 0.25, "label-size": 0.2, "label-color": "${{ theme.foreground }}", "clear": true,
        })
    };
    json!([tile, line(CAPTION, height as f64 + 0.1), line("$.reason || ''", height as f64 + 0.45)])
}
