//! Why a search ends without a solution or a proof that there is none.

/// Why a search gave up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Stop {
    /// The limit on expanded nodes was reached.
    #[error("the limit on expanded nodes was reached")]
    Expanded,
    /// The depth limit cut paths off, and no solution was found among the others.
    #[error("the depth limit was reached, and longer ways were not tried")]
    Depth,
    /// The next step would need more memory than allowed.
    #[error("the memory limit was reached")]
    Memory,
    /// The time limit was reached.
    #[error("the time limit was reached")]
    Time,
    /// Tables contradict themselves: they were made or written wrong.
    #[error("the tables that lead the search are wrong")]
    Tables,
    /// A count outgrew 128 bits.
    #[error("the number is larger than 128 bits hold")]
    Number,
    /// The caller asked to stop.
    #[error("cancelled")]
    Cancelled,
}

impl Stop {
    /// The word for machines: `expanded`, `depth`, `memory`, `time`, `tables`, `number` or `cancelled`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Expanded => "expanded",
            Self::Depth => "depth",
            Self::Memory => "memory",
            Self::Time => "time",
            Self::Tables => "tables",
            Self::Number => "number",
            Self::Cancelled => "cancelled",
        }
    }
}
