//! What an algorithm is to Loyd: a row of the registry, what it is given, and what it returns.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use loyd_heuristics::AutomatonKey;
use loyd_heuristics::file::Contents;
use loyd_kernels::{PatternSearch, Progress};
use loyd_search::{
    AnyClosedList, Automaton, Closed, Direction, Limits, Meter, OpenList, Outcome, Stop,
};
use loyd_tiles::{BoardSpace, Metric, Move};

use crate::choices::{Prune, Weight};
use crate::config::Config;
use crate::heuristics::{AnyHeuristic, HeuristicRow, InstanceVisitor, Setting, Stage};
use crate::problem::Problem;
use crate::space::{AnySpace, in_space};
use crate::tables::Tables;
use crate::trace_event::{BoardTracer, Watcher};

/// What an algorithm promises about the length of its solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guarantee {
    /// Always shortest.
    Optimal,
    /// Shortest if the heuristic is admissible.
    OptimalIfAdmissible,
    /// At most the weight times as long as the shortest, if the heuristic is admissible.
    WithinWeight,
    /// None.
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
    /// The name, as in `--algorithm`.
    pub name: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// What it promises.
    pub guarantee: Guarantee,
    /// Whether it uses a heuristic.
    pub uses_heuristic: bool,
    /// Whether it keeps a closed list, whose kind can be chosen.
    pub uses_closed: bool,
    /// Whether it is depth-first: what it leaves out can be chosen.
    pub is_depth_first: bool,
    /// What it keeps in memory.
    pub memory: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Whether it reads an exact table, which knows solvable boards only.
    pub(crate) uses_table: bool,
    /// Whether it never ends without a limit on depth.
    pub(crate) needs_depth: bool,
    pub(crate) run: for<'a> fn(&Run<'a>, &mut Meter<'_>) -> Result<Finished<'a>, Stop>,
    /// The same search, which tells of each node.
    pub(crate) trace: Trace,
}

/// Runs an algorithm that tells of each node.
pub(crate) type Trace =
    for<'a> fn(&Run<'a>, &mut Meter<'_>, &mut Watcher<'_>) -> Result<Finished<'a>, Stop>;

