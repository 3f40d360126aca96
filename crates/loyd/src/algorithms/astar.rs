//! `astar`.

use loyd_search::Evaluation;

use super::best_first::{search, trace};
use super::row::{Algorithm, Guarantee};

pub(crate) static ASTAR: Algorithm = Algorithm {
    name: "astar",
    summary: "A*: best-first by f = g + h, ties to the larger g",
    guarantee: Guarantee::OptimalIfAdmissible,
    uses_heuristic: true,
    uses_closed: true,
    memory: "every state met",
    source: "Hart, Nilsson and Raphael 1968",
    run: |run, meter| search(run, Evaluation::A_STAR, meter),
    trace: |run, meter, watch| trace(run, Evaluation::A_STAR, meter, watch),
    ..Algorithm::PLAIN
}
.registered();
