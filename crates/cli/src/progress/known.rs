//! What is known of a search that runs, in words.

use std::time::Duration;

use loyd_api::Known;

use super::rough;
use crate::units::{grouped, size};

/// A line for a terminal.
pub fn in_words(known: &Known, elapsed: Duration, max_time: Option<Duration>) -> String {
    let mut text = match (known.board, known.line) {
        (Some(number), _) => format!("board {number}: "),
        (None, Some(line)) => format!("line {line}: "),
        (None, None) => String::new(),
    };
    if let Some(number @ 2..) = known.search {
        text += &format!("search {number}: ");
    }
    text += &match (known.table, known.stage) {
        (Some((done, total)), _) => {
            // What is nearly done is not done.
            let percent = (100 * done / total.max(1)).min(99);
            format!("building tables, {percent}%")
        }
        (None, Some((name, Some(with)))) => format!("{name} with {with}"),
        (None, Some((name, None))) => name.to_owned(),
        (None, None) => "searching".to_owned(),
    };
    text += &match (&known.best, known.least, known.within()) {
        (Some((_, length)), Some(least), Some(within)) => {
            format!("; best so far {length}, at least {least} (within {within})")
        }
        (Some((_, length)), ..) => format!("; best so far {length}"),
        (None, Some(least), _) => format!("; at least {least}"),
        (None, None, _) => String::new(),
    };
    text += &format!("; {}", rough(elapsed.as_secs_f64()));
    if let Some(limit) = max_time {
        text += &format!(" of {}", rough(limit.as_secs_f64()));
    }
    let expanded = known.expanded();
    if expanded > 0 {
        let rate = expanded as f64 / elapsed.as_secs_f64() / 1e6;
        text += &format!("; {} expanded ({rate:.1} M/s)", grouped(expanded));
    }
    if known.bytes > 0 {
        text += &format!(", {}", size(known.bytes));
    }
    text
}
