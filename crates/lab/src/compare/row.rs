//! A way to search.

use loyd::moves::Metric;
use loyd::search::{Algorithm, Closed, Guarantee, HeuristicRow, Prune, Weight};
use loyd::{Config, Error};

/// A way to search: an algorithm, and what it searches with. What is `None` is as the solver chooses it, or nothing that
/// the algorithm has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// The name of the algorithm.
    pub algorithm: &'static str,
    /// The name of the heuristic.
    pub heuristic: Option<&'static str>,
    /// The closed list.
    pub closed: Option<Closed>,
    /// The weight of weighted A*.
    pub weight: Option<Weight>,
    /// What a depth-first search leaves out.
    pub prune: Option<Prune>,
}

impl Row {
    /// An algorithm with a heuristic, and otherwise with what it takes by default.
    ///
    /// # Errors
    /// When there is no such algorithm or heuristic, and when the algorithm uses none.
    pub fn of(algorithm: &str, heuristic: Option<&str>) -> Result<Self, Error> {
        let algorithm = Algorithm::named(algorithm)?.name;
        let heuristic = heuristic.map(HeuristicRow::named).transpose()?.map(|row| row.name);
        let row = Self { algorithm, heuristic, closed: None, weight: None, prune: None };
        loyd::Solver::new(row.config(&Config::default()))?;
        Ok(row)
    }

    /// The name: `astar/manhattan/hashed`, `wastar/manhattan/w2`, `idastar/pdb/automaton=12`, `bfs`.
    pub fn name(&self) -> String {
        let heuristic = self.heuristic.map(str::to_owned);
        let closed = self.closed.map(|closed| closed.name().to_owned());
        let weight = self.weight.map(|weight| format!("w{}", weight.as_f64()));
        let prune = self.prune.map(|prune| prune.to_string());
        let parts = [heuristic, closed, weight, prune].into_iter().flatten();
        [self.algorithm.to_owned()].into_iter().chain(parts).collect::<Vec<_>>().join("/")
    }

    /// The row as a configuration, with metric, limits, tables' places and clock of `config`, and one thread.
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

/// Choices of which every combination is a row. Where a list is empty, the choice is left to the solver.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choices {
    /// The names of algorithms.
    pub algorithms: Vec<&'static str>,
    /// The names of heuristics, for the algorithms that use one.
    pub heuristics: Vec<&'static str>,
    /// Closed lists, for the algorithms that keep one.
    pub closed: Vec<Closed>,
    /// Weights, for weighted A*.
    pub weights: Vec<Weight>,
    /// What is left out, for the algorithms that are depth-first.
    pub prune: Vec<Prune>,
}

impl Choices {
    /// All combinations, each once: an algorithm without a heuristic has no row for each heuristic.
    ///
    /// # Errors
    /// When there is no algorithm of a name.
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
                            // Names may be given twice; runs are told apart by the names of rows.
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

/// Each of the choices if there is something to choose, else `None`.
fn one_or_each<T: Copy>(chooses: bool, choices: &[T]) -> Vec<Option<T>> {
    match choices {
        [_, ..] if chooses => choices.iter().copied().map(Some).collect(),
        _ => vec![None],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_is_a_row_once() {
        let choices = Choices {
            algorithms: vec!["bfs", "astar", "idastar", "wastar", "table", "bfs"],
            heuristics: vec!["misplaced", "manhattan", "misplaced"],
            closed: vec![Closed::Hashed],
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
}
