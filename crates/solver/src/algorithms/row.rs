//! One row of the algorithm registry, with the input and the result of a run.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use loyd_heuristics::AutomatonKey;
use loyd_heuristics::file::AnyTableKey;
use loyd_kernels::{PatternSearch, Progress};
use loyd_search::{
    AnyClosedList, Automaton, ClosedKind, Direction, FrontierKind, Limits, Meter, Outcome, Stop,
};
use loyd_tiles::{BoardSpace, Metric, Move};

use crate::choices::{Prune, Round};
use crate::config::Config;
use crate::costs::ScaledCosts;
use crate::heuristics::{AnyHeuristic, HeuristicRow, InstanceVisitor, Setting, Stage};
use crate::problem::Problem;
use crate::quality::Weight;
use crate::space::{AnySpace, in_space};
use crate::tables::Tables;
use crate::trace::{BoardTracer, Watcher};

/// Guarantee of an algorithm about the length of its solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guarantee {
    /// Solutions are always shortest.
    Optimal,
    /// Solutions are shortest if the heuristic is admissible.
    OptimalIfAdmissible,
    /// Solutions are at most the weight times as long as a shortest one if the heuristic is admissible.
    WithinWeight,
    /// No guarantee.
    Nothing,
}

impl fmt::Display for Guarantee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Optimal => "shortest",
            Self::OptimalIfAdmissible => "shortest if h is admissible",
            Self::WithinWeight => "at most w times optimal",
            Self::Nothing => "any solution",
        })
    }
}

/// One row of [`ALGORITHMS`](crate::search::ALGORITHMS).
pub struct Algorithm {
    /// Name, as in `--algorithm`.
    pub name: &'static str,
    /// Description, in one line.
    pub summary: &'static str,
    /// Guarantee about the length of solutions.
    pub guarantee: Guarantee,
    /// Whether it uses a heuristic.
    pub uses_heuristic: bool,
    /// Whether it keeps a closed list, so that the kind of list can be chosen.
    pub uses_closed: bool,
    /// Whether it is depth-first, so that its pruning can be chosen.
    pub is_depth_first: bool,
    /// Memory that it needs, in words.
    pub memory: &'static str,
    /// Author and year of the publication.
    pub source: &'static str,
    /// Whether it reads an exact table, which contains solvable boards only.
    pub(crate) uses_table: bool,
    /// Whether it needs a depth limit to terminate.
    pub(crate) needs_depth: bool,
    /// Runs the algorithm.
    pub(crate) run: for<'a> fn(&Run<'a>, &mut Meter<'_>) -> Result<Finished<'a>, Stop>,
    /// Runs the algorithm and reports every node.
    pub(crate) trace: Trace,
}

/// Function that runs an algorithm and reports every node to the watcher.
pub(crate) type Trace =
    for<'a> fn(&Run<'a>, &mut Meter<'_>, &mut Watcher<'_>) -> Result<Finished<'a>, Stop>;

impl Algorithm {
    /// Default values for struct update syntax: each row lists only what differs.
    pub(crate) const DEFAULT: Self = Self {
        name: "",
        summary: "",
        guarantee: Guarantee::Nothing,
        uses_heuristic: false,
        uses_closed: false,
        is_depth_first: false,
        memory: "the path",
        source: "",
        uses_table: false,
        needs_depth: false,
        run: |_, _| Ok(Outcome::Exhausted.into()),
        trace: |_, _, _| Ok(Outcome::Exhausted.into()),
    };

    /// Returns the row as it is listed in the registry.
    ///
    /// In unit tests of this crate, the row comes without its search: a static is compiled even if it is unused, so
    /// otherwise all searches would be compiled a second time for the test binary.
    pub(crate) const fn registered(self) -> Self {
        match cfg!(test) {
            true => {
                const MESSAGE: &str = "tests that run a search belong in the `tests` folder";
                let run = |_: &Run<'_>, _: &mut Meter<'_>| -> Result<Finished<'_>, Stop> {
                    panic!("{MESSAGE}")
                };
                Self { run, trace: |_, _, _| panic!("{MESSAGE}"), ..self }
            }
            false => self,
        }
    }
}

