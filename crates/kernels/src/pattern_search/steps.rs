//! What a move does, by the cell of the blank and the last move: words that both kernels read.
//!
//! The children of a node have the places 0, 1 and 2, for the move that undoes the last one is left out;
//! only the start has a fourth. `look[place][key]` is a constant, the *key* being the blank's cell and
//! the last move. What depends on the blank's new cell alone is in smaller tables, which fit in registers.

use loyd_tiles::Move;

use super::node::{ROOT_MOVE, key};

/// The cell that `cell` becomes when rows and columns change places.
pub const fn transposed(cell: usize) -> usize {
    cell % 4 * 4 + cell / 4
}

/// The most children of the start.
pub const PLACES: usize = 4;

/// A word for each key.
pub type Keyed = [u64; 128];

/// The words of all moves.
pub struct Steps {
    /// Where on the board to look, a byte a question: the number of the first bit of the tile asked
    /// for in bits 0 to 5, and in bits 6 and 7 what [`codes`](super::tables::Tables::codes) is to be
    /// asked with, [`ACROSS`] and [`BACK`].
    ///
    /// Bytes 0, 1, 4 and 7 ask for the tile that moves, with neither bit, with both, with [`ACROSS`]
    /// and with neither. Bytes 2, 3 and 5 ask for the tiles that it jumps. Byte 6 asks for nothing: it has the number
    /// of the move in bits 0 and 1, and bit 6 tells whether there is such a child.
    pub look: [Keyed; PLACES],
    /// Where in a word of the coordinates to look, by the blank's new cell, a byte a question: 0, 8 and the place of the
    /// region of that cell in bytes 0, 1 and 3, and the same for the transpose in 4, 5 and 7. Byte 6 is the key of
    /// the child, but for the move.
    pub locate: [u64; 16],
    /// A cell as a set, once for each plane of the board and of its transpose.
    pub cells: [u64; 16],
    /// How many children there are.
    pub children: [u8; 128],
}

/// Bit of a question: the tile jumps others in the transpose, because it moves along a row.
pub const ACROSS: u8 = 1 << 6;
/// Bit of a question: the tile moves towards the first cell.
pub const BACK: u8 = 1 << 7;

/// One for the program: they depend on no table.
pub static STEPS: Steps = Steps::new();

impl Steps {
    const fn new() -> Self {
        let none = [[0; 128]; PLACES];
        let none_by_cell = [0; 16];
        let mut steps =
            Self { look: none, locate: none_by_cell, cells: none_by_cell, children: [0; 128] };
        let mut blank = 0;
        while blank < 16 {
            steps.locate[blank] = locate(blank);
            steps.cells[blank] = cell(blank);
            let mut last = 0;
            while last <= ROOT_MOVE {
                steps.add(blank, last);
                last += 1;
            }
            blank += 1;
        }
        steps
    }

    /// Adds the children of nodes with the blank on `blank` after the move `last`.
    const fn add(&mut self, blank: usize, last: usize) {
        let (parent, mut place, mut m) = (key(blank, last), 0, 0);
        while m < 4 {
            // A move and its inverse add up to 3.
            let to = if m + last == 3 { None } else { target(blank, Move::ALL[m]) };
            if let Some(to) = to {
                self.look[place][parent] = look(blank, to, m);
                place += 1;
            }
            m += 1;
        }
        self.children[parent] = place as u8;
    }
}

/// Where a move takes the blank.
pub const fn target(blank: usize, m: Move) -> Option<usize> {
    match m {
        Move::Up if blank >= 4 => Some(blank - 4),
        Move::Left if !blank.is_multiple_of(4) => Some(blank - 1),
        Move::Right if blank % 4 < 3 => Some(blank + 1),
        Move::Down if blank < 12 => Some(blank + 4),
        _ => None,
    }
}

const fn look(blank: usize, to: usize, m: usize) -> u64 {
    let across = blank / 4 == to / 4;
    let mut jumped = [0; 3];
    let mut i = 0;
    while i < 3 {
        let first = if to < blank { to } else { blank };
        jumped[i] = if across { transposed(transposed(first) + 1 + i) } else { first + 1 + i };
        i += 1;
    }
    // The tile moves against the blank.
    let flags = if across { ACROSS } else { 0 } | if blank < to { BACK } else { 0 };
    let [tile, a, b, c] =
        [4 * to as u8, 4 * jumped[0] as u8, 4 * jumped[1] as u8, 4 * jumped[2] as u8];
    u64::from_le_bytes([
        tile,
        tile | flags,
        a | flags,
        b | flags,
        tile | ACROSS,
        c | flags,
        ACROSS | m as u8,
        tile,
    ])
}

const fn locate(to: usize) -> u64 {
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

const fn cell(cell: usize) -> u64 {
    (1 << cell | 1 << (32 + transposed(cell))) * 0x1_0001
}
