//! Runs every row that promises shortest solutions on all 181,440 solvable 3x3 boards, and every algorithm on all
//! 181,440 unsolvable ones.
//!
//! An ordinary run takes a sample for slow rows (see [`boards_for`]). `cargo xtask exhaustive` runs this file with
//! `LOYD_EXHAUSTIVE=all`, without sampling. `LOYD_EXHAUSTIVE_ROWS` names the algorithms or single rows to run,
//! separated by commas: `bibfs,ucs hashed`.

mod common {
    pub mod replay;
    pub mod rows;
    pub mod truth;
}

use std::env;
use std::io::{IsTerminal, stderr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use common::replay::{replay, twin};
use common::rows::{Row, rows};
use common::truth::Truth;
use loyd::search::{ClosedKind, Status};
use loyd::{Board, Config, Goal, Problem, Size, Solver};
use rayon::prelude::*;

/// Seed of the samples.
const SEED: u64 = 8;

/// Number of boards between two progress reports.
const CHUNK: usize = 64;

/// Returns whether all boards are run instead of samples.
fn everything() -> bool {
    env::var("LOYD_EXHAUSTIVE").is_ok_and(|word| word == "all")
}

/// Returns the requested rows of the matrix.
fn chosen_rows() -> Vec<Row> {
    let words = env::var("LOYD_EXHAUSTIVE_ROWS").unwrap_or_default();
    let words: Vec<&str> = words.split_terminator(',').collect();
    let is_named = |row: &Row, word: &str| word == row.algorithm.name || word == row.to_string();
    let is_known = |word: &str| rows().iter().any(|row| is_named(row, word));
    words.iter().for_each(|word| assert!(is_known(word), "no algorithm and no row is {word}"));
    let is_chosen = |row: &Row| words.is_empty() || words.iter().any(|word| is_named(row, word));
    rows().into_iter().filter(is_chosen).collect()
}

fn truth() -> Truth {
    let truth = Truth::new(&Goal::BlankLast.board(Size::EIGHT).unwrap());
    assert_eq!((truth.count(), truth.diameter()), (181_440, 31));
    truth
}

fn problem(board: Board) -> Problem {
    Problem::new(board, &Goal::BlankLast).unwrap()
}

/// Returns the number of boards for a row in an ordinary run: about half a second of CPU time, or all boards for rows
/// with a table of the distances.
fn boards_for(row: &Row) -> u64 {
    const ALL: u64 = 181_440;
    match (row.algorithm.name, row.heuristic.map_or("", |h| h.name), row.closed) {
        _ if everything() => ALL,
        ("table", ..) | ("astar", "exact", Some(ClosedKind::Ranked)) => ALL,
        ("idastar", "exact", _) => ALL,
        ("idastar", "manhattan", _) => 40_000,
        ("idastar", "pdb", _) | ("astar", "exact", _) => 20_000,
        ("bibfs", _, Some(ClosedKind::Ranked))
        | ("astar", "manhattan", Some(ClosedKind::Ranked)) => 5_000,
        ("idastar", "linear-conflict" | "walking-distance", _) => 5_000,
        ("mm", "manhattan" | "linear-conflict" | "walking-distance", _) => 500,
        ("bibfs", ..) | (_, "manhattan" | "linear-conflict" | "walking-distance", _) => 1_000,
        (_, "pdb", _) => 1_000,
        (_, "misplaced" | "line-crossings", _) => 100,
        // Without a heuristic each board takes milliseconds, ten times as long with an ordered list.
        ("bfs" | "ucs" | "astar", "" | "zero", Some(ClosedKind::Ordered)) => 10,
        ("bfs" | "ucs" | "iddfs", ..) | (_, "zero" | "gaschnig", _) => 30,
        ("mm", "pdb-max", _) => 30,
        _ => 100,
    }
}

/// The sums of a row over its boards.
#[derive(Clone, Copy, Default)]
struct Totals {
    moves: u64,
    expanded: u64,
}

/// Solves `boards`, and compares the lengths with `truth`. Returns the first wrong result as an error.
fn sweep(row: &Row, boards: &[Board], truth: &Truth) -> Result<Totals, String> {
    let solver = Solver::new(row.config()).map_err(|error| error.to_string())?;
    let check = |board: &Board| {
        let wrong = |what: String| format!("{row}, board {board}: {what}");
        let report = solver.solve(&problem(board.clone())).map_err(|e| wrong(e.to_string()))?;
        let (length, distance) = (replay(&report).map_err(wrong)?, truth.distance(board));
        match length == distance && report.optimal {
            true => Ok(Totals { moves: length.into(), expanded: report.stats.expanded }),
            false => Err(wrong(format!("{length} moves, but the distance is {distance}"))),
        }
    };
    let (done, watched) = (AtomicU64::new(0), everything() && stderr().is_terminal());
    let add = |a: Totals, b: Totals| {
        Ok(Totals { moves: a.moves + b.moves, expanded: a.expanded + b.expanded })
    };
    let chunk = |chunk: &[Board]| {
        let totals = chunk.iter().map(check).try_fold(Totals::default(), |sum, one| add(sum, one?));
        let done = done.fetch_add(chunk.len() as u64, Ordering::Relaxed) + chunk.len() as u64;
        if watched {
            eprint!("\r{row}: {done} of {} boards ", boards.len());
        }
        totals
    };
    let totals = boards.par_chunks(CHUNK).map(chunk).try_reduce(Totals::default, add);
    if watched {
        eprint!("\r\x1b[K");
    }
    totals
}

#[test]
fn rows_that_promise_shortest_solutions_find_them() {
    let truth = truth();
    println!("| row | boards | moves | expanded | seconds |\n|---|---|---|---|---|");
    for row in chosen_rows().iter().filter(|row| row.promises_shortest()) {
        let boards = truth.sample(boards_for(row), SEED);
        let start = Instant::now();
        let totals = sweep(row, &boards, &truth).unwrap_or_else(|wrong| panic!("{wrong}"));
        let (moves, expanded) = (totals.moves, totals.expanded);
        let seconds = start.elapsed().as_secs_f64();
        println!("| {row} | {} | {moves} | {expanded} | {seconds:.2} |", boards.len());
    }
}

/// Runs the twin of every solvable board through each algorithm with its default options. An ordinary run takes all
/// twins for the first algorithm and every tenth for the others, which share the parity test.
#[test]
fn every_unsolvable_board_is_detected_by_parity() {
    let all = truth().sample(u64::MAX, SEED).par_iter().filter_map(twin).collect::<Vec<_>>();
    assert_eq!(all.len(), 181_440);
    let some: Vec<Board> = all.iter().step_by(10).cloned().collect();
    let mut rows = chosen_rows();
    rows.dedup_by_key(|row| row.algorithm.name);
    for (number, row) in rows.iter().enumerate() {
        let twins = if everything() || number == 0 { &all } else { &some };
        let solver =
            Solver::new(Config { algorithm: Some(row.algorithm.name), ..Config::default() });
        let solver = solver.unwrap();
        twins.par_iter().for_each(|board| {
            let report = solver.solve(&problem(board.clone())).unwrap();
            let name = row.algorithm.name;
            assert_eq!(report.status, Status::Unsolvable, "{name}, board {board}");
            assert_eq!((report.moves, report.stats.expanded), (None, 0), "{name}, board {board}");
        });
    }
}

/// Rows with a closed list expand every state that an unsolvable board can reach, and then end.
#[test]
fn unsolvable_boards_are_detected_by_exhaustion() {
    let boards = if everything() { 4 } else { 1 };
    let twins: Vec<Board> = truth().sample(boards, SEED).iter().filter_map(twin).collect();
    let rows = chosen_rows();
    let usual = |row: &&Row| row.heuristic.is_none_or(|h| h.name == "manhattan");
    let rows: Vec<&Row> = rows.iter().filter(|row| row.closed.is_some()).filter(usual).collect();
    rows.par_iter().for_each(|row| {
        let solver = Solver::new(Config { parity_check: false, ..row.config() }).unwrap();
        for board in &twins {
            let report = solver.solve(&problem(board.clone())).unwrap();
            assert_eq!(report.status, Status::Exhausted, "{row}, board {board}");
            // A bidirectional search continues until one side has no layer left.
            let visited = report.stats.expanded - report.stats.reopened;
            let bidirectional = ["bibfs", "mm"].contains(&row.algorithm.name);
            let all = visited == 181_440 || visited > 181_440 && bidirectional;
            assert!(all, "{row}, board {board}: {visited} states visited");
        }
    });
}
