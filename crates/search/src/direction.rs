//! At which end a search begins.

use std::fmt;
use std::str::FromStr;

/// At which end a search begins, or one of the two searches of a bidirectional one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Direction {
    /// At the start, towards the goals, as most searches do.
    #[default]
    Forward,
    /// At the goals, towards the start.
    Backward,
}

impl Direction {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Forward, Self::Backward];

    /// `forward` or `backward`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Forward => "forward",
            Self::Backward => "backward",
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Direction {
    type Err = DirectionError;

    fn from_str(text: &str) -> Result<Self, DirectionError> {
        let named = Self::ALL.into_iter().find(|direction| direction.name() == text);
        named.ok_or_else(|| DirectionError(text.to_owned()))
    }
}

/// Not a direction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a direction: forward and backward are allowed")]
pub struct DirectionError(String);
