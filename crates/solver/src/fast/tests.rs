use std::ops::ControlFlow;

use loyd_search::{CancelToken, Event, Limits, Meter};
use loyd_tiles::{Board, Goal, Random, Size, random_board};
use rustc_hash::FxHashSet;

use super::*;

/// Returns a problem with a random goal and a random solvable start.
fn problem(size: Size, random: &mut Random) -> Problem {
    let mut numbers: Vec<u32> = (0..size.cells() as u32).collect();
    random.shuffle(&mut numbers);
    let goal = Board::new(size, &numbers).unwrap();
    Problem::between(random_board(&goal, random), goal).unwrap()
}

fn check(problem: &Problem, moves: &[Move]) {
    let mut board = problem.start().clone();
    for &m in moves {
        board.apply(m).unwrap();
    }
    assert_eq!(board, *problem.goal(), "{}", problem.start());
}

/// Returns a first solution.
fn first(problem: &Problem) -> Vec<Move> {
    let (improver, stopped) = Improver::new(problem, Metric::SingleTile, &mut Meter::default());
    assert_eq!(stopped, None);
    improver.moves().to_vec()
}

fn sizes() -> Vec<Size> {
    let small = (1..=8).flat_map(|w| (1..=8).map(move |h| (w, h))).filter(|&(w, h)| w * h > 1);
    let large = [(16, 16), (2, 128), (128, 2), (3, 85), (256, 1), (1, 256), (10, 10)];
    small.chain(large).map(|(w, h)| Size::new(w, h).unwrap()).collect()
}

#[test]
fn lines_solve_every_size_and_goal() {
    let mut random = Random::new(1);
    for size in sizes() {
        let boards = if size.cells() <= 64 { 10 } else { 1 };
        for _ in 0..boards {
            let problem = problem(size, &mut random);
            let geometry = Geometry::new(problem.goal());
            let start = geometry.position(problem.start());
            check(&problem, &lines(&geometry, &start, Vec::new()));
        }
    }
}

#[test]
fn every_size_and_goal_has_a_fast_solution() {
    let mut random = Random::new(2);
    for size in sizes() {
        let problem = problem(size, &mut random);
        check(&problem, &first(&problem));
    }
}

/// The mean length for 10x10 boards is the one measured in BENCHMARKS.md, within the variation of a few boards.
#[test]
fn solutions_are_as_short_as_documented() {
    let (mut random, size) = (Random::new(4), Size::new(10, 10).unwrap());
    let goal = Goal::BlankLast.board(size).unwrap();
    let lengths = (0..8).map(|_| {
        let problem = Problem::between(random_board(&goal, &mut random), goal.clone()).unwrap();
        first(&problem).len()
    });
    let mean = lengths.sum::<usize>() / 8;
    assert!((1_050..1_300).contains(&mean), "{mean}");
}

/// Swaps this many pairs of neighbours in random places, with the blank at its goal.
fn with_swapped_pairs(goal: &Board, pairs: usize, random: &mut Random) -> Board {
    let (size, mut numbers) = (goal.size(), Vec::from_iter(goal.numbers().map(u32::from)));
    let mut left = pairs;
    while left > 0 {
        let cell = random.below(size.cells() as u64) as usize;
        let other = if random.below(2) == 0 { cell + 1 } else { cell + size.width() };
        let in_row = other != cell + 1 || !other.is_multiple_of(size.width());
        let as_in_goal = |cell: usize| numbers[cell] == u32::from(goal.tiles()[cell].number());
        if other < size.cells()
            && in_row
            && [cell, other].into_iter().all(|c| as_in_goal(c) && numbers[c] != 0)
        {
            numbers.swap(cell, other);
            left -= 1;
        }
    }
    Board::new(size, &numbers).unwrap()
}

#[test]
fn repairs_solve_swapped_pairs_anywhere() {
    let mut random = Random::new(5);
    for (size, goal) in
        [("3x3", Goal::BlankLast), ("4x7", Goal::BlankFirst), ("10x10", Goal::BlankLast)]
    {
        let goal = goal.board(size.parse().unwrap()).unwrap();
        let geometry = Geometry::new(&goal);
        for pairs in [2, 2, 2, 2, 4] {
            let board = with_swapped_pairs(&goal, pairs.min(goal.size().cells() / 4), &mut random);
            let problem = Problem::between(board, goal.clone()).unwrap();
            let moves = repair(&geometry, &geometry.position(problem.start()));
            check(&problem, &moves);
            assert!(moves.len() <= 80 * pairs, "{} moves for {}", moves.len(), problem.start());
        }
    }
}

#[test]
fn more_effort_never_makes_a_solution_longer() {
    let size = Size::new(6, 5).unwrap();
    let problem = problem(size, &mut Random::new(3));
    let first = first(&problem);
    let mut before = usize::MAX;
    for max_expanded in [0, 100, 100_000, 400_000, 2_000_000, 8_000_000] {
        let limits = Limits { max_expanded: Some(max_expanded), ..Limits::default() };
        let mut meter = Meter::new(limits, CancelToken::new());
        let (mut improver, mut stopped) = Improver::new(&problem, Metric::SingleTile, &mut meter);
        while stopped.is_none() {
            stopped = improver.step(0, &mut meter).err();
        }
        let moves = improver.moves().to_vec();
        assert_eq!(stopped, Some(Stop::Expanded));
        assert!(meter.finish().expanded <= max_expanded);
        check(&problem, &moves);
        // Below this limit, the first beam is stopped early, and lengths are not comparable.
        if max_expanded > 100 {
            assert!(moves.len() <= before.min(first.len()), "{} after {before}", moves.len());
            before = moves.len();
        }
    }
    assert!(before < first.len(), "{before} and {}", first.len());
}

