//! Names as people write them.

use std::convert::Infallible;
use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Command, Error};
use loyd::goal::GOALS;
use loyd::moves::Metric;
use loyd::search::{Prune, PruneError, Quality, QualityError, TableChoice};
use loyd::tables::pdb::NAMED_PARTITIONS;

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

/// Other names of metrics.
pub const METRIC_ALIASES: Aliases = &[
    ("single", "stm"),
    ("singletile", "stm"),
    ("tiles", "stm"),
    ("multi", "mtm"),
    ("multitile", "mtm"),
    ("slides", "mtm"),
];

/// Other names of goals.
const GOAL_ALIASES: Aliases = &[
    ("standard", "blank-last"),
    ("korf", "blank-first"),
    ("column", "columns"),
    ("boustrophedon", "snake"),
    ("snail", "spiral"),
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

/// Reads a goal: the name that is meant, or a board as it stands.
#[expect(clippy::unnecessary_wraps, reason = "a parser of clap may fail")]
pub fn goal(text: &str) -> Result<String, Infallible> {
    Ok(goal_meant(text).to_owned())
}

/// The name of the goal that is meant, or the text as it stands.
pub fn goal_meant(text: &str) -> &str {
    goals().meant(text).unwrap_or(text)
}

/// The name of a goal that may be meant by what is no goal.
pub fn goal_like(text: &str) -> Option<&'static str> {
    goals().near(text)
}

fn goals() -> Names {
    Names::new(GOALS.iter().map(|row| row.name), GOAL_ALIASES)
}

/// Reads a quality.
pub fn quality(text: &str) -> Result<Quality, String> {
    let small = text.trim().to_ascii_lowercase();
    small.parse().map_err(|error: QualityError| {
        let names = Names::new(["auto", "optimal", "bounded", "fast"], &[]);
        let name = small.split('=').next().unwrap_or_default();
        match names.near(name).filter(|near| *near != name) {
            Some(name) => format!("{error}; did you mean {name}?"),
            None => error.to_string(),
        }
    })
}

/// Reads what a search leaves out.
pub fn prune(text: &str) -> Result<Prune, String> {
    let small = text.trim().to_ascii_lowercase();
    small.parse().map_err(|error: PruneError| {
        let names = Names::new(["undo", "automaton"], &[]);
        let name = small.split('=').next().unwrap_or_default();
        match names.near(name).filter(|near| *near != name) {
            Some(name) => format!("{error}; did you mean {name}?"),
            None => error.to_string(),
        }
    })
}

/// Reads which tables are meant: a word, or a partition, which has digits.
pub fn tables(text: &str) -> Result<TableChoice, String> {
    let has_digits = |text: &str| text.bytes().any(|byte| byte.is_ascii_digit());
    let words = NAMED_PARTITIONS.iter().map(|row| row.name).filter(|name| !has_digits(name));
    let names = Names::new(["default", "auto"].into_iter().chain(words), &[]);
    let meant = names.meant(text);
    match (meant.unwrap_or(text).parse(), names.near(text)) {
        (Ok(TableChoice::Partition(_)), Some(name)) if meant.is_none() && !has_digits(text) => {
            Err(format!("there are no tables of this name; did you mean {name}?"))
        }
        (Ok(choice), _) => Ok(choice),
    }
}

/// Reads the name of a metric.
pub fn metric_parser() -> impl TypedValueParser<Value = Metric> {
    Names::new(Metric::ALL.map(Metric::name), METRIC_ALIASES).try_map(|name| name.parse::<Metric>())
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
    fn goals_qualities_and_tables_are_read_as_people_write_them() {
        let named = ["Blank-First", "blank first", "BLANK_FIRST", "Korf"].map(goal);
        assert_eq!(named, [(); 4].map(|()| Ok("blank-first".to_owned())));
        assert_eq!(goal("1 2 3 x"), Ok("1 2 3 x".to_owned()));
        assert_eq!((goal_like("spirall"), goal_like("1 2 3 x")), (Some("spiral"), None));
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
    fn other_names_are_of_names_that_exist() {
        let algorithm = |name: &str| ALGORITHMS.iter().any(|row| row.name == name);
        assert!(ALGORITHM_ALIASES.iter().all(|(_, name)| algorithm(name)));
        let metric = |name: &str| Metric::ALL.iter().any(|metric| metric.name() == name);
        assert!(METRIC_ALIASES.iter().all(|(_, name)| metric(name)));
        assert!(GOAL_ALIASES.iter().all(|(_, name)| GOALS.iter().any(|row| row.name == *name)));
        let heuristic = |name: &str| HEURISTICS.iter().any(|row| row.name == name);
        assert!(HEURISTIC_ALIASES.iter().all(|(_, name)| heuristic(name)));
    }
}
