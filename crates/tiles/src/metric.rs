//! What counts as one move.

use std::fmt;
use std::str::FromStr;

use crate::walk::runs;

/// What counts as one move of a solution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Metric {
    /// Each tile that moves (STM).
    #[default]
    SingleTile,
    /// Each slide of one or more tiles in a line (MTM).
    MultiTile,
}

/// Not the name of a metric.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a metric: stm (each tile counts) or mtm (each slide of tiles in a line) is allowed"
)]
pub struct MetricError(String);

impl Metric {
    /// All metrics.
    pub const ALL: [Self; 2] = [Self::SingleTile, Self::MultiTile];

    /// `stm` or `mtm`.
    pub fn name(self) -> &'static str {
        match self {
            Self::SingleTile => "stm",
            Self::MultiTile => "mtm",
        }
    }

    /// How much a solution counts.
    ///
    /// # Examples
    /// ```
    /// use loyd_tiles::{Metric, notation::parse_moves};
    /// let moves = parse_moves("rrdl").unwrap();
    /// assert_eq!(Metric::SingleTile.length(&moves), 4);
    /// assert_eq!(Metric::MultiTile.length(&moves), 3);
    /// ```
    pub fn length(self, moves: &[crate::Move]) -> usize {
        match self {
            Self::SingleTile => moves.len(),
            Self::MultiTile => runs(moves).count(),
        }
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Metric {
    type Err = MetricError;

    fn from_str(text: &str) -> Result<Self, MetricError> {
        let named = |metric: &Self| metric.name() == text;
        Self::ALL.into_iter().find(named).ok_or_else(|| MetricError(text.to_owned()))
    }
}