impl Algorithm {
    /// A row with nothing special about it, for struct update: every row says what differs.
    pub(crate) const PLAIN: Self = Self {
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

    /// The row as it is in the registry.
    ///
    /// The tests of the library itself get it without the search. A static is compiled whether it is used or not,
    /// so without this all searches would be compiled a second time for them.
    pub(crate) const fn registered(self) -> Self {
        match cfg!(test) {
            true => {
                const WHERE: &str = "a test that searches belongs in `tests`";
                let run = |_: &Run<'_>, _: &mut Meter<'_>| -> Result<Finished<'_>, Stop> {
                    panic!("{WHERE}")
                };
                Self { run, trace: |_, _, _| panic!("{WHERE}"), ..self }
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

/// A configuration with every choice made for the boards of one goal.
pub(crate) struct Plan {
    pub algorithm: &'static Algorithm,
    pub space: AnySpace,
    /// The heuristic that the search ends with; [`ZERO`](crate::heuristics::ZERO) if it uses none.
    pub heuristic: &'static HeuristicRow,
    /// Whether the heuristic never exceeds the true distance.
    pub admissible: bool,
    /// What leads the search in turn, the last stage with `heuristic`; empty if it uses none.
    pub stages: Vec<Stage>,
    pub weight: Weight,
    pub closed: Closed,
    /// What is left out of a depth-first search, with the length of words, unless its stage says something else; `None` of
    /// any other.
    pub prune: Option<Prune>,
    pub open: OpenList,
    pub limits: Limits,
    /// Threads that one search may use.
    pub threads: usize,
}

impl Plan {
    /// What counts as a move.
    pub fn metric(&self) -> Metric {
        self.space.metric()
    }

    /// What a search leaves out that `stage` leads; `None` if it is not depth-first.
    pub fn prune_in(&self, stage: Option<&Stage>) -> Option<Prune> {
        stage.and_then(|stage| stage.prune).or(self.prune)
    }

    /// The automaton that prunes the search that `stage` leads, if one does.
    pub fn automaton(&self, stage: Option<&Stage>) -> Option<AutomatonKey> {
        match self.prune_in(stage) {
            Some(Prune::Automaton { words }) => self.space.automaton(words),
            _ => None,
        }
    }

    /// These limits, with the depth of the plan if theirs is no less.
    pub fn within(&self, limits: Limits) -> Limits {
        let both = [self.limits.max_depth, limits.max_depth];
        Limits { max_depth: both.into_iter().flatten().min(), ..limits }
    }

    /// Whether solutions are proved to be shortest ones.
    pub fn proves_shortest(&self) -> bool {
        match self.algorithm.guarantee {
            Guarantee::Optimal => true,
            Guarantee::OptimalIfAdmissible => self.admissible,
            Guarantee::WithinWeight => self.weight.is_one() && self.admissible,
            Guarantee::Nothing => false,
        }
    }
}

/// What an algorithm works on: a problem with every choice made.
#[derive(Clone, Copy)]
pub(crate) struct Run<'a> {
    pub problem: &'a Problem,
    pub plan: &'a Plan,
    /// The stages of the plan that lead an iterative search in turn: all, or the last ones.
    pub stages: &'a [Stage],
    pub config: &'a Config,
    pub tables: &'a Tables,
    /// The end at which it begins.
    pub direction: Direction,
    /// The end at which it has to begin, if one is asked for, or was chosen before.
    pub towards: Option<Direction>,
    /// The same from the other end, where the search may begin there.
    pub back: Option<&'a Back>,
    /// Keeps what it takes to continue, where that is wanted.
    pub keeper: Option<&'a dyn Keeper>,
    /// A search that can be put aside begins no round after rounds of so many expansions.
    pub rounds_until: Option<u64>,
}

/// A problem with start and goal exchanged, and every choice made.
pub(crate) struct Back {
    pub problem: Problem,
    pub plan: Plan,
    /// The tables that were chosen for the board, once that has been tried.
    pub fitted: OnceLock<Option<Fitted>>,
}

impl Back {
    /// The tables that were chosen for the board, if some were.
    pub fn fitted(&self) -> Option<&Fitted> {
        self.fitted.get()?.as_ref()
    }
}

/// Tables that were chosen for a board, and the end at which a search with them begins.
pub(crate) struct Fitted {
    pub direction: Direction,
    pub stage: Stage,
}

/// How far a search was when it was put aside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Begun {
    /// The end at which it began; none if it has not begun, or was put aside while that end was tried.
    pub direction: Option<Direction>,
    pub progress: Progress,
    /// Whether all of it has been counted, because it was put aside a moment ago.
    pub is_counted: bool,
    pub fit: Fit,
}

/// What came of choosing tables for a board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Fit {
    #[default]
    NotTried,
    /// There are none that are better than those for all boards, or no room for them.
    InVain,
    /// This set of partitions, as [`Partition`](loyd_heuristics::pdb::Partition) writes it.
    Chosen(String),
}

/// Keeps how far a search is.
pub(crate) trait Keeper: Sync {
    /// How far it was when it was put aside.
    fn begin(&self) -> Begun;
    /// How often it wants to be told how far the search is.
    fn interval(&self) -> Duration;
    /// Keeps how far the search from this end is; from the start if the end is not chosen yet.
    fn keep(&self, direction: Option<Direction>, progress: &Progress);
    /// Tables were chosen for the board: what comes from now on is kept with them.
    fn fit(&self, fit: Fit);
    /// What was put aside cannot be continued by this search.
    fn refuse(&self);
}

/// How a run ended.
pub(crate) struct Finished<'a> {
    pub outcome: Outcome<Move>,
    /// The stage that led the search in the end, if it used a heuristic.
    pub stage: Option<&'a Stage>,
}

impl From<Outcome<Move>> for Finished<'_> {
    fn from(outcome: Outcome<Move>) -> Self {
        Self { outcome, stage: None }
    }
}

/// The automata of words of up to so many moves are small enough for the kernel for 4x4 boards.
const FIFTEEN_LONGEST_WORDS: u32 = 14;

