//! Equal tiles: every algorithm and heuristic finds solutions as short as a plain breadth-first search on numbers.

mod common {
    pub mod rows;
}

use std::collections::HashMap;

use common::rows::{Row, rows};
use loyd::goal::{Difference, EqualTilesError};
use loyd::moves::Metric;
use loyd::notation::parse_numbers;
use loyd::scramble::{Random, Scrambler};
use loyd::search::{Limits, Status};
use loyd::{CancelToken, Config, Error, Problem, Report, Size, Solver};
use rayon::prelude::*;

type Numbers = Vec<u32>;

fn numbers(text: &str) -> (Size, Numbers) {
    parse_numbers(text, None).unwrap()
}

/// Returns the arrangements one move away: the blank moves one step, or any number of steps for slides.
fn neighbours(size: Size, board: &[u32], metric: Metric) -> Vec<Numbers> {
    let (width, height) = (size.width() as i32, size.height() as i32);
    let blank = board.iter().position(|&number| number == 0).unwrap() as i32;
    let mut all = Vec::new();
    for (right, down) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
        let (mut column, mut row) = (blank % width, blank / width);
        let mut next = board.to_vec();
        loop {
            let from = (row * width + column) as usize;
            (column, row) = (column + right, row + down);
            if !(0..width).contains(&column) || !(0..height).contains(&row) {
                break;
            }
            next.swap(from, (row * width + column) as usize);
            all.push(next.clone());
            if metric == Metric::SingleTile {
                break;
            }
        }
    }
    all
}

/// Returns the distance of every arrangement that can reach `goal`.
fn distances(size: Size, goal: &[u32], metric: Metric) -> Vec<(Numbers, usize)> {
    let mut seen = HashMap::from([(goal.to_vec(), 0)]);
    let mut layer = vec![goal.to_vec()];
    for distance in 1.. {
        let mut next = Vec::new();
        for board in &layer {
            for board in neighbours(size, board, metric) {
                if !seen.contains_key(&board) {
                    seen.insert(board.clone(), distance);
                    next.push(board);
                }
            }
        }
        if next.is_empty() {
            break;
        }
        layer = next;
    }
    let mut all: Vec<_> = seen.into_iter().collect();
    all.sort();
    all
}

/// Replays the moves of the report on numbers, and returns whether they end at the goal.
fn replayed(report: &Report, start: &[u32], goal: &[u32]) -> bool {
    let problem = &report.problem;
    let mut board = problem.start().clone();
    let mut before = problem.numbers(&board);
    assert_eq!(before, start);
    for &m in report.moves.as_ref().unwrap() {
        board.apply(m).unwrap();
        let after = problem.numbers(&board);
        let size = board.size();
        assert!(neighbours(size, &before, Metric::SingleTile).contains(&after));
        before = after;
    }
    before == goal
}

/// Checks a row on every `step`th arrangement.
fn check(
    row: &Row,
    (size, goal): (Size, &[u32]),
    truth: &[(Numbers, usize)],
    step: usize,
    metric: Metric,
) {
    let max_depth = (row.algorithm.name == "dfs").then_some(26);
    let limits = Limits { max_depth, ..Config::default().limits };
    let solver = Solver::new(Config { limits, metric, ..row.config() }).unwrap();
    let blind = row.closed.is_none()
        && row.algorithm.name != "table"
        && row.heuristic.is_none_or(|h| !["manhattan", "pdb-max"].contains(&h.name));
    for (start, distance) in truth.iter().step_by(step) {
        let problem = Problem::with_equal_tiles(size, start, goal).unwrap();
        if row.heuristic.is_some_and(|h| !h.partial_goals || !h.supports_metric(metric)) {
            assert!(solver.solve(&problem).is_err(), "{row}");
            break;
        }
        if blind && *distance > 12 {
            continue;
        }
        let report = solver.solve(&problem).unwrap();
        assert!(report.moves.is_some(), "{row}: {start:?} {:?}", report.status);
        assert!(replayed(&report, start, goal), "{row}: {start:?}");
        if row.promises_shortest() {
            let found = (report.length(), report.optimal);
            assert_eq!(found, (Some(*distance), true), "{metric} {row}: {start:?}");
        }
    }
}

