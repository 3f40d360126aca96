//! Qualities: solutions as good as requested.

use std::time::Duration;

use loyd::board::cantor_unrank;
use loyd::moves::Metric;
use loyd::notation::parse_partial_goal;
use loyd::scramble::Random;
use loyd::search::{Limits, Quality, Status, Stop, Weight};
use loyd::{Board, CancelToken, Config, Goal, Problem, Report, Size, Solver};
use loyd_tiles::random_board;

fn solver(quality: &str, limits: Limits) -> Solver {
    let quality = Some(quality.parse().unwrap());
    Solver::new(Config { quality, limits, ..Config::default() }).unwrap()
}

fn replay(report: &Report) -> usize {
    let mut board = report.problem.start().clone();
    let moves = report.moves.as_ref().expect("there is a solution");
    moves.iter().for_each(|&m| board.apply(m).unwrap());
    assert_eq!(board, *report.problem.goal());
    moves.len()
}

/// Returns a thousand 3x3 boards, at a fixed stride through all permutations.
fn boards() -> impl Iterator<Item = Problem> {
    (0..1000).map(|i| {
        let numbers = cantor_unrank(9, i * 362 + 7 * (i % 13)).unwrap();
        let numbers: Vec<u32> = numbers.into_iter().map(u32::from).collect();
        Problem::new(Board::new(Size::EIGHT, &numbers).unwrap(), &Goal::BlankLast).unwrap()
    })
}

#[test]
fn quality_round_trips_as_text() {
    for text in ["auto", "optimal", "fast", "bounded=1.5", "bounded=1"] {
        assert_eq!(text.parse::<Quality>().unwrap().to_string(), text);
    }
    for text in ["", "best", "bounded", "bounded=", "bounded=0.5", "fast=2", "Fast"] {
        assert!(text.parse::<Quality>().is_err(), "{text}");
    }
}

#[test]
fn qualities_keep_their_promises_on_3x3_boards() {
    let exact = Solver::default();
    let solvers = ["auto", "fast", "bounded=1", "bounded=1.1", "bounded=2"]
        .map(|quality| (quality, solver(quality, Limits::default())));
    for problem in boards() {
        let truth = exact.solve(&problem).unwrap();
        for (quality, solver) in &solvers {
            let report = solver.solve(&problem).unwrap();
            assert_eq!(report.status, truth.status, "{quality}");
            let Some(shortest) = truth.length() else { continue };
            let length = replay(&report);
            assert!(report.lower_bound.unwrap() as usize <= shortest);
            assert!(!report.optimal || length == shortest, "{quality}");
            let within = report.within.expect("a small board has a bound").as_f64();
            assert!(length as f64 <= within * shortest as f64 + 1e-9, "{quality}");
            let least = f64::from(report.lower_bound.unwrap());
            assert!(length as f64 <= within * least + 1e-9, "{quality}: the bounds agree");
            if matches!(*quality, "auto" | "bounded=1") {
                assert!(report.optimal && report.lower_bound == Some(length as u32));
            }
            if let Some(Quality::Bounded(weight)) = solver.config().quality {
                assert!(length as f64 <= weight.as_f64() * shortest as f64 + 1e-9, "{quality}");
            }
        }
    }
}

#[test]
fn qualities_support_slides() {
    let metric = Metric::MultiTile;
    let exact = Solver::new(Config { metric, ..Config::default() }).unwrap();
    for quality in ["auto", "fast", "bounded=1", "bounded=1.5"] {
        let config =
            Config { quality: Some(quality.parse().unwrap()), metric, ..Config::default() };
        let solver = Solver::new(config).unwrap();
        for problem in boards().step_by(10) {
            let (truth, report) = (exact.solve(&problem).unwrap(), solver.solve(&problem).unwrap());
            assert_eq!((report.status, report.metric), (truth.status, metric), "{quality}");
            let (Some(shortest), Some(length)) = (truth.length(), report.length()) else {
                continue;
            };
            assert!(replay(&report) >= length && length >= shortest, "{quality}");
            assert!(report.lower_bound.unwrap() as usize <= shortest, "{quality}");
            assert_eq!(report.optimal, report.within.is_some_and(Weight::is_one), "{quality}");
            assert!(!report.optimal || length == shortest, "{quality}");
            assert!(!matches!(quality, "auto" | "bounded=1") || report.optimal);
        }
    }
}

