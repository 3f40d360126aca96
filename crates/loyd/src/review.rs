//! Where a sequence of moves lost some, compared with the best that is known.

use std::collections::HashMap;
use std::ops::Range;

use loyd_search::{CancelToken, Observer};
use loyd_tiles::{Metric, Move, Relabelling, Solvability};

use crate::advice::first_move;
use crate::bounds::Bounds;
use crate::error::Error;
use crate::problem::Problem;
use crate::quality::lower_bound;
use crate::searches::Searches;
use crate::solver::Solver;
use crate::windows::{Played, Shortcut, Windows};

/// Where moves were lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Review {
    /// What counts as a move.
    pub metric: Metric,
    /// The moves that were played.
    pub length: usize,
    /// The distance from the start to the goal.
    pub shortest: Bounds,
    /// The distance from the board on which the moves end: 0 for a whole solution.
    pub left: Bounds,
    /// Where moves were certainly lost, in the order of play. If all distances on the way are proved, these are all.
    pub segments: Vec<Segment>,
    /// The best solution known from the start, as the steps of the blank.
    pub best: Vec<Move>,
}

/// Consecutive moves that were more than it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The number of the first of them, from 1.
    pub number: usize,
    /// The moves, each as the steps of the blank.
    pub played: Vec<Vec<Move>>,
    /// The distance to the goal before them.
    pub before: Bounds,
    /// The distance after them.
    pub after: Bounds,
    /// Moves with which a shortest solution goes on from before them: all of them, unless a limit was reached. None
    /// if the distances are not proved.
    pub instead: Vec<Vec<Move>>,
    /// If the distances are not proved, shorter moves that lead to the same board.
    pub shortcut: Option<Vec<Vec<Move>>>,
}

impl Segment {
    /// How many moves it certainly cost.
    pub fn lost(&self) -> usize {
        let saved = self.shortcut.as_ref().map_or(0, |way| self.played.len() - way.len());
        saved.max((self.played.len() + self.after.lower).saturating_sub(self.before.upper))
    }
}

impl Review {
    /// Takes a solution from the start that was found elsewhere, if it is better than the best one known.
    pub fn takes(&mut self, solution: &[Move]) {
        let length = self.metric.length(solution);
        if length < self.shortest.upper {
            self.shortest.upper = length;
            self.best = solution.to_vec();
            if let Some(first) = self.segments.first_mut().filter(|first| first.number == 1) {
                first.before = self.shortest;
            }
        }
    }

    /// How many moves were lost in all: at least, and at most.
    pub fn lost(&self) -> Bounds {
        let Self { length, shortest, left, .. } = self;
        let (least, most) = (length + left.lower, length + left.upper);
        Bounds { lower: least.saturating_sub(shortest.upper), upper: most - shortest.lower }
    }
}

/// Why moves cannot be reviewed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReviewError {
    /// The configuration does not fit the board.
    #[error(transparent)]
    Config(#[from] Error),
    /// A move leads the blank off the board.
    #[error("move {number} ({direction}) takes the blank off the board")]
    Illegal {
        /// The number of the move among single steps, from 1.
        number: usize,
        /// The move.
        direction: Move,
    },
    /// There is no solution to compare with.
    #[error("the board cannot be solved: `loyd explain` tells why")]
    Unsolvable,
}

impl Solver {
    /// Follows `steps` of the blank from the start of `problem`, and tells where they lost moves.
    ///
    /// As many distances as can be proved in half of the limits are, from the last board on. Of the moves before them, it
    /// is certain that they lost where there is a shorter way between two boards: such ways are looked for, and so is a
    /// better solution. The limits on time and expansions hold for all of that together.
    ///
    /// # Errors
    /// When a step is not possible, the board cannot be solved, or the configuration does not fit the board or cannot
    /// prove that solutions are shortest.
    ///
    /// # Examples
    /// ```
    /// use loyd::notation::parse_moves;
    /// use loyd::{CancelToken, Solver};
    /// let (board, played) = ("1 2 3/4 5 6/7 x 8".parse()?, parse_moves("lrr").unwrap());
    /// let review = Solver::default().review(&board, &played, &CancelToken::new(), None).unwrap();
    /// assert_eq!((review.length, review.shortest.proved()), (3, Some(1)));
    /// assert_eq!(review.lost().proved(), Some(2));
    /// # Ok::<(), loyd::Error>(())
    /// ```
    pub fn review(
        &self,
        problem: &Problem,
        steps: &[Move],
        cancel: &CancelToken,
        observer: Option<&mut dyn Observer>,
    ) -> Result<Review, ReviewError> {
        let mut searches = Searches::new(self, problem, cancel, observer.map(|watch| watch as _))?;
        let played = Played::new(searches.metric(), problem.start(), steps);
        let played =
            played.map_err(|(number, direction)| ReviewError::Illegal { number, direction })?;
        if !Solvability::test(problem.start(), &Relabelling::new(problem.goal())) {
            return Err(ReviewError::Unsolvable);
        }
        let mut distances = Distances::new(&mut searches, &played);
        searches.with_part(2, |searches| distances.prove(searches));
        let mut shortcuts = Vec::new();
        if distances.proved > 0 {
            let report = searches.with_part(2, |searches| searches.best(problem.start()));
            distances.bounds[0] = Bounds::of(&report).expect("the board can be solved");
            searches.stage("looking for shortcuts");
            let windows = Windows::new(self.config(), problem.start(), cancel);
            shortcuts = distances.shortcuts(&windows, &mut searches);
            distances.solution = report.moves;
            distances.estimate(problem);
        }
        distances.close(&shortcuts);
        let segments = distances.segments(shortcuts, &mut searches);
        let (shortest, left) = (distances.bounds[0], distances.bounds[played.len()]);
        let (metric, length) = (played.metric, played.len());
        Ok(Review { metric, length, shortest, left, best: distances.best(&segments), segments })
    }
}

