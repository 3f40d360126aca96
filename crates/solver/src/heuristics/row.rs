//! One row of the heuristic registry, and the stages of a search.

use std::sync::{Arc, OnceLock};

use loyd_heuristics::AutomatonKey;
use loyd_heuristics::file::AnyTableKey;
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
    /// Name, as in `--heuristic`.
    pub name: &'static str,
    /// Description, in one line.
    pub summary: &'static str,
    /// Whether it never exceeds the true distance, on all boards that it supports.
    pub admissible: bool,
    /// Whether it is consistent: it never decreases by more than the cost of a move.
    pub consistent: bool,
    /// Whether it supports the single-tile metric.
    pub steps: bool,
    /// Whether it supports the multi-tile metric, in which one slide may bring several tiles nearer to their goals.
    pub slides: bool,
    /// Whether it supports partial goals: it can ignore don't-care tiles.
    pub partial_goals: bool,
    /// Whether it is defined for solvable boards only, so that the parity test must come first.
    pub solvable_only: bool,
    /// Size and kind of its tables in memory.
    pub memory: &'static str,
    /// Author and year of the publication.
    pub source: &'static str,
    /// Supported sizes of boards.
    pub boards: Boards,
    /// Checks further requirements on a setting, beyond metric, kind of goal and size.
    pub(crate) check: fn(&Setting<'_>) -> Result<(), Error>,
    /// Returns the stages of an iterative search that ends with this heuristic: at least one, the last with this
    /// heuristic.
    pub(crate) stages: fn(&'static Self, &Setting<'_>) -> Result<Vec<Stage>, Error>,
    /// Makes the heuristic for a setting that it supports.
    pub(crate) make: Make,
}

/// Function that makes a heuristic with the tables of a stage. The tables that it builds are cached in [`Tables`].
pub(crate) type Make =
    fn(&Setting<'_>, &Stage, &Tables, &mut Meter<'_>) -> Result<AnyHeuristic, Stop>;

/// Sizes of boards that a heuristic supports.
#[derive(Clone, Copy, Debug)]
pub struct Boards {
    /// Description, as in `boards of at most 16 cells`.
    pub words: &'static str,
    /// Returns whether a size is supported.
    pub contains: fn(Size) -> bool,
}

impl Boards {
    /// All sizes.
    pub const ALL: Self = Self { words: "all boards", contains: |_| true };
}

/// The input for making a heuristic: a goal (as a space) and a configuration.
#[derive(Clone, Copy)]
pub(crate) struct Setting<'a> {
    pub space: &'a AnySpace,
    pub config: &'a Config,
}

/// A stage of a search: a heuristic, and a limit after which the next stage starts.
///
/// A search does not wait for tables that take long to build: it starts with a heuristic that is available immediately,
/// while better tables are built in the background. The limit is a number of expansions instead of a time, so that the
/// search depends on the configuration alone.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    pub heuristic: &'static HeuristicRow,
    /// Its tables, if they are of a kind that is kept in files.
    pub tables: Option<AnyTableKey>,
    /// Number of expansions after which the search starts again with the next stage; `None` in the last.
    pub expansion_limit: Option<u64>,
    /// Whether only hard boards need its tables if it follows other tables.
    pub is_for_hard_boards: bool,
    /// Whether its tables are built in the background of the stage before it, if there are several threads.
    pub is_built_ahead: bool,
    /// Pruning, if it differs from that of the plan.
    pub prune: Option<Prune>,
    /// The heuristic and the bytes of its tables, once made.
    made: OnceLock<(AnyHeuristic, u64)>,
    /// The automaton that prunes the search, once built.
    automaton: OnceLock<Arc<Automaton>>,
}

impl HeuristicRow {
    /// Default values for struct update syntax: each row lists only what differs.
    pub(crate) const DEFAULT: Self = Self {
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

    /// Returns whether it supports boards of `size`.
    pub fn fits(&self, size: Size) -> bool {
        (self.boards.contains)(size)
    }

    /// Returns whether it supports `metric`.
    pub fn supports_metric(&self, metric: Metric) -> bool {
        match metric {
            Metric::SingleTile => self.steps,
            Metric::MultiTile => self.slides,
        }
    }

    /// Returns whether it supports `setting`.
    pub(crate) fn supports(&self, setting: &Setting<'_>) -> bool {
        self.supports_metric(setting.space.metric())
            && (self.partial_goals || setting.space.partial_goal().is_none())
            && self.fits(setting.space.size())
            && (self.check)(setting).is_ok()
    }
}

impl Stage {
    /// Returns a last stage, which has no limit.
    pub fn last(heuristic: &'static HeuristicRow, tables: Option<AnyTableKey>) -> Self {
        let (made, automaton) = (OnceLock::new(), OnceLock::new());
        Self {
            heuristic,
            tables,
            expansion_limit: None,
            is_for_hard_boards: false,
            is_built_ahead: true,
            prune: None,
            made,
            automaton,
        }
    }

    /// Declares that only hard boards need the tables.
    pub fn for_hard_boards(self) -> Self {
        Self { is_for_hard_boards: true, ..self }
    }

    /// Lets all threads build the tables when the stage starts, because few boards ever need them.
    pub fn built_on_demand(self) -> Self {
        Self { is_built_ahead: false, ..self }
    }

    /// Limits the stage to this many expansions.
    pub fn limited_to(self, expansions: u64) -> Self {
        Self { expansion_limit: Some(expansions), ..self }
    }

    /// Returns the stage whose heuristic rates boards without a search: the last of `stages`, or the one before it if
    /// only hard boards need the tables of the last.
    pub fn rating_stage(stages: &[Self]) -> Option<&Self> {
        match stages {
            [.., before, last] if last.is_for_hard_boards && before.tables.is_some() => {
                Some(before)
            }
            _ => stages.last(),
        }
    }

    /// Returns a copy without its heuristic, which is made again when it is needed.
    pub fn unmade(&self) -> Self {
        Self { made: OnceLock::new(), ..self.clone() }
    }

    /// Returns a copy with other tables, and the heuristic made of them; `bytes` is the size of the tables.
    pub fn with(&self, tables: AnyTableKey, heuristic: AnyHeuristic, bytes: u64) -> Self {
        Self { tables: Some(tables), made: OnceLock::from((heuristic, bytes)), ..self.clone() }
    }

    /// Returns the heuristic if it has been made.
    pub fn made(&self) -> Option<&AnyHeuristic> {
        Some(&self.made.get()?.0)
    }

    /// Returns the heuristic; the first call makes it for `setting`. Reserves the bytes of its tables in `meter`.
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

    /// Returns the bytes of its tables; 0 before they are made.
    pub fn table_bytes(&self) -> u64 {
        self.made.get().map_or(0, |&(_, bytes)| bytes)
    }

    /// Returns the automaton of `key`, which prunes the search; the first call builds it or takes it from `tables`.
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
