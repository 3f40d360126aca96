//! Drawn boards have the requested length, and the same seed draws the same boards.

mod common {
    pub mod distances;
}

use std::collections::{BTreeMap, BTreeSet};

use loyd::goal::PartialGoal;
use loyd::moves::Metric;
use loyd::notation::{parse_board, parse_partial_goal, slashes};
use loyd::scramble::{Random, ScrambleError, ScrambledBoard, Scrambler, random_goal};
use loyd::search::{DistanceMatrix, HeuristicChoice, Limits, Stop};
use loyd::{Board, CancelToken, Config, Error, Goal, Problem, Size, Solver};

fn scrambler(size: &str, goal: &Goal, seed: u64) -> Scrambler {
    let size: Size = size.parse().unwrap();
    Scrambler::new(goal.board(size).unwrap(), seed, Config::default()).unwrap()
}

fn draw(scrambler: &mut Scrambler, length: u32) -> Result<ScrambledBoard, ScrambleError> {
    scrambler.of_length(length, &CancelToken::new(), None)
}

fn length(board: &Board, goal: &Goal) -> usize {
    let report = Solver::default().solve(&Problem::new(board.clone(), goal).unwrap()).unwrap();
    assert!(report.optimal);
    report.length().unwrap()
}

#[test]
fn draws_from_a_whole_table_are_uniform() {
    for goal in [Goal::BlankLast, Goal::Spiral] {
        let mut scrambler = scrambler("3x3", &goal, 1);
        for requested in 0..=30 {
            let ScrambledBoard { board, uniform } = draw(&mut scrambler, requested).unwrap();
            assert!(uniform);
            assert_eq!(length(&board, &goal), requested as usize);
        }
    }
    let mut scrambler = scrambler("3x3", &Goal::BlankLast, 1);
    for (length, boards) in [(31, 2), (3, 8), (4, 16)] {
        const EACH: usize = 400;
        let mut times = BTreeMap::new();
        for _ in 0..boards * EACH {
            let board = slashes(&draw(&mut scrambler, length).unwrap().board).to_string();
            *times.entry(board).or_insert(0_usize) += 1;
        }
        assert_eq!(times.len(), boards, "of length {length}");
        // Six standard deviations.
        let far = 6 * EACH.isqrt();
        assert!(times.values().all(|drawn| drawn.abs_diff(EACH) < far), "{times:?}");
    }
}

#[test]
fn larger_boards_have_the_exact_length() {
    for (size, goal, requested) in [
        ("4x4", Goal::BlankLast, &[0, 1, 20, 52][..]),
        ("4x4", Goal::Columns, &[52]),
        ("4x3", Goal::BlankBottomLeft, &[8, 35]),
        ("5x5", Goal::BlankFirst, &[0, 14]),
    ] {
        let mut scrambler = scrambler(size, &goal, 3);
        for &requested in requested {
            let ScrambledBoard { board, uniform } = draw(&mut scrambler, requested).unwrap();
            assert_eq!(length(&board, &goal), requested as usize, "{size}");
            // Lengths between the near and the common ones are rare, but too many for a list.
            assert_eq!(uniform, requested != 20 || size != "4x4", "{size} {requested}");
        }
    }
}

/// Fails if the boards of a seed change.
#[test]
fn seeds_draw_the_same_boards_in_every_version() {
    let drawn = |size, length| {
        let mut scrambler = scrambler(size, &Goal::BlankLast, 7);
        slashes(&draw(&mut scrambler, length).unwrap().board).to_string()
    };
    assert_eq!(drawn("3x3", 20), "8 5 0/2 6 1/4 3 7");
    assert_eq!(drawn("4x4", 20), "1 2 3 4/5 6 12 0/9 7 14 8/13 11 10 15");
    assert_eq!(
        drawn("5x5", 14),
        "1 2 3 4 5/6 0 7 8 10/11 12 13 9 14/16 22 17 19 15/21 18 23 24 20"
    );
    assert_eq!(drawn("1x5", 3), "1/0/2/3/4");
}

