//! The rows of the test matrix: every algorithm with every heuristic and every kind of duplicate
//! detection that it takes.

use std::fmt;

use loyd::Config;
use loyd::search::{
    ALGORITHMS, Algorithm, Closed, Guarantee, HEURISTICS, HeuristicChoice, HeuristicRow,
};

/// One way to solve a board.
#[derive(Clone, Copy)]
pub struct Row {
    pub algorithm: &'static Algorithm,
    pub heuristic: Option<&'static HeuristicRow>,
    pub closed: Option<Closed>,
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

    /// Whether its answers have to be shortest ones.
    pub fn promises_shortest(&self) -> bool {
        match self.algorithm.guarantee {
            Guarantee::Optimal => true,
            Guarantee::OptimalIfAdmissible => self.heuristic.is_some_and(|row| row.admissible),
            Guarantee::WithinWeight | Guarantee::Nothing => false,
        }
    }
}

/// `astar manhattan ranked`, as one would say it.
impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.algorithm.name)?;
        let heuristic = self.heuristic.map(|row| row.name);
        for word in heuristic.into_iter().chain(self.closed.map(Closed::name)) {
            write!(f, " {word}")?;
        }
        Ok(())
    }
}

/// The heuristics that are offered for single tiles. The others are for larger boards and have tests of
/// their own.
fn steps() -> impl Iterator<Item = &'static HeuristicRow> {
    HEURISTICS.iter().copied().filter(|row| row.steps)
}

/// All rows, in the order of the registries.
pub fn rows() -> Vec<Row> {
    let with_heuristics = |algorithm: &'static Algorithm| match algorithm.uses_heuristic {
        true => steps().map(|row| (algorithm, Some(row))).collect(),
        false => vec![(algorithm, None)],
    };
    let with_closed = |(algorithm, heuristic): (&'static Algorithm, _)| {
        let kinds = match algorithm.uses_closed {
            true => Closed::ALL.map(Some).to_vec(),
            false => vec![None],
        };
        kinds.into_iter().map(move |closed| Row { algorithm, heuristic, closed })
    };
    ALGORITHMS.iter().copied().flat_map(with_heuristics).flat_map(with_closed).collect()
}
