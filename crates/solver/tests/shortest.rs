//! All shortest solutions: checks their number against a breadth-first count, on every board where that is possible,
//! and the solutions themselves.

mod common {
    pub mod rows;
}

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::Duration;

use common::rows::rows;
use loyd::search::{ALGORITHMS, Guarantee, HeuristicChoice, Limits, Shortest, Status, Stop};
use loyd::{Board, CancelToken, Config, Error, Goal, Move, Problem, Size, Solver};

/// Returns the distance and the number of shortest solutions of each board that can reach `goal`, by a plain
/// breadth-first search on boards.
fn numbers(goal: &Board) -> HashMap<Board, (u32, u128)> {
    let mut known = HashMap::from([(goal.clone(), (0, 1))]);
    let mut layer = vec![goal.clone()];
    while !layer.is_empty() {
        let mut next = Vec::new();
        for board in &layer {
            let (distance, number) = known[board];
            for step in board.moves() {
                let mut child = board.clone();
                child.apply(step).unwrap();
                let entry = known.entry(child.clone()).or_insert_with(|| {
                    next.push(child);
                    (distance + 1, 0)
                });
                entry.1 += if entry.0 == distance + 1 { number } else { 0 };
            }
        }
        layer = next;
    }
    known
}

fn count(solver: &Solver, problem: &Problem) -> Shortest {
    solver.count_shortest(problem, &CancelToken::new(), None).unwrap()
}

fn all(solver: &Solver, problem: &Problem) -> (Shortest, Vec<Vec<Move>>) {
    let mut solutions = Vec::new();
    let shortest = solver.all_shortest(problem, &CancelToken::new(), None, |moves| {
        solutions.push(moves.to_vec());
        ControlFlow::Continue(())
    });
    (shortest.unwrap(), solutions)
}

/// Checks the order of the solutions of `board`, and replays them.
fn check_solutions(board: &Board, goal: &Board, length: u32, solutions: &[Vec<Move>]) {
    let order = |solution: &Vec<Move>| -> Vec<usize> {
        let place = |m: &Move| "ulrd".find(&m.to_string()).unwrap();
        solution.iter().map(place).collect()
    };
    assert!(solutions.is_sorted_by(|a, b| order(a) < order(b)), "{board}: {solutions:?}");
    for solution in solutions {
        let mut end = board.clone();
        solution.iter().for_each(|&step| end.apply(step).unwrap());
        assert!(end == *goal && solution.len() == length as usize, "{board}: {solution:?}");
    }
}

#[test]
fn count_is_exact_on_every_3x3_board() {
    let goal = Goal::BlankLast.board(Size::EIGHT).unwrap();
    let solver = Solver::default();
    let numbers = numbers(&goal);
    assert_eq!(numbers.len(), 181_440);
    for (board, &(distance, number)) in &numbers {
        let problem = Problem::between(board.clone(), goal.clone()).unwrap();
        let counted = count(&solver, &problem);
        assert_eq!((counted.count, counted.complete), (number, true), "{board}");
        assert_eq!(counted.report.length(), Some(distance as usize), "{board}");
    }
    let of = |distance| numbers.values().filter(move |(d, _)| *d == distance).map(|(_, n)| *n);
    assert_eq!(of(0).collect::<Vec<_>>(), [1]);
    assert_eq!(of(4).sum::<u128>(), 16);
    assert_eq!(of(31).collect::<Vec<_>>(), [40, 40]);
    assert_eq!(numbers.values().map(|(_, number)| number).max(), Some(&64));
}

/// Solves one board at each of several distances, for several goals, with every row.
#[test]
fn every_row_finds_each_solution_once_and_in_order() {
    for goal in ["1 2 3/4 5 6/7 8 x", "8 1 2/x 4 3/7 6 5", "x 1 2/3 4 5"] {
        let goal = goal.parse::<Problem>().unwrap().start().clone();
        let mut boards: Vec<_> = numbers(&goal).into_iter().collect();
        boards.sort_unstable_by_key(|(board, (distance, _))| (*distance, board.to_string()));
        let at = |d| boards.iter().filter(move |(_, (distance, _))| *distance == d).take(1);
        let sample: Vec<_> = [0, 1, 5, 10, 14, 21].into_iter().flat_map(at).collect();
        for row in rows().into_iter().filter(|row| row.promises_shortest()) {
            let solver = Solver::new(row.config()).unwrap();
            for (board, (distance, number)) in &sample {
                let quick = *distance <= 14 || row.algorithm.name != "iddfs";
                if !quick {
                    continue;
                }
                let problem = Problem::between(board.clone(), goal.clone()).unwrap();
                let (shortest, solutions) = all(&solver, &problem);
                assert_eq!(solutions.len() as u128, *number, "{row}: {board}");
                assert_eq!((shortest.count, shortest.complete), (*number, true), "{row}: {board}");
                check_solutions(board, &goal, *distance, &solutions);
                assert_eq!(count(&solver, &problem).count, *number, "{row}: {board}");
            }
        }
    }
}

