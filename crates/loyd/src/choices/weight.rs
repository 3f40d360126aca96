//! The weight of weighted A*.

use std::fmt;
use std::str::FromStr;

use loyd_search::{Cost, Evaluation};

/// The weight w ≥ 1 of weighted A*, with at most two decimals: f = g + w·h.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Weight {
    hundredths: u32,
}

/// Not a weight.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a weight: 1 to 100 with at most two decimals, as in 1.5, is allowed")]
pub struct WeightError(String);

impl Weight {
    /// The weight that is used when none is given: 2.
    pub const DEFAULT: Self = Self { hundredths: 200 };

    pub(crate) const ONE: Self = Self { hundredths: 100 };

    /// Whether this is 1, which makes weighted A* plain A*.
    pub fn is_one(self) -> bool {
        self.hundredths == 100
    }

    /// The weight as a number.
    pub fn as_f64(self) -> f64 {
        f64::from(self.hundredths) / 100.0
    }

    /// The least weight w, in hundredths, with `length` ≤ w · `shortest`; it may be above 100, which a weight that
    /// is asked for may not.
    pub(crate) fn of(length: usize, shortest: Cost) -> Option<Self> {
        let shortest = usize::try_from(shortest).ok().filter(|&shortest| shortest > 0)?;
        let hundredths = u32::try_from((100 * length).div_ceil(shortest)).ok()?;
        Some(Self { hundredths })
    }

    /// The longest solution that is at most w times as long as `shortest`.
    pub(crate) fn times(self, shortest: Cost) -> usize {
        (u64::from(self.hundredths) * u64::from(shortest) / 100) as usize
    }

    /// f = g + w·h in least whole numbers.
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
    fn weights_are_read_exactly_or_refused() {
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
