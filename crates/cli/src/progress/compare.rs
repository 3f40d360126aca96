//! Comparisons: how far each row is.

use std::collections::HashMap;
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget};
use loyd_lab::compare::{Comparison, Record, Row};
use serde_json::json;

use super::{PATIENCE, line, rough};
use crate::args::Shown;
use crate::failure::tell;
use crate::units::grouped;

/// Tells how far a comparison is: on a terminal, a line for each row.
pub struct CompareProgress {
    to: Target,
    begun: Instant,
    told: Duration,
    rows: Vec<RowState>,
    places: HashMap<String, usize>,
    /// Runs of each row, and runs that were done before.
    boards: u64,
    before: u64,
}

/// Where it is told.
enum Target {
    Nowhere,
    Terminal(MultiProgress),
    Json,
}

struct RowState {
    line: ProgressBar,
    name: String,
    done: u64,
    solved: u64,
    /// Expanded nodes of solved boards, sorted.
    expanded: Vec<u64>,
}

impl CompareProgress {
    /// Watches a comparison of which so many records are there already.
    pub fn new(shown: Shown, comparison: &Comparison, done: &[Record]) -> Self {
        let to = match shown {
            Shown::Json => Target::Json,
            Shown::Auto if io::stderr().is_terminal() => {
                Target::Terminal(MultiProgress::with_draw_target(ProgressDrawTarget::hidden()))
            }
            _ => Target::Nowhere,
        };
        let names: Vec<String> = comparison.rows().map(Row::name).collect();
        let width = names.iter().map(String::len).max().unwrap_or(0);
        let row = |name: &String| {
            let line = line("{wide_msg}");
            let name = format!("{name:<width$}");
            RowState { line, name, done: 0, solved: 0, expanded: Vec::new() }
        };
        let mut progress = Self {
            rows: names.iter().map(row).collect(),
            places: names.into_iter().enumerate().map(|(place, name)| (name, place)).collect(),
            to,
            begun: Instant::now(),
            told: Duration::ZERO,
            boards: comparison.boards().len() as u64,
            before: done.len() as u64,
        };
        done.iter().for_each(|record| progress.count(record));
        progress
    }

    /// Counts a run that has ended, and tells how far the comparison is, if it is time.
    pub fn add(&mut self, record: &Record) {
        self.count(record);
        let elapsed = self.begun.elapsed();
        if elapsed >= self.told + PATIENCE {
            self.told = elapsed;
            self.show();
        }
    }

    fn count(&mut self, record: &Record) {
        let Some(&place) = self.places.get(&record.row) else { return };
        let row = &mut self.rows[place];
        row.done += 1;
        if record.is_solved() {
            row.solved += 1;
            let place = row.expanded.partition_point(|&expanded| expanded < record.expanded);
            row.expanded.insert(place, record.expanded);
        }
    }

    fn show(&self) {
        match &self.to {
            Target::Nowhere => {}
            Target::Json => tell(self.record()),
            Target::Terminal(lines) => {
                if lines.is_hidden() {
                    lines.set_draw_target(ProgressDrawTarget::stderr());
                    self.rows.iter().for_each(|row| drop(lines.add(row.line.clone())));
                }
                for row in &self.rows {
                    row.line.set_message(self.in_words(row));
                    row.line.tick();
                }
            }
        }
    }

    /// Runs of the row that are done, rate, and time left for it.
    fn in_words(&self, row: &RowState) -> String {
        let RowState { name, done, solved, expanded, .. } = row;
        let median = expanded.get(expanded.len() / 2).map_or("-".to_owned(), |&n| grouped(n));
        let seconds = self.begun.elapsed().as_secs_f64();
        let rate = (*done as f64 - self.before as f64 / self.rows.len() as f64).max(0.0) / seconds;
        let left = match rate {
            rate if rate > 0.0 => rough((self.boards - done) as f64 / rate),
            _ => "-".to_owned(),
        };
        let boards = self.boards;
        format!(
            "{name}  {done}/{boards} done  {solved} solved  median {median} expanded  {rate:.1} a second  {left} left"
        )
    }

    fn record(&self) -> String {
        let done: u64 = self.rows.iter().map(|row| row.done).sum();
        let solved: u64 = self.rows.iter().map(|row| row.solved).sum();
        let total = self.boards * self.rows.len() as u64;
        let elapsed = self.begun.elapsed();
        let left = (done > self.before)
            .then(|| elapsed.as_secs_f64() * (total - done) as f64 / (done - self.before) as f64);
        let event = json!({
            "event": "comparison", "runs": done, "solved": solved, "total": total,
            "left_ns": left.map(|seconds| (seconds * 1e9) as u64),
            "elapsed_ns": elapsed.as_nanos() as u64,
        });
        event.to_string()
    }
}

impl Drop for CompareProgress {
    fn drop(&mut self) {
        match &self.to {
            Target::Nowhere => {}
            Target::Json => tell(self.record()),
            Target::Terminal(lines) => drop(lines.clear()),
        }
    }
}
