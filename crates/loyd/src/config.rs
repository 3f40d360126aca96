//! How a problem is to be solved.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use loyd_search::{Cost, Evaluation, Limits};
use loyd_tiles::Metric;

use crate::algorithms::Algorithm;
use crate::heuristics::Guide;
use crate::patterns::TableChoice;
use crate::quality::Quality;
use crate::store::Store;

/// How a search recognises states that it has met before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Closed {
    /// A balanced tree of keys.
    Ordered,
    /// A chained hash table of keys.
    Hashed,
    /// An array with a place for every state.
    Ranked,
}

impl Closed {
    /// All ways, slowest first.
    pub const ALL: [Self; 3] = [Self::Ordered, Self::Hashed, Self::Ranked];

    /// `ordered`, `hashed` or `ranked`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ordered => "ordered",
            Self::Hashed => "hashed",
            Self::Ranked => "ranked",
        }
    }
}

impl fmt::Display for Closed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Which open list a best-first search uses. Node counts do not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OpenList {
    /// A stack for each priority and depth, where the priorities are small whole numbers; else a
    /// heap.
    #[default]
    Buckets,
    /// A binary heap.
    Heap,
}

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

    /// The least weight w, in hundredths, with `length` ≤ w · `shortest`; none above 100.
    pub(crate) fn of(length: usize, shortest: Cost) -> Option<Self> {
        let shortest = usize::try_from(shortest).ok().filter(|&shortest| shortest > 0)?;
        let hundredths = u32::try_from((100 * length).div_ceil(shortest)).ok()?;
        (hundredths <= 10_000).then_some(Self { hundredths })
    }

    /// The longest answer that is at most w times as long as `shortest`.
    pub(crate) fn times(self, shortest: Cost) -> usize {
        (u64::from(self.hundredths) * u64::from(shortest) / 100) as usize
    }

    /// The shortest that an answer can be if one of this `length` is at most w times as long.
    pub(crate) fn least(self, length: usize) -> Cost {
        (100 * length as u64).div_ceil(self.hundredths.into()) as Cost
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

/// What to run. Every field has a default; what is `None` is chosen by the board.
#[derive(Clone, Debug)]
pub struct Config {
    /// The algorithm; by default the answer table on 3x3 boards, on those of 10 and 11 cells, and on
    /// those of 12 if there are 5,000 [boards](Self::boards) or more, and for part goals of up to a million
    /// states, and IDA* elsewhere; or what the other choices ask for: weighted A* with a weight, A* with a
    /// kind of duplicate detection or without the parity test, IDA* with a heuristic. Where slides count,
    /// the answer table up to 9 cells, and IDA* elsewhere, or bidirectional search if memory has no room
    /// for its tables.
    pub algorithm: Option<&'static Algorithm>,
    /// The heuristic, for algorithms that use one; by default Manhattan distance, and for the IDA*
    /// that runs when nothing is chosen pattern databases (12 to 25 cells) or linear conflict. Where slides
    /// count, alike tiles on 10 to 16 cells, else none; for part goals, and where slides count on larger
    /// boards, the distances of a few tiles.
    pub heuristic: Option<Guide>,
    /// The weight of weighted A*; by default 2.
    pub weight: Option<Weight>,
    /// Duplicate detection, for algorithms that need it; by default ranked where that takes at most
    /// 64 MB, else hashed.
    pub closed: Option<Closed>,
    /// The open list of best-first searches.
    pub open: OpenList,
    /// What counts as a move, and so which answers are shortest.
    pub metric: Metric,
    /// Whether parity is tested first. Without the test an unsolvable board is found out by
    /// exhaustion, as plain old programs did.
    pub parity_check: bool,
    /// How good answers have to be, where that is chosen in place of how to search: the algorithm and
    /// what belongs to it must be left open then. `None` is as good as the search makes them.
    pub quality: Option<Quality>,
    /// How long an answer of [`Quality::Fast`] is improved, within the limits; not at all by default.
    pub improve: Duration,
    /// Which pattern databases the heuristic `pdb` uses.
    pub tables: TableChoice,
    /// Where tables are kept; by default they are made anew for each solver.
    pub store: Store,
    /// How many boards are going to be solved, where that is known: what tables pay depends on it.
    pub boards: Option<u64>,
    /// Threads that one problem may use, at least 1. Counts of searches reproduce with one.
    pub threads: usize,
    /// Limits for each problem.
    pub limits: Limits,
}

impl Config {
    /// Whether the heuristic or its tables are asked for.
    pub(crate) fn names_guide(&self) -> bool {
        self.heuristic.is_some() || self.tables != TableChoice::Default
    }

    /// The memory that a search may take unless another limit is set: 1 GiB.
    pub const DEFAULT_MAX_BYTES: u64 = 1 << 30;
    /// The time that a search may take unless another limit is set: one hour.
    pub const DEFAULT_MAX_TIME: Duration = Duration::from_secs(3600);
}

impl Default for Config {
    fn default() -> Self {
        Self {
            algorithm: None,
            heuristic: None,
            weight: None,
            closed: None,
            open: OpenList::default(),
            metric: Metric::default(),
            parity_check: true,
            quality: None,
            improve: Duration::ZERO,
            tables: TableChoice::default(),
            store: Store::nowhere(),
            boards: None,
            threads: 1,
            limits: Limits {
                max_bytes: Some(Self::DEFAULT_MAX_BYTES),
                max_time: Some(Self::DEFAULT_MAX_TIME),
                ..Limits::default()
            },
        }
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
