//! The configuration of a solver.

use std::time::Duration;

use loyd_search::{Clock, ClosedKind, Direction, FrontierKind, Limits};
use loyd_tiles::Metric;

#[cfg(feature = "cache")]
use crate::choices::Checkpoint;
use crate::choices::{HeuristicChoice, Prune, Round, Shard, TableChoice};
use crate::error::Error;
use crate::quality::{Quality, Weight};
use crate::store::Store;
use crate::tile_costs::TileCosts;

/// The configuration of a solver. Every field has a default; `None` lets the board decide.
#[derive(Clone, Debug)]
pub struct Config {
    /// The name of one of [`ALGORITHMS`](crate::search::ALGORITHMS); by default the best one for the board:
    ///
    /// | boards | single-tile moves | slides |
    /// |---|---|---|
    /// | up to 9 cells | table of all solutions on 3x3, else IDA* | table |
    /// | 10 and 11 cells | table | IDA* |
    /// | 12 cells | table for at least 5,000 [boards](Self::boards), else IDA* | IDA* |
    /// | larger | IDA* | IDA* |
    /// | partial goals of up to a million states | table | as above |
    ///
    /// For slides, bidirectional search replaces IDA* if its tables do not fit into memory. Other options imply an
    /// algorithm as well: a weight implies weighted A*, a closed list or a disabled parity test A*, and a heuristic
    /// IDA*.
    pub algorithm: Option<&'static str>,
    /// The heuristic, for algorithms that use one; by default Manhattan distance.
    ///
    /// The default IDA* uses pattern databases (12 to 25 cells) or linear conflict; for partial goals, and for slides
    /// on more than 16 cells, the maximum of pattern databases; for slides on 10 to 16 cells, tile classes.
    pub heuristic: Option<HeuristicChoice>,
    /// The weight of weighted A*; by default 2.
    pub weight: Option<Weight>,
    /// The closed list, for algorithms that keep one; by default ranked if that takes at most 64 MB, otherwise hashed.
    pub closed: Option<ClosedKind>,
    /// The pruning rule of depth-first searches; by default [`Prune::Undo`], and an automaton in IDA* with pattern
    /// databases on 4x4 boards and on boards of 17 to 25 cells. Requests for all shortest solutions refuse an
    /// automaton.
    pub prune: Option<Prune>,
    /// The open list of best-first searches.
    pub open: FrontierKind,
    /// The metric, which decides which solutions are shortest.
    pub metric: Metric,
    /// The cost of moving a tile. Unless each tile costs 1, the solver finds cheapest solutions rather than shortest
    /// ones.
    ///
    /// Costs other than 1 require A*, IDA* or weighted A* with Manhattan distance weighted by the costs, single-tile
    /// moves and a whole goal. The default algorithm is A* if all states of the board fit into memory, otherwise
    /// IDA*. With the qualities `auto` and `optimal` the solution is proved cheapest.
    pub costs: TileCosts,
    /// Whether parity is tested before the search. Without the test, the search proves that a board is unsolvable by
    /// exhaustion.
    pub parity_check: bool,
    /// The required quality of solutions. It decides how to search, so the algorithm and its options must be left open.
    /// `None` leaves the quality to the algorithm.
    pub quality: Option<Quality>,
    /// Time spent on improving a solution of [`Quality::Fast`], within the limits; zero by default.
    pub improve: Duration,
    /// The pattern databases used by the heuristic `pdb`.
    pub tables: TableChoice,
    /// The store of tables; by default each solver builds its own.
    pub store: Store,
    /// Number of boards to be solved, if known. It decides which tables pay off.
    pub boards: Option<u64>,
    /// Number of threads per problem, at least 1. The counts of a search are reproducible with one thread. Without the
    /// feature `parallel` the solver always uses one thread.
    pub threads: usize,
    /// The file in which a search is saved periodically, so that it can be resumed; none by default. Only searches of
    /// one board support it, see [`Solver::is_suspendable`](crate::Solver::is_suspendable).
    #[cfg(feature = "cache")]
    pub checkpoint: Option<Checkpoint>,
    /// Restricts each iteration to these subtrees, for searches that can be suspended. A shard proves nothing by
    /// itself: the shortest solution over all shards is a shortest one.
    pub shard: Option<Shard>,
    /// The part of a search in a [checkpoint](Self::checkpoint) after which it stops with
    /// [`Stop::Expanded`](crate::search::Stop::Expanded), for programs that divide the search among machines; all of it by default.
    pub round: Option<Round>,
    /// The direction of the search, for searches of one solution that can be suspended. By default a hard board is
    /// probed in both directions if both have a named set of partitions; all other boards are solved forward.
    pub direction: Option<Direction>,
    /// Total number of expansions of complete iterations with the named sets of partitions after which pattern
    /// databases are chosen for the individual board; `None` for never. By default
    /// [`DEFAULT_SPECIFIC_TABLES_AFTER`](Self::DEFAULT_SPECIFIC_TABLES_AFTER). Only boards that may be probed in both
    /// directions get board-specific tables, and only if neither tables nor a direction are given.
    pub specific_tables_after: Option<u64>,
    /// Limits for each problem.
    pub limits: Limits,
    /// The clock of time limits and of the times in reports. WebAssembly without a system has no clock, so no time
    /// passes unless the caller provides one.
    pub clock: Clock,
}

