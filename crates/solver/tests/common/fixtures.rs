//! Draws the boards in `tests/data` with fixed seeds, and solves each with two heuristics, which must find the same
//! length.
//!
//! This takes two minutes, so it is ignored in ordinary runs. `cargo xtask fixtures` runs it with
//! `LOYD_FIXTURES=write`, which writes the files before comparing them. `LOYD_FIXTURES_SIZES` selects sizes,
//! separated by commas.

use std::env;
use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use loyd::board::Solvability;
use loyd::scramble::Random;
use loyd::search::Limits;
use loyd::{Board, CancelToken, Config, Goal, Problem, Size, Solver};

/// Boards of a size, and the heuristics that solve them. Their goal has the blank first.
struct Set {
    size: &'static str,
    boards: usize,
    seed: u64,
    heuristics: [&'static str; 2],
}

const SETS: &[Set] = &[
    Set { size: "3x3", boards: 100, seed: 33, heuristics: ["exact", "linear-conflict"] },
    Set { size: "4x3", boards: 100, seed: 43, heuristics: ["pdb", "walking-distance"] },
    Set { size: "2x6", boards: 100, seed: 26, heuristics: ["pdb", "walking-distance"] },
    Set { size: "3x5", boards: 50, seed: 35, heuristics: ["pdb", "walking-distance"] },
    Set { size: "4x4", boards: 100, seed: 44, heuristics: ["pdb", "walking-distance"] },
];

#[test]
#[ignore = "takes two minutes: cargo xtask fixtures"]
fn fixture_files_match_seed_and_solver() {
    let words = env::var("LOYD_FIXTURES_SIZES").unwrap_or_default();
    let is_wanted = |set: &&Set| words.is_empty() || words.split(',').any(|word| word == set.size);
    let sets: Vec<&Set> = SETS.iter().filter(is_wanted).collect();
    assert!(!sets.is_empty(), "no set of boards is named in LOYD_FIXTURES_SIZES={words}");
    let writes = env::var("LOYD_FIXTURES").is_ok_and(|word| word == "write");
    for set in sets {
        let start = Instant::now();
        let text = set.text();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
        let path = folder.join(format!("{}.txt", set.size));
        if writes {
            fs::write(&path, &text).unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), text, "{}", path.display());
        println!("{} {}: {:.1} s", set.boards, set.size, start.elapsed().as_secs_f64());
    }
}

impl Set {
    /// Returns the text of the file: number, length and tiles on each line, as in Korf's list.
    fn text(&self) -> String {
        let boards = solvable_boards(self.size.parse().unwrap(), self.boards, self.seed);
        let [first, second] = self.heuristics.map(|name| lengths(name, &boards));
        assert_eq!(first, second, "{:?} disagree on {}", self.heuristics, self.size);
        let line = |(number, (board, length)): (usize, (&Board, usize))| {
            let tiles: Vec<String> = board.tiles().iter().map(ToString::to_string).collect();
            format!("{number} {length} {}\n", tiles.join(" ").replace('x', "0"))
        };
        (1..).zip(boards.iter().zip(first)).map(line).collect()
    }
}

/// Returns the lengths of optimal solutions, found with the heuristic `name`.
fn lengths(name: &'static str, boards: &[Board]) -> Vec<usize> {
    let config = Config {
        heuristic: Some(name.into()),
        limits: Limits { max_bytes: Some(1 << 30), ..Limits::default() },
        boards: Some(boards.len() as u64),
        ..Config::default()
    };
    let (solver, mut lengths) = (Solver::new(config).unwrap(), Vec::new());
    let problems =
        boards.iter().map(|board| Problem::new(board.clone(), &Goal::BlankFirst).unwrap());
    let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    solver.solve_all(problems, threads, &CancelToken::new(), |report| {
        let report = report.unwrap();
        assert!(report.optimal, "{name} has no optimal solution of {}", report.problem.start());
        lengths.push(report.length().unwrap());
        ControlFlow::Continue(())
    });
    lengths
}

/// Draws `count` solvable boards of `size`. The modulo bias is below 2^-40.
fn solvable_boards(size: Size, count: usize, seed: u64) -> Vec<Board> {
    let (goal, mut random) = (Goal::BlankFirst.board(size).unwrap(), Random::new(seed));
    let mut numbers: Vec<u32> = (0..size.cells() as u32).collect();
    let mut boards = Vec::with_capacity(count);
    while boards.len() < count {
        for last in (1..numbers.len()).rev() {
            let other = random.next_u64() % (last as u64 + 1);
            numbers.swap(last, other as usize);
        }
        let board = Board::new(size, &numbers).unwrap();
        if Solvability::new(&board, &goal).is_solvable() {
            boards.push(board);
        }
    }
    boards
}