/// How a best solution goes on from a board on the way.
enum Way {
    /// As it was played.
    Played,
    /// As from a later board, which is the same.
    As(usize),
    /// By these steps.
    Steps(Vec<Move>),
}

/// What is known of the distances of the boards on the way.
struct Distances<'a> {
    played: &'a Played,
    bounds: Vec<Bounds>,
    /// The distances from this board on are proved; more than there are boards if none is.
    proved: usize,
    /// The ways from the proved boards, the last board first.
    ways: Vec<Way>,
    /// A solution from the start, where there is no way from it.
    solution: Option<Vec<Move>>,
}

impl<'a> Distances<'a> {
    /// Finds the distance of the last board, or bounds of it, with a quarter of the limits.
    fn new(searches: &mut Searches<'_>, played: &'a Played) -> Self {
        let last = played.len();
        let report = searches.with_part(4, |searches| searches.best(played.end()));
        let mut bounds = vec![Bounds { lower: 0, upper: usize::MAX }; last + 1];
        bounds[last] = Bounds::of(&report).expect("the board can be solved");
        let proved = if bounds[last].proved().is_some() { last } else { last + 1 };
        let ways = vec![Way::Steps(report.moves.unwrap_or_default())];
        Self { played, bounds, proved, ways, solution: None }
    }

    fn way(&self, board: usize) -> &Way {
        &self.ways[self.played.len() - board]
    }

    /// Proves distances from the last board on until a limit is reached: a board is as far away as the next one, or
    /// farther or nearer by one.
    fn prove(&mut self, searches: &mut Searches<'_>) {
        let played = self.played;
        let mut seen: HashMap<_, _> = [(played.end(), played.len())].into();
        while self.proved > 0 && self.proved <= played.len() {
            let (board, next) = (self.proved - 1, self.bounds[self.proved].lower);
            let start = &played.boards[board];
            let (distance, way) = match seen.get(start) {
                Some(&later) => (self.bounds[later].lower, Way::As(later)),
                None => match searches.at_most(start, next) {
                    Ok(Some(moves)) => (played.metric.length(&moves), Way::Steps(moves)),
                    Ok(None) => (next + 1, Way::Played),
                    Err(_) => return,
                },
            };
            seen.entry(start).or_insert(board);
            self.bounds[board] = Bounds::exact(distance);
            self.ways.push(way);
            self.proved = board;
        }
    }

    /// The steps of a shortest solution from a proved board.
    fn steps(&self, mut board: usize) -> Vec<Move> {
        let mut steps = Vec::new();
        loop {
            match self.way(board) {
                Way::Played => {
                    steps.extend(&self.played.moves[board]);
                    board += 1;
                }
                Way::As(later) => board = *later,
                Way::Steps(rest) => {
                    steps.extend(rest);
                    return steps;
                }
            }
        }
    }

    /// Shortcuts of the moves before the boards whose distances are proved, shorter ones first, with what is left of the
    /// limits.
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

    /// The moves that lead to boards whose distances are proved.
    fn unproved(&self) -> Range<usize> {
        0..self.proved.min(self.played.len())
    }

    /// Lower bounds of boards that are not proved, of a thousand at most: they hold for their neighbours, too.
    fn estimate(&mut self, problem: &Problem) {
        const MOST: usize = 1000;
        let metric = self.played.metric;
        for board in (0..self.proved.min(self.bounds.len())).step_by(self.bounds.len() / MOST + 1) {
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

    /// Carries bounds over the moves, which can be taken back, and over shortcuts.
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

    /// Where moves were lost: shortcuts, and moves none of which brought the goal nearer by one.
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
            let instead = first.map(|first| searches.as_good_as(&first, start, length).0);
            segments.push(Segment { instead: instead.unwrap_or_default(), ..segment });
        }
        segments
    }

    fn segment(&self, at: Range<usize>) -> Segment {
        Segment {
            number: at.start + 1,
            before: self.bounds[at.start],
            after: self.bounds[at.end],
            played: self.played.moves[at].to_vec(),
            instead: Vec::new(),
            shortcut: None,
        }
    }

    /// The best solution from the start: what a search found, or what was played with all shortcuts.
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

/// The moves among `all` that are in no shortcut; `found` are in the order of play.
fn gaps(found: &[Shortcut], all: Range<usize>) -> Vec<Range<usize>> {
    let starts = [all.start].into_iter().chain(found.iter().map(|shortcut| shortcut.at.end));
    let ends = found.iter().map(|shortcut| shortcut.at.start).chain([all.end]);
    starts.zip(ends).map(|(start, end)| start..end).filter(|gap| !gap.is_empty()).collect()
}
