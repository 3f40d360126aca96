//! The labels of a dataset as a record.

use std::time::Duration;

use anyhow::anyhow;
use loyd::notation::{parse_board, slashes};
use loyd::search::{HeuristicRow, Limits};
use loyd::{Board, Config};
use loyd_lab::dataset::{LabelOptions, Labels};
use serde::{Deserialize, Serialize};

/// All that the labels of a board depend on besides the board.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WantedLabels {
    /// Number of boards of the whole dataset, if it is known: tables are chosen by it.
    boards: Option<u64>,
    goal: String,
    first_moves: bool,
    solutions: bool,
    heuristics: Vec<String>,
    metric: String,
    tables: String,
    max_expanded: Option<u64>,
    /// In nanoseconds.
    max_time: Option<u64>,
    /// In bytes.
    max_memory: Option<u64>,
}

/// The result of a job with boards of a dataset.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LabelledJob {
    /// The labels of the boards that have some.
    pub labels: Labels,
    /// The places of the other boards in the job, from 0 and ascending, and the reason for each.
    pub skipped: Vec<(u64, String)>,
    /// Why no board can have such labels.
    pub refused: Option<String>,
    /// Time of the worker in nanoseconds.
    pub elapsed_ns: u64,
}

impl WantedLabels {
    /// Describes the labels in `options` for `goal`, which are searched for with `config`.
    pub fn new(goal: &Board, options: &LabelOptions, config: &Config) -> Self {
        let Limits { max_expanded, max_time, max_bytes, .. } = config.limits;
        Self {
            boards: config.boards,
            goal: slashes(goal).to_string(),
            first_moves: options.first_moves,
            solutions: options.solutions,
            heuristics: options.heuristics.iter().map(|&name| name.to_owned()).collect(),
            metric: config.metric.to_string(),
            tables: config.tables.to_string(),
            max_expanded,
            max_time: max_time.map(|time| time.as_nanos() as u64),
            max_memory: max_bytes,
        }
    }

    /// Returns the goal.
    ///
    /// # Errors
    /// Returns an error if it is not valid.
    pub fn goal(&self) -> anyhow::Result<Board> {
        Ok(parse_board(&self.goal, None)?)
    }

    /// Returns the labels to compute.
    ///
    /// # Errors
    /// Returns an error if a heuristic is unknown.
    pub fn options(&self) -> anyhow::Result<LabelOptions> {
        let names = self.heuristics.iter();
        let names = names.map(|name| anyhow::Ok(HeuristicRow::named(name)?.name));
        Ok(LabelOptions {
            first_moves: self.first_moves,
            solutions: self.solutions,
            heuristics: names.collect::<anyhow::Result<_>>()?,
        })
    }

    /// Returns the configuration of the searches.
    ///
    /// # Errors
    /// Returns an error if a value is not valid.
    pub fn config(&self) -> anyhow::Result<Config> {
        let tables = self.tables.parse();
        Ok(Config {
            metric: self.metric.parse().map_err(|why| anyhow!("`metric`: {why}"))?,
            tables: tables.unwrap_or_else(|never| match never {}),
            boards: self.boards,
            limits: Limits {
                max_expanded: self.max_expanded,
                max_depth: None,
                max_time: self.max_time.map(Duration::from_nanos),
                max_bytes: self.max_memory,
            },
            ..Config::default()
        })
    }
}
