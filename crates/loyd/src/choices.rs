//! What a configuration chooses among: small values that know nothing of searching.

#[cfg(feature = "cache")]
mod checkpoint;
mod prune;
mod quality;
mod shard;
mod table_choice;
mod weight;

#[cfg(feature = "cache")]
pub use checkpoint::Checkpoint;
pub use prune::{Prune, PruneError};
pub use quality::{Quality, QualityError};
pub use shard::{Shard, ShardError};
pub use table_choice::TableChoice;
pub use weight::{Weight, WeightError};

use std::fmt;
use std::sync::Arc;

use loyd_heuristics::DistanceMatrix;

/// The heuristic that a configuration asks for.
#[derive(Clone, Debug)]
pub enum HeuristicChoice {
    /// The heuristic of this name, one of [`HEURISTICS`](crate::search::HEURISTICS).
    Named(&'static str),
    /// The sum over the tiles of the entries of a matrix.
    Matrix(Arc<DistanceMatrix>),
}

impl HeuristicChoice {
    /// The name of a sum over a matrix, in reports.
    pub(crate) const MATRIX: &'static str = "matrix";

    /// The name for reports.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Named(name) => name,
            Self::Matrix(_) => Self::MATRIX,
        }
    }
}

impl From<&'static str> for HeuristicChoice {
    fn from(name: &'static str) -> Self {
        Self::Named(name)
    }
}

impl fmt::Display for HeuristicChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
