//! The cost of moving a tile.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// The cost of moving a tile, which decides which solutions are cheapest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TileCosts {
    /// 1 for each tile: the cost of a solution is its length.
    #[default]
    Unit,
    /// 1/n for tile n: "inverse" tiles (Thayer and Ruml 2011).
    Inverse,
    /// n for tile n: "heavy" tiles (Gilon, Felner and Stern 2016).
    Heavy,
    /// A cost for each tile, starting with tile 1.
    List(Arc<[Fraction]>),
}

impl TileCosts {
    /// Returns whether this is [`Unit`](Self::Unit).
    pub fn is_unit(&self) -> bool {
        *self == Self::Unit
    }

    /// Returns the cost of each of `tiles` tiles, or `None` if the list has another length.
    pub(crate) fn by_tile(&self, tiles: usize) -> Option<Vec<Fraction>> {
        let numbers = 1..=tiles as u64;
        let costs: Vec<Fraction> = match self {
            Self::Unit => vec![Fraction::whole(1); tiles],
            Self::Inverse => numbers.map(|n| Fraction { numerator: 1, denominator: n }).collect(),
            Self::Heavy => numbers.map(Fraction::whole).collect(),
            Self::List(list) => list.to_vec(),
        };
        (costs.len() == tiles).then_some(costs)
    }
}

impl fmt::Display for TileCosts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unit => f.write_str("unit"),
            Self::Inverse => f.write_str("inverse"),
            Self::Heavy => f.write_str("heavy"),
            Self::List(list) => {
                let costs: Vec<String> = list.iter().map(Fraction::to_string).collect();
                f.write_str(&costs.join(","))
            }
        }
    }
}

impl FromStr for TileCosts {
    type Err = TileCostsError;

    fn from_str(text: &str) -> Result<Self, TileCostsError> {
        match text {
            "unit" => return Ok(Self::Unit),
            "inverse" => return Ok(Self::Inverse),
            "heavy" => return Ok(Self::Heavy),
            _ => {}
        }
        let costs = text.split(',').map(|word| word.trim().parse());
        let costs: Option<Arc<[Fraction]>> = costs.collect::<Result<_, _>>().ok();
        costs.map(Self::List).ok_or_else(|| {
            let mut shown: String = text.chars().take(40).collect();
            if shown.len() < text.len() {
                shown.push('…');
            }
            TileCostsError(shown)
        })
    }
}

/// The text is not a choice of costs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a choice of costs: unit, inverse (1/n for tile n), heavy (n for tile n) and a list with a cost for each \
     tile, as in 1,2.5,1/3, are allowed"
)]
pub struct TileCostsError(String);

/// An exact cost: a non-negative fraction in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fraction {
    numerator: u64,
    denominator: u64,
}

impl Fraction {
    /// Maximum numerator and denominator of parsed fractions.
    const LARGEST: u64 = 1_000_000;

    /// Returns the fraction `numerator`/`denominator`, or `None` if the denominator is 0.
    pub fn new(numerator: u64, denominator: u64) -> Option<Self> {
        let divisor = gcd(numerator, denominator);
        (denominator > 0)
            .then(|| Self { numerator: numerator / divisor, denominator: denominator / divisor })
    }

    pub(crate) const fn whole(number: u64) -> Self {
        Self { numerator: number, denominator: 1 }
    }

    /// Returns the numerator in lowest terms.
    pub fn numerator(self) -> u64 {
        self.numerator
    }

    /// Returns the denominator in lowest terms.
    pub fn denominator(self) -> u64 {
        self.denominator
    }

    /// Returns the nearest `f64`.
    pub fn as_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

/// Writes `137/60`, or `12` if the denominator is 1.
impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => write!(f, "{}", self.numerator),
            denominator => write!(f, "{}/{denominator}", self.numerator),
        }
    }
}

/// Parses `7`, `2.5` and `1/3`, with numerators and denominators of at most a million.
impl FromStr for Fraction {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let number = |text: &str| match text.len() {
            1..=12 if digits(text) => text.parse::<u64>().map_err(|_| ()),
            _ => Err(()),
        };
        let read = if let Some((numerator, denominator)) = text.split_once('/') {
            Self::new(number(numerator)?, number(denominator)?)
        } else if let Some((whole, decimals)) = text.split_once('.') {
            if whole.is_empty() || decimals.is_empty() || decimals.len() > 6 || !digits(decimals) {
                return Err(());
            }
            Self::new(number(&format!("{whole}{decimals}"))?, 10_u64.pow(decimals.len() as u32))
        } else {
            Self::new(number(text)?, 1)
        };
        read.filter(|read| read.numerator.max(read.denominator) <= Self::LARGEST).ok_or(())
    }
}

pub(crate) fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_parse_exactly_or_fail() {
        for (text, shown) in [
            ("unit", "unit"),
            ("inverse", "inverse"),
            ("heavy", "heavy"),
            ("1,2.5,1/3,0", "1,5/2,1/3,0"),
            ("2/4, 0.250", "1/2,1/4"),
        ] {
            assert_eq!(text.parse::<TileCosts>().unwrap().to_string(), shown);
        }
        for text in [
            "",
            "heavier",
            "1,,2",
            "-1",
            "1/0",
            "1e3",
            "1.2.3",
            ".5",
            "1.",
            "1/2/3",
            "1000001",
            "0.1234567",
        ] {
            assert!(text.parse::<TileCosts>().is_err(), "{text}");
        }
        let long = "9".repeat(1 << 16).parse::<TileCosts>().unwrap_err().to_string();
        assert!(long.len() < 300, "{long}");
    }

    #[test]
    fn named_costs_depend_on_the_tile_number() {
        let texts = |costs: TileCosts| {
            let costs = costs.by_tile(3).unwrap();
            costs.iter().map(Fraction::to_string).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(texts(TileCosts::Unit), "1 1 1");
        assert_eq!(texts(TileCosts::Inverse), "1 1/2 1/3");
        assert_eq!(texts(TileCosts::Heavy), "1 2 3");
        assert_eq!("1,2".parse::<TileCosts>().unwrap().by_tile(3), None);
    }
}
