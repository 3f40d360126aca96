//! Finds good solutions immediately, for boards of any size.
//!
//! 1. A beam search brings the board near the goal ([`beam`](mod@beam)).
//! 2. Local repair puts the remaining tiles right ([`repair`](mod@repair)); where it cannot, solving line by line
//!    always can ([`lines`]). This gives the first solution.
//! 3. Improvement rounds use wider beams with other evaluation weights, from the start and from positions on the best
//!    solution, and then solve segments of the solution again ([`segments`]). There is a solution at every moment.
//!
//! Boards that are too large for a beam over the whole board have their own solver ([`large`]).

mod beam;
#[cfg(feature = "parallel")]
mod concurrent;
mod geometry;
mod large;
mod last_tiles;
mod lines;
mod local_paths;
mod repair;
mod segments;
mod sweep;
mod window_beam;
mod workspace;
pub(crate) use large::{LargeImprover, Shortening as LongShortening};
pub(crate) use segments::Shorter;

use loyd_search::{Meter, Stop};
use loyd_tiles::{Board, Metric, Move};

use crate::problem::Problem;
use beam::{Weights, beam};
#[cfg(feature = "parallel")]
use concurrent::run_beams;
use geometry::{Geometry, Layout, Position};
use lines::solve_by_lines;
use repair::repair;
use segments::{Shortening, remove_cycles, shorter_path};
use workspace::Workspace;

/// On boards of at least this many cells, the first beam keeps one position for each cell of the blank. On smaller
/// boards it keeps more, up to [`MAX_PER_CELL`], such that it takes about as long.
const NARROW_BEAM_CELLS: f64 = 100.0;
const MAX_PER_CELL: f64 = 64.0;

/// Evaluation weights of the first beam.
const FIRST_WEIGHTS: Weights = Weights { power: 2.0, edges: 0.5, reversed: 80 };

/// Number of beams from the start in an improvement round, each with other evaluation weights. They find different
/// solutions.
const FULL_BEAMS: usize = 2;

/// Number of beams that follow in the round, each from a position on the best solution. The number of moves that the
/// last tiles need is a matter of luck, and a beam over the last part costs little.
const PARTIAL_BEAMS: usize = 6;

/// Lengths of these last parts, in turn, in percent of the solution.
const PART_PERCENT: [usize; 4] = [15, 26, 37, 48];

/// The [`effort`] of the first round, its factor from round to round, and its upper limit.
const FIRST_EFFORT: (usize, u64) = (16, 200_000);
const EFFORT_FACTOR: u32 = 4;
const MAX_EFFORT: (usize, u64) = (1024, 1 << 22);

/// Truncates `moves` at the first board that meets a partial goal: they lead to one particular board of many.
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

/// The best solution so far, and the state of the search for better ones.
pub(crate) struct Improver<'a> {
    /// The problem to solve.
    problem: &'a Problem,
    geometry: Geometry,
    start: Position,
    /// Positions per cell in the first beam. The widths of the other beams are multiples of it.
    per_cell: usize,
    /// The metric in which solutions are compared.
    metric: Metric,
    /// The best solution.
    best: Vec<Move>,
    /// Number of the current round; `None` if there is nothing to improve.
    round: Option<u32>,
    /// Number of improvement beams so far.
    beams: u32,
    /// Maximum width factor of a beam: lower if memory had no room for wider ones.
    widest: usize,
    /// Number of beams completed in this round.
    done: usize,
    /// Best solution of this round's beams.
    found: Vec<Move>,
    /// Number of beams that run at the same time.
    threads: usize,
    /// Whether the meter gets an incumbent each time a solution becomes shorter, even within a step.
    reports_at_once: bool,
}

