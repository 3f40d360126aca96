//! One attempt to solve a problem, and its report.

use loyd_heuristics::pdb::maximum::FAR;
use loyd_search::{CancelToken, Cost, Direction, Limits, Meter, Observer, Outcome, Stats, Stop};
use loyd_tiles::notation::moves_to_string;
use loyd_tiles::{Move, Solvability};

use crate::algorithms::{Finished, Guarantee, Plan, ReverseProblem, Run};
use crate::config::Config;
use crate::heuristics::{PDB_MAX, Stage, catalogue};
use crate::problem::Problem;
use crate::report::{Report, Status};

/// Returns a meter that counts a search and enforces `limits`, by the clock of `config`.
pub(crate) fn meter<'o>(
    config: &Config,
    limits: Limits,
    cancel: &CancelToken,
    observer: Option<&'o mut dyn Observer>,
) -> Meter<'o> {
    let meter = Meter::with_clock(config.clock, limits, cancel.clone());
    match observer {
        Some(observer) => meter.with_observer(observer),
        None => meter,
    }
}

/// The result of an attempt to solve a problem.
pub(crate) struct Attempt<'a> {
    pub status: Status,
    pub moves: Option<Vec<Move>>,
    /// The stage whose heuristic the search used last, if it used one.
    pub stage: Option<&'a Stage>,
}

/// Returns the result of a problem that needs no search: unsolvable by parity, or solved already.
pub(crate) fn trivial_result(
    config: &Config,
    problem: &Problem,
) -> Option<(Status, Option<Vec<Move>>)> {
    if config.parity_check && !Solvability::is_reachable(problem.start(), problem.goal()) {
        return Some((Status::Unsolvable, None));
    }
    problem.is_solved_by(problem.start()).then(|| (Status::Solved, Some(Vec::new())))
}

/// Runs the algorithm of the plan, unless the problem needs no search.
pub(crate) fn attempt<'a>(run: &Run<'a>, meter: &mut Meter<'_>) -> Attempt<'a> {
    attempt_by(run, meter, |meter| (run.plan.algorithm.run)(run, meter))
}

/// Like [`attempt`], but runs `search`, another form of the algorithm.
pub(crate) fn attempt_by<'a>(
    run: &Run<'a>,
    meter: &mut Meter<'_>,
    search: impl FnOnce(&mut Meter<'_>) -> Result<Finished<'a>, Stop>,
) -> Attempt<'a> {
    if let Some((status, moves)) = trivial_result(run.config, run.problem) {
        return Attempt { status, moves, stage: None };
    }
    let finished = start(run, meter).and_then(|()| search(meter));
    let (outcome, stage) = match finished {
        Ok(finished) => (finished.outcome, finished.stage),
        Err(stop) => (Outcome::Stopped(stop), None),
    };
    if let Outcome::Solved { path, .. } = &outcome {
        report_solution(run.plan, path, meter);
    }
    let (status, moves) = match outcome {
        Outcome::Solved { path, .. } => (Status::Solved, Some(path)),
        Outcome::Exhausted => (Status::Exhausted, None),
        Outcome::Stopped(stop) => (Status::Stopped(stop), None),
    };
    Attempt { status, moves, stage }
}

/// Returns the value of the start by the heuristic that the search used last. Returns `None` if the search used no
/// heuristic, if its tables have been evicted, or if the heuristic finds no path to the goal.
pub(crate) fn estimate(run: &Run<'_>, attempt: &Attempt<'_>) -> Option<Cost> {
    let counts_moves = run.plan.costs.is_none();
    let stage = attempt.stage.filter(|_| run.plan.algorithm.uses_heuristic && counts_moves)?;
    let board_tables = run.reverse.and_then(ReverseProblem::board_tables);
    let stage = board_tables
        .filter(|tables| tables.direction == Direction::Forward)
        .map_or(stage, |tables| &tables.stage);
    let heuristic = match stage.made() {
        Some(heuristic) => heuristic,
        // A search that chooses its direction builds its own heuristic from the tables. Tables that have been evicted
        // since are not built again.
        None => {
            let is_loaded = catalogue(Some(stage)).is_some_and(|key| run.tables.holds(key));
            let make = || stage.heuristic(&run.setting(), run.tables, &mut Meter::default()).ok();
            is_loaded.then(make)??
        }
    };
    let start = run.problem.start();
    let value = heuristic.value(&run.plan.space, start);
    (stage.heuristic.name != PDB_MAX.name || value < FAR.into()).then_some(value)
}

/// Reports the first stage to the observer, and sets whether the meter proves a lower bound.
fn start(run: &Run<'_>, meter: &mut Meter<'_>) -> Result<(), Stop> {
    let proves = run.plan.proves_shortest();
    meter.set_bounds_are_proven(proves);
    let with = run.stages.first().map_or(run.plan.algorithm.name, |stage| stage.heuristic.name);
    meter.enter_stage(if proves { "proving" } else { "searching" }, Some(with))
}

/// Reports the solution to the observer. The search is over, so a request to stop is ignored.
fn report_solution(plan: &Plan, path: &[Move], meter: &mut Meter<'_>) {
    let cost = plan.metric().length(path) as Cost;
    let result = meter.report_incumbent(cost, || moves_to_string(path));
    if result.is_ok() && plan.proves_shortest() {
        let _ = meter.raise_lower_bound(cost);
    }
}

/// Returns the report of an attempt.
pub(crate) fn report(problem: &Problem, plan: &Plan, attempt: Attempt<'_>, stats: Stats) -> Report {
    let Attempt { status, moves, stage } = attempt;
    let algorithm = plan.algorithm;
    let weighted = algorithm.guarantee == Guarantee::WithinWeight;
    Report {
        optimal: moves.as_ref().is_some_and(|moves| plan.proves_shortest() || moves.is_empty()),
        within: moves.as_ref().filter(|_| weighted && plan.admissible).map(|_| plan.weight),
        heuristic: algorithm
            .uses_heuristic
            .then(|| stage.map_or(plan.heuristic, |stage| stage.heuristic).name),
        tables: stage.and_then(|stage| Some(stage.tables.as_ref()?.name())),
        weight: weighted.then_some(plan.weight),
        closed: algorithm.uses_closed.then_some(plan.closed),
        prune: plan.prune_in(stage),
        ..Report::of(problem, (status, moves), (algorithm.name, plan.metric()), stats)
    }
}

/// Completes the report of a search that could run backward: names the board-specific tables if some were chosen, or
/// the tables of the reverse problem if the search ran backward.
pub(crate) fn with_direction_tables(report: Report, reverse: Option<&ReverseProblem>) -> Report {
    let Some(reverse) = reverse.filter(|_| report.tables.is_some()) else { return report };
    let stage = match (reverse.board_tables(), report.stats.direction) {
        (Some(tables), _) => Some(&tables.stage),
        (None, Some(Direction::Backward)) => reverse.plan.stages.last(),
        (None, _) => None,
    };
    match stage.and_then(|stage| stage.tables.as_ref()) {
        Some(tables) => Report { tables: Some(tables.name()), ..report },
        None => report,
    }
}
