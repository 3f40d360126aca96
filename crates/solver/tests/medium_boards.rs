//! Boards of 17 to 36 cells: pattern databases find the same lengths as linear conflict, and easy boards do not wait
//! for tables.

use loyd::notation::parse_partial_goal;
use loyd::scramble::{Random, random_walk};
use loyd::search::{Limits, Prune, Status, Stop, TableChoice};
use loyd::{CancelToken, Config, Goal, Problem, Report, Size, Solver};

fn problems(size: &str, moves: usize, count: usize) -> Vec<Problem> {
    let size: Size = size.parse().unwrap();
    let goal = Goal::BlankLast.board(size).unwrap();
    let mut random = Random::new(7);
    let problem = |_| {
        let mut board = goal.clone();
        for m in random_walk(&goal, moves, &mut random).unwrap() {
            board.apply(m).unwrap();
        }
        Problem::between(board, goal.clone()).unwrap()
    };
    (0..count).map(problem).collect()
}

fn named(heuristic: &'static str) -> Config {
    Config { heuristic: Some(heuristic.into()), ..Config::default() }
}

fn length(report: &Report) -> usize {
    let mut board = report.problem.start().clone();
    for &m in report.moves.as_ref().expect("it is solved") {
        board.apply(m).unwrap();
    }
    assert!(report.problem.is_solved_by(&board) && report.optimal);
    report.length().unwrap()
}

#[test]
fn pattern_databases_agree_with_linear_conflict() {
    for (size, moves) in [("5x5", 40), ("3x6", 44), ("5x4", 44), ("6x6", 24)] {
        let (tables, conflicts) =
            (Solver::new(named("pdb")).unwrap(), Solver::new(named("linear-conflict")).unwrap());
        let astar = "astar";
        let astar = Solver::new(Config { algorithm: Some(astar), ..named("pdb") }).unwrap();
        for (index, problem) in problems(size, moves, 12).iter().enumerate() {
            let report = tables.solve(problem).unwrap();
            assert_eq!(report.heuristic, Some("pdb"));
            assert_eq!(length(&report), length(&conflicts.solve(problem).unwrap()));
            if size == "3x6" && index < 4 {
                assert_eq!(length(&report), length(&astar.solve(problem).unwrap()));
            }
        }
    }
}

#[test]
fn tables_are_used_for_many_or_hard_boards() {
    let solve = |boards, problem| {
        let config = Config { boards, ..Config::default() };
        Solver::new(config).unwrap().solve(problem).unwrap()
    };
    let easy = &problems("3x6", 12, 1)[0];
    let hard: Problem = "3 1 2/6 4 5/9 7 8/12 10 11/15 13 14/0 16 17".parse().unwrap();
    for (boards, problem, heuristic) in [
        (None, easy, "linear-conflict"),
        (Some(20), easy, "linear-conflict"),
        (Some(21), easy, "pdb"),
        (None, &hard, "pdb"),
    ] {
        let report = solve(boards, problem);
        assert_eq!((report.status, report.heuristic), (Status::Solved, Some(heuristic)));
        assert_eq!(report.tables.is_some(), heuristic == "pdb");
        length(&report);
    }
    // The total includes the expansions of earlier stages and those beyond the bounds; the iterations are those of
    // the last search.
    let report = solve(None, &hard);
    let iterations: u64 = report.stats.iterations.iter().map(|round| round.expanded).sum();
    let beyond = report.stats.expanded - 300_000 - iterations;
    assert!(0 < beyond && beyond < iterations, "{beyond} beyond {iterations}");
}

#[test]
fn counting_uses_the_heuristic_of_the_first_search() {
    let problem = &problems("5x5", 12, 1)[0];
    let count = |config| {
        let solver = Solver::new(config).unwrap();
        let counted = solver.count_shortest(problem, &CancelToken::new(), None).unwrap();
        (counted.count, counted.report.stats.peak_bytes)
    };
    let (easy, with_tables) = (count(Config::default()), count(named("pdb")));
    assert_eq!(easy.0, with_tables.0);
    assert!(easy.1 < 10 << 20 && with_tables.1 > 40 << 20, "{easy:?} {with_tables:?}");
}

#[test]
fn partial_goals_have_tables_of_the_constrained_tiles() {
    let part =
        parse_partial_goal("1 2 3 * */6 7 * * */* * * * */* * * * */* * * * *", None).unwrap();
    for problem in problems("5x5", 60, 4) {
        let problem = Problem::with_partial_goal(problem.start().clone(), &part).unwrap();
        let solve = |name| Solver::new(named(name)).unwrap().solve(&problem).unwrap();
        assert_eq!(length(&solve("pdb")), length(&solve("linear-conflict")));
    }
}

#[test]
fn limits_and_cancelling_end_the_building_of_tables() {
    let problem = &problems("5x5", 60, 1)[0];
    let with = |limits| Solver::new(Config { limits, ..named("pdb") }).unwrap();
    let little = Limits { max_bytes: Some(50 << 20), ..Limits::default() };
    assert_eq!(with(little).solve(problem).unwrap().status, Status::Stopped(Stop::Memory));
    let cancel = CancelToken::new();
    cancel.cancel();
    let solver = with(Limits::default());
    let stopped = solver.solve_watched(problem, &cancel, None).unwrap();
    assert_eq!(stopped.status, Status::Stopped(Stop::Cancelled));
    // Tables that do not fit into memory are not the default.
    let config = Config { limits: little, boards: Some(1000), ..Config::default() };
    let easy = &problems("5x5", 12, 1)[0];
    let report = Solver::new(config).unwrap().solve(easy).unwrap();
    assert_eq!((report.heuristic, length(&report) <= 12), (Some("linear-conflict"), true));
}

