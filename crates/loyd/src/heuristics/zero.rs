//! `zero`.

use super::any::AnyHeuristic;
use super::row::HeuristicRow;

pub(crate) static ZERO: HeuristicRow = HeuristicRow {
    name: "zero",
    summary: "knows nothing; A* becomes uniform-cost search",
    slides: true,
    partial_goals: true,
    source: "Dijkstra 1959",
    make: |_, _, _, _| Ok(AnyHeuristic::ZERO),
    ..HeuristicRow::PLAIN
};