#[test]
fn every_algorithm_finds_a_shortest_solution() {
    for (text, step) in [
        ("1 1/2 x", 1),
        ("1 1/1 x", 1),
        ("5 9 9/x 5 5", 1),
        ("1 1 2/3 x 2", 7),
        ("1 1/2 2/3 x", 5),
        ("7 7 x 8/", 1),
        ("3 3 2/2 2 1/1 1 x", 911),
        ("1 1 1/1 x 2/2 2 2", 113),
        ("1 2 3/4 5 6/7 7 x", 40_009),
    ] {
        let (size, goal) = numbers(text);
        for metric in Metric::ALL {
            let truth = distances(size, &goal, metric);
            rows().par_iter().for_each(|row| check(row, (size, &goal), &truth, step, metric));
        }
    }
}

/// Solves all arrangements of some multisets, with the default search, A* and the quality `auto`.
#[test]
fn all_arrangements_are_solved_optimally() {
    for (text, arrangements) in [
        ("3 3 2/2 2 1/1 1 x", 5040),
        ("1 1 1/1 x 2/2 2 2", 630),
        ("1 1 1/1 1 1/1 1 x", 9),
        ("1 1 2 2/3 3 x 4", 5040),
        ("1 1 1/2 2 x", 60),
    ] {
        let (size, goal) = numbers(text);
        let truth = distances(size, &goal, Metric::SingleTile);
        assert_eq!(truth.len(), arrangements, "{text}");
        for config in [
            Config::default(),
            Config { algorithm: Some("astar"), ..Config::default() },
            Config { quality: Some("auto".parse().unwrap()), ..Config::default() },
        ] {
            let solver = Solver::new(config).unwrap();
            truth.par_iter().for_each(|(start, distance)| {
                let problem = Problem::with_equal_tiles(size, start, &goal).unwrap();
                let report = solver.solve(&problem).unwrap();
                assert_eq!((report.length(), report.optimal), (Some(*distance), true), "{start:?}");
                assert!(replayed(&report, start, &goal));
            });
        }
    }
}

#[test]
fn documented_board_takes_24_moves() {
    let (start, goal) = ([1, 1, 1, 2, 2, 2, 3, 3, 0], [3, 3, 2, 2, 2, 1, 1, 1, 0]);
    let problem = Problem::with_equal_tiles(Size::EIGHT, &start, &goal).unwrap();
    let report = Solver::default().solve(&problem).unwrap();
    assert_eq!((report.length(), report.optimal), (Some(24), true));
    assert_eq!(problem.start_text(), "1 1 1/2 2 2/3 3 0");
    assert_eq!(problem.goal_text(), "3 3 2/2 2 1/1 1 0");
}

/// One pair of equal tiles makes every 8-puzzle board solvable, but not every board that is a line.
#[test]
fn equal_tiles_make_all_boards_but_lines_solvable() {
    let solve = |start: &str, goal: &str| {
        let ((size, start), (_, goal)) = (numbers(start), numbers(goal));
        let problem = Problem::with_equal_tiles(size, &start, &goal).unwrap();
        Solver::default().solve(&problem).unwrap().status
    };
    assert_eq!(solve("2 1 3/4 5 6/7 7 x", "1 2 3/4 5 6/7 7 x"), Status::Solved);
    assert_eq!(solve("1 1 2 x/", "1 2 1 x/"), Status::Unsolvable);
    assert_eq!(solve("1 x 1 2/", "x 1 1 2/"), Status::Solved);
    // Without equal tiles, numbers are only names.
    assert_eq!(solve("20 10 30/40 50 60/70 80 x", "10 20 30/40 50 60/70 80 x"), Status::Unsolvable);
}

