//! Traces for machines.

use std::io::{self, Write};

use loyd::Problem;
use loyd::batch::Round;
use loyd::notation::moves_to_string;
use loyd::search::{Closed, Weight};
use loyd::study::{TraceEvent, TraceKind};
use serde::Serialize;
use serde_json::Number;

use super::writer::{TraceWriter, Traced};

/// A header, an object for each event, and the result.
pub struct JsonLines;

impl TraceWriter for JsonLines {
    fn begin(&mut self, out: &mut dyn Write, _: &Problem, header: &str) -> io::Result<()> {
        writeln!(out, "{header}")
    }

    fn event(&mut self, out: &mut dyn Write, event: &TraceEvent<'_>) -> io::Result<()> {
        line(out, &EventRecord::from(event))
    }

    fn end(&mut self, out: &mut dyn Write, traced: &Traced) -> io::Result<()> {
        line(out, &ResultRecord::from(traced))
    }
}

fn line(out: &mut dyn Write, record: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, record)?;
    writeln!(out)
}

/// An event with the names that Posthoc gives to its fields; what is not known is left out.
#[derive(Serialize)]
pub struct EventRecord {
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

/// What lies on a cell.
#[derive(Serialize)]
#[serde(untagged)]
enum Entry {
    /// The number of a tile, 0 for the blank.
    Tile(u8),
    /// `*`: a tile that may lie anywhere in the goal.
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

/// A number, whole if it can be.
fn number(number: f64) -> Option<Number> {
    if number.fract() == 0.0 { Some((number as u64).into()) } else { Number::from_f64(number) }
}

/// How the search ended, and what it counted.
#[derive(Serialize)]
pub struct ResultRecord {
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
    iterations: Vec<Round>,
    events: u64,
    complete: bool,
}

impl From<&Traced> for ResultRecord {
    fn from(traced: &Traced) -> Self {
        let (report, stats) = (&traced.report, &traced.report.stats);
        Self {
            kind: "result",
            status: report.status.name(),
            stopped_by: traced.stopped_by(),
            algorithm: report.algorithm,
            heuristic: report.heuristic,
            tables: report.tables.clone(),
            weight: report.weight.map(Weight::as_f64),
            closed: report.closed.map(Closed::name),
            prune: report.prune.map(|prune| prune.to_string()),
            moves: report.moves.as_deref().map(moves_to_string),
            length: report.length(),
            optimal: report.optimal,
            expanded: stats.expanded,
            generated: stats.generated,
            duplicates: stats.duplicates,
            reopened: stats.reopened,
            iterations: stats.iterations.iter().copied().map(Round::from).collect(),
            events: traced.events,
            complete: !traced.cut,
        }
    }
}
