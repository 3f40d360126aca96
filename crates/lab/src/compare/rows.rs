//! Search configurations, the rows of a comparison: single ones, combinations of options, and named presets.

use loyd::moves::Metric;
use loyd::search::{Algorithm, ClosedKind, Guarantee, HeuristicRow, Prune, Weight};
use loyd::study::{REALMS, Realm};
use loyd::{Config, Error};

/// A search configuration: an algorithm and its options. An option that is `None` is chosen by the solver or does not
/// apply to the algorithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Name of the algorithm.
    pub algorithm: &'static str,
    /// Name of the heuristic.
    pub heuristic: Option<&'static str>,
    /// Closed list.
    pub closed: Option<ClosedKind>,
    /// Weight of weighted A*.
    pub weight: Option<Weight>,
    /// Pruning of a depth-first search.
    pub prune: Option<Prune>,
}

impl Row {
    /// Creates a row from an algorithm and a heuristic, with defaults for everything else.
    ///
    /// # Errors
    /// Returns an error if the algorithm or heuristic is unknown, or if the algorithm uses no heuristic.
    pub fn of(algorithm: &str, heuristic: Option<&str>) -> Result<Self, Error> {
        let algorithm = Algorithm::named(algorithm)?.name;
        let heuristic = heuristic.map(HeuristicRow::named).transpose()?.map(|row| row.name);
        let row = Self { algorithm, heuristic, closed: None, weight: None, prune: None };
        loyd::Solver::new(row.config(&Config::default()))?;
        Ok(row)
    }

    /// Returns the name: `astar/manhattan/hashed`, `wastar/manhattan/w2`, `idastar/pdb/automaton=12`, `bfs`.
    pub fn name(&self) -> String {
        let heuristic = self.heuristic.map(str::to_owned);
        let closed = self.closed.map(|closed| closed.name().to_owned());
        let weight = self.weight.map(|weight| format!("w{}", weight.as_f64()));
        let prune = self.prune.map(|prune| prune.to_string());
        let parts = [heuristic, closed, weight, prune].into_iter().flatten();
        [self.algorithm.to_owned()].into_iter().chain(parts).collect::<Vec<_>>().join("/")
    }

    /// Returns the row as a configuration for one thread, with the metric, limits, table store and clock of `config`.
    pub fn config(&self, config: &Config) -> Config {
        Config {
            algorithm: Some(self.algorithm),
            heuristic: self.heuristic.map(Into::into),
            closed: self.closed,
            weight: self.weight,
            prune: self.prune,
            quality: None,
            threads: 1,
            ..config.clone()
        }
    }
}

/// Options whose combinations are the rows of a comparison. An empty list leaves the choice to the solver.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choices {
    /// Names of algorithms.
    pub algorithms: Vec<&'static str>,
    /// Names of heuristics, for algorithms that use one.
    pub heuristics: Vec<&'static str>,
    /// Closed lists, for algorithms that have one.
    pub closed: Vec<ClosedKind>,
    /// Weights, for weighted A*.
    pub weights: Vec<Weight>,
    /// Prunings, for depth-first algorithms.
    pub prune: Vec<Prune>,
}

impl Choices {
    /// Returns all distinct combinations. Options that an algorithm does not use do not multiply its rows.
    ///
    /// # Errors
    /// Returns an error if an algorithm is unknown.
    pub fn rows(&self, metric: Metric) -> Result<Vec<Row>, Error> {
        let default = match metric {
            Metric::SingleTile => "manhattan",
            Metric::MultiTile => "line-crossings",
        };
        let heuristics = if self.heuristics.is_empty() { &[default][..] } else { &self.heuristics };
        let mut rows = Vec::new();
        for name in &self.algorithms {
            let algorithm = Algorithm::named(name)?;
            for heuristic in one_or_each(algorithm.uses_heuristic, heuristics) {
                for closed in one_or_each(algorithm.uses_closed, &self.closed) {
                    let is_weighted = algorithm.guarantee == Guarantee::WithinWeight;
                    for weight in one_or_each(is_weighted, &self.weights) {
                        for prune in one_or_each(algorithm.is_depth_first, &self.prune) {
                            let algorithm = algorithm.name;
                            let row = Row { algorithm, heuristic, closed, weight, prune };
                            // Names may be given twice, but runs are identified by row names, which must be unique.
                            if !rows.contains(&row) {
                                rows.push(row);
                            }
                        }
                    }
                }
            }
        }
        Ok(rows)
    }
}

/// Returns each of the choices, or only `None` if there is no choice to make.
fn one_or_each<T: Copy>(chooses: bool, choices: &[T]) -> Vec<Option<T>> {
    match choices {
        [_, ..] if chooses => choices.iter().copied().map(Some).collect(),
        _ => vec![None],
    }
}

/// A named set of rows, chosen for 3x3 boards; rows that do not support another size are refused there.
#[derive(Debug)]
pub struct Preset {
    /// Name of the preset.
    pub name: &'static str,
    /// One-line description.
    pub summary: &'static str,
    rows: fn(Metric) -> Result<Vec<Row>, Error>,
}

