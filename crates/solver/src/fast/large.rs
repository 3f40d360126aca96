//! Solutions for boards that are too large for a beam over the whole board, and shortening of long solutions.
//!
//! 1. Beams in windows bring the tiles near their goals ([`super::sweep`]).
//! 2. The few that remain are solved in place ([`super::last_tiles`]); solving line by line does the
//!    rest, if any ([`super::lines`]).
//! 3. Segments of the solution are solved again, each inside the window that its blank crosses
//!    ([`super::local_paths`]).

use std::time::Duration;

use loyd_search::{Cost, Meter, Stop};
use loyd_tiles::notation::moves_to_string;
use loyd_tiles::{Board, Metric, Move};

use super::geometry::{Grid, Layout};
use super::last_tiles::{solve_by_three_cycles, tidy};
use super::lines::solve_by_lines;
use super::local_paths::{Effort, LocalPaths, remove_cycles};
use super::sweep::sweep;
use super::workspace::Workspace;
use crate::problem::Problem;

/// Lengths of the first and of the longest segments, in moves, and limits on the expansions for one.
const MIN_LENGTH: usize = 16;
const MAX_LENGTH: usize = 60;
const FIRST_NODES: u64 = 2_000;
const MAX_NODES: u64 = 1 << 20;

/// Nanoseconds that solving line by line takes at most per cell and cell of the longer side: twice what was measured.
/// The first hops of a board are searched rather than looked up, which takes up to `FIRST_HOPS`.
const NANOS_OF_LINES: u64 = 200;
const FIRST_HOPS: Duration = Duration::from_millis(20);

/// Sweeps leave at least this part of the time to the lines, in case the machine is busy.
const SHARE_OF_LINES: u32 = 4;

/// Boards with at most this many rows or columns are solved line by line immediately if the mean distance of their
/// tiles exceeds [`FAR`]: sweeps, whose windows have room for few ways past a tile there, make solutions shorter by 2%
/// (2x1000) to 8% (3x667), and take 20 to 40 times as long.
const NARROW: usize = 3;
const FAR: usize = 8;

/// Number of moves and expanded states of solving line by line beyond the limit on expansions, if there is one (some
/// tenths of a second): enough for scrambled boards of 100x100 and 1000x2 cells.
const LATE_STEPS: u64 = 1 << 23;

/// Number of such moves and states after the time limit (some milliseconds): enough for scrambled boards of 32x32 cells.
const STEPS_AFTER_TIME: usize = 1 << 17;

/// A solution that is being shortened.
pub(crate) struct LargeImprover<'a> {
    problem: &'a Problem,
    metric: Metric,
    shortening: Shortening,
    /// The best solution.
    best: Vec<Move>,
}

impl<'a> LargeImprover<'a> {
    /// Returns a first solution of `problem`, which must be solvable, and the limit that ended the sweeps early or was
    /// reached since, if any. `time` is the time for the solution, if it is less than the limit of `meter`: the sweeps
    /// end early enough for the lines.
    ///
    /// # Errors
    /// Returns the limit that was reached before there was a solution.
    pub fn new(
        problem: &'a Problem,
        metric: Metric,
        time: Option<Duration>,
        meter: &mut Meter<'_>,
    ) -> Result<(Self, Option<Stop>), Stop> {
        let near = problem.partial_goal().and_then(|partial| partial.near(problem.start()));
        let goal = near.as_ref().unwrap_or(problem.goal());
        let grid = Grid::new(goal.size(), goal.blank());
        let start = Layout::new(problem.start(), goal);
        let (mut layout, mut moves) = (start.clone(), Vec::new());
        let time = time.or(meter.limits().max_time);
        let time_for_lines = |time| time_of_lines(&grid).max(time / SHARE_OF_LINES);
        let time = time.map(|time: Duration| time.saturating_sub(time_for_lines(time)));
        let swept =
            meter.with_max_time(time, |meter| solve_near(&grid, &mut layout, &mut moves, meter));
        let late = match swept {
            Err(Stop::Expanded) => Some(Stop::Expanded),
            // The lines have some time left.
            Ok(()) | Err(Stop::Time) => None,
            Err(stop) => return Err(stop),
        };
        let max_expanded = meter.limits().max_expanded;
        let steps = max_expanded.map(|_| meter.remaining_expansions().saturating_add(LATE_STEPS));
        let mut work = Workspace::new(&grid, meter);
        work.limit_steps(steps, STEPS_AFTER_TIME);
        let moves = solve_by_lines(&grid, layout, moves, &mut work)?;
        let (moves, stopped) = remove_cycles(&grid, &start, moves, meter);
        let best = cut_at_goal(problem, moves.clone());
        let shortening = Shortening::new(grid, start, moves);
        Ok((Self { problem, metric, shortening, best }, late.or(stopped)))
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
        self.shortening.can_improve()
    }

    /// Solves all segments of one length again. Reports an incumbent to the meter if the solution becomes shorter.
    ///
    /// # Errors
    /// Returns the limit that was reached.
    pub fn step(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let stopped = self.shortening.step(meter);
        let moves = cut_at_goal(self.problem, self.shortening.moves.clone());
        if self.metric.length(&moves) < self.length() {
            self.best = moves;
            meter.report_incumbent(self.length() as Cost, || moves_to_string(&self.best))?;
        }
        stopped.map_or(Ok(()), Err)
    }
}

