//! How good solutions have to be.

use std::fmt;
use std::str::FromStr;

use super::Weight;

/// How good solutions have to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quality {
    /// Proved to be shortest if that can be done within the limits; else the best that was found, and the
    /// report tells what is proved about it.
    Auto,
    /// Proved to be shortest.
    Optimal,
    /// Proved to be at most this times as long as a shortest one.
    Bounded(Weight),
    /// Good, and there at once on boards of any size; the report tells what is proved about it.
    Fast,
}

impl Quality {
    /// `auto`, `optimal`, `bounded` or `fast`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Optimal => "optimal",
            Self::Bounded(_) => "bounded",
            Self::Fast => "fast",
        }
    }
}

impl fmt::Display for Quality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bounded(weight) => write!(f, "{}={weight}", self.name()),
            _ => f.write_str(self.name()),
        }
    }
}

impl FromStr for Quality {
    type Err = QualityError;

    fn from_str(text: &str) -> Result<Self, QualityError> {
        let unknown = || QualityError(text.to_owned());
        let (name, quality) = match text.split_once('=') {
            Some((name, weight)) => (name, Self::Bounded(weight.parse().map_err(|_| unknown())?)),
            None if text == Self::Fast.name() => (text, Self::Fast),
            None if text == Self::Auto.name() => (text, Self::Auto),
            None => (text, Self::Optimal),
        };
        if name == quality.name() { Ok(quality) } else { Err(unknown()) }
    }
}

/// Not a quality.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a quality: auto, optimal, fast, and bounded=W with W from 1 to 100, as in bounded=1.5, are allowed"
)]
pub struct QualityError(String);
