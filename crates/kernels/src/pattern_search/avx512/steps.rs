//! Moves as the AVX-512 kernel reads them: descriptors.
//!
//! A *descriptor* is a constant word with the positions that the kernels read in a node to make a child.
//!
//! A node has at most three children, in *slots* 0 to 2, because the inverse of the last move is left out; only the
//! root uses slot 3. `descriptors[slot][key]` describes one child, where the [`key`] combines the cell of the blank
//! and the last move. Constants that depend only on the blank's cell are in tables of 16 words, which AVX-512 looks up
//! in two registers.
//!
//! The moving tile goes from cell `to` (the blank's new cell) to cell `blank`. If it moves down or up a column, it
//! jumps over the three cells between them in reading order, which changes permutation ranks on the board only. If it
//! moves along a row it jumps over nothing on the board, but over three cells of the transpose.
//!
//! # Move descriptor
//! Every byte is a *selector*, the control byte of a `vpmultishiftqb` on the board word: bits 0 to 5 are the bit
//! number 4c of the cell c to read, and the instruction returns the eight bits from there. Bits 6 and 7 are ignored by
//! the instruction; they are [`IN_TRANSPOSE`] and [`BACKWARD`], and become bits 4 and 5 of the index into
//! [`Tables::codes`](crate::pattern_search::tables::Tables::codes).
//!
//! | byte | cell | flags | use |
//! |---|---|---|---|
//! | 0 | `to` | none | the moving tile, as an index by tile for the board (low 32-bit lane) |
//! | 1 | `to` | both | the moving tile in the view in which it jumps |
//! | 2, 3, 5 | the three jumped cells | both | the jumped tiles |
//! | 4 | `to` | `IN_TRANSPOSE` always | the moving tile, as an index by tile for the transpose (high lane) |
//! | 6 | – | – | bits 0 and 1: the move; bit 6: [`EXISTS`], set if this slot has a child |
//! | 7 | `to` | none | bits 58 to 61 of the word are the cell `to` itself |
//!
//! The jumped tiles skip byte 4 because it is the lowest byte of the high lane, and byte 6 because the move must lie at
//! the bits of the last move in a meta word ([`KEY`](super::node::KEY)).
//!
//! # Blank descriptor
//! By the new cell c of the blank; the transposed cell is t. Bytes 0 to 3 are selectors into the layout word
//! ([`Tables::layouts`](crate::pattern_search::tables::Tables::layouts)) of the pattern's cells on the board, bytes 4 to 7 into that
//! for the transpose. After the multishift, bits 0 to 15 of each 32-bit lane are the first layout number of the cell
//! set, and bits 24 to 26 the region of the blank.
//!
//! | byte | value | selects |
//! |---|---|---|
//! | 0, 4 | 0 | bits 0 to 7 of the first layout number |
//! | 1, 5 | 8 | bits 8 to 15 of it |
//! | 2 | 0 | nothing |
//! | 3 | 16 + 3c | region number of cell c (three bits) |
//! | 6 | `key(c, 0)` | nothing: the child's key without its last move, at its place in a meta word |
//! | 7 | 16 + 3t | region number of cell t |

use loyd_tiles::Move;

use super::node::{ROOT_MOVE, key};
use crate::pattern_search::tables::{cell_planes, jumped_cells, target, transposed};

/// Maximum number of children: a root with the blank in the middle of the board has four.
pub const MAX_CHILDREN: usize = 4;

/// One word per key.
pub type ByKey = [u64; 128];

/// The descriptors of all moves. The [module documentation](self) has their layout.
pub struct Steps {
    /// Move descriptors by slot and key of the parent; 0 where the slot has no child.
    pub descriptors: [ByKey; MAX_CHILDREN],
    /// Blank descriptors by the new cell of the blank.
    pub blank_descriptors: [u64; 16],
    /// The single cell c as a set in all four planes of a node: bits c and 16 + c for the board, 32 + t and 48 + t
    /// for the transpose.
    pub cells: [u64; 16],
}

/// Selector flag: the tile moves along a row, so it jumps over other tiles in the transpose, not on the board.
pub const IN_TRANSPOSE: u8 = 1 << 6;
/// Selector flag: the tile moves towards the first cell, so rank changes have the opposite sign.
pub const BACKWARD: u8 = 1 << 7;
/// Flag in byte 6 of a move descriptor: the slot has a child.
pub const EXISTS: u8 = 1 << 6;

/// The descriptors. They depend on no database, so one constant serves the whole program.
pub static STEPS: Steps = Steps::new();

impl Steps {
    const fn new() -> Self {
        let none = [[0; 128]; MAX_CHILDREN];
        let none_by_cell = [0; 16];
        let mut steps =
            Self { descriptors: none, blank_descriptors: none_by_cell, cells: none_by_cell };
        let mut blank = 0;
        while blank < 16 {
            steps.blank_descriptors[blank] = blank_descriptor(blank);
            steps.cells[blank] = cell_planes(blank);
            let mut last = 0;
            while last <= ROOT_MOVE {
                steps.add(blank, last);
                last += 1;
            }
            blank += 1;
        }
        steps
    }

    /// Fills in the children of nodes with the blank on `blank` after the move `last`.
    const fn add(&mut self, blank: usize, last: usize) {
        let (parent, mut slot, mut m) = (key(blank, last), 0, 0);
        while m < 4 {
            // The indices of a move and its inverse add up to 3: up 0, left 1, right 2, down 3. No move inverts
            // `ROOT_MOVE`.
            let to = if m + last == 3 { None } else { target(blank, Move::ALL[m]) };
            if let Some(to) = to {
                self.descriptors[slot][parent] = descriptor(blank, to, m);
                slot += 1;
            }
            m += 1;
        }
    }
}

/// Returns the descriptor of the move `m` of the blank from `blank` to `to`.
const fn descriptor(blank: usize, to: usize, m: usize) -> u64 {
    let jumped = jumped_cells(blank, to);
    // The tile moves opposite to the blank: forward if the blank moves up or left.
    let flags =
        if blank / 4 == to / 4 { IN_TRANSPOSE } else { 0 } | if blank < to { BACKWARD } else { 0 };
    let [tile, a, b, c] =
        [4 * to as u8, 4 * jumped[0] as u8, 4 * jumped[1] as u8, 4 * jumped[2] as u8];
    u64::from_le_bytes([
        tile,
        tile | flags,
        a | flags,
        b | flags,
        tile | IN_TRANSPOSE,
        c | flags,
        EXISTS | m as u8,
        tile,
    ])
}

/// Returns the blank descriptor for the blank's new cell `to`.
const fn blank_descriptor(to: usize) -> u64 {
    u64::from_le_bytes([
        0,
        8,
        0,
        16 + 3 * to as u8,
        0,
        8,
        key(to, 0) as u8,
        16 + 3 * transposed(to) as u8,
    ])
}
