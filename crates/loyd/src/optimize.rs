//! Making a sequence of moves shorter: its windows are solved again, each as briefly as possible.

use loyd_search::{CancelToken, Meter, Observer, Stop};
use loyd_tiles::{Board, IllegalMove, Metric, Move};

use crate::attempt::meter;
use crate::bounds::Bounds;
use crate::fast::Ways;
use crate::problem::Problem;
use crate::quality::lower_bound;
use crate::solver::Solver;
use crate::windows::{Played, Windows};

/// The expansions for a window: in the first round, how many times as many in the next, and more than any limit of
/// memory or patience allows.
const FIRST_NODES: u64 = 5_000;
const TIMES: u64 = 4;
const MOST_NODES: u64 = 1 << 36;

/// Moves that lead to the same board as others, and are not more.
#[derive(Clone, Debug)]
pub struct Optimized {
    /// What counts as a move.
    pub metric: Metric,
    /// How many moves there were.
    pub before: usize,
    /// The moves, as the steps of the blank.
    pub moves: Vec<Move>,
    /// Their length, and how many at least lead to that board.
    pub bounds: Bounds,
    /// The limit that was reached, if windows were left to be solved.
    pub stopped: Option<Stop>,
}

impl Solver {
    /// Makes `steps` on `start` shorter, and keeps the board to which they lead: windows of `window` moves, or longer and
    /// longer ones, are solved again with what the metric counts, until nothing changes or a limit is reached.
    ///
    /// # Errors
    /// The first step that is not possible.
    ///
    /// # Examples
    /// ```
    /// use loyd::notation::{parse_board, parse_moves};
    /// use loyd::{CancelToken, Solver};
    /// let (board, moves) = (parse_board("1 2 3/4 x 5/7 8 6", None)?, parse_moves("lurrdlrd")?);
    /// let found = Solver::default().optimize(&board, &moves, None, &CancelToken::new(), None).unwrap();
    /// assert_eq!((found.before, found.bounds.proved()), (8, Some(6)));
    /// # Ok::<(), loyd::notation::NotationError>(())
    /// ```
    pub fn optimize(
        &self,
        start: &Board,
        steps: &[Move],
        window: Option<usize>,
        cancel: &CancelToken,
        observer: Option<&mut dyn Observer>,
    ) -> Result<Optimized, IllegalMove> {
        let mut end = start.clone();
        end.walk(steps)?;
        let (config, metric) = (self.config(), self.config().metric);
        let mut meter = meter(config, config.limits, cancel, observer);
        let windows = Windows::new(config, start, cancel);
        let moves = Ways::new(start).without_cycles(start, steps);
        let problem = Problem::between(start.clone(), end).expect("they have the same size");
        let least = if moves.is_empty() { 0 } else { lower_bound(&problem, metric) as usize };
        let mut rounds = Rounds { metric, start, window, moves, least };
        let mut nodes = FIRST_NODES;
        let stopped = loop {
            match rounds.run(&windows, nodes, &mut meter) {
                Err(stop) => break Some(stop),
                Ok(true) => break None,
                Ok(false) if nodes >= MOST_NODES => break Some(Stop::Expanded),
                Ok(false) => nodes *= TIMES,
            }
        };
        let Rounds { moves, least, .. } = rounds;
        let bounds = Bounds { lower: least, upper: metric.length(&moves) };
        Ok(Optimized { metric, before: metric.length(steps), moves, bounds, stopped })
    }
}

/// Moves that become shorter, round by round.
struct Rounds<'a> {
    metric: Metric,
    start: &'a Board,
    window: Option<usize>,
    moves: Vec<Move>,
    /// No moves to the same board are fewer.
    least: usize,
}

impl Rounds<'_> {
    /// Solves windows with so many expansions each: longer and longer ones, while some can be decided. Returns whether
    /// nothing is left to be done.
    ///
    /// # Errors
    /// The limit that was reached.
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
            let played = Played::new(self.metric, self.start, &self.moves);
            let played = played.expect("the moves were made before");
            if played.len() <= self.least {
                return Ok(true);
            }
            let mut found = Vec::new();
            let swept = windows.sweep(&played, 0..played.len(), (length, nodes), meter, &mut found);
            let moves = played.with(&found);
            let is_shorter = !found.is_empty();
            if is_shorter {
                self.moves = moves;
            }
            let swept = swept?;
            if is_shorter {
                continue;
            }
            if length >= played.len() && swept.open == 0 {
                self.least = played.len();
                return Ok(true);
            }
            all_decided &= swept.open == 0;
            if self.window.is_some() || swept.decided == 0 || length >= played.len() {
                return Ok(all_decided && self.window.is_some());
            }
            length += (length / 4).max(1);
        }
    }
}
