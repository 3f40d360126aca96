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

use super::part::LabelOptions;

/// Distances of all boards from one goal, in single-tile moves, for boards of up to 12 cells.
#[derive(Debug)]
pub struct ExactLabels {
    space: ArraySpace<16>,
    /// Label of each tile, by tile number.
    labels: Vec<u8>,
    table: Table,
}

#[derive(Debug)]
enum Table {
    /// One distance per state, for small state spaces: a single lookup.
    Distances(DistanceTable),
    /// One bit per state: a walk to the goal yields the distance and a solution.
    Bitmap(ExactDistance),
}

/// Table entry of a board.
#[derive(Clone, Debug, Default)]
pub struct BoardLabels {
    pub distance: usize,
    /// First moves of shortest solutions, if requested.
    pub first_moves: Option<MoveSet>,
    /// A shortest solution, if requested.
    pub solution: Option<Vec<Move>>,
}

impl ExactLabels {
    /// Builds the table for `goal`. Returns `None` if the board is too large or the metric is not single-tile.
    /// Solutions are available only if `options` includes them.
    pub fn new(
        goal: &Board,
        options: &LabelOptions,
        config: &Config,
        cancel: &CancelToken,
    ) -> Result<Option<Self>, Stop> {
        /// Number of boards of the 8-puzzle, whose distances fit the L2 cache.
        const MAX_DISTANCE_TABLE_STATES: u64 = 181_440;
        let cells = goal.size().cells();
        if config.metric != Metric::SingleTile || cells > ExactTable::MAX_CELLS {
            return Ok(None);
        }
        let space = ArraySpace::<16>::new(goal);
        // The limit of expanded nodes applies to searches for single boards, not to building the table.
        let limits = Limits { max_expanded: None, ..config.limits };
        let mut meter = Meter::with_clock(config.clock, limits, cancel.clone());
        let table = match space.state_count() {
            Some(..=MAX_DISTANCE_TABLE_STATES) if !options.solutions => {
                Table::Distances(retrograde(&space, &mut meter)?)
            }
            _ => Table::Bitmap(build_bitmap(&space, config.threads, &mut meter)?),
        };
        let mut labels = vec![0; cells];
        for &tile in goal.tiles().iter().filter(|tile| !tile.is_blank()) {
            labels[tile.index()] = space.relabelling().label(tile);
        }
        Ok(Some(Self { space, labels, table }))
    }

    /// Returns the size of the table in bytes.
    pub fn bytes(&self) -> u64 {
        match &self.table {
            Table::Bitmap(table) => table.table().bytes(),
            Table::Distances(table) => 2 * table.distances().len() as u64,
        }
    }

    /// Passes the number of each board and its distance to `each`. A board is given as its tile numbers in reading
    /// order, 0 for the blank, and must be solvable.
    pub fn distances<'a>(
        &self,
        boards: impl Iterator<Item = &'a [u8]>,
        mut each: impl FnMut(usize, u8),
    ) {
        match &self.table {
            Table::Bitmap(table) => {
                let positions = boards.map(|board| self.position(table, board));
                table.distances(positions, |number, distance| each(number, distance as u8));
            }
            Table::Distances(table) => {
                for (number, board) in boards.enumerate() {
                    each(number, table.distance(&self.space, &self.state(board)) as u8);
                }
            }
        }
    }

    /// Returns the moves that reduce the distance of a board, given as in [`distances`](Self::distances).
    pub fn first_moves_of(&self, board: &[u8]) -> MoveSet {
        match &self.table {
            Table::Bitmap(table) => table.first_moves_from(&self.position(table, board)),
            Table::Distances(_) => self.first_moves(&self.state(board)),
        }
    }

    fn state(&self, board: &[u8]) -> ArrayState<16> {
        let board = Board::from_bytes(self.space.size(), board);
        self.space.encode(&board.expect("the tile numbers form a board"))
    }

    /// Returns the position of a board in the orientation of the table.
    fn position(&self, table: &ExactDistance, board: &[u8]) -> Position {
        let label = |cell: Cell| match board[cell.index()] {
            0 => None,
            number => Some(self.labels[usize::from(number)]),
        };
        table.orientation().position_of(self.space.size(), label)
    }

    /// Returns the labels in `options` for each board.
    pub fn look_up(&self, boards: &[Board], options: &LabelOptions) -> Vec<BoardLabels> {
        let states: Vec<_> = boards.iter().map(|board| self.space.encode(board)).collect();
        let mut found = vec![BoardLabels::default(); boards.len()];
        match &self.table {
            Table::Distances(table) => {
                for (found, state) in found.iter_mut().zip(&states) {
                    found.distance = table.distance(&self.space, state) as usize;
                }
            }
            Table::Bitmap(table) => table.paths(&self.space, &states, |number, path| {
                found[number].distance = path.len();
                found[number].solution = options.solutions.then(|| path.to_vec());
            }),
        }
        if options.first_moves {
            for (found, state) in found.iter_mut().zip(&states) {
                found.first_moves = Some(self.first_moves(state));
            }
        }
        found
    }

    /// Returns all moves that reduce the distance.
    fn first_moves(&self, state: &ArrayState<16>) -> MoveSet {
        match &self.table {
            Table::Bitmap(table) => table.first_moves(&self.space, state),
            Table::Distances(table) => {
                let distance = |state| table.distance(&self.space, &state);
                let here = distance(*state);
                let moves = self.space.actions(state).into_iter();
                moves.filter(|&m| distance(self.space.successor(state, m)) < here).collect()
            }
        }
    }
}

/// Builds the table with one bit per board.
fn build_bitmap(
    space: &ArraySpace<16>,
    threads: usize,
    meter: &mut Meter<'_>,
) -> Result<ExactDistance, Stop> {
    let labels = space.relabelling();
    let orientation =
        Orientation::new(labels).expect("boards of up to 16 cells have an orientation");
    meter.reserve_tables(ExactTable::build_bytes(orientation.size()))?;
    // Not the global pool: in a forked process its threads do not exist, and the build would wait for them forever.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|_| Stop::Memory)?;
    let table =
        pool.install(|| ExactTable::build(&orientation, Cpu::from_env_or_detect(), meter))?;
    Ok(ExactDistance::new(Arc::new(table), labels))
}
