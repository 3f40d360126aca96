//! Shortens a sequence of moves by solving windows of it again, each optimally. [`Solver::review`] uses the windows too.

use std::ops::Range;

use loyd_search::{CancelToken, Limits, Meter, Observer, Stop};
use loyd_tiles::{Board, IllegalMove, Metric, Move, runs};

use crate::algorithms::BIBFS;
use crate::anytime::lower_bounds::lower_bound;
use crate::attempt::meter;
use crate::config::Config;
use crate::fast::{LongShortening, PathFinder, Shorter};
use crate::problem::Problem;
use crate::report::{Bounds, Status};
use crate::solver::Solver;

/// Maximum number of expansions per window in the first pass; each pass multiplies it by [`GROWTH`]. [`MAX_NODES`] is
/// larger than any limit on memory or time allows.
const FIRST_NODES: u64 = 5_000;
const GROWTH: u64 = 4;
const MAX_NODES: u64 = 1 << 36;

/// Maximum number of cells, over all boards of the sequence, that are kept in memory.
const MAX_CELLS: usize = 1 << 28;

/// Moves that lead to the same board as the given ones, and are at most as many.
#[derive(Clone, Debug)]
pub struct OptimizedMoves {
    /// The metric that counts moves.
    pub metric: Metric,
    /// Number of given moves.
    pub before: usize,
    /// The moves, as the steps of the blank.
    pub moves: Vec<Move>,
    /// The length of `moves`, and a lower bound for moves to the same board.
    pub bounds: Bounds,
    /// The limit that was reached, if windows remained to be solved.
    pub stopped: Option<Stop>,
}

impl Solver {
    /// Shortens `steps` from `start` without changing the board to which they lead. Solves windows of `window` moves
    /// again (by default of increasing length), optimally in the metric, until nothing changes or a limit is reached.
    ///
    /// # Errors
    /// Returns the first step that takes the blank off the board.
    ///
    /// # Examples
    /// ```
    /// use loyd::notation::{parse_board, parse_moves};
    /// use loyd::{CancelToken, Solver};
    /// let (board, moves) = (parse_board("1 2 3/4 x 5/7 8 6", None)?, parse_moves("lurrdlrd")?);
    /// let found = Solver::default().optimize(&board, &moves, None, &CancelToken::new(), None).unwrap();
    /// assert_eq!((found.before, found.bounds.exact_value()), (8, Some(6)));
    /// # Ok::<(), loyd::notation::NotationError>(())
    /// ```
    pub fn optimize(
        &self,
        start: &Board,
        steps: &[Move],
        window: Option<usize>,
        cancel: &CancelToken,
        observer: Option<&mut dyn Observer>,
    ) -> Result<OptimizedMoves, IllegalMove> {
        let mut end = start.clone();
        end.walk(steps)?;
        let (config, metric) = (self.config(), self.config().metric);
        let mut meter = meter(config, config.limits, cancel, observer);
        if !start.size().is_searchable() || steps.len() * start.size().cells() > MAX_CELLS {
            let (moves, lower, stopped) = optimize_long(metric, (start, steps), window, &mut meter);
            let bounds = Bounds { lower, upper: metric.length(&moves) };
            return Ok(OptimizedMoves {
                metric,
                before: metric.length(steps),
                moves,
                bounds,
                stopped,
            });
        }
        let windows = Windows::new(config, start, cancel);
        let moves = PathFinder::new(start).without_cycles(start, steps);
        let problem = Problem::between(start.clone(), end).expect("they have the same size");
        let least = if moves.is_empty() { 0 } else { lower_bound(&problem, metric) as usize };
        let mut passes = Passes { metric, start, window, moves, least };
        let mut nodes = FIRST_NODES;
        let stopped = loop {
            match passes.run(&windows, nodes, &mut meter) {
                Err(stop) => break Some(stop),
                Ok(true) => break None,
                Ok(false) if nodes >= MAX_NODES => break Some(Stop::Expanded),
                Ok(false) => nodes *= GROWTH,
            }
        };
        let Passes { moves, least, .. } = passes;
        let bounds = Bounds { lower: least, upper: metric.length(&moves) };
        Ok(OptimizedMoves { metric, before: metric.length(steps), moves, bounds, stopped })
    }
}