impl<'a> Improver<'a> {
    /// Returns a first solution of `problem`, which must be solvable, and the limit that ended the first beam early, if
    /// any. `metric` decides which of two solutions is better.
    pub fn new(
        problem: &'a Problem,
        metric: Metric,
        meter: &mut Meter<'_>,
    ) -> (Self, Option<Stop>) {
        let start = problem.start().clone();
        let near = problem.partial_goal().and_then(|partial| partial.near(&start));
        let goal = near.unwrap_or_else(|| problem.goal().clone());
        let geometry = Geometry::new(&goal);
        // The number of positions per depth grows with the cells, and the number of moves somewhat faster.
        let cells = geometry.size.cells();
        let per_cell =
            (NARROW_BEAM_CELLS / cells as f64).powf(2.5).clamp(1.0, MAX_PER_CELL) as usize;
        let mut improver = Self {
            problem,
            start: geometry.position(&start),
            geometry,
            per_cell,
            metric,
            best: Vec::new(),
            round: Some(0),
            beams: 0,
            widest: MAX_EFFORT.0,
            done: 0,
            found: Vec::new(),
            threads: 1,
            reports_at_once: false,
        };
        if improver.geometry.size.is_line() {
            improver.best = lines(&improver.geometry, &improver.start, Vec::new());
            cut_at_goal(problem, &mut improver.best);
            // A line has one solution only.
            improver.round = None;
            return (improver, None);
        }
        let (reached, stopped) =
            beam(&improver.geometry, &improver.start, FIRST_WEIGHTS, per_cell, meter);
        improver.best = improver.completed(reached);
        cut_at_goal(problem, &mut improver.best);
        (improver, stopped)
    }

    /// Reports shorter solutions to the meter immediately instead of at the end of a step. Effective only if each of
    /// them is an improvement: in the single-tile metric with a complete goal.
    #[must_use]
    pub fn reporting(self) -> Self {
        let reports_at_once =
            self.metric == Metric::SingleTile && self.problem.partial_goal().is_none();
        Self { reports_at_once, ..self }
    }

    /// Runs up to `threads` beams concurrently, and at least one. Solutions depend on `threads`.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { threads: threads.max(1), ..self }
    }

    /// Returns the best solution so far.
    pub fn moves(&self) -> &[Move] {
        &self.best
    }

    /// Returns the length of the best solution.
    pub fn length(&self) -> usize {
        self.metric.length(&self.best)
    }

    /// Returns whether a step may find a better solution.
    pub fn can_improve(&self) -> bool {
        self.round.is_some()
    }

    /// Runs up to one beam per thread or, if all beams of a round are done, shortens the best of their solutions until it has
    /// `enough` moves. Steps take longer and longer, and there is no last one.
    ///
    /// # Errors
    /// Returns the limit that was reached. Improvements made before that are kept.
    pub fn step(&mut self, enough: usize, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let Some(round) = self.round else { return Ok(()) };
        let (width_factor, nodes) = effort(round);
        if self.done < FULL_BEAMS + PARTIAL_BEAMS {
            return self.search_again(width_factor.min(self.widest), meter);
        }
        self.round = round.checked_add(1);
        self.done = 0;
        let mut best = std::mem::take(&mut self.found);
        let stopped = self.shorten(&mut best, enough, nodes, meter);
        self.keep_better(best);
        stopped
    }

    /// Runs the next beams of the round, as many as there are threads, each `width_factor` times as wide as the first
    /// beam: from the start, or from positions on the best solution of this round.
    fn search_again(&mut self, width_factor: usize, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let end = if self.done < FULL_BEAMS { FULL_BEAMS } else { FULL_BEAMS + PARTIAL_BEAMS };
        let count = self.threads.min(end - self.done);
        let prefixes = (self.done..self.done + count).map(|index| self.prefix_for(index).to_vec());
        let prefixes: Vec<Vec<Move>> = prefixes.collect();
        let beams = prefixes
            .iter()
            .zip(self.beams..)
            .map(|(moves, index)| (self.start.after(&self.geometry, moves), weights(index)));
        let beams = beams.collect();
        let reached = run_beams(&self.geometry, beams, self.per_cell * width_factor, meter);
        meter.release();
        let mut ended = Ok(());
        for (prefix, (reached, stopped)) in prefixes.iter().zip(reached) {
            match stopped {
                None => self.finish_beam([prefix, &reached[..]].concat()),
                Some(Stop::Memory) if width_factor > 1 => self.widest = width_factor / 2,
                // A beam that is stopped early has not come near the goal.
                Some(stop) => ended = Err(stop),
            }
        }
        ended
    }

    /// Completes the moves of a beam to a solution, and keeps it if it is better.
    fn finish_beam(&mut self, moves: Vec<Move>) {
        let moves = self.completed(moves);
        if self.done == 0 || self.metric.length(&moves) < self.metric.length(&self.found) {
            self.found.clone_from(&moves);
            self.keep_better(moves);
        }
        self.done += 1;
        self.beams += 1;
    }

    /// Returns the prefix of this round's best solution from whose end the beam with this index in the round starts.
    fn prefix_for(&self, index: usize) -> &[Move] {
        let part = index.checked_sub(FULL_BEAMS);
        let percent = part.map_or(100, |index| PART_PERCENT[index % PART_PERCENT.len()]);
        &self.found[..self.found.len() * (100 - percent) / 100]
    }

    /// Replaces the best solution by `moves`, which lead to a board that meets the goal, if they are better.
    fn keep_better(&mut self, mut moves: Vec<Move>) {
        cut_at_goal(self.problem, &mut moves);
        if self.metric.length(&moves) < self.length() {
            self.best = moves;
        }
    }

    /// Solves segments of `moves` again, with at most `nodes` expansions each, until there are at most `enough` moves.
    fn shorten(
        &self,
        moves: &mut Vec<Move>,
        enough: usize,
        nodes: u64,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        let (geometry, start) = (&self.geometry, &self.start);
        let report_below = if self.reports_at_once { self.best.len() } else { 0 };
        Shortening { geometry, start, moves, enough, nodes, report_below, meter }.run()
    }

    /// Completes `moves` to a solution.
    fn completed(&self, mut moves: Vec<Move>) -> Vec<Move> {
        let (geometry, start) = (&self.geometry, &self.start);
        if geometry.size.width() >= 3 && geometry.size.height() >= 3 {
            moves.extend(repair(geometry, &start.after(geometry, &moves)));
        }
        let moves = lines(geometry, &start.after(geometry, &moves), moves);
        remove_cycles(geometry, start, &moves)
    }
}

