//! Labels from a table of all distances.

use std::sync::Arc;

use loyd::board::Cell;
use loyd::engine::{
    ArraySpace, ArrayState, BoardSpace, DistanceTable, Meter, MoveSet, Rankable, StateSpace,
    retrograde,
};
use loyd::judge::Cpu;
use loyd::moves::Metric;
use loyd::search::{Limits, Stop};
use loyd::tables::pdb::{Orientation, Position};
use loyd::{Board, CancelToken, Config, Move};
use loyd_kernels::{ExactDistance, ExactTable};

use super::part::Wanted;
use crate::arrays::Rows;

/// The distances of all boards from one goal in single tiles, for boards of up to 12 cells.
#[derive(Debug)]
pub struct Exact {
    space: ArraySpace<16>,
    /// By number of a tile: its label.
    labels: Vec<u8>,
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
            _ => Table::Bits(bits(&space, config.threads, &mut meter)?),
        };
        let mut labels = vec![0; cells];
        for &tile in goal.tiles().iter().filter(|tile| !tile.is_blank()) {
            labels[tile.index()] = space.relabelling().label(tile);
        }
        Ok(Some(Self { space, labels, table }))
    }

    /// The bytes that the table takes.
    pub fn bytes(&self) -> u64 {
        match &self.table {
            Table::Bits(table) => table.table().bytes(),
            Table::Numbers(table) => 2 * table.distances().len() as u64,
        }
    }

    /// Writes the distances of the rows `which`, all of which are boards that can be solved.
    pub fn distances(&self, rows: Rows<'_>, which: &[usize], out: &mut [u8]) {
        match &self.table {
            Table::Bits(table) => {
                let positions = which.iter().map(|&row| self.position(table, rows.get(row)));
                table.distances(positions, |index, distance| out[which[index]] = distance as u8);
            }
            Table::Numbers(table) => {
                for &row in which {
                    out[row] = table.distance(&self.space, &self.state(rows, row)) as u8;
                }
            }
        }
    }

    /// The moves that come nearer from a row, which is a board that can be solved.
    pub fn first_moves_of(&self, rows: Rows<'_>, row: usize) -> MoveSet {
        match &self.table {
            Table::Bits(table) => table.first_moves_from(&self.position(table, rows.get(row))),
            Table::Numbers(_) => self.first_moves(&self.state(rows, row)),
        }
    }

    fn state(&self, rows: Rows<'_>, row: usize) -> ArrayState<16> {
        self.space.encode(&rows.board(row).expect("the row is a board"))
    }

    /// A row, turned for the table.
    fn position(&self, table: &ExactDistance, row: &[u8]) -> Position {
        let label = |cell: Cell| match row[cell.index()] {
            0 => None,
            number => Some(self.labels[usize::from(number)]),
        };
        table.orientation().position_of(self.space.size(), label)
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
fn bits(
    space: &ArraySpace<16>,
    threads: usize,
    meter: &mut Meter<'_>,
) -> Result<ExactDistance, Stop> {
    let labels = space.relabelling();
    let orientation = Orientation::new(labels).expect("there is one for up to 16 cells");
    meter.reserve_tables(ExactTable::build_bytes(orientation.size()))?;
    // Not in the common pool, whose threads a process that is started by fork would wait for in vain.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|_| Stop::Memory)?;
    let table = pool.install(|| ExactTable::build(&orientation, Cpu::in_use(), meter))?;
    Ok(ExactDistance::new(Arc::new(table), labels))
}
