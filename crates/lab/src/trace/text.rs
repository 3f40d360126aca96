//! Traces for people.

use std::io::{self, Write};

use loyd::Problem;
use loyd::notation::moves_to_string;
use loyd::study::{TraceEvent, TraceKind};

use super::writer::{TraceWriter, Traced, costs, row};

/// Lines are indented by two spaces for each move, up to so many moves: the lines of a deep search would grow and grow.
const DEEPEST: u32 = 40;

/// A line for each event, in the order in which they happened.
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
        let indent = 2 * event.g.min(DEEPEST) as usize;
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

    fn end(&mut self, out: &mut dyn Write, traced: &Traced) -> io::Result<()> {
        let gap = if traced.events > 0 { "\n" } else { "" };
        writeln!(out, "{gap}{}\n{}", traced.ending(), traced.counts())
    }
}
