//! How a problem is to be solved.

use std::time::Duration;

use loyd_search::{Clock, Closed, Direction, Limits, OpenList};
use loyd_tiles::Metric;

#[cfg(feature = "cache")]
use crate::choices::Checkpoint;
use crate::choices::{HeuristicChoice, Prune, Quality, Shard, TableChoice, Weight};
use crate::store::Store;

/// What to run. Every field has a default; what is `None` is chosen by the board.
#[derive(Clone, Debug)]
pub struct Config {
    /// The name of one of [`ALGORITHMS`](crate::search::ALGORITHMS); by default the best for the board.
    ///
    /// Where single tiles count, that is the solution table on 3x3 boards, on those of 10 and 11 cells, on
    /// those of 12 if there are 5,000 [boards](Self::boards) or more, and for partial goals of up to a million
    /// states; elsewhere IDA*. Where slides count, it is the table up to 9 cells, and elsewhere IDA*, or
    /// bidirectional search if memory has no room for the tables of IDA*. Other choices ask for an algorithm
    /// too: a weight for weighted A*, a closed list or no parity test for A*, a heuristic for IDA*.
    pub algorithm: Option<&'static str>,
    /// The heuristic, for algorithms that use one; by default Manhattan distance.
    ///
    /// The IDA* that runs when nothing is chosen takes pattern databases (12 to 25 cells) or linear
    /// conflict; for partial goals, and where slides count on more than 16 cells, the maximum of pattern
    /// databases; where slides count on 10 to 16 cells, tile classes.
    pub heuristic: Option<HeuristicChoice>,
    /// The weight of weighted A*; by default 2.
    pub weight: Option<Weight>,
    /// The closed list, for algorithms that keep one; by default ranked where that takes at most 64 MB,
    /// else hashed.
    pub closed: Option<Closed>,
    /// What depth-first searches leave out; by default [`Prune::Undo`], and an automaton in IDA* with pattern databases on
    /// 4x4 boards and those of 17 to 25 cells. Where all shortest solutions are wanted, an automaton is refused.
    pub prune: Option<Prune>,
    /// The open list of best-first searches.
    pub open: OpenList,
    /// What counts as a move, and so which solutions are shortest.
    pub metric: Metric,
    /// Whether parity is tested first. Without the test, a search finds out by exhaustion that a board
    /// cannot be solved.
    pub parity_check: bool,
    /// How good solutions have to be, where that is chosen instead of how to search: the algorithm and
    /// what belongs to it must be left open then. `None` is as good as the search makes them.
    pub quality: Option<Quality>,
    /// How long a solution of [`Quality::Fast`] is improved, within the limits; not at all by default.
    pub improve: Duration,
    /// Which pattern databases the heuristic `pdb` uses.
    pub tables: TableChoice,
    /// Where tables are kept; by default they are made anew for each solver.
    pub store: Store,
    /// How many boards are going to be solved, where that is known: what tables pay depends on it.
    pub boards: Option<u64>,
    /// Threads that one problem may use, at least 1. Counts of searches reproduce with one. Without the feature
    /// `parallel` there is one, whatever this says.
    pub threads: usize,
    /// Where a search is put aside from time to time, so that it can be continued; nowhere by default. For the
    /// searches of one board for which [`Solver::can_be_put_aside`](crate::Solver::can_be_put_aside).
    #[cfg(feature = "cache")]
    pub checkpoint: Option<Checkpoint>,
    /// Search only these subtrees in each iteration, for searches that can be put aside. Nothing is proved by that
    /// alone: a shortest solution is the shortest one that any shard finds.
    pub shard: Option<Shard>,
    /// At which end to begin, for searches that can be put aside and only look for one solution. By default a hard
    /// board is tried from both ends where both have a named set of partitions; all others are solved from the start.
    pub direction: Option<Direction>,
    /// When pattern databases are chosen for a board alone: after complete iterations of so many expansions in all with the
    /// named sets of partitions; never for `None`. By default [`DEFAULT_FIT_AFTER`](Self::DEFAULT_FIT_AFTER). Only
    /// boards that may be tried from both ends get tables of their own, and none for which tables or a direction are
    /// asked for.
    pub fit_after: Option<u64>,
    /// Limits for each problem.
    pub limits: Limits,
    /// What limits on time and times in reports go by. Where WebAssembly runs without a system there is no clock,
    /// so no time passes unless the caller brings one.
    pub clock: Clock,
}

impl Config {
    /// Whether the heuristic or its tables are asked for.
    pub(crate) fn names_heuristic(&self) -> bool {
        self.heuristic.is_some() || self.tables != TableChoice::Default
    }

    /// Whether there are at most so many boards to solve, and neither a heuristic nor tables were asked
    /// for: then a search may begin before its tables are built.
    pub(crate) fn is_for_few(&self, boards: u64) -> bool {
        !self.names_heuristic() && self.boards.unwrap_or(1) <= boards
    }

    /// What is asked for that only a search can do which can be put aside.
    pub(crate) fn needs_large_kernel(&self) -> Option<&'static str> {
        #[cfg(feature = "cache")]
        if self.checkpoint.is_some() {
            return Some("a checkpoint");
        }
        let shard = self.shard.map(|_| "a shard of one board");
        shard.or_else(|| self.direction.map(|_| "a direction"))
    }

    /// When tables are chosen for a board, if its search may have other tables than those that are there.
    pub(crate) fn fits_after(&self) -> Option<u64> {
        let is_open = self.direction.is_none() && self.tables == TableChoice::Default;
        self.fit_after.filter(|_| is_open)
    }

    /// The most bytes that anything may take, [`u64::MAX`] for no limit.
    pub(crate) fn max_bytes(&self) -> u64 {
        self.limits.max_bytes.unwrap_or(u64::MAX)
    }

    /// The expansions after which tables are chosen for a board unless [`fit_after`](Self::fit_after) says
    /// something else: some fifteen seconds of one core. The next iteration takes some six times as many, and the choice as
    /// long as some 350 million.
    pub const DEFAULT_FIT_AFTER: u64 = 100_000_000;
    /// The memory that a search may take unless another limit is set: 1 GiB.
    pub const DEFAULT_MAX_BYTES: u64 = 1 << 30;
    /// The time that a search may take unless another limit is set: one hour.
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
            open: OpenList::default(),
            metric: Metric::default(),
            parity_check: true,
            quality: None,
            improve: Duration::ZERO,
            tables: TableChoice::default(),
            store: Store::nowhere(),
            boards: None,
            threads: 1,
            #[cfg(feature = "cache")]
            checkpoint: None,
            shard: None,
            direction: None,
            fit_after: Some(Self::DEFAULT_FIT_AFTER),
            limits: Limits {
                max_bytes: Some(Self::DEFAULT_MAX_BYTES),
                max_time: Some(Self::DEFAULT_MAX_TIME),
                ..Limits::default()
            },
            clock: Clock::system(),
        }
    }
}
