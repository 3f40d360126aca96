//! Boards that were drawn.

use serde::Serialize;

/// Boards that were drawn.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Scrambles {
    /// What draws the same boards again.
    pub seed: u64,
    /// The boards.
    pub boards: Vec<ScrambledBoard>,
}

/// A board that was drawn.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScrambledBoard {
    /// The board.
    pub board: String,
    /// The goal.
    pub goal: String,
    /// What draws the same boards again.
    pub seed: u64,
    /// The number of the board, from 1.
    pub number: u64,
    /// The length of a shortest solution, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<u32>,
    /// Whether each board of that length was as likely.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uniform: Option<bool>,
    /// Moves from the goal to the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves_from_goal: Option<String>,
}
