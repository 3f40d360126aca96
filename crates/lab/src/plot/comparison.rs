//! The results of a comparison, read for plots and a report.

use std::collections::HashMap;
use std::io::BufRead;

use serde::Deserialize;
use serde_json::{Map, Value};

/// The results of a comparison: what `loyd compare` writes.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// What the first line says: program, command, seed, machine.
    pub header: Map<String, Value>,
    /// The runs, each a search on a board.
    pub runs: Vec<Run>,
}

/// What plots need of a run; the names are those of the records.
#[derive(Clone, Debug, Deserialize)]
#[expect(missing_docs, reason = "the fields are those of the records of a comparison")]
pub struct Run {
    pub row: String,
    pub algorithm: String,
    pub heuristic: Option<String>,
    pub closed: Option<String>,
    pub weight: Option<f64>,
    pub metric: String,
    pub board: String,
    pub goal: String,
    pub status: String,
    pub length: Option<u32>,
    pub optimal: bool,
    pub optimal_length: Option<u32>,
    pub h: Option<u32>,
    pub expanded: u64,
    pub generated: u64,
    pub peak_bytes: u64,
    pub elapsed_ns: u64,
    #[serde(default)]
    pub iterations: Vec<Iteration>,
}

/// An iteration of an iterative search.
#[derive(Clone, Copy, Debug, Deserialize)]
#[expect(missing_docs, reason = "the fields are those of the records of a comparison")]
pub struct Iteration {
    pub bound: u32,
    pub expanded: u64,
}

/// Why a file is not the results of a comparison.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The first line is no header.
    #[error(
        "the first line does not say that these are results of a comparison: \
         `loyd compare --save FILE` writes some that begin with {{\"loyd\": \"compare\", ...}}"
    )]
    NotAComparison,
    /// A line is no record.
    #[error("line {line} is not a record of a comparison: {error}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        error: serde_json::Error,
    },
}

impl Comparison {
    /// Reads a file of results. A last line without an end, which a comparison leaves that was killed, is left out.
    ///
    /// # Errors
    /// When the file cannot be read or is something else, with the first line that shows it.
    pub fn read(mut file: impl BufRead) -> Result<Self, ReadError> {
        let mut text = String::new();
        let mut header = None;
        let mut runs = Vec::new();
        for line in 1.. {
            text.clear();
            if file.read_line(&mut text)? == 0 || !text.ends_with('\n') {
                break;
            }
            if header.is_none() {
                let first: Option<Map<String, Value>> = serde_json::from_str(&text).ok();
                let is_comparison = |map: &Map<String, Value>| {
                    map.get("loyd").and_then(Value::as_str) == Some("compare")
                };
                header = Some(first.filter(is_comparison).ok_or(ReadError::NotAComparison)?);
            } else if !text.trim().is_empty() {
                let run = serde_json::from_str(&text);
                runs.push(run.map_err(|error| ReadError::Line { line, error })?);
            }
        }
        share_lengths(&mut runs);
        Ok(Self { header: header.ok_or(ReadError::NotAComparison)?, runs })
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
    pub fn runs_of<'a>(&'a self, row: &'a str) -> impl Iterator<Item = &'a Run> {
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

    /// The command that makes the comparison again, as a shell takes it; nothing if the file does not tell.
    pub fn command(&self) -> Option<String> {
        let words = self.header.get("command")?.as_array()?;
        let words: Vec<String> = words.iter().filter_map(Value::as_str).map(quoted).collect();
        Some(words.join(" "))
    }
}

impl Run {
    /// The length of a shortest solution, where it is known.
    pub fn shortest(&self) -> Option<u32> {
        self.optimal_length.or_else(|| self.length.filter(|_| self.optimal))
    }

    /// How many times as long as a shortest solution the one that was found is.
    pub fn over_shortest(&self) -> Option<f64> {
        match (self.length?, self.shortest()?) {
            (0, 0) => Some(1.0),
            (length, shortest) => Some(f64::from(length) / f64::from(shortest)),
        }
        .filter(|ratio| ratio.is_finite())
    }

    /// Whether a solution was found.
    pub fn is_solved(&self) -> bool {
        self.status == "solved"
    }
}

/// Tells all runs on a board the length of a shortest solution that one of them proved.
fn share_lengths(runs: &mut [Run]) {
    let key = |run: &Run| (run.board.clone(), run.goal.clone(), run.metric.clone());
    let known: HashMap<_, u32> =
        runs.iter().filter_map(|run| Some((key(run), run.shortest()?))).collect();
    for run in runs {
        run.optimal_length = run.shortest().or_else(|| known.get(&key(run)).copied());
    }
}

/// The word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+%@".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "{\"loyd\": \"compare\", \"command\": [\"loyd\", \"compare\", \"1 2 3/4 x\", \"a'b\", \"--seed=1\"]}\n";

    #[test]
    fn commands_are_quoted_for_a_shell() {
        let command = Comparison::read(HEADER.as_bytes()).unwrap().command().unwrap();
        assert_eq!(command, "loyd compare '1 2 3/4 x' 'a'\\''b' --seed=1");
    }

    #[test]
    fn other_files_are_refused_with_the_line() {
        let error = |text: &str| Comparison::read(text.as_bytes()).unwrap_err().to_string();
        for text in ["", "\n", "2 3 4 1 5 x 7 6 8\n", "{\"loyd\": \"dataset\"}\n", "[1]\n"] {
            assert!(error(text).starts_with("the first line does not say"), "{text}");
        }
        let text = format!("{HEADER}{{\"row\": 1}}\n");
        assert!(error(&text).starts_with("line 2 is not a record of a comparison: invalid type"));
    }

    #[test]
    fn runs_know_the_length_that_another_one_proved() {
        let run = |row: &str, board: &str, optimal: bool, length: u32| {
            format!(
                "{{\"row\": \"{row}\", \"algorithm\": \"a\", \"metric\": \"stm\", \"board\": \"{board}\", \
                 \"goal\": \"g\", \"status\": \"solved\", \"optimal\": {optimal}, \"length\": {length}, \
                 \"expanded\": 1, \"generated\": 1, \"peak_bytes\": 1, \"elapsed_ns\": 1}}\n"
            )
        };
        let text = [run("w", "b", false, 9), run("a", "b", true, 6), run("w", "c", false, 4)];
        let comparison = Comparison::read((HEADER.to_owned() + &text.concat()).as_bytes()).unwrap();
        let ratios: Vec<_> = comparison.runs.iter().map(Run::over_shortest).collect();
        assert_eq!(ratios, [Some(1.5), Some(1.0), None]);
    }

    #[test]
    fn a_last_line_without_an_end_is_left_out() {
        let text = format!("{HEADER}{{\"row\": \"bfs");
        assert!(Comparison::read(text.as_bytes()).unwrap().runs.is_empty());
    }
}
