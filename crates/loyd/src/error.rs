//! What a caller can get wrong.

use loyd_heuristics::pdb::PartitionError;
use loyd_search::Closed;
use loyd_tiles::notation::NotationError;
use loyd_tiles::{GoalMismatch, Metric, Size};

use crate::choices::{Prune, Quality};

/// What a metric counts, in the plural.
fn units(metric: Metric) -> &'static str {
    match metric {
        Metric::SingleTile => "moves",
        Metric::MultiTile => "slides",
    }
}

/// Why a problem or a configuration is refused. A board that cannot be solved is not an error.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The text is not a board.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// Start and goal differ in size.
    #[error(transparent)]
    Goal(#[from] GoalMismatch),
    /// No algorithm or heuristic has this name.
    #[error("there is no {kind} `{name}`; there are {}", .known.join(", "))]
    UnknownName {
        /// `algorithm` or `heuristic`.
        kind: &'static str,
        /// The name asked for.
        name: String,
        /// The names that exist.
        known: Vec<&'static str>,
    },
    /// A heuristic was chosen for an algorithm that uses none.
    #[error("{algorithm} uses no heuristic; those that do are {}", .instead.join(", "))]
    HeuristicUnused {
        /// The algorithm.
        algorithm: &'static str,
        /// Algorithms that use one.
        instead: Vec<&'static str>,
    },
    /// A closed list was chosen for an algorithm that keeps none.
    #[error("{algorithm} keeps no closed list, so `{closed}` has no meaning for it")]
    ClosedUnused {
        /// The algorithm.
        algorithm: &'static str,
        /// The closed list asked for.
        closed: Closed,
    },
    /// What is left out was chosen for an algorithm that is not depth-first.
    #[error("{algorithm} is not depth-first, so `{prune}` has no meaning for it; those that are are {}", .instead.join(", "))]
    PruneUnused {
        /// The algorithm.
        algorithm: &'static str,
        /// What was asked for.
        prune: Prune,
        /// Algorithms that are.
        instead: Vec<&'static str>,
    },
    /// An automaton of longer words than there can be.
    #[error("an automaton for a {size} board knows words of up to {most} {}", units(*.metric))]
    LongWords {
        /// The size of the board.
        size: Size,
        /// What counts as a move.
        metric: Metric,
        /// The most moves in a word.
        most: u32,
    },
    /// An automaton was chosen where all shortest solutions are wanted.
    #[error(
        "an automaton leaves out solutions as short as others, and all shortest ones are wanted: prune by undo"
    )]
    PruneLosesSolutions,
    /// A weight was chosen for an algorithm other than weighted A*.
    #[error("{0} has no weight; weighted A* is `wastar`")]
    WeightUnused(&'static str),
    /// A ranked closed list or an exact table for a board with too many states.
    #[error("{what} needs a place for each state, and a {size} board has {states}: {instead}")]
    TooManyStates {
        /// What was asked for.
        what: &'static str,
        /// The size of the board.
        size: Size,
        /// How many states it has, in words.
        states: String,
        /// What to use instead.
        instead: &'static str,
    },
    /// An exact table was asked about boards that it does not hold.
    #[error(
        "{0} knows solvable boards only, so it needs the parity test; another algorithm finds out by \
         exhaustion"
    )]
    TableNeedsParity(&'static str),
    /// A depth-first search of boards that may have no solution.
    #[error(
        "{algorithm} cannot prove that a board has no solution: it keeps no closed list, so without the parity \
         test it might search for ever; {} find out by exhaustion",
        .instead.join(", ")
    )]
    NeverExhausted {
        /// The algorithm.
        algorithm: &'static str,
        /// Algorithms that keep a closed list.
        instead: Vec<&'static str>,
    },
    /// Depth-first search of a board whose diameter is not known, without a limit.
    #[error("{algorithm} on a {size} board needs a depth limit: it would never turn back")]
    DepthNeeded {
        /// The algorithm.
        algorithm: &'static str,
        /// The size of the board.
        size: Size,
    },
    /// All shortest solutions were asked of a search that does not prove them shortest.
    #[error(
        "solutions of {what} are not proved shortest, so it cannot find all shortest ones; those of {} \
         are proved",
        .instead.join(", ")
    )]
    NotShortest {
        /// The search.
        what: String,
        /// Algorithms that prove it.
        instead: Vec<&'static str>,
    },
    /// A heuristic for boards of a size that it is not offered for.
    #[error("{heuristic} is for {boards}, and not for {size}: {instead} takes any size")]
    HeuristicSize {
        /// The heuristic.
        heuristic: &'static str,
        /// The boards that it is offered for.
        boards: &'static str,
        /// The size of the board.
        size: Size,
        /// A heuristic for all sizes.
        instead: &'static str,
    },
    /// A matrix for boards of another size.
    #[error("the matrix is for boards of {matrix} cells, and a {size} board has {}", .size.cells())]
    MatrixSize {
        /// Rows of the matrix.
        matrix: usize,
        /// The size of the board.
        size: Size,
    },
    /// Tables that do not exist for boards of this size.
    #[error("tables for a {size} board: {reason}")]
    Partition {
        /// The size of the board.
        size: Size,
        /// What is wrong.
        reason: PartitionError,
    },
    /// A heuristic that may exceed the distance in slides.
    #[error(
        "{heuristic} counts the steps of single tiles, and a slide moves several: it could exceed the \
         distance in the metric mtm; the heuristics for slides are {}",
        .instead.join(", ")
    )]
    NotForSlides {
        /// The heuristic.
        heuristic: &'static str,
        /// Heuristics that hold there.
        instead: Vec<&'static str>,
    },
    /// A heuristic that needs a goal cell for every tile.
    #[error(
        "{heuristic} needs a goal cell for every tile, and this goal leaves some open; the heuristics for \
         partial goals are {}",
        .instead.join(", ")
    )]
    NotForPartialGoals {
        /// The heuristic.
        heuristic: &'static str,
        /// Heuristics that do not.
        instead: Vec<&'static str>,
    },
    /// Pattern databases for a partial goal whose tiles cut off some cell on which the blank may end.
    #[error(
        "pattern databases do not hold for this goal, because its tiles separate cells on which the blank \
         may end; linear-conflict does"
    )]
    BlankCutOff,
    /// Tables for all tiles were chosen for a partial goal.
    #[error("a partial goal chooses its tables itself: leave --tables out")]
    TablesForPartialGoal,
    /// A quality was chosen, and how to search as well.
    #[error("the quality `{quality}` decides how to search: leave out {option}, or the quality")]
    QualityDecides {
        /// The quality.
        quality: Quality,
        /// What else was chosen.
        option: &'static str,
    },
    /// A heuristic that counts slides, for searches that count steps.
    #[error(
        "{0} counts slides, and a board needs more steps than slides: it is for the metric mtm; pdb is for \
         single tiles"
    )]
    OnlyForSlides(&'static str),
    /// Something was asked for that one search alone can do.
    #[error(
        "{what} is for IDA* with pattern databases on boards of 17 to 25 cells whose goal is whole, in single tiles: \
         {instead}"
    )]
    NotPutAside {
        /// What was asked for.
        what: &'static str,
        /// What to choose instead.
        instead: &'static str,
    },
    /// A search that is to begin at the goal cannot.
    #[error("from the goal: {0}")]
    FromGoal(Box<Self>),
    /// A checkpoint that cannot be used.
    #[error("{path}: {reason}")]
    Checkpoint {
        /// The file.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Tables were chosen for a search that uses none.
    #[error("{0} uses no pattern databases; those are for the heuristic `pdb`")]
    TablesUnused(&'static str),
}
