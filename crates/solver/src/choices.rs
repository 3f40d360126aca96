//! The option types of a configuration, small values without any search code: heuristic, tables, pruning, shard and
//! checkpoint. See also [`crate::quality`] and [`crate::tile_costs`].

use std::convert::Infallible;
#[cfg(feature = "cache")]
use std::ffi::OsString;
use std::fmt;
#[cfg(feature = "cache")]
use std::fs::{self, File};
#[cfg(feature = "cache")]
use std::io::{self, Write};
#[cfg(feature = "cache")]
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
#[cfg(feature = "cache")]
use std::sync::Mutex;
#[cfg(feature = "cache")]
use std::time::Duration;

use loyd_heuristics::{AutomatonKey, DistanceMatrix};
#[cfg(feature = "cache")]
use loyd_kernels::Progress;
use loyd_tiles::{Metric, Size};

#[cfg(feature = "cache")]
use crate::sync::lock;

/// Maximum size of a checkpoint, in bytes.
#[cfg(feature = "cache")]
const MAX_BYTES: u64 = 1 << 30;

/// The heuristic of a configuration.
#[derive(Clone, Debug)]
pub enum HeuristicChoice {
    /// The heuristic with this name, one of [`HEURISTICS`](crate::search::HEURISTICS).
    Named(&'static str),
    /// The sum of the entries of a matrix over the tiles.
    Matrix(Arc<DistanceMatrix>),
}

impl HeuristicChoice {
    /// Name of [`Matrix`](Self::Matrix) in reports.
    pub(crate) const MATRIX: &'static str = "matrix";

    /// Returns the name for reports.
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

/// The pattern databases that a solver uses.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum TableChoice {
    /// For a few 4x4 boards small tables, built at once, and larger ones for the hard boards; for many boards the
    /// larger ones from the start. On other sizes one partition.
    #[default]
    Default,
    /// Like `Default`, but with the largest tables for thousands of boards: the choice with the smallest total time.
    Auto,
    /// The given tables, by name (`7-8`) or by goal cells: see
    /// [`Partition::parse`](loyd_heuristics::pdb::Partition::parse).
    Partition(String),
}

/// Parses `default` and `auto`; any other text is a partition, which is checked when the size of the board is known.
impl FromStr for TableChoice {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text {
            "default" => Self::Default,
            "auto" => Self::Auto,
            text => Self::Partition(text.to_owned()),
        })
    }
}

impl fmt::Display for TableChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Default => "default",
            Self::Auto => "auto",
            Self::Partition(text) => text,
        })
    }
}

/// The moves that a depth-first search prunes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Prune {
    /// Moves that undo the previous one; for slides, moves along the line of the previous one.
    #[default]
    Undo,
    /// Also moves that end a word equivalent to a shorter word, or to one of the same length that precedes it; an
    /// [`Automaton`](crate::engine::Automaton) recognizes such words. The search expands fewer nodes and finds a
    /// solution of the same length, but not all solutions of that length.
    Automaton {
        /// Maximum number of moves in a word; by default [`default_words`](Prune::default_words).
        words: Option<u32>,
    },
}

impl Prune {
    /// Maximum number of moves in a word.
    const LONGEST: u32 = 31;

    /// Returns the default maximum number of moves in a word, for which the automaton is built in some tenths of a
    /// second. Each further move takes up to ten times the time and memory.
    pub fn default_words(size: Size, metric: Metric) -> u32 {
        AutomatonKey::quick_word_length(size, metric)
    }

    /// Returns `undo` or `automaton`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Undo => "undo",
            Self::Automaton { .. } => "automaton",
        }
    }
}

/// Writes `undo`, `automaton` or `automaton=16`.
impl fmt::Display for Prune {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Automaton { words: Some(words) } => write!(f, "{}={words}", self.name()),
            _ => f.write_str(self.name()),
        }
    }
}

impl FromStr for Prune {
    type Err = PruneError;

    fn from_str(text: &str) -> Result<Self, PruneError> {
        let unknown = || PruneError(text.to_owned());
        let (name, prune) = match text.split_once('=') {
            Some((name, words)) => {
                let words = words.parse().ok().filter(|words| (2..=Self::LONGEST).contains(words));
                (name, Self::Automaton { words: Some(words.ok_or_else(unknown)?) })
            }
            None if text == Self::Undo.name() => (text, Self::Undo),
            None => (text, Self::Automaton { words: None }),
        };
        if name == prune.name() { Ok(prune) } else { Err(unknown()) }
    }
}

/// The text is not a pruning rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a way to prune: undo, automaton, and automaton=WORDS with words of 2 to 31 moves, as in automaton=14, are allowed"
)]
pub struct PruneError(String);

