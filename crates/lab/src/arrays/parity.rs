//! Whether boards can be solved, of many rows.

use loyd::Board;
use loyd::board::Cell;

use super::ranks::each_parity;
use super::rows::{Fault, Invalid, Rows};

/// Tells of rows whether the goal can be reached from them.
#[derive(Clone, Debug)]
pub struct Parity {
    /// By cell: whether it has another colour than that of the goal's blank, as on a chessboard.
    colours: Vec<u8>,
    /// Whether an odd number of pairs of the goal are in the wrong order.
    odd: u8,
    /// Where tiles can only follow each other: the tiles of the goal in order.
    order: Option<Vec<u8>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Solvable,
    Unsolvable,
    NoBoard,
}

impl Parity {
    /// For boards that lead to `goal`.
    pub fn new(goal: &Board) -> Self {
        let (size, numbers) = (goal.size(), goal.numbers().collect::<Vec<_>>());
        let colour = |cell: Cell| (size.distance(cell, goal.blank()) % 2) as u8;
        let colours: Vec<u8> = size.iter_cells().map(colour).collect();
        let mut odd = 0;
        each_parity(Rows::new(size, &numbers), &colours, |_, goal| odd = goal.pairs & 1);
        let tiles = || numbers.iter().copied().filter(|&number| number != 0).collect();
        Self { colours, odd, order: size.is_line().then(tiles) }
    }

    /// Writes which rows can be solved; a row that is masked cannot.
    ///
    /// Cost: some ten nanoseconds a row of 4x4.
    ///
    /// # Errors
    /// The first row that is no board, if these are refused.
    pub fn are_solvable(
        &self,
        rows: Rows<'_>,
        invalid: Invalid,
        out: &mut [bool],
    ) -> Result<(), Fault> {
        let mut refused = None;
        self.each(rows, |row, verdict| {
            out[row] = verdict == Verdict::Solvable;
            if verdict == Verdict::NoBoard && refused.is_none() {
                refused = Some(row);
            }
        });
        match refused {
            Some(row) if invalid == Invalid::Refused => Err(rows.fault(row)),
            _ => Ok(()),
        }
    }

    /// The numbers of the rows that can be solved.
    ///
    /// # Errors
    /// The first other row, if these are refused.
    pub fn solvable(&self, rows: Rows<'_>, invalid: Invalid) -> Result<Vec<usize>, Fault> {
        let (mut solvable, mut other) = (Vec::with_capacity(rows.len()), None);
        self.each(rows, |row, verdict| match verdict {
            Verdict::Solvable => solvable.push(row),
            _ => other = other.or(Some(row)),
        });
        match other {
            Some(row) if invalid == Invalid::Refused => Err(rows.fault(row)),
            _ => Ok(solvable),
        }
    }

    fn each(&self, rows: Rows<'_>, mut visit: impl FnMut(usize, Verdict)) {
        // Each move is an exchange, and takes the blank to a cell of the other colour.
        each_parity(rows, &self.colours, |row, found| {
            let can_be_solved = match &self.order {
                Some(order) => rows.get(row).iter().filter(|&&number| number != 0).eq(order),
                None => (found.pairs ^ found.colour ^ self.odd) & 1 == 0,
            };
            visit(
                row,
                match (found.wrong, can_be_solved) {
                    (0, true) => Verdict::Solvable,
                    (0, false) => Verdict::Unsolvable,
                    _ => Verdict::NoBoard,
                },
            );
        });
    }
}
