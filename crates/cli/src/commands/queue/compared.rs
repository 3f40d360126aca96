//! The searches of a comparison as a record.

use std::time::Duration;

use anyhow::{Context, anyhow};
use loyd::moves::Metric;
use loyd::search::{Algorithm, ClosedKind, HeuristicRow, Limits};
use loyd::{Config, Problem};
use loyd_lab::compare::{Comparison, Instance, Record, Row};
use serde::{Deserialize, Serialize};

use super::super::replay_record::problem;

/// The rows of a comparison, and all that their runs depend on besides the boards.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComparedSearches {
    /// Number of boards of the whole comparison: tables are chosen by it.
    boards: u64,
    rows: Vec<ComparedSearch>,
    metric: String,
    max_expanded: Option<u64>,
    /// In nanoseconds.
    max_time: Option<u64>,
    /// In bytes.
    max_memory: Option<u64>,
}

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ComparedSearch {
    algorithm: String,
    heuristic: Option<String>,
    closed: Option<String>,
    weight: Option<String>,
    prune: Option<String>,
}

/// A board of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComparedBoard {
    /// Number of the board in the comparison, from 1.
    pub number: u64,
    board: String,
    goal: String,
    /// Length of a shortest solution, if it is known.
    optimal_length: Option<u64>,
}

/// The result of a job with runs of a comparison.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComparedRuns {
    /// The records of the runs.
    pub records: Vec<Record>,
    /// Time of the worker in nanoseconds.
    pub elapsed_ns: u64,
}

impl ComparedSearches {
    /// Describes the searches of `comparison`, whose configuration is `config`.
    pub fn new(comparison: &Comparison, config: &Config) -> Self {
        let Limits { max_expanded, max_time, max_bytes, .. } = comparison.limits();
        Self {
            boards: comparison.boards().len() as u64,
            rows: comparison.rows().map(ComparedSearch::new).collect(),
            metric: config.metric.to_string(),
            max_expanded,
            max_time: max_time.map(|time| time.as_nanos() as u64),
            max_memory: max_bytes,
        }
    }

    /// Returns a comparison of these searches without boards. `adapt` may change the limits of its configuration and
    /// where it has its tables.
    ///
    /// # Errors
    /// Returns an error if a value is not valid.
    pub fn comparison(&self, adapt: impl FnOnce(&mut Config)) -> anyhow::Result<Comparison> {
        let metric: Metric = self.metric.parse().map_err(|why| anyhow!("`metric`: {why}"))?;
        let limits = Limits {
            max_expanded: self.max_expanded,
            max_depth: None,
            max_time: self.max_time.map(Duration::from_nanos),
            max_bytes: self.max_memory,
        };
        let mut config = Config { metric, limits, ..Config::default() };
        adapt(&mut config);
        let rows = self.rows.iter().map(ComparedSearch::row).collect::<anyhow::Result<_>>()?;
        Ok(Comparison::without_boards(rows, self.boards, &config)?)
    }
}

impl ComparedSearch {
    fn new(row: &Row) -> Self {
        Self {
            algorithm: row.algorithm.to_owned(),
            heuristic: row.heuristic.map(str::to_owned),
            closed: row.closed.map(|closed| closed.name().to_owned()),
            weight: row.weight.map(|weight| weight.to_string()),
            prune: row.prune.map(|prune| prune.to_string()),
        }
    }

    fn row(&self) -> anyhow::Result<Row> {
        let closed = |name: &String| {
            let found = ClosedKind::ALL.into_iter().find(|kind| kind.name() == name);
            found.with_context(|| format!("`closed` is {name}"))
        };
        let heuristic = self.heuristic.as_deref().map(HeuristicRow::named).transpose()?;
        Ok(Row {
            algorithm: Algorithm::named(&self.algorithm)?.name,
            heuristic: heuristic.map(|row| row.name),
            closed: self.closed.as_ref().map(closed).transpose()?,
            weight: self.weight.as_deref().map(str::parse).transpose()?,
            prune: self.prune.as_deref().map(str::parse).transpose()?,
        })
    }
}

impl ComparedBoard {
    /// Describes the board with this number, from 1.
    pub fn new(number: u64, Instance { problem, optimal_length }: &Instance) -> Self {
        let (board, goal) = (problem.start_text(), problem.goal_text());
        Self { number, board, goal, optimal_length: *optimal_length }
    }

    /// Returns the board.
    ///
    /// # Errors
    /// Returns an error if the board or its goal is invalid.
    pub fn instance(&self) -> anyhow::Result<Instance> {
        let record = serde_json::json!({ "board": self.board, "goal": self.goal });
        let problem: Problem = problem(&record)?;
        Ok(Instance { problem, optimal_length: self.optimal_length })
    }
}

#[cfg(test)]
mod tests {
    use loyd_lab::compare::{Choices, PRESETS};

    use super::*;

    #[test]
    fn record_keeps_every_row() {
        let choices = Choices {
            algorithms: vec!["bfs", "astar", "idastar", "wastar", "mm"],
            heuristics: vec!["misplaced", "walking-distance"],
            closed: ClosedKind::ALL.to_vec(),
            weights: vec!["1.5".parse().unwrap()],
            prune: vec!["undo".parse().unwrap(), "automaton=8".parse().unwrap()],
        };
        let limits = Limits {
            max_expanded: Some(7),
            max_depth: None,
            max_time: Some(Duration::from_millis(1500)),
            max_bytes: None,
        };
        for metric in [Metric::SingleTile, Metric::MultiTile] {
            let mut cases: Vec<Vec<Row>> =
                PRESETS.iter().map(|preset| preset.rows(metric).unwrap()).collect();
            if metric == Metric::SingleTile {
                cases.push(choices.rows(metric).unwrap());
            }
            for rows in cases {
                let config = Config { metric, limits, ..Config::default() };
                let comparison = Comparison::new(rows.clone(), Vec::new(), &config).unwrap();
                let record = ComparedSearches::new(&comparison, &config);
                let text = serde_json::to_string(&record).unwrap();
                let read: ComparedSearches = serde_json::from_str(&text).unwrap();
                let again = read.comparison(|_| ()).unwrap();
                assert!(again.rows().eq(&rows), "{text}");
                assert_eq!(again.settings(), comparison.settings());
            }
        }
    }
}
