//! How the bound of IDA* rises.

use loyd::CancelToken;
use loyd::search::Stop;

use super::boards::every;
use super::programs::{Program, costs, measure, shares, table};
use super::row::{Experiment, Findings, Plot, Verdict};
use super::textbook::idastar::{Raise, idastar};

const RIGHT: Program = Program {
    name: "IDA*, to the least overrun",
    solve: |state| idastar(state, Raise::LeastOverrun),
};
const BY_LEAST_H: Program =
    Program { name: "IDA*, by the least h", solve: |state| idastar(state, Raise::LeastH) };
const BY_ONE: Program = Program { name: "IDA*, by one", solve: |state| idastar(state, Raise::One) };

pub(super) static BOUND_BY_LEAST_H: Experiment = Experiment {
    name: "bound-by-least-h",
    claim: "IDA* that raises its bound by the least h that it has seen finds a shortest solution of 36% of the boards \
            only.",
    method: "A textbook IDA* with Manhattan distance. The bound of the right one rises to the least f beyond it, that of \
             the faulty one by the least h, other than 0, of all nodes that the iteration saw. Every tenth of the \
             181,440 boards in the order of their distances. Moves are tried up, left, right, down; another order \
             changes the share by a point or two.",
    is_timed: false,
    run: by_least_h,
};

pub(super) static BOUND_BY_ONE: Experiment = Experiment {
    name: "bound-by-one",
    claim: "IDA* that raises its bound by one finds shortest solutions, at four times the cost of the least overrun.",
    method: "A textbook IDA* with Manhattan distance. Both bounds begin with the h of the start; one rises to the least f beyond it, the other by one. f never \
             changes by an odd number, so every second iteration of the latter repeats the one before. Every tenth of \
             the 181,440 boards in the order of their distances.",
    is_timed: false,
    run: by_one,
};

fn by_least_h(cancel: &CancelToken) -> Result<Findings, Stop> {
    let measured = measure(&[RIGHT, BY_LEAST_H], &every(10), cancel)?;
    let [right, faulty] = [0, 1].map(|program: usize| measured[program].all);
    let share = faulty.shortest_percent();
    Ok(Findings {
        verdict: Verdict::of(right.shortest == right.boards && (share - 36.0).abs() < 2.0),
        summary: format!(
            "Raised by the least h, the bound skips the shortest solutions of {:.1}% of the boards; {share:.1}% are \
             shortest. Raised to the least overrun, {:.1}% are.",
            100.0 - share,
            right.shortest_percent(),
        ),
        table: table(&measured),
        plots: vec![Plot::first(&shares(
            "A bound that rises too far skips shortest solutions",
            &measured,
        ))],
    })
}

fn by_one(cancel: &CancelToken) -> Result<Findings, Stop> {
    let measured = measure(&[RIGHT, BY_ONE], &every(10), cancel)?;
    let [least, one] = [0, 1].map(|program: usize| measured[program].all);
    let is_shortest = one.shortest == one.boards;
    let ratio = one.mean_expanded() / least.mean_expanded();
    let is_fourfold = (3.0..5.0).contains(&ratio);
    Ok(Findings {
        verdict: match (is_shortest, is_fourfold) {
            (true, true) => Verdict::Holds,
            (false, false) => Verdict::Fails,
            _ => Verdict::HoldsInPart,
        },
        summary: format!(
            "Raised by one, the bound gives shortest solutions of {:.1}% of the boards. It costs {ratio:.2} times the \
             nodes of the least overrun.",
            one.shortest_percent(),
        ),
        table: table(&measured),
        plots: vec![Plot::first(&costs("What a bound costs that rises by one", &measured))],
    })
}
