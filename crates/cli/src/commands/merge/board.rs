//! Shards of one board.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use anyhow::{Context, bail};
use loyd::batch::Round;
use loyd::moves::Metric;
use loyd::notation::{parse_board, read_moves};
use loyd::search::Shard;
use serde::{Deserialize, Serialize};

use super::shards::in_order;
use super::source::Source;
use crate::Status;
use crate::args::Output;
use crate::failure::{Failure, tell};
use crate::units::{counted, grouped};

/// The record of a shard.
#[derive(Clone, Deserialize, Serialize)]
struct Found {
    board: String,
    goal: String,
    status: String,
    moves: Option<String>,
    length: Option<u32>,
    metric: String,
    #[serde(default)]
    optimal: bool,
    algorithm: String,
    heuristic: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tables: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prune: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ended_by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    direction: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lower_bound: Option<u32>,
    expanded: u64,
    generated: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    expanded_complete: Option<u64>,
    #[serde(default)]
    iterations: Vec<Round>,
    peak_bytes: u64,
    elapsed_ns: u64,
    /// None if there is nothing to search; every record of a shard of one board says it.
    #[serde(skip_serializing, deserialize_with = "Option::deserialize")]
    searched_below: Option<u32>,
}

impl Found {
    /// Its share of all rounds with bounds below this was searched; of all rounds for none.
    fn below(&self) -> Option<u32> {
        let has_nothing_to_search = self.status == "unsolvable";
        self.searched_below.or((!has_nothing_to_search).then_some(0))
    }

    /// Whether it ended a round, so that it names its tables and its direction.
    fn has_begun(&self) -> bool {
        !self.iterations.is_empty()
    }
}

/// A record, and where it is.
struct Placed {
    shard: Shard,
    place: String,
    found: Found,
}

/// What all shards have found.
#[derive(Serialize)]
struct Merged {
    #[serde(flatten)]
    found: Found,
    /// How many they are.
    shards: u32,
}

/// Prints what the shards have found together.
pub fn merge(sources: &[Source], output: Output) -> Result<Status, Failure> {
    let placed = read(sources)?;
    let first = placed.iter().find(|placed| placed.found.has_begun()).unwrap_or(&placed[0]);
    for other in &placed {
        check_same(first, other)?;
    }
    let found = joined(&placed)?;
    let is_open = found.status == "stopped";
    let behind = is_open.then(|| behind(&placed, &found));
    let shards = placed.len() as u32;
    match output {
        Output::Text => {
            writeln!(io::stdout(), "{}", found.moves.as_ref().unwrap_or(&found.status))?;
            tell(told(&found, shards));
        }
        Output::Json => {
            let record = serde_json::to_string(&Merged { found, shards })?;
            writeln!(io::stdout(), "{record}")?;
        }
    }
    behind.into_iter().for_each(tell);
    Ok(if is_open { Status::No } else { Status::Yes })
}

/// The records in the order of their shards.
fn read(sources: &[Source]) -> anyhow::Result<Vec<Placed>> {
    let mut placed = Vec::new();
    for source in sources {
        for index in 0..source.lines.len() {
            let place = source.place(index);
            let (_, shard) = source.marked(index)?;
            let found = serde_json::from_str(&source.lines[index])
                .with_context(|| format!("{place}: this is no record of a shard of one board"))?;
            placed.push(Placed { shard, place, found });
        }
    }
    let names: Vec<(Shard, String)> =
        placed.iter().map(|placed| (placed.shard, placed.place.clone())).collect();
    in_order(&names)?;
    placed.sort_by_key(|placed| placed.shard);
    Ok(placed)
}

