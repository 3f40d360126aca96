//! Reviews a sequence of moves: finds where moves were lost, compared with the best solutions known.

use std::collections::HashMap;
use std::ops::Range;

use loyd_search::{CancelToken, Observer};
use loyd_tiles::{Metric, Move, Solvability};

use super::advice::first_move;
use super::optimize::{MoveLine, Shortcut, Windows};
use super::searches::Searches;
use crate::anytime::lower_bounds::lower_bound;
use crate::error::Error;
use crate::problem::Problem;
use crate::report::Bounds;
use crate::solver::Solver;

/// Maximum number of steps, whose boards are all kept in memory.
const MAX_STEPS: usize = 1_000_000;

/// The review of a sequence of moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Review {
    /// The metric that counts moves.
    pub metric: Metric,
    /// Number of moves played.
    pub length: usize,
    /// The distance from the start to the goal.
    pub shortest: Bounds,
    /// The distance to the goal from the board on which the moves end: 0 for a solution.
    pub remaining: Bounds,
    /// The segments that certainly lost moves, in the order of play. They are all such segments if the distances of all
    /// boards are proved.
    pub segments: Vec<Segment>,
    /// The best solution known from the start, as the steps of the blank.
    pub best: Vec<Move>,
}

/// Consecutive moves that are more than necessary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The number of the first move, from 1.
    pub number: usize,
    /// The moves, each as the steps of the blank.
    pub played: Vec<Vec<Move>>,
    /// The distance to the goal before the segment.
    pub before: Bounds,
    /// The distance to the goal after the segment.
    pub after: Bounds,
    /// The first moves of shortest solutions from the start of the segment; all of them unless a limit was reached.
    /// Empty if the distances are not proved.
    pub better_moves: Vec<Vec<Move>>,
    /// Fewer moves that lead to the same board, if the distances are not proved.
    pub shortcut: Option<Vec<Vec<Move>>>,
}

impl Segment {
    /// Returns the number of moves that the segment certainly lost.
    pub fn lost(&self) -> usize {
        let saved = self.shortcut.as_ref().map_or(0, |way| self.played.len() - way.len());
        saved.max((self.played.len() + self.after.lower).saturating_sub(self.before.upper))
    }
}

impl Review {
    /// Uses a solution from the start that the caller found, if it is better than the best one known.
    pub fn offer_solution(&mut self, solution: &[Move]) {
        let length = self.metric.length(solution);
        if length < self.shortest.upper {
            self.shortest.upper = length;
            self.best = solution.to_vec();
            if let Some(first) = self.segments.first_mut().filter(|first| first.number == 1) {
                first.before = self.shortest;
            }
        }
    }

    /// Returns bounds on the total number of moves lost.
    pub fn lost(&self) -> Bounds {
        let Self { length, shortest, remaining, .. } = self;
        let (least, most) = (length + remaining.lower, length + remaining.upper);
        Bounds { lower: least.saturating_sub(shortest.upper), upper: most - shortest.lower }
    }
}

/// The reason why moves cannot be reviewed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReviewError {
    /// The configuration is not valid for the board.
    #[error(transparent)]
    Config(#[from] Error),
    /// A move takes the blank off the board.
    #[error("move {number} ({direction}) takes the blank off the board")]
    Illegal {
        /// The number of the move among single steps, from 1.
        number: usize,
        /// The move.
        direction: Move,
    },
    /// There are more moves than boards can be kept in memory for.
    #[error("review takes at most 1,000,000 moves, and these are {0}")]
    TooManyMoves(usize),
    /// The board is unsolvable, so there is nothing to compare with.
    #[error("the board cannot be solved: `loyd explain` tells why")]
    Unsolvable,
}