#[test]
fn named_tables_are_refused_above_36_cells() {
    let problem = &problems("5x5", 12, 1)[0];
    let with = |tables| Solver::new(Config { tables, ..Config::default() }).unwrap().solve(problem);
    let refused = with(TableChoice::Partition("7-8".to_owned())).unwrap_err().to_string();
    assert!(refused.contains("`7-8` is neither the name of a partition (6-6-6-6"), "{refused}");
    let large = &problems("6x7", 12, 1)[0];
    let refused = Solver::new(named("pdb")).unwrap().solve(large).unwrap_err().to_string();
    assert!(refused.contains("at most 36 cells"), "{refused}");
}

/// Small patterns along rows or columns, three to five tiles each.
const ROWS: &str = "1,2,3/4,5,6,7/8,9,10,11/12,13,14,15/16,17,18,19";
const COLUMNS: &str = "1,5,9,13,17/2,6,10,14,18/3,7,11,15,19/4,8,12,16";

#[test]
fn sets_of_partitions_find_the_same_lengths_with_fewer_expansions() {
    let solver = |tables: &str, algorithm| {
        let tables = tables.parse().unwrap();
        Solver::new(Config { tables, algorithm, ..Config::default() }).unwrap()
    };
    let set = format!("{ROWS}+{COLUMNS}");
    let [both, rows, columns] = [&*set, ROWS, COLUMNS].map(|tables| solver(tables, None));
    let others = ["astar", "mm", "greedy"].map(|algorithm| solver(&set, Some(algorithm)));
    let mut expanded = [0, 0, 0];
    for problem in problems("4x5", 40, 12) {
        let reports = [&both, &rows, &columns].map(|solver| solver.solve(&problem).unwrap());
        let lengths = reports.each_ref().map(length);
        assert_eq!(lengths, [lengths[0]; 3]);
        assert_eq!(reports[0].tables.as_deref(), Some(&*set));
        for (sum, report) in expanded.iter_mut().zip(&reports) {
            *sum += report.stats.expanded;
        }
        for (solver, is_shortest) in others.iter().zip([true, true, false]) {
            let report = solver.solve(&problem).unwrap();
            let found = report.length().expect("it is solved");
            assert!(found == lengths[0] || !is_shortest && found > lengths[0]);
        }
    }
    assert!(expanded[0] < expanded[1].min(expanded[2]), "{expanded:?}");
}

/// Partitions of 5x5 boards into patterns of two and three cells.
const SMALL: &str = "1,2,3/4,9,14/5,10,15/6,7,8/11,12,13/16,17,18/19,23,24/20,21,22\
    +1,5,6/2,3,7/4,9,14/8,12,13/10,11,15/16,17,18/19,23,24/20,21,22";

/// Each move of a shortest solution reduces the distance by one. Every set of tables must find these distances, and
/// start its iterations at no larger bound.
#[test]
fn sets_of_tables_agree_on_every_board_of_a_shortest_solution() {
    let solver = |tables: &str, prune| {
        let tables = tables.parse().unwrap();
        Solver::new(Config { tables, prune, ..named("pdb") }).unwrap()
    };
    let six = solver("6-6-6-6", Some(Prune::Undo));
    let catalogue = solver("catalogue", None);
    let small = solver(SMALL, Some(Prune::Automaton { words: Some(8) }));
    let (mut sums, mut ended) = ([0; 3], [0; 2]);
    for problem in problems("5x5", 68, 8) {
        let found = six.solve(&problem).unwrap();
        let mut left = length(&found);
        let mut board = problem.start().clone();
        for m in found.moves.unwrap() {
            let problem = Problem::between(board.clone(), problem.goal().clone()).unwrap();
            // Small patterns take seconds on boards that are farther away.
            let solvers = &[&six, &catalogue, &small][..if left > 46 { 2 } else { 3 }];
            for (solver, sum) in solvers.iter().zip(&mut sums) {
                let report = solver.solve(&problem).unwrap();
                assert_eq!(length(&report), left, "{board} by {:?}", report.tables);
                let first = report.stats.iterations[0].bound as usize;
                assert!(first <= left && first % 2 == left % 2, "{board} by {:?}", report.tables);
                *sum += first;
                ended[0] += usize::from(report.stats.ended_by == Some("ahead"));
                ended[1] += usize::from(report.stats.ended_by == Some("round"));
            }
            board.apply(m).unwrap();
            left -= 1;
        }
    }
    // Otherwise the test would not distinguish the tables of six tiles, or the ways in which a search ends.
    assert!(sums[0] < sums[1] && ended.iter().all(|&ended| ended > 0), "{sums:?} {ended:?}");
}

#[test]
fn catalogues_of_other_sizes_save_expansions() {
    let solver = |tables: &str| {
        let tables = tables.parse().unwrap();
        Solver::new(Config { tables, ..named("pdb") }).unwrap()
    };
    let (default, catalogue) = (solver("default"), solver("catalogue"));
    for size in ["3x6", "6x3", "3x7", "4x5", "4x6"] {
        let mut expanded = [0; 2];
        for problem in problems(size, 100, 6) {
            let reports = [&default, &catalogue].map(|solver| solver.solve(&problem).unwrap());
            let [one, other] = reports.each_ref().map(length);
            assert_eq!(one, other, "{}", problem.start());
            for (sum, report) in expanded.iter_mut().zip(&reports) {
                *sum += report.stats.expanded;
            }
        }
        assert!(expanded[1] < expanded[0], "{size}: {expanded:?}");
    }
}
