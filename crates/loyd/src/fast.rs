//! Good solutions at once, for boards of any size.
//!
//! A beam search brings the board near the goal, and local repair puts the remaining tiles right; where it
//! cannot, solving line by line always can. Remaining effort goes into wider beams with other evaluation
//! weights, into searching again from positions on the way of the best one, and into solving segments of the
//! solution again. There is a solution at every moment.

mod beam;
mod geometry;
mod lines;
mod repair;
mod segments;

use loyd_search::{Meter, Stop};
use loyd_tiles::{Board, BoardSpace, Metric, Move};

use crate::problem::Problem;
use crate::space::{AnySpace, in_space};
use beam::{Weights, beam};
use geometry::{Geometry, Position};
use lines::solve_by_lines;
use repair::repair;
pub(crate) use segments::Shorter;
use segments::{Segment, Shortening, remove_cycles};

/// The first beam keeps one position for each cell of the blank on boards of this many cells and more; on
/// smaller ones it keeps as many more as take about as long, up to a limit.
const ONE_EACH: f64 = 100.0;
const MOST_EACH: f64 = 64.0;

/// The evaluation weights of the first beam.
const FIRST: Weights = Weights { power: 1.8, reversed: 40 };

/// The beams in a round of improving, each with other evaluation weights. They find different solutions,
/// and the best of these is better than that of one beam as wide as all together.
const BEAMS: usize = 6;

/// The beams that follow in the round, each from a position on the best solution. How many moves the last tiles
/// need is a matter of luck, and a beam for the last part costs little.
const LAST_PARTS: usize = 20;

/// The lengths of these last parts, in turn, in hundredths of the solution.
const PARTS: [usize; 4] = [15, 26, 37, 48];

/// The [`effort`] of each of the first rounds.
const ROUNDS: [(usize, u64); 4] = [(2, 5_000), (12, 20_000), (24, 80_000), (48, 160_000)];

/// After these rounds, both double until they are so much.
const WIDEST: usize = 1024;
const MOST_NODES: u64 = 1 << 20;

/// Boards of at most so many cells begin with the second round.
const MOST_FOR_SECOND: usize = 100;

/// Ends `moves` at the first board that meets a partial goal: they lead to one of many.
fn cut_at_goal(problem: &Problem, moves: &mut Vec<Move>) {
    if problem.partial_goal().is_none() {
        return;
    }
    let mut board = problem.start().clone();
    let met = moves.iter().position(|&m| {
        let met = problem.is_solved_by(&board);
        board.apply(m).expect("the solution has legal moves");
        met
    });
    moves.truncate(met.unwrap_or(moves.len()));
}

/// A solution, and how far the search for better ones has come.
pub(crate) struct Improver<'a> {
    /// What is to be solved.
    problem: &'a Problem,
    /// The problem of reaching one board that meets the goal.
    between: Problem,
    geometry: Geometry,
    start: Position,
    /// The width of the first beam, to which the others are in proportion.
    per_cell: usize,
    /// What counts as a move.
    metric: Metric,
    /// The best solution.
    best: Vec<Move>,
    /// Rounds that are over, and all beams of improving so far.
    round: usize,
    beams: u32,
    /// How much wider than the first one a beam may be: less if there was no memory for that.
    widest: usize,
    /// The beams of this round so far, and the best of their solutions.
    done: usize,
    found: Vec<Move>,
    /// Whether the meter is told of solutions while they are made shorter.
    tells: bool,
}

impl<'a> Improver<'a> {
    /// A first solution of `problem`, which must be solvable, and the limit that kept it from being better, if any.
    /// `metric` says which of two solutions is the better one.
    pub fn new(
        problem: &'a Problem,
        metric: Metric,
        meter: &mut Meter<'_>,
    ) -> (Self, Option<Stop>) {
        let start = problem.start().clone();
        let near = problem.partial_goal().and_then(|partial| partial.near(&start));
        let goal = near.unwrap_or_else(|| problem.goal().clone());
        let geometry = Geometry::new(&goal);
        // Positions at a depth grow with the cells, and the moves somewhat faster.
        let cells = geometry.size.cells();
        let per_cell = (ONE_EACH / cells as f64).powf(2.5).clamp(1.0, MOST_EACH) as usize;
        let mut improver = Self {
            problem,
            start: geometry.position(&start),
            between: Problem::between(start, goal).expect("start and goal have the same size"),
            geometry,
            per_cell,
            metric,
            best: Vec::new(),
            round: usize::from(cells <= MOST_FOR_SECOND),
            beams: 0,
            widest: WIDEST,
            done: 0,
            found: Vec::new(),
            tells: false,
        };
        if improver.geometry.size.is_line() {
            improver.best = solve_by_lines(&improver.geometry, &improver.start);
            cut_at_goal(problem, &mut improver.best);
            // There is no other way.
            improver.round = usize::MAX;
            return (improver, None);
        }
        let (reached, stopped) = beam(&improver.geometry, &improver.start, FIRST, per_cell, meter);
        improver.best = improver.completed(reached);
        cut_at_goal(problem, &mut improver.best);
        (improver, stopped)
    }

    /// Tells the meter of shorter solutions at once, not only at the end of a step. Only where each of them is better:
    /// where single steps count, and all moves are needed to meet the goal.
    #[must_use]
    pub fn telling(self) -> Self {
        let tells = self.metric == Metric::SingleTile && self.problem.partial_goal().is_none();
        Self { tells, ..self }
    }

    /// The best solution so far.
    pub fn moves(&self) -> &[Move] {
        &self.best
    }

