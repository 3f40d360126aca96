//! The multi-tile metric: solutions are as short as those of a plain search, and inadmissible heuristics are refused.

mod common {
    pub mod distances;
    pub mod replay;
    pub mod rows;
}

use common::distances::distances;
use common::replay::{replay, twin};
use common::rows::rows;
use loyd::moves::Metric;
use loyd::scramble::Random;
use loyd::search::{Event, Limits, Status, Stop, Weight};
use loyd::{CancelToken, Config, Goal, Move, Problem, Solver, notation};
use loyd_tiles::random_walk;
use rayon::prelude::*;

fn slides() -> Config {
    Config { metric: Metric::MultiTile, ..Config::default() }
}

#[test]
fn every_algorithm_finds_shortest_slides() {
    for (size, step) in [("2x2", 1), ("3x2", 7), ("1x4", 1), ("3x3", 30_000)] {
        let goal = Goal::BlankFirst.board(size.parse().unwrap()).unwrap();
        let mut truth: Vec<_> = distances([goal.clone()], Metric::MultiTile).into_iter().collect();
        truth.sort_by_cached_key(|(board, _)| board.to_string());
        rows().par_iter().for_each(|row| {
            let config = Config { metric: Metric::MultiTile, ..row.config() };
            let max_depth = (row.algorithm.name == "dfs").then_some(26);
            let limits = Limits { max_depth, ..Config::default().limits };
            let solver = Solver::new(Config { limits, ..config }).unwrap();
            let holds = row.heuristic.is_none_or(|heuristic| heuristic.slides);
            // Without a heuristic and a closed list, far boards take too long.
            let blind = row.closed.is_none() && row.heuristic.is_none_or(|h| h.name == "zero");
            for (board, distance) in truth.iter().step_by(step) {
                let blind = blind && row.algorithm.name != "table";
                if blind && *distance > 13 {
                    continue;
                }
                let problem = Problem::between(board.clone(), goal.clone()).unwrap();
                if !holds {
                    let error = solver.solve(&problem).unwrap_err().to_string();
                    assert!(
                        error.contains("zero, line-crossings, pdb-max, exact"),
                        "{row}: {error}"
                    );
                    break;
                }
                let report = solver.solve(&problem).unwrap();
                replay(&report).unwrap_or_else(|wrong| panic!("{row}: {board}: {wrong}"));
                let length = report.length().unwrap();
                assert!(length >= *distance, "{row}: {board}");
                if row.promises_shortest() {
                    assert_eq!((length, report.optimal), (*distance, true), "{row}: {board}");
                }
            }
        });
    }
}

#[test]
fn default_search_is_optimal_on_all_3x3_boards() {
    let goal = Goal::BlankLast.board("3x3".parse().unwrap()).unwrap();
    let solver = Solver::new(slides()).unwrap();
    let truth = distances([goal.clone()], Metric::MultiTile);
    assert_eq!((truth.len(), truth.values().max()), (181_440, Some(&24)));
    for (board, distance) in truth {
        let report = solver.solve(&Problem::between(board, goal.clone()).unwrap()).unwrap();
        assert_eq!((report.length(), report.optimal), (Some(distance), true));
        assert!(replay(&report).is_ok());
    }
    let other = Problem::between(twin(&goal).unwrap(), goal).unwrap();
    assert_eq!(solver.solve(&other).unwrap().status, Status::Unsolvable);
}

#[test]
fn all_shortest_solutions_are_counted_in_slides() {
    let problem: Problem = "8 6 7/2 5 4/3 x 1".parse().unwrap();
    let solver = Solver::new(slides()).unwrap();
    let mut solutions = Vec::new();
    let visit = |moves: &[Move]| {
        solutions.push(notation::moves_to_string(moves));
        std::ops::ControlFlow::Continue(())
    };
    let all = solver.all_shortest(&problem, &CancelToken::new(), None, visit).unwrap();
    let number = solver.count_shortest(&problem, &CancelToken::new(), None).unwrap();
    assert_eq!((all.count, all.complete), (number.count, true));
    assert_eq!(solutions.len() as u128, number.count);
    solutions.sort();
    solutions.dedup();
    assert_eq!(solutions.len() as u128, number.count);
    let length = all.report.length().unwrap();
    for solution in solutions {
        let moves = notation::parse_moves(&solution).unwrap();
        assert_eq!(Metric::MultiTile.length(&moves), length);
    }
}

#[test]
fn pattern_databases_are_refused_with_a_reason() {
    let config = Config { heuristic: Some("pdb".into()), ..slides() };
    let problem: Problem = "1 2 3 4/5 6 7 8/9 10 11 12/13 14 x 15".parse().unwrap();
    let error = Solver::new(config).unwrap().solve(&problem).unwrap_err().to_string();
    assert!(error.contains("a slide moves several"), "{error}");
}

