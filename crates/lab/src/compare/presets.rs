//! Comparisons that have names.

use loyd::Error;
use loyd::moves::Metric;
use loyd::search::{Closed, Weight};
use loyd::study::{REALMS, Realm};

use super::row::{Choices, Row};

/// Rows that have a name, for 3x3 boards, and for others as far as they work there.
#[derive(Debug)]
pub struct Preset {
    /// The name.
    pub name: &'static str,
    /// What it compares, in a line.
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
        summary: "weighted A* with weights from 1 to 10: what shorter searches cost in moves",
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
        summary: "searches from both ends, and their counterparts from one",
        rows: bidirectional,
    },
];

impl Preset {
    /// The preset of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.name == name)
    }

    /// Its rows.
    ///
    /// # Errors
    /// When one of them has no place in the metric.
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
    let closed = Closed::ALL.to_vec();
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
