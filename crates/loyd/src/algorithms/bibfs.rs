//! `bibfs`.

use loyd_search::{AnyClosedList, Meter, Outcome, Stop, bidirectional};
use loyd_tiles::{BoardSpace, Move};

use super::row::{Algorithm, Guarantee, Run};
use crate::space::{in_moves, in_space};

pub(crate) static BIBFS: Algorithm = Algorithm {
    name: "bibfs",
    summary: "breadth-first search from start and goal at once, until the layers meet",
    guarantee: Guarantee::Optimal,
    uses_closed: true,
    memory: "every state met, about the square root of bfs's",
    source: "Pohl 1971",
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
    let mut forward = run.closed_list(space, meter)?;
    let mut backward = run.closed_list(space, meter)?;
    // Compiled once more for the ranks of small boards: there a state takes nanoseconds.
    let outcome = match (&mut forward, &mut backward) {
        (AnyClosedList::Ranked(forward), AnyClosedList::Ranked(backward)) if S::MAX_CELLS <= 16 => {
            bidirectional(space, &start, forward, backward, meter)
        }
        (forward, backward) => bidirectional(space, &start, forward, backward, meter),
    };
    run.tables.give_back(forward, space);
    run.tables.give_back(backward, space);
    Ok(in_moves::<S>(outcome))
}
