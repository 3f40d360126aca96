//! `bfs`.

use loyd_search::{AnyClosedList, Meter, Outcome, Stop, breadth_first};
use loyd_tiles::{BoardSpace, Move};

use super::row::{Algorithm, Guarantee, Run};
use crate::space::{in_moves, in_space};

pub(crate) static BFS: Algorithm = Algorithm {
    name: "bfs",
    summary: "breadth-first search, layer by layer from the start",
    guarantee: Guarantee::Optimal,
    uses_closed: true,
    memory: "every state met",
    source: "Moore 1959",
    run: |run, meter| Ok(in_space!(&run.plan.space, space => search(space, run, meter))?.into()),
    ..Algorithm::PLAIN
}
.registered();

fn search<S: BoardSpace>(
    space: &S,
    run: &Run<'_>,
    meter: &mut Meter<'_>,
) -> Result<Outcome<Move>, Stop> {
    let start = space.encode(run.problem.start());
    let mut closed = run.closed_list(space, meter)?;
    // Compiled once more for the ranks of small boards: there a state takes nanoseconds.
    let outcome = match &mut closed {
        AnyClosedList::Ranked(closed) if S::MAX_CELLS <= 16 => {
            breadth_first(space, &start, closed, meter)
        }
        closed => breadth_first(space, &start, closed, meter),
    };
    run.tables.give_back(closed, space);
    Ok(in_moves::<S>(outcome))
}
