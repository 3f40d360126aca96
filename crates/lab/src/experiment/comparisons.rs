//! Experiments that compare Loyd's own searches: the cost of an additional move, A* with bidirectional breadth-first
//! search, and IDA* with searches that use a hash table.

use std::ops::RangeInclusive;

use loyd::CancelToken;
use loyd::search::{Stats, Stop};

use super::engines::{ASTAR, BFS, BIBFS, Engine, IDASTAR, IDDFS, Runs, expanded, expanded_figure};
use super::findings::{Experiment, Findings, Plot, Table, Verdict};
use super::textbook::of_lengths;
use crate::plot::{Axis, Figure, Marks, Series, brief, grouped};

pub(super) static FIVEFOLD: Experiment = Experiment {
    name: "fivefold",
    claim: "Each additional move makes a search five times as expensive.",
    method: "Five of Loyd's searches on up to 20 boards of each length from 1 to 25. The factor per move between \
             two lengths is the average factor by which the median of expanded nodes grows with each move.",
    is_timed: false,
    run: growth,
};

const ENGINES: [Engine; 5] = [BFS, BIBFS, IDDFS, ASTAR, IDASTAR];

/// Pairs of lengths between which growth is measured.
const SPANS: [(u32, u32); 4] = [(5, 10), (10, 15), (15, 20), (20, 25)];

fn growth(cancel: &CancelToken) -> Result<Findings, Stop> {
    let boards = of_lengths(1, 25, 20);
    let all = ENGINES.map(|engine| Runs::new(engine, &boards, cancel));
    let all = all.into_iter().collect::<Result<Vec<_>, Stop>>()?;
    let factor = |runs: &Runs, (from, to): (u32, u32)| {
        let growth = runs.median_expanded(to) / runs.median_expanded(from);
        growth.powf(1.0 / f64::from(to - from))
    };
    let factors: Vec<f64> =
        all.iter().flat_map(|runs| SPANS.map(|span| factor(runs, span))).collect();
    let largest = factors.iter().copied().fold(0.0, f64::max);
    let smallest = factors.iter().copied().fold(f64::MAX, f64::min);
    let row = |runs: &Runs| {
        let factors = SPANS.map(|span| format!("{:.2}", factor(runs, span)));
        [vec![runs.engine.name.to_owned()], factors.to_vec()].concat()
    };
    Ok(Findings {
        verdict: Verdict::of(factors.iter().any(|factor| (4.5..5.5).contains(factor))),
        summary: format!(
            "Each additional move multiplies the nodes by {smallest:.2} to {largest:.2}, never by five. A node has \
             1.7 children on average that do not undo the last move, so no search grows faster for long."
        ),
        table: Table {
            heading: vec!["factor per move", "5 to 10", "10 to 15", "15 to 20", "20 to 25"],
            rows: all.iter().map(row).collect(),
        },
        plots: vec![Plot::first(&expanded_figure(
            "The cost of an additional move",
            "3x3, up to 20 boards of each length",
            &all,
        ))],
    })
}

pub(super) static ASTAR_AND_BIBFS: Experiment = Experiment {
    name: "astar-and-bibfs",
    claim: "A* with Manhattan distance and bidirectional breadth-first search tie below 15 moves and diverge above.",
    method: "Loyd's `astar` with `manhattan` and `bibfs`, both with hashed closed lists, on up to 50 boards of each \
             length from 1 to 31. They tie if the median of `bibfs` is at most twice that of `astar`.",
    is_timed: false,
    run: astar_and_bibfs,
};

const SHOWN: [u32; 9] = [5, 8, 11, 14, 17, 20, 23, 26, 30];