impl Solver {
    /// Replays `steps` of the blank from the start of `problem`, and finds where they lost moves.
    ///
    /// Half of the limits go into proving distances, from the last board backwards. For the moves before the proved
    /// boards, shorter paths between two of their boards, which prove that moves were lost, and a better solution are
    /// searched for. The limits on time and expansions apply to all searches together.
    ///
    /// # Errors
    /// Returns an error if a step takes the blank off the board, if the board is unsolvable, or if the configuration
    /// is not valid for the board or cannot prove solutions shortest.
    ///
    /// # Examples
    /// ```
    /// use loyd::notation::parse_moves;
    /// use loyd::{CancelToken, Solver};
    /// let (board, played) = ("1 2 3/4 5 6/7 x 8".parse()?, parse_moves("lrr").unwrap());
    /// let review = Solver::default().review(&board, &played, &CancelToken::new(), None).unwrap();
    /// assert_eq!((review.length, review.shortest.exact_value()), (3, Some(1)));
    /// assert_eq!(review.lost().exact_value(), Some(2));
    /// # Ok::<(), loyd::Error>(())
    /// ```
    pub fn review(
        &self,
        problem: &Problem,
        steps: &[Move],
        cancel: &CancelToken,
        observer: Option<&mut dyn Observer>,
    ) -> Result<Review, ReviewError> {
        problem.check_searchable("review")?;
        if steps.len() > MAX_STEPS {
            return Err(ReviewError::TooManyMoves(steps.len()));
        }
        let mut searches = Searches::new(self, problem, cancel, observer.map(|watch| watch as _))?;
        let played = MoveLine::new(searches.metric(), problem.start(), steps);
        let played =
            played.map_err(|(number, direction)| ReviewError::Illegal { number, direction })?;
        if !Solvability::is_reachable(problem.start(), problem.goal()) {
            return Err(ReviewError::Unsolvable);
        }
        let mut distances = Distances::new(&mut searches, &played);
        searches.with_share(2, |searches| distances.prove(searches));
        let mut shortcuts = Vec::new();
        if distances.proved > 0 {
            let report = searches.with_share(2, |searches| searches.best(problem.start()));
            distances.bounds[0] = Bounds::of(&report).expect("the board can be solved");
            searches.stage("looking for shortcuts");
            let windows = Windows::new(self.config(), problem.start(), cancel);
            shortcuts = distances.shortcuts(&windows, &mut searches);
            distances.solution = report.moves;
            distances.estimate(&mut searches);
        }
        distances.close(&shortcuts);
        let segments = distances.segments(shortcuts, &mut searches);
        let (shortest, remaining) = (distances.bounds[0], distances.bounds[played.len()]);
        let (metric, length) = (played.metric, played.len());
        Ok(Review {
            metric,
            length,
            shortest,
            remaining,
            best: distances.best(&segments),
            segments,
        })
    }
}

/// The start of a shortest solution from a board of the sequence.
enum Continuation {
    /// The move that was played.
    MoveLine,
    /// The continuation of a later board that is the same.
    SameAs(usize),
    /// These steps.
    Steps(Vec<Move>),
}

/// The known distances of the boards of the sequence.
struct Distances<'a> {
    played: &'a MoveLine,
    bounds: Vec<Bounds>,
    /// Index of the first board from which on all distances are proved; past the last board if none is proved.
    proved: usize,
    /// The continuations from the proved boards, last board first.
    continuations: Vec<Continuation>,
    /// A solution from the start, if no continuation is known for it.
    solution: Option<Vec<Move>>,
}

impl<'a> Distances<'a> {
    /// Finds the distance of the last board, or bounds on it, with a quarter of the limits.
    fn new(searches: &mut Searches<'_>, played: &'a MoveLine) -> Self {
        let last = played.len();
        let report = searches.with_share(4, |searches| searches.best(played.end()));
        let mut bounds = vec![Bounds { lower: 0, upper: usize::MAX }; last + 1];
        bounds[last] = Bounds::of(&report).expect("the board can be solved");
        let proved = if bounds[last].exact_value().is_some() { last } else { last + 1 };
        let continuations = vec![Continuation::Steps(report.moves.unwrap_or_default())];
        Self { played, bounds, proved, continuations, solution: None }
    }