impl fmt::Debug for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// A configuration with all choices made for the boards of one goal.
pub(crate) struct Plan {
    pub algorithm: &'static Algorithm,
    pub space: AnySpace,
    /// Cost of moving each tile; `None` if all cost 1.
    pub costs: Option<ScaledCosts>,
    /// Heuristic of the last stage; [`ZERO`](crate::heuristics::ZERO) if the algorithm uses none.
    pub heuristic: &'static HeuristicRow,
    /// Whether the heuristic never exceeds the true distance.
    pub admissible: bool,
    /// Stages of the search in order, the last with `heuristic`; empty if the algorithm uses no heuristic.
    pub stages: Vec<Stage>,
    pub weight: Weight,
    pub closed: ClosedKind,
    /// Pruning of a depth-first search, with the word length of its automaton, unless the stage specifies another;
    /// `None` for all other algorithms.
    pub prune: Option<Prune>,
    pub open: FrontierKind,
    pub limits: Limits,
    /// Maximum number of threads for one search.
    pub threads: usize,
}

impl Plan {
    /// Returns the metric, which defines what counts as one move.
    pub fn metric(&self) -> Metric {
        self.space.metric()
    }

    /// Returns the pruning of the search in `stage`; `None` if it is not depth-first.
    pub fn prune_in(&self, stage: Option<&Stage>) -> Option<Prune> {
        stage.and_then(|stage| stage.prune).or(self.prune)
    }

    /// Returns the key of the automaton that prunes the search in `stage`, if any.
    pub fn automaton(&self, stage: Option<&Stage>) -> Option<AutomatonKey> {
        match self.prune_in(stage) {
            Some(Prune::Automaton { words }) => self.space.automaton(words),
            _ => None,
        }
    }

    /// Returns `limits` with the depth limit of the plan if that is lower.
    pub fn within(&self, limits: Limits) -> Limits {
        let both = [self.limits.max_depth, limits.max_depth];
        Limits { max_depth: both.into_iter().flatten().min(), ..limits }
    }

    /// Returns whether solutions are proved to be shortest.
    pub fn proves_shortest(&self) -> bool {
        match self.algorithm.guarantee {
            Guarantee::Optimal => true,
            Guarantee::OptimalIfAdmissible => self.admissible,
            Guarantee::WithinWeight => self.weight.is_one() && self.admissible,
            Guarantee::Nothing => false,
        }
    }
}

/// The input of an algorithm: a problem with all choices made.
#[derive(Clone, Copy)]
pub(crate) struct Run<'a> {
    pub problem: &'a Problem,
    pub plan: &'a Plan,
    /// Stages of the plan that an iterative search goes through: all, or the last ones.
    pub stages: &'a [Stage],
    pub config: &'a Config,
    pub tables: &'a Tables,
    /// Direction of this search: from the start, or from the goal (reverse search).
    pub direction: Direction,
    /// Direction that the search has to take because the user specified it or an earlier run chose it.
    pub fixed_direction: Option<Direction>,
    /// The reverse problem, if the search may also run from the goal.
    pub reverse: Option<&'a ReverseProblem>,
    /// Saves checkpoints; `None` if the search is not to be resumed.
    pub checkpointer: Option<&'a dyn Checkpointer>,
    /// A suspendable search starts no further iteration once its complete iterations have taken this many expansions.
    pub iterations_until: Option<u64>,
    /// The part of the search to be done; `None` for the whole search.
    pub round: Option<Round>,
}

/// The reverse problem: start and goal exchanged, with all choices made.
pub(crate) struct ReverseProblem {
    pub problem: Problem,
    pub plan: Plan,
    /// Board-specific tables; unset until they have been tried, `None` inside if the catalogue is no worse.
    pub board_tables: OnceLock<Option<BoardTables>>,
}

