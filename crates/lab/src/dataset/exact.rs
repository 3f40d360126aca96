//! Labels from a table of all distances.

use std::sync::Arc;

use loyd::engine::{
    ArraySpace, ArrayState, BoardSpace, DistanceTable, Meter, MoveSet, Rankable, StateSpace,
    retrograde,
};
use loyd::judge::Cpu;
use loyd::moves::Metric;
use loyd::search::{Limits, Stop};
use loyd::tables::pdb::Orientation;
use loyd::{Board, CancelToken, Config, Move};
use loyd_kernels::{ExactDistance, ExactTable};

use super::part::Wanted;

/// The distances of all boards from one goal in single tiles, for boards of up to 12 cells.
#[derive(Debug)]
pub struct Exact {
    space: ArraySpace<16>,
    table: Table,
}

#[derive(Debug)]
enum Table {
    /// A number for each state, where they are few: one look tells the distance.
    Numbers(DistanceTable),
    /// A bit for each state: a walk to the goal tells the distance and a solution.
    Bits(ExactDistance),
}

/// What the table says of a board.
#[derive(Clone, Debug, Default)]
pub struct Found {
    pub distance: usize,
    /// Where they are wanted.
    pub first_moves: Option<MoveSet>,
    /// A shortest solution, where it is wanted.
    pub solution: Option<Vec<Move>>,
}

impl Exact {
    /// Makes the table for `goal`, if there is one for such boards and this metric. It tells solutions only if these are
    /// `wanted`.
    pub fn new(
        goal: &Board,
        wanted: &Wanted,
        config: &Config,
        cancel: &CancelToken,
    ) -> Result<Option<Self>, Stop> {
        /// The boards of the 8-puzzle: their numbers fit the second cache.
        const FEW: u64 = 181_440;
        let cells = goal.size().cells();
        if config.metric != Metric::SingleTile || cells > ExactTable::MAX_CELLS {
            return Ok(None);
        }
        let space = ArraySpace::<16>::new(goal);
        // The number of expanded nodes is that of a search for one board.
        let limits = Limits { max_expanded: None, ..config.limits };
        let mut meter = Meter::timed_by(config.clock, limits, cancel.clone());
        let table = match space.state_count() {
            Some(..=FEW) if !wanted.solutions => Table::Numbers(retrograde(&space, &mut meter)?),
            _ => Table::Bits(bits(&space, &mut meter)?),
        };
        Ok(Some(Self { space, table }))
    }

    /// What is `wanted` of some boards.
    pub fn look_up(&self, boards: &[Board], wanted: &Wanted) -> Vec<Found> {
        let states: Vec<_> = boards.iter().map(|board| self.space.encode(board)).collect();
        let mut found = vec![Found::default(); boards.len()];
        match &self.table {
            Table::Numbers(table) => {
                for (found, state) in found.iter_mut().zip(&states) {
                    found.distance = table.distance(&self.space, state) as usize;
                }
            }
            Table::Bits(table) => table.paths(&self.space, &states, |number, path| {
                found[number].distance = path.len();
                found[number].solution = wanted.solutions.then(|| path.to_vec());
            }),
        }
        if wanted.first_moves {
            for (found, state) in found.iter_mut().zip(&states) {
                found.first_moves = Some(self.first_moves(state));
            }
        }
        found
    }

    /// All moves that come nearer.
    fn first_moves(&self, state: &ArrayState<16>) -> MoveSet {
        match &self.table {
            Table::Bits(table) => table.first_moves(&self.space, state),
            Table::Numbers(table) => {
                let distance = |state| table.distance(&self.space, &state);
                let here = distance(*state);
                let moves = self.space.actions(state).into_iter();
                moves.filter(|&m| distance(self.space.successor(state, m)) < here).collect()
            }
        }
    }
}

/// The table with a bit for each board.
fn bits(space: &ArraySpace<16>, meter: &mut Meter<'_>) -> Result<ExactDistance, Stop> {
    let labels = space.relabelling();
    let orientation = Orientation::new(labels).expect("there is one for up to 16 cells");
    meter.reserve_tables(ExactTable::build_bytes(orientation.size()))?;
    let table = ExactTable::build(&orientation, Cpu::in_use(), meter)?;
    Ok(ExactDistance::new(Arc::new(table), labels))
}
