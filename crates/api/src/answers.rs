//! What answers look like: the records of the command line's `--output json`.

mod census;
mod explain;
mod hint;
mod moves;
mod review;
mod scramble;

pub use census::CensusAnswer;
pub use explain::ExplainAnswer;
pub use hint::HintAnswer;
pub use moves::{Converted, OptimizeAnswer};
pub use review::{ReviewAnswer, Reviewed, Reviews, SegmentAnswer};
pub use scramble::{ScrambledBoard, Scrambles};

use loyd::Move;
use loyd::notation::moves_to_string;

/// Slides or moves, each by itself: letters of the blank's way.
fn words(all: &[Vec<Move>]) -> Vec<String> {
    all.iter().map(|steps| moves_to_string(steps)).collect()
}