impl ReverseProblem {
    /// Returns the board-specific tables, if any were chosen.
    pub fn board_tables(&self) -> Option<&BoardTables> {
        self.board_tables.get()?.as_ref()
    }
}

/// Board-specific tables, with the direction of the search that uses them.
pub(crate) struct BoardTables {
    pub direction: Direction,
    pub stage: Stage,
}

/// State of a suspended search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Resumed {
    /// Chosen direction; `None` if the search has not started, or was suspended while it probed the directions.
    pub direction: Option<Direction>,
    pub progress: Progress,
    /// Whether the meter has counted all of `progress`, because the same process suspended the search a moment ago.
    pub is_counted: bool,
    pub table_fit: TableFit,
}

/// Result of choosing board-specific tables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum TableFit {
    /// Not tried yet.
    #[default]
    Untried,
    /// No set was better than the catalogue, or memory has no room for one.
    NoGain,
    /// The chosen set of partitions, as [`Partition`](loyd_heuristics::pdb::Partition) prints it.
    Chosen(String),
}

/// Saves and restores the state of a search.
pub(crate) trait Checkpointer: Sync {
    /// Returns the state to resume from.
    fn resume(&self) -> Resumed;
    /// Returns the maximum time between two calls of [`save`](Self::save).
    fn interval(&self) -> Duration;
    /// Saves the progress of the search in this direction; `None` while the directions are being probed, with the
    /// progress from the start.
    fn save(&self, direction: Option<Direction>, progress: &Progress);
    /// Records the result of choosing board-specific tables. Progress saved from now on refers to these tables.
    fn save_table_fit(&self, fit: TableFit);
    /// Reports that the saved state does not fit this search, so that it cannot be resumed.
    fn reject(&self);
}

/// Result of a run.
pub(crate) struct Finished<'a> {
    pub outcome: Outcome<Move>,
    /// Stage in which the search ended, if it used a heuristic.
    pub stage: Option<&'a Stage>,
}

impl From<Outcome<Move>> for Finished<'_> {
    fn from(outcome: Outcome<Move>) -> Self {
        Self { outcome, stage: None }
    }
}

/// Longest words, in moves, of an automaton that is small enough for the 4x4 kernel.
const FIFTEEN_MAX_WORDS: u32 = 14;

