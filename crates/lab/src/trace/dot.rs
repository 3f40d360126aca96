//! Traces as Graphviz graphs.

use std::io::{self, Write};

use loyd::Problem;
use loyd::notation::moves_to_string;
use loyd::study::{Pruning, TraceEvent, TraceKind};

use super::writer::{TraceSummary, TraceWriter, costs, row};

/// Writes a node for each generated board, numbered in order of expansion, and a cluster for each iteration.
///
/// In DOT a later statement can add attributes to a node, so the graph is written while the search runs. Moves that
/// undo the last one are omitted: they would add a leaf to every node.
#[derive(Default)]
pub struct Dot {
    width: usize,
    iterations: u64,
    expanded: u64,
    /// Node at which the first of two searches ended.
    end: Option<u64>,
}

impl TraceWriter for Dot {
    fn begin(&mut self, out: &mut dyn Write, problem: &Problem, header: &str) -> io::Result<()> {
        self.width = problem.start().size().width();
        writeln!(out, "// {header}")?;
        writeln!(out, "digraph trace {{\n  graph [fontname=\"sans-serif\"]")?;
        writeln!(out, "  node [shape=box, style=filled, fillcolor=white, fontname=\"monospace\"]")?;
        writeln!(out, "  edge [fontname=\"sans-serif\"]")
    }

    fn event(&mut self, out: &mut dyn Write, event: &TraceEvent<'_>) -> io::Result<()> {
        let id = event.id;
        match event.kind {
            TraceKind::Iteration => self.iteration(out, event),
            TraceKind::Source => self.node(out, event, "penwidth=3"),
            TraceKind::Generating => {
                self.node(out, event, if event.backward { "shape=ellipse" } else { "" })?;
                edge(out, event, id, "")
            }
            TraceKind::Expanding => {
                self.expanded += 1;
                let order = self.expanded;
                writeln!(out, "  {id} [fillcolor=\"#d1c4e9\", xlabel=\"{order}\"]")
            }
            TraceKind::Duplicate { known, .. } => {
                edge(out, event, known, ", style=dotted, constraint=false")
            }
            TraceKind::Updating => edge(out, event, id, ", style=bold, color=\"#ef6c00\""),
            TraceKind::Reopening => {
                edge(out, event, id, ", style=bold, color=\"#ef6c00\", arrowhead=box")
            }
            TraceKind::Pruned(Pruning::Undo | Pruning::SameLine) => Ok(()),
            TraceKind::Pruned(Pruning::AtBound) => {
                writeln!(out, "  {id} [style=\"filled,dashed\", xlabel=\"at the bound\"]")
            }
            TraceKind::Pruned(_) => {
                self.node(out, event, "style=\"filled,dashed\", fillcolor=\"#eeeeee\"")?;
                edge(out, event, id, ", style=dashed")
            }
            TraceKind::End => self.end_at(out, id),
        }
    }

    fn end(&mut self, out: &mut dyn Write, traced: &TraceSummary) -> io::Result<()> {
        if self.iterations > 0 {
            writeln!(out, "  }}")?;
        }
        writeln!(out, "  label=\"{}\\n{}\"\n}}", traced.outcome(), traced.statistics())
    }
}

impl Dot {
    fn iteration(&mut self, out: &mut dyn Write, event: &TraceEvent<'_>) -> io::Result<()> {
        if self.iterations > 0 {
            writeln!(out, "  }}")?;
        }
        self.iterations += 1;
        let bound = event.bound.unwrap_or(0);
        writeln!(out, "  subgraph cluster_{} {{\n  label=\"bound {bound}\"", self.iterations)
    }

    /// Writes a node with its board.
    fn node(&self, out: &mut dyn Write, event: &TraceEvent<'_>, more: &str) -> io::Result<()> {
        let rows: Vec<String> = event.board.chunks(self.width).map(row).collect();
        let (rows, costs) = (rows.join("\\n"), costs(event));
        let comma = if more.is_empty() { "" } else { ", " };
        writeln!(out, "  {} [label=\"{rows}\\n{costs}\"{comma}{more}]", event.id)
    }

    /// Marks a node as the end of a solution. If two searches met, connects their nodes for the same board.
    fn end_at(&mut self, out: &mut dyn Write, id: u64) -> io::Result<()> {
        writeln!(out, "  {id} [peripheries=2, color=\"#1565c0\", penwidth=3]")?;
        if let Some(other) = self.end.replace(id) {
            writeln!(out, "  {other} -> {id} [dir=none, style=bold, color=\"#1565c0\"]")?;
        }
        Ok(())
    }
}

/// Writes the edge from the event's parent to node `to`.
fn edge(out: &mut dyn Write, event: &TraceEvent<'_>, to: u64, more: &str) -> io::Result<()> {
    let Some(parent) = event.parent else { return Ok(()) };
    writeln!(out, "  {parent} -> {to} [label=\"{}\"{more}]", moves_to_string(event.moves))
}
