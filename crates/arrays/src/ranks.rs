//! Cantor ranks and solvability of many rows, which are compared in batches: one row per lane.

use loyd::board::{Cell, RankError, cantor_rank, cantor_unrank};
use loyd::{Board, Size};

use crate::rows::{InvalidRows, RowError, RowErrorKind, Rows};

/// Number of rows ranked at once, one per lane.
const LANES: usize = 32;

/// Maximum number of cells that [`each_small_rank`] supports.
pub const MAX_SMALL_CELLS: usize = 10;

/// Returns `n!`.
pub fn factorial(n: usize) -> u64 {
    (1..=n as u64).product()
}

/// Writes the Cantor rank of each row among all arrangements, the number that `loyd rank` prints; [`u64::MAX`] for
/// masked rows.
///
/// # Errors
/// Returns the fault of the first row that is not a board, with [`InvalidRows::Reject`], or an error if boards have
/// more than 20 cells.
pub fn rank(rows: Rows<'_>, invalid: InvalidRows, out: &mut [u64]) -> Result<(), RowError> {
    let mut first_invalid = None;
    let mut add = |row: usize, rank: Option<u64>| {
        out[row] = rank.unwrap_or(u64::MAX);
        if rank.is_none() && first_invalid.is_none() {
            first_invalid = Some(row);
        }
    };
    if rows.size().cells() <= MAX_SMALL_CELLS {
        let (none, mut row) = (factorial(rows.size().cells()), 0);
        each_small_rank(rows, |ranks| {
            for &rank in ranks {
                add(row, Some(rank.into()).filter(|&rank| rank != none));
                row += 1;
            }
        });
    } else {
        for row in 0..rows.len() {
            match cantor_rank(rows.get(row)) {
                Ok(rank) => add(row, Some(rank)),
                Err(RankError::NotAPermutation { .. }) => add(row, None),
                Err(error) => return Err(RowError { row, kind: RowErrorKind::Rank(error) }),
            }
        }
    }
    rows.reject(first_invalid, invalid)
}

/// Writes the boards of `size` with the given Cantor ranks, row by row.
///
/// # Errors
/// Returns an error for the first rank out of range, or if boards have more than 20 cells.
pub fn unrank(ranks: &[u64], size: Size, out: &mut [u8]) -> Result<(), RowError> {
    let cells = size.cells();
    for (row, (&rank, out)) in ranks.iter().zip(out.chunks_exact_mut(cells)).enumerate() {
        let board = cantor_unrank(cells, rank);
        out.copy_from_slice(
            &board.map_err(|error| RowError { row, kind: RowErrorKind::Rank(error) })?,
        );
    }
    Ok(())
}

/// Returns the Cantor rank of a board of at most [`MAX_SMALL_CELLS`] cells.
pub fn small_rank(row: &[u8]) -> usize {
    let mut seen = 0_u32;
    row.iter().enumerate().fold(0, |rank, (at, &number)| {
        let before = (seen & ((1 << number) - 1)).count_ones() as usize;
        seen |= 1 << number;
        rank * (row.len() - at) + usize::from(number) - before
    })
}

/// Calls `visit` with the Cantor ranks of rows of at most [`MAX_SMALL_CELLS`] cells, a batch at a time, in order. A row
/// that is not a board gets rank `n!`, past the largest valid rank.
///
/// Cost: about 5 ns per row.
pub fn each_small_rank(rows: Rows<'_>, visit: impl FnMut(&[u32])) {
    match rows.size().cells() {
        9 => each_rank(9, rows, visit),
        cells => each_rank(cells, rows, visit),
    }
}

