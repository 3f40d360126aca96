//! Why a board can be solved or not, and how far it is from the goal.

use std::collections::BTreeMap;

use loyd::Problem;
use loyd::board::Tile;
use loyd::notation::slashes;
use loyd::study::Explanation;
use serde::Serialize;

/// Why a board can be solved or not, and how far it is from the goal.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExplainAnswer {
    /// The board.
    pub board: String,
    /// The goal.
    pub goal: String,
    /// Whether it can be reached.
    pub solvable: bool,
    /// Pairs of tiles that stand the wrong way round; `null` for partial goals.
    pub inversions: Option<Vec<[u16; 2]>>,
    /// How many rows the blank is from its row in the goal; `null` for partial goals.
    pub blank_rows: Option<usize>,
    /// Two tiles whose exchange would make the board solvable.
    pub mend: Option<[u16; 2]>,
    /// Whether the tiles stand in a line, where their order never changes.
    pub order_fixed: bool,
    /// What each heuristic says of the board.
    pub heuristics: BTreeMap<String, Option<u32>>,
    /// The length of a shortest solution, where it is proved.
    pub distance: Option<usize>,
    /// The length of the best known solution.
    pub best_known: Option<usize>,
    /// No solution is shorter.
    pub lower_bound: Option<usize>,
}

impl ExplainAnswer {
    /// The explanation of `problem`.
    pub fn new(problem: &Problem, explanation: &Explanation) -> Self {
        let pair = |&(a, b): &(Tile, Tile)| [a.number().into(), b.number().into()];
        let solvability = &explanation.solvability;
        // For a partial goal they would describe one of the boards that meet it.
        let whole = problem.partial_goal().is_none().then_some(solvability);
        let estimates = explanation.estimates.iter();
        let bounds = explanation.bounds();
        Self {
            board: slashes(problem.start()).to_string(),
            goal: problem.goal_text(),
            solvable: solvability.is_solvable(),
            inversions: whole.map(|whole| whole.inversions.iter().map(pair).collect()),
            blank_rows: whole.map(|whole| whole.blank_rows),
            mend: whole.and_then(|whole| whole.mend.as_ref()).map(pair),
            order_fixed: solvability.size.is_line(),
            heuristics: estimates
                .map(|row| (row.heuristic.name.to_owned(), row.value.ok().flatten()))
                .collect(),
            distance: explanation.distance(),
            best_known: bounds.map(|bounds| bounds.upper),
            lower_bound: bounds.map(|bounds| bounds.lower),
        }
    }
}