/// Shortens a sequence whose boards do not fit into memory, or on a board that is too large for searches. Segments are
/// solved again in single-tile moves, each in the window that its blank crosses. A result is used if it is shorter in
/// `metric` too.
fn optimize_long(
    metric: Metric,
    (start, steps): (&Board, &[Move]),
    window: Option<usize>,
    meter: &mut Meter<'_>,
) -> (Vec<Move>, usize, Option<Stop>) {
    let mut end = start.clone();
    end.walk(steps).expect("the moves were made before");
    let problem = Problem::between(start.clone(), end).expect("they have the same size");
    let (mut shortening, mut stopped) = LongShortening::between(start, steps, window, meter);
    let mut best = steps.to_vec();
    let mut keep = |moves: &[Move]| {
        if metric.length(moves) < metric.length(&best) {
            best = moves.to_vec();
        }
        metric.length(&best)
    };
    let mut length = keep(shortening.moves());
    let least = if length == 0 { 0 } else { lower_bound(&problem, metric) as usize };
    while stopped.is_none() && shortening.can_improve() && length > least {
        stopped = shortening.step(meter);
        length = keep(shortening.moves());
    }
    (best, least, stopped)
}

/// The moves, with the state of the passes that shorten them.
struct Passes<'a> {
    metric: Metric,
    start: &'a Board,
    window: Option<usize>,
    moves: Vec<Move>,
    /// Lower bound on the number of moves to the same board.
    least: usize,
}

impl Passes<'_> {
    /// Solves windows with at most `nodes` expansions each, and of increasing length as long as some are decided.
    /// Returns whether nothing is left to do.
    /// # Errors
    /// Returns the limit that was reached.
    fn run(
        &mut self,
        windows: &Windows<'_>,
        nodes: u64,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Stop> {
        let shortest = match self.metric {
            Metric::SingleTile => 20,
            Metric::MultiTile => 6,
        };
        let (mut length, mut all_decided) = (self.window.unwrap_or(shortest), true);
        loop {
            let line = MoveLine::new(self.metric, self.start, &self.moves);
            let line = line.expect("the moves were made before");
            if line.len() <= self.least {
                return Ok(true);
            }
            let mut found = Vec::new();
            let swept = windows.sweep(&line, 0..line.len(), (length, nodes), meter, &mut found);
            let moves = line.with(&found);
            let is_shorter = !found.is_empty();
            if is_shorter {
                self.moves = moves;
            }
            let swept = swept?;
            if is_shorter {
                continue;
            }
            if length >= line.len() && swept.open == 0 {
                self.least = line.len();
                return Ok(true);
            }
            all_decided &= swept.open == 0;
            if self.window.is_some() || swept.decided == 0 || length >= line.len() {
                return Ok(all_decided && self.window.is_some());
            }
            length += (length / 4).max(1);
        }
    }
}

/// Groups the `steps` of the blank into moves of `metric`: single steps, or maximal slides.
pub fn moves_in(metric: Metric, steps: &[Move]) -> Vec<Vec<Move>> {
    match metric {
        Metric::SingleTile => steps.iter().map(|&step| vec![step]).collect(),
        Metric::MultiTile => runs(steps).map(<[Move]>::to_vec).collect(),
    }
}

/// A sequence of moves in a metric, with the boards before and after each.
pub(crate) struct MoveLine {
    pub metric: Metric,
    pub moves: Vec<Vec<Move>>,
    pub boards: Vec<Board>,
}

impl MoveLine {
    /// Makes `steps` from `start`.
    ///
    /// # Errors
    /// Returns the number, from 1, of the step that takes the blank off the board, and the step.
    pub fn new(metric: Metric, start: &Board, steps: &[Move]) -> Result<Self, (usize, Move)> {
        let moves = moves_in(metric, steps);
        let (mut board, mut boards, mut number) = (start.clone(), vec![start.clone()], 0);
        for steps in &moves {
            for &direction in steps {
                number += 1;
                board.apply(direction).map_err(|_| (number, direction))?;
            }
            boards.push(board.clone());
        }
        Ok(Self { metric, moves, boards })
    }

    /// Returns the number of moves.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Returns the steps of all moves after applying `shortcuts`, which are in the order of play.
    pub fn with(&self, shortcuts: &[Shortcut]) -> Vec<Move> {
        let (mut steps, mut at) = (Vec::new(), 0);
        for Shortcut { at: moves, moves: way } in shortcuts {
            steps.extend(self.moves[at..moves.start].iter().chain(way).flatten());
            at = moves.end;
        }
        steps.extend(self.moves[at..].iter().flatten());
        steps
    }

    /// Returns the last board.
    pub fn end(&self) -> &Board {
        &self.boards[self.len()]
    }
}

