//! Two ways to solve the same boards give answers of the same length: those of a seed, of all sizes that
//! are solved by tables, in both metrics.
//!
//! CI takes a few boards of some sizes; `cargo xtask agree` takes a thousand of all.

use std::env;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use loyd::moves::Metric;
use loyd::scramble::{Random, random_board, random_walk};
use loyd::{Board, CancelToken, Config, Goal, Problem, Size, Solver};

/// How many boards a size.
fn boards() -> usize {
    env::var("LOYD_AGREE").map_or(6, |text| text.parse().expect("LOYD_AGREE is a number"))
}

/// The lengths of shortest answers to `problems` by an algorithm and a heuristic; each answer is replayed.
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
        let moves = report.moves.as_ref().unwrap_or_else(|| panic!("no answer to {start}"));
        moves.iter().for_each(|&m| board.apply(m).unwrap());
        assert!(report.problem.is_solved_by(&board) && report.optimal, "{start}");
        lengths.push(report.length().unwrap());
        ControlFlow::Continue(())
    });
    lengths
}

/// The names of an algorithm and a heuristic.
type Search = (&'static str, &'static str);

/// Boards of `size`, from a walk of so many moves from the goal, or any if there is no number; their
/// lengths by both ways have to be the same.
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
    let (these, those) = (lengths(&problems, metric, one), lengths(&problems, metric, other));
    for (problem, (this, that)) in problems.iter().zip(these.iter().zip(&those)) {
        assert_eq!(this, that, "{} to {} in {metric}", problem.start(), problem.goal());
    }
    let mean = these.iter().sum::<usize>() as f64 / these.len() as f64;
    println!("{size} {metric}: {} boards, {mean:.2} moves, {one:?} and {other:?}", these.len());
}

const PDB: (&str, &str) = ("idastar", "pdb");
const TILE_CLASSES: (&str, &str) = ("idastar", "tile-classes");
const FEW: (&str, &str) = ("idastar", "pdb-max");
const TABLE: (&str, &str) = ("table", "");

#[test]
fn steps_by_tables_of_all_boards_and_by_pattern_databases() {
    for size in ["2x5", "5x2", "2x6", "3x4", "4x3"] {
        check(size, None, Metric::SingleTile, PDB, TABLE);
    }
}

#[test]
#[ignore = "tables of many sizes take minutes: cargo xtask agree"]
fn steps_by_pattern_databases_and_by_a_few_tiles_or_walking_distance() {
    for size in ["2x7", "2x8"] {
        check(size, Some(60), Metric::SingleTile, PDB, FEW);
    }
    for (size, walk) in [("3x5", 80), ("4x4", 70)] {
        check(size, Some(walk), Metric::SingleTile, PDB, ("idastar", "walking-distance"));
    }
}

#[test]
#[ignore = "tables of many sizes take minutes: cargo xtask agree"]
fn steps_on_large_boards_by_pattern_databases_and_by_linear_conflict() {
    for size in ["3x6", "4x5", "5x5", "6x6"] {
        check(size, Some(45), Metric::SingleTile, PDB, ("idastar", "linear-conflict"));
    }
}

#[test]
#[ignore = "tables of many sizes take minutes: cargo xtask agree"]
fn slides_by_tile_classes_and_by_a_table_or_a_few_tiles() {
    check("2x5", None, Metric::MultiTile, TILE_CLASSES, TABLE);
    for size in ["2x6", "3x4", "2x7", "3x5", "2x8", "4x4"] {
        check(size, Some(50), Metric::MultiTile, TILE_CLASSES, FEW);
    }
    check("5x5", Some(16), Metric::MultiTile, FEW, ("bibfs", ""));
}
