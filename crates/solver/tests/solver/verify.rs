//! Verification of given solutions.

use loyd::board::Cell;
use loyd::notation::{parse_board, parse_moves, parse_partial_goal};
use loyd::scramble::Scrambler;
use loyd::search::Limits;
use loyd::study::{InvalidSolution, Verification};
use loyd::{CancelToken, Config, Goal, Move, Problem, Size, Solver};

fn check(board: &str, moves: &str) -> Verification {
    let problem: Problem = board.parse().unwrap();
    let moves = parse_moves(moves).unwrap();
    Solver::default().verify(&problem, &moves, &CancelToken::new(), None).unwrap()
}

#[test]
fn verify_detects_solutions_and_their_faults() {
    let shortest = check("2 3 4 1 5 x 7 6 8", "ullddrurdllurdruldr");
    assert_eq!((shortest.is_solution(), shortest.is_shortest()), (true, Some(true)));

    let detour = check("1 2 3 4 5 6 7 x 8", "lrr");
    assert_eq!((detour.is_solution(), detour.is_shortest()), (true, Some(false)));
    assert_eq!(detour.shortest(), Some(1));

    let off = check("1 2 3 4 5 6 7 x 8", "rd");
    let Some(InvalidSolution::Illegal { number }) = off.fault else { panic!() };
    assert_eq!(number, 2);
    assert_eq!(off.end.to_string(), "1 2 3 4 5 6 7 8 x");

    let past = check("1 2 3 4 5 6 7 x 8", "rl");
    let Some(InvalidSolution::NotAtGoal { wrong, passed_goal_after }) = past.fault else {
        panic!()
    };
    assert_eq!(wrong, [Cell::new(7), Cell::new(8)]);
    assert_eq!(passed_goal_after, Some(1));

    let hopeless = check("1 2 3 4 5 6 8 7 x", "");
    assert_eq!((hopeless.is_solution(), hopeless.is_shortest()), (false, None));

    let nothing_to_do = check("1 2 3 4 5 6 7 8 x", "");
    assert_eq!((nothing_to_do.is_solution(), nothing_to_do.is_shortest()), (true, Some(true)));
}

#[test]
fn verify_supports_partial_goals() {
    let goal = parse_partial_goal("1 2 3/* * */* * *", None).unwrap();
    let start = parse_board("4 1 3/x 2 5/7 8 6", None).unwrap();
    let problem = Problem::with_partial_goal(start.clone(), &goal).unwrap();
    let moves = parse_moves("urd").unwrap();
    let found = Solver::default().verify(&problem, &moves, &CancelToken::new(), None).unwrap();
    let mut end = start;
    end.walk(&moves).unwrap();
    assert_eq!((found.is_shortest(), found.end), (Some(true), end));
}

/// Returns 5x5 boards near the goal, with shortest solutions.
fn near_boards() -> Vec<(Problem, Vec<Move>)> {
    let goal = Goal::BlankLast.board(Size::new(5, 5).unwrap()).unwrap();
    let mut boards = Scrambler::new(goal.clone(), 3, Config::default()).unwrap();
    let exact = Solver::default();
    let near = [10, 30, 90].map(|moves| {
        let (board, _) = boards.by_moves(moves).unwrap();
        let problem = Problem::between(board, goal.clone()).unwrap();
        let shortest = exact.solve(&problem).unwrap().moves.unwrap();
        (problem, shortest)
    });
    near.into()
}

fn solver(max_expanded: u64) -> Solver {
    let limits = Limits { max_expanded: Some(max_expanded), ..Limits::default() };
    Solver::new(Config { limits, ..Config::default() }).unwrap()
}

#[test]
fn unproved_distances_have_bounds() {
    let (cancel, mut open, boards) = (CancelToken::new(), 0, near_boards());
    for nodes in [0, 1_000, 100_000] {
        let solver = solver(nodes);
        for (problem, shortest) in &boards {
            let length = shortest.len();
            let detour = [&[shortest[0], shortest[0].inverse()], &shortest[..]].concat();
            let found = solver.verify(problem, shortest, &cancel, None).unwrap();
            let bounds = found.bounds.unwrap();
            assert!(bounds.lower <= length && bounds.upper == length, "{found:?}");
            assert_ne!(found.is_shortest(), Some(false), "{found:?}");
            open += usize::from(bounds.exact_value().is_none());
            let found = solver.verify(problem, &detour, &cancel, None).unwrap();
            let bounds = found.bounds.unwrap();
            assert!(bounds.lower <= length && bounds.upper >= length, "{found:?}");
            assert_ne!(found.is_shortest(), Some(true), "{found:?}");
        }
    }
    assert!(open > 0, "all distances were proved");
}

#[test]
fn explained_estimates_never_exceed_the_distance() {
    let boards = near_boards();
    let solver = solver(1_000);
    for (problem, shortest) in &boards {
        let told = solver.explain(problem, &CancelToken::new(), None).unwrap();
        let bounds = told.bounds().unwrap();
        assert!(bounds.lower <= shortest.len() && bounds.upper >= shortest.len(), "{told:?}");
        let names: Vec<_> = told.estimates.iter().map(|told| told.heuristic.name).collect();
        assert!(names.contains(&"pdb") && names.contains(&"pdb-max"), "{names:?}");
        for told in told.estimates {
            let value = told.value.unwrap();
            assert!(value.is_some_and(|value| value as usize <= shortest.len()), "{told:?}");
        }
    }
}