fn astar_and_bibfs(cancel: &CancelToken) -> Result<Findings, Stop> {
    let boards = of_lengths(1, 31, 50);
    let all = [Runs::new(ASTAR, &boards, cancel)?, Runs::new(BIBFS, &boards, cancel)?];
    let ratio = |length: u32| all[1].median_expanded(length) / all[0].median_expanded(length);
    let most = |lengths: RangeInclusive<u32>| lengths.map(ratio).fold(0.0, f64::max);
    let least = |lengths: RangeInclusive<u32>| lengths.map(ratio).fold(f64::MAX, f64::min);
    let (below, above) = (most(1..=14), least(16..=31));
    let row = |length: u32| {
        let medians = all.each_ref().map(|runs| runs.median_expanded(length));
        let texts = medians.map(|median| grouped(median.round())).to_vec();
        [vec![format!("{length} moves")], texts, vec![format!("{:.1}", ratio(length))]].concat()
    };
    let first = (1..=31).find(|&length| ratio(length) > 2.0);
    let first = first.map_or("no length".to_owned(), |length| format!("{length} moves"));
    Ok(Findings {
        verdict: Verdict::of_parts(below <= 2.0, above > 2.0),
        summary: format!(
            "They diverge at {first}, the first length at which bidirectional search expands more than twice as \
             many nodes as A*. Up to 14 moves it expands up to {below:.1} times as many, at 20 moves {:.1} times \
             and at 30 moves {:.1} times as many.{}",
            ratio(20),
            ratio(30),
            if ratio(30) < ratio(14) { " Beyond 14 moves they converge again." } else { "" },
        ),
        table: Table {
            heading: vec!["median expanded", "astar", "bibfs", "bibfs / astar"],
            rows: SHOWN.into_iter().map(row).collect(),
        },
        plots: vec![Plot::first(&expanded_figure(
            "A* and bidirectional breadth-first search",
            "3x3, up to 50 boards of each length",
            &all,
        ))],
    })
}

pub(super) static IDASTAR_AND_HASHING: Experiment = Experiment {
    name: "idastar-and-hashing",
    claim: "IDA* beats hashing.",
    method: "Loyd's `idastar` and `astar` with `manhattan`, `bfs` and `bibfs`, the latter three with hashed closed lists, on \
             up to 50 boards of each length from 1 to 31, one search at a time. Means over all boards.",
    is_timed: true,
    run: hashing,
};

fn bytes(stats: &Stats) -> f64 {
    stats.peak_bytes as f64
}

fn seconds(stats: &Stats) -> f64 {
    stats.elapsed.as_secs_f64()
}

fn hashing(cancel: &CancelToken) -> Result<Findings, Stop> {
    let boards = of_lengths(1, 31, 50);
    let all = [IDASTAR, ASTAR, BIBFS, BFS].map(|engine| Runs::sequential(engine, &boards, cancel));
    let all = all.into_iter().collect::<Result<Vec<_>, Stop>>()?;
    let row = |runs: &Runs| {
        vec![
            runs.engine.name.to_owned(),
            grouped(runs.mean(expanded).round()),
            grouped(runs.mean(bytes).round()),
            brief(runs.mean(seconds) * 1e6),
        ]
    };
    let [nodes, memory, time] =
        [expanded, bytes, seconds].map(|count| all[1].mean(count) / all[0].mean(count));
    let is_quickest = all.iter().all(|runs| runs.mean(seconds) >= all[0].mean(seconds));
    let is_smallest = all.iter().all(|runs| runs.mean(bytes) >= all[0].mean(bytes));
    Ok(Findings {
        verdict: Verdict::of_parts(is_quickest, is_smallest),
        summary: format!(
            "IDA* expands {:.1} times as many nodes as A* with a hash table, because it detects no duplicates. It \
             is {time:.1} times as fast as A* and uses {memory:.0} times less memory: a node costs it a few \
             instructions and no memory.",
            1.0 / nodes,
        ),
        table: Table {
            heading: vec!["search", "expanded", "peak memory (bytes)", "time (µs)"],
            rows: all.iter().map(row).collect(),
        },
        plots: vec![Plot::first(&figure(&all))],
    })
}

fn figure(all: &[Runs]) -> Figure {
    let series = |runs: &Runs| {
        let points = runs.by_length(seconds).into_iter();
        let points = points.map(|(length, quartiles)| (f64::from(length), quartiles)).collect();
        Series { name: runs.engine.name.to_owned(), marks: Marks::Quartiles(points) }
    };
    Figure {
        title: "Time of IDA* and of searches with a hash table".to_owned(),
        note: "3x3, up to 50 boards of each length; median, and the area between the quartiles"
            .to_owned(),
        x: Axis::linear("length of a shortest solution (moves)"),
        y: Axis::log("time of a search").in_unit("s"),
        series: all.iter().map(series).collect(),
    }
}