/// Returns the maximum time for solving a scrambled board line by line on an idle machine.
fn time_of_lines(grid: &Grid) -> Duration {
    let longer = grid.size.width().max(grid.size.height());
    FIRST_HOPS + Duration::from_nanos(NANOS_OF_LINES * (grid.size.cells() * longer) as u64)
}

/// Appends moves that solve all tiles of `layout`, or bring them as near to their goals as beams, repairs and 3-cycles
/// can.
///
/// # Errors
/// Returns the limit that was reached. The moves made until then are still appended.
fn solve_near(
    grid: &Grid,
    layout: &mut Layout,
    moves: &mut Vec<Move>,
    meter: &mut Meter<'_>,
) -> Result<(), Stop> {
    let distance = layout.total_distance(grid);
    if grid.size.is_line() || is_scrambled_and_narrow(grid, distance) {
        return Ok(());
    }
    sweep(grid, layout, moves, meter)?;
    tidy(grid, layout, moves, meter)?;
    solve_by_three_cycles(grid, layout, moves, &mut Workspace::new(grid, meter))
}

/// Returns whether a board with this total distance is better solved line by line immediately, without sweeps.
fn is_scrambled_and_narrow(grid: &Grid, distance: usize) -> bool {
    let shorter = grid.size.width().min(grid.size.height());
    shorter <= NARROW && distance > FAR * grid.size.cells()
}

/// Shortens a sequence of moves to the same board. Each step solves all segments of one length again; the length and
/// the expansions per segment grow from step to step.
pub(crate) struct Shortening {
    grid: Grid,
    start: Layout,
    moves: Vec<Move>,
    paths: LocalPaths,
    effort: Effort,
    /// Whether a segment of any length was left undecided at this number of expansions.
    leaves_undecided: bool,
    /// Whether all steps are done.
    is_over: bool,
    /// The only length of segments, if the caller chose one.
    only_length: Option<usize>,
}

impl Shortening {
    fn new(grid: Grid, start: Layout, moves: Vec<Move>) -> Self {
        Self {
            grid,
            start,
            moves,
            paths: LocalPaths::new(),
            effort: Effort { length: MIN_LENGTH, nodes: FIRST_NODES },
            leaves_undecided: false,
            is_over: false,
            only_length: None,
        }
    }

    /// Returns a shortening of moves from `start`, all of which must be possible, and the limit that was reached, if
    /// any; `length` is the only length of segments, if any.
    pub fn between(
        start: &Board,
        moves: &[Move],
        length: Option<usize>,
        meter: &mut Meter<'_>,
    ) -> (Self, Option<Stop>) {
        let mut end = start.clone();
        end.walk(moves).expect("the moves are possible");
        let grid = Grid::new(end.size(), end.blank());
        let layout = Layout::new(start, &end);
        let (moves, stopped) = remove_cycles(&grid, &layout, moves.to_vec(), meter);
        let mut shortening = Self { only_length: length, ..Self::new(grid, layout, moves) };
        shortening.effort.length = length.unwrap_or(MIN_LENGTH);
        (shortening, stopped)
    }

    /// Returns the moves.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns whether a step may make them fewer.
    pub fn can_improve(&self) -> bool {
        !self.is_over && !self.moves.is_empty()
    }

    /// Solves all segments of one length again. Returns the limit that was reached, if any.
    pub fn step(&mut self, meter: &mut Meter<'_>) -> Option<Stop> {
        // A step copies the moves before it searches.
        if let Err(stop) = meter.check() {
            return Some(stop);
        }
        let swept = self.paths.sweep(&self.grid, &self.start, &self.moves, self.effort, meter);
        let is_shorter = swept.moves.len() < self.moves.len();
        // A gain of less than one in a hundred: the next length gains more.
        let is_much_shorter = swept.moves.len() + self.moves.len() / 100 < self.moves.len();
        self.moves = swept.moves;
        self.leaves_undecided |= swept.undecided > 0;
        if swept.stopped.is_some() || is_much_shorter {
            return swept.stopped;
        }
        let Effort { length, nodes } = self.effort;
        let longer = length + length / 4;
        if self.only_length.is_none() && longer <= MAX_LENGTH {
            self.effort.length = longer;
        } else if is_shorter {
            // Repeat with the same effort.
        } else if self.leaves_undecided && nodes < MAX_NODES {
            let length = self.only_length.unwrap_or(MIN_LENGTH);
            self.effort = Effort { length, nodes: nodes * 4 };
            self.leaves_undecided = false;
        } else {
            self.is_over = true;
        }
        None
    }
}

/// Truncates `moves` at the first board that meets a partial goal: they lead to one particular board of many.
fn cut_at_goal(problem: &Problem, mut moves: Vec<Move>) -> Vec<Move> {
    if problem.partial_goal().is_some() {
        let solved = problem.solved_after(&moves);
        moves.truncate(solved.unwrap_or(moves.len()));
    }
    moves
}
