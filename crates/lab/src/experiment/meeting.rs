//! A* beside bidirectional breadth-first search.

use loyd::CancelToken;
use loyd::search::Stop;

use super::boards::of_lengths;
use super::engines::{ASTAR, BIBFS, Runs, expanded_figure};
use super::row::{Experiment, Findings, Plot, Table, Verdict};
use crate::plot::grouped;

pub(super) static ASTAR_AND_BIBFS: Experiment = Experiment {
    name: "astar-and-bibfs",
    claim: "A* with Manhattan distance and bidirectional breadth-first search tie below 15 moves and part above.",
    method: "Loyd's `astar` with `manhattan` and `bibfs`, both with hashed closed lists, on up to 50 boards of each length \
             from 1 to 31. A tie is a median that is at most twice the other one.",
    is_timed: false,
    run,
};

const SHOWN: [u32; 9] = [5, 8, 11, 14, 17, 20, 23, 26, 30];

fn run(cancel: &CancelToken) -> Result<Findings, Stop> {
    let boards = of_lengths(1, 31, 50);
    let all = [Runs::new(ASTAR, &boards, cancel)?, Runs::new(BIBFS, &boards, cancel)?];
    let ratio = |length: u32| all[1].median_expanded(length) / all[0].median_expanded(length);
    let most = |lengths: std::ops::RangeInclusive<u32>| lengths.map(ratio).fold(0.0, f64::max);
    let least =
        |lengths: std::ops::RangeInclusive<u32>| lengths.map(ratio).fold(f64::MAX, f64::min);
    let (below, above) = (most(1..=14), least(16..=31));
    let row = |length: u32| {
        let medians = all.each_ref().map(|runs| runs.median_expanded(length));
        let texts = medians.map(|median| grouped(median.round())).to_vec();
        [vec![format!("{length} moves")], texts, vec![format!("{:.1}", ratio(length))]].concat()
    };
    let first = (1..=31).find(|&length| ratio(length) > 2.0);
    let first = first.map_or("no length".to_owned(), |length| format!("{length} moves"));
    Ok(Findings {
        verdict: match (below <= 2.0, above > 2.0) {
            (true, true) => Verdict::Holds,
            (false, false) => Verdict::Fails,
            _ => Verdict::HoldsInPart,
        },
        summary: format!(
            "They part at {first}, where bidirectional search expands more than twice as many nodes as A* for the first time. \
             Up to 14 moves it expands up to {below:.1} times as many, at 20 moves {:.1} times and at 30 {:.1} times.{}",
            ratio(20),
            ratio(30),
            if ratio(30) < ratio(14) { " Beyond, they come near each other again." } else { "" },
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
