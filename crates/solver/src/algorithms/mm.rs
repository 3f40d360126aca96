//! `mm`, the bidirectional search that meets in the middle.
//!
//! The backward search needs estimates of the distance from the start. They come from the same heuristic, made for the
//! reverse problem: a space whose goal is the start.

use loyd_search::{
    AnyFrontier, Cost, FrontierKind, Heuristic, IncrementalHeuristic, Meter, NoTracer, Outcome,
    SideLists, Stop, Tracer, mm_traced,
};
use loyd_tiles::{BoardSpace, Move};

use super::row::{Algorithm, Finished, Guarantee, Plan, Run};
use crate::choices::TableChoice;
use crate::config::Config;
use crate::heuristics::AnyHeuristic::{self, Small};
use crate::heuristics::{HeuristicRow, MATRIX, Setting, Stage};
use crate::problem::Problem;
use crate::space::{AnySpace, ForGoal, in_moves, in_plain_space, in_space};

pub(super) static MM: Algorithm = Algorithm {
    name: "mm",
    summary: "A* from start and goal at once; the two searches meet in the middle",
    guarantee: Guarantee::OptimalIfAdmissible,
    uses_heuristic: true,
    uses_closed: true,
    memory: "every state generated from either side",
    source: "Holte and others 2016",
    run: |run, meter| {
        with_heuristics(run, meter, |heuristics, meter| {
            in_space!(&run.plan.space, space => search_in(run, space, heuristics, (meter, NoTracer)))
        })
    },
    trace: |run, meter, watch| {
        with_heuristics(run, meter, |heuristics, meter| {
            in_plain_space!(run, space => {
                search_in(run, space, heuristics, (meter, run.tracer(space, watch)))
            })
        })
    },
    ..Algorithm::DEFAULT
}
.registered();

/// The forward heuristic, the reverse problem, and the heuristic for that problem.
type BothHeuristics<'a> = (&'a AnyHeuristic, &'a Problem, &'a AnyHeuristic);

/// Runs `search` with the heuristic of the last stage and its counterpart for the reverse problem.
fn with_heuristics<'a>(
    run: &Run<'a>,
    meter: &mut Meter<'_>,
    search: impl FnOnce(BothHeuristics<'_>, &mut Meter<'_>) -> Result<Outcome<Move>, Stop>,
) -> Result<Finished<'a>, Stop> {
    let stage = run.plan.stages.last();
    let outcome =
        stage.map_or(Ok(Outcome::Exhausted), |stage| with_stage(run, stage, meter, search));
    Ok(Finished { outcome: outcome.unwrap_or_else(Outcome::Stopped), stage })
}

fn with_stage(
    run: &Run<'_>,
    stage: &Stage,
    meter: &mut Meter<'_>,
    search: impl FnOnce(BothHeuristics<'_>, &mut Meter<'_>) -> Result<Outcome<Move>, Stop>,
) -> Result<Outcome<Move>, Stop> {
    let problem = run.problem.reversed();
    let space = AnySpace::new(&problem, run.plan.metric());
    let last = last_stage(stage.heuristic, &space, run.config);
    let plan = Plan { space, stages: Vec::new(), costs: None, ..*run.plan };
    let reverse = Run { problem: &problem, plan: &plan, ..*run };
    let to_goal = run.checked_heuristic(stage, meter)?;
    let to_start = if meter.table_bytes() == 0 || shares_tables(run.problem, [stage, &last]) {
        reverse.checked_heuristic(&last, meter)?
    } else {
        reverse.additional_heuristic(&last, meter)?
    };
    search((to_goal, &problem, to_start), meter)
}

/// Returns the last stage of `row` for the goal of `space`. Falls back to the default tables if the specified tables do
/// not suit the blank's cell in that goal.
fn last_stage(row: &'static HeuristicRow, space: &AnySpace, config: &Config) -> Stage {
    let last = |config: &Config| (row.stages)(row, &Setting { space, config }).ok()?.pop();
    let default_tables = || Config { tables: TableChoice::Auto, ..config.clone() };
    last(config).or_else(|| last(&default_tables())).unwrap_or_else(|| Stage::last(row, None))
}

