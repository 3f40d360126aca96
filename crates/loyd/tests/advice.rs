//! Hints and reviews, compared with exact distances.

mod common {
    pub mod distances;
}

use std::collections::HashMap;

use common::distances::{distances, next_boards};
use loyd::moves::Metric;
use loyd::scramble::Random;
use loyd::search::{DistanceMatrix, HeuristicChoice, Limits, Stop};
use loyd::study::ReviewError;
use loyd::{Board, CancelToken, Config, Error, Goal, Move, Problem, Size, Solver, notation};
use loyd_tiles::random_board;

fn solver(metric: Metric) -> Solver {
    Solver::new(Config { metric, ..Config::default() }).unwrap()
}

/// The distances of all 3x3 boards.
type Distances = HashMap<Board, usize>;

/// All moves with which a shortest answer begins.
fn best(distances: &Distances, board: &Board, metric: Metric) -> Vec<Vec<Move>> {
    let next = next_boards(board, metric).into_iter();
    let nearer = next.filter(|(_, next)| distances[next] + 1 == distances[board]);
    nearer.map(|(steps, _)| steps).collect()
}

fn goal() -> Board {
    Goal::BlankLast.board(Size::EIGHT).unwrap()
}

#[test]
fn hints_are_all_moves_that_bring_the_goal_nearer() {
    for metric in Metric::ALL {
        let (distances, solver) = (distances([goal()], metric), solver(metric));
        let mut random = Random::new(7);
        for _ in 0..300 {
            let board = random_board(&goal(), &mut random);
            let problem = Problem::between(board.clone(), goal()).unwrap();
            let hint = solver.hint(&problem, &CancelToken::new()).unwrap();
            let expected = best(&distances, &board, metric);
            assert_eq!((hint.best, hint.stopped), (expected, None), "{board}");
            assert_eq!(hint.report.length(), Some(distances[&board]), "{board}");
        }
    }
    let at_goal = Problem::between(goal(), goal()).unwrap();
    let hint = solver(Metric::SingleTile).hint(&at_goal, &CancelToken::new()).unwrap();
    assert!(hint.best.is_empty());
}

#[test]
fn a_hint_that_was_stopped_says_so() {
    let limits = Limits { max_expanded: Some(1), ..Limits::default() };
    let short = Solver::new(Config { limits, ..Config::default() }).unwrap();
    let hint = short.hint(&"8 6 7/2 5 4/3 x 1".parse().unwrap(), &CancelToken::new()).unwrap();
    assert_eq!((hint.best, hint.stopped), (Vec::new(), Some(Stop::Expanded)));
}

/// A solver whose searches take many expansions, and are given this many.
fn within(max_expanded: Option<u64>) -> Solver {
    let (algorithm, heuristic) = (Some("idastar"), Some("manhattan".into()));
    let limits = Limits { max_expanded, ..Limits::default() };
    Solver::new(Config { algorithm, heuristic, limits, ..Config::default() }).unwrap()
}

/// The expansions that the searches from these boards take together.
fn expansions(boards: &[Board]) -> u64 {
    let solver = within(None);
    let problems = boards.iter().map(|board| Problem::between(board.clone(), goal()).unwrap());
    problems.map(|problem| solver.solve(&problem).unwrap().stats.expanded).sum()
}

fn board_and_next(board: &Board) -> Vec<Board> {
    let next = next_boards(board, Metric::SingleTile).into_iter().map(|(_, next)| next);
    std::iter::once(board.clone()).chain(next).collect()
}

#[test]
fn all_searches_of_a_hint_share_one_limit() {
    let problem: Problem = "8 6 7/2 5 4/3 x 1".parse().unwrap();
    let all = expansions(&board_and_next(problem.start()));
    let hint = |limit| within(Some(limit)).hint(&problem, &CancelToken::new()).unwrap();
    let (enough, short) = (hint(all), hint(all - 1));
    assert_eq!((enough.best.len(), enough.stopped), (3, None));
    assert_eq!((short.report.length(), short.stopped), (Some(31), Some(Stop::Expanded)));
}

#[test]
fn all_searches_of_a_review_share_one_limit() {
    let problem: Problem = "8 6 7/2 5 4/x 3 1".parse().unwrap();
    let (start, end) =
        (problem.start().clone(), notation::parse_board("8 6 7/2 5 4/3 x 1", None).unwrap());
    // The one move loses, so there is a hint too.
    let all = expansions(&[start.clone(), end]) + expansions(&board_and_next(&start));
    let review = |limit| within(Some(limit)).review(&problem, &[Move::Right], &CancelToken::new());
    assert_eq!(review(all).unwrap().lost(), 2);
    let stopped = ReviewError::Stopped { played: 0, stop: Stop::Expanded };
    assert_eq!(review(all - 1), Err(stopped));
}