/// Solves random boards with the quality `fast`, in slides.
fn fast_in_slides(size: &str, number: u64) -> Vec<Report> {
    let goal = Goal::BlankLast.board(size.parse().unwrap()).unwrap();
    let (quality, metric) = (Some("fast".parse().unwrap()), Metric::MultiTile);
    let solver = Solver::new(Config { quality, metric, ..Config::default() }).unwrap();
    let mut random = Random::new(number);
    let problem = |_| Problem::between(random_board(&goal, &mut random), goal.clone()).unwrap();
    (0..number).map(problem).map(|problem| solver.solve(&problem).unwrap()).collect()
}

#[test]
fn bounds_in_slides_exist_on_boards_of_every_size() {
    for (size, least) in [("5x5", 20), ("10x10", 95), ("16x16", 250), ("3x30", 60)] {
        for report in fast_in_slides(size, 4) {
            let (length, lower) = (report.length().unwrap(), report.lower_bound.unwrap());
            let within = report.within.expect("there is a bound").as_f64();
            assert!(length as f64 <= within * f64::from(lower) + 1e-9, "{size}");
            assert!(lower >= least, "{size}: {lower}");
            assert_eq!(report.heuristic, Some("line-crossings"));
        }
    }
}

#[test]
fn bounds_in_slides_hold_on_3x4_boards() {
    let exact = Solver::new(Config { metric: Metric::MultiTile, ..Config::default() }).unwrap();
    for size in ["3x4", "4x3"] {
        for report in fast_in_slides(size, 12) {
            let shortest = exact.solve(&report.problem).unwrap().length().unwrap();
            let lower = report.lower_bound.unwrap() as usize;
            assert!(lower <= shortest && shortest <= report.length().unwrap(), "{report:?}");
        }
    }
}

#[test]
fn fast_solutions_of_partial_goals_are_short() {
    let goal = parse_partial_goal("1 2 3/* * */* * *", None).unwrap();
    let (exact, fast) = (Solver::default(), solver("fast", Limits::default()));
    let (mut lengths, mut shortest) = (0, 0);
    for problem in boards().step_by(5) {
        let problem = Problem::with_partial_goal(problem.start().clone(), &goal).unwrap();
        let report = fast.solve(&problem).unwrap();
        let mut board = problem.start().clone();
        report.moves.iter().flatten().for_each(|&m| board.apply(m).unwrap());
        assert!(goal.is_met_by(&board), "{}", problem.start());
        lengths += report.length().unwrap();
        shortest += exact.solve(&problem).unwrap().length().unwrap();
    }
    assert!(lengths * 10 <= shortest * 13, "{lengths} moves, but the shortest are {shortest}");
}

#[test]
fn unproved_bound_is_reported_with_the_best_solution() {
    let mut numbers: Vec<u32> = (1..64).rev().chain([0]).collect();
    numbers.swap(0, 1);
    let board = Board::new(Size::new(8, 8).unwrap(), &numbers).unwrap();
    let problem = Problem::new(board, &Goal::BlankLast).unwrap();
    let limits = Limits { max_expanded: Some(20_000), ..Limits::default() };
    let report = solver("bounded=1.01", limits).solve(&problem).unwrap();
    assert_eq!(report.status, Status::Stopped(Stop::Expanded));
    let length = replay(&report);
    let within = report.within.unwrap().as_f64();
    assert!(!report.optimal && within > 1.01);
    assert!(length as f64 <= within * f64::from(report.lower_bound.unwrap()) + 1e-9);
}

#[test]
fn stopped_or_cancelled_fast_search_returns_a_solution() {
    let numbers: Vec<u32> = [0].into_iter().chain((1..100).rev()).collect();
    let board = Board::new(Size::new(10, 10).unwrap(), &numbers).unwrap();
    let goals = [Goal::BlankLast, Goal::BlankFirst];
    let problems = goals.map(|goal| Problem::new(board.clone(), &goal).unwrap());
    for problem in problems {
        let limits = Limits { max_expanded: Some(10), ..Limits::default() };
        let report = solver("fast", limits).solve(&problem).unwrap();
        if report.status == Status::Unsolvable {
            continue;
        }
        assert_eq!(report.status, Status::Solved);
        replay(&report);
        let cancel = CancelToken::new();
        cancel.cancel();
        let config = Config {
            quality: Some(Quality::Fast),
            improve: Duration::from_secs(3600),
            ..Config::default()
        };
        let solver = Solver::new(config).unwrap();
        let report = solver.solve_watched(&problem, &cancel, None).unwrap();
        assert_eq!(report.status, Status::Solved);
        replay(&report);
        let limits = Limits { max_depth: Some(100), ..Limits::default() };
        let report = self::solver("fast", limits).solve(&problem).unwrap();
        assert_eq!((report.status, report.moves), (Status::Stopped(Stop::Depth), None));
        return;
    }
    panic!("neither goal is reachable");
}

