//! `exact`, whose table the algorithm `table` reads too.

use std::ops::RangeInclusive;
use std::sync::Arc;

use loyd_heuristics::pdb::Orientation;
use loyd_heuristics::threads::run_in_pool;
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

/// Maximum bytes of an array. Tables that would need more are refused without an attempt to allocate them.
pub(crate) const LARGEST_ARRAY: u64 = 1 << 40;

/// Maximum bytes that a table takes for each state.
const STATE_BYTES: u64 = 2;

/// Cells of boards whose table is built by a kernel: smaller boards gain nothing from it, and larger ones have too many
/// states.
const KERNEL_CELLS: RangeInclusive<usize> = 10..=ExactTable::MAX_CELLS;

/// Number of boards from which a table for boards of twelve cells pays off: it takes 0.2 to 0.4 s to build, and a
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
    ..HeuristicRow::DEFAULT
};

/// Returns the error that `what`, which has an entry for each state of `space`, would have too many of them.
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

/// Returns whether the distances of all states are compiled into the program.
pub(crate) fn is_built_in(space: &AnySpace) -> bool {
    matches!(space, AnySpace::Eight(_))
}

/// Returns whether the exact table is the fastest way to solve the boards of `config` if they have this size and the
/// user specified nothing else.
///
/// For ten cells it is built faster than pattern databases.
pub(crate) fn is_fastest(config: &Config, size: Size) -> bool {
    let worth = match size.cells() {
        10 | 11 => true,
        12 => size.is_line() || config.boards.unwrap_or(1) >= MANY,
        _ => false,
    };
    worth && ExactTable::build_bytes(size) <= config.max_bytes()
}

/// Returns the heuristic with the true distances in `space`. Its table is built within the limits of `meter` if it does
/// not exist yet.
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
            // Tiles are named by their goal cells, so goals differ in the blank's cell only.
            None => (Board::in_order(goal.size(), goal.blank()), None),
        },
        metric: space.metric(),
    };
    Ok(tables.get(&key, meter)?.into())
}

/// Key of a table that the kernel builds, in canonical orientation.
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
        let build = || ExactTable::build(&orientation, Cpu::from_env_or_detect(), meter);
        Ok(LoadedTable::built(run_in_pool(threads, build)??))
    }

    fn bytes(table: &ExactTable) -> u64 {
        table.bytes()
    }
}

/// Key of any other exact table.
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
