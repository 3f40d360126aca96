//! IDA* beside searches with a hash table.

use loyd::CancelToken;
use loyd::search::{Stats, Stop};

use super::boards::of_lengths;
use super::engines::{ASTAR, BFS, BIBFS, IDASTAR, Runs, expanded};
use super::row::{Experiment, Findings, Plot, Table, Verdict};
use crate::plot::{Axis, Figure, Marks, Series, brief, grouped};

pub(super) static IDASTAR_AND_HASHING: Experiment = Experiment {
    name: "idastar-and-hashing",
    claim: "IDA* beats hashing.",
    method: "Loyd's `idastar` and `astar` with `manhattan`, `bfs` and `bibfs`, the latter three with hashed closed lists, on \
             up to 50 boards of each length from 1 to 31, one search at a time. Means over all boards.",
    is_timed: true,
    run,
};

fn bytes(stats: &Stats) -> f64 {
    stats.peak_bytes as f64
}

fn seconds(stats: &Stats) -> f64 {
    stats.elapsed.as_secs_f64()
}

fn run(cancel: &CancelToken) -> Result<Findings, Stop> {
    let boards = of_lengths(1, 31, 50);
    let all = [IDASTAR, ASTAR, BIBFS, BFS].map(|engine| Runs::in_turn(engine, &boards, cancel));
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
        verdict: match (is_quickest, is_smallest) {
            (true, true) => Verdict::Holds,
            (false, false) => Verdict::Fails,
            _ => Verdict::HoldsInPart,
        },
        summary: format!(
            "IDA* expands {:.1} times as many nodes as A* with a hash table, because it finds no duplicates. In time it \
             is ahead of A* {time:.1} times and in memory {memory:.0} times: a node costs it a few instructions and no \
             memory.",
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