/// Returns a board after `steps` random steps from the goal.
fn walked(size: &str, goal: &Goal, steps: usize, seed: u64) -> Problem {
    let goal = goal.board(size.parse().unwrap()).unwrap();
    let mut board = goal.clone();
    board.walk(&random_walk(&goal, steps, &mut Random::new(seed)).unwrap()).unwrap();
    Problem::between(board, goal).unwrap()
}

#[test]
fn tile_classes_agree_with_bidirectional_search() {
    let with = |algorithm, heuristic: &'static str| Config {
        algorithm: Some(algorithm),
        heuristic: Some(heuristic.into()),
        ..slides()
    };
    let plain = Config { algorithm: Some("bibfs"), ..slides() };
    let plain = Solver::new(plain).unwrap();
    for (size, steps) in [("2x5", 80), ("5x2", 90), ("4x3", 70)] {
        let solvers =
            ["idastar", "astar"].map(|name| Solver::new(with(name, "tile-classes")).unwrap());
        let default = Solver::new(slides()).unwrap();
        for seed in 0..3 {
            let goal = if seed % 2 == 0 { Goal::BlankFirst } else { Goal::BlankLast };
            let problem = walked(size, &goal, steps, seed);
            let known = plain.solve(&problem).unwrap().length();
            let by_default = default.solve(&problem).unwrap();
            let found = (by_default.algorithm, by_default.heuristic, by_default.tables.is_some());
            let by = [
                ("idastar", Some("line-crossings"), false),
                ("idastar", Some("tile-classes"), true),
            ];
            assert!(by.contains(&found), "{found:?}");
            let found = solvers.iter().map(|solver| solver.solve(&problem).unwrap());
            for report in found.chain([by_default]) {
                assert_eq!((report.length(), report.optimal), (known, true), "{size}: {problem:?}");
                replay(&report).unwrap();
            }
        }
    }
}

#[test]
fn tile_classes_are_refused_for_other_metrics_and_sizes() {
    let classes = Config { heuristic: Some("tile-classes".into()), ..Config::default() };
    let refused = |config: &Config, board: &str| {
        let problem: Problem = board.parse().unwrap();
        Solver::new(config.clone()).unwrap().solve(&problem).unwrap_err().to_string()
    };
    let fifteen = "1 2 3 4/5 6 7 8/9 10 11 12/13 14 x 15";
    assert!(refused(&classes, fifteen).starts_with("tile-classes counts slides"));
    let classes = Config { metric: Metric::MultiTile, ..classes };
    for board in ["8 6 7/2 5 4/3 x 1", "1 2 3 4 5/6 7 8 9 10/11 12 13 14 15/16 17 18 x 19"] {
        assert!(refused(&classes, board).contains("boards of 10 to 16 cells"), "{board}");
    }
}

#[test]
fn bibfs_replaces_tile_classes_that_do_not_fit_into_memory() {
    let limits = Limits { max_bytes: Some(100 << 20), ..Config::default().limits };
    let problem = walked("4x4", &Goal::BlankLast, 20, 3);
    let report = Solver::new(Config { limits, ..slides() }).unwrap().solve(&problem).unwrap();
    assert_eq!((report.algorithm, report.heuristic, report.optimal), ("bibfs", None, true));
}

#[test]
fn building_tile_classes_can_be_cancelled() {
    let problem = walked("4x4", &Goal::BlankLast, 200, 5);
    let cancel = CancelToken::new();
    let mut tables = 0;
    let mut observer = |event: Event<'_>| {
        if matches!(event, Event::Table { .. }) {
            tables += 1;
            cancel.cancel();
        }
        std::ops::ControlFlow::Continue(())
    };
    let solver = Solver::new(slides()).unwrap();
    let report = solver.solve_watched(&problem, &cancel, Some(&mut observer)).unwrap();
    assert_eq!((report.status, tables), (Status::Stopped(Stop::Cancelled), 1));
}

#[test]
fn easy_board_does_not_wait_for_a_table() {
    let easy: Problem = "1 2 3 4/5 6 7 8/9 10 11 12/x 13 14 15".parse().unwrap();
    let report = Solver::new(slides()).unwrap().solve(&easy).unwrap();
    assert_eq!(
        (report.length(), report.optimal, report.heuristic),
        (Some(1), true, Some("line-crossings"))
    );
    assert_eq!(report.tables, None);
    assert!(report.stats.table_time.is_zero() && report.stats.peak_bytes < 1 << 20, "{report:?}");
}

#[test]
fn weight_selects_weighted_astar_on_boards_of_every_size() {
    for board in ["8 6 7/2 5 4/3 x 1", "1 2 3 4/5 6 7 8/9 x 10 11"] {
        let weight = Some(Weight::DEFAULT);
        let solver = Solver::new(Config { weight, ..slides() }).unwrap();
        let report = solver.solve(&board.parse().unwrap()).unwrap();
        assert_eq!((report.algorithm, report.weight), ("wastar", weight), "{board}");
    }
}