#[test]
fn count_equals_enumeration_on_larger_boards() {
    for board in ["5 1 3 4/2 6 8 12/9 10 7 11/13 15 14 x", "1 2 3/4 x 5/7 8 6/10 11 9", "2 x/1 3"] {
        let problem: Problem = board.parse().unwrap();
        let solver = Solver::default();
        let (shortest, solutions) = all(&solver, &problem);
        let length = shortest.report.length().unwrap() as u32;
        check_solutions(problem.start(), problem.goal(), length, &solutions);
        assert_eq!(count(&solver, &problem).count, solutions.len() as u128);
        let guide = Some("manhattan".into());
        let other = Solver::new(Config { heuristic: guide, ..Config::default() }).unwrap();
        assert_eq!(all(&other, &problem).1, solutions);
    }
}

#[test]
fn unsolvable_board_has_no_solutions() {
    let problem: Problem = "1 2 3/4 5 6/8 7 x".parse().unwrap();
    for counted in [count(&Solver::default(), &problem), all(&Solver::default(), &problem).0] {
        assert_eq!((counted.count, counted.complete), (0, true));
        assert_eq!(counted.report.status, Status::Unsolvable);
    }
}

/// A server keeps tables of the boards of all clients, which are no part of the memory of a request.
#[test]
fn tables_of_other_boards_do_not_count() {
    let (heuristic, tables) = (Some("pdb".into()), "5-5-5".parse().unwrap());
    let first = Solver::new(Config { heuristic, tables, ..Config::default() }).unwrap();
    first.solve(&"1 2 3 4/5 6 7 8/9 10 x 11/13 14 15 12".parse().unwrap()).unwrap();
    let limit = 1 << 20;
    assert!(first.held_bytes() > limit);
    let limits = Limits { max_bytes: Some(limit), ..Limits::default() };
    let solver = first.sharing(Config { limits, ..Config::default() }).unwrap();
    let problem = "1 2/x 3".parse().unwrap();
    let (visited, solutions) = all(&solver, &problem);
    assert_eq!((visited.complete, solutions), (true, vec![vec![Move::Right]]));
    let counted = count(&solver, &problem);
    assert_eq!((counted.complete, counted.count), (true, 1));
    assert!(counted.report.stats.peak_bytes < limit);
}

#[test]
fn stopped_enumeration_keeps_the_solutions_found() {
    let problem: Problem = "x 8 9 7 5/6 3 4 1 2".parse().unwrap();
    let configured = |limits| {
        let algorithm = Some("bibfs");
        Solver::new(Config { algorithm, limits, ..Config::default() }).unwrap()
    };
    let (complete, solutions) = all(&configured(Limits::default()), &problem);
    assert!(complete.complete);
    let expanded = complete.report.stats.expanded;
    let limits = Limits { max_expanded: Some(expanded - 1), ..Limits::default() };
    let (stopped, found) = all(&configured(limits), &problem);
    assert_eq!(stopped.report.status, Status::Stopped(Stop::Expanded));
    assert_eq!((stopped.complete, stopped.count), (false, found.len() as u128));
    assert_eq!(found, solutions[..found.len()]);
    assert_eq!(stopped.report.length(), Some(33));
    assert!(stopped.report.optimal);
    let limits = Limits { max_time: Some(Duration::ZERO), ..Limits::default() };
    let none = count(&configured(limits), &problem);
    assert_eq!((none.report.status, none.count), (Status::Stopped(Stop::Time), 0));
    let mut visited = 0;
    let solver = configured(Limits::default());
    let enough = solver.all_shortest(&problem, &CancelToken::new(), None, |_| {
        visited += 1;
        ControlFlow::Break(())
    });
    let enough = enough.unwrap();
    assert_eq!((visited, enough.count, enough.complete), (1, 1, false));
    assert_eq!(enough.report.status, Status::Solved);
}

#[test]
fn searches_that_prove_nothing_are_refused() {
    let problem: Problem = "12345678x".parse().unwrap();
    let refused = |config: Config| {
        let solver = Solver::new(config).unwrap();
        let counted = solver.count_shortest(&problem, &CancelToken::new(), None);
        let Err(Error::NotShortest { what, instead }) = counted else { panic!("{counted:?}") };
        assert!(instead.contains(&"astar") && !instead.contains(&"greedy"), "{instead:?}");
        what
    };
    for row in ALGORITHMS {
        let config = Config { algorithm: Some(row.name), ..Config::default() };
        match row.guarantee {
            Guarantee::Optimal | Guarantee::OptimalIfAdmissible => {
                let counted = count(&Solver::new(config).unwrap(), &problem);
                assert_eq!(counted.count, 1, "{row:?}");
            }
            _ => assert!(refused(config).starts_with(row.name)),
        }
    }
    let weighted = |weight: &str| {
        let weight = Some(weight.parse().unwrap());
        Config { weight, ..Config::default() }
    };
    assert_eq!(refused(weighted("1.5")), "wastar with the weight 1.5");
    assert_eq!(count(&Solver::new(weighted("1")).unwrap(), &problem).count, 1);
    let rows = vec![["9"; 9].join(" "); 9].join("\n");
    let matrix = loyd::search::DistanceMatrix::parse(&rows).unwrap();
    let heuristic = Some(HeuristicChoice::Matrix(matrix.into()));
    assert_eq!(refused(Config { heuristic, ..Config::default() }), "idastar with this matrix");
}
