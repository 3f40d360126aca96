//! Partial goals: every algorithm and heuristic that supports them finds solutions as short as a plain search.

mod common {
    pub mod distances;
    pub mod rows;
}

use common::distances::distances;
use common::rows::{Row, rows};
use loyd::goal::PartialGoal;
use loyd::moves::Metric;
use loyd::notation::{parse_board, parse_partial_goal};
use loyd::scramble::{Random, random_walk};
use loyd::search::{ClosedKind, Limits, Status, Stop};
use loyd::{Board, CancelToken, Config, Error, Goal, Move, Problem, Size, Solver};
use loyd_tiles::random_board;
use rayon::prelude::*;

/// Returns the distance of every board reachable from `start` to the nearest board that meets `goal`.
fn distances_to(goal: &PartialGoal, start: Board, metric: Metric) -> Vec<(Board, usize)> {
    let reachable = distances([start], Metric::SingleTile).into_keys();
    let goals: Vec<Board> = reachable.filter(|board| goal.is_met_by(board)).collect();
    let mut all: Vec<_> = distances(goals, metric).into_iter().collect();
    all.sort_by_cached_key(|(board, _)| board.to_string());
    all
}

fn replayed(problem: &Problem, moves: &[Move]) -> bool {
    let mut board = problem.start().clone();
    moves.iter().for_each(|&m| board.apply(m).unwrap());
    problem.is_solved_by(&board)
}

#[test]
fn every_algorithm_finds_the_nearest_goal_board() {
    for (text, step) in [
        ("1 2/* *", 1),
        ("1 * * */", 1),
        ("1 2 3/* * *", 11),
        ("1 2 3/4 * x", 11),
        ("* * */* * */7 8 x", 12_345),
        ("1 2 3/4 5 6/* * *", 45_678),
    ] {
        let goal = parse_partial_goal(text, None).unwrap();
        let start = Goal::BlankLast.board(goal.size()).unwrap();
        for metric in Metric::ALL {
            let truth = distances_to(&goal, start.clone(), metric);
            rows().par_iter().for_each(|row| check(row, &goal, metric, &truth, step));
        }
    }
}

/// Checks a row on every `step`th board.
fn check(row: &Row, goal: &PartialGoal, metric: Metric, truth: &[(Board, usize)], step: usize) {
    let max_depth = (row.algorithm.name == "dfs").then_some(28);
    let limits = Limits { max_depth, ..Config::default().limits };
    let solver = Solver::new(Config { limits, metric, ..row.config() }).unwrap();
    let blind = row.closed.is_none()
        && row.algorithm.name != "table"
        && row.heuristic.is_none_or(|h| ["zero", "line-crossings", "misplaced"].contains(&h.name));
    for (board, distance) in truth.iter().step_by(step) {
        let problem = Problem::with_partial_goal(board.clone(), goal).unwrap();
        if row.heuristic.is_some_and(|h| !h.partial_goals || !h.supports_metric(metric)) {
            let error = solver.solve(&problem).unwrap_err().to_string();
            let reasons = ["leaves some open", "counts the steps of single tiles"];
            assert!(reasons.iter().any(|reason| error.contains(reason)), "{row}: {error}");
            break;
        }
        if blind && *distance > 12 {
            continue;
        }
        let report = solver.solve(&problem).unwrap();
        let moves = report.moves.as_ref().unwrap_or_else(|| panic!("{row}: {board}"));
        assert!(replayed(&problem, moves), "{row}: {board}");
        if row.promises_shortest() {
            let found = (report.length(), report.optimal);
            assert_eq!(found, (Some(*distance), true), "{metric} {row}: {board}");
        }
    }
}

