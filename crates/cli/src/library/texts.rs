//! What commands say to people.

use loyd::moves::Metric;
use loyd::notation::{MoveText, Style};
use loyd::study::{Explanation, Hint, Review, ReviewError};
use loyd::{CancelToken, Config, Move, Problem, Solver};

use crate::commands::{explain, hint, review};

use super::Message;

/// Why a board can be solved or not, and how far it is from its goal: what `loyd explain` prints.
pub fn explained(problem: &Problem, explanation: &Explanation) -> String {
    explain::text(problem, explanation).expect(TAKES_ALL)
}

/// What to play next: what `loyd hint` prints.
pub fn hinted(problem: &Problem, hint: &Hint, style: Option<Style>) -> String {
    hint::in_words(problem, hint, style)
}

/// Where moves were lost: what `loyd review` prints of one metric.
pub fn reviewed(review: &Review, problem: &Problem, read: &MoveText) -> String {
    review::text(review, problem, read).expect(TAKES_ALL)
}

const TAKES_ALL: &str = "a string takes everything";

/// Reviews moves in each of some metrics, as `loyd review` does: the time of `solver` is for all of them. A review is
/// `None` where the board cannot be solved.
///
/// # Errors
/// When the solver does not take the board, and when a limit was reached before there was anything to compare with.
pub fn reviews(
    solver: &Solver,
    problem: &Problem,
    moves: &[Move],
    metrics: &[Metric],
    cancel: &CancelToken,
) -> Result<Vec<Option<Review>>, Message> {
    let (mut reviews, mut best): (_, Option<Vec<Move>>) = (Vec::new(), None);
    for &metric in metrics {
        // There is a search for each board on the way.
        let boards = Some((moves.len() as u64).max(1));
        let mut config = Config { metric, boards, ..solver.config().clone() };
        let time = &mut config.limits.max_time;
        *time = time.map(|time| time / metrics.len() as u32);
        match solver.sharing(config)?.review(problem, moves, cancel, None) {
            Ok(mut review) => {
                // What is best in one metric may be better than what was found in the other.
                if let Some(best) = &best {
                    review.takes(best);
                }
                best = Some(review.best.clone());
                reviews.push(Some(review));
            }
            Err(ReviewError::Unsolvable) => reviews.push(None),
            Err(error) => return Err(Message(error.to_string())),
        }
    }
    Ok(reviews)
}
