//! The summary of a comparison for people.

use loyd_lab::compare::{Record, RowSummary, Spread, Summary};

use crate::failure::tell;
use crate::table::Table;
use crate::units::{duration, grouped, size};

/// A quantity of a row, and how its numbers are written.
type Quantity = (fn(&RowSummary) -> Spread, fn(f64) -> String);

/// The summary as tables, and a sentence for each row but the best.
pub fn summary(summary: &Summary) -> String {
    let parts = [
        runs(&summary.rows),
        spreads(
            &summary.rows,
            vec!["expanded", "mean", "median", "max", "generated", "median", "max"],
            [(|row| row.expanded, count), (|row| row.generated, count)],
        ),
        spreads(
            &summary.rows,
            vec!["memory", "mean", "median", "max", "time", "median", "max"],
            [
                (|row| row.peak_bytes, |bytes| size(bytes as u64)),
                (|row| row.elapsed_ns, |ns| duration(ns as u64)),
            ],
        ),
        summary.sentences().into_iter().map(|sentence| sentence + "\n").collect(),
    ];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}

/// How the runs of each row ended, and how good solutions were.
fn runs(rows: &[RowSummary]) -> String {
    let heading =
        vec!["runs", "solved", "unsolvable", "stopped", "refused", "branching", "over optimal"];
    let mut table = Table::new(1, heading);
    for row in rows {
        let [solved, unsolvable, stopped, refused] =
            [row.solved, row.unsolvable, row.stopped, row.refused].map(grouped);
        let [branching, over] = [row.branching, row.over_optimal]
            .map(|number| number.map_or_else(|| "-".to_owned(), |number| format!("{number:.3}")));
        table.row(vec![row.name.clone(), solved, unsolvable, stopped, refused, branching, over]);
    }
    table.to_string()
}

/// A table with mean, median and maximum of two quantities; the heading names the first where the rows' names stand, the
/// second above its mean.
fn spreads(rows: &[RowSummary], heading: Vec<&'static str>, quantities: [Quantity; 2]) -> String {
    if rows.iter().all(|row| row.solved == 0) {
        return String::new();
    }
    let mut table = Table::new(1, heading);
    for row in rows.iter().filter(|row| row.solved > 0) {
        let cells = quantities.iter().flat_map(|(of, written)| {
            let Spread { mean, median, max } = of(row);
            [mean, median, max].map(written)
        });
        table.row([row.name.clone()].into_iter().chain(cells).collect());
    }
    table.to_string()
}

fn count(number: f64) -> String {
    if number < 100.0 && number.fract() != 0.0 {
        format!("{number:.1}")
    } else {
        grouped(number.round() as u64)
    }
}

/// Tells why rows could not run, each reason once.
pub fn tell_refusals(records: &[Record]) {
    let mut told: Vec<(&str, &str)> = Vec::new();
    for record in records.iter().filter(|record| record.status == "refused") {
        let reason = (record.row.as_str(), record.stop.as_deref().unwrap_or_default());
        if !told.contains(&reason) {
            tell(format_args!("{}: {}", reason.0, reason.1));
            told.push(reason);
        }
    }
}
