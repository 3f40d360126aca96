//! Boards of 10 to 16 cells with pattern databases: known lengths, all kinds of goals, and changes of tables during
//! a search.

mod common {
    pub mod fixtures;
    pub mod replay;
}

use std::fs;
use std::path::Path;
use std::time::Duration;

use common::replay::{replay, twin};
use loyd::search::{Limits, Status, Stop, TableChoice};
use loyd::{Board, CancelToken, Config, Goal, Problem, Report, Solver};
use rayon::prelude::*;

/// Reads the boards of a size with their lengths. Their goal has the blank first.
fn fixture(size: &str) -> Vec<(Problem, usize)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/{size}.txt"));
    let text = fs::read_to_string(path).unwrap();
    let problem = |line: &str| {
        let numbers: Vec<u32> = line.split(' ').map(|word| word.parse().unwrap()).collect();
        let board = Board::new(size.parse().unwrap(), &numbers[2..]).unwrap();
        (Problem::new(board, &Goal::BlankFirst).unwrap(), numbers[1] as usize)
    };
    text.lines().map(problem).collect()
}

fn with_tables(tables: &str) -> Config {
    Config { tables: tables.parse().unwrap(), ..Config::default() }
}

/// Solves and replays the problem, and checks that the solution is proved shortest.
fn shortest(solver: &Solver, problem: &Problem) -> Report {
    let report = solver.solve(problem).unwrap();
    replay(&report).unwrap_or_else(|wrong| panic!("{}: {wrong}", problem.start()));
    assert!(report.optimal, "{}", problem.start());
    report
}

#[test]
fn fixtures_have_the_known_lengths() {
    for (size, tables) in [
        ("4x4", "6-6-3"),
        ("4x4", "7-7-1"),
        ("4x3", "default"),
        ("2x6", "default"),
        ("3x5", "default"),
    ] {
        // Many threads request the tables at once.
        let solver = Solver::new(with_tables(tables)).unwrap();
        fixture(size).par_iter().for_each(|(problem, length)| {
            let report = shortest(&solver, problem);
            assert_eq!(report.length(), Some(*length), "{tables}: {}", problem.start());
        });
    }
}

/// The distance is invariant under renaming of the tiles, rotation and reversal.
#[test]
fn rotated_and_reversed_problems_have_the_same_length() {
    let solver = Solver::default();
    for (problem, length) in fixture("4x4").into_iter().take(10) {
        // Rotated by 180 degrees, and every tile t renamed 16 - t: the goal has its blank last.
        let mut numbers: Vec<u32> =
            problem.start().tiles().iter().map(|tile| (16 - tile.index() as u32) % 16).collect();
        numbers.reverse();
        let turned = Board::new(problem.start().size(), &numbers).unwrap();
        let turned = Problem::new(turned, &Goal::BlankLast).unwrap();
        assert_eq!(shortest(&solver, &turned).length(), Some(length));
        // From the goal to the start: the goal cell of the blank is arbitrary.
        let back = Problem::between(problem.goal().clone(), problem.start().clone()).unwrap();
        assert_eq!(shortest(&solver, &back).length(), Some(length));
    }
}

#[test]
fn boards_of_the_other_parity_are_unsolvable_for_any_goal() {
    let solver = Solver::default();
    for (problem, _) in fixture("4x4").into_iter().take(10) {
        let other = twin(problem.start()).unwrap();
        let back = Problem::between(problem.goal().clone(), other.clone()).unwrap();
        let there = Problem::between(other, problem.goal().clone()).unwrap();
        for problem in [there, back] {
            let report = solver.solve(&problem).unwrap();
            assert_eq!((report.status, report.stats.expanded), (Status::Unsolvable, 0));
        }
    }
}

