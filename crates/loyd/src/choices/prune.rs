//! Which moves a depth-first search leaves out.

use std::fmt;
use std::str::FromStr;

use loyd_heuristics::AutomatonKey;
use loyd_tiles::{Metric, Size};

/// Which moves a depth-first search leaves out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Prune {
    /// Those that take the last one back; where slides count, those along the line of the last one.
    #[default]
    Undo,
    /// Also those that end a word of moves with the same effect as a shorter word, or as one that comes before it: an
    /// [`Automaton`](crate::engine::Automaton) knows such words. The search meets fewer nodes, and finds a solution of the same
    /// length, but not all of that length.
    Automaton {
        /// The most moves in a word; by default as many as take a fraction of a second to find.
        words: Option<u32>,
    },
}

impl Prune {
    /// Words of more moves are not looked for.
    const LONGEST: u32 = 31;

    /// The most moves in a word of an automaton that is asked for without a number: as many as are found in some tenths of a
    /// second. A move more takes up to ten times as long, and as much more memory.
    pub fn default_words(size: Size, metric: Metric) -> u32 {
        AutomatonKey::quick_words(size, metric)
    }

    /// `undo` or `automaton`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Undo => "undo",
            Self::Automaton { .. } => "automaton",
        }
    }
}

/// `undo`, `automaton` or `automaton=16`.
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

/// Not a way to prune.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a way to prune: undo, automaton, and automaton=WORDS with words of 2 to 31 moves, as in automaton=14, are allowed"
)]
pub struct PruneError(String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
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
