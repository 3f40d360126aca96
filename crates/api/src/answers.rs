//! Answers: the records of the command line's `--output json`.

use std::collections::BTreeMap;
use std::time::Duration;

use loyd::board::{Board, Tile};
use loyd::notation::{Style, UnwritableMoves, moves_to_string, slashes};
use loyd::search::Stop;
use loyd::study::{Explanation, Hint, OptimizedMoves};
use loyd::{Move, Problem};
use loyd_lab::census::{CensusResult, CensusSpec};
use serde::Serialize;

/// Whether and why a board is solvable, and how far it is from the goal.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExplainAnswer {
    /// The board.
    pub board: String,
    /// The goal.
    pub goal: String,
    /// Whether the board can reach the goal.
    pub solvable: bool,
    /// Named goals that the board can reach, if it cannot reach the requested one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solvable_goals: Option<Vec<&'static str>>,
    /// Pairs of tiles that are in the wrong order; `null` for partial goals.
    pub inversions: Option<Vec<[u16; 2]>>,
    /// Distance in rows between the blank and its row in the goal; `null` for partial goals.
    pub blank_rows: Option<usize>,
    /// Two tiles whose exchange would make the board solvable.
    pub mend: Option<[u16; 2]>,
    /// Whether the board is a single line, on which the order of the tiles never changes.
    pub order_fixed: bool,
    /// Value of each heuristic for the board.
    pub heuristics: BTreeMap<String, Option<u32>>,
    /// Length of a shortest solution, if proved.
    pub distance: Option<usize>,
    /// Length of the best known solution.
    pub best_known: Option<usize>,
    /// Proved lower bound on the length of a solution.
    pub lower_bound: Option<usize>,
}

impl ExplainAnswer {
    /// Converts the `explanation` of `problem`.
    pub fn new(problem: &Problem, explanation: &Explanation) -> Self {
        let pair = |&(a, b): &(Tile, Tile)| [a.number(), b.number()];
        let solvability = &explanation.solvability;
        // For a partial goal these would describe just one of the boards that meet it.
        let whole = problem.partial_goal().is_none().then_some(solvability);
        let estimates = explanation.estimates.iter();
        let bounds = explanation.bounds();
        Self {
            board: slashes(problem.start()).to_string(),
            goal: problem.goal_text(),
            solvable: solvability.is_solvable(),
            solvable_goals: problem.solvable_goals(),
            inversions: whole
                .filter(|whole| whole.size.is_searchable())
                .map(|whole| whole.inversions.iter().map(pair).collect()),
            blank_rows: whole.map(|whole| whole.blank_rows),
            mend: whole.and_then(|whole| whole.repair_swap.as_ref()).map(pair),
            order_fixed: solvability.size.is_line(),
            heuristics: estimates
                .map(|row| (row.heuristic.name.to_owned(), row.value.ok().flatten()))
                .collect(),
            distance: explanation.distance(),
            best_known: bounds.and_then(|bounds| bounds.best_known()),
            lower_bound: bounds.map(|bounds| bounds.lower),
        }
    }
}

/// Best next moves.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HintAnswer {
    /// The board.
    pub board: String,
    /// The goal.
    pub goal: String,
    /// `solved`, `unsolvable`, `exhausted` or `stopped`.
    pub status: &'static str,
    /// Named goals that the board can reach, if it cannot reach the requested one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solvable_goals: Option<Vec<&'static str>>,
    /// `stm` or `mtm`.
    pub metric: &'static str,
    /// Length of the best known solution.
    pub length: Option<usize>,
    /// Whether that solution is proved shortest.
    pub optimal: bool,
    /// Proved lower bound on the length of a solution.
    pub lower_bound: Option<u32>,
    /// First moves of the best known solutions.
    pub best: Vec<String>,
    /// Whether `best` has the first moves of all shortest solutions.
    pub complete: bool,
    /// Limit that was reached before all of them were found.
    pub stopped_by: Option<&'static str>,
    /// Best known solution.
    pub moves: Option<String>,
}

impl HintAnswer {
    /// Converts the `hint` for `problem`.
    pub fn new(problem: &Problem, hint: &Hint) -> Self {
        let report = &hint.report;
        Self {
            board: slashes(problem.start()).to_string(),
            goal: problem.goal_text(),
            status: report.status.name(),
            solvable_goals: report.solvable_goals(),
            metric: report.metric.name(),
            length: report.length(),
            optimal: report.optimal,
            lower_bound: report.lower_bound,
            best: words(&hint.best),
            complete: hint.is_complete(),
            stopped_by: hint.stopped.map(Stop::name),
            moves: report.moves.as_deref().map(moves_to_string),
        }
    }
}

