//! What a caller can get wrong.

use loyd_heuristics::pdb::PartitionError;
use loyd_tiles::notation::NotationError;
use loyd_tiles::{GoalMismatch, Size};

use crate::config::Closed;
use crate::quality::Quality;

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
    /// A way to detect duplicates was chosen for an algorithm that keeps no closed list.
    #[error("{algorithm} keeps no closed list, so `{closed}` has no meaning for it")]
    ClosedUnused {
        /// The algorithm.
        algorithm: &'static str,
        /// The way asked for.
        closed: Closed,
    },
    /// A weight was chosen for an algorithm other than weighted A*.
    #[error("{0} has no weight; weighted A* is `wastar`")]
    WeightUnused(&'static str),
    /// Ranked duplicate detection or an exact table for a board with too many states.
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
        "{0} knows solvable boards only, so it cannot go without the parity test; \
         another algorithm finds out by exhaustion"
    )]
    TableNeedsParity(&'static str),
    /// Depth-first search of a board whose diameter is not known, without a limit.
    #[error("{algorithm} on a {size} board needs a depth limit: it would never turn back")]
    DepthNeeded {
        /// The algorithm.
        algorithm: &'static str,
        /// The size of the board.
        size: Size,
    },
    /// All shortest answers were asked of a search that does not know when an answer is shortest.
    #[error(
        "answers of {what} are not proved shortest, so all shortest ones cannot be told; those of {} \
         are",
        .instead.join(", ")
    )]
    NotShortest {
        /// The search.
        what: String,
        /// Algorithms that prove it.
        instead: Vec<&'static str>,
    },
    /// Walking distance for a board that its tables would be too large for.
    #[error(
        "walking-distance is for boards of at most 16 cells, six rows and six columns, and not \
         for {0}: linear-conflict takes any size"
    )]
    WalkingDistanceSize(Size),
    /// A matrix for boards of another size.
    #[error("the matrix is for boards of {matrix} cells, and a {size} board has {}", .size.cells())]
    MatrixSize {
        /// Rows of the matrix.
        matrix: usize,
        /// The size of the board.
        size: Size,
    },
    /// Pattern databases for a board of more than 36 cells, or chosen ones for a board of more than 16.
    #[error(
        "pattern databases are for boards of at most 36 cells, and of 16 where they are chosen by \
         --tables; a {0} board has {cells}, and linear-conflict is for all",
        cells = .0.cells()
    )]
    TooLarge(Size),
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
        "{heuristic} counts the steps of single tiles, and a slide moves several: it would exceed the \
         distance in the metric mtm; those that hold there are {}",
        .hold.join(", ")
    )]
    NotOfMetric {
        /// The heuristic.
        heuristic: &'static str,
        /// Heuristics that hold.
        hold: Vec<&'static str>,
    },
    /// A heuristic that counts tiles which a part goal does not want anywhere.
    #[error(
        "{heuristic} needs a goal for every tile, and some are alike here; those that do not are {}",
        .hold.join(", ")
    )]
    NotForPartialGoals {
        /// The heuristic.
        heuristic: &'static str,
        /// Heuristics that do.
        hold: Vec<&'static str>,
    },
    /// Pattern databases for a part goal whose tiles wall some cell in on which the blank may end.
    #[error(
        "pattern databases do not hold for this goal: the blank may end on either side of a wall of \
         tiles; linear-conflict does"
    )]
    BlankShutOut,
    /// Tables for all tiles were chosen for a part goal.
    #[error(
        "tables go by the tiles that the goal wants, and some are alike here: leave --tables out"
    )]
    TablesForPartialGoal,
    /// A quality was chosen, and how to search as well.
    #[error("the quality `{quality}` decides how to search: leave out {option}, or the quality")]
    QualityDecides {
        /// The quality.
        quality: Quality,
        /// What else was chosen.
        option: &'static str,
    },
    /// Not a quality.
    #[error(
        "`{0}` is not a quality: optimal, fast, and bounded=W with W from 1 to 100, as in bounded=1.5, are allowed"
    )]
    UnknownQuality(String),
    /// A heuristic that counts slides, for searches that count steps.
    #[error(
        "{0} counts slides, and a board needs more steps than slides; it is for the metric mtm, and pdb is \
         for single tiles"
    )]
    OfSlides(&'static str),
    /// A table of alike tiles that is not offered for boards of this size.
    #[error(
        "alike is for boards of 10 to 16 cells with at least two rows and columns, and not for {0}; zero is \
         for all"
    )]
    AlikeSize(Size),
    /// Tables were chosen for a search that uses none.
    #[error("{0} uses no pattern databases; those are for the heuristic `pdb`")]
    TablesUnused(&'static str),
}