    /// Its length.
    pub fn length(&self) -> usize {
        self.metric.length(&self.best)
    }

    /// Whether a step may find a better solution.
    pub fn goes_on(&self) -> bool {
        self.round < usize::MAX
    }

    /// A beam, or when all of a round have been, its best solution made shorter until it has `enough` moves.
    /// Steps take longer and longer; there is no last one.
    ///
    /// # Errors
    /// The limit that was reached; the step was in vain unless it made a solution shorter.
    pub fn step(&mut self, enough: usize, meter: &mut Meter<'_>) -> Result<(), Stop> {
        if !self.goes_on() {
            return Ok(());
        }
        let (wider, nodes) = effort(self.round);
        if self.done < BEAMS + LAST_PARTS {
            return self.search_again(wider.min(self.widest), meter);
        }
        self.round += 1;
        self.done = 0;
        let mut best = std::mem::take(&mut self.found);
        let stopped = self.shorten(&mut best, enough, nodes, meter);
        self.keep_better(best);
        stopped
    }

    /// A beam that is `wider` than the first one, from the start or from a position on the best solution of this round.
    fn search_again(&mut self, wider: usize, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let kept = match self.done.checked_sub(BEAMS) {
            None => 0,
            Some(number) => self.found.len() * (100 - PARTS[number % PARTS.len()]) / 100,
        };
        let mut moves = self.found[..kept].to_vec();
        let from = self.start.after(&self.geometry, &moves);
        let weights = weights(self.beams);
        self.beams += 1;
        let (reached, stopped) = beam(&self.geometry, &from, weights, self.per_cell * wider, meter);
        meter.release();
        match stopped {
            Some(Stop::Memory) if wider > 1 => {
                self.widest = wider / 2;
                return Ok(());
            }
            // The best position of a beam that is stopped is far from the goal.
            Some(stop) => return Err(stop),
            None => {}
        }
        moves.extend(reached);
        let moves = self.completed(moves);
        if self.done == 0 || self.metric.length(&moves) < self.metric.length(&self.found) {
            self.found.clone_from(&moves);
            self.keep_better(moves);
        }
        self.done += 1;
        Ok(())
    }

    /// Keeps these moves, which lead to a board that meets the goal, if they are better than the best solution so far.
    fn keep_better(&mut self, mut moves: Vec<Move>) {
        cut_at_goal(self.problem, &mut moves);
        if self.metric.length(&moves) < self.length() {
            self.best = moves;
        }
    }

    /// Solves segments of `moves` again, each with so many nodes at most, until they are `enough`.
    fn shorten(
        &self,
        moves: &mut Vec<Move>,
        enough: usize,
        nodes: u64,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        let (geometry, start) = (&self.geometry, self.between.start());
        let told = if self.tells { self.best.len() } else { 0 };
        let mut shortening = Shortening { geometry, start, moves, enough, nodes, told, meter };
        let space = AnySpace::new(&self.between, Metric::SingleTile);
        in_space!(&space, space => shortening.run(space.steps()))
    }

    /// A solution that begins with these moves.
    fn completed(&self, mut moves: Vec<Move>) -> Vec<Move> {
        let (geometry, start) = (&self.geometry, &self.start);
        if geometry.size.width() >= 3 && geometry.size.height() >= 3 {
            moves.extend(repair(geometry, &start.after(geometry, &moves)));
        }
        moves.extend(solve_by_lines(geometry, &start.after(geometry, &moves)));
        remove_cycles(geometry, start, &moves)
    }
}

/// Short ways in single steps between boards that have the same goals in reach.
pub(crate) struct Ways {
    geometry: Geometry,
    space: AnySpace,
}

impl Ways {
    /// Ways between boards from which `board` can be reached.
    pub fn new(board: &Board) -> Self {
        let space = AnySpace::new(&Problem::to_itself(board), Metric::SingleTile);
        Self { geometry: Geometry::new(board), space }
    }

    /// The moves without those that lead from a board back to the same board.
    pub fn without_cycles(&self, start: &Board, moves: &[Move]) -> Vec<Move> {
        remove_cycles(&self.geometry, &self.geometry.position(start), moves)
    }

    /// A shortest way between two boards if it is shorter than `length`; the search is given up after `nodes` expansions.
    ///
    /// # Errors
    /// The limit of `meter` that was reached.
    pub fn shorter(
        &self,
        [from, to]: [&Board; 2],
        length: usize,
        nodes: u64,
        meter: &mut Meter<'_>,
    ) -> Result<Shorter, Stop> {
        in_space!(&self.space, space => {
            let steps = space.steps();
            Segment::new(steps, &self.geometry, steps.encode(to))
                .solve(&steps.encode(from), length, nodes, meter)
        })
    }
}

/// For the round with this number, how much wider its beams are than the first one, and the nodes that may be
/// expanded to solve a segment of its best solution again.
fn effort(round: usize) -> (usize, u64) {
    let Some(later) = round.checked_sub(ROUNDS.len()) else { return ROUNDS[round] };
    let (wider, nodes) = ROUNDS[ROUNDS.len() - 1];
    (WIDEST.min(wider << later.min(8)), MOST_NODES.min(nodes << later.min(8)))
}

/// The evaluation weights of each beam of improving.
fn weights(index: u32) -> Weights {
    Weights {
        power: 1.5 + 0.05 * f64::from(index * 7 % 11),
        reversed: 25 + (index * 29 % 36) as i32,
    }
}

#[cfg(test)]
mod tests;
