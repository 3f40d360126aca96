//! Pairs of searches find solutions of the same length: on random boards of all sizes that have tables, in both
//! metrics.
//!
//! CI runs a few boards of some sizes; `cargo xtask agree` runs a thousand boards of each size.

use std::env;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use loyd::moves::Metric;
use loyd::scramble::{Random, random_board, random_walk};
use loyd::{Board, CancelToken, Config, Goal, Problem, Size, Solver};

/// Returns the number of boards per size.
fn boards() -> usize {
    env::var("LOYD_AGREE").map_or(6, |text| text.parse().expect("LOYD_AGREE must be a number"))
}

/// Solves and replays `problems`, and returns the lengths of the solutions.
fn lengths(problems: &[Problem], metric: Metric, (algorithm, heuristic): Search) -> Vec<usize> {
    let config = Config {
        metric,
        algorithm: Some(algorithm),
        heuristic: (!heuristic.is_empty()).then(|| heuristic.into()),
        boards: Some(problems.len() as u64),
        ..Config::default()
    };
    let (solver, mut lengths) = (Solver::new(config).unwrap(), Vec::new());
    let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    solver.solve_all(problems.iter().cloned(), threads, &CancelToken::new(), |report| {
        let report = report.unwrap();
        let start = report.problem.start();
        let mut board = start.clone();
        let moves = report.moves.as_ref().unwrap_or_else(|| panic!("no solution of {start}"));
        moves.iter().for_each(|&m| board.apply(m).unwrap());
        assert!(report.problem.is_solved_by(&board) && report.optimal, "{start}");
        lengths.push(report.length().unwrap());
        ControlFlow::Continue(())
    });
    lengths
}

/// The names of an algorithm and a heuristic.
type Search = (&'static str, &'static str);

/// Checks that two searches find the same lengths on boards of `size`, after a walk of `walk` moves from the goal, or
/// drawn uniformly for `None`.
fn check(size: &str, walk: Option<usize>, metric: Metric, one: Search, other: Search) {
    let size: Size = size.parse().unwrap();
    let mut random = Random::new(size.cells() as u64);
    let draw = |number: usize| {
        let goals = [Goal::BlankLast, Goal::BlankFirst, Goal::Spiral];
        let goal = goals[number % goals.len()].board(size).unwrap();
        let start: Board = match walk {
            None => random_board(&goal, &mut random),
            Some(moves) => {
                let (mut board, walk) = (goal.clone(), random_walk(&goal, moves, &mut random));
                walk.unwrap().into_iter().for_each(|m| board.apply(m).unwrap());
                board
            }
        };
        Problem::between(start, goal).unwrap()
    };
    let problems: Vec<Problem> = (0..boards()).map(draw).collect();
    let (lengths_of_one, lengths_of_other) =
        (lengths(&problems, metric, one), lengths(&problems, metric, other));
    for (problem, (this, that)) in problems.iter().zip(lengths_of_one.iter().zip(&lengths_of_other))
    {
        assert_eq!(this, that, "{} to {} in {metric}", problem.start(), problem.goal());
    }
    let mean = lengths_of_one.iter().sum::<usize>() as f64 / lengths_of_one.len() as f64;
    println!(
        "{size} {metric}: {} boards, {mean:.2} moves, {one:?} and {other:?}",
        lengths_of_one.len()
    );
}

const PDB: (&str, &str) = ("idastar", "pdb");
const TILE_CLASSES: (&str, &str) = ("idastar", "tile-classes");
const PDB_MAX: (&str, &str) = ("idastar", "pdb-max");
const TABLE: (&str, &str) = ("table", "");

#[test]
fn pattern_databases_agree_with_exact_tables() {
    for size in ["2x5", "5x2", "2x6", "3x4", "4x3"] {
        check(size, None, Metric::SingleTile, PDB, TABLE);
    }
}

#[test]
#[ignore = "tables of many sizes take minutes: cargo xtask agree"]
fn pattern_databases_agree_with_pdb_max_and_walking_distance() {
    for size in ["2x7", "2x8"] {
        check(size, Some(60), Metric::SingleTile, PDB, PDB_MAX);
    }
    for (size, walk) in [("3x5", 80), ("4x4", 70)] {
        check(size, Some(walk), Metric::SingleTile, PDB, ("idastar", "walking-distance"));
    }
}

#[test]
#[ignore = "tables of many sizes take minutes: cargo xtask agree"]
fn pattern_databases_agree_with_linear_conflict_on_large_boards() {
    for size in ["3x6", "4x5", "5x5", "6x6"] {
        check(size, Some(45), Metric::SingleTile, PDB, ("idastar", "linear-conflict"));
    }
}

#[test]
#[ignore = "tables of many sizes take minutes: cargo xtask agree"]
fn tile_classes_agree_with_exact_tables_and_pdb_max() {
    check("2x5", None, Metric::MultiTile, TILE_CLASSES, TABLE);
    for size in ["2x6", "3x4", "2x7", "3x5", "2x8", "4x4"] {
        check(size, Some(50), Metric::MultiTile, TILE_CLASSES, PDB_MAX);
    }
    check("5x5", Some(16), Metric::MultiTile, PDB_MAX, ("bibfs", ""));
}
