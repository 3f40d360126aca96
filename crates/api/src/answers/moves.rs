//! Moves that were written in some notation.

use loyd::board::Board;
use loyd::notation::{Style, UnwritableMoves, moves_to_string, slashes};
use loyd::search::Stop;
use loyd::study::Optimized;
use serde::Serialize;

/// A solution that was made shorter.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OptimizeAnswer {
    /// The board on which the moves begin.
    pub board: String,
    /// The shorter moves: the directions in which the blank moves.
    pub moves: String,
    /// The notation of `written`.
    pub notation: &'static str,
    /// The moves in this notation.
    pub written: String,
    /// What counts as a move in the lengths that follow: `stm` or `mtm`.
    pub metric: &'static str,
    /// Their length.
    pub length: usize,
    /// The length before.
    pub length_before: usize,
    /// No moves to the same board are fewer.
    pub lower_bound: usize,
    /// Whether it is proved that none are fewer.
    pub optimal: bool,
    /// The limit that was reached before that was proved.
    pub stopped_by: Option<&'static str>,
}

impl OptimizeAnswer {
    /// What came of making moves on `board` shorter.
    ///
    /// # Errors
    /// When the notation has no words for them.
    pub fn new(board: &Board, found: &Optimized, style: Style) -> Result<Self, UnwritableMoves> {
        Ok(Self {
            board: slashes(board).to_string(),
            moves: moves_to_string(&found.moves),
            notation: style.notation.row().name,
            written: style.write(&found.moves, Some(board))?,
            metric: found.metric.name(),
            length: found.bounds.upper,
            length_before: found.before,
            lower_bound: found.bounds.lower,
            optimal: found.bounds.proved().is_some(),
            stopped_by: found.stopped.map(Stop::name),
        })
    }
}

/// A board or moves in another form.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Converted {
    /// The board or the moves.
    pub text: String,
}
