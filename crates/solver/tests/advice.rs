//! Hints, reviews and shorter solutions, compared with exact distances.

mod common {
    pub mod distances;
}

use std::collections::HashMap;

use common::distances::{distances, next_boards};
use loyd::moves::Metric;
use loyd::scramble::Random;
use loyd::search::{DistanceMatrix, HeuristicChoice, Limits, Quality, Stop};
use loyd::study::{Bounds, Review, ReviewError, Segment};
use loyd::{Board, CancelToken, Config, Error, Goal, Move, Problem, Size, Solver, notation};
use loyd_tiles::random_board;

fn solver(metric: Metric) -> Solver {
    Solver::new(Config { metric, ..Config::default() }).unwrap()
}

/// The distances of all 3x3 boards.
type Distances = HashMap<Board, usize>;

/// Returns the first moves of all shortest solutions.
fn best(distances: &Distances, board: &Board, metric: Metric) -> Vec<Vec<Move>> {
    let next = next_boards(board, metric).into_iter();
    let nearer = next.filter(|(_, next)| distances[next] + 1 == distances[board]);
    nearer.map(|(steps, _)| steps).collect()
}

fn goal() -> Board {
    Goal::BlankLast.board(Size::EIGHT).unwrap()
}

#[test]
fn hint_returns_all_moves_that_bring_the_goal_nearer() {
    for metric in Metric::ALL {
        let (distances, solver) = (distances([goal()], metric), solver(metric));
        let mut random = Random::new(7);
        for _ in 0..300 {
            let board = random_board(&goal(), &mut random);
            let problem = Problem::between(board.clone(), goal()).unwrap();
            let hint = solver.hint(&problem, &CancelToken::new(), None).unwrap();
            let expected = best(&distances, &board, metric);
            assert_eq!((hint.best, hint.stopped), (expected, None), "{board}");
            assert_eq!(hint.report.length(), Some(distances[&board]), "{board}");
        }
    }
    let at_goal = Problem::between(goal(), goal()).unwrap();
    let hint = solver(Metric::SingleTile).hint(&at_goal, &CancelToken::new(), None).unwrap();
    assert!(hint.best.is_empty());
}

#[test]
fn stopped_hint_is_the_first_move_of_the_best_solution() {
    let limits = Limits { max_expanded: Some(1), ..Limits::default() };
    for metric in Metric::ALL {
        let short = Solver::new(Config { metric, limits, ..Config::default() }).unwrap();
        let problem: Problem = "8 6 7/2 5 4/3 x 1".parse().unwrap();
        let hint = short.hint(&problem, &CancelToken::new(), None).unwrap();
        let moves = hint.report.moves.as_ref().unwrap();
        assert_eq!(hint.best, [loyd::moves::moves_in(metric, moves)[0].clone()]);
        assert!(!hint.report.optimal && !hint.is_complete() && reaches(&problem, moves));
    }
}

fn reaches(problem: &Problem, steps: &[Move]) -> bool {
    let mut board = problem.start().clone();
    board.walk(steps).unwrap();
    problem.is_solved_by(&board)
}

/// Returns a solver with a slow search and a limit on expansions.
fn within(max_expanded: Option<u64>) -> Solver {
    let (algorithm, heuristic) = (Some("idastar"), Some("manhattan".into()));
    let limits = Limits { max_expanded, ..Limits::default() };
    Solver::new(Config { algorithm, heuristic, limits, ..Config::default() }).unwrap()
}

/// The limit applies to all searches of a hint together, so raising it decides more first moves.
#[test]
fn all_searches_of_a_hint_share_one_limit() {
    let problem: Problem = "8 6 7/2 5 4/3 x 1".parse().unwrap();
    let alone = within(None).solve(&problem).unwrap().stats.expanded;
    let hint = |limit| within(Some(limit)).hint(&problem, &CancelToken::new(), None).unwrap();
    let (enough, short, shorter) = (hint(10 * alone), hint(alone), hint(alone - 1));
    assert_eq!((enough.best.len(), enough.stopped), (3, None));
    assert_eq!((short.report.length(), short.stopped), (Some(31), Some(Stop::Expanded)));
    assert!(short.report.optimal && short.best.len() < 3);
    assert!(!shorter.is_complete() && !shorter.best.is_empty());
}