/// One of several shares of the same work: of the boards of a batch, or of the subtrees of one board. Independent
/// processes run one shard each.
///
/// # Examples
/// ```
/// use loyd::search::Shard;
/// let shard: Shard = "1/3".parse()?;
/// let mine: Vec<u64> = (0..8).filter(|&number| shard.contains(number)).collect();
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
    /// Maximum number of shards.
    pub const MAX_COUNT: u32 = 100_000;

    /// Returns shard number `index`, from 0, of `count` shards. Returns `None` if `index` is too large, or `count`
    /// exceeds [`MAX_COUNT`](Self::MAX_COUNT).
    pub fn new(index: u32, count: u32) -> Option<Self> {
        (index < count && count <= Self::MAX_COUNT).then_some(Self { index, count })
    }

    /// Returns the number of the shard, from 0.
    pub fn index(self) -> u32 {
        self.index
    }

    /// Returns the number of shards.
    pub fn count(self) -> u32 {
        self.count
    }

    /// Returns whether the shard contains part `number`. Parts are assigned to shards round-robin.
    pub fn contains(self, number: u64) -> bool {
        number % u64::from(self.count) == u64::from(self.index)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

/// The text is not a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a shard is I/N: its number from 0, and the number of shards, as in 0/4, 1/4, 2/4 and 3/4; N is at most {}",
    Shard::MAX_COUNT
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

/// A file in which a search is saved: every 30 seconds, after each iteration, and when a limit ends it. A search that
/// finds the file resumes from it, and in the end has the same counts of complete iterations as an uninterrupted
/// search (or as a search in the other direction, if it was suspended while probing both). The caller removes the
/// file when the board is solved.
///
/// See [`Solver::is_suspendable`](crate::Solver::is_suspendable) for the searches that support it.
#[cfg(feature = "cache")]
#[derive(Clone, Debug)]
pub struct Checkpoint {
    path: PathBuf,
    /// The text, if it is not in a file.
    text: Option<Arc<Mutex<String>>>,
    every: Duration,
}

#[cfg(feature = "cache")]
impl Checkpoint {
    /// Returns a checkpoint at `path`. The file need not exist.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), text: None, every: Progress::DEFAULT_SAVE_INTERVAL }
    }

    /// Returns a checkpoint with this text, which is kept in memory. An empty text starts a new search.
    pub fn in_memory(text: String) -> Self {
        Self { text: Some(Arc::new(Mutex::new(text))), ..Self::new("a checkpoint in memory") }
    }

    /// Returns the text; `None` if there is no file, or if it cannot be read.
    pub fn text(&self) -> Option<String> {
        self.read().ok().flatten()
    }

    /// Replaces the text.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written; the old one is then unchanged.
    pub fn replace(&self, text: &str) -> io::Result<()> {
        if let Some(own) = &self.text {
            text.clone_into(&mut lock(own));
            return Ok(());
        }
        let mut new = OsString::from(&self.path);
        new.push(".new");
        let mut file = File::create(&new)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, &self.path)
    }

    /// Returns the text; `None` if there is no file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or is too long.
    pub(crate) fn read(&self) -> io::Result<Option<String>> {
        if let Some(text) = &self.text {
            return Ok(Some(lock(text).clone()).filter(|text| !text.is_empty()));
        }
        match fs::metadata(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
            Ok(file) if !file.is_file() || file.len() > MAX_BYTES => {
                Err(io::Error::other("this is not a checkpoint"))
            }
            Ok(_) => Ok(Some(String::from_utf8_lossy(&fs::read(&self.path)?).into_owned())),
        }
    }

    /// Sets the maximum interval between two writes of the file, 30 seconds by default.
    #[must_use]
    pub fn every(self, every: Duration) -> Self {
        Self { every, ..self }
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes the file, if it exists.
    ///
    /// # Errors
    /// Returns an error if the file cannot be removed.
    pub fn remove(&self) -> io::Result<()> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Returns the maximum interval between two writes.
    pub(crate) fn interval(&self) -> Duration {
        self.every
    }
}

/// A part of a search that is suspended in a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Round {
    /// Complete iterations, until they have taken this many expansions with the tables of the board.
    Until(u64),
    /// The top of the next iteration, down to the first level with at least this many nodes.
    Divide(usize),
    /// The subtrees of the current iteration that are pending.
    Finish,
}

impl Round {
    /// Returns the number of expansions of complete iterations after which none is started.
    pub(crate) fn expansions(self) -> Option<u64> {
        match self {
            Self::Until(expanded) => Some(expanded),
            Self::Divide(_) => None,
            Self::Finish => Some(0),
        }
    }

    /// Returns the minimum number of subtrees into which the next iteration is divided.
    pub(crate) fn division(self) -> Option<usize> {
        match self {
            Self::Divide(nodes) => Some(nodes),
            Self::Until(_) | Self::Finish => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prune_round_trips_as_text() {
        let words = |words| Prune::Automaton { words };
        for prune in [Prune::Undo, words(None), words(Some(2)), words(Some(31))] {
            assert_eq!(prune.to_string().parse(), Ok(prune));
        }
        for text in ["", "none", "undo=3", "automaton=", "automaton=1", "automaton=32", "automata"]
        {
            let refused = text.parse::<Prune>().unwrap_err();
            assert!(refused.to_string().starts_with(&format!("`{text}` is not")), "{text}");
        }
    }
}