#[test]
fn beams_stay_narrow_if_memory_is_short() {
    let problem = problem(Size::new(6, 6).unwrap(), &mut Random::new(5));
    let limits = Limits { max_bytes: Some(6 << 20), ..Limits::default() };
    let mut meter = Meter::new(limits, CancelToken::new());
    let (mut improver, stopped) = Improver::new(&problem, Metric::SingleTile, &mut meter);
    assert_eq!(stopped, None);
    while improver.round < Some(2) {
        assert_eq!(improver.step(0, &mut meter), Ok(()));
    }
    assert!(improver.widest < effort(1).0, "the limit was never reached");
    check(&problem, improver.moves());
}

#[test]
fn cycles_are_removed() {
    let problem = Problem::new(
        Board::new(Size::EIGHT, &[1, 2, 3, 4, 5, 6, 0, 7, 8]).unwrap(),
        &Goal::BlankLast,
    )
    .unwrap();
    let geometry = Geometry::new(problem.goal());
    let start = geometry.position(problem.start());
    let moves = loyd_tiles::notation::parse_moves("udrludrr").unwrap();
    let kept = remove_cycles(&geometry, &start, &moves);
    check(&problem, &kept);
    assert_eq!(kept.len(), 2);
}

#[test]
fn beams_on_several_threads_are_those_on_one() {
    let problem = problem(Size::new(6, 6).unwrap(), &mut Random::new(6));
    let geometry = Geometry::new(problem.goal());
    let start = geometry.position(problem.start());
    let beams: Vec<_> = (0..3).map(|index| (start.clone(), weights(index))).collect();
    let mut meter = Meter::default();
    let together = run_beams(&geometry, beams.clone(), 20, &mut meter);
    let mut expanded = 0;
    for ((start, weights), together) in beams.iter().zip(&together) {
        let mut meter = Meter::default();
        assert_eq!(&beam(&geometry, start, *weights, 20, &mut meter), together);
        expanded += meter.finish().expanded;
    }
    assert_eq!(meter.finish().expanded, expanded);
    let lengths = together.iter().map(|(moves, _)| moves.len()).collect::<FxHashSet<_>>();
    assert!(lengths.len() > 1, "all beams have the same weights");
}

/// Only the first beam has the observer. When it ends the search, the other beams must stop too.
#[test]
fn an_observer_ends_beams_on_all_threads() {
    let problem = problem(Size::new(10, 10).unwrap(), &mut Random::new(7));
    let geometry = Geometry::new(problem.goal());
    let start = geometry.position(problem.start());
    let beams: Vec<_> = (0..3).map(|index| (start.clone(), weights(index))).collect();
    let mut stop = |_: Event<'_>| ControlFlow::Break(());
    let mut meter = Meter::default().with_observer(&mut stop);
    for (_, stopped) in run_beams(&geometry, beams, 200, &mut meter) {
        assert_eq!(stopped, Some(Stop::Cancelled));
    }
}

/// The shortest paths of a plain breadth-first search, for pairs of positions at most 14 random moves apart.
#[test]
fn shorter_paths_are_shortest() {
    let mut random = Random::new(8);
    let mut found = [0; 2];
    for size in ["3x3", "4x2", "4x4", "5x3"] {
        let problem = problem(size.parse().unwrap(), &mut random);
        let geometry = Geometry::new(problem.goal());
        let from = geometry.position(problem.start());
        for length in 0..=14 {
            let mut to = from.clone();
            for _ in 0..length {
                let moves: Vec<Move> = geometry.moves.moves(to.blank).into_iter().collect();
                to.apply(&geometry, moves[random.below(moves.len() as u64) as usize]);
            }
            let least = distance(&geometry, &from, &to);
            let meter = &mut Meter::default();
            match shorter_path(&geometry, [&from, &to], length, 1 << 20, meter).unwrap() {
                Shorter::Path(moves) => {
                    assert_eq!(from.after(&geometry, &moves), to, "{size}");
                    assert_eq!(moves.len(), least, "{size}");
                    assert!(least < length, "{size}");
                    found[0] += 1;
                }
                Shorter::None => {
                    assert_eq!(least, length, "{size}");
                    found[1] += 1;
                }
                Shorter::Unknown => panic!("{size}: there are enough nodes"),
            }
        }
    }
    assert!(found[0] > 10 && found[1] > 4, "{found:?}");
}

/// Returns the distance between two positions.
fn distance(geometry: &Geometry, from: &Position, to: &Position) -> usize {
    let (mut layer, mut seen) = (vec![from.clone()], FxHashSet::from_iter([from.clone()]));
    for depth in 0.. {
        if layer.contains(to) {
            return depth;
        }
        let children = layer.iter().flat_map(|position| {
            let moves = geometry.moves.moves(position.blank).into_iter();
            moves.map(|m| position.after(geometry, &[m]))
        });
        let children: Vec<Position> = children.collect();
        layer = children.into_iter().filter(|child| seen.insert(child.clone())).collect();
    }
    unreachable!("the positions are connected")
}
