//! Hints and reviews, compared with exact distances.

mod common {
    pub mod truth;
}

use common::truth::Truth;
use loyd::{
    CancelToken, Config, Goal, Limits, Metric, Move, Problem, ReviewError, Solver, Stop, notation,
};

fn solver(metric: Metric) -> Solver {
    Solver::new(Config { metric, ..Config::default() }).unwrap()
}

#[test]
fn hints_are_all_moves_that_bring_the_goal_nearer() {
    let goal = Goal::BlankLast.board("3x3".parse().unwrap()).unwrap();
    let truth = Truth::new(&goal);
    let solver = solver(Metric::SingleTile);
    for board in truth.sample(500, 7) {
        let problem = Problem::between(board.clone(), goal.clone()).unwrap();
        let hint = solver.hint(&problem, &CancelToken::new()).unwrap();
        let nearer = |m: &Move| {
            let mut next = board.clone();
            next.apply(*m).is_ok() && truth.distance(&next) + 1 == truth.distance(&board)
        };
        let expected: Vec<Vec<Move>> =
            Move::ALL.into_iter().filter(nearer).map(|m| vec![m]).collect();
        assert_eq!((hint.best, hint.stopped), (expected, None), "{board}");
        assert!(hint.report.length() <= Some(truth.diameter() as usize));
    }
    let at_goal = Problem::between(goal.clone(), goal).unwrap();
    assert!(solver.hint(&at_goal, &CancelToken::new()).unwrap().best.is_empty());
}

#[test]
fn what_is_lost_adds_up() {
    let goal = Goal::BlankLast.board("3x3".parse().unwrap()).unwrap();
    let truth = Truth::new(&goal);
    let mut state = 5_u64;
    for metric in Metric::ALL {
        let solver = solver(metric);
        for board in truth.sample(100, 9) {
            let mut steps = Vec::new();
            let mut end = board.clone();
            while steps.len() < 40 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
                let step = Move::ALL[(state >> 62) as usize];
                if end.apply(step).is_ok() {
                    steps.push(step);
                }
            }
            let problem = Problem::between(board, goal.clone()).unwrap();
            let review = solver.review(&problem, &steps, &CancelToken::new()).unwrap();
            assert_eq!(review.length, metric.length(&steps));
            assert_eq!(review.shortest + review.lost(), review.length + review.left);
            for stretch in &review.stretches {
                assert!(stretch.lost() > 0 && !stretch.instead.contains(&stretch.played[0]));
            }
            let optimal = solver.solve(&problem).unwrap().moves.unwrap();
            let review = solver.review(&problem, &optimal, &CancelToken::new()).unwrap();
            assert_eq!((review.left, review.stretches.len()), (0, 0));
        }
    }
}

#[test]
fn a_detour_is_one_stretch() {
    let problem: Problem = "1 2 3/4 5 6/7 x 8".parse().unwrap();
    let steps = notation::parse_moves("uldrr").unwrap();
    let review = solver(Metric::SingleTile).review(&problem, &steps, &CancelToken::new()).unwrap();
    let [stretch] = &review.stretches[..] else { panic!("{review:?}") };
    assert_eq!((stretch.number, stretch.before, stretch.instead.len()), (1, 1, 1));
    assert_eq!(
        (review.shortest, review.left, review.lost()),
        (1, stretch.after, review.length + stretch.after - 1)
    );
}

#[test]
fn what_cannot_be_reviewed_says_why() {
    let problem: Problem = "1 2 3/4 5 6/7 x 8".parse().unwrap();
    let steps = |text| notation::parse_moves(text).unwrap();
    let solver = solver(Metric::SingleTile);
    let review = |steps: &[Move]| solver.review(&problem, steps, &CancelToken::new());
    let illegal = ReviewError::Illegal { number: 2, direction: Move::Down };
    assert_eq!(review(&steps("rd")), Err(illegal));
    assert!(review(&[]).unwrap().stretches.is_empty());

    let swapped: Problem = "2 1 3/4 5 6/7 8 x".parse().unwrap();
    let unsolvable = solver.review(&swapped, &steps("l"), &CancelToken::new());
    assert_eq!(unsolvable, Err(ReviewError::Unsolvable));

    let limits = Limits { max_expanded: Some(1), ..Limits::default() };
    let short = Solver::new(Config { limits, ..Config::default() }).unwrap();
    let far: Problem = "8 6 7/2 5 4/3 x 1".parse().unwrap();
    let stopped = short.review(&far, &steps("u"), &CancelToken::new());
    assert_eq!(stopped, Err(ReviewError::Stopped { played: 0, stop: Stop::Expanded }));
}
