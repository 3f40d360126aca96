//! Checks what a record claims about its board, without a search.

use anyhow::{Context, anyhow, bail, ensure};
use loyd::board::Solvability;
use loyd::moves::Metric;
use loyd::notation::parse_moves;
use loyd::{Board, Move, Problem};
use serde_json::Value;

use crate::input::recorded_problem;

/// Returns the problem of a record.
///
/// # Errors
/// Returns an error if its board or its goal is invalid.
pub fn problem(record: &Value) -> anyhow::Result<Problem> {
    let text = |name: &str| record[name].as_str().with_context(|| format!("it has no `{name}`"));
    let problem = recorded_problem(text("board")?, text("goal")?);
    problem.map_err(|failure| anyhow!("{}", failure.to_line()))
}

/// Replays the solutions of a record of `problem`, and checks the fields that follow from them. Returns the moves of the
/// first, if the record has any.
///
/// # Errors
/// Returns an error that names the first claim that is wrong.
pub fn check(problem: &Problem, record: &Value) -> anyhow::Result<Option<Vec<Move>>> {
    let length = &record["length"];
    let answers = record["answers"].as_array();
    for answer in answers.into_iter().flatten() {
        let (_, own) = replay(problem, record, answer)?;
        ensure!(*length == own, "an answer has {own} moves, not {length}");
    }
    let moves = &record["moves"];
    if !moves.is_null() {
        let (moves, own) = replay(problem, record, moves)?;
        ensure!(*length == own, "`length` is {length}, but the solution has {own} moves");
        let (least, optimal) = (record["lower_bound"].as_u64(), record["optimal"] == true);
        let is_possible = least.is_none_or(|least| least <= own as u64);
        ensure!(is_possible, "`lower_bound` is larger than the length of the solution");
        let is_proved = least.is_none_or(|least| least == own as u64);
        ensure!(!optimal || is_proved, "`optimal` is true, but `lower_bound` is not the length");
        let undoes = moves.windows(2).any(|pair| pair[1] == pair[0].inverse());
        ensure!(!optimal || !undoes, "`optimal` is true, but one of the moves takes back another");
        let status = &record["status"];
        ensure!(
            *status == "solved" || *status == "stopped",
            "`status` is {status}, but it has a solution"
        );
        return Ok(Some(moves));
    }
    match record["status"].as_str() {
        Some("unsolvable" | "exhausted") => {
            ensure!(length.is_null(), "it has a length, but no solution");
            ensure!(!is_solvable(problem), "the board can be solved");
        }
        Some("stopped" | "refused" | "failed") => {}
        // The number of the shortest solutions is counted without their moves.
        Some("solved") if !record["count"].is_null() => {}
        _ => bail!("it has no solution"),
    }
    Ok(None)
}

/// Returns the moves of a solution, and their number in the metric of the record.
fn replay(problem: &Problem, record: &Value, moves: &Value) -> anyhow::Result<(Vec<Move>, usize)> {
    let metric: Option<Metric> = record["metric"].as_str().and_then(|name| name.parse().ok());
    let metric = metric.context("it has no `metric`: stm or mtm")?;
    let moves = parse_moves(moves.as_str().context("its moves are not text")?);
    let moves = moves.map_err(|error| anyhow!("its moves are not moves ({error})"))?;
    check_solves(problem, &moves)?;
    let length = metric.length(&moves);
    Ok((moves, length))
}

/// Checks that `moves` solve the board.
///
/// # Errors
/// Returns an error if one is illegal, or if they do not end at the goal.
pub fn check_solves(problem: &Problem, moves: &[Move]) -> anyhow::Result<()> {
    let mut end = problem.start().clone();
    ensure!(end.walk(moves).is_ok(), "a move is illegal");
    ensure!(problem.is_solved_by(&end), "its moves do not solve the board");
    Ok(())
}

/// Checks that a solution of the board can have a length: by its parity, and by the distances of the tiles from their
/// goals.
///
/// # Errors
/// Returns an error if it cannot.
pub fn check_length(problem: &Problem, metric: Metric, length: usize) -> anyhow::Result<()> {
    let is_solved = problem.is_solved_by(problem.start());
    let mut is_possible = is_solvable(problem) && (length == 0) == is_solved;
    if metric == Metric::SingleTile && problem.partial_goal().is_none() {
        let (start, goal) = (problem.start(), problem.goal());
        let apart = start.size().distance(start.blank(), goal.blank());
        is_possible &= length % 2 == apart as usize % 2;
        is_possible &= length >= manhattan(start, goal);
    }
    ensure!(is_possible, "a solution of the board cannot have {length} moves");
    Ok(())
}

/// Returns the sum of the distances of the tiles from their goals.
fn manhattan(start: &Board, goal: &Board) -> usize {
    let mut goals = vec![goal.blank(); start.size().cells()];
    goal.size().iter_cells().for_each(|cell| goals[goal.tile(cell).index()] = cell);
    let tiles = start.size().iter_cells().filter(|&cell| cell != start.blank());
    tiles.map(|cell| start.size().distance(cell, goals[start.tile(cell).index()]) as usize).sum()
}

/// Returns whether the board can reach the goal.
pub fn is_solvable(problem: &Problem) -> bool {
    Solvability::is_reachable(problem.start(), problem.goal())
}
