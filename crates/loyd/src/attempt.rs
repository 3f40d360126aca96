//! One attempt at a problem, and its report.

use loyd_heuristics::pdb::maximum::FAR;
use loyd_search::{CancelToken, Cost, Direction, Limits, Meter, Observer, Outcome, Stats, Stop};
use loyd_tiles::notation::moves_to_string;
use loyd_tiles::{Move, Relabelling, Solvability};

use crate::algorithms::{Back, Finished, Guarantee, Plan, Run};
use crate::config::Config;
use crate::heuristics::{PDB_MAX, Stage, catalogue};
use crate::problem::Problem;
use crate::report::{Report, Status};

/// What counts and limits a search, by the clock of `config`.
pub(crate) fn meter<'o>(
    config: &Config,
    limits: Limits,
    cancel: &CancelToken,
    observer: Option<&'o mut dyn Observer>,
) -> Meter<'o> {
    let meter = Meter::timed_by(config.clock, limits, cancel.clone());
    match observer {
        Some(observer) => meter.observed_by(observer),
        None => meter,
    }
}

/// How an attempt at a problem ended.
pub(crate) struct Attempt<'a> {
    pub status: Status,
    pub moves: Option<Vec<Move>>,
    /// The stage that led the search in the end, if it used a heuristic.
    pub stage: Option<&'a Stage>,
}

/// What needs no search: boards that parity forbids, and those that are solved.
pub(crate) fn settled(config: &Config, problem: &Problem) -> Option<(Status, Option<Vec<Move>>)> {
    let goal = Relabelling::new(problem.goal());
    if config.parity_check && !Solvability::test(problem.start(), &goal) {
        return Some((Status::Unsolvable, None));
    }
    problem.is_solved_by(problem.start()).then(|| (Status::Solved, Some(Vec::new())))
}

/// Runs the algorithm where something is left to do.
pub(crate) fn attempt<'a>(run: &Run<'a>, meter: &mut Meter<'_>) -> Attempt<'a> {
    attempt_by(run, meter, |meter| (run.plan.algorithm.run)(run, meter))
}

/// The same by `search`, another form of the algorithm.
pub(crate) fn attempt_by<'a>(
    run: &Run<'a>,
    meter: &mut Meter<'_>,
    search: impl FnOnce(&mut Meter<'_>) -> Result<Finished<'a>, Stop>,
) -> Attempt<'a> {
    if let Some((status, moves)) = settled(run.config, run.problem) {
        return Attempt { status, moves, stage: None };
    }
    let finished = begin(run, meter).and_then(|()| search(meter));
    let (outcome, stage) = match finished {
        Ok(finished) => (finished.outcome, finished.stage),
        Err(stop) => (Outcome::Stopped(stop), None),
    };
    if let Outcome::Solved { path, .. } = &outcome {
        tell_solution(run.plan, path, meter);
    }
    let (status, moves) = match outcome {
        Outcome::Solved { path, .. } => (Status::Solved, Some(path)),
        Outcome::Exhausted => (Status::Exhausted, None),
        Outcome::Stopped(stop) => (Status::Stopped(stop), None),
    };
    Attempt { status, moves, stage }
}

/// The value for the start of the heuristic that led the search in the end, if there was one, and it found a way.
pub(crate) fn estimate(run: &Run<'_>, attempt: &Attempt<'_>) -> Option<Cost> {
    let stage = attempt.stage.filter(|_| run.plan.algorithm.uses_heuristic)?;
    let fitted = run.back.and_then(Back::fitted);
    let stage = fitted
        .filter(|fitted| fitted.direction == Direction::Forward)
        .map_or(stage, |fitted| &fitted.stage);
    let heuristic = match stage.made() {
        Some(heuristic) => heuristic,
        // A search that may begin at either end makes its own, of tables that are still there. Others are not made now.
        None => {
            let is_there = catalogue(Some(stage)).is_some_and(|key| run.tables.holds(key));
            let make = || stage.heuristic(&run.setting(), run.tables, &mut Meter::default()).ok();
            is_there.then(make)??
        }
    };
    let start = run.problem.start();
    let value = heuristic.value(&run.plan.space, start);
    (stage.heuristic.name != PDB_MAX.name || value < FAR.into()).then_some(value)
}

/// Tells the observer what will be done, and the meter whether that proves anything.
fn begin(run: &Run<'_>, meter: &mut Meter<'_>) -> Result<(), Stop> {
    let proves = run.plan.proves_shortest();
    meter.proving(proves);
    let with = run.stages.first().map_or(run.plan.algorithm.name, |stage| stage.heuristic.name);
    meter.stage(if proves { "proving" } else { "searching" }, Some(with))
}

/// Tells the observer of the solution, which it cannot stop any more.
fn tell_solution(plan: &Plan, path: &[Move], meter: &mut Meter<'_>) {
    let cost = plan.metric().length(path) as Cost;
    let told = meter.incumbent(cost, || moves_to_string(path));
    if told.is_ok() && plan.proves_shortest() {
        let _ = meter.at_least(cost);
    }
}

/// The report of an attempt.
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

/// The report of a search that could go `back` from the goal: with the tables there, if it did, or with those that were
/// chosen for the board.
pub(crate) fn of_either_end(report: Report, back: Option<&Back>) -> Report {
    let Some(back) = back.filter(|_| report.tables.is_some()) else { return report };
    let stage = match (back.fitted(), report.stats.direction) {
        (Some(fitted), _) => Some(&fitted.stage),
        (None, Some(Direction::Backward)) => back.plan.stages.last(),
        (None, _) => None,
    };
    match stage.and_then(|stage| stage.tables.as_ref()) {
        Some(tables) => Report { tables: Some(tables.name()), ..report },
        None => report,
    }
}