impl Config {
    /// Returns whether the configuration names the heuristic or its tables.
    pub(crate) fn names_heuristic(&self) -> bool {
        self.heuristic.is_some() || self.tables != TableChoice::Default
    }

    /// Returns whether there are at most `boards` boards to solve and neither a heuristic nor tables are named, so
    /// that a search may start before its tables are built.
    pub(crate) fn is_for_few(&self, boards: u64) -> bool {
        !self.names_heuristic() && self.boards.unwrap_or(1) <= boards
    }

    /// Returns an option that only a search that can be suspended supports, if there is one.
    pub(crate) fn needs_large_kernel(&self) -> Option<&'static str> {
        #[cfg(feature = "cache")]
        if self.checkpoint.is_some() {
            return Some("a checkpoint");
        }
        let shard = self.shard.map(|_| "a shard of one board");
        shard.or_else(|| self.direction.map(|_| "a direction"))
    }

    /// Checks that the configuration has no option that its quality decides.
    ///
    /// # Errors
    /// Returns an error if it has one.
    pub(crate) fn check_quality(&self) -> Result<(), Error> {
        let Some(quality) = self.quality else { return Ok(()) };
        let chosen = [
            (self.algorithm.is_some(), "the algorithm"),
            (self.heuristic.is_some(), "the heuristic"),
            (self.weight.is_some(), "the weight"),
            (self.closed.is_some(), "the duplicate detection"),
            (self.prune.is_some(), "the pruning"),
            (self.tables != TableChoice::Default && quality == Quality::Fast, "the tables"),
            (!self.parity_check, "going without the parity test"),
        ];
        match chosen.into_iter().find(|(chosen, _)| *chosen) {
            Some((_, option)) => Err(Error::QualityDecides { quality, option }),
            None => Ok(()),
        }
    }

    /// Returns [`specific_tables_after`](Self::specific_tables_after), if the search may use board-specific tables.
    pub(crate) fn table_choice_after(&self) -> Option<u64> {
        let is_open = self.direction.is_none() && self.tables == TableChoice::Default;
        self.specific_tables_after.filter(|_| is_open)
    }

    /// Returns the memory limit in bytes, [`u64::MAX`] for no limit.
    pub(crate) fn max_bytes(&self) -> u64 {
        self.limits.max_bytes.unwrap_or(u64::MAX)
    }

    /// Default of [`specific_tables_after`](Self::specific_tables_after): some fifteen seconds of one core. The next
    /// iteration expands about six times as many nodes, and choosing tables takes as long as some 350 million
    /// expansions.
    pub const DEFAULT_SPECIFIC_TABLES_AFTER: u64 = 100_000_000;
    /// Default memory limit of a search: 1 GiB.
    pub const DEFAULT_MAX_BYTES: u64 = 1 << 30;
    /// Default time limit of a search: one hour.
    pub const DEFAULT_MAX_TIME: Duration = Duration::from_secs(3600);
}

impl Default for Config {
    fn default() -> Self {
        Self {
            algorithm: None,
            heuristic: None,
            weight: None,
            closed: None,
            prune: None,
            open: FrontierKind::default(),
            metric: Metric::default(),
            costs: TileCosts::default(),
            parity_check: true,
            quality: None,
            improve: Duration::ZERO,
            tables: TableChoice::default(),
            store: Store::disabled(),
            boards: None,
            threads: 1,
            #[cfg(feature = "cache")]
            checkpoint: None,
            round: None,
            shard: None,
            direction: None,
            specific_tables_after: Some(Self::DEFAULT_SPECIFIC_TABLES_AFTER),
            limits: Limits {
                max_bytes: Some(Self::DEFAULT_MAX_BYTES),
                max_time: Some(Self::DEFAULT_MAX_TIME),
                ..Limits::default()
            },
            clock: Clock::system(),
        }
    }
}