/// A matrix that says too much leads to answers that nobody knows to be shortest.
#[test]
fn advice_needs_answers_that_are_proved_shortest() {
    let entries: String = (0..9)
        .map(|row| (0..9).map(|to| if row == to { "0 " } else { "9 " }).collect::<String>() + "\n")
        .collect();
    let matrix = DistanceMatrix::parse(&entries).unwrap();
    let heuristic = Some(HeuristicChoice::Matrix(matrix.into()));
    let config = Config { heuristic, ..Config::default() };
    let solver = Solver::new(config.clone()).unwrap();
    let problem: Problem = "8 6 7/2 5 4/3 x 1".parse().unwrap();
    let hint = solver.hint(&problem, &CancelToken::new());
    assert!(matches!(hint, Err(Error::NotShortest { .. })));
    let review = solver.review(&problem, &[Move::Up], &CancelToken::new());
    assert!(matches!(review, Err(ReviewError::Config(Error::NotShortest { .. }))));
}

#[test]
fn a_review_tells_the_distances_on_the_way() {
    let mut random = Random::new(5);
    for metric in Metric::ALL {
        let (distances, solver) = (distances([goal()], metric), solver(metric));
        for _ in 0..60 {
            let board = random_board(&goal(), &mut random);
            let (mut steps, mut on_the_way) = (Vec::new(), vec![board.clone()]);
            let mut end = board.clone();
            while steps.len() < 40 {
                let step = *random.choose(&Move::ALL).unwrap();
                if end.apply(step).is_ok() {
                    steps.push(step);
                    on_the_way.push(end.clone());
                }
            }
            let problem = Problem::between(board.clone(), goal()).unwrap();
            let review = solver.review(&problem, &steps, &CancelToken::new()).unwrap();
            assert_eq!(review.length, metric.length(&steps));
            assert_eq!((review.shortest, review.left), (distances[&board], distances[&end]));
            assert_eq!(review.shortest + review.lost(), review.length + review.left);
            let played = loyd::moves::moves_in(metric, &steps);
            for segment in &review.segments {
                let before = played[..segment.number - 1].concat().len();
                let after = before + segment.played.concat().len();
                let (from, to) = (&on_the_way[before], &on_the_way[after]);
                assert_eq!((segment.before, segment.after), (distances[from], distances[to]));
                assert_eq!(segment.instead, best(&distances, from, metric));
                assert!(segment.lost() > 0 && !segment.instead.contains(&segment.played[0]));
            }
            let optimal = solver.solve(&problem).unwrap().moves.unwrap();
            let review = solver.review(&problem, &optimal, &CancelToken::new()).unwrap();
            assert_eq!((review.left, review.segments.len()), (0, 0));
        }
    }
}

#[test]
fn a_detour_is_one_segment() {
    let problem: Problem = "1 2 3/4 5 6/7 x 8".parse().unwrap();
    let steps = notation::parse_moves("uldrr").unwrap();
    let review = solver(Metric::SingleTile).review(&problem, &steps, &CancelToken::new()).unwrap();
    let [segment] = &review.segments[..] else { panic!("{review:?}") };
    assert_eq!((segment.number, segment.before, segment.instead.len()), (1, 1, 1));
    assert_eq!(
        (review.shortest, review.left, review.lost()),
        (1, segment.after, review.length + segment.after - 1)
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
    assert!(review(&[]).unwrap().segments.is_empty());

    let swapped: Problem = "2 1 3/4 5 6/7 8 x".parse().unwrap();
    let unsolvable = solver.review(&swapped, &steps("l"), &CancelToken::new());
    assert_eq!(unsolvable, Err(ReviewError::Unsolvable));

    let limits = Limits { max_expanded: Some(1), ..Limits::default() };
    let short = Solver::new(Config { limits, ..Config::default() }).unwrap();
    let far: Problem = "8 6 7/2 5 4/3 x 1".parse().unwrap();
    let stopped = short.review(&far, &steps("u"), &CancelToken::new());
    assert_eq!(stopped, Err(ReviewError::Stopped { played: 0, stop: Stop::Expanded }));
}
