//! Errors in problems and configurations.

use loyd_heuristics::pdb::PartitionError;
use loyd_search::ClosedKind;
use loyd_tiles::notation::NotationError;
use loyd_tiles::{GoalMismatch, Metric, Size};

use crate::choices::Prune;
use crate::quality::Quality;

/// Returns the unit of a metric, in the plural.
fn units(metric: Metric) -> &'static str {
    match metric {
        Metric::SingleTile => "moves",
        Metric::MultiTile => "slides",
    }
}

/// The reason why a problem or a configuration is refused. An unsolvable board is not an error.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The text is not a valid board.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// Start and goal differ in size.
    #[error(transparent)]
    Goal(#[from] GoalMismatch),
    /// The board has more cells than exact searches and heuristics support.
    #[error(
        "{what} takes boards of at most {} cells, and a {size} board has {}{}",
        Size::MAX_SEARCH_CELLS,
        .size.cells(),
        if *.solves { "; larger ones are solved with the quality fast (--quality fast)" } else { "" }
    )]
    TooManyCells {
        /// The search or request that does not support the board.
        what: String,
        /// The size of the board.
        size: Size,
        /// Whether `what` solves boards, so that the quality `fast` is an alternative.
        solves: bool,
    },
    /// No algorithm or heuristic has this name.
    #[error("there is no {kind} `{name}`; there are {}", .known.join(", "))]
    UnknownName {
        /// `algorithm` or `heuristic`.
        kind: &'static str,
        /// The requested name.
        name: String,
        /// The valid names.
        known: Vec<&'static str>,
    },
    /// A heuristic was given for an algorithm that uses none.
    #[error("{algorithm} uses no heuristic; algorithms that do: {}", .instead.join(", "))]
    HeuristicUnused {
        /// The algorithm.
        algorithm: &'static str,
        /// Algorithms that use one.
        instead: Vec<&'static str>,
    },
    /// A closed list was given for an algorithm that keeps none.
    #[error("{algorithm} keeps no closed list, so `{closed}` has no effect")]
    ClosedUnused {
        /// The algorithm.
        algorithm: &'static str,
        /// The requested closed list.
        closed: ClosedKind,
    },
    /// A pruning rule was given for an algorithm that is not depth-first.
    #[error("{algorithm} is not depth-first, so `{prune}` has no effect; depth-first algorithms: {}", .instead.join(", "))]
    PruneUnused {
        /// The algorithm.
        algorithm: &'static str,
        /// The requested rule.
        prune: Prune,
        /// Algorithms that are depth-first.
        instead: Vec<&'static str>,
    },
    /// An automaton with words longer than the maximum.
    #[error("an automaton for a {size} board knows words of up to {most} {}", units(*.metric))]
    WordsTooLong {
        /// The size of the board.
        size: Size,
        /// The metric.
        metric: Metric,
        /// Maximum number of moves in a word.
        most: u32,
    },
    /// An automaton was given for a request for all shortest solutions.
    #[error(
        "an automaton prunes some of the shortest solutions, but all of them are required: prune by undo"
    )]
    PruneLosesSolutions,
    /// A weight was given for an algorithm other than weighted A*.
    #[error("{0} has no weight; weighted A* is `wastar`")]
    WeightUnused(&'static str),
    /// A ranked closed list or an exact table was requested for a board with too many states.
    #[error("{what} needs an entry per state, but a {size} board has {states}: {instead}")]
    TooManyStates {
        /// The ranked closed list or the exact table.
        what: &'static str,
        /// The size of the board.
        size: Size,
        /// The number of states, in words.
        states: String,
        /// The alternative.
        instead: &'static str,
    },
    /// An exact table was requested for boards that it may not contain.
    #[error(
        "{0} contains only solvable boards, so it needs the parity test; other algorithms detect unsolvable boards by \
         exhaustion"
    )]
    TableNeedsParity(&'static str),
    /// A depth-first search was requested for boards that may have no solution.
    #[error(
        "{algorithm} cannot prove that a board is unsolvable: it keeps no closed list, so without the parity test it \
         might search forever; {} prove it by exhaustion",
        .instead.join(", ")
    )]
    ClosedListNeeded {
        /// The algorithm.
        algorithm: &'static str,
        /// Algorithms that keep a closed list.
        instead: Vec<&'static str>,
    },
    /// Depth-first search without a limit was requested for a board whose maximum distance is not known.
    #[error("{algorithm} on a {size} board needs a depth limit: it would never backtrack")]
    DepthNeeded {
        /// The algorithm.
        algorithm: &'static str,
        /// The size of the board.
        size: Size,
    },
    /// All shortest solutions were requested of a search that does not prove them shortest.
    #[error(
        "{what} does not prove its solutions shortest, so it cannot find all shortest ones; algorithms that do: {}",
        .instead.join(", ")
    )]
    NotShortest {
        /// The search.
        what: String,
        /// Algorithms that prove solutions shortest.
        instead: Vec<&'static str>,
    },
    /// A heuristic was given that does not support boards of this size.
    #[error("{heuristic} supports {boards}, not {size}: {instead} supports any size")]
    HeuristicSize {
        /// The heuristic.
        heuristic: &'static str,
        /// The boards that the heuristic supports.
        boards: &'static str,
        /// The size of the board.
        size: Size,
        /// A heuristic that supports all sizes.
        instead: &'static str,
    },
    /// The matrix is for boards of another size.
    #[error("the matrix is for boards of {matrix} cells, and a {size} board has {}", .size.cells())]
    MatrixSize {
        /// Number of rows of the matrix.
        matrix: usize,
        /// The size of the board.
        size: Size,
    },
    /// The tables do not exist for boards of this size.
    #[error("tables for a {size} board: {reason}")]
    Partition {
        /// The size of the board.
        size: Size,
        /// The reason.
        reason: PartitionError,
    },
    /// The heuristic may exceed the distance in slides.
    #[error(
        "{heuristic} counts the steps of single tiles, and a slide moves several: it could exceed the \
         distance in the metric mtm; the heuristics for slides are {}",
        .instead.join(", ")
    )]
    NotForSlides {
        /// The heuristic.
        heuristic: &'static str,
        /// Heuristics that are admissible for slides.
        instead: Vec<&'static str>,
    },
    /// The heuristic needs a goal cell for every tile.
    #[error(
        "{heuristic} needs a goal cell for every tile, and this goal leaves some open; the heuristics for \
         partial goals are {}",
        .instead.join(", ")
    )]
    NotForPartialGoals {
        /// The heuristic.
        heuristic: &'static str,
        /// Heuristics for partial goals.
        instead: Vec<&'static str>,
    },
    /// Pattern databases were requested for a partial goal whose tiles cut off a cell on which the blank may end.
    #[error(
        "pattern databases are not admissible for this goal, because its tiles separate cells on which the blank may \
         end; linear-conflict is"
    )]
    BlankCutOff,
    /// Tables for all tiles were given for a partial goal.
    #[error("the tables for a partial goal are chosen automatically: leave --tables out")]
    TablesForPartialGoal,
    /// A quality was given together with an option that it decides.
    #[error("the quality `{quality}` decides how to search: leave out {option}, or the quality")]
    QualityDecides {
        /// The quality.
        quality: Quality,
        /// The option.
        option: &'static str,
    },
    /// A heuristic that counts slides was given for a search that counts single steps.
    #[error(
        "{0} counts slides, which are fewer than single-tile moves: it is for the metric mtm; for single tiles use pdb"
    )]
    OnlyForSlides(&'static str),
    /// A checkpoint, a shard or a direction was given for a search that does not support it.
    #[error(
        "{what} is for IDA* with pattern databases on boards of 17 to 25 cells whose goal is whole, in single tiles: \
         {instead}"
    )]
    NotSuspendable {
        /// The requested option.
        what: &'static str,
        /// The alternative.
        instead: &'static str,
    },
    /// The configuration is not valid for the reverse problem.
    #[error("from the goal: {0}")]
    ReverseProblem(Box<Self>),
    /// The checkpoint cannot be used.
    #[error("{path}: {reason}")]
    Checkpoint {
        /// The file.
        path: String,
        /// The reason.
        reason: String,
    },
    /// The board has equal tiles, but the request needs distinct ones.
    #[error("{0} needs distinct tiles, and this board has equal ones")]
    NotForEqualTiles(&'static str),
    /// Costs by tile were given for a request that counts moves.
    #[error(
        "costs by tile are for astar, idastar and wastar with manhattan, for single tiles and a whole goal, and not for \
         {0}"
    )]
    CostsUnsupported(&'static str),
    /// The list has too many or too few costs.
    #[error("the number of costs is {costs}, and a {size} board needs one for each of its {} tiles", .size.tiles())]
    CostCount {
        /// Number of costs in the list.
        costs: usize,
        /// The size of the board.
        size: Size,
    },
    /// The sums of the costs would not be exact.
    #[error(
        "the costs `{costs}` are too large, or their common denominator is, for a {size} board: their sums would not be \
         exact{}",
        if costs == "inverse" { "; inverse is for boards of at most 18 cells" } else { "" }
    )]
    CostRange {
        /// The costs.
        costs: String,
        /// The size of the board.
        size: Size,
    },
    /// Tiles that cost nothing were given to IDA*.
    #[error(
        "idastar needs costs above 0: it would move tiles that cost nothing forever; use astar or wastar"
    )]
    FreeTiles,
    /// Tables were given for a search that uses none.
    #[error("{0} uses no pattern databases; the heuristic `pdb` does")]
    TablesUnused(&'static str),
}
