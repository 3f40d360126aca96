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
use crate::table::Table;
use crate::units::grouped;

/// Tells how far a comparison is: on a terminal, in a table of its rows.
pub struct CompareProgress {
    to: Target,
    begun: Instant,
    told: Duration,
    rows: Vec<RowState>,
    places: HashMap<String, usize>,
    /// Runs of each row, and of all rows those that were done before.
    boards: u64,
    before: u64,
}

/// Where it is told.
enum Target {
    Nowhere,
    /// The lines of the table, hidden at first.
    Terminal(MultiProgress, Vec<ProgressBar>),
    Json,
}

struct RowState {
    name: String,
    done: u64,
    /// Runs that were done before.
    before: u64,
    solved: u64,
    /// Expanded nodes of solved boards, sorted.
    expanded: Vec<u64>,
}

impl CompareProgress {
    /// Watches a comparison of which so many records are there already.
    pub fn new(shown: Shown, comparison: &Comparison, done: &[Record]) -> Self {
        let names: Vec<String> = comparison.rows().map(Row::name).collect();
        let to = match shown {
            Shown::Json => Target::Json,
            Shown::Auto if io::stderr().is_terminal() => {
                let all = MultiProgress::with_draw_target(ProgressDrawTarget::hidden());
                // One for the heading, too.
                Target::Terminal(all, (0..=names.len()).map(|_| line("{wide_msg}")).collect())
            }
            _ => Target::Nowhere,
        };
        let row = |name: &String| {
            let name = name.clone();
            RowState { name, done: 0, before: 0, solved: 0, expanded: Vec::new() }
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
        progress.rows.iter_mut().for_each(|row| row.before = row.done);
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
            Target::Terminal(all, lines) => {
                if all.is_hidden() {
                    all.set_draw_target(ProgressDrawTarget::stderr());
                    lines.iter().for_each(|line| drop(all.add(line.clone())));
                }
                for (line, text) in lines.iter().zip(self.table().to_string().lines()) {
                    line.set_message(text.to_owned());
                    line.tick();
                }
            }
        }
    }

    /// Of each row, how many runs are done and solved, the median of expanded nodes, the rate, and the time left.
    fn table(&self) -> Table {
        let seconds = self.begun.elapsed().as_secs_f64();
        let heading = vec!["running", "done", "solved", "median nodes", "a second", "left"];
        let mut table = Table::new(1, heading);
        for RowState { name, done, before, solved, expanded } in &self.rows {
            let median = expanded.get(expanded.len() / 2).map_or("-".to_owned(), |&n| grouped(n));
            let rate = (done - before) as f64 / seconds;
            let left = match self.boards - done {
                0 => "done".to_owned(),
                left if rate > 0.0 => rough(left as f64 / rate),
                _ => "-".to_owned(),
            };
            let done = format!("{done}/{}", self.boards);
            let rate = format!("{rate:.1}");
            table.row(vec![name.clone(), done, grouped(*solved), median, rate, left]);
        }
        table
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
            Target::Terminal(all, _) => drop(all.clear()),
        }
    }
}
