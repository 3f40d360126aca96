//! `bibfs`.

use loyd_search::{AnyClosedList, Meter, Outcome, Stop, Tracer, Untraced, bidirectional_traced};
use loyd_tiles::{BoardSpace, Move};

use super::row::{Algorithm, Guarantee, Run};
use crate::space::{in_moves, in_plain_space, in_space};

pub(crate) static BIBFS: Algorithm = Algorithm {
    name: "bibfs",
    summary: "breadth-first search from start and goal at once, until the layers meet",
    guarantee: Guarantee::Optimal,
    uses_closed: true,
    memory: "every state met, about the square root of bfs's",
    source: "Pohl 1971",
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
    let mut forward = run.closed_list(space, meter)?;
    let mut backward = run.closed_list(space, meter)?;
    // Compiled once more for the ranks of small boards: there a state takes nanoseconds.
    let outcome = match (&mut forward, &mut backward) {
        (AnyClosedList::Ranked(forward), AnyClosedList::Ranked(backward)) if S::MAX_CELLS <= 16 => {
            bidirectional_traced(space, &start, forward, backward, (meter, tracer))
        }
        (forward, backward) => {
            bidirectional_traced(space, &start, forward, backward, (meter, tracer))
        }
    };
    run.tables.give_back(forward, space);
    run.tables.give_back(backward, space);
    Ok(in_moves::<S>(outcome))
}
