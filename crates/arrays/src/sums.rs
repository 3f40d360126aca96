//! Sums of a number for each tile and its cell, such as Manhattan distance, of many rows.

use crate::ranks::Parity;
use crate::rows::{InvalidRows, RowError, Rows};

/// The summand of each number on each cell of a board.
#[derive(Clone, Debug)]
pub struct TileSums {
    cells: usize,
    /// Summand of `number` on `cell`, at `cell * cells + number`.
    summands: Vec<u16>,
}

impl TileSums {
    /// Creates the sums of these summands, of each number on the first cell, then on the second, and so on. Returns
    /// `None` if a sum may exceed 16 bits.
    ///
    /// # Panics
    /// Panics if there is not a summand for each number on each of `cells` cells.
    pub fn new(cells: usize, summands: &[u32]) -> Option<Self> {
        assert_eq!(summands.len(), cells * cells, "each number needs a summand on each cell");
        let largest = summands.iter().max().copied().unwrap_or(0) as usize;
        if largest * cells >= usize::from(u16::MAX) {
            return None;
        }
        Some(Self { cells, summands: summands.iter().map(|&summand| summand as u16).collect() })
    }

    /// Writes the sum of each solvable row; the largest number for masked rows.
    ///
    /// Cost: about 20 ns per row of 4x4, half of them for the check that the row is solvable.
    ///
    /// # Errors
    /// Returns the fault of the first row that is not a board or is unsolvable, with [`InvalidRows::Reject`].
    pub fn sums(
        &self,
        parity: &Parity,
        rows: Rows<'_>,
        invalid: InvalidRows,
        out: &mut [u16],
    ) -> Result<(), RowError> {
        match self.cells {
            9 => self.sums_of(9, parity, rows, invalid, out),
            16 => self.sums_of(16, parity, rows, invalid, out),
            cells => self.sums_of(cells, parity, rows, invalid, out),
        }
    }

    /// [`sums`](Self::sums), inlined for constant `cells`, so that the loop over the cells is unrolled.
    #[inline(always)]
    fn sums_of(
        &self,
        cells: usize,
        parity: &Parity,
        rows: Rows<'_>,
        invalid: InvalidRows,
        out: &mut [u16],
    ) -> Result<(), RowError> {
        out.fill(u16::MAX);
        for row in parity.solvable_rows(rows, invalid)? {
            let numbers = &rows.bytes()[row * cells..][..cells];
            let summands = self.summands.chunks_exact(cells).zip(numbers);
            let of = |(on_cell, &number): (&[u16], &u8)| on_cell[usize::from(number)];
            // `new` has checked that sums do not overflow.
            out[row] = summands.map(of).fold(0, u16::wrapping_add);
        }
        Ok(())
    }
}
