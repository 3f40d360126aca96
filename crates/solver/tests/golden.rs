//! Published counts that any correct program reproduces.

use loyd::search::Prune;
use loyd::{Board, Config, Goal, Problem, Size, Solver};

fn idastar(heuristic: &'static str) -> Solver {
    let config = Config {
        algorithm: Some("idastar"),
        heuristic: Some(heuristic.into()),
        prune: Some(Prune::Undo),
        ..Config::default()
    };
    Solver::new(config).unwrap()
}

/// The first of Korf's hundred boards (1985) with Manhattan distance: nodes generated within each bound, without the
/// root, and without moves that undo the previous one. With the root, the sum is the 276,361,933 that Korf published.
/// It depends on the move order up, left, right, down.
#[test]
fn korfs_first_board_generates_the_published_number_of_nodes() {
    let board = loyd::notation::parse_board("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", None).unwrap();
    let problem = Problem::new(board, &Goal::BlankFirst).unwrap();
    let report = idastar("manhattan").solve(&problem).unwrap();
    assert_eq!((report.length(), report.optimal), (Some(57), true));
    let generated: Vec<_> =
        report.stats.iterations.iter().map(|round| (round.bound, round.generated)).collect();
    let expected = [(41, 212), (43, 1_494), (45, 10_832), (47, 72_600), (49, 451_935)];
    assert_eq!(generated[..5], expected);
    assert_eq!(report.stats.generated, 276_361_932);
}

/// Returns the board after `moves` random moves, none of which undoes the previous one. They are drawn by a linear
/// congruential generator (Knuth, MMIX).
fn walked(goal: &Board, seed: u64, moves: usize) -> Board {
    let (mut board, mut state, mut last) = (goal.clone(), seed, None);
    for _ in 0..moves {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let legal = board.moves().into_iter();
        let legal: Vec<_> = legal.filter(|m| Some(m.inverse()) != last).collect();
        let step = legal[(state >> 33) as usize % legal.len()];
        board.apply(step).unwrap();
        last = Some(step);
    }
    board
}

/// Compares three unrelated heuristics, on goals with the blank in two corners and inside.
#[test]
fn heuristics_find_the_same_lengths_on_4x4_boards() {
    let odd = "5 12 3 1/9 0 14 2/11 8 4 15/13 7 10 6";
    let odd = loyd::notation::parse_board(odd, None).unwrap();
    let solvers = ["manhattan", "linear-conflict", "walking-distance"].map(idastar);
    let mut total = 0;
    for goal in [Goal::BlankFirst, Goal::BlankLast, Goal::Board(odd)] {
        let end = goal.board(Size::FIFTEEN).unwrap();
        for seed in 0..8 {
            let problem = Problem::new(walked(&end, seed, 60), &goal).unwrap();
            let lengths =
                solvers.each_ref().map(|solver| solver.solve(&problem).unwrap().length().unwrap());
            assert_eq!(lengths, [lengths[0]; 3], "{:?} to {goal}", problem.start());
            total += lengths[0];
        }
    }
    assert!(total > 24 * 20, "the boards are too easy: {total} moves");
}
