//! `mm`.
//!
//! Towards the start, boards are estimated as if start and goal had changed roles: by the same heuristic,
//! made for a space whose goal is the start.

use loyd_search::{
    AnyFrontier, Cost, Half, Heuristic, IncrementalHeuristic, Meter, OpenList, Outcome, Stop,
    Tracer, Untraced, mm_traced,
};
use loyd_tiles::{Board, BoardSpace, Move};

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
    memory: "every state met from either side",
    source: "Holte and others 2016",
    run: |run, meter| {
        with_heuristics(run, meter, |led, meter| {
            in_space!(&run.plan.space, space => search_in(run, space, led, (meter, Untraced)))
        })
    },
    trace: |run, meter, watch| {
        with_heuristics(run, meter, |led, meter| {
            in_plain_space!(run, space => {
                search_in(run, space, led, (meter, run.tracer(space, watch)))
            })
        })
    },
    ..Algorithm::PLAIN
}
.registered();

/// What leads the two searches: a heuristic, and another one for the problem with its boards exchanged.
type Led<'a> = (&'a AnyHeuristic, &'a Problem, &'a AnyHeuristic);

/// Does `search` with the heuristic of the last stage, and with the same one towards the start.
fn with_heuristics<'a>(
    run: &Run<'a>,
    meter: &mut Meter<'_>,
    search: impl FnOnce(Led<'_>, &mut Meter<'_>) -> Result<Outcome<Move>, Stop>,
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
    search: impl FnOnce(Led<'_>, &mut Meter<'_>) -> Result<Outcome<Move>, Stop>,
) -> Result<Outcome<Move>, Stop> {
    let problem = run.problem.exchanged();
    let space = AnySpace::new(&problem, run.plan.metric());
    let last = last_stage(stage.heuristic, &space, run.config);
    let plan = Plan { space, stages: Vec::new(), ..*run.plan };
    let back = Run { problem: &problem, plan: &plan, ..*run };
    let to_goal = run.checked_heuristic(stage, meter)?;
    let to_start = if meter.table_bytes() == 0 || shares_tables(run.problem, [stage, &last]) {
        back.checked_heuristic(&last, meter)?
    } else {
        back.heuristic_beside(&last, meter)?
    };
    search((to_goal, &problem, to_start), meter)
}

/// The last stage of `row` for the goal of `space`. Tables that were asked for by cells where the blank
/// belongs now are replaced by those that are made when nothing is said.
fn last_stage(row: &'static HeuristicRow, space: &AnySpace, config: &Config) -> Stage {
    let last = |config: &Config| (row.stages)(row, &Setting { space, config }).ok()?.pop();
    let unsaid = || Config { tables: TableChoice::Auto, ..config.clone() };
    last(config).or_else(|| last(&unsaid())).unwrap_or_else(|| Stage::last(row, None))
}

/// Whether the same tables serve both directions. Of complete goals, tables depend on the blank's cell alone.
fn shares_tables(problem: &Problem, stages: [&Stage; 2]) -> bool {
    let [ours, theirs] = stages.map(|stage| stage.tables.as_ref());
    let same_blank = problem.start().blank() == problem.goal().blank();
    ours.is_some() && ours == theirs || same_blank && problem.partial_goal().is_none()
}

fn search_in<S: ForGoal>(
    run: &Run<'_>,
    space: &S,
    (to_goal, exchanged, to_start): Led<'_>,
    (meter, tracer): (&mut Meter<'_>, impl Tracer<S>),
) -> Result<Outcome<Move>, Stop> {
    let (start, back) = (space.encode(run.problem.start()), S::for_goal(exchanged));
    // Priorities are small whole numbers unless the user's matrix has other ones.
    let large = run.plan.heuristic.name == MATRIX.name;
    let open = || AnyFrontier::new(if large { OpenList::Heap } else { run.plan.open });
    let mut ahead = run.closed_list(space, meter)?;
    let mut behind = run.closed_list(space, meter)?;
    let forward = Half { closed: &mut ahead, frontier: open() };
    let backward = Half { closed: &mut behind, frontier: open() };
    let outcome = match (to_goal, to_start) {
        (Small(to_goal), Small(heuristic)) => {
            let to_start = TowardsStart { space: &back, heuristic };
            mm_traced(space, &start, (to_goal, forward), (&to_start, backward), (meter, tracer))
        }
        (to_goal, heuristic) => {
            let to_start = TowardsStart { space: &back, heuristic };
            mm_traced(space, &start, (to_goal, forward), (&to_start, backward), (meter, tracer))
        }
    };
    run.tables.give_back(ahead, space);
    run.tables.give_back(behind, space);
    Ok(in_moves::<S>(outcome))
}

/// Estimates the distance from the start, in the space of another goal: nodes also keep their board as it is
/// in the space whose goal is the start.
struct TowardsStart<'a, S, H> {
    /// The space whose goal is the start.
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

/// A state of `space` in the space whose goal is the start.
fn converted<S: BoardSpace>(space: &S, state: &S::State, towards_start: &S) -> S::State {
    let (size, blank) = (space.size(), space.blank(state));
    let tile = |cell| match cell {
        cell if cell == blank => 0,
        cell => u32::from(space.relabelling().tile(space.label(state, cell)).number()),
    };
    let mut tiles: Vec<u32> = size.iter_cells().map(tile).collect();
    // Tiles that share a label may be told apart in any way.
    let missing = (0..size.cells() as u32).filter(|number| !tiles.contains(number));
    let mut missing: Vec<u32> = missing.collect();
    for index in 0..tiles.len() {
        if tiles[..index].contains(&tiles[index]) {
            tiles[index] = missing.pop().expect("for each repeated tile one is missing");
        }
    }
    towards_start.encode(&Board::new(size, &tiles).expect("each tile is there once"))
}
