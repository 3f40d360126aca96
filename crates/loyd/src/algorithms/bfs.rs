//! `bfs`.

use loyd_search::{AnyClosedList, Meter, Outcome, Stop, Tracer, Untraced, breadth_first_traced};
use loyd_tiles::{BoardSpace, Move};

use super::row::{Algorithm, Guarantee, Run};
use crate::space::{in_moves, in_plain_space, in_space};

pub(crate) static BFS: Algorithm = Algorithm {
    name: "bfs",
    summary: "breadth-first search, layer by layer from the start",
    guarantee: Guarantee::Optimal,
    uses_closed: true,
    memory: "every state met",
    source: "Moore 1959",
    run: |run, meter| {
        let outcome = in_space!(&run.plan.space, space => search(space, run, (meter, Untraced)));
        Ok(outcome?.into())
    },
    trace: |run, meter, watch| {
        let outcome = in_plain_space!(run, space => {
            search(space, run, (meter, run.tracer(space, watch)))
        });
        Ok(outcome?.into())
    },
    ..Algorithm::PLAIN
}
.registered();

fn search<S: BoardSpace>(
    space: &S,
    run: &Run<'_>,
    (meter, tracer): (&mut Meter<'_>, impl Tracer<S>),
) -> Result<Outcome<Move>, Stop> {
    let start = space.encode(run.problem.start());
    let mut closed = run.closed_list(space, meter)?;
    // Compiled once more for the ranks of small boards: there a state takes nanoseconds.
    let outcome = match &mut closed {
        AnyClosedList::Ranked(closed) if S::MAX_CELLS <= 16 => {
            breadth_first_traced(space, &start, closed, (meter, tracer))
        }
        closed => breadth_first_traced(space, &start, closed, (meter, tracer)),
    };
    run.tables.give_back(closed, space);
    Ok(in_moves::<S>(outcome))
}