/// Under any limit, the bounds of a review enclose the known distances, for sequences of any length.
#[test]
fn bounds_of_reviews_enclose_the_distances() {
    let mut random = Random::new(17);
    let (mut proved, mut open, mut shortcuts) = (0, 0, 0);
    for metric in Metric::ALL {
        let distances = distances([goal()], metric);
        for limit in [0, 30, 300, 3_000, 30_000] {
            let (algorithm, heuristic) = match metric {
                Metric::SingleTile => ("idastar", Some("manhattan".into())),
                Metric::MultiTile => ("bibfs", None),
            };
            let limits = Limits { max_expanded: Some(limit), ..Limits::default() };
            let algorithm = Some(algorithm);
            let config = Config { algorithm, heuristic, metric, limits, ..Config::default() };
            let solver = Solver::new(config).unwrap();
            for _ in 0..12 {
                let board = random_board(&goal(), &mut random);
                let steps = wander(&board, 50, &mut random);
                let problem = Problem::between(board, goal()).unwrap();
                let review = solver.review(&problem, &steps, &CancelToken::new(), None).unwrap();
                check_bounds(&review, &problem, &steps, &distances);
                match review.lost().exact_value() {
                    Some(_) => proved += 1,
                    None => open += 1,
                }
                let found = review.segments.iter().filter(|segment| segment.shortcut.is_some());
                shortcuts += found.count();
            }
        }
    }
    assert!(proved > 10 && open > 10 && shortcuts > 10, "{proved} {open} {shortcuts}");
}

/// Returns `count` legal random steps, which include detours.
fn wander(board: &Board, count: usize, random: &mut Random) -> Vec<Move> {
    let (mut board, mut steps) = (board.clone(), Vec::new());
    while steps.len() < count {
        let step = *random.choose(&Move::ALL).unwrap();
        if board.apply(step).is_ok() {
            steps.push(step);
        }
    }
    steps
}

fn encloses(bounds: Bounds, distance: usize) -> bool {
    bounds.lower <= distance && distance <= bounds.upper
}

/// Checks everything that a review states.
fn check_bounds(review: &Review, problem: &Problem, steps: &[Move], distances: &Distances) {
    let played = loyd::moves::moves_in(review.metric, steps);
    let mut boards = vec![problem.start().clone()];
    for steps in &played {
        let mut board = boards.last().unwrap().clone();
        board.walk(steps).unwrap();
        boards.push(board);
    }
    let (first, last) = (distances[&boards[0]], distances[&boards[played.len()]]);
    assert!(encloses(review.shortest, first) && encloses(review.remaining, last), "{review:?}");
    assert!(encloses(review.lost(), played.len() + last - first), "{review:?}");
    assert!(reaches(problem, &review.best), "{review:?}");
    assert_eq!(review.metric.length(&review.best), review.shortest.upper, "{review:?}");
    let mut end = 0;
    for segment in &review.segments {
        let from = segment.number - 1;
        let to = from + segment.played.len();
        assert!(from >= end && segment.played == played[from..to] && segment.lost() > 0);
        end = to;
        let (before, after) = (distances[&boards[from]], distances[&boards[to]]);
        assert!(encloses(segment.before, before) && encloses(segment.after, after), "{review:?}");
        assert!(segment.lost() <= to - from + after - before, "{review:?}");
        if let Some(way) = &segment.shortcut {
            let mut board = boards[from].clone();
            board.walk(&way.concat()).unwrap();
            assert_eq!(board, boards[to]);
        }
        for steps in &segment.better_moves {
            let mut board = boards[from].clone();
            board.walk(steps).unwrap();
            assert_eq!(distances[&board] + 1, before);
        }
    }
}