/// All presets.
pub static PRESETS: [Preset; 6] = [
    Preset { name: "realms", summary: "the eight classic programs of `loyd realms`", rows: realms },
    Preset {
        name: "classics",
        summary: "the textbook's algorithms, with Manhattan distance where they use one",
        rows: classics,
    },
    Preset {
        name: "weights",
        summary: "weighted A* with weights from 1 to 10: faster searches against longer solutions",
        rows: weights,
    },
    Preset {
        name: "heuristics",
        summary: "A* and IDA* with every heuristic from a formula",
        rows: heuristics,
    },
    Preset {
        name: "duplicates",
        summary: "breadth-first search and A* with each closed list, and IDA*, which has none",
        rows: duplicates,
    },
    Preset {
        name: "bidirectional",
        summary: "bidirectional searches and their unidirectional counterparts",
        rows: bidirectional,
    },
];

impl Preset {
    /// Returns the preset with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.name == name)
    }

    /// Returns the rows of the preset.
    ///
    /// # Errors
    /// Returns an error if a row does not support the metric.
    pub fn rows(&self, metric: Metric) -> Result<Vec<Row>, Error> {
        (self.rows)(metric)
    }
}

fn realms(_: Metric) -> Result<Vec<Row>, Error> {
    let row = |realm: &Realm| {
        let row = Row::of(realm.algorithm, realm.heuristic)?;
        Ok(Row { closed: realm.closed, ..row })
    };
    REALMS.iter().map(row).collect()
}

fn classics(metric: Metric) -> Result<Vec<Row>, Error> {
    let algorithms =
        vec!["bfs", "bibfs", "iddfs", "ucs", "greedy", "astar", "wastar", "idastar", "mm", "table"];
    Choices { algorithms, ..Choices::default() }.rows(metric)
}

fn weights(metric: Metric) -> Result<Vec<Row>, Error> {
    let weights = (1..=10).filter_map(|weight: u8| weight.to_string().parse::<Weight>().ok());
    let weights = weights.collect();
    Choices { algorithms: vec!["wastar"], weights, ..Choices::default() }.rows(metric)
}

fn heuristics(metric: Metric) -> Result<Vec<Row>, Error> {
    let heuristics = match metric {
        Metric::SingleTile => vec![
            "zero",
            "misplaced",
            "gaschnig",
            "manhattan",
            "inversion-distance",
            "linear-conflict",
            "walking-distance",
        ],
        Metric::MultiTile => vec!["zero", "line-crossings", "pdb-max"],
    };
    Choices { algorithms: vec!["astar", "idastar"], heuristics, ..Choices::default() }.rows(metric)
}

fn duplicates(metric: Metric) -> Result<Vec<Row>, Error> {
    let closed = ClosedKind::ALL.to_vec();
    let algorithms = vec!["bfs", "astar", "idastar"];
    Choices { algorithms, closed, ..Choices::default() }.rows(metric)
}

fn bidirectional(metric: Metric) -> Result<Vec<Row>, Error> {
    let algorithms = vec!["bfs", "bibfs", "astar", "mm"];
    Choices { algorithms, ..Choices::default() }.rows(metric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_are_distinct() {
        let choices = Choices {
            algorithms: vec!["bfs", "astar", "idastar", "wastar", "table", "bfs"],
            heuristics: vec!["misplaced", "manhattan", "misplaced"],
            closed: vec![ClosedKind::Hashed],
            weights: vec!["1.5".parse().unwrap(), "3".parse().unwrap()],
            prune: vec![Prune::Undo, "automaton=8".parse().unwrap()],
        };
        let names: Vec<_> =
            choices.rows(Metric::SingleTile).unwrap().iter().map(Row::name).collect();
        assert_eq!(
            names,
            [
                "bfs/hashed",
                "astar/misplaced/hashed",
                "astar/manhattan/hashed",
                "idastar/misplaced/undo",
                "idastar/misplaced/automaton=8",
                "idastar/manhattan/undo",
                "idastar/manhattan/automaton=8",
                "wastar/misplaced/hashed/w1.5",
                "wastar/misplaced/hashed/w3",
                "wastar/manhattan/hashed/w1.5",
                "wastar/manhattan/hashed/w3",
                "table",
            ]
        );
    }

    #[test]
    fn presets_have_rows_in_both_metrics() {
        for preset in &PRESETS {
            for metric in [Metric::SingleTile, Metric::MultiTile] {
                let rows = preset.rows(metric).unwrap();
                assert!(rows.len() > 3, "{} {metric}", preset.name);
            }
        }
        let names: Vec<_> = realms(Metric::SingleTile).unwrap().iter().map(Row::name).collect();
        assert_eq!(
            names,
            [
                "bfs/ordered",
                "bfs/hashed",
                "bfs/ranked",
                "bibfs/ranked",
                "astar/misplaced/ordered",
                "astar/manhattan/hashed",
                "astar/manhattan/ranked",
                "idastar/manhattan"
            ]
        );
    }
}
