//! f = g + 10h.

use loyd::CancelToken;
use loyd::search::Stop;

use super::boards::every;
use super::programs::{Program, measure, shares, table};
use super::row::{Experiment, Findings, Plot, Verdict};
use super::textbook::astar::{Closing, astar};

/// A* and its weighted form; the weighted one closes states when they are generated, as the old program did.
const PROGRAMS: [Program; 2] = [
    Program { name: "f = g + h", solve: |state| astar(state, 1, Closing::Expanded) },
    Program { name: "f = g + 10h", solve: |state| astar(state, 10, Closing::Generated) },
];

pub(super) static TEN_H: Experiment = Experiment {
    name: "ten-h",
    claim: "A search by f = g + 10h is quick, and 5% of its solutions are shortest.",
    method: "A textbook A* with Manhattan distance and weight 1, closing states when they are expanded, and one with \
             weight 10 that closes them, faulty, when they are generated, on every tenth of the 181,440 boards in the \
             order of their distances.",
    is_timed: false,
    run,
};

fn run(cancel: &CancelToken) -> Result<Findings, Stop> {
    let measured = measure(&PROGRAMS, &every(10), cancel)?;
    let [plain, weighted] = [0, 1].map(|program: usize| measured[program].all);
    let share = weighted.shortest_percent();
    let fewer = plain.mean_expanded() / weighted.mean_expanded();
    Ok(Findings {
        verdict: Verdict::of((share - 5.0).abs() < 1.5 && fewer > 1.0),
        summary: format!(
            "With f = g + 10h, {share:.1}% of the solutions are shortest, and they are {:.2} times as long as shortest \
             ones. It expands {fewer:.1} times fewer nodes than f = g + h.",
            weighted.moves as f64 / weighted.fewest_moves as f64,
        ),
        table: table(&measured),
        plots: vec![Plot::first(&shares(
            "The larger h weighs, the fewer solutions are shortest",
            &measured,
        ))],
    })
}
