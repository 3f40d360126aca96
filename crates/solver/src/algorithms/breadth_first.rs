//! `bfs` and `bibfs`: breadth-first search from the start, and from start and goal at once.

use loyd_search::{
    AnyClosedList, Meter, NoTracer, Outcome, Stop, Tracer, bidirectional_traced,
    breadth_first_traced,
};
use loyd_tiles::{BoardSpace, Move};

use super::row::{Algorithm, Guarantee, Run};
use crate::space::{in_moves, in_plain_space, in_space};

pub(crate) static BFS: Algorithm = Algorithm {
    name: "bfs",
    summary: "breadth-first search, layer by layer from the start",
    guarantee: Guarantee::Optimal,
    uses_closed: true,
    memory: "every state generated",
    source: "Moore 1959",
    run: |run, meter| {
        let outcome =
            in_space!(&run.plan.space, space => from_start(space, run, (meter, NoTracer)));
        Ok(outcome?.into())
    },
    trace: |run, meter, watch| {
        let outcome = in_plain_space!(run, space => {
            from_start(space, run, (meter, run.tracer(space, watch)))
        });
        Ok(outcome?.into())
    },
    ..Algorithm::DEFAULT
}
.registered();

/// Searches from the start.
fn from_start<S: BoardSpace>(
    space: &S,
    run: &Run<'_>,
    (meter, tracer): (&mut Meter<'_>, impl Tracer<S>),
) -> Result<Outcome<Move>, Stop> {
    let start = space.encode(run.problem.start());
    let mut closed = run.closed_list(space, meter)?;
    // Instantiated separately for ranked closed lists on small boards, where a state takes only nanoseconds.
    let outcome = match &mut closed {
        AnyClosedList::Ranked(closed) if const { S::MAX_CELLS <= 16 } => {
            breadth_first_traced(space, &start, closed, (meter, tracer))
        }
        closed => breadth_first_traced(space, &start, closed, (meter, tracer)),
    };
    run.tables.give_back(closed, space);
    Ok(in_moves::<S>(outcome))
}

pub(crate) static BIBFS: Algorithm = Algorithm {
    name: "bibfs",
    summary: "breadth-first search from start and goal at once, until the layers meet",
    guarantee: Guarantee::Optimal,
    uses_closed: true,
    memory: "about the square root of bfs's",
    source: "Pohl 1971",
    run: |run, meter| {
        let outcome =
            in_space!(&run.plan.space, space => from_both_ends(space, run, (meter, NoTracer)));
        Ok(outcome?.into())
    },
    trace: |run, meter, watch| {
        let outcome = in_plain_space!(run, space => {
            from_both_ends(space, run, (meter, run.tracer(space, watch)))
        });
        Ok(outcome?.into())
    },
    ..Algorithm::DEFAULT
}
.registered();

/// Searches from start and goal at once.
fn from_both_ends<S: BoardSpace>(
    space: &S,
    run: &Run<'_>,
    (meter, tracer): (&mut Meter<'_>, impl Tracer<S>),
) -> Result<Outcome<Move>, Stop> {
    let start = space.encode(run.problem.start());
    let mut forward = run.closed_list(space, meter)?;
    let mut backward = run.closed_list(space, meter)?;
    // Instantiated separately for ranked closed lists on small boards, where a state takes only nanoseconds.
    let outcome = match (&mut forward, &mut backward) {
        (AnyClosedList::Ranked(forward), AnyClosedList::Ranked(backward))
            if const { S::MAX_CELLS <= 16 } =>
        {
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
