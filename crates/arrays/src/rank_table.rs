//! Distance tables with one byte per arrangement, for small boards.

use std::mem::{replace, take};

use loyd::board::Cell;
use loyd::engine::Meter;
use loyd::moves::Metric;
use loyd::search::Stop;
use loyd::{Board, Move, Size};

use crate::ranks::{MAX_SMALL_CELLS, each_small_rank, factorial, small_rank};
use crate::rows::{InvalidRows, RowError, Rows};

/// Distance of a row that is not a board or is unsolvable.
const NONE: u8 = u8::MAX;

/// Distances of all boards of up to ten cells from one goal, and the first moves of their shortest solutions.
///
/// Layout: two byte arrays indexed by Cantor rank, covering unsolvable arrangements too: 726 KB for 3x3, 7 MB for 2x5.
/// A query is a single lookup.
///
/// # References
/// Schofield (1967), "Complete solution of the 'Eight-Puzzle'", Machine Intelligence 1.
#[derive(Debug)]
pub struct RankTable {
    size: Size,
    goal: Box<[u8]>,
    /// By rank; the last entry is for rows that are not boards.
    distances: Box<[u8]>,
    first_moves: Box<[u8]>,
}

impl RankTable {
    /// Maximum number of cells of a board.
    pub const MAX_CELLS: usize = MAX_SMALL_CELLS;

    /// Computes the distances from `goal` by breadth-first search.
    ///
    /// Cost: 10 ms for 3x3, 0.1 s for 2x5.
    ///
    /// # Errors
    /// Returns the limit that was reached.
    ///
    /// # Panics
    /// Panics if the goal has more than [`MAX_CELLS`](Self::MAX_CELLS) cells.
    pub fn new(goal: &Board, metric: Metric, meter: &mut Meter<'_>) -> Result<Self, Stop> {
        let size = goal.size();
        let arrangements = factorial(size.cells());
        meter.reserve_tables(2 * (arrangements + 1))?;
        let mut distances = vec![NONE; arrangements as usize + 1].into_boxed_slice();
        let mut first_moves = vec![0; distances.len()].into_boxed_slice();
        let start = Row::new(goal);
        distances[start.rank()] = 0;
        let (mut layer, mut next) = (vec![start], Vec::new());
        for distance in 1.. {
            for row in &layer {
                meter.expand()?;
                row.each_child(size, metric, |m, child| {
                    let rank = child.rank();
                    let known = &mut distances[rank];
                    if *known == NONE {
                        *known = distance;
                        next.push(child);
                    }
                    if *known == distance {
                        first_moves[rank] |= 1 << m.inverse().index();
                    }
                });
            }
            layer = replace(&mut next, take(&mut layer));
            next.clear();
            if layer.is_empty() {
                break;
            }
        }
        Ok(Self { size, goal: goal.bytes().collect(), distances, first_moves })
    }

    /// Returns the size of the table in bytes.
    pub fn bytes(&self) -> u64 {
        2 * self.distances.len() as u64
    }

    /// Writes the distance of each row; 255 for masked rows.
    ///
    /// Cost: about 7 ns per row of 3x3.
    ///
    /// # Errors
    /// Returns the fault of the first row that is not a board or is unsolvable, with [`InvalidRows::Reject`].
    ///
    /// # Panics
    /// Panics if the rows have a different size than the goal.
    pub fn distances(
        &self,
        rows: Rows<'_>,
        invalid: InvalidRows,
        out: &mut [u8],
    ) -> Result<(), RowError> {
        self.look_up(rows, &self.distances, |row, distance| out[row] = distance);
        rows.reject(out.iter().position(|&distance| distance == NONE), invalid)
    }

    /// Writes for each row the directions that reduce the distance: none at the goal or for masked rows.
    ///
    /// # Errors
    /// See [`distances`](Self::distances).
    ///
    /// # Panics
    /// Panics if the rows have a different size than the goal.
    pub fn first_moves(
        &self,
        rows: Rows<'_>,
        invalid: InvalidRows,
        out: &mut [[bool; 4]],
    ) -> Result<(), RowError> {
        let mut first_invalid = None;
        self.look_up(rows, &self.first_moves, |row, mask| {
            if mask == 0 && first_invalid.is_none() && rows.get(row) != &*self.goal {
                first_invalid = Some(row);
            }
            out[row] = flags(mask);
        });
        rows.reject(first_invalid, invalid)
    }

    /// Calls `visit` with the index of each row and its entry in `table`.
    fn look_up(&self, rows: Rows<'_>, table: &[u8], mut visit: impl FnMut(usize, u8)) {
        assert_eq!(rows.size(), self.size, "the rows must have the size of the goal");
        let mut row = 0;
        each_small_rank(rows, |ranks| {
            for &rank in ranks {
                visit(row, table[rank as usize]);
                row += 1;
            }
        });
    }
}

/// Expands a mask of four bits into flags.
#[inline]
pub fn flags(mask: u8) -> [bool; 4] {
    std::array::from_fn(|bit| mask >> bit & 1 == 1)
}

/// A board as a fixed-size array.
#[derive(Clone, Copy)]
struct Row {
    numbers: [u8; MAX_SMALL_CELLS],
    blank: u8,
    cells: u8,
}

impl Row {
    fn new(board: &Board) -> Self {
        let mut numbers = [0; MAX_SMALL_CELLS];
        numbers.iter_mut().zip(board.bytes()).for_each(|(to, number)| *to = number);
        Self { numbers, blank: board.blank().index() as u8, cells: board.size().cells() as u8 }
    }

    fn rank(&self) -> usize {
        small_rank(&self.numbers[..usize::from(self.cells)])
    }

    /// Calls `visit` with each child and the direction in which the blank moved.
    fn each_child(&self, size: Size, metric: Metric, mut visit: impl FnMut(Move, Self)) {
        for m in Move::ALL {
            let mut child = *self;
            let mut blank = Cell::new(self.blank.into());
            while let Some(to) = size.neighbour(blank, m) {
                child.numbers.swap(blank.index(), to.index());
                (blank, child.blank) = (to, to.index() as u8);
                visit(m, child);
                if metric == Metric::SingleTile {
                    break;
                }
            }
        }
    }
}
