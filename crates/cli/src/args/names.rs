//! Names as people write them.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Command, Error};

/// Other names: as a textbook or another program has them.
type Aliases = &'static [(&'static str, &'static str)];

/// Other names of algorithms.
pub const ALGORITHM_ALIASES: Aliases = &[
    ("a", "astar"),
    ("ida", "idastar"),
    ("wa", "wastar"),
    ("wastar", "wastar"),
    ("weightedastar", "wastar"),
    ("breadthfirst", "bfs"),
    ("bidirectional", "bibfs"),
    ("bidirectionalbfs", "bibfs"),
    ("dbfs", "bibfs"),
    ("depthfirst", "dfs"),
    ("ids", "iddfs"),
    ("iterativedeepening", "iddfs"),
    ("dijkstra", "ucs"),
    ("uniformcost", "ucs"),
    ("gbfs", "greedy"),
    ("bestfirst", "greedy"),
    ("meetinthemiddle", "mm"),
];

/// Other names of heuristics.
pub const HEURISTIC_ALIASES: Aliases = &[
    ("hamming", "misplaced"),
    ("misplacedtiles", "misplaced"),
    ("md", "manhattan"),
    ("manhattandistance", "manhattan"),
    ("taxicab", "manhattan"),
    ("lc", "linear-conflict"),
    ("linearconflicts", "linear-conflict"),
    ("manhattanlinearconflict", "linear-conflict"),
    ("wd", "walking-distance"),
    ("invertdistance", "inversion-distance"),
    ("patterndatabase", "pdb"),
    ("none", "zero"),
    ("blind", "zero"),
];

/// Reads one of some names, in capitals and with other separators too, or another name for it.
#[derive(Clone)]
pub struct Names {
    names: Vec<&'static str>,
    aliases: Aliases,
    plain: PossibleValuesParser,
}

impl Names {
    /// The parser of these names.
    pub fn new(names: impl IntoIterator<Item = &'static str>, aliases: Aliases) -> Self {
        let names: Vec<_> = names.into_iter().collect();
        Self { plain: PossibleValuesParser::new(names.clone()), names, aliases }
    }

    /// The name that is meant.
    pub fn meant(&self, text: &str) -> Option<&'static str> {
        let said = letters(text);
        let alias = self.aliases.iter().find(|(alias, _)| *alias == said);
        let same = self.names.iter().copied().find(|name| letters(name) == said);
        same.or(alias.map(|(_, name)| *name)).filter(|_| !said.is_empty())
    }

    /// A name that is so near that it may be meant.
    pub fn near(&self, text: &str) -> Option<&'static str> {
        let said = letters(text);
        let nearest =
            self.names.iter().map(|name| (distance(&letters(name), &said), *name)).min()?;
        (nearest.0 <= 1 + said.len() / 4).then_some(nearest.1)
    }
}

/// Small letters and digits alone; a star is a word.
fn letters(text: &str) -> String {
    let text = text.trim().to_ascii_lowercase();
    let star = if text.len() > 1 { "star" } else { "" };
    text.replace('*', star).chars().filter(|letter| letter.is_ascii_alphanumeric()).collect()
}

/// How many letters have to be changed, added or left out.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (index, letter) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], index + 1);
        for (column, other) in b.iter().enumerate() {
            let changed = diagonal + usize::from(letter != *other);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[b.len()]
}

impl TypedValueParser for Names {
    type Value = String;

    fn parse_ref(&self, cmd: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        let meant = value.to_str().and_then(|text| self.meant(text));
        self.plain.parse_ref(cmd, arg, meant.map_or(value, OsStr::new))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        self.plain.possible_values()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loyd::search::{ALGORITHMS, HEURISTICS};

    #[test]
    fn names_are_read_as_people_write_them() {
        let names = Names::new(ALGORITHMS.iter().map(|row| row.name), ALGORITHM_ALIASES);
        for (text, name) in [
            ("A*", "astar"),
            ("IDA*", "idastar"),
            ("ida-star", "idastar"),
            ("WA*", "wastar"),
            ("BFS", "bfs"),
            ("dbfs", "bibfs"),
            ("Dijkstra", "ucs"),
        ] {
            assert_eq!(names.meant(text), Some(name), "{text}");
        }
        assert_eq!([names.meant("*"), names.meant(""), names.meant("q")], [None; 3]);
        assert_eq!(names.near("asta"), Some("astar"));
        let names = Names::new(HEURISTICS.iter().map(|row| row.name), HEURISTIC_ALIASES);
        assert_eq!(names.meant("Hamming"), Some("misplaced"));
        assert_eq!(names.meant("MD"), Some("manhattan"));
        assert_eq!(names.meant("Linear Conflict"), Some("linear-conflict"));
        assert_eq!((names.near("manhatan"), names.near("sideways")), (Some("manhattan"), None));
    }

    #[test]
    fn other_names_are_of_names_that_exist() {
        let algorithm = |name: &str| ALGORITHMS.iter().any(|row| row.name == name);
        assert!(ALGORITHM_ALIASES.iter().all(|(_, name)| algorithm(name)));
        let heuristic = |name: &str| HEURISTICS.iter().any(|row| row.name == name);
        assert!(HEURISTIC_ALIASES.iter().all(|(_, name)| heuristic(name)));
    }
}
