//! Good solutions at once, for boards of any size.
//!
//! A beam search brings the board near the goal, and local repair puts the remaining tiles right; where it
//! cannot, solving line by line always can. Remaining effort goes into wider beams with other evaluation
//! weights, and into solving segments of the solution again. There is a solution at every moment.

mod beam;
mod geometry;
mod lines;
mod repair;
mod segments;

use loyd_search::{Meter, Stop};
use loyd_tiles::{BoardSpace, Metric, Move};

use crate::problem::Problem;
use crate::space::{AnySpace, in_space};
use beam::{Weights, beam};
use geometry::{Geometry, Position};
use lines::solve_by_lines;
use repair::repair;
use segments::{Shortening, remove_cycles};

/// The first beam keeps one position for each cell of the blank on boards of this many cells and more; on
/// smaller ones it keeps as many more as take about as long, up to a limit.
const ONE_EACH: f64 = 100.0;
const MOST_EACH: f64 = 64.0;

/// The evaluation weights of the first beam.
const FIRST: Weights = Weights { power: 1.8, reversed: 40 };

/// The beams in a round of improving, each with other evaluation weights. They find different solutions,
/// and the best of these is better than that of one beam as wide as all together.
const BEAMS: usize = 6;

/// For each round, how much wider its beams are than the first one, and the nodes that may be expanded to
/// solve a segment of its best solution again.
const ROUNDS: [(usize, u64); 5] =
    [(2, 5_000), (12, 20_000), (12, 20_000), (32, 80_000), (128, 320_000)];

/// A solution of `problem`, which must be solvable, and the limit that stopped the search for a better
/// one, if any. It is improved until it has at most `enough` moves.
pub(crate) fn solution(
    problem: &Problem,
    enough: usize,
    meter: &mut Meter<'_>,
) -> (Vec<Move>, Option<Stop>) {
    let start = problem.start().clone();
    let near = problem.partial_goal().and_then(|partial| partial.near(&start));
    let goal = near.unwrap_or_else(|| problem.goal().clone());
    let complete = Problem::between(start, goal).expect("start and goal have the same size");
    let (mut moves, stopped) = Solving::new(&complete, enough, meter).run();
    if problem.partial_goal().is_some() {
        cut_at_goal(problem, &mut moves);
    }
    (moves, stopped)
}

/// Ends `moves` at the first board that meets a partial goal: they lead to one of many.
fn cut_at_goal(problem: &Problem, moves: &mut Vec<Move>) {
    let mut board = problem.start().clone();
    let met = moves.iter().position(|&m| {
        let met = problem.is_solved_by(&board);
        board.apply(m).expect("the solution has legal moves");
        met
    });
    moves.truncate(met.unwrap_or(moves.len()));
}

/// A problem with a complete goal that is being solved.
struct Solving<'a, 'o> {
    problem: &'a Problem,
    geometry: Geometry,
    start: Position,
    enough: usize,
    meter: &'a mut Meter<'o>,
}

impl<'a, 'o> Solving<'a, 'o> {
    fn new(problem: &'a Problem, enough: usize, meter: &'a mut Meter<'o>) -> Self {
        let geometry = Geometry::new(problem.goal());
        let start = geometry.position(problem.start());
        Self { problem, geometry, start, enough, meter }
    }

    fn run(mut self) -> (Vec<Move>, Option<Stop>) {
        let size = self.geometry.size;
        if size.is_line() {
            return (solve_by_lines(&self.geometry, &self.start), None);
        }
        // Positions at a depth grow with the cells, and the moves somewhat faster.
        let per_cell = (ONE_EACH / size.cells() as f64).powf(2.5).clamp(1.0, MOST_EACH) as usize;
        let (reached, stopped) = beam(&self.geometry, &self.start, FIRST, per_cell, self.meter);
        let mut moves = self.complete(reached);
        let stopped = stopped.or_else(|| self.improve(per_cell, &mut moves).err());
        (moves, stopped)
    }

    /// Looks for shorter `moves` in rounds of beams that are wider than `per_cell`.
    fn improve(&mut self, per_cell: usize, moves: &mut Vec<Move>) -> Result<(), Stop> {
        let mut weights = (0..).map(weights);
        for (wider, nodes) in ROUNDS {
            let mut found = Vec::new();
            for weights in weights.by_ref().take(BEAMS) {
                if moves.len() <= self.enough {
                    return Ok(());
                }
                let (reached, stopped) =
                    beam(&self.geometry, &self.start, weights, per_cell * wider, self.meter);
                // The best position of a beam that is stopped is far from the goal.
                stopped.map_or(Ok(()), Err)?;
                found.push(self.complete(reached));
                keep_shorter(moves, found.last().expect("one was found"));
            }
            let mut best = found.into_iter().min_by_key(Vec::len).expect("there are beams");
            let stopped = self.shorten(&mut best, nodes);
            keep_shorter(moves, &best);
            stopped?;
        }
        Ok(())
    }

    /// Solves segments of `moves` again, each with so many nodes at most.
    fn shorten(&mut self, moves: &mut Vec<Move>, nodes: u64) -> Result<(), Stop> {
        let mut shortening = Shortening {
            geometry: &self.geometry,
            start: self.problem.start(),
            moves,
            enough: self.enough,
            nodes,
            meter: self.meter,
        };
        let space = AnySpace::new(self.problem, Metric::SingleTile);
        in_space!(&space, space => shortening.run(space.steps()))
    }

    /// A solution that begins with these moves.
    fn complete(&self, mut moves: Vec<Move>) -> Vec<Move> {
        let (geometry, start) = (&self.geometry, &self.start);
        if geometry.size.width() >= 3 && geometry.size.height() >= 3 {
            moves.extend(repair(geometry, &start.after(geometry, &moves)));
        }
        moves.extend(solve_by_lines(geometry, &start.after(geometry, &moves)));
        remove_cycles(geometry, start, &moves)
    }
}

/// The evaluation weights of each beam of improving.
fn weights(index: u32) -> Weights {
    Weights {
        power: 1.5 + 0.05 * f64::from(index * 7 % 11),
        reversed: 25 + (index * 29 % 36) as i32,
    }
}

fn keep_shorter(moves: &mut Vec<Move>, other: &[Move]) {
    if other.len() < moves.len() {
        *moves = other.to_vec();
    }
}

#[cfg(test)]
mod tests;
