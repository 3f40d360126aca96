//! The rows of the test matrix: every algorithm with every heuristic and every closed list that it supports.

use std::fmt;

use loyd::Config;
use loyd::search::{
    ALGORITHMS, Algorithm, ClosedKind, Guarantee, HEURISTICS, HeuristicChoice, HeuristicRow,
};

/// An algorithm with its heuristic and closed list.
#[derive(Clone, Copy)]
pub struct Row {
    pub algorithm: &'static Algorithm,
    pub heuristic: Option<&'static HeuristicRow>,
    pub closed: Option<ClosedKind>,
}

impl Row {
    pub fn config(&self) -> Config {
        Config {
            algorithm: Some(self.algorithm.name),
            heuristic: self.heuristic.map(|row| HeuristicChoice::Named(row.name)),
            closed: self.closed,
            ..Config::default()
        }
    }

    /// Returns whether all solutions must be shortest.
    pub fn promises_shortest(&self) -> bool {
        match self.algorithm.guarantee {
            Guarantee::Optimal => true,
            Guarantee::OptimalIfAdmissible => self.heuristic.is_some_and(|row| row.admissible),
            Guarantee::WithinWeight | Guarantee::Nothing => false,
        }
    }
}

/// Writes the names, as in `astar manhattan ranked`.
impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.algorithm.name)?;
        let heuristic = self.heuristic.map(|row| row.name);
        for word in heuristic.into_iter().chain(self.closed.map(ClosedKind::name)) {
            write!(f, " {word}")?;
        }
        Ok(())
    }
}

/// Returns the heuristics for single-tile moves. Other tests cover the rest, which are for larger boards.
fn steps() -> impl Iterator<Item = &'static HeuristicRow> {
    HEURISTICS.iter().copied().filter(|row| row.steps)
}

/// Returns all rows, in the order of the registries.
pub fn rows() -> Vec<Row> {
    let with_heuristics = |algorithm: &'static Algorithm| match algorithm.uses_heuristic {
        true => steps().map(|row| (algorithm, Some(row))).collect(),
        false => vec![(algorithm, None)],
    };
    let with_closed = |(algorithm, heuristic): (&'static Algorithm, _)| {
        let kinds = match algorithm.uses_closed {
            true => ClosedKind::ALL.map(Some).to_vec(),
            false => vec![None],
        };
        kinds.into_iter().map(move |closed| Row { algorithm, heuristic, closed })
    };
    ALGORITHMS.iter().copied().flat_map(with_heuristics).flat_map(with_closed).collect()
}
