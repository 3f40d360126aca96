//! Boards that are drawn have the length that was asked for, and the same seed draws the same ones.

use std::collections::BTreeMap;

use loyd::notation::slashes;
use loyd::scramble::{ScrambleError, Scrambled, Scrambler};
use loyd::search::{DistanceMatrix, HeuristicChoice, Limits, Stop};
use loyd::{Board, CancelToken, Config, Error, Goal, Problem, Size, Solver};

fn scrambler(size: &str, goal: &Goal, seed: u64) -> Scrambler {
    let size: Size = size.parse().unwrap();
    Scrambler::new(goal.board(size).unwrap(), seed, Config::default()).unwrap()
}

fn draw(scrambler: &mut Scrambler, length: u32) -> Result<Scrambled, ScrambleError> {
    scrambler.of_length(length, &CancelToken::new())
}

fn length(board: &Board, goal: &Goal) -> usize {
    let report = Solver::default().solve(&Problem::new(board.clone(), goal).unwrap()).unwrap();
    assert!(report.optimal);
    report.length().unwrap()
}

#[test]
fn boards_with_a_whole_table_are_drawn_evenly() {
    for goal in [Goal::BlankLast, Goal::Spiral] {
        let mut scrambler = scrambler("3x3", &goal, 1);
        for wanted in 0..=30 {
            let Scrambled { board, uniform } = draw(&mut scrambler, wanted).unwrap();
            assert!(uniform);
            assert_eq!(length(&board, &goal), wanted as usize);
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
fn lengths_of_larger_boards_are_exact() {
    for (size, goal, wanted) in [
        ("4x4", Goal::BlankLast, &[0, 1, 20, 52][..]),
        ("4x4", Goal::Columns, &[52]),
        ("4x3", Goal::BlankBottomLeft, &[8, 35]),
        ("5x5", Goal::BlankFirst, &[0, 14]),
    ] {
        let mut scrambler = scrambler(size, &goal, 3);
        for &wanted in wanted {
            let Scrambled { board, uniform } = draw(&mut scrambler, wanted).unwrap();
            assert_eq!(length(&board, &goal), wanted as usize, "{size}");
            // Between those near the goal and the common ones are lengths that are rare and too many.
            assert_eq!(uniform, wanted != 20 || size != "4x4", "{size} {wanted}");
        }
    }
}

/// Fails when anybody changes what a seed means.
#[test]
fn seeds_mean_the_same_for_ever() {
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
fn lengths_that_no_board_has_are_refused() {
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
    // From the middle, the nearest corner is so many steps away.
    assert_eq!(
        refused("4x4", Goal::Spiral, 83),
        "no 4x4 board is 83 moves from this goal: none is farther than 82"
    );
    assert_eq!(
        refused("5x3", Goal::Spiral, 87),
        "no 5x3 board is 87 moves from this goal: none is farther than 86"
    );
    let cancelled = CancelToken::new();
    cancelled.cancel();
    let error = scrambler("4x4", &Goal::BlankLast, 1).of_length(50, &cancelled).unwrap_err();
    assert!(matches!(error, ScrambleError::NotFound { length: 50, .. }), "{error}");
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
    // More than any of the searches takes, for no board is farther than 53.
    let stop = Stop::Expanded;
    assert_eq!(found(Some(60)), Err(ScrambleError::NotFound { length: 45, stop }));
}

#[test]
fn a_length_needs_answers_that_are_proved_shortest() {
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