/// The matrix overestimates, so solutions are not proved shortest.
#[test]
fn hint_and_review_refuse_searches_that_prove_nothing() {
    let entries: String = (0..9)
        .map(|row| (0..9).map(|to| if row == to { "0 " } else { "9 " }).collect::<String>() + "\n")
        .collect();
    let matrix = DistanceMatrix::parse(&entries).unwrap();
    let heuristic = Some(HeuristicChoice::Matrix(matrix.into()));
    let config = Config { heuristic, ..Config::default() };
    let solver = Solver::new(config.clone()).unwrap();
    let problem: Problem = "8 6 7/2 5 4/3 x 1".parse().unwrap();
    let hint = solver.hint(&problem, &CancelToken::new(), None);
    assert!(matches!(hint, Err(Error::NotShortest { .. })));
    let review = solver.review(&problem, &[Move::Up], &CancelToken::new(), None);
    assert!(matches!(review, Err(ReviewError::Config(Error::NotShortest { .. }))));
}

#[test]
fn review_distances_match_those_of_the_boards() {
    let mut random = Random::new(5);
    for metric in Metric::ALL {
        let (distances, solver) = (distances([goal()], metric), solver(metric));
        for _ in 0..60 {
            let board = random_board(&goal(), &mut random);
            let (mut steps, mut boards) = (Vec::new(), vec![board.clone()]);
            let mut end = board.clone();
            while steps.len() < 40 {
                let step = *random.choose(&Move::ALL).unwrap();
                if end.apply(step).is_ok() {
                    steps.push(step);
                    boards.push(end.clone());
                }
            }
            let problem = Problem::between(board.clone(), goal()).unwrap();
            let review = solver.review(&problem, &steps, &CancelToken::new(), None).unwrap();
            assert_eq!(review.length, metric.length(&steps));
            let proved = (
                review.shortest.exact_value(),
                review.remaining.exact_value(),
                review.lost().exact_value(),
            );
            let lost = review.length + distances[&end] - distances[&board];
            assert_eq!(proved, (Some(distances[&board]), Some(distances[&end]), Some(lost)));
            assert_eq!(review.segments.iter().map(Segment::lost).sum::<usize>(), lost);
            check_bounds(&review, &problem, &steps, &distances);
            let played = loyd::moves::moves_in(metric, &steps);
            for segment in &review.segments {
                let before = played[..segment.number - 1].concat().len();
                let after = before + segment.played.concat().len();
                let (from, to) = (&boards[before], &boards[after]);
                let (before, after) = (segment.before.exact_value(), segment.after.exact_value());
                assert_eq!((before, after), (Some(distances[from]), Some(distances[to])));
                assert_eq!(segment.better_moves, best(&distances, from, metric));
                assert!(segment.lost() > 0 && !segment.better_moves.contains(&segment.played[0]));
            }
            let optimal = solver.solve(&problem).unwrap().moves.unwrap();
            let review = solver.review(&problem, &optimal, &CancelToken::new(), None).unwrap();
            assert_eq!((review.remaining.exact_value(), review.segments.len()), (Some(0), 0));
        }
    }
}

#[test]
fn detour_is_one_segment() {
    let problem: Problem = "1 2 3/4 5 6/7 x 8".parse().unwrap();
    let steps = notation::parse_moves("uldrr").unwrap();
    let review =
        solver(Metric::SingleTile).review(&problem, &steps, &CancelToken::new(), None).unwrap();
    let [segment] = &review.segments[..] else { panic!("{review:?}") };
    let before = segment.before.exact_value();
    assert_eq!((segment.number, before, segment.better_moves.len()), (1, Some(1), 1));
    assert_eq!((review.shortest.exact_value(), review.remaining), (Some(1), segment.after));
    assert_eq!(review.lost().lower, segment.lost());
}

