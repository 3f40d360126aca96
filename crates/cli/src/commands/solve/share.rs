//! What records tell of a shard.

use loyd::search::{Shard, Status, Stop};
use loyd::{Report, search::Iteration};

/// Adds to the record of JSON that ends `text` which shard it is of. For a shard of one board, `below` is what is known of
/// the rounds: its share of all with smaller bounds was searched.
pub fn mark(text: &mut Vec<u8>, shard: Shard, below: Option<Option<u32>>) {
    let end = text.len() - "}\n".len();
    text.truncate(end);
    if let Some(below) = below {
        let below = below.map_or_else(|| "null".to_owned(), |below| below.to_string());
        text.extend_from_slice(format!(",\"searched_below\":{below}").as_bytes());
    }
    text.extend_from_slice(ending(shard).as_bytes());
}

/// How the record of a shard ends.
pub fn ending(shard: Shard) -> String {
    format!(",\"shard\":\"{shard}\"}}\n")
}

/// A shard has searched its share of all rounds with bounds below this. A solution is as long as the bound of the round
/// in which it was found.
pub fn searched_below(report: &Report, max_depth: Option<u32>) -> Option<u32> {
    let Status::Stopped(stop) = report.status else {
        return report.length().map(|length| length as u32);
    };
    match report.stats.iterations.last() {
        None => report.lower_bound,
        Some(&Iteration { bound, .. }) => {
            let is_complete = stop == Stop::Depth && max_depth.is_some_and(|most| bound <= most);
            Some(if is_complete { bound + 2 } else { bound })
        }
    }
}

/// What was expanded in rounds with bounds below `below`.
pub fn complete(report: &Report, below: Option<u32>) -> Option<u64> {
    let rounds = report.stats.iterations.iter().filter(|round| round.bound < below.unwrap_or(0));
    (!report.stats.iterations.is_empty()).then(|| rounds.map(|round| round.expanded).sum())
}
