//! What a heuristic is to Loyd: a row of the registry.

use std::sync::{Arc, OnceLock};

use loyd_heuristics::AutomatonKey;
use loyd_heuristics::file::Contents;
use loyd_search::{Automaton, Meter, Stop};
use loyd_tiles::{Metric, Size};

use super::any::AnyHeuristic;
use crate::choices::Prune;
use crate::config::Config;
use crate::error::Error;
use crate::space::AnySpace;
use crate::tables::Tables;

/// One row of [`HEURISTICS`](crate::search::HEURISTICS).
#[derive(Debug)]
pub struct HeuristicRow {
    /// The name, as in `--heuristic`.
    pub name: &'static str,
    /// What it estimates, in a line.
    pub summary: &'static str,
    /// Whether it never exceeds the true distance, wherever it is offered.
    pub admissible: bool,
    /// Whether it never falls by more than a move costs.
    pub consistent: bool,
    /// Whether it is offered for the single-tile metric.
    pub steps: bool,
    /// Whether it is offered for the multi-tile metric, where a slide may bring several tiles nearer.
    pub slides: bool,
    /// Whether it is offered for partial goals: it can leave out tiles that may lie anywhere.
    pub partial_goals: bool,
    /// Whether it knows solvable boards only, so that it needs the parity test.
    pub solvable_only: bool,
    /// What it keeps in memory.
    pub memory: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// The sizes of boards that it is offered for.
    pub boards: Boards,
    /// What else a setting needs to have, beyond metric, kind of goal and size.
    pub(crate) check: fn(&Setting<'_>) -> Result<(), Error>,
    /// The stages of an iterative search that ends with this heuristic: at least one, this the last.
    pub(crate) stages: fn(&'static Self, &Setting<'_>) -> Result<Vec<Stage>, Error>,
    /// Makes the heuristic for a setting that it fits.
    pub(crate) make: Make,
}

/// Makes a heuristic with the tables of a stage; what it builds stays in [`Tables`].
pub(crate) type Make =
    fn(&Setting<'_>, &Stage, &Tables, &mut Meter<'_>) -> Result<AnyHeuristic, Stop>;

/// The sizes of boards that a heuristic is offered for.
#[derive(Clone, Copy, Debug)]
pub struct Boards {
    /// In words, as in `boards of at most 16 cells`.
    pub words: &'static str,
    /// Whether a size is among them.
    pub contains: fn(Size) -> bool,
}

impl Boards {
    /// All sizes.
    pub const ALL: Self = Self { words: "all boards", contains: |_| true };
}

/// A goal and a configuration: what a heuristic is made for.
#[derive(Clone, Copy)]
pub(crate) struct Setting<'a> {
    pub space: &'a AnySpace,
    pub config: &'a Config,
}

/// A heuristic to search with, and when to take the next one instead.
///
/// Tables that take long to build are not waited for: a search begins with what is there at once, and
/// better tables are built in the background. The limit is a number of expansions and not a time, so that
/// what a search does depends on the configuration alone.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    pub heuristic: &'static HeuristicRow,
    /// Its tables, if it has any that are kept in files.
    pub tables: Option<Contents>,
    /// The expansions after which the search begins again with the next stage; none in the last.
    pub expansion_limit: Option<u64>,
    /// What the search leaves out, if that differs from the plan.
    pub prune: Option<Prune>,
    /// The heuristic, once it is made, and the bytes of its tables.
    made: OnceLock<(AnyHeuristic, u64)>,
    /// The automaton that prunes the search, once it is made.
    automaton: OnceLock<Arc<Automaton>>,
}

impl HeuristicRow {
    /// A row with nothing special about it, for struct update: every row says what differs.
    pub(crate) const PLAIN: Self = Self {
        name: "",
        summary: "",
        admissible: true,
        consistent: true,
        steps: true,
        slides: false,
        partial_goals: false,
        solvable_only: false,
        memory: "none",
        source: "",
        boards: Boards::ALL,
        check: |_| Ok(()),
        stages: |row, _| Ok(vec![Stage::last(row, None)]),
        make: |_, _, _, _| Ok(AnyHeuristic::ZERO),
    };

