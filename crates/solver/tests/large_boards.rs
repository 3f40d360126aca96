//! Boards of more than 256 cells are solved immediately, verified, explained and shortened. Requests that need a search
//! refuse them by name.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::time::Duration;

use loyd::board::{Size, Tile};
use loyd::goal::PartialGoal;
use loyd::moves::Metric;
use loyd::scramble::{Random, random_board};
use loyd::search::{CancelToken, Clock, Event, Limits, Quality, Status, Stop};
use loyd::{Board, Config, Goal, Move, Problem, Report, Solver};

fn problem(size: &str, goal: &Goal, seed: u64) -> Problem {
    let goal = goal.board(size.parse().unwrap()).unwrap();
    Problem::between(random_board(&goal, &mut Random::new(seed)), goal).unwrap()
}

fn solver(quality: Quality, seconds: Option<u64>) -> Solver {
    let max_time = seconds.map(Duration::from_secs);
    let limits = Limits { max_time, ..Limits::default() };
    Solver::new(Config { quality: Some(quality), limits, ..Config::default() }).unwrap()
}

/// Replays the moves of the report, and returns them.
fn replayed(problem: &Problem, report: &Report) -> Vec<Move> {
    assert_eq!(report.status, Status::Solved);
    let moves = report.moves.clone().unwrap();
    let mut board = problem.start().clone();
    moves.iter().for_each(|&m| board.apply(m).unwrap());
    assert!(problem.is_solved_by(&board), "a {} board", board.size());
    moves
}

#[test]
fn large_boards_are_solved_at_once() {
    let solver = solver(Quality::Fast, None);
    for (size, goal, most) in [
        ("20x20", Goal::BlankLast, 2.5),
        ("17x23", Goal::Spiral, 2.6),
        ("32x32", Goal::BlankFirst, 2.2),
        ("64x64", Goal::BlankLast, 2.0),
    ] {
        let problem = problem(size, &goal, 3);
        let report = solver.solve(&problem).unwrap();
        let moves = replayed(&problem, &report);
        let least = f64::from(report.lower_bound.unwrap());
        assert!(moves.len() as f64 <= most * least, "{size}: {} of {least}", moves.len());
        assert!(!report.optimal);
    }
}

#[test]
fn narrow_boards_are_solved() {
    let solver = solver(Quality::Fast, None);
    for size in ["2x129", "200x2", "3x100", "90x3", "5x60", "1x300", "257x1"] {
        for goal in [Goal::BlankLast, Goal::BlankFirst] {
            let problem = problem(size, &goal, 5);
            replayed(&problem, &solver.solve(&problem).unwrap());
        }
    }
}

#[test]
fn near_boards_are_proved_by_the_lower_bound() {
    let goal = Goal::BlankLast.board("100x100".parse().unwrap()).unwrap();
    let mut start = goal.clone();
    start.walk(&[Move::Up, Move::Left, Move::Left]).unwrap();
    let problem = Problem::between(start, goal.clone()).unwrap();
    let report = solver(Quality::Auto, Some(10)).solve(&problem).unwrap();
    assert_eq!((report.length(), report.optimal), (Some(3), true));
    let solved = Problem::between(goal.clone(), goal).unwrap();
    let report = solver(Quality::Fast, None).solve(&solved).unwrap();
    assert_eq!((report.length(), report.optimal), (Some(0), true));
}

#[test]
fn unsolvable_large_boards_are_detected() {
    let problem = problem("40x40", &Goal::BlankLast, 1);
    let mut numbers: Vec<u32> = problem.start().numbers().map(u32::from).collect();
    let tiles: Vec<usize> = (0..numbers.len()).filter(|&cell| numbers[cell] > 0).take(2).collect();
    numbers.swap(tiles[0], tiles[1]);
    let start = Board::new(problem.start().size(), &numbers).unwrap();
    let problem = Problem::between(start, problem.goal().clone()).unwrap();
    let report = solver(Quality::Auto, Some(1)).solve(&problem).unwrap();
    assert_eq!(report.status, Status::Unsolvable);
    assert_eq!(report.moves, None);
}

#[test]
fn partial_goal_of_the_first_row_is_met() {
    let size: Size = "20x20".parse().unwrap();
    let row: Vec<Option<u32>> = (0..400).map(|cell| (cell < 20).then_some(cell + 1)).collect();
    let partial = PartialGoal::new(size, &row).unwrap();
    let start = problem("20x20", &Goal::BlankLast, 4).start().clone();
    let problem = Problem::with_partial_goal(start, &partial).unwrap();
    let moves = replayed(&problem, &solver(Quality::Fast, None).solve(&problem).unwrap());
    // No earlier board meets the goal.
    let mut board = problem.start().clone();
    for &m in &moves {
        assert!(!problem.is_solved_by(&board));
        board.apply(m).unwrap();
    }
    assert_eq!(board.tiles()[0], Tile::new(1));
}