#[test]
fn impossible_lengths_are_refused() {
    let refused =
        |size, goal, length| draw(&mut scrambler(size, &goal, 1), length).unwrap_err().to_string();
    assert_eq!(
        refused("3x3", Goal::BlankLast, 32),
        "no 3x3 board is 32 moves from this goal: the farthest are 31"
    );
    assert_eq!(
        refused("4x4", Goal::BlankBottomLeft, 81),
        "no 4x4 board is 81 moves from this goal: the farthest are 80"
    );
    assert_eq!(
        refused("5x5", Goal::BlankLast, 209),
        "no 5x5 board is 209 moves from this goal: none is farther than 208"
    );
    assert_eq!(
        refused("256x1", Goal::BlankLast, 256),
        "no 256x1 board is 256 moves from this goal: the farthest are 255"
    );
    // The bound grows by the number of steps from the middle to the nearest corner.
    assert_eq!(
        refused("4x4", Goal::Spiral, 83),
        "no 4x4 board is 83 moves from this goal: none is farther than 82"
    );
    assert_eq!(
        refused("5x3", Goal::Spiral, 87),
        "no 5x3 board is 87 moves from this goal: none is farther than 86"
    );
}

#[test]
fn draws_end_when_they_are_cancelled_with_a_search_or_without() {
    let cancelled = CancelToken::new();
    for (size, length) in [("3x3", 31), ("4x4", 50)] {
        let mut scrambler = scrambler(size, &Goal::BlankLast, 1);
        scrambler.of_length(8, &CancelToken::new(), None).unwrap();
        cancelled.cancel();
        let found = scrambler.of_length(length, &cancelled, None);
        assert_eq!(found, Err(ScrambleError::NotFound { length, stop: Stop::Cancelled }));
    }
}

#[test]
fn all_searches_of_a_draw_share_one_limit() {
    let goal = Goal::BlankLast.board("3x4".parse().unwrap()).unwrap();
    let found = |max_expanded| {
        let limits = Limits { max_expanded, ..Config::default().limits };
        let config = Config { limits, ..Config::default() };
        draw(&mut Scrambler::new(goal.clone(), 3, config).unwrap(), 45)
    };
    assert!(found(None).unwrap().uniform);
    // More than any single search takes, as no board is farther than 53.
    let stop = Stop::Expanded;
    assert_eq!(found(Some(60)), Err(ScrambleError::NotFound { length: 45, stop }));
}

#[test]
fn draws_by_length_refuse_searches_that_prove_nothing() {
    let nines = |row: usize| (0..16).map(move |to| if row == to { "0 " } else { "9 " });
    let entries: String = (0..16).map(|row| nines(row).collect::<String>() + "\n").collect();
    let matrix = DistanceMatrix::parse(&entries).unwrap();
    let config =
        Config { heuristic: Some(HeuristicChoice::Matrix(matrix.into())), ..Config::default() };
    let goal = Goal::BlankLast.board(Size::FIFTEEN).unwrap();
    let mut scrambler = Scrambler::new(goal, 1, config).unwrap();
    let error = draw(&mut scrambler, 1).unwrap_err();
    assert!(matches!(error, ScrambleError::Solver(Error::NotShortest { .. })), "{error}");
}

fn with_partial_goal(goal: &PartialGoal) -> Result<Scrambler, ScrambleError> {
    Scrambler::with_partial_goal(goal, 5, Config::default())
}

fn length_to(board: &Board, goal: &PartialGoal) -> usize {
    let problem = Problem::with_partial_goal(board.clone(), goal).unwrap();
    let report = Solver::default().solve(&problem).unwrap();
    assert!(report.optimal);
    report.length().unwrap()
}