/// Returns whether both directions use the same tables. For complete goals, tables depend on the blank's cell only.
fn shares_tables(problem: &Problem, stages: [&Stage; 2]) -> bool {
    let [ours, theirs] = stages.map(|stage| stage.tables.as_ref());
    let same_blank = problem.start().blank() == problem.goal().blank();
    ours.is_some() && ours == theirs || same_blank && problem.partial_goal().is_none()
}

fn search_in<S: ForGoal>(
    run: &Run<'_>,
    space: &S,
    (to_goal, exchanged, to_start): BothHeuristics<'_>,
    (meter, tracer): (&mut Meter<'_>, impl Tracer<S>),
) -> Result<Outcome<Move>, Stop> {
    let (start, reverse_space) = (space.encode(run.problem.start()), S::for_goal(exchanged));
    // Priorities are small integers unless a user-supplied matrix has large entries.
    let large = run.plan.heuristic.name == MATRIX.name;
    let open = || AnyFrontier::new(if large { FrontierKind::Heap } else { run.plan.open });
    let mut forward_list = run.closed_list(space, meter)?;
    let mut backward_list = run.closed_list(space, meter)?;
    let forward = SideLists { closed: &mut forward_list, frontier: open() };
    let backward = SideLists { closed: &mut backward_list, frontier: open() };
    let outcome = match (to_goal, to_start) {
        (Small(to_goal), Small(heuristic)) => {
            let to_start = TowardsStart { space: &reverse_space, heuristic };
            mm_traced(space, &start, (to_goal, forward), (&to_start, backward), (meter, tracer))
        }
        (to_goal, heuristic) => {
            let to_start = TowardsStart { space: &reverse_space, heuristic };
            mm_traced(space, &start, (to_goal, forward), (&to_start, backward), (meter, tracer))
        }
    };
    run.tables.give_back(forward_list, space);
    run.tables.give_back(backward_list, space);
    Ok(in_moves::<S>(outcome))
}

/// Estimates the distance from the start for nodes of the forward space. The memo holds the node's state in the reverse
/// space too, so that it need not be converted for each child.
struct TowardsStart<'a, S, H> {
    /// The space of the reverse problem, whose goal is the start.
    space: &'a S,
    /// A heuristic for that space.
    heuristic: &'a H,
}

impl<S: BoardSpace, H: IncrementalHeuristic<S>> Heuristic<S> for TowardsStart<'_, S, H> {
    fn h(&self, space: &S, state: &S::State) -> Cost {
        self.heuristic.h(self.space, &converted(space, state, self.space))
    }
}

impl<S: BoardSpace, H: IncrementalHeuristic<S>> IncrementalHeuristic<S> for TowardsStart<'_, S, H> {
    type Memo = (S::Key, H::Memo);

    fn memo(&self, space: &S, state: &S::State) -> Self::Memo {
        let state = converted(space, state, self.space);
        (self.space.pack(&state), self.heuristic.memo(self.space, &state))
    }

    fn update(
        &self,
        _: &S,
        (parent, memo): Self::Memo,
        _: &S::State,
        action: S::Action,
        _: &S::State,
    ) -> Self::Memo {
        let parent = self.space.unpack(parent);
        let child = self.space.successor(&parent, action);
        let memo = self.heuristic.update(self.space, memo, &parent, action, &child);
        (self.space.pack(&child), memo)
    }

    fn value(&self, (_, memo): &Self::Memo) -> Cost {
        self.heuristic.value(memo)
    }
}

/// Converts a state of `space` to the space of the reverse problem.
fn converted<S: BoardSpace>(space: &S, state: &S::State, towards_start: &S) -> S::State {
    towards_start.encode(&space.decode(state))
}