#[test]
fn longer_time_limits_shorten_solutions() {
    let problem = problem("20x20", &Goal::BlankLast, 6);
    let fast = solver(Quality::Fast, None).solve(&problem).unwrap();
    let better = solver(Quality::Auto, Some(4)).solve(&problem).unwrap();
    replayed(&problem, &better);
    assert!(better.length() < fast.length(), "{:?} of {:?}", better.length(), fast.length());
    assert_eq!(better.lower_bound, fast.lower_bound);
}

#[test]
fn first_solutions_under_limits_are_valid() {
    let problem = problem("40x40", &Goal::BlankLast, 7);
    for max_expanded in [0, 10_000, 1_000_000] {
        let limits = Limits { max_expanded: Some(max_expanded), ..Limits::default() };
        let config = Config { quality: Some(Quality::Auto), limits, ..Config::default() };
        replayed(&problem, &Solver::new(config).unwrap().solve(&problem).unwrap());
    }
}

#[test]
fn thin_boards_are_solved_in_both_metrics() {
    for size in ["2x200", "3x150", "200x2"] {
        for (quality, metric) in
            [(Quality::Fast, Metric::MultiTile), (Quality::Auto, Metric::SingleTile)]
        {
            let problem = problem(size, &Goal::BlankLast, 8);
            let limits = Limits { max_expanded: Some(1_000_000), ..Limits::default() };
            let quality = Some(quality);
            let config = Config { quality, metric, limits, ..Config::default() };
            let report = Solver::new(config).unwrap().solve(&problem).unwrap();
            let moves = replayed(&problem, &report);
            assert_eq!(report.length(), Some(metric.length(&moves)));
        }
    }
}

/// A solution of this board takes tens of millions of moves.
fn thinnest() -> Problem {
    problem("2x5000", &Goal::BlankLast, 1)
}

/// Checks that `report` has no solution because of `stop`, but the lower bound.
fn assert_stopped(report: &Report, stop: Stop) {
    assert_eq!(report.status, Status::Stopped(stop));
    assert_eq!((&report.moves, report.optimal, report.within), (&None, false, None));
    assert!(report.lower_bound.is_some_and(|bound| bound > 1_000_000));
}

#[test]
fn limit_on_expansions_ends_first_solution_of_thin_board() {
    let problem = thinnest();
    let limits = Limits { max_expanded: Some(1_000), ..Limits::default() };
    for quality in [Quality::Fast, Quality::Auto] {
        let config = Config { quality: Some(quality), limits, ..Config::default() };
        let solver = Solver::new(config).unwrap();
        assert_stopped(&solver.solve(&problem).unwrap(), Stop::Expanded);
    }
    let solver = Solver::new(Config { limits, ..Config::default() }).unwrap();
    let bounds = solver.bounds(&problem, &CancelToken::new(), None, |_| false).unwrap().unwrap();
    assert!(bounds.lower > 1_000_000);
    assert_eq!((bounds.best_known(), bounds.exact_value()), (None, None));
    let explained = solver.explain(&problem, &CancelToken::new(), None).unwrap();
    assert_eq!(explained.bounds().and_then(|bounds| bounds.best_known()), None);
}

#[test]
fn limit_on_memory_ends_first_solution_of_thin_board() {
    let limits = Limits { max_bytes: Some(1 << 20), ..Limits::default() };
    let config = Config { quality: Some(Quality::Fast), limits, ..Config::default() };
    assert_stopped(&Solver::new(config).unwrap().solve(&thinnest()).unwrap(), Stop::Memory);
}

#[test]
fn cancelling_ends_first_solution_of_thin_board() {
    let (problem, cancel) = (thinnest(), CancelToken::new());
    let solver = solver(Quality::Fast, None);
    // Between two checks, a solver makes some thousand steps.
    let mut checks = 0;
    let mut observer = |event: Event<'_>| {
        if matches!(event, Event::Progress { .. }) {
            checks += 1;
            if checks == 100 {
                cancel.cancel();
            }
        }
        ControlFlow::Continue(())
    };
    let report = solver.solve_watched(&problem, &cancel, Some(&mut observer)).unwrap();
    assert_stopped(&report, Stop::Cancelled);
    assert_eq!(checks, 100);
    let report = solver.solve_watched(&problem, &cancel, None).unwrap();
    assert_stopped(&report, Stop::Cancelled);
}

thread_local! {
    static MILLISECONDS: Cell<u64> = const { Cell::new(0) };
}

/// Returns a clock on which each reading takes a millisecond.
fn clock_of_readings() -> Clock {
    Clock::new(|| {
        Duration::from_millis(MILLISECONDS.with(|readings| readings.replace(readings.get() + 1)))
    })
}

