//! `bfs`.

use loyd_search::{Meter, Outcome, Stop, breadth_first};
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
    run: |run, meter| with_space(run.problem.goal(), BreadthFirst { run, meter }),
};

struct BreadthFirst<'a, 'm, 'o> {
    run: &'a Run<'a>,
    meter: &'m mut Meter<'o>,
}

impl SpaceVisitor for BreadthFirst<'_, '_, '_> {
    type Output = Outcome<Move>;

    fn visit<S: SolvedSpace>(self, space: &S) -> Outcome<Move> {
        with_duplicates(self.run, self.meter, InSpace { run: self.run, space })
    }
}

struct InSpace<'a, S> {
    run: &'a Run<'a>,
    space: &'a S,
}

impl<S: BoardSpace> WithDuplicates<S> for InSpace<'_, S> {
    fn search<D: Reusable<S>>(self, meter: &mut Meter<'_>) -> Result<Outcome<Move>, Stop> {
        let Self { run, space } = self;
        let mut duplicates = D::take(run.tables, space, meter)?;
        let start = space.encode(run.problem.start());
        let outcome = breadth_first(space, &start, &mut duplicates, meter);
        duplicates.give(run.tables, space);
        Ok(outcome)
    }
}