    /// Whether it is offered for boards of `size`.
    pub fn fits(&self, size: Size) -> bool {
        (self.boards.contains)(size)
    }

    /// Whether it is offered where `metric` counts.
    pub fn holds_for(&self, metric: Metric) -> bool {
        match metric {
            Metric::SingleTile => self.steps,
            Metric::MultiTile => self.slides,
        }
    }

    /// Whether it can be made for `setting`.
    pub(crate) fn is_for(&self, setting: &Setting<'_>) -> bool {
        self.holds_for(setting.space.metric())
            && (self.partial_goals || setting.space.partial_goal().is_none())
            && self.fits(setting.space.size())
            && (self.check)(setting).is_ok()
    }
}

impl Stage {
    /// The last stage of a search, which goes on until it ends.
    pub fn last(heuristic: &'static HeuristicRow, tables: Option<Contents>) -> Self {
        let (made, automaton) = (OnceLock::new(), OnceLock::new());
        Self { heuristic, tables, expansion_limit: None, prune: None, made, automaton }
    }

    /// A stage that ends after so many expansions.
    pub fn limited(
        heuristic: &'static HeuristicRow,
        tables: Option<Contents>,
        expansions: u64,
    ) -> Self {
        Self { expansion_limit: Some(expansions), ..Self::last(heuristic, tables) }
    }

    /// Of the `stages` of a heuristic the one that tells about a board without a search: the last one, but not if
    /// its tables are a set of partitions that only hard boards need.
    pub fn telling(stages: &[Self]) -> Option<&Self> {
        let is_set = |stage: &Self| match &stage.tables {
            Some(Contents::Patterns(partition)) => partition.is_set(),
            _ => false,
        };
        match stages {
            [.., before, last] if is_set(last) && before.tables.is_some() => Some(before),
            _ => stages.last(),
        }
    }

    /// The same before anything is made.
    pub fn unmade(&self) -> Self {
        Self { made: OnceLock::new(), ..self.clone() }
    }

    /// The same with other tables, of so many bytes, and the heuristic that was made of them.
    pub fn with(&self, tables: Contents, heuristic: AnyHeuristic, bytes: u64) -> Self {
        Self { tables: Some(tables), made: OnceLock::from((heuristic, bytes)), ..self.clone() }
    }

    /// The heuristic, if a search has made it.
    pub fn made(&self) -> Option<&AnyHeuristic> {
        Some(&self.made.get()?.0)
    }

    /// The heuristic, made for `setting` by the first caller; `meter` then has the bytes of its tables
    /// reserved.
    pub fn heuristic(
        &self,
        setting: &Setting<'_>,
        tables: &Tables,
        meter: &mut Meter<'_>,
    ) -> Result<&AnyHeuristic, Stop> {
        if let Some((made, bytes)) = self.made.get() {
            meter.reserve_tables(*bytes)?;
            return Ok(made);
        }
        let made = (self.heuristic.make)(setting, self, tables, meter)?;
        Ok(&self.made.get_or_init(|| (made, meter.table_bytes())).0)
    }

    /// The bytes of its tables; 0 before they are made.
    pub fn table_bytes(&self) -> u64 {
        self.made.get().map_or(0, |&(_, bytes)| bytes)
    }

    /// The automaton of `key`, the one that prunes the search; made or taken from `tables` by the first caller.
    pub fn automaton(
        &self,
        key: &AutomatonKey,
        tables: &Tables,
        meter: &mut Meter<'_>,
    ) -> Result<Arc<Automaton>, Stop> {
        if let Some(automaton) = self.automaton.get() {
            return Ok(Arc::clone(automaton));
        }
        let automaton = tables.get(key, meter)?;
        Ok(Arc::clone(self.automaton.get_or_init(|| automaton)))
    }
}