impl<'a> Run<'a> {
    /// What heuristics are made for.
    pub fn setting(&self) -> Setting<'a> {
        Setting { space: &self.plan.space, config: self.config }
    }

    /// The same without the stages before `stage`.
    pub fn beginning_with(self, stage: &Stage) -> Self {
        let first = self.stages.iter().position(|other| std::ptr::eq(other, stage));
        Self { stages: &self.stages[first.unwrap_or(0)..], ..self }
    }

    /// The heuristic of `stage`, made within the limits of `meter` if it is not there yet.
    ///
    /// # Errors
    /// The limit that was reached; [`Stop::Tables`] if its tables do not lead from the start to the goal.
    pub fn checked_heuristic<'s>(
        &self,
        stage: &'s Stage,
        meter: &mut Meter<'_>,
    ) -> Result<&'s AnyHeuristic, Stop> {
        let heuristic = stage.heuristic(&self.setting(), self.tables, meter)?;
        let start = self.problem.start();
        let leads =
            in_space!(&self.plan.space, space => heuristic.leads_from(space, &space.encode(start)));
        if leads { Ok(heuristic) } else { Err(Stop::Tables) }
    }

    /// The same beside the tables that are reserved: of the two, the meter would only count the larger.
    ///
    /// # Errors
    /// As [`checked_heuristic`](Self::checked_heuristic); then nothing more is reserved than before.
    pub fn heuristic_beside<'s>(
        &self,
        stage: &'s Stage,
        meter: &mut Meter<'_>,
    ) -> Result<&'s AnyHeuristic, Stop> {
        let make =
            |meter: &mut Meter<'_>| (self.checked_heuristic(stage, meter), meter.table_bytes());
        let (heuristic, bytes) = meter.off_the_clock(make);
        let heuristic = heuristic?;
        if meter.left_to_reserve().is_some_and(|left| left < bytes) {
            return Err(Stop::Memory);
        }
        meter.reserve_tables(meter.table_bytes() + bytes)?;
        Ok(heuristic)
    }

    /// The same for IDA*: tables for which there is a kernel are left for the kernel to check, which walks down
    /// to the goal in any case. A second walk would take as long as a tenth of an average search.
    ///
    /// # Errors
    /// As [`checked_heuristic`](Self::checked_heuristic).
    pub fn heuristic<'s>(
        &self,
        stage: &'s Stage,
        meter: &mut Meter<'_>,
    ) -> Result<&'s AnyHeuristic, Stop> {
        let heuristic = stage.heuristic(&self.setting(), self.tables, meter)?;
        match (&self.plan.space, heuristic) {
            (AnySpace::Fifteen(_), AnyHeuristic::Patterns(sum))
                if PatternSearch::takes(sum.database())
                    && self
                        .plan
                        .automaton(Some(stage))
                        .is_none_or(|key| key.words() <= FIFTEEN_LONGEST_WORDS) =>
            {
                Ok(heuristic)
            }
            _ => self.checked_heuristic(stage, meter),
        }
    }

    /// The automaton that prunes the search that `stage` leads, if one does, made within the limits of `meter` if it is
    /// not there yet.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn automaton(
        &self,
        stage: Option<&Stage>,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Arc<Automaton>>, Stop> {
        let Some(key) = self.plan.automaton(stage) else { return Ok(None) };
        let beside = stage.map_or(0, Stage::table_bytes);
        let automaton = match stage {
            Some(stage) => stage.automaton(&key, self.tables, meter)?,
            None => self.tables.get(&key, meter)?,
        };
        meter.reserve_tables(beside.saturating_add(automaton.bytes()))?;
        Ok(Some(automaton))
    }

    /// Has the tables and the automaton of `stage` built while the caller searches.
    pub fn build_in_background(&self, stage: &Stage, meter: &Meter<'_>) {
        let automaton = self.plan.automaton(Some(stage)).map(Contents::Automaton);
        for contents in stage.tables.iter().chain(&automaton) {
            self.tables.build_in_background(contents, meter);
        }
    }

    /// Does what `visitor` is for in the space of the plan and with `heuristic`.
    pub fn with<V: InstanceVisitor>(&self, heuristic: &AnyHeuristic, visitor: V) -> V::Output {
        heuristic.visit(&self.plan.space, visitor)
    }

    /// What a search in `space` tells of its nodes.
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

    /// An empty closed list of the kind that the plan asks for.
    ///
    /// # Errors
    /// [`Stop::Memory`] if it would take more than allowed.
    pub fn closed_list<S: BoardSpace>(
        &self,
        space: &S,
        meter: &mut Meter<'_>,
    ) -> Result<AnyClosedList<S>, Stop> {
        self.tables.closed_list(self.plan.closed, space, meter)
    }
}
