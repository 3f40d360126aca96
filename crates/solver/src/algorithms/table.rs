//! `table`.

use loyd_search::{IncrementalHeuristic, Meter, NoTracer, Outcome, Tracer, descend_traced};
use loyd_tiles::{BoardSpace, Move};

use super::row::{Algorithm, Finished, Guarantee, Run};
use crate::heuristics::{AnyHeuristic, SmallHeuristic, Stage};
use crate::space::{AnySpace, in_moves, in_plain_space, in_space};

pub(crate) static TABLE: Algorithm = Algorithm {
    name: "table",
    summary: "solution table: descends by the exact distances of all states",
    guarantee: Guarantee::Optimal,
    memory: "22 KB for 3x3, else 1 bit to 2 bytes a state",
    source: "Schofield 1967",
    uses_table: true,
    run: |run, meter| {
        let stage = last_stage(run);
        let exact = run.checked_heuristic(stage, meter)?;
        let monitors = (meter, NoTracer);
        let outcome = match (&run.plan.space, exact) {
            // Tables of 10 to 12 cells, which the kernel builds.
            (AnySpace::Small(space), AnyHeuristic::ExactDistance(h)) => {
                descend(run, space, h, monitors)
            }
            (AnySpace::Eight(space), AnyHeuristic::Small(SmallHeuristic::ExactEight(h))) => {
                h.descend(space, &space.encode(run.problem.start()), monitors.0)
            }
            // With this type, a slide of several tiles takes one lookup instead of one per step.
            (AnySpace::EightSlides(space), AnyHeuristic::Small(SmallHeuristic::ExactTable(h))) => {
                descend(run, space, h, monitors)
            }
            (space, exact) => in_space!(space, space => descend(run, space, exact, monitors)),
        };
        Ok(Finished { outcome, stage: Some(stage) })
    },
    trace: |run, meter, watch| {
        let stage = last_stage(run);
        let exact = run.checked_heuristic(stage, meter)?;
        let outcome = in_plain_space!(run, space => {
            descend(run, space, exact, (meter, run.tracer(space, watch)))
        });
        Ok(Finished { outcome, stage: Some(stage) })
    },
    ..Algorithm::DEFAULT
}
.registered();

/// Returns the stage with the exact table.
fn last_stage<'a>(run: &Run<'a>) -> &'a Stage {
    run.plan.stages.last().expect("the plan has a stage with the exact table")
}

fn descend<S: BoardSpace, H: IncrementalHeuristic<S>>(
    run: &Run<'_>,
    space: &S,
    exact: &H,
    monitors: (&mut Meter<'_>, impl Tracer<S>),
) -> Outcome<Move> {
    let start = space.encode(run.problem.start());
    in_moves::<S>(descend_traced(space, exact, &start, monitors))
}
