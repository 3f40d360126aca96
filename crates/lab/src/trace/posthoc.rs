//! Traces for Posthoc, which plays them.
//!
//! The fields are those of `protocol/Trace-v140.ts` and `client/src/language/schema.ts` in
//! <https://github.com/ShortestPathLab/posthoc-app>, which let a trace have others too.

use std::io::{self, Write};

use loyd::Problem;
use loyd::study::TraceEvent;
use serde_json::{Value, json};

use super::json::{EventRecord, ResultRecord};
use super::writer::{TraceWriter, Traced};

/// The event types that Posthoc has a colour for stand for those that it does not know.
const FILL: &str = "color[({duplicate: 'closing', pruned: 'destination', reopening: 'updating', \
    iteration: 'source'})[$.type] || $.type]";

/// What is known of a node, in a line below its board.
const CAPTION: &str = "$.type + ' ' + $.id + ($.move ? ' by ' + $.move : '') + '   g ' + $.g \
    + ($.h >= 0 ? '  h ' + $.h : '') + ($.f >= 0 ? '  f ' + $.f : '') \
    + ($.bound >= 0 ? '  bound ' + $.bound : '')";

/// One object with the version, the view, the events, and what Loyd has to say about them.
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

    fn end(&mut self, out: &mut dyn Write, traced: &Traced) -> io::Result<()> {
        write!(out, "\n],\n\"result\":")?;
        serde_json::to_writer(&mut *out, &ResultRecord::from(traced))?;
        writeln!(out, "}}")
    }
}

/// Draws the board of an event, each tile in the colour of the event, and its costs below.
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
