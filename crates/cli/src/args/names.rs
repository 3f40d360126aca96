//! Names of choices, with aliases and tolerant spelling.

use std::convert::Infallible;
use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Command, Error};
use loyd::goal::GOALS;
use loyd::moves::Metric;
use loyd::search::{Prune, PruneError, Quality, QualityError, TableChoice};
use loyd::tables::pdb::NAMED_PARTITIONS;

/// Pairs of an alias, as in textbooks or other programs, and the name that it stands for.
type Aliases = &'static [(&'static str, &'static str)];

/// Aliases of algorithms.
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

/// Aliases of heuristics.
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

/// Aliases of metrics.
const METRIC_ALIASES: Aliases = &[
    ("single", "stm"),
    ("singletile", "stm"),
    ("tiles", "stm"),
    ("multi", "mtm"),
    ("multitile", "mtm"),
    ("slides", "mtm"),
];

/// Aliases of goals.
const GOAL_ALIASES: Aliases = &[
    ("standard", "blank-last"),
    ("korf", "blank-first"),
    ("column", "columns"),
    ("boustrophedon", "snake"),
    ("snail", "spiral"),
];

/// Parser for a set of names and their aliases, which ignores case and separators.
#[derive(Clone)]
pub struct Names {
    names: Vec<&'static str>,
    aliases: Aliases,
    plain: PossibleValuesParser,
}

impl Names {
    /// Returns the parser for `names` and `aliases`.
    pub fn new(names: impl IntoIterator<Item = &'static str>, aliases: Aliases) -> Self {
        let names: Vec<_> = names.into_iter().collect();
        Self { plain: PossibleValuesParser::new(names.clone()), names, aliases }
    }

    /// Returns the name that `text` spells, directly or as an alias.
    pub fn resolve(&self, text: &str) -> Option<&'static str> {
        let letters_of_text = letters(text);
        let alias = self.aliases.iter().find(|(alias, _)| *alias == letters_of_text);
        let same = self.names.iter().copied().find(|name| letters(name) == letters_of_text);
        same.or(alias.map(|(_, name)| *name)).filter(|_| !letters_of_text.is_empty())
    }

    /// Returns the nearest name as a suggestion, if the edit distance is at most 1 + a quarter of the length.
    pub fn suggestion(&self, text: &str) -> Option<&'static str> {
        let letters_of_text = letters(text);
        let nearest = self
            .names
            .iter()
            .map(|name| (distance(&letters(name), &letters_of_text), *name))
            .min()?;
        (nearest.0 <= 1 + letters_of_text.len() / 4).then_some(nearest.1)
    }
}

/// Parses a goal: the name of one, or the unchanged text of a board.
#[expect(clippy::unnecessary_wraps, reason = "clap expects a fallible parser")]
pub fn goal(text: &str) -> Result<String, Infallible> {
    Ok(resolve_goal_name(text).to_owned())
}

/// Returns the name of the goal that `text` spells, or `text` unchanged.
pub fn resolve_goal_name(text: &str) -> &str {
    goals().resolve(text).unwrap_or(text)
}

/// Returns the name of a goal to suggest for a text that is not a goal.
pub fn suggested_goal(text: &str) -> Option<&'static str> {
    goals().suggestion(text)
}

fn goals() -> Names {
    Names::new(GOALS.iter().map(|row| row.name), GOAL_ALIASES)
}

/// Parses a quality.
pub fn quality(text: &str) -> Result<Quality, String> {
    let small = text.trim().to_ascii_lowercase();
    small.parse().map_err(|error: QualityError| {
        let names = Names::new(["auto", "optimal", "bounded", "fast"], &[]);
        let name = small.split('=').next().unwrap_or_default();
        match names.suggestion(name).filter(|near| *near != name) {
            Some(name) => format!("{error}; did you mean {name}?"),
            None => error.to_string(),
        }
    })
}

/// Parses the pruning method of `--prune`.
pub fn prune(text: &str) -> Result<Prune, String> {
    let small = text.trim().to_ascii_lowercase();
    small.parse().map_err(|error: PruneError| {
        let names = Names::new(["undo", "automaton"], &[]);
        let name = small.split('=').next().unwrap_or_default();
        match names.suggestion(name).filter(|near| *near != name) {
            Some(name) => format!("{error}; did you mean {name}?"),
            None => error.to_string(),
        }
    })
}

