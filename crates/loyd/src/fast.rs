//! Good answers at once, for boards of any size.
//!
//! A beam search brings the board to the goal or near it, solving line after line does the rest
//! whatever happens, and what time is left goes into wider beams and into solving stretches of the
//! answer anew. There is an answer at every moment.

mod beam;
mod lines;
mod plane;
mod windows;

use loyd_search::{Meter, Stop};
use loyd_tiles::Move;

use crate::problem::Problem;
use beam::{Reached, beam};
use lines::by_lines;
use plane::{Plane, Position};
use windows::{improve, without_rounds};

/// Positions of the first beam at each depth, for one cell of the blank: one on boards of this many
/// cells and more, which makes 5 ms on 10x10, and on smaller ones as many more as takes a like time.
const ONE_EACH: usize = 64;
const MOST_EACH: usize = 64;

/// Beams grow until they keep so many positions a depth.
const WIDEST: usize = 1 << 15;

/// An answer for `problem`, which must be solvable, and why no better one was looked for if a limit
/// was reached. It is improved until it has at most `enough` moves.
pub(crate) fn answer(
    problem: &Problem,
    enough: usize,
    meter: &mut Meter<'_>,
) -> (Vec<Move>, Option<Stop>) {
    match problem.goal().size().cells() {
        ..=16 => answer_in::<16>(problem, enough, meter),
        17..=64 => answer_in::<64>(problem, enough, meter),
        65..=128 => answer_in::<128>(problem, enough, meter),
        _ => answer_in::<256>(problem, enough, meter),
    }
}

fn answer_in<const N: usize>(
    problem: &Problem,
    enough: usize,
    meter: &mut Meter<'_>,
) -> (Vec<Move>, Option<Stop>) {
    let plane = Plane::new(problem.goal());
    let start = plane.position(problem.start(), problem.goal());
    if plane.size.is_line() {
        return (by_lines(&plane, &start), None);
    }
    let cells = plane.size.cells();
    let mut per_cell = (ONE_EACH / cells).pow(3).clamp(1, MOST_EACH);
    let (reached, mut stopped) = beam::<N>(&plane, &start, per_cell, meter);
    let mut moves = shortest_end(&plane, &start, reached);
    while stopped.is_none() && moves.len() > enough && per_cell * cells < WIDEST {
        per_cell *= 2;
        let (reached, end) = beam::<N>(&plane, &start, per_cell, meter);
        let other = shortest_end(&plane, &start, reached);
        if other.len() < moves.len() {
            moves = other;
        }
        stopped = end;
    }
    if stopped.is_none() && moves.len() > enough {
        stopped = improve::<N>(&plane, &start, &mut moves, enough, meter).err();
    }
    (moves, stopped)
}

/// The shortest answer by way of one of the positions that were reached.
fn shortest_end(plane: &Plane, start: &Position, reached: Vec<Reached>) -> Vec<Move> {
    let answers = reached.into_iter().map(|Reached { position, mut moves }| {
        moves.extend(by_lines(plane, &position));
        moves
    });
    let shortest = answers.min_by_key(Vec::len).expect("the start is reached");
    without_rounds(plane, start, &shortest)
}

#[cfg(test)]
mod tests;