#[test]
fn solved_board_needs_neither_moves_nor_tables() {
    let (problem, _) = fixture("4x4").remove(0);
    let goal = Problem::between(problem.start().clone(), problem.start().clone()).unwrap();
    let solver = Solver::default();
    let report = solver.solve(&goal).unwrap();
    assert_eq!((report.length(), report.optimal, report.tables), (Some(0), true, None));
    let all = solver.count_shortest(&goal, &CancelToken::new(), None).unwrap();
    assert_eq!((all.count, all.complete, all.report.tables), (1, true, None));
}

#[test]
fn reports_name_the_tables() {
    let (problem, length) = fixture("3x5").remove(0);
    let pdb = || Some("pdb".into());
    for algorithm in ["idastar", "astar"] {
        let algorithm = Some(algorithm);
        let solver = Solver::new(Config { algorithm, heuristic: pdb(), ..Config::default() });
        let report = shortest(&solver.unwrap(), &problem);
        assert_eq!((report.length(), report.tables.is_some()), (Some(length), true));
    }
}

#[test]
fn tables_are_built_even_if_every_search_times_out() {
    let (problem, length) = fixture("4x4").remove(0);
    let limits = Limits { max_time: Some(Duration::from_millis(20)), ..Limits::default() };
    let solver = Solver::new(Config { limits, ..with_tables("7-7-1") }).unwrap();
    assert_eq!(solver.solve(&problem).unwrap().status, Status::Stopped(Stop::Time));
    let length_found = (0..5_000).find_map(|_| solver.solve(&problem).unwrap().length());
    assert_eq!(length_found, Some(length));
}

#[test]
fn search_runs_without_tables_that_do_not_fit() {
    let (problem, length) = fixture("4x4").remove(0);
    let limits = Limits { max_bytes: Some(2 << 20), ..Limits::default() };
    let small = Config { limits, ..Config::default() };
    let report = shortest(&Solver::new(small.clone()).unwrap(), &problem);
    assert_eq!((report.length(), report.heuristic), (Some(length), Some("linear-conflict")));
    assert!(report.stats.peak_bytes <= 2 << 20);
    let pdb = Some("pdb".into());
    let named = Solver::new(Config { heuristic: pdb, ..small }).unwrap();
    assert_eq!(named.solve(&problem).unwrap().status, Status::Stopped(Stop::Memory));
}

/// The board, one of 15,000 drawn, is too hard for small tables.
#[test]
fn hard_boards_are_solved_with_larger_tables() {
    let hard: Problem = "15 11 3 4/12 7 2 5/10 x 14 8/9 13 1 6".parse().unwrap();
    let climbing = shortest(&Solver::default(), &hard);
    assert_eq!(climbing.tables.as_deref(), Some("7-7-1"));
    let direct = shortest(&Solver::new(with_tables("7-7-1")).unwrap(), &hard);
    assert_eq!(climbing.length(), direct.length());
    assert!(climbing.stats.expanded > direct.stats.expanded);
    let again = shortest(&Solver::default(), &hard);
    assert_eq!(again.stats.iterations, climbing.stats.iterations);

    let limits = Limits { max_expanded: Some(5_000_000), ..Limits::default() };
    let stopped =
        Solver::new(Config { limits, ..Config::default() }).unwrap().solve(&hard).unwrap();
    assert_eq!(stopped.status, Status::Stopped(Stop::Expanded));
    assert_eq!(stopped.stats.expanded, 5_000_000);
}

#[test]
fn tables_are_refused_for_a_search_that_uses_none() {
    let manhattan = "manhattan".into();
    let config = Config { heuristic: Some(manhattan), ..with_tables("7-8") };
    assert!(Solver::new(config).unwrap_err().to_string().contains("uses no pattern databases"));
    let wrong = Solver::new(with_tables("7-9")).unwrap();
    let error = wrong.solve(&fixture("4x4")[0].0).unwrap_err().to_string();
    assert!(error.contains("`7-9` is neither the name of a partition"), "{error}");
    assert_eq!("auto".parse(), Ok(TableChoice::Auto));
}
