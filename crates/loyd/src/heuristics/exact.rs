//! `exact`: also the table that the algorithm `table` reads.

use std::ops::RangeInclusive;
use std::sync::Arc;

use loyd_heuristics::pdb::Orientation;
use loyd_heuristics::threads::among;
use loyd_kernels::{Cpu, ExactDistance, ExactEight, ExactTable};
use loyd_search::{DistanceTable, Meter, Stop, retrograde};
use loyd_tiles::{Board, Cell, Metric, PartialGoal, Relabelling, Size};

use super::any::AnyHeuristic;
use super::row::HeuristicRow;
use crate::config::Config;
use crate::error::Error;
use crate::problem::Problem;
use crate::space::{AnySpace, in_space};
use crate::store::{LoadedTable, Store};
use crate::tables::{Cached, Tables};

/// No array is larger: what would need more is refused, not tried.
pub(crate) const LARGEST_ARRAY: u64 = 1 << 40;

/// The most bytes that a table takes for each state.
const STATE_BYTES: u64 = 2;

/// Boards whose table is built by a kernel: on smaller ones there is nothing to gain, and larger ones have
/// too many states.
const KERNEL_CELLS: RangeInclusive<usize> = 10..=ExactTable::MAX_CELLS;

/// From so many boards on, a table for boards of twelve cells pays: it takes 0.2 to 0.4 s to build, and a
/// search with pattern databases 0.03 to 0.07 ms.
pub(crate) const MANY: u64 = 5_000;

pub(crate) static EXACT: HeuristicRow = HeuristicRow {
    name: "exact",
    summary: "the true distance, from a table of all states",
    slides: true,
    partial_goals: true,
    solvable_only: true,
    memory: "22 KB for 3x3, else 1 bit to 2 bytes a state",
    source: "Schofield 1967",
    check: |setting| match is_built_in(setting.space)
        || setting.space.fits(STATE_BYTES, LARGEST_ARRAY)
    {
        true => Ok(()),
        false => Err(too_many_states(
            setting.space,
            "an exact table",
            "idastar with linear-conflict does not",
        )),
    },
    make: |setting, _, tables, meter| exact(setting.space, tables, meter),
    ..HeuristicRow::PLAIN
};

/// The error for `what` needs a place for each state of `space`, of which there are too many.
pub(crate) fn too_many_states(
    space: &AnySpace,
    what: &'static str,
    instead: &'static str,
) -> Error {
    let states = match space.state_count() {
        Some(states) => format!("{states} states"),
        None => "more states than 64 bits can number".to_owned(),
    };
    Error::TooManyStates { what, size: space.size(), states, instead }
}

/// Whether the distances of all states are part of the program.
pub(crate) fn is_built_in(space: &AnySpace) -> bool {
    matches!(space, AnySpace::Eight(_))
}

/// Whether the exact table is the quickest way to solve the boards of `config`, if they have `size` and
/// nothing else is asked for.
///
/// On ten cells it is built sooner than pattern databases are.
pub(crate) fn pays(config: &Config, size: Size) -> bool {
    let worth = match size.cells() {
        10 | 11 => true,
        12 => size.is_line() || config.boards.unwrap_or(1) >= MANY,
        _ => false,
    };
    worth && ExactTable::build_bytes(size) <= config.max_bytes()
}

/// The true distance in `space`; its table is built within the limits of `meter` if it is not there yet.
pub(crate) fn exact(
    space: &AnySpace,
    tables: &Tables,
    meter: &mut Meter<'_>,
) -> Result<AnyHeuristic, Stop> {
    if let AnySpace::Eight(space) = space {
        return Ok(ExactEight::new(space).into());
    }
    let labels = space.relabelling();
    let goal = labels.goal();
    let by_kernel = space.metric() == Metric::SingleTile
        && space.partial_goal().is_none()
        && KERNEL_CELLS.contains(&space.size().cells());
    if let Some(orientation) = Orientation::new(labels).filter(|_| by_kernel) {
        let key = KernelKey { size: orientation.size(), blank: orientation.blank() };
        return Ok(Arc::new(ExactDistance::new(tables.get(&key, meter)?, labels)).into());
    }
    let key = PlainKey {
        goal: match space.partial_goal() {
            Some(partial) => (goal.clone(), Some(partial.clone())),
            // Tiles are known by their goal cells, so only the blank tells one goal from another.
            None => (Board::in_order(goal.size(), goal.blank()), None),
        },
        metric: space.metric(),
    };
    Ok(tables.get(&key, meter)?.into())
}

/// A table that the kernel builds, in canonical orientation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct KernelKey {
    size: Size,
    blank: u8,
}

impl Cached for KernelKey {
    type Table = ExactTable;

    fn obtain(
        &self,
        _: &Store,
        threads: usize,
        meter: &mut Meter<'_>,
    ) -> Result<LoadedTable<ExactTable>, Stop> {
        let goal = Board::in_order(self.size, Cell::new(self.blank.into()));
        let orientation = Orientation::new(&Relabelling::new(&goal)).ok_or(Stop::Memory)?;
        let build = || ExactTable::build(&orientation, Cpu::in_use(), meter);
        Ok(LoadedTable::built(among(threads, build)??))
    }

    fn bytes(table: &ExactTable) -> u64 {
        table.bytes()
    }
}

/// Any other table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct PlainKey {
    goal: (Board, Option<PartialGoal>),
    metric: Metric,
}

impl Cached for PlainKey {
    type Table = DistanceTable;

    fn obtain(
        &self,
        _: &Store,
        _: usize,
        meter: &mut Meter<'_>,
    ) -> Result<LoadedTable<DistanceTable>, Stop> {
        let (board, partial) = &self.goal;
        let problem = Problem::to_goal_of(board, partial.as_ref());
        let space = AnySpace::new(&problem, self.metric);
        Ok(LoadedTable::built(in_space!(&space, space => retrograde(space, meter))?))
    }

    fn bytes(table: &DistanceTable) -> u64 {
        STATE_BYTES * table.distances().len() as u64
    }
}