/// The number of boards of a length comes from a search from all boards that meet the goal.
#[test]
fn draws_for_partial_goals_are_uniform() {
    for (text, requested) in
        [("1 2/* *", 3), ("1 2 */* * *", 2), ("* * 0/* * *", 1), ("1 2 */4 5 *", 5)]
    {
        const EACH: usize = 400;
        let goal = parse_partial_goal(text, None).unwrap();
        let boards = common::distances::distances(all_that_meet(&goal), Metric::SingleTile);
        let boards = boards.values().filter(|&&distance| distance == requested).count();
        let (mut scrambler, mut times) = (with_partial_goal(&goal).unwrap(), BTreeMap::new());
        for _ in 0..boards * EACH {
            let ScrambledBoard { board, uniform } = draw(&mut scrambler, requested as u32).unwrap();
            assert!(uniform);
            *times.entry(slashes(&board).to_string()).or_insert(0_usize) += 1;
        }
        assert_eq!(times.len(), boards, "{text}");
        let far = 6 * EACH.isqrt();
        assert!(times.values().all(|drawn| drawn.abs_diff(EACH) < far), "{text}: {times:?}");
    }
}

/// Returns all boards that meet `goal`.
fn all_that_meet(goal: &PartialGoal) -> Vec<Board> {
    let mut random = Random::new(1);
    let drawn: BTreeSet<String> =
        (0..1000).map(|_| slashes(&random_goal(goal, &mut random)).to_string()).collect();
    drawn.iter().map(|text| parse_board(text, None).unwrap()).collect()
}

#[test]
fn draws_for_partial_goals_have_the_exact_length() {
    for (text, lengths, uniform) in [
        ("1 2 3/* * */* * *", &[0, 9, 20][..], true),
        ("1 2 3 4/* * * */* * * */* * * *", &[0, 21, 30], true),
        ("1 2 3 4/5 6 * */* * * */* * * *", &[4, 40], true),
        ("1 2 3 4/5 6 7 8/* * * */* * * *", &[12], true),
        ("1 2 3 4/5 6 7 8/* * * */* * * *", &[20], false),
        ("1 2 3 4 5 6 7/8 * * * * * 14/* * * * * * *", &[16], true),
        ("1 2 3/4 5 6/* 8 *", &[], true),
        ("1 2 3/4 5 6/7 * *", &[3, 22], true),
        ("1 2 3/4 5 6/7 8 *", &[31], true),
    ] {
        let goal = parse_partial_goal(text, None).unwrap();
        let mut scrambler = with_partial_goal(&goal).unwrap();
        for &length in lengths {
            let drawn = draw(&mut scrambler, length).unwrap();
            assert_eq!(length_to(&drawn.board, &goal), length as usize, "{text}");
            assert_eq!(drawn.uniform, uniform, "{text}: {length}");
        }
        let (board, moves) = scrambler.by_moves(12).unwrap();
        assert!(length_to(&board, &goal) <= 12 && moves.len() == 12, "{text}");
        assert!(goal.reachable(&scrambler.uniform()).is_some(), "{text}");
    }
}

#[test]
fn impossible_lengths_for_partial_goals_are_refused() {
    let refused = |text: &str, length| {
        let goal = parse_partial_goal(text, None).unwrap();
        let drawn = with_partial_goal(&goal).and_then(|mut scrambler| draw(&mut scrambler, length));
        drawn.unwrap_err().to_string()
    };
    assert_eq!(
        refused("1 2 3/* * */* * *", 24),
        "no 3x3 board is 24 moves from this goal: the farthest are 22"
    );
    assert_eq!(
        refused("1 2 3 4/5 6 7 8/* * * */* * * 0", 81),
        "no 4x4 board is 81 moves from this goal: none is farther than 80"
    );
    assert!(refused("* 2 3/4 5 6/7 8 *", 9).contains("leaves two cells open"));
    assert!(refused("1 * */", 1).contains("a single line"));
}