/// [`each_small_rank`], inlined for constant `cells`.
#[inline(always)]
fn each_rank(cells: usize, rows: Rows<'_>, mut visit: impl FnMut(&[u32])) {
    assert!(cells <= MAX_SMALL_CELLS, "at most {MAX_SMALL_CELLS} cells are supported");
    let none = factorial(cells) as u32;
    each_block(cells, rows.bytes(), |columns, count| {
        let mut ranks = [0_u32; LANES];
        let wrong = compare(columns, |at, smaller| {
            for lane in 0..LANES {
                ranks[lane] = ranks[lane] * (cells - at) as u32 + u32::from(smaller[lane]);
            }
        });
        for lane in 0..LANES {
            ranks[lane] = if wrong[lane] == 0 { ranks[lane] } else { none };
        }
        visit(&ranks[..count]);
    });
}

/// Solvability test of rows for one goal.
#[derive(Clone, Debug)]
pub struct Parity {
    /// By cell: 1 if its chessboard colour differs from that of the goal's blank.
    colours: Vec<u8>,
    /// Parity of the goal's inversions.
    odd: u8,
    /// On a line, where tiles keep their order: the tiles of the goal in order.
    order: Option<Vec<u8>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Solvable,
    Unsolvable,
    NoBoard,
}

impl Parity {
    /// Prepares the test for `goal`.
    pub fn new(goal: &Board) -> Self {
        let (size, numbers) = (goal.size(), goal.bytes().collect::<Vec<_>>());
        let colour = |cell: Cell| (size.distance(cell, goal.blank()) % 2) as u8;
        let colours: Vec<u8> = size.iter_cells().map(colour).collect();
        let mut odd = 0;
        each_parity(Rows::new(size, &numbers), &colours, |_, goal| odd = goal.pairs & 1);
        let tiles = || numbers.iter().copied().filter(|&number| number != 0).collect();
        Self { colours, odd, order: size.is_line().then(tiles) }
    }

    /// Writes which rows are solvable; masked rows are not.
    ///
    /// Cost: about 10 ns per row of 4x4.
    ///
    /// # Errors
    /// Returns the fault of the first row that is not a board, with [`InvalidRows::Reject`].
    pub fn solvable_mask(
        &self,
        rows: Rows<'_>,
        invalid: InvalidRows,
        out: &mut [bool],
    ) -> Result<(), RowError> {
        let mut refused = None;
        self.each(rows, |row, verdict| {
            out[row] = verdict == Verdict::Solvable;
            if verdict == Verdict::NoBoard && refused.is_none() {
                refused = Some(row);
            }
        });
        rows.reject(refused, invalid)
    }

    /// Returns the indices of the solvable rows.
    ///
    /// # Errors
    /// Returns the fault of the first row that is not a board or is unsolvable, with [`InvalidRows::Reject`].
    pub fn solvable_rows(
        &self,
        rows: Rows<'_>,
        invalid: InvalidRows,
    ) -> Result<Vec<usize>, RowError> {
        let (mut solvable, mut other) = (Vec::with_capacity(rows.len()), None);
        self.each(rows, |row, verdict| match verdict {
            Verdict::Solvable => solvable.push(row),
            _ => other = other.or(Some(row)),
        });
        rows.reject(other, invalid).map(|()| solvable)
    }

