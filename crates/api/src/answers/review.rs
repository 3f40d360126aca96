//! Where moves were lost.

use loyd::Problem;
use loyd::moves::Metric;
use loyd::notation::{moves_to_string, slashes};
use loyd::study::{Review, Segment};
use serde::Serialize;

use super::words;

/// A review in each metric.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reviews {
    /// A review for each metric.
    pub reviews: Vec<ReviewAnswer>,
}

/// Where moves were lost, in one metric. Lengths that are not proved are `null`, and have bounds.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "status", rename_all = "lowercase")]
pub enum ReviewAnswer {
    /// The board can be solved.
    Solved(Box<Reviewed>),
    /// The board has no solution to compare with.
    Unsolvable {
        /// The board.
        board: String,
        /// The goal.
        goal: String,
        /// `stm` or `mtm`.
        metric: &'static str,
    },
}

/// Where moves were lost on a board that can be solved.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reviewed {
    /// The board.
    pub board: String,
    /// The goal.
    pub goal: String,
    /// `stm` or `mtm`.
    pub metric: &'static str,
    /// The moves that were made.
    pub length: usize,
    /// The length of a shortest solution.
    pub shortest: Option<usize>,
    /// The length of the best known solution.
    pub best_known: usize,
    /// No solution is shorter.
    pub lower_bound: usize,
    /// How far the goal is from where the moves end.
    pub left: Option<usize>,
    /// At least so far.
    pub left_at_least: usize,
    /// At most so far.
    pub left_at_most: usize,
    /// How many moves were lost.
    pub lost: Option<usize>,
    /// At least so many.
    pub lost_at_least: usize,
    /// At most so many.
    pub lost_at_most: usize,
    /// Where they were lost.
    pub segments: Vec<SegmentAnswer>,
    /// The best known solution.
    pub best: String,
}

/// Moves in a row that lost some.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SegmentAnswer {
    /// The number of the first of these moves, from 1.
    pub number: usize,
    /// The moves.
    pub played: Vec<String>,
    /// How far the goal was before.
    pub before: Option<usize>,
    /// How far it was after.
    pub after: Option<usize>,
    /// How many moves were lost.
    pub lost: usize,
    /// Moves that would have been better.
    pub instead: Vec<String>,
    /// A shorter way to the same board.
    pub shortcut: Option<Vec<String>>,
}

impl ReviewAnswer {
    /// The review of moves on `problem`.
    pub fn new(problem: &Problem, review: &Review) -> Self {
        let (shortest, left, lost) = (review.shortest, review.left, review.lost());
        Self::Solved(Box::new(Reviewed {
            board: slashes(problem.start()).to_string(),
            goal: problem.goal_text(),
            metric: review.metric.name(),
            length: review.length,
            shortest: shortest.proved(),
            best_known: shortest.upper,
            lower_bound: shortest.lower,
            left: left.proved(),
            left_at_least: left.lower,
            left_at_most: left.upper,
            lost: lost.proved(),
            lost_at_least: lost.lower,
            lost_at_most: lost.upper,
            segments: review.segments.iter().map(SegmentAnswer::new).collect(),
            best: moves_to_string(&review.best),
        }))
    }

    /// The review of moves on a board that has no solution.
    pub fn unsolvable(problem: &Problem, metric: Metric) -> Self {
        let (board, goal) = (slashes(problem.start()).to_string(), problem.goal_text());
        Self::Unsolvable { board, goal, metric: metric.name() }
    }
}

impl SegmentAnswer {
    fn new(segment: &Segment) -> Self {
        Self {
            number: segment.number,
            played: words(&segment.played),
            before: segment.before.proved(),
            after: segment.after.proved(),
            lost: segment.lost(),
            instead: words(&segment.instead),
            shortcut: segment.shortcut.as_deref().map(words),
        }
    }
}
