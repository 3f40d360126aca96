//! Part goals: answers as short as boards alone say, by every algorithm and heuristic that takes them.

mod common {
    pub mod rows;
}

use std::collections::HashMap;

use common::rows::rows;
use loyd::notation::{parse_board, parse_part_goal};
use loyd::{
    Board, CancelToken, Config, Goal, Guide, Limits, Metric, Move, PartGoal, Problem, Random,
    Solver, Status, random_walk,
};

/// The distance of every board that can be reached from `start` to the nearest that meets `goal`.
fn distances(start: &Board, goal: &PartGoal) -> HashMap<Board, usize> {
    let step = |board: &Board, m: Move| {
        let mut next = board.clone();
        next.apply(m).is_ok().then_some(next)
    };
    let mut open = vec![start.clone()];
    let mut met = HashMap::from([(start.clone(), usize::MAX)]);
    while let Some(board) = open.pop() {
        for next in Move::ALL.into_iter().filter_map(|m| step(&board, m)) {
            met.entry(next.clone()).or_insert_with(|| {
                open.push(next);
                usize::MAX
            });
        }
    }
    let mut layer: Vec<Board> = met.keys().filter(|board| goal.is_met_by(board)).cloned().collect();
    layer.iter().for_each(|board| *met.get_mut(board).unwrap() = 0);
    for distance in 1.. {
        let mut next = Vec::new();
        for board in &layer {
            for child in Move::ALL.into_iter().filter_map(|m| step(board, m)) {
                let known = met.get_mut(&child).unwrap();
                if *known == usize::MAX {
                    *known = distance;
                    next.push(child);
                }
            }
        }
        if next.is_empty() {
            break;
        }
        layer = next;
    }
    met
}

fn replayed(problem: &Problem, moves: &[Move]) -> bool {
    let mut board = problem.start().clone();
    moves.iter().for_each(|&m| board.apply(m).unwrap());
    problem.is_solved_by(&board)
}

#[test]
fn every_algorithm_finds_the_nearest_board_that_meets_the_goal() {
    for (text, step) in [
        ("1 2/* *", 1),
        ("1 * * */", 1),
        ("1 2 3/* * *", 11),
        ("1 2 3/4 * x", 11),
        ("* * */* * */7 8 x", 12_345),
        ("1 2 3/4 5 6/* * *", 12_345),
    ] {
        let goal = parse_part_goal(text, None).unwrap();
        let start = Goal::BlankLast.board(goal.size()).unwrap();
        let mut truth: Vec<_> = distances(&start, &goal).into_iter().collect();
        truth.sort_by_cached_key(|(board, _)| board.to_string());
        for row in rows() {
            let max_depth = (row.algorithm.name == "dfs").then_some(28);
            let limits = Limits { max_depth, ..Config::default().limits };
            let solver = Solver::new(Config { limits, ..row.config() }).unwrap();
            let blind = row.closed.is_none()
                && row.algorithm.name != "table"
                && row.heuristic.is_none_or(|h| ["zero", "misplaced"].contains(&h.name));
            for (board, distance) in truth.iter().step_by(step) {
                let problem = Problem::to_part(board.clone(), &goal).unwrap();
                if row.heuristic.is_some_and(|heuristic| !heuristic.parts) {
                    let error = solver.solve(&problem).unwrap_err().to_string();
                    assert!(error.contains("some are alike here"), "{row}: {error}");
                    break;
                }
                if blind && *distance > 14 {
                    continue;
                }
                let report = solver.solve(&problem).unwrap();
                let moves = report.moves.as_ref().unwrap_or_else(|| panic!("{row}: {board}"));
                assert!(replayed(&problem, moves), "{row}: {board}");
                if row.promises_shortest() {
                    assert_eq!((moves.len(), report.optimal), (*distance, true), "{row}: {board}");
                }
            }
        }
    }
}

