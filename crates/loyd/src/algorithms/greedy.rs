//! `greedy`.

use loyd_search::Evaluation;

use super::best_first::{search, trace};
use super::row::{Algorithm, Guarantee};

pub(crate) static GREEDY: Algorithm = Algorithm {
    name: "greedy",
    summary: "best-first by h alone: quick, and often far from shortest",
    guarantee: Guarantee::Nothing,
    uses_heuristic: true,
    uses_closed: true,
    memory: "every state met",
    source: "Doran and Michie 1966",
    run: |run, meter| search(run, Evaluation::GREEDY, meter),
    trace: |run, meter, watch| trace(run, Evaluation::GREEDY, meter, watch),
    ..Algorithm::PLAIN
}
.registered();
