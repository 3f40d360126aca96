//! The results of a comparison, as plots and reports need them.

use std::collections::HashMap;
use std::io::BufRead;

use crate::compare::{Header, ReadError, Record, read};

/// The results of a comparison, in which all runs on a board know the length of a shortest solution if one proved it.
#[derive(Clone, Debug)]
pub struct Results {
    /// What was compared, by which program and command.
    pub header: Header,
    /// The runs, each a search on a board.
    pub runs: Vec<Record>,
}

impl Results {
    /// The results of a comparison.
    pub fn new(header: Header, mut runs: Vec<Record>) -> Self {
        let key = |run: &Record| (run.board.clone(), run.goal.clone(), run.metric.clone());
        let known: HashMap<_, u64> =
            runs.iter().filter_map(|run| Some((key(run), run.optimal_length?))).collect();
        for run in &mut runs {
            run.optimal_length = run.optimal_length.or_else(|| known.get(&key(run)).copied());
        }
        Self { header, runs }
    }

    /// Reads a file of results.
    ///
    /// # Errors
    /// When the file cannot be read or is something else.
    pub fn read(file: impl BufRead) -> Result<Self, ReadError> {
        let (header, runs, _) = read(file)?;
        Ok(Self::new(header, runs))
    }

    /// The names of all rows, in the order in which they first come.
    pub fn rows(&self) -> Vec<&str> {
        let mut rows: Vec<&str> = Vec::new();
        for run in &self.runs {
            if !rows.contains(&run.row.as_str()) {
                rows.push(&run.row);
            }
        }
        rows
    }

    /// The runs of a row.
    pub fn runs_of<'a>(&'a self, row: &'a str) -> impl Iterator<Item = &'a Record> {
        self.runs.iter().filter(move |run| run.row == row)
    }

    /// How many runs have no solution because a limit was reached.
    pub fn stopped(&self) -> usize {
        self.runs.iter().filter(|run| run.status == "stopped").count()
    }

    /// What counts as a move: `moves`, or `slides` of several tiles.
    pub fn unit(&self) -> &'static str {
        let counts = |metric| self.runs.iter().any(|run| run.metric == metric);
        if counts("mtm") && !counts("stm") { "slides" } else { "moves" }
    }
}

/// How many times as long as a shortest solution the one is that a run found.
pub(super) fn over_shortest(run: &Record) -> Option<f64> {
    match (run.length?, run.optimal_length?) {
        (0, 0) => Some(1.0),
        (_, 0) => None,
        (length, shortest) => Some(length as f64 / shortest as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_know_the_length_that_another_one_proved() {
        let run = |board: &str, length, optimal_length| Record {
            board: board.to_owned(),
            length: Some(length),
            optimal_length,
            ..Record::default()
        };
        let (header, ..) = read("{\"loyd\": \"compare\", \"command\": []}\n".as_bytes()).unwrap();
        let runs = vec![run("b", 9, None), run("b", 6, Some(6)), run("c", 4, None)];
        let ratios: Vec<_> = Results::new(header, runs).runs.iter().map(over_shortest).collect();
        assert_eq!(ratios, [Some(1.5), Some(1.0), None]);
    }
}
