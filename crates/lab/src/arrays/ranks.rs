//! Cantor ranks of many rows.

use loyd::Size;
use loyd::board::{RankError, cantor_rank, cantor_unrank};

use super::rows::{Fault, Invalid, Rows, Wrong};

/// Rows that are ranked together, lane by lane.
const LANES: usize = 32;

/// The most numbers whose ranks [`each_small`] finds.
pub const SMALL: usize = 10;

/// `n!`.
pub fn factorial(n: usize) -> u64 {
    (1..=n as u64).product()
}

/// Writes the Cantor rank of each row among all arrangements, as `loyd rank` prints it; [`u64::MAX`] for rows that are
/// masked.
///
/// # Errors
/// The first row that is no board, if these are refused, and boards of more than 20 cells.
pub fn rank(rows: Rows<'_>, invalid: Invalid, out: &mut [u64]) -> Result<(), Fault> {
    let mut no_board = None;
    let mut add = |row: usize, rank: Option<u64>| {
        out[row] = rank.unwrap_or(u64::MAX);
        if rank.is_none() && no_board.is_none() {
            no_board = Some(row);
        }
    };
    if rows.size().cells() <= SMALL {
        let (none, mut row) = (factorial(rows.size().cells()), 0);
        each_small(rows, |ranks| {
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
                Err(error) => return Err(Fault { row, wrong: Wrong::Rank(error) }),
            }
        }
    }
    match no_board {
        Some(row) if invalid == Invalid::Refused => Err(rows.fault(row)),
        _ => Ok(()),
    }
}

/// Writes the boards of `size` with these Cantor ranks, row by row.
///
/// # Errors
/// The first rank that no board has, and sizes of more than 20 cells.
pub fn unrank(ranks: &[u64], size: Size, out: &mut [u8]) -> Result<(), Fault> {
    let cells = size.cells();
    for (row, (&rank, out)) in ranks.iter().zip(out.chunks_exact_mut(cells)).enumerate() {
        let board = cantor_unrank(cells, rank);
        out.copy_from_slice(&board.map_err(|error| Fault { row, wrong: Wrong::Rank(error) })?);
    }
    Ok(())
}

/// The Cantor rank of a board of at most [`SMALL`] cells.
pub fn small(row: &[u8]) -> usize {
    let mut seen = 0_u32;
    row.iter().enumerate().fold(0, |rank, (at, &number)| {
        let before = (seen & ((1 << number) - 1)).count_ones() as usize;
        seen |= 1 << number;
        rank * (row.len() - at) + usize::from(number) - before
    })
}

/// Calls `visit` with the Cantor ranks of rows of at most [`SMALL`] cells, some at a time, in order. A row that is no
/// board has the rank `n!`, one more than the largest.
///
/// Cost: some five nanoseconds a row.
pub fn each_small(rows: Rows<'_>, visit: impl FnMut(&[u32])) {
    match rows.size().cells() {
        9 => each_rank(9, rows, visit),
        cells => each_rank(cells, rows, visit),
    }
}

/// [`each_small`], compiled anew for a number of cells that the compiler knows.
#[inline(always)]
fn each_rank(cells: usize, rows: Rows<'_>, mut visit: impl FnMut(&[u32])) {
    assert!(cells <= SMALL, "such ranks need more bits");
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

/// What tells whether a row can be solved.
pub struct Inversions {
    /// 0 for a board.
    pub wrong: u8,
    /// How many pairs of numbers are in the wrong order, modulo 256.
    pub pairs: u8,
    /// The colour of the blank's cell.
    pub colour: u8,
}

/// Calls `visit` with the number of each row and its inversions; cells have `colours`.
pub fn each_parity(rows: Rows<'_>, colours: &[u8], visit: impl FnMut(usize, Inversions)) {
    match colours.len() {
        16 => each_parity_of(&colours[..16], rows, visit),
        _ => each_parity_of(colours, rows, visit),
    }
}

/// [`each_parity`], compiled as [`each_rank`] is.
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

/// Calls `visit` with the columns of some rows at a time, and how many rows they are: by cell, the numbers of all
/// lanes. Lanes without a row are no boards.
#[inline(always)]
fn each_block(cells: usize, bytes: &[u8], mut visit: impl FnMut(&[[u8; LANES]], usize)) {
    let mut columns = [[0; LANES]; Size::MAX_CELLS];
    for block in bytes.chunks(LANES * cells) {
        for (lane, row) in block.chunks_exact(cells).enumerate() {
            for (column, &number) in columns[..cells].iter_mut().zip(row) {
                column[lane] = number;
            }
        }
        visit(&columns[..cells], block.len() / cells);
    }
}

/// Calls `visit` with each cell and how many later numbers are smaller than the one there, modulo 256; returns what is
/// not 0 for lanes that are no boards. All lanes are compared at once, so that the compiler can use the vectors of the
/// machine.
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
