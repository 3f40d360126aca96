//! `ucs`, `greedy`, `astar` and `wastar`: one engine, four evaluations.

use loyd_search::{
    Buckets, Evaluation, Heap, IncrementalHeuristic, Meter, Outcome, Stop, best_first,
};
use loyd_tiles::{BoardSpace, Move};

use super::{Algorithm, Guarantee, WithDuplicates, with_duplicates};
use crate::config::OpenList;
use crate::dispatch::{InstanceVisitor, SolvedSpace, with_instance};
use crate::heuristics::{Guide, Kind};
use crate::solver::Run;
use crate::tables::Reusable;

pub(crate) const UCS: Algorithm = Algorithm {
    name: "ucs",
    summary: "uniform-cost search: best-first by g alone",
    guarantee: Guarantee::Optimal,
    uses_heuristic: false,
    uses_closed: true,
    memory: "every state met",
    source: "Dijkstra 1959",
    uses_table: false,
    needs_depth: false,
    run: |run, meter| {
        let zero = Guide::of_kind(Kind::Zero);
        search(run, &zero, Evaluation::UNIFORM_COST, meter)
    },
};

pub(crate) const GREEDY: Algorithm = Algorithm {
    name: "greedy",
    summary: "best-first by h alone: quick, and often far from shortest",
    guarantee: Guarantee::Nothing,
    uses_heuristic: true,
    uses_closed: true,
    memory: "every state met",
    source: "Doran and Michie 1966",
    uses_table: false,
    needs_depth: false,
    run: |run, meter| search(run, &run.plan.guide, Evaluation::GREEDY, meter),
};

pub(crate) const ASTAR: Algorithm = Algorithm {
    name: "astar",
    summary: "A*: best-first by f = g + h, ties to the larger g",
    guarantee: Guarantee::OptimalIfAdmissible,
    uses_heuristic: true,
    uses_closed: true,
    memory: "every state met",
    source: "Hart, Nilsson and Raphael 1968",
    uses_table: false,
    needs_depth: false,
    run: |run, meter| search(run, &run.plan.guide, Evaluation::A_STAR, meter),
};

pub(crate) const WASTAR: Algorithm = Algorithm {
    name: "wastar",
    summary: "weighted A*: best-first by f = g + w*h",
    guarantee: Guarantee::WithinWeight,
    uses_heuristic: true,
    uses_closed: true,
    memory: "every state met",
    source: "Pohl 1970",
    uses_table: false,
    needs_depth: false,
    run: |run, meter| search(run, &run.plan.guide, run.plan.weight.evaluation(), meter),
};

/// Priorities are small whole numbers up to this weight.
const LARGEST_BUCKET_WEIGHT: u32 = 10;

fn search(
    run: &Run<'_>,
    guide: &Guide,
    evaluation: Evaluation,
    meter: &mut Meter<'_>,
) -> Outcome<Move> {
    let small = !matches!(guide, Guide::Matrix(_))
        && evaluation.g_weight <= 1
        && evaluation.h_weight <= LARGEST_BUCKET_WEIGHT;
    let buckets = small && run.plan.open == OpenList::Buckets;
    let visitor = BestFirst { run, evaluation, buckets };
    let outcome = with_instance(run, guide, meter, visitor);
    outcome.unwrap_or_else(Outcome::Stopped)
}

struct BestFirst<'a> {
    run: &'a Run<'a>,
    evaluation: Evaluation,
    buckets: bool,
}

impl InstanceVisitor for BestFirst<'_> {
    type Output = Outcome<Move>;

    fn visit<S: SolvedSpace, H: IncrementalHeuristic<S>>(
        self,
        space: &S,
        h: &H,
        meter: &mut Meter<'_>,
    ) -> Outcome<Move> {
        let Self { run, evaluation, buckets } = self;
        with_duplicates(run, meter, InSpace { run, space, h, evaluation, buckets })
    }
}

struct InSpace<'a, S, H> {
    run: &'a Run<'a>,
    space: &'a S,
    h: &'a H,
    evaluation: Evaluation,
    buckets: bool,
}

impl<S: BoardSpace, H: IncrementalHeuristic<S>> WithDuplicates<S> for InSpace<'_, S, H> {
    fn search<D: Reusable<S>>(self, meter: &mut Meter<'_>) -> Result<Outcome<S::Action>, Stop> {
        let Self { run, space, h, evaluation, buckets } = self;
        let mut duplicates = D::take(run.tables, space, meter)?;
        let start = space.encode(run.problem.start());
        let found = &mut duplicates;
        let outcome = if buckets {
            best_first(space, h, evaluation, &start, found, Buckets::default(), meter)
        } else {
            best_first(space, h, evaluation, &start, found, Heap::default(), meter)
        };
        duplicates.give(run.tables, space);
        Ok(outcome)
    }
}