impl<'a> Run<'a> {
    /// Returns the setting for which heuristics are made.
    pub fn setting(&self) -> Setting<'a> {
        Setting { space: &self.plan.space, config: self.config }
    }

    /// Returns this run without the stages before `stage`.
    pub fn starting_at(self, stage: &Stage) -> Self {
        let first = self.stages.iter().position(|other| std::ptr::eq(other, stage));
        Self { stages: &self.stages[first.unwrap_or(0)..], ..self }
    }

    /// Returns the heuristic of `stage`, and makes it within the limits of `meter` if it does not exist yet.
    ///
    /// # Errors
    /// Returns the limit that was reached, or [`Stop::Tables`] if a descent in its tables from the start does not reach
    /// the goal.
    pub fn checked_heuristic<'s>(
        &self,
        stage: &'s Stage,
        meter: &mut Meter<'_>,
    ) -> Result<&'s AnyHeuristic, Stop> {
        let heuristic = stage.heuristic(&self.setting(), self.tables, meter)?;
        let start = self.problem.start();
        let leads = in_space!(&self.plan.space, space => heuristic.descends_from(space, &space.encode(start)));
        if leads { Ok(heuristic) } else { Err(Stop::Tables) }
    }

    /// Like [`checked_heuristic`](Self::checked_heuristic), but reserves its tables in addition to those already
    /// reserved. By itself the meter would count only the larger of the two.
    ///
    /// # Errors
    /// Like [`checked_heuristic`](Self::checked_heuristic); on error, no more bytes are reserved than before.
    pub fn additional_heuristic<'s>(
        &self,
        stage: &'s Stage,
        meter: &mut Meter<'_>,
    ) -> Result<&'s AnyHeuristic, Stop> {
        let make =
            |meter: &mut Meter<'_>| (self.checked_heuristic(stage, meter), meter.table_bytes());
        let (heuristic, bytes) = meter.build_tables(make);
        let heuristic = heuristic?;
        if meter.remaining_bytes().is_some_and(|left| left < bytes) {
            return Err(Stop::Memory);
        }
        meter.reserve_tables(meter.table_bytes() + bytes)?;
        Ok(heuristic)
    }

    /// Like [`checked_heuristic`](Self::checked_heuristic), but leaves the check to the kernel if there is one for the
    /// tables: the kernel descends to the goal anyway. A second descent would take a tenth of the time of an average
    /// search.
    ///
    /// # Errors
    /// Like [`checked_heuristic`](Self::checked_heuristic).
    pub fn heuristic<'s>(
        &self,
        stage: &'s Stage,
        meter: &mut Meter<'_>,
    ) -> Result<&'s AnyHeuristic, Stop> {
        let heuristic = stage.heuristic(&self.setting(), self.tables, meter)?;
        match (&self.plan.space, heuristic) {
            (AnySpace::Fifteen(_), AnyHeuristic::Patterns(sum))
                if PatternSearch::supports(sum.database())
                    && self
                        .plan
                        .automaton(Some(stage))
                        .is_none_or(|key| key.max_word_length() <= FIFTEEN_MAX_WORDS) =>
            {
                Ok(heuristic)
            }
            _ => self.checked_heuristic(stage, meter),
        }
    }

    /// Returns the automaton that prunes the search in `stage`, if any, and builds it within the limits of `meter` if
    /// it does not exist yet.
    ///
    /// # Errors
    /// Returns the limit that was reached.
    pub fn automaton(
        &self,
        stage: Option<&Stage>,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Arc<Automaton>>, Stop> {
        let Some(key) = self.plan.automaton(stage) else { return Ok(None) };
        let table_bytes = stage.map_or(0, Stage::table_bytes);
        let automaton = match stage {
            Some(stage) => stage.automaton(&key, self.tables, meter)?,
            None => self.tables.get(&key, meter)?,
        };
        meter.reserve_tables(table_bytes.saturating_add(automaton.bytes()))?;
        Ok(Some(automaton))
    }

    /// Starts building the tables and the automaton of `stage` in the background.
    pub fn build_in_background(&self, stage: &Stage, meter: &Meter<'_>) {
        let automaton = self.plan.automaton(Some(stage)).map(AnyTableKey::Automaton);
        for contents in stage.tables.iter().chain(&automaton) {
            self.tables.build_in_background(contents, meter);
        }
    }

    /// Calls `visitor` with the space of the plan and `heuristic`.
    pub fn with<V: InstanceVisitor>(&self, heuristic: &AnyHeuristic, visitor: V) -> V::Output {
        heuristic.visit(&self.plan.space, visitor)
    }

    /// Returns the tracer that reports the nodes of a search in `space` to `watch`.
    pub fn tracer<'w, S: BoardSpace>(
        &self,
        space: &'w S,
        watch: &'w mut Watcher<'_>,
    ) -> BoardTracer<'w, S> {
        let algorithm = self.plan.algorithm;
        let unit = match algorithm.guarantee {
            Guarantee::WithinWeight => self.plan.weight.evaluation().g_weight,
            _ => 1,
        };
        BoardTracer::new(space, watch, unit, algorithm.uses_heuristic || algorithm.uses_table)
    }

    /// Returns an empty closed list of the kind that the plan specifies.
    ///
    /// # Errors
    /// Returns [`Stop::Memory`] if it would take more memory than allowed.
    pub fn closed_list<S: BoardSpace>(
        &self,
        space: &S,
        meter: &mut Meter<'_>,
    ) -> Result<AnyClosedList<S>, Stop> {
        self.tables.closed_list(self.plan.closed, space, meter)
    }
}