    fn continuation(&self, board: usize) -> &Continuation {
        &self.continuations[self.played.len() - board]
    }

    /// Proves distances from the last board backwards until a limit is reached. A board is as far away as its
    /// successor, or one move farther or nearer.
    fn prove(&mut self, searches: &mut Searches<'_>) {
        let played = self.played;
        let mut seen: HashMap<_, _> = [(played.end(), played.len())].into();
        while self.proved > 0 && self.proved <= played.len() {
            let (board, next) = (self.proved - 1, self.bounds[self.proved].lower);
            let start = &played.boards[board];
            let (distance, continuation) = match seen.get(start) {
                Some(&later) => (self.bounds[later].lower, Continuation::SameAs(later)),
                None => match searches.shortest_within(start, next) {
                    Ok(Some(moves)) => (played.metric.length(&moves), Continuation::Steps(moves)),
                    Ok(None) => (next + 1, Continuation::MoveLine),
                    Err(_) => return,
                },
            };
            seen.entry(start).or_insert(board);
            self.bounds[board] = Bounds::exact(distance);
            self.continuations.push(continuation);
            self.proved = board;
        }
    }

    /// Returns the steps of a shortest solution from a proved board.
    fn steps(&self, mut board: usize) -> Vec<Move> {
        let mut steps = Vec::new();
        loop {
            match self.continuation(board) {
                Continuation::MoveLine => {
                    steps.extend(&self.played.moves[board]);
                    board += 1;
                }
                Continuation::SameAs(later) => board = *later,
                Continuation::Steps(rest) => {
                    steps.extend(rest);
                    return steps;
                }
            }
        }
    }

    /// Searches for shortcuts of the moves before the proved boards, in windows of increasing length, with the
    /// remaining limits.
    fn shortcuts(&self, windows: &Windows<'_>, searches: &mut Searches<'_>) -> Vec<Shortcut> {
        let sizes = match self.played.metric {
            Metric::SingleTile => [(12, 20_000), (24, 50_000), (40, 200_000)],
            Metric::MultiTile => [(5, 20_000), (8, 50_000), (12, 200_000)],
        };
        let mut found: Vec<Shortcut> = Vec::new();
        for size in sizes {
            for gap in gaps(&found, self.unproved()) {
                let swept = windows.sweep(self.played, gap, size, searches.meter(), &mut found);
                if swept.is_err() {
                    found.sort_by_key(|shortcut| shortcut.at.start);
                    return found;
                }
            }
            found.sort_by_key(|shortcut| shortcut.at.start);
        }
        found
    }

    /// Returns the range of moves before the boards whose distances are proved.
    fn unproved(&self) -> Range<usize> {
        0..self.proved.min(self.played.len())
    }

    /// Computes lower bounds for at most a thousand of the boards that are not proved, for at most a tenth of the time
    /// limit. They also bound their neighbours.
    fn estimate(&mut self, searches: &mut Searches<'_>) {
        const MOST: usize = 1000;
        let (metric, problem) = (self.played.metric, searches.problem);
        let (clock, limits) = (searches.solver.config().clock, searches.solver.config().limits);
        let until = limits.max_time.map(|most| clock.now() + most / 10);
        for board in (0..self.proved.min(self.bounds.len())).step_by(self.bounds.len() / MOST + 1) {
            let is_late = until.is_some_and(|until| clock.now() >= until);
            if is_late || searches.is_cancelled() {
                return;
            }
            let start = self.played.boards[board].clone();
            let bounds = &mut self.bounds[board];
            match problem.is_solved_by(&start) {
                true => *bounds = Bounds::exact(0),
                false => {
                    let least = lower_bound(&problem.from(start), metric) as usize;
                    bounds.lower = bounds.lower.max(least);
                }
            }
        }
    }