#[test]
fn time_limit_ends_searches_on_boards_of_any_shape() {
    for (size, limit) in [("2x5000", 100), ("5000x2", 100), ("3x3333", 3_000), ("100x100", 2_000)] {
        let problem = problem(size, &Goal::BlankLast, 1);
        let before = MILLISECONDS.get();
        let limits = Limits { max_time: Some(Duration::from_millis(limit)), ..Limits::default() };
        let (quality, clock) = (Some(Quality::Fast), clock_of_readings());
        let config = Config { quality, limits, clock, ..Config::default() };
        let report = Solver::new(config).unwrap().solve(&problem).unwrap();
        match report.status {
            Status::Stopped(stop) => assert_eq!(stop, Stop::Time, "{size}"),
            _ => _ = replayed(&problem, &report),
        }
        // Some milliseconds may be left for the last steps of a solution.
        let readings = MILLISECONDS.get() - before;
        assert!(readings <= limit + 50, "{size}: {readings}");
    }
}

#[test]
fn errors_for_large_boards_name_the_request() {
    let problem = problem("20x20", &Goal::BlankLast, 1);
    let cancel = CancelToken::new();
    let optimal = solver(Quality::Optimal, None);
    let astar = Solver::new(Config { algorithm: Some("astar"), ..Config::default() }).unwrap();
    let plain = Solver::default();
    let errors = [
        ("the quality optimal", optimal.solve(&problem).unwrap_err().to_string()),
        ("the algorithm astar", astar.solve(&problem).unwrap_err().to_string()),
        ("a search for a shortest solution", plain.solve(&problem).unwrap_err().to_string()),
        ("hint", plain.hint(&problem, &cancel, None).unwrap_err().to_string()),
        ("review", plain.review(&problem, &[], &cancel, None).unwrap_err().to_string()),
        (
            "the search for all shortest solutions",
            plain.count_shortest(&problem, &cancel, None).unwrap_err().to_string(),
        ),
        (
            "a heuristic",
            plain.estimates(problem.goal(), &["manhattan"], &cancel, None).unwrap_err().to_string(),
        ),
    ];
    for (name, message) in errors {
        let expected =
            format!("{name} takes boards of at most 256 cells, and a 20x20 board has 400");
        assert!(message.starts_with(&expected), "{message}");
    }
}

#[test]
fn verify_and_explain_need_no_search_on_large_boards() {
    let goal = Goal::BlankLast.board("100x100".parse().unwrap()).unwrap();
    let mut start = goal.clone();
    let walk = loyd::scramble::random_walk(&goal, 200_000, &mut Random::new(2)).unwrap();
    start.walk(&walk).unwrap();
    let back = loyd::moves::invert(&walk);
    let problem = Problem::between(start, goal).unwrap();
    let cancel = CancelToken::new();
    let found = solver(Quality::Auto, Some(10)).verify(&problem, &back, &cancel, None).unwrap();
    assert!(found.is_solution());
    assert_eq!(found.is_shortest(), None);
    let limits = Limits { max_expanded: Some(1_000), ..Limits::default() };
    for quality in [None, Some(Quality::Auto)] {
        let solver = Solver::new(Config { limits, quality, ..Config::default() }).unwrap();
        let explained = solver.explain(&problem, &cancel, None).unwrap();
        let names: Vec<&str> = explained.estimates.iter().map(|row| row.heuristic.name).collect();
        assert_eq!(names, ["misplaced", "manhattan", "linear-conflict"]);
        assert!(explained.solvability.is_solvable());
        assert!(explained.bounds().unwrap().lower > 1_000);
        assert!(solver.bounds(&problem, &cancel, None, |_| false).unwrap().is_some());
    }
}

#[test]
fn optimize_shortens_long_sequences_to_the_same_board() {
    for metric in [Metric::SingleTile, Metric::MultiTile] {
        let goal = Goal::BlankLast.board("50x50".parse().unwrap()).unwrap();
        let walk = loyd::scramble::random_walk(&goal, 5_000, &mut Random::new(9)).unwrap();
        let mut end = goal.clone();
        end.walk(&walk).unwrap();
        let limits = Limits { max_time: Some(Duration::from_secs(3)), ..Limits::default() };
        let solver = Solver::new(Config { metric, limits, ..Config::default() }).unwrap();
        let found = solver.optimize(&goal, &walk, None, &CancelToken::new(), None).unwrap();
        let mut board = goal.clone();
        board.walk(&found.moves).unwrap();
        assert_eq!(board, end);
        assert!(found.bounds.upper < found.before, "{metric:?}");
        assert_eq!(found.bounds.upper, metric.length(&found.moves));
        assert!(found.bounds.lower <= found.bounds.upper);
    }
}
