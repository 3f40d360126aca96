use loyd_search::{CancelToken, Limits, Meter};
use loyd_tiles::{Board, Goal, Relabelling, Size, Solvability};

use super::*;

/// The sequence of SplitMix64 (Steele, Lea and Flood 2014).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn board(&mut self, size: Size) -> Board {
        let mut numbers: Vec<u32> = (0..size.cells() as u32).collect();
        for last in (1..numbers.len()).rev() {
            numbers.swap(last, (self.next() % (last as u64 + 1)) as usize);
        }
        Board::new(size, &numbers).unwrap()
    }

    /// A random goal and a random board that can become it.
    fn problem(&mut self, size: Size) -> Problem {
        let goal = self.board(size);
        if size.is_line() {
            // Only the blank can be anywhere.
            let mut tiles: Vec<u32> = goal.numbers().map(u32::from).filter(|&n| n != 0).collect();
            tiles.insert((self.next() % size.cells() as u64) as usize, 0);
            return Problem::between(Board::new(size, &tiles).unwrap(), goal).unwrap();
        }
        loop {
            let start = self.board(size);
            if Solvability::test(&start, &Relabelling::new(&goal)) {
                return Problem::between(start, goal).unwrap();
            }
        }
    }
}

fn check(problem: &Problem, moves: &[Move]) {
    let mut board = problem.start().clone();
    for &m in moves {
        board.apply(m).unwrap();
    }
    assert_eq!(board, *problem.goal(), "{}", problem.start());
}

fn sizes() -> Vec<Size> {
    let small = (1..=8).flat_map(|w| (1..=8).map(move |h| (w, h))).filter(|&(w, h)| w * h > 1);
    let large = [(16, 16), (2, 128), (128, 2), (3, 85), (256, 1), (1, 256), (10, 10)];
    small.chain(large).map(|(w, h)| Size::new(w, h).unwrap()).collect()
}

#[test]
fn every_size_and_goal_is_solved_by_lines() {
    let mut numbers = Numbers(1);
    for size in sizes() {
        let boards = if size.cells() <= 64 { 30 } else { 2 };
        for _ in 0..boards {
            let problem = numbers.problem(size);
            let plane = Plane::new(problem.goal());
            let start = plane.position(problem.start(), problem.goal());
            check(&problem, &by_lines(&plane, &start));
        }
    }
}

#[test]
fn every_size_and_goal_has_a_fast_answer() {
    let mut numbers = Numbers(2);
    for size in sizes() {
        for _ in 0..2 {
            let problem = numbers.problem(size);
            let (moves, stopped) = answer(&problem, usize::MAX, &mut Meter::default());
            assert_eq!(stopped, None);
            check(&problem, &moves);
        }
    }
}

#[test]
fn more_effort_never_makes_an_answer_longer() {
    let mut numbers = Numbers(3);
    let size = Size::new(6, 5).unwrap();
    let problem = numbers.problem(size);
    let mut before = usize::MAX;
    for max_expanded in [0, 100, 10_000, 100_000, 400_000] {
        let limits = Limits { max_expanded: Some(max_expanded), ..Limits::default() };
        let mut meter = Meter::new(limits, CancelToken::new());
        let (moves, stopped) = answer(&problem, 0, &mut meter);
        assert_eq!(stopped, Some(Stop::Expanded));
        assert!(meter.finish().expanded <= max_expanded);
        check(&problem, &moves);
        assert!(moves.len() <= before, "{} after {before}", moves.len());
        before = moves.len();
    }
}

#[test]
fn rounds_are_cut_out() {
    let problem = Problem::new(
        Board::new(Size::EIGHT, &[1, 2, 3, 4, 5, 6, 0, 7, 8]).unwrap(),
        &Goal::BlankLast,
    )
    .unwrap();
    let plane = Plane::new(problem.goal());
    let start = plane.position(problem.start(), problem.goal());
    let moves = loyd_tiles::notation::parse_moves("udrludrr").unwrap();
    let kept = without_rounds(&plane, &start, &moves);
    check(&problem, &kept);
    assert_eq!(kept.len(), 2);
}