/// A shorter path between two boards of a sequence.
#[derive(Clone, Debug)]
pub(crate) struct Shortcut {
    /// The range of moves that it replaces.
    pub at: Range<usize>,
    /// Its moves.
    pub moves: Vec<Vec<Move>>,
}

impl Shortcut {
    /// Removes the moves that it has in common with `played` at both ends.
    fn trimmed(mut self, played: &MoveLine) -> Self {
        let same = |a: &[Move], b: &[Move]| a == b;
        while self.moves.first().is_some_and(|m| same(m, &played.moves[self.at.start])) {
            self.moves.remove(0);
            self.at.start += 1;
        }
        while self.moves.last().is_some_and(|m| same(m, &played.moves[self.at.end - 1])) {
            self.moves.pop();
            self.at.end -= 1;
        }
        self
    }
}

/// Number of windows of a sweep that were decided, and number that needed too many expansions.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SweepCounts {
    pub decided: usize,
    pub open: usize,
}

/// Finds shortest paths between boards that are close to each other.
pub(crate) struct Windows<'a> {
    way: WindowSearch,
    cancel: &'a CancelToken,
}

enum WindowSearch {
    Steps(Box<PathFinder>),
    /// Bidirectional search, which needs no heuristic: a slide brings many tiles nearer at once.
    Slides(Box<Solver>),
}

impl<'a> Windows<'a> {
    /// Returns the windows of sequences that contain `board`, with the metric and the clock of `config`.
    pub fn new(config: &Config, board: &Board, cancel: &'a CancelToken) -> Self {
        let Config { metric, limits, clock, .. } = *config;
        let way = match metric {
            Metric::SingleTile => WindowSearch::Steps(Box::new(PathFinder::new(board))),
            Metric::MultiTile => {
                let algorithm = Some(BIBFS.name);
                let config = Config { metric, algorithm, limits, clock, ..Config::default() };
                let solver = Solver::new(config).expect("the algorithm fits all boards");
                WindowSearch::Slides(Box::new(solver))
            }
        };
        Self { way, cancel }
    }

    /// Searches for a path between two boards shorter than `length`, with at most `nodes` expansions.
    fn shorter(
        &self,
        [from, to]: [&Board; 2],
        length: usize,
        nodes: u64,
        meter: &mut Meter<'_>,
    ) -> Result<Shorter, Stop> {
        let solver = match &self.way {
            WindowSearch::Steps(ways) => return ways.shorter([from, to], length, nodes, meter),
            WindowSearch::Slides(solver) => solver,
        };
        let problem = Problem::between(from.clone(), to.clone()).expect("they have the same size");
        let left = meter.remaining_limits();
        let max_expanded = Some(left.max_expanded.map_or(nodes, |left| left.min(nodes)));
        let limits = Limits { max_expanded, max_depth: u32::try_from(length - 1).ok(), ..left };
        let report = solver.solve_within(limits, &problem, self.cancel, None);
        let report = report.expect("the configuration fits all boards");
        meter.charge(&report.stats);
        meter.check()?;
        Ok(match (report.status, report.moves) {
            (_, Some(moves)) if Metric::MultiTile.length(&moves) < length => Shorter::Path(moves),
            (Status::Stopped(Stop::Depth), _) | (_, Some(_)) => Shorter::None,
            _ => Shorter::Unknown,
        })
    }

    /// Searches for shortcuts in windows of `length` moves within `moves` of the sequence, from first to last. No two
    /// shortcuts overlap. A window may take `nodes` expansions.
    ///
    /// # Errors
    /// Returns the limit that was reached. `found` contains the shortcuts found until then.
    pub fn sweep(
        &self,
        played: &MoveLine,
        moves: Range<usize>,
        (length, nodes): (usize, u64),
        meter: &mut Meter<'_>,
        found: &mut Vec<Shortcut>,
    ) -> Result<SweepCounts, Stop> {
        let (mut from, mut swept) = (moves.start, SweepCounts::default());
        while from < moves.end {
            let to = moves.end.min(from + length);
            let ends = [&played.boards[from], &played.boards[to]];
            match self.shorter(ends, to - from, nodes, meter)? {
                Shorter::Path(steps) => {
                    let moves = moves_in(played.metric, &steps);
                    let shortcut = Shortcut { at: from..to, moves }.trimmed(played);
                    from = shortcut.at.end;
                    found.push(shortcut);
                    swept.decided += 1;
                    continue;
                }
                Shorter::None => swept.decided += 1,
                Shorter::Unknown => swept.open += 1,
            }
            if to == moves.end {
                break;
            }
            from += length / 3 + 1;
        }
        Ok(swept)
    }
}
