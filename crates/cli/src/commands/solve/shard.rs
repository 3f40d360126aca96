//! Shards of `loyd solve --shard`: the boards of a shard of a file, and the shard fields of records.

use std::borrow::Borrow;
use std::collections::BTreeMap;

use loyd::Report;
use loyd::search::{Iteration, Shard, Status, Stop};
use serde::Serialize;

use crate::failure::Failure;
use crate::input::{Item, Items};
use crate::saved_files::checksum_of;

/// The boards of the input that belong to a shard, or all of them. Boards, including invalid ones, are assigned to the
/// shards in turn.
pub struct ShardInput {
    pub items: Items,
    shard: Option<Shard>,
    /// Index of the next board of the input.
    number: u64,
    /// A board, or an error of the input, that was read ahead.
    ahead: Option<Result<Item, Failure>>,
}

impl ShardInput {
    /// Selects the boards of `items` that belong to `shard`, or all of them.
    pub fn new(items: Items, shard: Option<Shard>) -> Self {
        Self { items, shard, number: 0, ahead: None }
    }

    fn is_own(&self) -> bool {
        self.shard.is_none_or(|shard| shard.contains(self.number))
    }

    /// Returns whether there is another board. May wait for it.
    pub fn has_next(&mut self) -> bool {
        self.ahead = self.next();
        self.ahead.is_some()
    }

    /// Returns whether the next board is available without waiting. Skips available boards of other shards.
    pub fn is_ready(&mut self) -> bool {
        if self.ahead.is_some() {
            return true;
        }
        while !self.is_own() && self.items.is_ready() {
            match self.items.next() {
                Some(Ok(_)) => self.number += 1,
                Some(Err(failure)) => {
                    self.ahead = Some(Err(failure));
                    return true;
                }
                None => return true,
            }
        }
        self.is_own() && self.items.is_ready()
    }
}

impl Iterator for ShardInput {
    type Item = Result<Item, Failure>;

    fn next(&mut self) -> Option<Result<Item, Failure>> {
        if let Some(item) = self.ahead.take() {
            return Some(item);
        }
        loop {
            let item = self.items.next()?;
            let is_own = self.is_own();
            self.number += 1;
            if is_own || item.is_err() {
                return Some(item);
            }
        }
    }
}

/// Identity of the work that a shard belongs to.
#[derive(Clone, Default)]
pub struct WorkIdentity {
    quality: String,
    /// Hash of the input and of all options that the solutions depend on.
    pub search: String,
}

/// Number of hexadecimal digits of [`WorkIdentity::search`].
const HASH_DIGITS: usize = 16;

impl WorkIdentity {
    /// Returns the identity of the work with these `settings`.
    pub fn new<K: Ord + Borrow<str> + Serialize>(mut settings: BTreeMap<K, String>) -> Self {
        PER_SHARD.iter().for_each(|&name| drop(settings.remove(name)));
        let text = serde_json::to_string(&settings).expect("settings serialize to JSON");
        let quality = settings.remove("--quality").unwrap_or_default();
        Self { quality, search: checksum_of(text.as_bytes())[..HASH_DIGITS].to_owned() }
    }
}

/// Settings that may differ between shards. The instruction set may, because solutions have the same length on every
/// machine.
pub const PER_SHARD: [&str; 2] = ["--shard", "LOYD_CPU"];

/// Adds the checksum of the checkpoint that a search was resumed from to the JSON record that ends `text`.
pub fn mark_resumed(text: &mut Vec<u8>, checksum: &str) {
    let end = text.len() - "}\n".len();
    text.truncate(end);
    text.extend_from_slice(format!(",\"resumed_from\":[\"{checksum}\"]}}\n").as_bytes());
}

/// Adds the shard, and the work that it belongs to, to the JSON record that ends `text`. For a shard of a single board,
/// `below` is the bound below which all iterations of the shard are complete.
pub fn mark_shard(
    text: &mut Vec<u8>,
    shard: Shard,
    identity: &WorkIdentity,
    below: Option<Option<u32>>,
) {
    let end = text.len() - "}\n".len();
    text.truncate(end);
    if let Some(below) = below {
        let below = below.map_or_else(|| "null".to_owned(), |below| below.to_string());
        text.extend_from_slice(format!(",\"searched_below\":{below}").as_bytes());
    }
    let WorkIdentity { quality, search } = identity;
    let version = env!("CARGO_PKG_VERSION");
    let mark = format!(
        "{SHARD_MARK}{shard}\",\"version\":\"{version}\",\"quality\":\"{quality}\",\"search\":\"{search}\"}}\n"
    );
    text.extend_from_slice(mark.as_bytes());
}

/// The start of the fields that [`mark_shard`] adds to the record of a board. No text in a record contains it, because
/// quotes in text are escaped.
const SHARD_MARK: &str = ",\"shard\":\"";

/// Removes the fields that [`mark_shard`] adds to the record of a board of a file.
pub fn without_shard(line: &str) -> String {
    let end = line.rfind(SHARD_MARK);
    end.map_or_else(|| line.to_owned(), |end| line[..end].to_owned() + "}\n")
}

/// Returns the bound below which the shard has completed all iterations. The length of a solution is the bound of the
/// iteration that found it.
pub fn searched_below(report: &Report, max_depth: Option<u32>) -> Option<u32> {
    let Status::Stopped(stop) = report.status else {
        return report.length().map(|length| length as u32);
    };
    match report.stats.iterations.last() {
        None => report.lower_bound,
        Some(&Iteration { bound, .. }) => {
            let is_complete = stop == Stop::Depth && max_depth.is_some_and(|max| bound <= max);
            Some(if is_complete { bound + 2 } else { bound })
        }
    }
}

/// Returns the number of nodes expanded in iterations with bounds below `below`.
pub fn expanded_below(report: &Report, below: Option<u32>) -> Option<u64> {
    let iterations =
        report.stats.iterations.iter().filter(|iteration| iteration.bound < below.unwrap_or(0));
    (!report.stats.iterations.is_empty())
        .then(|| iterations.map(|iteration| iteration.expanded).sum())
}