/// Runs a beam from each of the positions, with its weights.
#[cfg(not(feature = "parallel"))]
fn run_beams(
    geometry: &Geometry,
    beams: Vec<(Position, Weights)>,
    per_cell: usize,
    meter: &mut Meter<'_>,
) -> Vec<(Vec<Move>, Option<Stop>)> {
    let run = |(start, weights)| beam(geometry, &start, weights, per_cell, meter);
    beams.into_iter().map(run).collect()
}

/// Appends moves that solve `position` to `moves`. Boards of this size take at most some milliseconds, so no limit is
/// checked.
fn lines(geometry: &Geometry, position: &Position, moves: Vec<Move>) -> Vec<Move> {
    let (grid, mut meter) = (geometry.grid(), Meter::default());
    let mut work = Workspace::new(&grid, &mut meter);
    let solved = solve_by_lines(&grid, Layout::of(position), moves, &mut work);
    solved.expect("the meter has no limits")
}

/// Finds short paths in single steps between boards that can reach the same goals.
pub(crate) struct PathFinder {
    geometry: Geometry,
}

impl PathFinder {
    /// Returns a finder for boards that can reach `board`.
    pub fn new(board: &Board) -> Self {
        Self { geometry: Geometry::new(board) }
    }

    /// Removes cycles: moves that lead from a board back to the same board.
    pub fn without_cycles(&self, start: &Board, moves: &[Move]) -> Vec<Move> {
        remove_cycles(&self.geometry, &self.geometry.position(start), moves)
    }

    /// Searches for a shortest path between two boards that is shorter than `length`, with at most `nodes` expansions.
    ///
    /// # Errors
    /// Returns the limit of `meter` that was reached.
    pub fn shorter(
        &self,
        [from, to]: [&Board; 2],
        length: usize,
        nodes: u64,
        meter: &mut Meter<'_>,
    ) -> Result<Shorter, Stop> {
        let ends = [&self.geometry.position(from), &self.geometry.position(to)];
        shorter_path(&self.geometry, ends, length, nodes, meter)
    }
}

/// Returns the effort of a round: the width factor of its beams relative to the first beam, and the maximum expansions
/// for solving a segment of its best solution again.
fn effort(round: u32) -> (usize, u64) {
    let factor = EFFORT_FACTOR.saturating_pow(round);
    let (width_factor, nodes) = FIRST_EFFORT;
    let width_factor = width_factor.saturating_mul(factor as usize);
    (width_factor.min(MAX_EFFORT.0), nodes.saturating_mul(factor.into()).min(MAX_EFFORT.1))
}

/// Returns the evaluation weights of improvement beam number `index`.
fn weights(index: u32) -> Weights {
    Weights {
        power: 1.6 + 0.08 * f64::from(index * 7 % 11),
        edges: 0.3 + 0.05 * f64::from(index * 5 % 9),
        reversed: 60 + (index * 29 % 61) as i32,
    }
}

#[cfg(test)]
mod tests;
