//! The required quality of solutions, and the weight of weighted A*.

use std::fmt;
use std::str::FromStr;

use loyd_search::{Cost, Evaluation};

/// The required quality of solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quality {
    /// Proved shortest if the limits suffice; otherwise the best solution found, and the report contains the bound
    /// proved for it.
    Auto,
    /// Proved shortest.
    Optimal,
    /// Proved to be at most this many times as long as a shortest one.
    Bounded(Weight),
    /// Good, and found immediately on boards of any size; the report contains the bound proved for it.
    Fast,
}

impl Quality {
    /// Returns `auto`, `optimal`, `bounded` or `fast`.
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

/// The text is not a quality.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a quality: auto, optimal, fast, and bounded=W with W from 1 to 100, as in bounded=1.5, are allowed"
)]
pub struct QualityError(String);

/// The weight w ≥ 1 of weighted A*, with at most two decimals: f = g + w·h.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Weight {
    hundredths: u32,
}

/// The text is not a weight.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a weight: 1 to 100 with at most two decimals, as in 1.5, is allowed")]
pub struct WeightError(String);

impl Weight {
    /// Default weight: 2.
    pub const DEFAULT: Self = Self { hundredths: 200 };

    pub(crate) const ONE: Self = Self { hundredths: 100 };

    /// Returns whether the weight is 1, which makes weighted A* plain A*.
    pub fn is_one(self) -> bool {
        self.hundredths == 100
    }

    /// Returns the weight as a number.
    pub fn as_f64(self) -> f64 {
        f64::from(self.hundredths) / 100.0
    }

    /// Returns the smallest weight w, in hundredths, with `length` ≤ w · `shortest`. Unlike a parsed weight it may
    /// exceed 100.
    pub(crate) fn of(length: usize, shortest: Cost) -> Option<Self> {
        let shortest = usize::try_from(shortest).ok().filter(|&shortest| shortest > 0)?;
        let hundredths = u32::try_from((100 * length).div_ceil(shortest)).ok()?;
        Some(Self { hundredths })
    }

    /// Returns the maximum length of a solution at most w times as long as `shortest`.
    pub(crate) fn times(self, shortest: Cost) -> usize {
        (u64::from(self.hundredths) * u64::from(shortest) / 100) as usize
    }

    /// Returns f = g + w·h, scaled to the smallest integers.
    pub(crate) fn evaluation(self) -> Evaluation {
        let divisor = [100, 50, 25, 20, 10, 5, 4, 2, 1]
            .into_iter()
            .find(|d| self.hundredths.is_multiple_of(*d) && 100_u32.is_multiple_of(*d));
        let divisor = divisor.unwrap_or(1);
        Evaluation::weighted(self.hundredths / divisor, 100 / divisor)
    }
}

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.as_f64())
    }
}

impl FromStr for Weight {
    type Err = WeightError;

    fn from_str(text: &str) -> Result<Self, WeightError> {
        let error = || WeightError(text.to_owned());
        let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
        let digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
        if whole.is_empty()
            || whole.len() > 3
            || decimals.len() > 2
            || !digits(whole)
            || !digits(decimals)
        {
            return Err(error());
        }
        let hundredths = format!("{whole}{decimals:0<2}").parse().map_err(|_| error())?;
        if (100..=10_000).contains(&hundredths) { Ok(Self { hundredths }) } else { Err(error()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_parse_exactly_or_fail() {
        for (text, shown, evaluation) in [
            ("1", "1", (1, 1)),
            ("10", "10", (10, 1)),
            ("1.5", "1.5", (3, 2)),
            ("1.05", "1.05", (21, 20)),
            ("2.50", "2.5", (5, 2)),
            ("100", "100", (100, 1)),
            ("1.37", "1.37", (137, 100)),
        ] {
            let weight: Weight = text.parse().unwrap();
            assert_eq!(weight.to_string(), shown);
            assert_eq!(weight.evaluation(), Evaluation::weighted(evaluation.0, evaluation.1));
        }
        for text in
            ["", "0", "0.99", "-1", "1.234", "101", "100.01", "1e1", "NaN", ".5", "1.x", "+2"]
        {
            assert!(text.parse::<Weight>().is_err(), "{text}");
        }
    }
}