/// Returns random 4x4 boards.
fn fifteens(number: u64) -> Vec<Problem> {
    let goal = Goal::BlankLast.board(Size::FIFTEEN).unwrap();
    let mut random = Random::new(number);
    let problem = |_| Problem::between(random_board(&goal, &mut random), goal.clone()).unwrap();
    (0..number).map(problem).collect()
}

#[test]
fn fast_proves_cheap_solutions() {
    let fast = solver("fast", Limits::default());
    for problem in boards().step_by(10) {
        let report = fast.solve(&problem).unwrap();
        assert!(report.optimal || report.status == Status::Unsolvable, "{}", problem.start());
    }
    let proved = |boards: u64| {
        let (quality, boards) = (Some(Quality::Fast), Some(boards));
        let solver = Solver::new(Config { quality, boards, ..Config::default() }).unwrap();
        let reports = fifteens(20).into_iter().map(|problem| solver.solve(&problem).unwrap());
        let reports: Vec<Report> = reports.collect();
        assert!(reports.iter().all(|report| report.length() == Some(replay(report))));
        reports.iter().filter(|report| report.optimal).count()
    };
    assert!(proved(1) <= 2, "a single board pays for tables");
    assert!(proved(1000) >= 10, "a thousand boards do not pay for tables");
}

#[test]
fn tables_may_be_combined_with_a_quality() {
    let solve = |text: &str, quality| {
        let tables = text.parse().unwrap();
        let config = Config { tables, quality: Some(quality), ..Config::default() };
        Solver::new(config).map(|solver| solver.solve(&fifteens(1)[0]).unwrap())
    };
    for quality in [Quality::Auto, "bounded=1".parse().unwrap()] {
        let report = solve("5-5-5", quality).unwrap();
        assert_eq!((report.optimal, report.tables), (true, Some("5-5-5".to_owned())));
    }
    assert!(solve("5-5-5", Quality::Fast).is_err());
}

#[test]
fn quality_refuses_an_algorithm() {
    let algorithm = Some("astar");
    let quality = Some(Quality::Fast);
    let error = Solver::new(Config { algorithm, quality, ..Config::default() }).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the quality `fast` decides how to search: leave out the algorithm, or the quality"
    );
    let solver = solver("bounded=2", Limits::default());
    assert!(solver.check_shortest().is_err());
}

/// The distance of the board is 31; its linear conflict is 23.
#[test]
fn stopped_search_reports_its_lower_bound() {
    let board = Board::new(Size::EIGHT, &[8, 6, 7, 2, 5, 4, 3, 0, 1]).unwrap();
    let problem = Problem::new(board, &Goal::BlankLast).unwrap();
    let bound = |algorithm: &'static str, nodes| {
        let limits = Limits { max_expanded: Some(nodes), ..Limits::default() };
        let config = Config { algorithm: Some(algorithm), limits, ..Config::default() };
        let report = Solver::new(config).unwrap().solve(&problem).unwrap();
        assert_eq!(report.status, Status::Stopped(Stop::Expanded), "{algorithm}");
        report.lower_bound.unwrap()
    };
    assert_eq!(bound("greedy", 1), 23);
    assert_eq!(bound("bfs", 1), 23);
    assert_eq!(bound("iddfs", 1), 23);
    let raised = bound("iddfs", 10_000_000);
    assert!((24..=31).contains(&raised), "{raised}");
}

#[test]
fn unproved_report_names_the_tables_of_the_proof() {
    // This board needs 80 moves.
    let numbers = [15, 14, 8, 12, 10, 11, 9, 13, 2, 6, 5, 1, 3, 7, 4, 0];
    let board = Board::new(Size::FIFTEEN, &numbers).unwrap();
    let problem = Problem::new(board, &Goal::BlankFirst).unwrap();
    let limits = Limits { max_expanded: Some(3_000_000), ..Limits::default() };
    let report = solver("auto", limits).solve(&problem).unwrap();
    assert_eq!((report.status, report.optimal, report.algorithm), (Status::Solved, false, "auto"));
    assert_eq!(report.heuristic, Some("pdb"));
    assert!(report.tables.is_some() && report.prune.is_some(), "{report:?}");
}
