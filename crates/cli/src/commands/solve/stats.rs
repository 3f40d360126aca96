//! What `--stats` tells.

use loyd::Report;
use loyd::search::{Direction, Iteration, Stats};

use crate::units::{counted, duration, grouped, size};

/// What a search did: a line, and one for each iteration if it had several.
pub fn stats(report: &Report) -> String {
    let heuristic = match (report.heuristic, &report.tables) {
        // Their cells would fill some lines.
        (Some(name), Some(set)) if set.contains('+') => {
            Some(format!("{name}, the largest of {} partitions", 1 + set.matches('+').count()))
        }
        (Some(name), Some(tables)) => Some(format!("{name} {tables}")),
        (name, _) => name.map(str::to_owned),
    };
    let how = [
        heuristic,
        report.weight.map(|w| format!("w = {w}")),
        report.closed.map(|closed| closed.to_string()),
        report.prune.map(|prune| prune.to_string()),
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
    text += &rounds(stats);
    text
}

/// A line for each iteration, and one that tells what found the solution if there were several ways.
fn rounds(stats: &Stats) -> String {
    let mut text = String::new();
    for Iteration { bound, expanded, generated } in &stats.iterations {
        let (expanded, generated) = (grouped(*expanded), grouped(*generated));
        text +=
            &format!("\n  bound {bound:>3}: expanded {expanded:>13}, generated {generated:>13}");
    }
    if stats.direction == Some(Direction::Backward) {
        text += "\n  searched from the goal to the start";
    }
    match stats.ended_by {
        Some("ahead") => {
            text += "\n  found two moves beyond the bound before, so that the last bound was not searched";
        }
        Some("beam") => text += "\n  found by a beam, so that the last bound was not searched",
        Some("round") => text += "\n  found within the last bound",
        Some("improver") => text += "\n  found by improving, before the bounds reached it",
        _ => {}
    }
    text
}

#[cfg(test)]
mod tests {
    use loyd::{Problem, Solver};

    use super::*;

    #[test]
    fn what_found_the_solution_is_told() {
        let problem: Problem = "1 2 3/4 x 5/7 8 6".parse().unwrap();
        let mut report = Solver::default().solve(&problem).unwrap();
        let mut last = |ended_by| {
            report.stats.ended_by = ended_by;
            stats(&report).lines().last().unwrap().to_owned()
        };
        assert!(last(Some("ahead")).contains("found two moves beyond"));
        assert!(last(Some("beam")).contains("found by a beam"));
        assert!(last(Some("round")).contains("found within the last bound"));
        assert!(last(Some("improver")).contains("found by improving"));
        assert!(!last(None).contains("found"));
    }

    #[test]
    fn partitions_of_a_set_are_counted() {
        let problem: Problem = "1 2 3/4 x 5/7 8 6".parse().unwrap();
        let mut report = Solver::default().solve(&problem).unwrap();
        report.heuristic = Some("pdb");
        let mut first = |tables: &str| {
            report.tables = Some(tables.to_owned());
            stats(&report).lines().next().unwrap().to_owned()
        };
        assert!(first("1,2/3,4+1,3/2,4+1,4/2,3").contains("(pdb, the largest of 3 partitions)"));
        assert!(first("catalogue").contains("(pdb catalogue)"));
    }
}
