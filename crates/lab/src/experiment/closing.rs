//! Closing states when they are generated.

use loyd::CancelToken;
use loyd::search::Stop;

use super::boards::every;
use super::programs::{Program, measure, shares, table};
use super::row::{Experiment, Findings, Plot, Verdict};
use super::textbook::astar::{Closing, astar};

/// The right program, and the faulty one.
const PROGRAMS: [Program; 2] = [
    Program { name: "A*, closed when expanded", solve: |state| astar(state, 1, Closing::Expanded) },
    Program {
        name: "A*, closed when generated",
        solve: |state| astar(state, 1, Closing::Generated),
    },
];

pub(super) static CLOSING_AT_GENERATION: Experiment = Experiment {
    name: "closing-at-generation",
    claim: "A* that closes a state as soon as it is generated loses a shortest solution on 11% of the boards.",
    method: "A textbook A* with Manhattan distance, once closing states when they are expanded and once, faulty, when \
             they are generated, on every tenth of the 181,440 boards in the order of their distances. Of states with \
             the same f, the one with the larger g comes first.",
    is_timed: false,
    run,
};

fn run(cancel: &CancelToken) -> Result<Findings, Stop> {
    let measured = measure(&PROGRAMS, &every(10), cancel)?;
    let [right, faulty] = [0, 1].map(|program: usize| measured[program].all);
    let lost = 100.0 - faulty.shortest_percent();
    let holds = right.shortest == right.boards && (lost - 11.0).abs() < 2.0;
    Ok(Findings {
        verdict: Verdict::of(holds),
        summary: format!(
            "Closed when generated, {lost:.1}% of the solutions are not shortest; closed when expanded, {:.1}%. The \
             fault also expands {:.2} times as many nodes.",
            100.0 - right.shortest_percent(),
            faulty.mean_expanded() / right.mean_expanded(),
        ),
        table: table(&measured),
        plots: vec![Plot::first(&shares(
            "Closing states too early loses shortest solutions",
            &measured,
        ))],
    })
}