/// A shortened solution.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OptimizeAnswer {
    /// Board on which the moves start.
    pub board: String,
    /// Shortened moves: the directions in which the blank moves.
    pub moves: String,
    /// Notation of `written`.
    pub notation: &'static str,
    /// Shortened moves in this notation.
    pub written: String,
    /// What counts as a move in the following lengths: `stm` or `mtm`.
    pub metric: &'static str,
    /// Length of the shortened moves.
    pub length: usize,
    /// Length of the original moves.
    pub length_before: usize,
    /// Proved lower bound on the number of moves to the same board.
    pub lower_bound: usize,
    /// Whether the shortened moves are proved shortest.
    pub optimal: bool,
    /// Limit that was reached before that was proved.
    pub stopped_by: Option<&'static str>,
}

impl OptimizeAnswer {
    /// Converts the result of shortening moves on `board`, written in `style`.
    ///
    /// # Errors
    /// Fails if the notation cannot express the moves.
    pub fn new(
        board: &Board,
        found: &OptimizedMoves,
        style: Style,
    ) -> Result<Self, UnwritableMoves> {
        Ok(Self {
            board: slashes(board).to_string(),
            moves: moves_to_string(&found.moves),
            notation: style.notation.row().name,
            written: style.write(&found.moves, Some(board))?,
            metric: found.metric.name(),
            length: found.bounds.upper,
            length_before: found.before,
            lower_bound: found.bounds.lower,
            optimal: found.bounds.exact_value().is_some(),
            stopped_by: found.stopped.map(Stop::name),
        })
    }
}

/// A board or moves in another form.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConvertAnswer {
    /// Board or moves in the requested form.
    pub text: String,
    /// Assumptions made in reading the board, or why moves were not read in the default notation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Notation in which the moves were read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_as: Option<&'static str>,
}

/// Boards drawn at random.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Scrambles {
    /// Seed that draws the same boards again.
    pub seed: u64,
    /// The boards.
    pub boards: Vec<ScrambledBoard>,
}

/// A board drawn at random.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScrambledBoard {
    /// The board.
    pub board: String,
    /// The goal.
    pub goal: String,
    /// Seed that draws the same boards again.
    pub seed: u64,
    /// Number of the board, from 1.
    pub number: u64,
    /// Length of a shortest solution, if one was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<u32>,
    /// Whether all boards of that length were equally likely.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uniform: Option<bool>,
    /// Moves from the goal to the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves_from_goal: Option<String>,
}

/// Number of states at each distance from a goal.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CensusAnswer {
    /// Size of the boards.
    pub size: String,
    /// What counts as a move: `stm` or `mtm`.
    pub metric: &'static str,
    /// Goal.
    pub goal: String,
    /// Number of goals with the same answer, including this one.
    pub goals: u64,
    /// Number of states that can reach the goal.
    pub states: u64,
    /// Largest distance.
    pub depth: u32,
    /// Mean distance.
    pub mean: f64,
    /// Number of states at each distance.
    pub levels: Vec<u64>,
    /// Boards at the largest distance.
    pub farthest: Vec<String>,
    /// Memory of the census, in bytes.
    pub bytes: u64,
    /// Time of the census, in nanoseconds.
    pub elapsed_ns: u64,
}

impl CensusAnswer {
    /// Converts the `answer` to `question`.
    pub fn new(
        question: &CensusSpec,
        answer: &CensusResult,
        bytes: u64,
        elapsed: Duration,
    ) -> Self {
        Self {
            size: question.goal().size().to_string(),
            metric: question.metric().name(),
            goal: question.goal().to_string(),
            goals: question.multiplicity(),
            states: answer.state_count(),
            depth: answer.depth(),
            mean: answer.mean(),
            levels: answer.levels.clone(),
            farthest: answer.farthest.iter().map(|board| slashes(board).to_string()).collect(),
            bytes,
            elapsed_ns: elapsed.as_nanos() as u64,
        }
    }
}

/// Writes each element as letters, the directions in which the blank moves.
pub(crate) fn words(all: &[Vec<Move>]) -> Vec<String> {
    all.iter().map(|steps| moves_to_string(steps)).collect()
}
