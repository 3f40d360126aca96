//! `bibfs`.

use loyd_search::{Meter, Outcome, Stop, bidirectional};
use loyd_tiles::{BoardSpace, Move};

use super::{Algorithm, Guarantee, WithDuplicates, with_duplicates};
use crate::dispatch::{SolvedSpace, SpaceVisitor, with_space};
use crate::solver::Run;
use crate::tables::Reusable;

pub(crate) const BIBFS: Algorithm = Algorithm {
    name: "bibfs",
    summary: "breadth-first search from start and goal at once, until the layers meet",
    guarantee: Guarantee::Optimal,
    uses_heuristic: false,
    uses_closed: true,
    memory: "every state met, about the square root of bfs's",
    source: "Pohl 1971",
    run: |run, meter| with_space(run.problem.goal(), Bidirectional { run, meter }),
};

struct Bidirectional<'a, 'm, 'o> {
    run: &'a Run<'a>,
    meter: &'m mut Meter<'o>,
}

impl SpaceVisitor for Bidirectional<'_, '_, '_> {
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
        let mut forward = D::take(run.tables, space, meter)?;
        let mut backward = D::take(run.tables, space, meter)?;
        let start = space.encode(run.problem.start());
        let outcome = bidirectional(space, &start, &mut forward, &mut backward, meter);
        forward.give(run.tables, space);
        backward.give(run.tables, space);
        Ok(outcome)
    }
}