#[test]
fn both_halves_are_solved_where_two_tiles_are_alike() {
    let goal = parse_part_goal("1 2 3 4/5 6 7 8/* * * */* * * *", None).unwrap();
    let boards = ["1 2 3 4/5 6 8 7/9 10 11 12/13 14 15 x", "1 2 3 4/5 6 8 7/9 10 11 12/13 15 14 x"];
    let solver = Solver::default();
    for board in boards {
        let problem = Problem::to_part(parse_board(board, None).unwrap(), &goal).unwrap();
        let report = solver.solve(&problem).unwrap();
        assert!(report.optimal && replayed(&problem, report.moves.as_ref().unwrap()));
        let manhattan = Config {
            algorithm: Some(loyd::Algorithm::named("astar").unwrap()),
            heuristic: Some(Guide::named("manhattan").unwrap()),
            ..Config::default()
        };
        let other = Solver::new(manhattan).unwrap().solve(&problem).unwrap();
        assert_eq!(report.length(), other.length());
        assert!(report.length() > Some(0));
    }
}

#[test]
fn what_no_move_reaches_is_unsolvable() {
    for (board, goal) in [("1 2 3/4 5 6/8 7 x", "1 2 3/4 5 6/7 8 *"), ("2 1 3 x/", "1 2 * */")] {
        let goal = parse_part_goal(goal, None).unwrap();
        let problem = Problem::to_part(parse_board(board, None).unwrap(), &goal).unwrap();
        assert_eq!(Solver::default().solve(&problem).unwrap().status, Status::Unsolvable);
    }
}

#[test]
fn hints_counts_and_slides_know_part_goals() {
    let goal = parse_part_goal("1 2 3/* * */* * *", None).unwrap();
    let problem = Problem::to_part(parse_board("1 x 3/4 2 5/7 8 6", None).unwrap(), &goal).unwrap();
    for metric in Metric::ALL {
        let solver = Solver::new(Config { metric, ..Config::default() }).unwrap();
        let hint = solver.hint(&problem, &CancelToken::new()).unwrap();
        // A slide of two tiles brings tile 2 home as well.
        let best = &[vec![Move::Down], vec![Move::Down; 2]];
        let best = if metric == Metric::MultiTile { &best[..] } else { &best[..1] };
        assert_eq!((hint.report.length(), &hint.best[..]), (Some(1), best));
        let all = solver.count_shortest(&problem, &CancelToken::new(), None).unwrap();
        assert_eq!((all.count, all.complete), (best.len() as u128, true));
        let review = solver.review(&problem, &[Move::Left, Move::Right], &CancelToken::new());
        assert_eq!(review.unwrap().left, 1);
    }
}

#[test]
fn far_part_goals_are_reached_as_shortly_as_without_tables() {
    let goals = ["1 2 3 4/5 6 7 8/* * * */* * * *", "1 2 3 4/5 * * */9 * * */13 * * *"];
    for metric in Metric::ALL {
        let heuristic = Some(Guide::named("subgoals").unwrap());
        let by_parts = Solver::new(Config { metric, heuristic, ..Config::default() }).unwrap();
        let algorithm = Some(loyd::Algorithm::named("bibfs").unwrap());
        let blind = Solver::new(Config { metric, algorithm, ..Config::default() }).unwrap();
        for (seed, text) in (0..6).flat_map(|seed| goals.map(|text| (seed, text))) {
            let goal = parse_part_goal(text, None).unwrap();
            let ordered = Goal::BlankLast.board(goal.size()).unwrap();
            let mut board = goal.reachable(&ordered).unwrap();
            for m in random_walk(&board.clone(), 45, &mut Random::new(seed)).unwrap() {
                board.apply(m).unwrap();
            }
            let problem = Problem::to_part(board, &goal).unwrap();
            let report = by_parts.solve(&problem).unwrap();
            assert_eq!((report.algorithm, report.heuristic), ("idastar", Some("subgoals")));
            assert!(replayed(&problem, report.moves.as_ref().unwrap()));
            let other = blind.solve(&problem).unwrap();
            assert!(report.optimal && other.optimal);
            assert_eq!(report.length(), other.length(), "{text} {seed} {metric}");
        }
    }
}