    /// Propagates bounds over moves, in both directions, and over shortcuts.
    fn close(&mut self, shortcuts: &[Shortcut]) {
        let (bounds, last) = (&mut self.bounds, self.played.len());
        let mut shortcuts = shortcuts.iter().rev().peekable();
        for board in (0..last).rev() {
            let next = bounds[board + 1];
            let own = &mut bounds[board];
            own.upper = own.upper.min(next.upper + 1);
            own.lower = own.lower.max(next.lower.saturating_sub(1));
            if let Some(shortcut) = shortcuts.next_if(|shortcut| shortcut.at.start == board) {
                let end = bounds[shortcut.at.end].upper;
                let own = &mut bounds[board];
                own.upper = own.upper.min(shortcut.moves.len() + end);
            }
        }
        for board in 1..=last {
            let before = bounds[board - 1];
            let own = &mut bounds[board];
            own.upper = own.upper.min(before.upper + 1);
            own.lower = own.lower.max(before.lower.saturating_sub(1));
        }
    }

    /// Returns the segments that lost moves: those with a shortcut, and maximal runs of moves that did not bring the
    /// goal nearer.
    fn segments(&self, shortcuts: Vec<Shortcut>, searches: &mut Searches<'_>) -> Vec<Segment> {
        let mut segments: Vec<Segment> = Vec::new();
        for Shortcut { at, moves } in shortcuts {
            segments.push(Segment { shortcut: Some(moves), ..self.segment(at) });
        }
        let loses = |board: &usize| self.bounds[*board].lower <= self.bounds[*board + 1].lower;
        let proved: Vec<usize> = (self.proved..self.played.len()).collect();
        for moves in proved.chunk_by(|a, b| loses(a) == loses(b)).filter(|moves| loses(&moves[0])) {
            let segment = self.segment(moves[0]..moves[0] + moves.len());
            let (start, length) = (&self.played.boards[moves[0]], segment.before.lower);
            let first = first_move(self.played.metric, &self.steps(moves[0]));
            let better_moves =
                first.map(|first| searches.best_first_moves(&first, start, length).0);
            segments.push(Segment { better_moves: better_moves.unwrap_or_default(), ..segment });
        }
        segments
    }

    fn segment(&self, at: Range<usize>) -> Segment {
        Segment {
            number: at.start + 1,
            before: self.bounds[at.start],
            after: self.bounds[at.end],
            played: self.played.moves[at].to_vec(),
            better_moves: Vec::new(),
            shortcut: None,
        }
    }

    /// Returns the best solution from the start: the one found by a search, or the moves played with all shortcuts.
    fn best(&self, segments: &[Segment]) -> Vec<Move> {
        if self.proved == 0 {
            return self.steps(0);
        }
        let (mut steps, mut at) = (Vec::new(), 0);
        let unproved = self.unproved().end;
        for segment in segments {
            let Some(way) = &segment.shortcut else { break };
            steps.extend(self.played.moves[at..segment.number - 1].iter().flatten());
            steps.extend(way.iter().flatten());
            at = segment.number - 1 + segment.played.len();
        }
        steps.extend(self.played.moves[at..unproved].iter().flatten());
        steps.extend(self.steps(unproved));
        let metric = self.played.metric;
        match &self.solution {
            Some(found) if metric.length(found) <= metric.length(&steps) => found.clone(),
            _ => steps,
        }
    }
}

/// Returns the ranges of moves of `all` that are in no shortcut. `found` is in the order of play.
fn gaps(found: &[Shortcut], all: Range<usize>) -> Vec<Range<usize>> {
    let starts = [all.start].into_iter().chain(found.iter().map(|shortcut| shortcut.at.end));
    let ends = found.iter().map(|shortcut| shortcut.at.start).chain([all.end]);
    starts.zip(ends).map(|(start, end)| start..end).filter(|gap| !gap.is_empty()).collect()
}
