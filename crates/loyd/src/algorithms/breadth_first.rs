//! `bfs` and `bibfs`.

use loyd_search::{Meter, Outcome, Stop, bidirectional, breadth_first};
use loyd_tiles::{BoardSpace, Move};

use super::{Algorithm, Guarantee, WithDuplicates, with_duplicates};
use crate::dispatch::{SolvedSpace, SpaceVisitor, with_space};
use crate::solver::Run;
use crate::tables::Reusable;

pub(crate) const BFS: Algorithm = Algorithm {
    name: "bfs",
    summary: "breadth-first search, layer by layer from the start",
    guarantee: Guarantee::Optimal,
    uses_heuristic: false,
    uses_closed: true,
    memory: "every state met",
    source: "Moore 1959",
    uses_table: false,
    needs_depth: false,
    run: |run, meter| search(run, Sides::One, meter),
};

pub(crate) const BIBFS: Algorithm = Algorithm {
    name: "bibfs",
    summary: "breadth-first search from start and goal at once, until the layers meet",
    guarantee: Guarantee::Optimal,
    uses_heuristic: false,
    uses_closed: true,
    memory: "every state met, about the square root of bfs's",
    source: "Pohl 1971",
    uses_table: false,
    needs_depth: false,
    run: |run, meter| search(run, Sides::Both, meter),
};

/// From where a search starts.
#[derive(Clone, Copy)]
enum Sides {
    One,
    Both,
}

fn search(run: &Run<'_>, sides: Sides, meter: &mut Meter<'_>) -> Outcome<Move> {
    with_space(run.problem, run.plan.metric, BreadthFirst { run, sides, meter })
}

struct BreadthFirst<'a, 'm, 'o> {
    run: &'a Run<'a>,
    sides: Sides,
    meter: &'m mut Meter<'o>,
}

impl SpaceVisitor for BreadthFirst<'_, '_, '_> {
    type Output = Outcome<Move>;

    fn visit<S: SolvedSpace>(self, space: &S) -> Outcome<Move> {
        let Self { run, sides, meter } = self;
        with_duplicates(run, meter, InSpace { run, space, sides })
    }
}

struct InSpace<'a, S> {
    run: &'a Run<'a>,
    space: &'a S,
    sides: Sides,
}

impl<S: BoardSpace> WithDuplicates<S> for InSpace<'_, S> {
    fn search<D: Reusable<S>>(self, meter: &mut Meter<'_>) -> Result<Outcome<S::Action>, Stop> {
        let Self { run, space, sides } = self;
        let start = space.encode(run.problem.start());
        let mut met = D::take(run.tables, space, meter)?;
        let outcome = match sides {
            Sides::One => breadth_first(space, &start, &mut met, meter),
            Sides::Both => {
                let mut met_from_goal = D::take(run.tables, space, meter)?;
                let outcome = bidirectional(space, &start, &mut met, &mut met_from_goal, meter);
                met_from_goal.give(run.tables, space);
                outcome
            }
        };
        met.give(run.tables, space);
        Ok(outcome)
    }
}