/// Parses the value of `--tables`: a word, or a partition, which has digits.
pub fn tables(text: &str) -> Result<TableChoice, String> {
    let has_digits = |text: &str| text.bytes().any(|byte| byte.is_ascii_digit());
    let words = NAMED_PARTITIONS.iter().map(|row| row.name).filter(|name| !has_digits(name));
    let names = Names::new(["default", "auto"].into_iter().chain(words), &[]);
    let meant = names.resolve(text);
    match (meant.unwrap_or(text).parse(), names.suggestion(text)) {
        (Ok(TableChoice::Partition(_)), Some(name)) if meant.is_none() && !has_digits(text) => {
            Err(format!("unknown tables; did you mean {name}?"))
        }
        (Ok(choice), _) => Ok(choice),
    }
}

/// Parses the name of a metric.
pub fn metric_parser() -> impl TypedValueParser<Value = Metric> {
    Names::new(Metric::ALL.map(Metric::name), METRIC_ALIASES).try_map(|name| name.parse::<Metric>())
}

/// Returns the letters, in lower case, and digits of `text`; `*` becomes `star`, unless it is the whole text.
fn letters(text: &str) -> String {
    let text = text.trim().to_ascii_lowercase();
    let star = if text.len() > 1 { "star" } else { "" };
    text.replace('*', star).chars().filter(|letter| letter.is_ascii_alphanumeric()).collect()
}

/// Returns the edit distance: the number of letters to change, add or remove.
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
        let meant = value.to_str().and_then(|text| self.resolve(text));
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
    fn names_ignore_case_and_separators() {
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
            assert_eq!(names.resolve(text), Some(name), "{text}");
        }
        assert_eq!([names.resolve("*"), names.resolve(""), names.resolve("q")], [None; 3]);
        assert_eq!(names.suggestion("asta"), Some("astar"));
        let names = Names::new(HEURISTICS.iter().map(|row| row.name), HEURISTIC_ALIASES);
        assert_eq!(names.resolve("Hamming"), Some("misplaced"));
        assert_eq!(names.resolve("MD"), Some("manhattan"));
        assert_eq!(names.resolve("Linear Conflict"), Some("linear-conflict"));
        assert_eq!(
            (names.suggestion("manhatan"), names.suggestion("sideways")),
            (Some("manhattan"), None)
        );
    }

    #[test]
    fn goals_qualities_and_tables_ignore_case() {
        let named = ["Blank-First", "blank first", "BLANK_FIRST", "Korf"].map(goal);
        assert_eq!(named, [(); 4].map(|()| Ok("blank-first".to_owned())));
        assert_eq!(goal("1 2 3 x"), Ok("1 2 3 x".to_owned()));
        assert_eq!((suggested_goal("spirall"), suggested_goal("1 2 3 x")), (Some("spiral"), None));
        assert_eq!(quality("FAST"), Ok(Quality::Fast));
        assert_eq!(quality("Bounded=1.5").map(|quality| quality.name()), Ok("bounded"));
        assert!(quality("optmal").unwrap_err().ends_with("did you mean optimal?"));
        assert!(quality("bound=1.5").unwrap_err().ends_with("did you mean bounded?"));
        assert!(!quality("7").unwrap_err().contains("did you mean"));
        assert!(!quality("bounded=0.5").unwrap_err().contains("did you mean"));
        let words = Some(14);
        assert_eq!(prune("Automaton=14"), Ok(Prune::Automaton { words }));
        assert!(prune("automat").unwrap_err().ends_with("did you mean automaton?"));
        assert!(!prune("automaton=1").unwrap_err().contains("did you mean"));
        assert_eq!(
            [tables("Auto"), tables("DEFAULT")],
            [Ok(TableChoice::Auto), Ok(TableChoice::Default)]
        );
        assert_eq!(tables("7-8"), Ok(TableChoice::Partition("7-8".to_owned())));
        assert_eq!(tables("Catalogue"), Ok(TableChoice::Partition("catalogue".to_owned())));
        assert!(tables("catalog").unwrap_err().ends_with("did you mean catalogue?"));
        assert!(tables("auot").unwrap_err().ends_with("did you mean auto?"));
    }

    #[test]
    fn aliases_refer_to_existing_names() {
        let algorithm = |name: &str| ALGORITHMS.iter().any(|row| row.name == name);
        assert!(ALGORITHM_ALIASES.iter().all(|(_, name)| algorithm(name)));
        let metric = |name: &str| Metric::ALL.iter().any(|metric| metric.name() == name);
        assert!(METRIC_ALIASES.iter().all(|(_, name)| metric(name)));
        assert!(GOAL_ALIASES.iter().all(|(_, name)| GOALS.iter().any(|row| row.name == *name)));
        let heuristic = |name: &str| HEURISTICS.iter().any(|row| row.name == name);
        assert!(HEURISTIC_ALIASES.iter().all(|(_, name)| heuristic(name)));
    }
}