/// Checks that two shards are of the same search.
fn check_same(one: &Placed, other: &Placed) -> anyhow::Result<()> {
    fn said(found: &Found) -> [(&'static str, Option<&str>); 8] {
        [
            ("board", Some(&found.board)),
            ("goal", Some(&found.goal)),
            ("metric", Some(&found.metric)),
            ("algorithm", Some(&found.algorithm)),
            ("heuristic", found.heuristic.as_deref()),
            ("tables", found.tables.as_deref()),
            ("pruning", found.prune.as_deref()),
            ("direction", Some(found.direction.as_deref().unwrap_or("forward"))),
        ]
    }
    // A search that ended before it had its tables names neither them nor a direction.
    let both = one.found.has_begun() && other.found.has_begun();
    let pairs = said(&one.found).into_iter().zip(said(&other.found));
    let mut pairs = pairs.filter(|((name, _), _)| both || !["tables", "direction"].contains(name));
    if let Some(((name, a), (_, b))) = pairs.find(|((_, a), (_, b))| a != b) {
        let (a, b) = (a.unwrap_or("none"), b.unwrap_or("none"));
        let (place, first) = (&other.place, &one.place);
        bail!("{place} is of another search than {first}: {name} {b}, and {a} in {first}");
    }
    Ok(())
}

/// Adds up what they have found. No solution is shorter than what all of them have searched up to.
fn joined(placed: &[Placed]) -> anyhow::Result<Found> {
    let all = || placed.iter().map(|placed| &placed.found);
    let solved = placed.iter().filter(|placed| placed.found.moves.is_some());
    let best = solved.min_by_key(|placed| placed.found.length);
    if let Some(best) = best {
        check_solution(&best.found).with_context(|| best.place.clone())?;
    }
    let lower_bound = all().filter_map(Found::below).min();
    let (moves, length) =
        best.map_or((None, None), |best| (best.found.moves.clone(), best.found.length));
    let optimal = length.is_some() && length <= lower_bound;
    let status = match (optimal, lower_bound) {
        (true, _) => "solved",
        (false, None) => "unsolvable",
        (false, Some(_)) => "stopped",
    };
    let iterations = rounds(placed, lower_bound.unwrap_or(0))?;
    let named = all().find(|found| found.tables.is_some()).unwrap_or(&placed[0].found);
    Ok(Found {
        status: status.to_owned(),
        moves,
        length,
        optimal,
        lower_bound,
        ended_by: best.and_then(|best| best.found.ended_by.clone()),
        expanded: all().map(|found| found.expanded).sum(),
        generated: all().map(|found| found.generated).sum(),
        expanded_complete: Some(iterations.iter().map(|round| round.expanded).sum()),
        iterations,
        peak_bytes: all().map(|found| found.peak_bytes).max().unwrap_or(0),
        elapsed_ns: all().map(|found| found.elapsed_ns).sum(),
        ..named.clone()
    })
}

/// The sums of the rounds with bounds below `bound`, which all shards have completed.
fn rounds(placed: &[Placed], bound: u32) -> anyhow::Result<Vec<Round>> {
    let own = |placed: &Placed| -> Vec<Round> {
        placed.found.iterations.iter().filter(|round| round.bound < bound).copied().collect()
    };
    let mut sums = own(&placed[0]);
    for other in &placed[1..] {
        let rounds = own(other);
        if !rounds.iter().map(|round| round.bound).eq(sums.iter().map(|round| round.bound)) {
            let (place, first) = (&other.place, &placed[0].place);
            bail!("{place} has other rounds than {first}: it is of another search, or damaged");
        }
        for (sum, round) in sums.iter_mut().zip(rounds) {
            sum.expanded += round.expanded;
            sum.generated += round.generated;
        }
    }
    Ok(sums)
}

/// Checks that moves solve the board in as many moves as the record says.
fn check_solution(found: &Found) -> anyhow::Result<()> {
    let (mut board, goal) = (parse_board(&found.board, None)?, parse_board(&found.goal, None)?);
    let text = found.moves.as_deref().unwrap_or_default();
    let moves = match text.is_empty() {
        true => Vec::new(),
        false => read_moves(text, None, Some(&board))?.moves,
    };
    let legal = moves.iter().all(|&m| board.apply(m).is_ok());
    if !legal || board != goal || found.length != Some(moves.len() as u32) {
        bail!("its moves do not solve the board: the record is damaged");
    }
    Ok(())
}

/// The result for people.
fn told(found: &Found, shards: u32) -> String {
    let tables = found.tables.as_ref().map_or_else(String::new, |tables| format!(" {tables}"));
    let heuristic = found.heuristic.as_deref().unwrap_or("none");
    let prune = found.prune.as_ref().map_or_else(String::new, |prune| format!(", {prune}"));
    let moves = |length: u32| counted(Metric::SingleTile, length as usize);
    let result = match (found.length, found.optimal) {
        (Some(length), true) => format!("{}, shortest", moves(length)),
        (Some(length), false) => format!("{}, not proved shortest", moves(length)),
        (None, _) => found.status.clone(),
    };
    let complete = grouped(found.expanded_complete.unwrap_or(0));
    let s = if shards == 1 { "" } else { "s" };
    let mut text = format!(
        "{} ({heuristic}{tables}{prune}) in {shards} shard{s}: {result}; expanded {complete} in complete rounds, {} in all",
        found.algorithm,
        grouped(found.expanded)
    );
    for Round { bound, expanded, generated } in &found.iterations {
        let (expanded, generated) = (grouped(*expanded), grouped(*generated));
        write!(text, "\n  bound {bound:>3}: expanded {expanded:>13}, generated {generated:>13}")
            .expect("a text takes all");
    }
    text
}

/// What is left to do, and by whom.
fn behind(placed: &[Placed], found: &Found) -> String {
    let least = found.lower_bound;
    let bound = least.unwrap_or(0);
    let shards: Vec<String> = placed
        .iter()
        .filter(|placed| placed.found.below() == least)
        .map(|placed| format!("{} ({})", placed.shard, placed.place))
        .collect();
    let few = shards.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
    let more = if shards.len() > 5 { ", …" } else { "" };
    let best = match found.length {
        Some(length) => format!("{length} moves are the best so far, and no solution has"),
        None => "not solved, and no solution has".to_owned(),
    };
    // All solutions are as even or odd as this one.
    let depth = found.length.map_or(bound, |length| length.saturating_sub(2));
    format!(
        "{best} fewer than {bound}; to be searched further, to --max-depth {depth} or more: {few}{more}"
    )
}
