//! Boards of 10 to 16 cells with pattern databases: lengths that two heuristics agreed on, goals of all
//! kinds, and tables that are changed on the way.

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

/// The boards of a size with their lengths; their goal has the blank first.
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

/// Solves, replays, and wants a proof.
fn shortest(solver: &Solver, problem: &Problem) -> Report {
    let report = solver.solve(problem).unwrap();
    replay(&report).unwrap_or_else(|wrong| panic!("{}: {wrong}", problem.start()));
    assert!(report.optimal, "{}", problem.start());
    report
}

#[test]
fn fixtures_have_the_lengths_that_were_agreed_on() {
    for (size, tables) in [
        ("4x4", "6-6-3"),
        ("4x4", "7-7-1"),
        ("4x3", "default"),
        ("2x6", "default"),
        ("3x5", "default"),
    ] {
        // On many threads, all of which want the tables at once.
        let solver = Solver::new(with_tables(tables)).unwrap();
        fixture(size).par_iter().for_each(|(problem, length)| {
            let report = shortest(&solver, problem);
            assert_eq!(report.length(), Some(*length), "{tables}: {}", problem.start());
        });
    }
}

/// The distance is the same whatever the tiles are called and from whichever side one looks.
#[test]
fn every_goal_is_reached_in_as_many_moves_seen_from_another_side() {
    let solver = Solver::default();
    for (problem, length) in fixture("4x4").into_iter().take(10) {
        // Upside down, and every tile t renamed 16 - t: the goal has its blank last.
        let mut numbers: Vec<u32> =
            problem.start().tiles().iter().map(|tile| (16 - tile.index() as u32) % 16).collect();
        numbers.reverse();
        let turned = Board::new(problem.start().size(), &numbers).unwrap();
        let turned = Problem::new(turned, &Goal::BlankLast).unwrap();
        assert_eq!(shortest(&solver, &turned).length(), Some(length));
        // From the goal to the start: the blank's goal cell is anywhere.
        let back = Problem::between(problem.goal().clone(), problem.start().clone()).unwrap();
        assert_eq!(shortest(&solver, &back).length(), Some(length));
    }
}

#[test]
fn boards_of_the_other_half_are_unsolvable_for_any_goal() {
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
fn a_board_at_its_goal_needs_neither_moves_nor_tables() {
    let (problem, _) = fixture("4x4").remove(0);
    let goal = Problem::between(problem.start().clone(), problem.start().clone()).unwrap();
    let solver = Solver::default();
    let report = solver.solve(&goal).unwrap();
    assert_eq!((report.length(), report.optimal, report.tables), (Some(0), true, None));
    let all = solver.count_shortest(&goal, &CancelToken::new(), None).unwrap();
    assert_eq!((all.count, all.complete, all.report.tables), (1, true, None));
}

#[test]
fn every_search_tells_its_tables() {
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
fn tables_are_made_even_if_no_search_has_the_time_to_wait() {
    let (problem, length) = fixture("4x4").remove(0);
    let limits = Limits { max_time: Some(Duration::from_millis(20)), ..Limits::default() };
    let solver = Solver::new(Config { limits, ..with_tables("7-7-1") }).unwrap();
    assert_eq!(solver.solve(&problem).unwrap().status, Status::Stopped(Stop::Time));
    let answered = (0..5_000).find_map(|_| solver.solve(&problem).unwrap().length());
    assert_eq!(answered, Some(length));
}

#[test]
fn where_no_tables_fit_a_search_does_without() {
    let (problem, length) = fixture("4x4").remove(0);
    let limits = Limits { max_bytes: Some(2 << 20), ..Limits::default() };
    let small = Config { limits, ..Config::default() };
    let report = shortest(&Solver::new(small.clone()).unwrap(), &problem);
    assert_eq!((report.length(), report.heuristic), (Some(length), Some("linear-conflict")));
    assert!(report.stats.peak_bytes <= 2 << 20);
    let pdb = Some("pdb".into());
    let asked_for = Solver::new(Config { heuristic: pdb, ..small }).unwrap();
    assert_eq!(asked_for.solve(&problem).unwrap().status, Status::Stopped(Stop::Memory));
}

/// One of 15,000 drawn boards: too hard for small tables.
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
fn tables_for_a_search_that_uses_none_are_refused() {
    let manhattan = "manhattan".into();
    let config = Config { heuristic: Some(manhattan), ..with_tables("7-8") };
    assert!(Solver::new(config).unwrap_err().to_string().contains("uses no pattern databases"));
    let wrong = Solver::new(with_tables("7-9")).unwrap();
    let error = wrong.solve(&fixture("4x4")[0].0).unwrap_err().to_string();
    assert!(error.contains("`7-9` is neither the name of a partition"), "{error}");
    assert_eq!("auto".parse(), Ok(TableChoice::Auto));
}
