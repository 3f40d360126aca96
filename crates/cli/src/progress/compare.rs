//! Progress of comparisons, by row.

use std::collections::HashMap;
#[cfg(feature = "queue")]
use std::fmt::Display;
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget};
use loyd_lab::compare::{Comparison, Record, Row};
use serde_json::json;

#[cfg(feature = "queue")]
use super::QueueProgress;
use super::{PATIENCE, line, rough_duration};
use crate::args::Shown;
use crate::failure::print_note;
use crate::units::{Table, with_commas};

/// Progress display of a comparison; on a terminal, a table of its rows.
pub struct CompareProgress {
    to: Target,
    started: Instant,
    last_shown: Duration,
    rows: Vec<RowState>,
    places: HashMap<String, usize>,
    /// Number of runs per row.
    boards: u64,
    /// Number of runs of all rows that an earlier process completed.
    before: u64,
    #[cfg(feature = "queue")]
    queue: Option<QueueProgress>,
}

/// Destination of the reports.
enum Target {
    Hidden,
    /// The lines of the table, hidden at first.
    Terminal(MultiProgress, Vec<ProgressBar>),
    Json,
}

struct RowState {
    name: String,
    done: u64,
    /// Runs that an earlier process completed.
    before: u64,
    solved: u64,
    /// Expanded nodes of solved boards, sorted.
    expanded: Vec<u64>,
}

impl CompareProgress {
    /// Reports the progress of `comparison`, of which the runs `done` are complete already.
    pub fn new(shown: Shown, comparison: &Comparison, done: &[Record]) -> Self {
        let names: Vec<String> = comparison.rows().map(Row::name).collect();
        let to = match shown {
            Shown::Json => Target::Json,
            Shown::Auto if io::stderr().is_terminal() => {
                let all = MultiProgress::with_draw_target(ProgressDrawTarget::hidden());
                // One line per row, one for the heading, and one for the state of the queue.
                Target::Terminal(all, (0..names.len() + 2).map(|_| line("{wide_msg}")).collect())
            }
            _ => Target::Hidden,
        };
        let row = |name: &String| {
            let name = name.clone();
            RowState { name, done: 0, before: 0, solved: 0, expanded: Vec::new() }
        };
        let mut progress = Self {
            rows: names.iter().map(row).collect(),
            places: names.into_iter().enumerate().map(|(place, name)| (name, place)).collect(),
            to,
            started: Instant::now(),
            last_shown: Duration::ZERO,
            boards: comparison.own_boards().len() as u64,
            before: done.len() as u64,
            #[cfg(feature = "queue")]
            queue: None,
        };
        done.iter().for_each(|record| progress.count(record));
        progress.rows.iter_mut().for_each(|row| row.before = row.done);
        progress
    }

    /// Counts a completed run and shows the progress if an update is due.
    pub fn add(&mut self, record: &Record) {
        self.count(record);
        self.show_if_due();
    }

    /// Reports the state of the queue.
    #[cfg(feature = "queue")]
    pub fn set_queue(&mut self, queue: QueueProgress) {
        self.queue = Some(queue);
        self.show_if_due();
    }

    /// Prints a note, with the table hidden.
    #[cfg(feature = "queue")]
    pub fn note(&self, note: impl Display) {
        match &self.to {
            Target::Terminal(all, _) => all.suspend(|| print_note(note)),
            _ => print_note(note),
        }
    }

    fn show_if_due(&mut self) {
        let elapsed = self.started.elapsed();
        if elapsed >= self.last_shown + PATIENCE {
            self.last_shown = elapsed;
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
            Target::Hidden => {}
            Target::Json => print_note(self.record()),
            Target::Terminal(all, lines) => {
                if all.is_hidden() {
                    all.set_draw_target(ProgressDrawTarget::stderr());
                    lines.iter().for_each(|line| drop(all.add(line.clone())));
                }
                let table = self.table().to_string();
                #[cfg(feature = "queue")]
                let table = table + &self.queue.map_or_else(String::new, |queue| queue.describe());
                for (line, text) in lines.iter().zip(table.lines()) {
                    line.set_message(text.to_owned());
                    line.tick();
                }
            }
        }
    }

    /// Returns the table: for each row, the completed and solved runs, the median of expanded nodes, the rate, and the
    /// remaining time.
    fn table(&self) -> Table {
        let seconds = self.started.elapsed().as_secs_f64();
        let heading = vec!["running", "done", "solved", "median nodes", "a second", "left"];
        let mut table = Table::new(1, heading);
        for RowState { name, done, before, solved, expanded } in &self.rows {
            let median =
                expanded.get(expanded.len() / 2).map_or("-".to_owned(), |&n| with_commas(n));
            let rate = (done - before) as f64 / seconds;
            let left = match self.boards - done {
                0 => "done".to_owned(),
                left if rate > 0.0 => rough_duration(left as f64 / rate),
                _ => "-".to_owned(),
            };
            let done = format!("{done}/{}", self.boards);
            let rate = format!("{rate:.1}");
            table.row(vec![name.clone(), done, with_commas(*solved), median, rate, left]);
        }
        table
    }

    fn record(&self) -> String {
        let done: u64 = self.rows.iter().map(|row| row.done).sum();
        let solved: u64 = self.rows.iter().map(|row| row.solved).sum();
        let total = self.boards * self.rows.len() as u64;
        let elapsed = self.started.elapsed();
        let left = (done > self.before)
            .then(|| elapsed.as_secs_f64() * (total - done) as f64 / (done - self.before) as f64);
        #[cfg_attr(not(feature = "queue"), expect(unused_mut))]
        let mut event = json!({
            "event": "comparison", "runs": done, "solved": solved, "total": total,
            "left_ns": left.map(|seconds| (seconds * 1e9) as u64),
            "elapsed_ns": elapsed.as_nanos() as u64,
        });
        #[cfg(feature = "queue")]
        if let Some(queue) = self.queue {
            event["queue"] = json!(queue);
        }
        event.to_string()
    }
}

impl Drop for CompareProgress {
    fn drop(&mut self) {
        match &self.to {
            Target::Hidden => {}
            Target::Json => print_note(self.record()),
            Target::Terminal(all, _) => drop(all.clear()),
        }
    }
}
