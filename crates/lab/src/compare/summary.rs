//! Aggregated results of a comparison.

use std::collections::HashMap;

use serde::Serialize;

use super::record::Record;

/// Mean, median and maximum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Spread {
    /// Mean.
    pub mean: f64,
    /// Median; for an even number of values, the mean of the middle two.
    pub median: f64,
    /// Maximum.
    pub max: f64,
}

/// Results of a row over all boards.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RowSummary {
    /// Name of the row.
    pub name: String,
    /// Number of runs that found a solution.
    pub solved: u64,
    /// Number of runs that proved there is none.
    pub unsolvable: u64,
    /// Number of runs stopped by a limit.
    pub stopped: u64,
    /// Number of runs refused before they started.
    pub refused: u64,
    /// Nodes expanded; this and the following fields cover only runs that found a solution.
    pub expanded: Spread,
    /// Nodes generated.
    pub generated: Spread,
    /// Peak memory of the search's own structures, in bytes.
    pub peak_bytes: Spread,
    /// Time of the search without tables, in nanoseconds.
    pub elapsed_ns: Spread,
    /// Mean effective branching factor over solutions of at least one move.
    pub branching: Option<f64>,
    /// Mean ratio of solution length to optimal length, where the latter is known and positive.
    pub over_optimal: Option<f64>,
}

/// Results of all rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Rows, in order of their first records.
    pub rows: Vec<RowSummary>,
    /// For each other row, the nodes expanded by the best row and by that row, on the boards that both solved.
    against_best: Vec<(String, [u64; 2])>,
    /// Index of the row that solved the most boards; ties go to fewer expanded nodes.
    best: Option<usize>,
}

impl Summary {
    /// Summarises `records`, in any order.
    pub fn of(records: &[Record]) -> Self {
        let mut by_row: Vec<(&str, Vec<&Record>)> = Vec::new();
        let mut places = HashMap::new();
        for record in records {
            let place = *places.entry(record.row.as_str()).or_insert(by_row.len());
            if place == by_row.len() {
                by_row.push((&record.row, Vec::new()));
            }
            by_row[place].1.push(record);
        }
        let shortest = shortest(records);
        let rows: Vec<RowSummary> =
            by_row.iter().map(|(name, records)| RowSummary::of(name, records, &shortest)).collect();
        let best = best(&by_row);
        let against_best = best.map_or_else(Vec::new, |best| {
            let against = |(place, (name, records)): (usize, &(&str, Vec<&Record>))| {
                let sums = expanded_by_both(&by_row[best].1, records);
                (place != best && sums.iter().all(|&sum| sum > 0))
                    .then(|| ((*name).to_owned(), sums))
            };
            by_row.iter().enumerate().filter_map(against).collect()
        });
        Self { rows, against_best, best }
    }

    /// Returns the row that solved the most boards; ties go to fewer expanded nodes.
    pub fn best(&self) -> Option<&RowSummary> {
        Some(&self.rows[self.best?])
    }

    /// Returns a sentence for each row but the best, which compares the nodes that it and the best row expanded on the
    /// boards that both solved.
    pub fn sentences(&self) -> Vec<String> {
        let Some(best) = self.best() else { return Vec::new() };
        let sentence = |(name, [least, more]): &(String, [u64; 2])| {
            let [least, more] = [*least as f64, *more as f64];
            match more / least {
                ratio if (0.95..1.05).contains(&ratio) => {
                    format!("{} expanded as many as {name}", best.name)
                }
                ratio if ratio > 1.0 => {
                    format!("{} expanded {ratio:.1}x fewer than {name}", best.name)
                }
                ratio => format!("{} expanded {:.1}x more than {name}", best.name, 1.0 / ratio),
            }
        };
        self.against_best.iter().map(sentence).collect()
    }
}

impl RowSummary {
    fn of(name: &str, records: &[&Record], shortest: &HashMap<u64, u64>) -> Self {
        let count =
            |status: &str| records.iter().filter(|record| record.status == status).count() as u64;
        let solved: Vec<&Record> =
            records.iter().copied().filter(|record| record.is_solved()).collect();
        let spread = |value: fn(&Record) -> u64| {
            Spread::of(solved.iter().map(|record| value(record) as f64).collect())
        };
        let over = |record: &&Record| {
            let shortest = *shortest.get(&record.board_id).filter(|&&length| length > 0)?;
            Some(record.length? as f64 / shortest as f64)
        };
        let branching = |record: &&Record| {
            branching_factor(record.generated, record.length.filter(|&l| l > 0)?)
        };
        Self {
            name: name.to_owned(),
            solved: solved.len() as u64,
            unsolvable: count("unsolvable") + count("exhausted"),
            stopped: count("stopped"),
            refused: count("refused"),
            expanded: spread(|record| record.expanded),
            generated: spread(|record| record.generated),
            peak_bytes: spread(|record| record.peak_bytes),
            elapsed_ns: spread(|record| record.elapsed_ns),
            branching: mean(solved.iter().filter_map(branching).collect()),
            over_optimal: mean(solved.iter().filter_map(over).collect()),
        }
    }
}

