//! What one more move costs.

use loyd::CancelToken;
use loyd::search::Stop;

use super::boards::of_lengths;
use super::engines::{ASTAR, BFS, BIBFS, IDASTAR, IDDFS, Runs, expanded_figure};
use super::row::{Experiment, Findings, Plot, Table, Verdict};

pub(super) static FIVEFOLD: Experiment = Experiment {
    name: "fivefold",
    claim: "Each move more makes a search five times as dear.",
    method: "Five of Loyd's searches on up to 20 boards of each length from 1 to 25. The factor a move, between two lengths, \
             is that by which the median of expanded nodes grows with each move, on average.",
    is_timed: false,
    run,
};

const ENGINES: [super::engines::Engine; 5] = [BFS, BIBFS, IDDFS, ASTAR, IDASTAR];

/// Between which lengths growth is measured.
const SPANS: [(u32, u32); 4] = [(5, 10), (10, 15), (15, 20), (20, 25)];

fn run(cancel: &CancelToken) -> Result<Findings, Stop> {
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
            "A move more multiplies the nodes by {smallest:.2} to {largest:.2}, never by five. A node has 1.7 children on \
             average that do not undo the last move, so no search grows faster for long."
        ),
        table: Table {
            heading: vec!["factor a move", "5 to 10", "10 to 15", "15 to 20", "20 to 25"],
            rows: all.iter().map(row).collect(),
        },
        plots: vec![Plot::first(&expanded_figure(
            "What one more move costs",
            "3x3, up to 20 boards of each length",
            &all,
        ))],
    })
}
