//! Answer of the call `review`.

use loyd::Problem;
use loyd::moves::Metric;
use loyd::notation::{Notation, moves_to_string, slashes};
use loyd::study::{Review, Segment};
use serde::Serialize;

use crate::answers::words;

/// Reviews of the same moves in one or both metrics.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reviews {
    /// One review per metric.
    pub reviews: Vec<ReviewAnswer>,
}

/// Where moves were wasted, in one metric. Lengths that are not proved are `null` and have bounds.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "status", rename_all = "lowercase")]
pub enum ReviewAnswer {
    /// The board is solvable.
    Solved(Box<SolvedReview>),
    /// The board is unsolvable, so there is no solution to compare with.
    Unsolvable {
        /// The board.
        board: String,
        /// The goal.
        goal: String,
        /// `stm` or `mtm`.
        metric: &'static str,
        /// Notation in which the moves were read.
        notation: &'static str,
        /// Named goals that the board can reach.
        #[serde(skip_serializing_if = "Option::is_none")]
        solvable_goals: Option<Vec<&'static str>>,
    },
}

/// Where moves were wasted on a solvable board.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SolvedReview {
    /// The board.
    pub board: String,
    /// The goal.
    pub goal: String,
    /// `stm` or `mtm`.
    pub metric: &'static str,
    /// Notation in which the moves were read.
    pub notation: &'static str,
    /// Number of moves played.
    pub length: usize,
    /// Length of a shortest solution, if proved.
    pub shortest: Option<usize>,
    /// Length of the best known solution.
    pub best_known: usize,
    /// Proved lower bound on the length of a solution.
    pub lower_bound: usize,
    /// Distance from the final board to the goal, if proved.
    pub left: Option<usize>,
    /// Lower bound on that distance.
    pub left_at_least: usize,
    /// Upper bound on that distance.
    pub left_at_most: usize,
    /// Number of moves wasted, if proved.
    pub lost: Option<usize>,
    /// Lower bound on the number of moves wasted.
    pub lost_at_least: usize,
    /// Upper bound on the number of moves wasted.
    pub lost_at_most: usize,
    /// Segments that wasted moves.
    pub segments: Vec<SegmentAnswer>,
    /// Best known solution.
    pub best: String,
}

/// Consecutive moves that wasted some.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SegmentAnswer {
    /// Number of the first of these moves, from 1.
    pub number: usize,
    /// Moves played.
    pub played: Vec<String>,
    /// Distance to the goal before the moves, if proved.
    pub before: Option<usize>,
    /// Distance to the goal after the moves, if proved.
    pub after: Option<usize>,
    /// Number of moves wasted.
    pub lost: usize,
    /// Better moves.
    pub instead: Vec<String>,
    /// Shorter path to the same board.
    pub shortcut: Option<Vec<String>>,
}

impl ReviewAnswer {
    /// Converts the `review` of moves on `problem`, which were read as `notation`.
    pub fn new(problem: &Problem, review: &Review, notation: Notation) -> Self {
        let (shortest, left, lost) = (review.shortest, review.remaining, review.lost());
        Self::Solved(Box::new(SolvedReview {
            board: slashes(problem.start()).to_string(),
            goal: problem.goal_text(),
            metric: review.metric.name(),
            notation: notation.row().name,
            length: review.length,
            shortest: shortest.exact_value(),
            best_known: shortest.upper,
            lower_bound: shortest.lower,
            left: left.exact_value(),
            left_at_least: left.lower,
            left_at_most: left.upper,
            lost: lost.exact_value(),
            lost_at_least: lost.lower,
            lost_at_most: lost.upper,
            segments: review.segments.iter().map(SegmentAnswer::new).collect(),
            best: moves_to_string(&review.best),
        }))
    }

    /// Creates the answer for moves on an unsolvable board.
    pub fn unsolvable(problem: &Problem, metric: Metric, notation: Notation) -> Self {
        Self::Unsolvable {
            board: slashes(problem.start()).to_string(),
            goal: problem.goal_text(),
            metric: metric.name(),
            notation: notation.row().name,
            solvable_goals: problem.solvable_goals(),
        }
    }
}

impl SegmentAnswer {
    fn new(segment: &Segment) -> Self {
        Self {
            number: segment.number,
            played: words(&segment.played),
            before: segment.before.exact_value(),
            after: segment.after.exact_value(),
            lost: segment.lost(),
            instead: words(&segment.better_moves),
            shortcut: segment.shortcut.as_deref().map(words),
        }
    }
}
