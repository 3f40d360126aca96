//! `table`.

use loyd_search::{IncrementalHeuristic, Meter, Outcome, Tracer, Untraced, descend_traced};
use loyd_tiles::{BoardSpace, Move};

use super::row::{Algorithm, Finished, Guarantee, Run};
use crate::heuristics::{AnyHeuristic, SmallHeuristic, Stage};
use crate::space::{AnySpace, in_moves, in_plain_space, in_space};

pub(crate) static TABLE: Algorithm = Algorithm {
    name: "table",
    summary: "the solution table: exact distances of all states, followed downhill",
    guarantee: Guarantee::Optimal,
    memory: "22 KB for 3x3, else 1 bit to 2 bytes a state",
    source: "Schofield 1967",
    uses_table: true,
    run: |run, meter| {
        let stage = last_stage(run);
        let exact = run.checked_heuristic(stage, meter)?;
        let told = (meter, Untraced);
        let outcome = match (&run.plan.space, exact) {
            // What the kernel builds for boards of 10 to 12 cells.
            (AnySpace::Small(space), AnyHeuristic::ExactDistance(h)) => down(run, space, h, told),
            // Slides of several tiles are looked up once.
            (AnySpace::EightSlides(space), AnyHeuristic::Small(SmallHeuristic::ExactTable(h))) => {
                down(run, space, h, told)
            }
            (space, exact) => in_space!(space, space => down(run, space, exact, told)),
        };
        Ok(Finished { outcome, stage: Some(stage) })
    },
    trace: |run, meter, watch| {
        let stage = last_stage(run);
        let exact = run.checked_heuristic(stage, meter)?;
        let outcome = in_plain_space!(run, space => {
            down(run, space, exact, (meter, run.tracer(space, watch)))
        });
        Ok(Finished { outcome, stage: Some(stage) })
    },
    ..Algorithm::PLAIN
}
.registered();

/// The stage with the exact table.
fn last_stage<'a>(run: &Run<'a>) -> &'a Stage {
    run.plan.stages.last().expect("the plan has a stage with the exact table")
}

fn down<S: BoardSpace, H: IncrementalHeuristic<S>>(
    run: &Run<'_>,
    space: &S,
    exact: &H,
    told: (&mut Meter<'_>, impl Tracer<S>),
) -> Outcome<Move> {
    let start = space.encode(run.problem.start());
    in_moves::<S>(descend_traced(space, exact, &start, told))
}
