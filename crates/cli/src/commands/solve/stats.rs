//! What `--stats` tells.

use loyd::Report;
use loyd::search::{Iteration, Prune};

use crate::units::{counted, duration, grouped, size};

/// What a search did: a line, and one for each iteration if it had several.
pub fn stats(report: &Report) -> String {
    let heuristic = match (report.heuristic, &report.tables) {
        (Some(name), Some(tables)) => Some(format!("{name} {tables}")),
        (name, _) => name.map(str::to_owned),
    };
    let prune = report.prune.filter(|prune| *prune != Prune::Undo);
    let how = [
        heuristic,
        report.weight.map(|w| format!("w = {w}")),
        report.closed.map(|closed| closed.to_string()),
        prune.map(|prune| prune.to_string()),
    ];
    let how: Vec<String> = how.into_iter().flatten().collect();
    let how = if how.is_empty() { String::new() } else { format!(" ({})", how.join(", ")) };
    let result = match (report.length(), report.optimal, report.within) {
        (Some(length), true, _) => format!("{}, shortest", counted(report.metric, length)),
        (Some(length), false, Some(weight)) => {
            format!("{}, at most {weight} times the shortest", counted(report.metric, length))
        }
        (Some(length), false, None) => {
            format!("{}, not proved shortest", counted(report.metric, length))
        }
        (None, ..) => report.status.name().to_owned(),
    };
    let stats = &report.stats;
    let mut text = format!(
        "{}{how}: {result}; expanded {}, generated {}, duplicates {}, reopened {}, {}, {}",
        report.algorithm,
        grouped(stats.expanded),
        grouped(stats.generated),
        grouped(stats.duplicates),
        grouped(stats.reopened),
        size(stats.peak_bytes),
        duration(stats.elapsed.as_nanos() as u64),
    );
    if !stats.tables.is_zero() {
        text += &format!(", and {} for tables", duration(stats.tables.as_nanos() as u64));
    }
    for Iteration { bound, expanded, generated } in &stats.iterations {
        let (expanded, generated) = (grouped(*expanded), grouped(*generated));
        text +=
            &format!("\n  bound {bound:>3}: expanded {expanded:>13}, generated {generated:>13}");
    }
    text
}
