//! A number for each board, where boards are few.

use std::mem::{replace, take};

use loyd::board::Cell;
use loyd::engine::Meter;
use loyd::moves::Metric;
use loyd::search::Stop;
use loyd::{Board, Move, Size};

use super::ranks::{SMALL, each_small, factorial, small};
use super::rows::{Fault, Invalid, Rows};

/// The distance of a row that is no board, or one that cannot be solved.
const NONE: u8 = u8::MAX;

/// The distance of each board of up to ten cells from one goal, and the moves with which its shortest solutions begin.
///
/// Shape: two arrays of a byte for each Cantor rank of an arrangement, whether or not it can be solved: 726 KB for 3x3,
/// 7 MB for 2x5. One look tells what is asked.
///
/// # References
/// Schofield (1967), "Complete solution of the 'Eight-Puzzle'", Machine Intelligence 1.
#[derive(Debug)]
pub struct NumberTable {
    size: Size,
    goal: Box<[u8]>,
    /// By rank, and last for what is no board.
    distances: Box<[u8]>,
    first_moves: Box<[u8]>,
}

impl NumberTable {
    /// The most cells of a board.
    pub const MAX_CELLS: usize = SMALL;

    /// Finds the distances from `goal`.
    ///
    /// Cost: 10 ms for 3x3, a tenth of a second for 2x5.
    ///
    /// # Errors
    /// The limit that was reached.
    ///
    /// # Panics
    /// If the goal has more than [`MAX_CELLS`](Self::MAX_CELLS) cells.
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
        Ok(Self { size, goal: goal.numbers().collect(), distances, first_moves })
    }

    /// The bytes that the table takes.
    pub fn bytes(&self) -> u64 {
        2 * self.distances.len() as u64
    }

    /// Writes the distance of each row; 255 for those that are masked.
    ///
    /// Cost: some seven nanoseconds a row of 3x3.
    ///
    /// # Errors
    /// The first row that is no board, or cannot be solved, if these are refused.
    ///
    /// # Panics
    /// If the rows are of another size.
    pub fn distances(&self, rows: Rows<'_>, invalid: Invalid, out: &mut [u8]) -> Result<(), Fault> {
        self.look_up(rows, &self.distances, |row, distance| out[row] = distance);
        match out.iter().position(|&distance| distance == NONE) {
            Some(row) if invalid == Invalid::Refused => Err(rows.fault(row)),
            _ => Ok(()),
        }
    }

    /// Writes for each row which directions come nearer: none at the goal, and where a row is masked.
    ///
    /// # Errors
    /// As those of [`distances`](Self::distances).
    ///
    /// # Panics
    /// If the rows are of another size.
    pub fn first_moves(
        &self,
        rows: Rows<'_>,
        invalid: Invalid,
        out: &mut [[bool; 4]],
    ) -> Result<(), Fault> {
        let mut suspect = None;
        self.look_up(rows, &self.first_moves, |row, mask| {
            if mask == 0 && suspect.is_none() && rows.get(row) != &*self.goal {
                suspect = Some(row);
            }
            out[row] = flags(mask);
        });
        match suspect {
            Some(row) if invalid == Invalid::Refused => Err(rows.fault(row)),
            _ => Ok(()),
        }
    }

    /// Calls `visit` with the number of each row and what `table` has of it.
    fn look_up(&self, rows: Rows<'_>, table: &[u8], mut visit: impl FnMut(usize, u8)) {
        assert_eq!(rows.size(), self.size, "the table is for another size");
        let mut row = 0;
        each_small(rows, |ranks| {
            for &rank in ranks {
                visit(row, table[rank as usize]);
                row += 1;
            }
        });
    }
}

/// The flags of a mask.
#[inline]
pub fn flags(mask: u8) -> [bool; 4] {
    std::array::from_fn(|bit| mask >> bit & 1 == 1)
}

/// A board as its numbers.
#[derive(Clone, Copy)]
struct Row {
    numbers: [u8; SMALL],
    blank: u8,
    cells: u8,
}

impl Row {
    fn new(board: &Board) -> Self {
        let mut numbers = [0; SMALL];
        numbers.iter_mut().zip(board.numbers()).for_each(|(to, number)| *to = number);
        Self { numbers, blank: board.blank().index() as u8, cells: board.size().cells() as u8 }
    }

    fn rank(&self) -> usize {
        small(&self.numbers[..usize::from(self.cells)])
    }

    /// Calls `visit` with each child and the direction of the blank.
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