/// A solver keeps arrays and tables between problems, but those of other goals are not valid.
#[test]
fn solver_alternates_between_partial_and_whole_goals() {
    let start = parse_board("8 6 7/2 5 4/3 x 1", None).unwrap();
    let parts =
        ["1 * */* * */* * *", "1 2 3/* * */* * x"].map(|g| parse_partial_goal(g, None).unwrap());
    for metric in Metric::ALL {
        let known = parts.each_ref().map(|goal| {
            let truth = distances_to(goal, start.clone(), metric);
            truth.into_iter().find(|(board, _)| *board == start).unwrap().1
        });
        let algorithm = |name| Some(name);
        let ranked = Config { closed: Some(ClosedKind::Ranked), ..Config::default() };
        for config in [
            Config { algorithm: algorithm("astar"), ..ranked.clone() },
            Config { algorithm: algorithm("bibfs"), ..ranked.clone() },
            Config { algorithm: algorithm("bfs"), ..ranked },
            Config { algorithm: algorithm("table"), ..Config::default() },
        ] {
            let solver = Solver::new(Config { metric, ..config }).unwrap();
            for _ in 0..2 {
                for (goal, distance) in parts.iter().zip(known) {
                    let problem = Problem::with_partial_goal(start.clone(), goal).unwrap();
                    assert_eq!(solver.solve(&problem).unwrap().length(), Some(distance));
                }
                let whole = Problem::new(start.clone(), &Goal::BlankLast).unwrap();
                let expected = [31, 24][metric as usize];
                assert!(solver.solve(&whole).unwrap().length() <= Some(expected));
            }
        }
    }
}

#[test]
fn qualities_support_partial_goals() {
    for (size, marked) in [("3x3", 3), ("4x4", 4), ("16x16", 16)] {
        let size: Size = size.parse().unwrap();
        let first = (1..=size.cells()).map(|n| (n <= marked).then_some(n as u32));
        let goal = PartialGoal::new(size, &first.collect::<Vec<_>>()).unwrap();
        let whole = Goal::BlankLast.board(size).unwrap();
        let mut random = Random::new(3);
        for quality in ["fast", "bounded=1.5"] {
            let limits = Limits { max_expanded: Some(20_000), ..Limits::default() };
            let quality = Some(quality.parse().unwrap());
            let solver = Solver::new(Config { quality, limits, ..Config::default() }).unwrap();
            for _ in 0..5 {
                let start = random_board(&whole, &mut random);
                let report =
                    solver.solve(&Problem::with_partial_goal(start, &goal).unwrap()).unwrap();
                let moves = report.moves.as_ref().expect("there is a solution of some length");
                assert!(replayed(&report.problem, moves));
                let within = report.within.expect("a bound is known").as_f64();
                let least = f64::from(report.lower_bound.unwrap());
                assert!(
                    moves.len() as f64 <= within * least + 1e-9 || report.status == Status::Solved
                );
            }
        }
    }
}

#[test]
fn pattern_databases_report_unsupported_partial_goals() {
    let patterns = |max_bytes| {
        let limits = Limits { max_bytes, ..Limits::default() };
        let heuristic = Some("pdb".into());
        Solver::new(Config { heuristic, limits, ..Config::default() }).unwrap()
    };
    let solve = |solver: Solver, goal: &str| {
        let goal = parse_partial_goal(goal, None).unwrap();
        let start = parse_board("1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 x", None).unwrap();
        solver.solve(&Problem::with_partial_goal(start, &goal).unwrap())
    };
    let wall = solve(patterns(None), "* * * */5 6 7 8/* * * */* * * *");
    assert!(matches!(wall, Err(Error::BlankCutOff)));
    let short = solve(patterns(Some(1 << 20)), "4 3 2 1/* * * */* * * */* * * *").unwrap();
    assert_eq!(short.status, Status::Stopped(Stop::Memory));
    let nothing = solve(patterns(None), "* * * */* x * */* * * */* * * *").unwrap();
    assert_eq!((nothing.length(), nothing.optimal), (Some(4), true));
}

