//! A share of the work.

use std::fmt;
use std::str::FromStr;

/// One of several shares of the same work: of the boards of a batch, or of the subtrees of one board. Processes that know
/// nothing of each other do one each.
///
/// # Examples
/// ```
/// use loyd::search::Shard;
/// let shard: Shard = "1/3".parse()?;
/// let mine: Vec<u64> = (0..8).filter(|&number| shard.has(number)).collect();
/// assert_eq!(mine, [1, 4, 7]);
/// assert!("3/3".parse::<Shard>().is_err());
/// # Ok::<(), loyd::search::ShardError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shard {
    index: u32,
    count: u32,
}

impl Shard {
    /// The most shards.
    pub const MOST: u32 = 100_000;

    /// The share with the number `index`, from 0, of `count`; `None` if there is no such share, or more than
    /// [`MOST`](Self::MOST).
    pub fn new(index: u32, count: u32) -> Option<Self> {
        (index < count && count <= Self::MOST).then_some(Self { index, count })
    }

    /// Its number, from 0.
    pub fn index(self) -> u32 {
        self.index
    }

    /// How many there are.
    pub fn count(self) -> u32 {
        self.count
    }

    /// Whether it has the part with this number: parts belong to the shards in turn.
    pub fn has(self, number: u64) -> bool {
        number % u64::from(self.count) == u64::from(self.index)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

/// A text that names no shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a shard is I/N: its number from 0, and how many there are, as 0/4, 1/4, 2/4 and 3/4 are four; there are at most \
     {}",
    Shard::MOST
)]
pub struct ShardError;

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let (index, count) = text.split_once('/').ok_or(ShardError)?;
        let number = |text: &str| match text.bytes().all(|byte| byte.is_ascii_digit()) {
            true => text.parse().map_err(|_| ShardError),
            false => Err(ShardError),
        };
        Self::new(number(index)?, number(count)?).ok_or(ShardError)
    }
}