#[test]
fn lower_bounds_of_qualities_never_exceed_the_distance() {
    let mut random = Random::new(4);
    for (text, quality) in [
        ("1 1 2 2/3 3 4 4/5 5 6 6/7 7 8 x", "fast"),
        ("1 1 2 2/3 3 4 4/5 5 6 6/7 7 8 x", "bounded=2"),
        ("1 1 1 1/1 1 1 1/2 2 2 2/2 2 2 x", "auto"),
        ("1 1 1 1 1/2 2 2 2 2/3 3 3 3 3/4 4 4 4 4/5 5 5 5 x", "fast"),
    ] {
        let (size, goal) = numbers(text);
        let limits = Limits { max_expanded: Some(100_000), ..Limits::default() };
        let quality = Some(quality.parse().unwrap());
        let solver = Solver::new(Config { quality, limits, ..Config::default() }).unwrap();
        for _ in 0..10 {
            let mut start = goal.clone();
            random.shuffle(&mut start);
            let problem = Problem::with_equal_tiles(size, &start, &goal).unwrap();
            let report = solver.solve(&problem).unwrap();
            assert!(replayed(&report, &start, &goal), "{text}");
            let astar = Config { algorithm: Some("astar"), limits, ..Config::default() };
            let proved = Solver::new(astar).unwrap().solve(&problem).unwrap();
            if let Some(length) = proved.length() {
                assert!(report.length() >= Some(length));
                assert!(report.lower_bound.unwrap() as usize <= length);
            }
        }
    }
}

#[test]
fn studies_support_equal_tiles_or_refuse_them() {
    let ((size, start), (_, goal)) = (numbers("1 1 2/2 x 3"), numbers("3 2 2/1 1 x"));
    let problem = Problem::with_equal_tiles(size, &start, &goal).unwrap();
    let truth = distances(size, &goal, Metric::SingleTile);
    let distance = truth.iter().find(|(board, _)| *board == start).unwrap().1;
    let (solver, token) = (Solver::default(), CancelToken::new());
    let report = solver.solve(&problem).unwrap();
    let moves = report.moves.unwrap();
    let verified = solver.verify(&problem, &moves, &token, None).unwrap();
    assert_eq!((verified.is_solution(), verified.is_shortest()), (true, Some(true)));
    assert!(!solver.verify(&problem, &moves[1..], &token, None).unwrap().is_solution());
    let explained = solver.explain(&problem, &token, None).unwrap();
    assert_eq!(explained.distance(), Some(distance));
    for estimated in &explained.estimates {
        let value = estimated.value.unwrap().unwrap();
        assert!(value as usize <= distance, "{}", estimated.heuristic.name);
    }
    let counted = solver.count_shortest(&problem, &token, None).unwrap();
    assert_eq!(counted.report.length(), Some(distance));
    let traced = solver.trace(&problem, &token, None, &mut |_| std::ops::ControlFlow::Continue(()));
    assert!(matches!(traced, Err(Error::NotForEqualTiles(_))));
    let drawn = Scrambler::with_partial_goal(problem.partial_goal().unwrap(), 1, Config::default());
    assert!(drawn.unwrap_err().to_string().contains("equal ones"));
}

#[test]
fn errors_name_the_fault() {
    let error = |start: &[u32], goal: &[u32]| {
        Problem::with_equal_tiles(Size::EIGHT, start, goal).unwrap_err()
    };
    let goal = [1, 1, 1, 2, 2, 2, 3, 3, 0];
    let different = error(&[1, 1, 2, 2, 2, 2, 3, 3, 0], &goal);
    let EqualTilesError::Different(all) = different else { panic!("{different}") };
    assert_eq!(
        all,
        [Difference { number: 1, start: 2, goal: 3 }, Difference { number: 2, start: 4, goal: 3 },]
    );
    assert!(matches!(error(&[1, 1, 1, 0, 2, 2, 3, 3, 0], &goal), EqualTilesError::Blanks(_)));
    assert!(matches!(error(&goal, &[1; 9]), EqualTilesError::Blanks(_)));
    assert!(matches!(error(&goal[1..], &goal), EqualTilesError::Count { found: 8, .. }));
}