    fn each(&self, rows: Rows<'_>, mut visit: impl FnMut(usize, Verdict)) {
        // Each move is a transposition and changes the colour of the blank's cell.
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

/// Properties of a row that decide whether it is solvable.
struct Inversions {
    /// 0 if the row is a board.
    wrong: u8,
    /// A number that is odd if that of the inverted pairs is.
    pairs: u8,
    /// Colour of the blank's cell.
    colour: u8,
}

/// Calls `visit` with the index and the inversions of each row. `colours` holds the colour of each cell.
fn each_parity(rows: Rows<'_>, colours: &[u8], visit: impl FnMut(usize, Inversions)) {
    // Small boards are compared faster.
    const BY_BITS: std::ops::RangeInclusive<usize> = MAX_SMALL_CELLS + 1..=64;
    match colours.len() {
        16 => each_parity_by_bits(&colours[..16], rows, visit),
        cells if BY_BITS.contains(&cells) => each_parity_by_bits(colours, rows, visit),
        _ => each_parity_of(colours, rows, visit),
    }
}

/// [`each_parity`] for boards of at most 64 cells, whose numbers are bits of a word: takes a time proportional to the number
/// of cells, whereas the comparisons of [`each_parity_of`] take one proportional to its square.
#[inline(always)]
fn each_parity_by_bits(colours: &[u8], rows: Rows<'_>, mut visit: impl FnMut(usize, Inversions)) {
    let cells = colours.len();
    for (row, numbers) in rows.bytes().chunks_exact(cells).enumerate() {
        let (mut seen, mut all, mut pairs, mut blank) = (0_u64, 0, 0, 0);
        // Bit `n` is set if an odd number of the numbers so far are larger than `n`.
        let mut odd = 0_u64;
        for (&number, &colour) in numbers.iter().zip(colours) {
            let bit = 1 << (number % 64);
            pairs ^= odd >> (number % 64);
            odd ^= bit - 1;
            seen |= bit;
            all |= number;
            blank |= if number == 0 { colour } else { 0 };
        }
        let is_board = all < 64 && seen == u64::MAX >> (64 - cells);
        let (wrong, pairs) = (u8::from(!is_board), (pairs & 1) as u8);
        visit(row, Inversions { wrong, pairs, colour: blank });
    }
}

/// [`each_parity`], specialised like [`each_rank`].
#[inline(always)]
fn each_parity_of(colours: &[u8], rows: Rows<'_>, mut visit: impl FnMut(usize, Inversions)) {
    let mut first = 0;
    each_block(colours.len(), rows.bytes(), |columns, count| {
        let (mut pairs, mut blank) = ([0_u8; LANES], [0_u8; LANES]);
        let wrong = compare(columns, |at, smaller| {
            for lane in 0..LANES {
                pairs[lane] = pairs[lane].wrapping_add(smaller[lane]);
                blank[lane] |= if columns[at][lane] == 0 { colours[at] } else { 0 };
            }
        });
        for lane in 0..count {
            let (wrong, pairs, colour) = (wrong[lane], pairs[lane], blank[lane]);
            visit(first + lane, Inversions { wrong, pairs, colour });
        }
        first += count;
    });
}

/// Transposes rows in batches and calls `visit` with the columns (for each cell, the numbers of all lanes) and the
/// number of rows in the batch. Lanes beyond the last row do not hold boards.
#[inline(always)]
fn each_block(cells: usize, bytes: &[u8], mut visit: impl FnMut(&[[u8; LANES]], usize)) {
    let mut columns = [[0; LANES]; Size::MAX_SEARCH_CELLS];
    for block in bytes.chunks(LANES * cells) {
        for (lane, row) in block.chunks_exact(cells).enumerate() {
            for (column, &number) in columns[..cells].iter_mut().zip(row) {
                column[lane] = number;
            }
        }
        visit(&columns[..cells], block.len() / cells);
    }
}

/// Calls `visit` with each cell and, per lane, the number of later entries smaller than the one in that cell, modulo
/// 256. Returns a nonzero value for lanes that are not boards. The loops run over all lanes, so that the compiler can
/// vectorise them.
#[inline(always)]
fn compare(columns: &[[u8; LANES]], mut visit: impl FnMut(usize, &[u8; LANES])) -> [u8; LANES] {
    let last = (columns.len() - 1) as u8;
    let mut wrong = [0; LANES];
    for (at, column) in columns.iter().enumerate() {
        let mut smaller = [0_u8; LANES];
        for later in &columns[at + 1..] {
            for lane in 0..LANES {
                smaller[lane] = smaller[lane].wrapping_add(u8::from(later[lane] < column[lane]));
                wrong[lane] |= u8::from(later[lane] == column[lane]);
            }
        }
        for lane in 0..LANES {
            wrong[lane] |= u8::from(column[lane] > last);
        }
        visit(at, &smaller);
    }
    wrong
}
