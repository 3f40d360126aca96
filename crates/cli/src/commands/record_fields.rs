//! Checks that the fields of a record have their types and do not contradict each other.

use std::collections::HashSet;

use anyhow::{anyhow, ensure};
use loyd::search::Fraction;
use serde::Deserialize;

/// The fields of `loyd::batch::Record`, and the fields that shards add.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "the types of some fields are all that is checked")]
struct RecordFields {
    line: Option<usize>,
    id: Option<String>,
    expected: Option<u32>,
    board: Option<String>,
    goal: Option<String>,
    status: String,
    solvable_goals: Option<Vec<String>>,
    moves: Option<String>,
    notation: Option<String>,
    written: Option<Written>,
    length: Option<u64>,
    metric: Option<String>,
    optimal: bool,
    costs: Option<String>,
    cost: Option<f64>,
    cost_exact: Option<String>,
    least_cost: Option<String>,
    cost_unit: Option<String>,
    count: Option<u128>,
    complete: Option<bool>,
    answers: Option<Vec<String>>,
    algorithm: Option<String>,
    heuristic: Option<String>,
    tables: Option<String>,
    weight: Option<f64>,
    within: Option<f64>,
    lower_bound: Option<u32>,
    closed: Option<String>,
    prune: Option<String>,
    expanded: u64,
    generated: u64,
    duplicates: u64,
    reopened: u64,
    expanded_complete: Option<u64>,
    #[serde(default)]
    iterations: Vec<Iteration>,
    ended_by: Option<String>,
    direction: Option<String>,
    peak_bytes: u64,
    elapsed_ns: u64,
    tables_ns: Option<u64>,
    stopped_by: Option<String>,
    error: Option<String>,
    resumed_from: Option<Vec<String>>,
    searched_below: Option<u32>,
    shard: Option<String>,
    version: Option<String>,
    quality: Option<String>,
    search: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
#[expect(dead_code, reason = "the text of a single solution is compared with its moves elsewhere")]
enum Written {
    One(String),
    Many(Vec<String>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only the type of the bound is checked")]
struct Iteration {
    bound: u32,
    expanded: u64,
    generated: u64,
}

/// Checks the fields of a record in JSON: each is known, occurs once and has its type, and none contradicts another.
///
/// # Errors
/// Returns an error that names the field.
pub fn check_fields(record: &str) -> anyhow::Result<()> {
    let mut json = serde_json::Deserializer::from_str(record);
    let fields: RecordFields =
        serde_path_to_error::deserialize(&mut json).map_err(|error| named(&error))?;
    json.end()?;
    fields.check_status()?;
    fields.check_bounds()?;
    fields.check_counts()?;
    fields.check_costs()?;
    fields.check_answers()
}

/// Returns the error with the name of its field, without the position in the line.
fn named(error: &serde_path_to_error::Error<serde_json::Error>) -> anyhow::Error {
    let (path, error) = (error.path().to_string(), error.inner().to_string());
    let message = error.split_once(" at line ").map_or(error.as_str(), |(message, _)| message);
    // Unknown, missing and repeated fields are named in the message, and their path is that of the record.
    match path.as_str() {
        "." => anyhow!("{message}"),
        _ => anyhow!("`{path}`: {message}"),
    }
}

impl RecordFields {
    fn check_status(&self) -> anyhow::Result<()> {
        let status = self.status.as_str();
        let is_searched = match status {
            "solved" | "unsolvable" | "exhausted" | "stopped" => true,
            "refused" | "invalid" | "failed" => false,
            _ => return Err(anyhow!("`status` is \"{status}\", which is not known")),
        };
        let is = format!("`status` is \"{status}\", but ");
        ensure!(self.error.is_some() != is_searched, "{is}`error` does not fit it");
        ensure!(self.algorithm.is_some() == is_searched, "{is}`algorithm` does not fit it");
        ensure!(self.metric.is_some() == is_searched, "{is}`metric` does not fit it");
        ensure!(is_searched || self.expanded == 0, "{is}`expanded` is not 0");
        ensure!(is_searched || self.moves.is_none(), "{is}`moves` has a solution");
        ensure!(status != "stopped" || self.stopped_by.is_some(), "{is}`stopped_by` is missing");
        let has_none = ["unsolvable", "exhausted"].contains(&status);
        ensure!(has_none || self.solvable_goals.is_none(), "{is}`solvable_goals` has goals");
        Ok(())
    }

    /// Checks the length and what is proved about it.
    fn check_bounds(&self) -> anyhow::Result<()> {
        let has_moves = self.moves.is_some();
        ensure!(self.length.is_some() == has_moves, "`length` does not fit `moves`");
        ensure!(has_moves || !self.optimal, "`optimal` is true, but `moves` has no solution");
        ensure!(self.weight.is_none_or(|weight| weight >= 1.0), "`weight` is less than 1");
        let is_bound = self.lower_bound.map(u64::from) == self.length && self.costs.is_none();
        let is_denied = has_moves && is_bound && !self.optimal;
        ensure!(!is_denied, "`optimal` is false, but `lower_bound` is `length`");
        let Some(within) = self.within else { return Ok(()) };
        ensure!(has_moves, "`within` is {within}, but `moves` has no solution");
        ensure!(within >= 1.0, "`within` is {within}, which is less than 1");
        // Weighted A* reports its weight for solved boards too.
        let is_excess = within > 1.0 && self.length != Some(0);
        ensure!(!self.optimal || !is_excess, "`optimal` is true, but `within` is {within}");
        if let (Some(length), Some(least @ 1..), None) =
            (self.length, self.lower_bound, self.weight)
        {
            let hundredths = (u128::from(length) * 100).div_ceil(u128::from(least));
            let is_ratio = (within * 100.0).round() as u128 == hundredths;
            ensure!(is_ratio, "`within` is {within}, which is not `length` over `lower_bound`");
        }
        Ok(())
    }

    /// Checks the numbers of nodes.
    fn check_counts(&self) -> anyhow::Result<()> {
        let sum = |iterations: &[Iteration], count: fn(&Iteration) -> u64| -> u128 {
            iterations.iter().map(|iteration| u128::from(count(iteration))).sum()
        };
        let (all, expanded) = (self.iterations.as_slice(), u128::from(self.expanded));
        ensure!(self.duplicates <= self.generated, "`duplicates` is larger than `generated`");
        ensure!(sum(all, |own| own.expanded) <= expanded, "`iterations` exceed `expanded`");
        let generated = sum(all, |own| own.generated);
        ensure!(generated <= u128::from(self.generated), "`iterations` exceed `generated`");
        let Some(complete) = self.expanded_complete else {
            ensure!(all.is_empty(), "`expanded_complete` is missing, but `iterations` is not");
            return Ok(());
        };
        ensure!(!all.is_empty(), "`iterations` is missing, but `expanded_complete` is not");
        ensure!(u128::from(complete) <= expanded, "`expanded_complete` is larger than `expanded`");
        // The last iteration of a shard may be complete.
        if self.shard.is_none() {
            let before = sum(&all[..all.len() - 1], |own| own.expanded);
            let is_sum = u128::from(complete) == before;
            ensure!(is_sum, "`expanded_complete` is not the sum of `iterations` but the last");
        }
        Ok(())
    }

    fn check_costs(&self) -> anyhow::Result<()> {
        let exact = match &self.cost_exact {
            Some(text) => {
                let exact = text.parse::<Fraction>();
                Some(exact.map_err(|_| anyhow!("`cost_exact` is not a fraction"))?.as_f64())
            }
            None => None,
        };
        ensure!(self.cost == exact, "`cost` is not `cost_exact`");
        let costs = [&self.cost_exact, &self.least_cost, &self.cost_unit];
        let has_costs = costs.iter().any(|cost| cost.is_some());
        ensure!(self.costs.is_some() || !has_costs, "it has a cost, but `costs` is missing");
        Ok(())
    }

    /// Checks the shortest solutions and their number, and how solutions are written.
    fn check_answers(&self) -> anyhow::Result<()> {
        ensure!(self.count.is_some() == self.complete.is_some(), "`count` needs `complete`");
        ensure!(self.notation.is_some() == self.written.is_some(), "`written` needs `notation`");
        if let Some(answers) = &self.answers {
            let number = answers.len();
            ensure!(self.count == Some(number as u128), "`count` is not the number of `answers`");
            let different: HashSet<&String> = answers.iter().collect();
            ensure!(different.len() == number, "`answers` has a solution twice");
            if let Some(Written::Many(written)) = &self.written {
                ensure!(written.len() == number, "`written` has not as many lines as `answers`");
            }
        }
        Ok(())
    }
}
