//! Calls that search on one board.

use std::ops::ControlFlow;

use loyd::batch::Record;
use loyd::moves::Metric;
use loyd::notation::{Notation, Style, moves_to_string};
use loyd::search::{Observer, Quality, Status};
use loyd::study::ReviewError;
use loyd::{Config, Goal, Move, Problem, Solver};

use crate::answers::{ExplainAnswer, HintAnswer, OptimizeAnswer};
use crate::fault::Fault;
use crate::progress::{Listener, Watcher};
use crate::review::{ReviewAnswer, Reviews};
use crate::work::{Work, json};

/// Default limit on the number of shortest solutions collected.
const SOLUTIONS: u32 = 1000;

/// Solves a board.
pub fn solve(work: &Work<'_>, listener: Listener<'_>) -> Result<String, Fault> {
    let problem = work.request.problem()?;
    let config = work.config_on(problem.start().size())?;
    if work.request.all == Some(true) {
        return solve_all(work, &problem, config, listener);
    }
    let solver = work.solver_with(config)?;
    let mut watcher = watcher_if_any(work, listener);
    let report = solver.solve_watched(&problem, work.cancel, observer(&mut watcher))?;
    Ok(line(&Record::from(&report)))
}

/// Returns a watcher if there is a listener. A solver finds a first solution for an observer, which delays the answer.
fn watcher_if_any<'a>(work: &Work<'_>, listener: Listener<'a>) -> Option<Watcher<'a>> {
    listener.is_some().then(|| work.watcher(listener))
}

fn observer<'a>(watcher: &'a mut Option<Watcher<'_>>) -> Option<&'a mut dyn Observer> {
    watcher.as_mut().map(|watcher| watcher as &mut dyn Observer)
}

/// Finds all shortest solutions.
fn solve_all(
    work: &Work<'_>,
    problem: &Problem,
    config: Config,
    listener: Listener<'_>,
) -> Result<String, Fault> {
    // A solution that may not be shortest has no alternatives to collect.
    let quality = config.quality.filter(|&quality| quality != Quality::Auto);
    let solver = work.solver_with(Config { quality, ..config })?;
    let most = work.request.max_solutions.unwrap_or(SOLUTIONS);
    let most = Work::at_most("max_solutions", most, work.limits.solutions)? as usize;
    let mut answers = Vec::new();
    let visit = |moves: &[Move]| {
        if answers.len() == most {
            return ControlFlow::Break(());
        }
        answers.push(moves_to_string(moves));
        ControlFlow::Continue(())
    };
    let mut watcher = work.watcher(listener);
    let all = solver.all_shortest(problem, work.cancel, Some(&mut watcher), visit)?;
    // The search found one solution beyond the limit, which `answers` does not include.
    let count = Some(answers.len() as u128);
    let (answers, complete) = (Some(answers), Some(all.complete));
    Ok(line(&Record { answers, count, complete, ..Record::from(&all.report) }))
}

/// Converts a record to a JSON object.
fn line(record: &Record) -> String {
    let mut line = Vec::new();
    record.write_json_line(&mut line);
    line.pop();
    String::from_utf8(line).expect("JSON is UTF-8")
}

/// Explains a board.
pub fn explain(work: &Work<'_>, listener: Listener<'_>) -> Result<String, Fault> {
    let problem = work.request.problem()?;
    let solver = work.solver()?;
    let mut watcher = work.watcher(listener);
    let explanation = solver.explain(&problem, work.cancel, Some(&mut watcher))?;
    json(&ExplainAnswer::new(&problem, &explanation))
}

/// Finds the best next move.
pub fn hint(work: &Work<'_>, listener: Listener<'_>) -> Result<String, Fault> {
    let problem = work.request.problem()?;
    let solver = work.solver()?;
    let mut watcher = watcher_if_any(work, listener);
    let hint = solver.hint(&problem, work.cancel, observer(&mut watcher))?;
    match hint.report.status {
        Status::Stopped(stop) if hint.report.moves.is_none() => {
            Err(Fault::stopped(format!("no solution was found: {stop}")))
        }
        _ => json(&HintAnswer::new(&problem, &hint)),
    }
}

/// Finds where moves were wasted.
pub fn review(work: &Work<'_>, mut listener: Listener<'_>) -> Result<String, Fault> {
    let problem = work.request.problem()?;
    let read = work.request.moves(&problem)?;
    read.apply_to(problem.start()).map_err(work.fault_in("moves"))?;
    let moves = read.moves;
    let length = Work::at_most("moves", moves.len(), work.limits.moves)? as u64;
    let metrics = match work.request.metric {
        Some(_) => vec![work.request.metric()?],
        None => Metric::ALL.to_vec(),
    };
    let mut best: Option<Vec<Move>> = None;
    let mut reviews = Vec::new();
    for &metric in &metrics {
        // Each board along the moves is searched.
        let config = Config { metric, boards: Some(length.max(1)), ..work.config()? };
        let solver = work.solver_of(config, metrics.len() as u32)?;
        let mut watcher = work.watcher(listener.as_mut().map(|listen| &mut **listen as _));
        match solver.review(&problem, &moves, work.cancel, Some(&mut watcher)) {
            Ok(mut review) => {
                // The best solution in the other metric may also be better in this one.
                if let Some(best) = &best {
                    review.offer_solution(best);
                }
                best = Some(review.best.clone());
                reviews.push(ReviewAnswer::new(&problem, &review, read.notation));
            }
            Err(ReviewError::Unsolvable) => {
                reviews.push(ReviewAnswer::unsolvable(&problem, metric, read.notation));
            }
            Err(ReviewError::Config(error)) => return Err(error.into()),
            Err(error) => return Err(Fault::stopped(error.to_string())),
        }
    }
    json(&Reviews { reviews })
}

/// Shortens moves.
pub fn optimize(work: &Work<'_>, listener: Listener<'_>) -> Result<String, Fault> {
    let board = work.request.board()?;
    let read = work.request.moves(&Problem::new(board.clone(), &Goal::BlankLast)?)?;
    read.apply_to(&board).map_err(work.fault_in("moves"))?;
    Work::at_most("moves", read.moves.len(), work.limits.moves)?;
    let notation = match work.request.to.as_deref() {
        Some(name) => {
            name.parse::<Notation>().map_err(|error| Fault::of("to", error.to_string()))?
        }
        None => read.notation,
    };
    let solver: Solver = work.solver()?;
    let mut watcher = work.watcher(listener);
    let found = solver.optimize(&board, &read.moves, None, work.cancel, Some(&mut watcher));
    let found = found.map_err(|error| Fault::of("moves", error.to_string()))?;
    let answer = OptimizeAnswer::new(&board, &found, Style { notation, runs: false });
    json(&answer.map_err(|error| Fault::of("to", error.to_string()))?)
}
