//! `wastar`.

use super::best_first::{search, trace};
use super::row::{Algorithm, Guarantee};

pub(crate) static WASTAR: Algorithm = Algorithm {
    name: "wastar",
    summary: "weighted A*: best-first by f = g + w*h",
    guarantee: Guarantee::WithinWeight,
    uses_heuristic: true,
    uses_closed: true,
    memory: "every state met",
    source: "Pohl 1970",
    run: |run, meter| search(run, run.plan.weight.evaluation(), meter),
    trace: |run, meter, watch| trace(run, run.plan.weight.evaluation(), meter, watch),
    ..Algorithm::PLAIN
}
.registered();
