//! `ucs`.

use loyd_search::Evaluation;

use super::best_first::{search, trace};
use super::row::{Algorithm, Guarantee};

pub(crate) static UCS: Algorithm = Algorithm {
    name: "ucs",
    summary: "uniform-cost search: best-first by g alone",
    guarantee: Guarantee::Optimal,
    uses_closed: true,
    memory: "every state met",
    source: "Dijkstra 1959",
    run: |run, meter| search(run, Evaluation::UNIFORM_COST, meter),
    trace: |run, meter, watch| trace(run, Evaluation::UNIFORM_COST, meter, watch),
    ..Algorithm::PLAIN
}
.registered();
