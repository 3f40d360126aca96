//! States by distance.

use std::time::Duration;

use loyd::notation::slashes;
use loyd_lab::census::{Answer, Question};
use serde::Serialize;

/// How many states there are at each distance from a goal.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CensusAnswer {
    /// The size of the boards.
    pub size: String,
    /// What counts as a move: `stm` or `mtm`.
    pub metric: &'static str,
    /// The goal.
    pub goal: String,
    /// How many goals have the same answer, this one among them.
    pub goals: u64,
    /// How many states can reach the goal.
    pub states: u64,
    /// The greatest distance.
    pub depth: u32,
    /// The mean distance.
    pub mean: f64,
    /// How many states there are at each distance.
    pub levels: Vec<u64>,
    /// Boards at the greatest distance.
    pub farthest: Vec<String>,
    /// The memory that the census took.
    pub bytes: u64,
    /// The time that it took.
    pub elapsed_ns: u64,
}

impl CensusAnswer {
    /// The answer to `question`.
    pub fn new(question: &Question, answer: &Answer, bytes: u64, elapsed: Duration) -> Self {
        Self {
            size: question.goal().size().to_string(),
            metric: question.metric().name(),
            goal: question.goal().to_string(),
            goals: question.alike(),
            states: answer.states(),
            depth: answer.depth(),
            mean: answer.mean(),
            levels: answer.levels.clone(),
            farthest: answer.farthest.iter().map(|board| slashes(board).to_string()).collect(),
            bytes,
            elapsed_ns: elapsed.as_nanos() as u64,
        }
    }
}
