//! A table in Markdown.

use std::fmt::Write;

use crate::compare::{Header, RowSummary, Summary};

/// The summary as a Markdown table, with the command that makes it again.
pub fn markdown(header: &Header, summary: &Summary) -> String {
    let mut text = String::from(
        "| row | solved | stopped | mean expanded | median | max | mean generated | branching | over optimal | mean KB | mean ms |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for row in &summary.rows {
        let RowSummary { name, solved, stopped, expanded, generated, .. } = row;
        let [branching, over] = [row.branching, row.over_optimal]
            .map(|n| n.map_or(String::new(), |n| format!("{n:.3}")));
        let (kilobytes, milliseconds) = (row.peak_bytes.mean / 1e3, row.elapsed_ns.mean / 1e6);
        let _ = writeln!(
            text,
            "| {name} | {solved} | {stopped} | {:.1} | {:.1} | {} | {:.1} | {branching} | {over} | {kilobytes:.1} | {milliseconds:.3} |",
            expanded.mean, expanded.median, expanded.max, generated.mean,
        );
    }
    let sentences = summary.sentences();
    if !sentences.is_empty() {
        let _ = writeln!(text, "\n{}.", sentences.join("; "));
    }
    let _ = writeln!(text, "\n`{}`", header.command());
    text
}