#[test]
fn review_errors_name_the_reason() {
    let problem: Problem = "1 2 3/4 5 6/7 x 8".parse().unwrap();
    let steps = |text| notation::parse_moves(text).unwrap();
    let solver = solver(Metric::SingleTile);
    let review = |steps: &[Move]| solver.review(&problem, steps, &CancelToken::new(), None);
    let illegal = ReviewError::Illegal { number: 2, direction: Move::Down };
    assert_eq!(review(&steps("rd")), Err(illegal));
    assert!(review(&[]).unwrap().segments.is_empty());

    let swapped: Problem = "2 1 3/4 5 6/7 8 x".parse().unwrap();
    let unsolvable = solver.review(&swapped, &steps("l"), &CancelToken::new(), None);
    assert_eq!(unsolvable, Err(ReviewError::Unsolvable));
}

/// The moves start at the goal, so that one table has the distances of their ends.
#[test]
fn optimized_moves_reach_the_same_board_in_no_more_moves() {
    let mut random = Random::new(23);
    let (mut shorter, mut open) = (0, 0);
    for metric in Metric::ALL {
        let distances = distances([goal()], metric);
        for (limit, window) in [(0, None), (300, None), (300, Some(8)), (1_000_000, None)] {
            let limits = Limits { max_expanded: Some(limit), ..Limits::default() };
            let solver = Solver::new(Config { metric, limits, ..Config::default() }).unwrap();
            for _ in 0..8 {
                let steps = wander(&goal(), 70, &mut random);
                let mut end = goal();
                end.walk(&steps).unwrap();
                let found =
                    solver.optimize(&goal(), &steps, window, &CancelToken::new(), None).unwrap();
                let mut now = goal();
                now.walk(&found.moves).unwrap();
                assert_eq!((&now, found.before), (&end, metric.length(&steps)));
                assert_eq!(found.bounds.upper, metric.length(&found.moves));
                assert!(found.bounds.upper <= found.before, "{found:?}");
                assert!(encloses(found.bounds, distances[&end]), "{found:?}");
                assert!(limit < 1_000_000 || found.bounds.exact_value().is_some(), "{found:?}");
                shorter += usize::from(found.bounds.upper < found.before);
                open += usize::from(found.bounds.exact_value().is_none());
            }
        }
    }
    assert!(shorter > 30 && open > 10, "{shorter} {open}");
}

#[test]
fn optimize_shortens_fast_solutions_of_large_boards() {
    let goal = Goal::BlankLast.board(Size::new(6, 6).unwrap()).unwrap();
    let problem = Problem::between(random_board(&goal, &mut Random::new(3)), goal).unwrap();
    for metric in Metric::ALL {
        let quality = Some(Quality::Fast);
        let limits = Limits { max_expanded: Some(300_000), ..Limits::default() };
        let fast = Solver::new(Config { quality, metric, ..Config::default() }).unwrap();
        let moves = fast.solve(&problem).unwrap().moves.unwrap();
        let solver = Solver::new(Config { metric, limits, ..Config::default() }).unwrap();
        let found =
            solver.optimize(problem.start(), &moves, None, &CancelToken::new(), None).unwrap();
        assert!(reaches(&problem, &found.moves), "{found:?}");
        assert!(found.bounds.upper < found.before && found.bounds.lower > 5, "{found:?}");
    }
}

#[test]
fn bounds_end_when_they_are_enough() {
    let problem: Problem = "14 15 8 12/10 11 9 13/2 6 5 1/3 7 4 0".parse().unwrap();
    let bounds = |enough: fn(Bounds) -> bool| {
        Solver::default().bounds(&problem, &CancelToken::new(), None, enough).unwrap().unwrap()
    };
    let (at_once, later) = (bounds(|_| true), bounds(|known| known.upper < 130));
    assert!(at_once.exact_value().is_none() && later.upper < 130, "{at_once:?} {later:?}");
    let swapped = "2 1 3/4 5 6/7 8 x".parse().unwrap();
    let none = Solver::default().bounds(&swapped, &CancelToken::new(), None, |_| false);
    assert_eq!(none.unwrap(), None);
}