impl Spread {
    /// Computes the statistics of `numbers`; zeros if there are none.
    pub fn of(mut numbers: Vec<f64>) -> Self {
        numbers.sort_by(f64::total_cmp);
        let count = numbers.len();
        let (Some(&max), Some(mean)) = (numbers.last(), mean(numbers.clone())) else {
            return Self::default();
        };
        let median = f64::midpoint(numbers[(count - 1) / 2], numbers[count / 2]);
        Self { mean, median, max }
    }
}

fn mean(numbers: Vec<f64>) -> Option<f64> {
    let count = numbers.len();
    (count > 0).then(|| numbers.into_iter().sum::<f64>() / count as f64)
}

/// Returns the known lengths of shortest solutions by board.
fn shortest(records: &[Record]) -> HashMap<u64, u64> {
    let known = |record: &Record| Some((record.board_id, record.optimal_length?));
    records.iter().filter_map(known).collect()
}

/// Returns the index of the row that solved the most boards; ties go to fewer expanded nodes.
fn best(by_row: &[(&str, Vec<&Record>)]) -> Option<usize> {
    let merit = |&place: &usize| {
        let solved = by_row[place].1.iter().filter(|record| record.is_solved());
        let expanded: u64 = solved.clone().map(|record| record.expanded).sum();
        (solved.count(), std::cmp::Reverse(expanded))
    };
    (0..by_row.len()).rev().max_by_key(merit).filter(|place| merit(place).0 > 0)
}

/// Returns the total number of nodes that each of two rows expanded on the boards that both solved.
fn expanded_by_both(one: &[&Record], other: &[&Record]) -> [u64; 2] {
    let solved = other.iter().filter(|record| record.is_solved());
    let of_other: HashMap<u64, u64> =
        solved.map(|record| (record.board_id, record.expanded)).collect();
    let both = one.iter().filter(|record| record.is_solved());
    both.filter_map(|record| Some([record.expanded, *of_other.get(&record.board_id)?]))
        .fold([0, 0], |[a, b], [c, d]| [a + c, b + d])
}

/// Returns the branching factor of the uniform tree of depth `depth` with `nodes` nodes below its root: the solution
/// `b` of b + b^2 + … + b^depth = nodes (Nilsson 1971). `None` if there are fewer nodes than levels.
fn branching_factor(nodes: u64, depth: u64) -> Option<f64> {
    let target = nodes as f64;
    let below_root = |b: f64| (0..depth).fold(0.0, |sum, _| (sum + 1.0) * b);
    let (mut low, mut high) = (1.0, target.max(1.0));
    if target < below_root(low) {
        return None;
    }
    for _ in 0..64 {
        let middle = f64::midpoint(low, high);
        *(if below_root(middle) < target { &mut low } else { &mut high }) = middle;
    }
    Some(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(row: &str, board_id: u64, length: u64, expanded: u64) -> Record {
        let (length, status) = (Some(length), "solved".to_owned());
        let optimal_length = length.filter(|_| row != "greedy");
        let generated = 2 * expanded;
        Record {
            row: row.to_owned(),
            board_id,
            status,
            length,
            optimal_length,
            expanded,
            generated,
            ..Record::default()
        }
    }

    #[test]
    fn rows_are_compared_on_boards_that_both_solved() {
        let stopped =
            Record { status: "stopped".to_owned(), length: None, ..record("bfs", 3, 9, 5000) };
        let records = [
            record("bfs", 1, 2, 100),
            record("bfs", 2, 4, 300),
            stopped,
            record("astar", 1, 2, 10),
            record("astar", 2, 4, 40),
            record("astar", 3, 9, 1000),
            record("greedy", 1, 3, 5),
            record("greedy", 2, 6, 20),
            record("greedy", 3, 9, 100_000),
        ];
        let summary = Summary::of(&records);
        assert_eq!(summary.best().unwrap().name, "astar");
        assert_eq!(
            summary.sentences(),
            ["astar expanded 8.0x fewer than bfs", "astar expanded 95.3x fewer than greedy"]
        );
        let bfs = &summary.rows[0];
        assert_eq!((bfs.solved, bfs.stopped, bfs.refused), (2, 1, 0));
        assert_eq!(bfs.expanded, Spread { mean: 200.0, median: 200.0, max: 300.0 });
        assert_eq!(bfs.over_optimal, Some(1.0));
        let greedy = summary.rows[2].over_optimal.unwrap();
        assert!((greedy - (1.5 + 1.5 + 1.0) / 3.0).abs() < 1e-9, "{greedy}");
    }

    #[test]
    fn branching_factor_matches_uniform_trees() {
        let of = |nodes, depth| branching_factor(nodes, depth).unwrap();
        assert!((of(2 + 4 + 8, 3) - 2.0).abs() < 1e-9);
        assert!((of(3, 1) - 3.0).abs() < 1e-9);
        assert!((of(5, 5) - 1.0).abs() < 1e-9);
        assert_eq!(branching_factor(4, 5), None);
    }
}
