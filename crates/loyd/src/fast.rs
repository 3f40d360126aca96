//! Good answers at once, for boards of any size.
//!
//! A beam search brings the board near the goal, repairs in small windows put the rest right, and where
//! they cannot, solving line after line does, whatever happens. What effort is left goes into wider beams
//! of several tastes, and into solving stretches of the answer anew. There is an answer at every moment.

mod beam;
mod lines;
mod mend;
mod plane;
mod windows;

use loyd_search::{Meter, Stop};
use loyd_tiles::{Board, Move};

use crate::problem::Problem;
use beam::{Taste, beam};
use lines::by_lines;
use mend::mend;
use plane::{Plane, Position};
use windows::{improve, without_rounds};

/// The first beam keeps one position for each cell of the blank on boards of this many cells and more, and
/// on smaller ones as many more as take a like time; at most so many.
const ONE_EACH: f64 = 100.0;
const MOST_EACH: f64 = 64.0;

/// How the first beam judges.
const FIRST: Taste = Taste { power: 1.8, reversed: 40 };

/// Each round of improving has so many beams of different tastes. They go different ways, and the best of
/// them is better than one beam that is as wide as all together.
const TASTES: u32 = 6;

/// For each round, how much wider its beams are than the first one, and the nodes that may be expanded to
/// solve a stretch of the best answer anew.
const ROUNDS: [(usize, u64); 5] =
    [(2, 5_000), (12, 20_000), (12, 20_000), (32, 80_000), (128, 320_000)];

/// An answer for `problem`, which must be solvable, and why no better one was looked for if a limit
/// was reached. It is improved until it has at most `enough` moves.
pub(crate) fn answer(
    problem: &Problem,
    enough: usize,
    meter: &mut Meter<'_>,
) -> (Vec<Move>, Option<Stop>) {
    let (start, goal) = (problem.start(), problem.goal());
    let near = problem.partial_goal().and_then(|part| part.near(start));
    let goal = near.as_ref().unwrap_or(goal);
    let (mut moves, stopped) = match goal.size().cells() {
        ..=16 => answer_in::<16>(start, goal, enough, meter),
        17..=64 => answer_in::<64>(start, goal, enough, meter),
        65..=128 => answer_in::<128>(start, goal, enough, meter),
        _ => answer_in::<256>(start, goal, enough, meter),
    };
    if problem.partial_goal().is_some() {
        cut_at_goal(problem, &mut moves);
    }
    (moves, stopped)
}

/// Ends `moves` where a part goal is first met, of which the board that was aimed at is one of many.
fn cut_at_goal(problem: &Problem, moves: &mut Vec<Move>) {
    let mut board = problem.start().clone();
    let met = moves.iter().position(|&m| {
        let met = problem.is_solved_by(&board);
        board.apply(m).expect("the answer has legal moves");
        met
    });
    moves.truncate(met.unwrap_or(moves.len()));
}

fn answer_in<const N: usize>(
    start: &Board,
    goal: &Board,
    enough: usize,
    meter: &mut Meter<'_>,
) -> (Vec<Move>, Option<Stop>) {
    let plane = Plane::new(goal);
    let start = plane.position(start, goal);
    if plane.size.is_line() {
        return (by_lines(&plane, &start), None);
    }
    // Positions at a depth grow with the cells, and the moves somewhat faster.
    let per_cell = (ONE_EACH / plane.size.cells() as f64).powf(2.5).clamp(1.0, MOST_EACH) as usize;
    let (reached, mut stopped) = beam::<N>(&plane, &start, FIRST, per_cell, meter);
    let mut moves = finish(&plane, &start, reached);
    for (round, (wider, nodes)) in (0..).zip(ROUNDS) {
        if stopped.is_some() || moves.len() <= enough {
            break;
        }
        let round = Round { tastes: TASTES * round, per_cell: per_cell * wider, nodes, enough };
        stopped = round.run::<N>(&plane, &start, &mut moves, meter).err();
    }
    (moves, stopped)
}

/// A round of improving.
struct Round {
    /// The number of its first taste.
    tastes: u32,
    per_cell: usize,
    nodes: u64,
    enough: usize,
}

impl Round {
    /// Looks for better `moves` by beams, and by improving the best that these find.
    fn run<const N: usize>(
        &self,
        plane: &Plane,
        start: &Position,
        moves: &mut Vec<Move>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        let mut found = Vec::new();
        for taste in (self.tastes..self.tastes + TASTES).map(taste) {
            let (reached, stopped) = beam::<N>(plane, start, taste, self.per_cell, meter);
            // What a beam has come to when it is stopped is far from the goal.
            if let Some(stop) = stopped {
                return Err(stop);
            }
            found.push(finish(plane, start, reached));
            keep_shorter(moves, found.last().expect("one was found"));
            if moves.len() <= self.enough {
                return Ok(());
            }
        }
        let mut best = found.into_iter().min_by_key(Vec::len).expect("there are tastes");
        let stopped = improve::<N>(plane, start, &mut best, self.enough, self.nodes, meter);
        keep_shorter(moves, &best);
        stopped
    }
}

fn taste(index: u32) -> Taste {
    Taste { power: 1.5 + 0.05 * f64::from(index * 7 % 11), reversed: 25 + (index * 29 % 36) as i32 }
}

fn keep_shorter(moves: &mut Vec<Move>, other: &[Move]) {
    if other.len() < moves.len() {
        *moves = other.to_vec();
    }
}

/// An answer that begins with these moves.
fn finish(plane: &Plane, start: &Position, mut moves: Vec<Move>) -> Vec<Move> {
    let mut near = start.after(plane, &moves);
    if plane.size.width() >= 3 && plane.size.height() >= 3 {
        let repairs = mend(plane, &near);
        near = near.after(plane, &repairs);
        moves.extend(repairs);
    }
    moves.extend(by_lines(plane, &near));
    without_rounds(plane, start, &moves)
}

#[cfg(test)]
mod tests;
