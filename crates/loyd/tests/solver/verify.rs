//! What is said of solutions that somebody else found.

use loyd::board::Cell;
use loyd::notation::{parse_board, parse_moves, parse_partial_goal};
use loyd::study::{Verification, WentWrong, verify};
use loyd::{CancelToken, Config, Move, Problem};

fn check(board: &str, moves: &str) -> Verification {
    let problem: Problem = board.parse().unwrap();
    let moves = parse_moves(moves).unwrap();
    verify(&problem, &moves, Config::default(), &CancelToken::new()).unwrap()
}

#[test]
fn tells_solutions_from_the_rest() {
    let shortest = check("2 3 4 1 5 x 7 6 8", "ullddrurdllurdruldr");
    assert_eq!((shortest.is_solution(), shortest.is_shortest()), (true, Some(true)));

    let detour = check("1 2 3 4 5 6 7 x 8", "lrr");
    assert_eq!((detour.is_solution(), detour.is_shortest()), (true, Some(false)));
    assert_eq!(detour.shortest, Some(1));

    let off = check("1 2 3 4 5 6 7 x 8", "rd");
    let Some(WentWrong::Illegal { number, direction }) = off.went_wrong else { panic!() };
    assert_eq!((number, direction), (2, Move::Down));
    assert_eq!(off.end.to_string(), "1 2 3 4 5 6 7 8 x");

    let past = check("1 2 3 4 5 6 7 x 8", "rl");
    let Some(WentWrong::NotAtGoal { wrong, passed_goal_after }) = past.went_wrong else { panic!() };
    assert_eq!(wrong, [Cell::new(7), Cell::new(8)]);
    assert_eq!(passed_goal_after, Some(1));

    let hopeless = check("1 2 3 4 5 6 8 7 x", "");
    assert_eq!((hopeless.is_solution(), hopeless.is_shortest()), (false, None));

    let nothing_to_do = check("1 2 3 4 5 6 7 8 x", "");
    assert_eq!((nothing_to_do.is_solution(), nothing_to_do.is_shortest()), (true, Some(true)));
}

#[test]
fn moves_to_a_partial_goal_end_where_they_lead() {
    let goal = parse_partial_goal("1 2 3/* * */* * *", None).unwrap();
    let start = parse_board("4 1 3/x 2 5/7 8 6", None).unwrap();
    let problem = Problem::to_partial(start.clone(), &goal).unwrap();
    let moves = parse_moves("urd").unwrap();
    let found = verify(&problem, &moves, Config::default(), &CancelToken::new()).unwrap();
    let mut end = start;
    end.walk(&moves).unwrap();
    assert_eq!((found.is_shortest(), found.end), (Some(true), end));
}