#[test]
fn both_parities_are_solvable_with_two_dont_care_tiles() {
    let goal = parse_partial_goal("1 2 3 4/5 6 7 8/* * * */* * * *", None).unwrap();
    let boards = ["1 2 3 4/5 6 8 7/9 10 11 12/13 14 15 x", "1 2 3 4/5 6 8 7/9 10 11 12/13 15 14 x"];
    let solver = Solver::default();
    for board in boards {
        let problem = Problem::with_partial_goal(parse_board(board, None).unwrap(), &goal).unwrap();
        let report = solver.solve(&problem).unwrap();
        assert!(report.optimal && replayed(&problem, report.moves.as_ref().unwrap()));
        let manhattan = Config {
            algorithm: Some("astar"),
            heuristic: Some("manhattan".into()),
            ..Config::default()
        };
        let other = Solver::new(manhattan).unwrap().solve(&problem).unwrap();
        assert_eq!(report.length(), other.length());
        assert!(report.length() > Some(0));
    }
}

#[test]
fn unreachable_partial_goals_are_unsolvable() {
    for (board, goal) in [("1 2 3/4 5 6/8 7 x", "1 2 3/4 5 6/7 8 *"), ("2 1 3 x/", "1 2 * */")] {
        let goal = parse_partial_goal(goal, None).unwrap();
        let problem = Problem::with_partial_goal(parse_board(board, None).unwrap(), &goal).unwrap();
        assert_eq!(Solver::default().solve(&problem).unwrap().status, Status::Unsolvable);
    }
}

#[test]
fn hints_counts_and_reviews_support_partial_goals() {
    let goal = parse_partial_goal("1 2 3/* * */* * *", None).unwrap();
    let problem =
        Problem::with_partial_goal(parse_board("1 x 3/4 2 5/7 8 6", None).unwrap(), &goal).unwrap();
    for metric in Metric::ALL {
        let solver = Solver::new(Config { metric, ..Config::default() }).unwrap();
        let hint = solver.hint(&problem, &CancelToken::new(), None).unwrap();
        // A slide of two tiles brings tile 2 home as well.
        let best = &[vec![Move::Down], vec![Move::Down; 2]];
        let best = if metric == Metric::MultiTile { &best[..] } else { &best[..1] };
        assert_eq!((hint.report.length(), &hint.best[..]), (Some(1), best));
        let all = solver.count_shortest(&problem, &CancelToken::new(), None).unwrap();
        assert_eq!((all.count, all.complete), (best.len() as u128, true));
        let review = solver.review(&problem, &[Move::Left, Move::Right], &CancelToken::new(), None);
        assert_eq!(review.unwrap().remaining.exact_value(), Some(1));
    }
}

#[test]
fn pdb_max_agrees_with_bibfs_on_far_partial_goals() {
    let goals = ["1 2 3 4/5 6 7 8/* * * */* * * *", "1 2 3 4/5 * * */9 * * */13 * * *"];
    for metric in Metric::ALL {
        let heuristic = Some("pdb-max".into());
        let by_parts = Solver::new(Config { metric, heuristic, ..Config::default() }).unwrap();
        let algorithm = Some("bibfs");
        let blind = Solver::new(Config { metric, algorithm, ..Config::default() }).unwrap();
        for (seed, text) in (0..3).flat_map(|seed| goals.map(|text| (seed, text))) {
            let goal = parse_partial_goal(text, None).unwrap();
            let ordered = Goal::BlankLast.board(goal.size()).unwrap();
            let mut board = goal.reachable(&ordered).unwrap();
            for m in random_walk(&board.clone(), 45, &mut Random::new(seed)).unwrap() {
                board.apply(m).unwrap();
            }
            let problem = Problem::with_partial_goal(board, &goal).unwrap();
            let report = by_parts.solve(&problem).unwrap();
            assert_eq!((report.algorithm, report.heuristic), ("idastar", Some("pdb-max")));
            assert!(replayed(&problem, report.moves.as_ref().unwrap()));
            let other = blind.solve(&problem).unwrap();
            assert!(report.optimal && other.optimal);
            assert_eq!(report.length(), other.length(), "{text} {seed} {metric}");
        }
    }
}
