//! What would be said of many boards in the same words: it is said once.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use loyd::Report;
use loyd::search::{Status, Stop};

use crate::failure::tell;

/// What is to be said, of how many boards, and on which line the first of them stands.
#[derive(Debug, Default)]
pub struct Tally(Mutex<BTreeMap<String, (u64, usize)>>);

impl Tally {
    /// The line of a board if what stopped its search is likely to stop those of other boards too: memory, or
    /// damaged tables.
    pub fn takes(report: &Report, line: Option<usize>) -> Option<usize> {
        let is_bounded = report.moves.is_some() && report.lower_bound.is_some();
        let stops_others = matches!(report.status, Status::Stopped(Stop::Memory | Stop::Tables));
        line.filter(|_| stops_others && !is_bounded)
    }

    /// Counts the board on `line`, of which this is to be said.
    pub fn add(&self, message: String, line: usize) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (boards, first) = all.entry(message).or_insert((0, line));
        *boards += 1;
        *first = line.min(*first);
    }

    /// Says it all.
    pub fn tell(&self) {
        self.lines().into_iter().for_each(tell);
    }

    fn lines(&self) -> Vec<String> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let line = |(message, (boards, first)): (&String, &(u64, usize))| match boards {
            1 => format!("line {first}: {message}"),
            _ => format!("{boards} boards, the first on line {first}: {message}"),
        };
        all.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_counted_by_what_is_said() {
        let tally = Tally::default();
        for (message, line) in [("b", 9), ("a", 2), ("b", 4), ("b", 7)] {
            tally.add(message.to_owned(), line);
        }
        assert_eq!(tally.lines(), ["line 2: a", "3 boards, the first on line 4: b"]);
    }
}
