//! The rows of the move-pruning automaton.
//!
//! A row is one 64-bit word per state, so that one read fetches the successors of a state for all four moves.
//!
//! | bits | meaning |
//! |---|---|
//! | 16m to 16m + 15 | state after the move with index m, or `0xffff` if that move is illegal or redundant |

use crate::move_rows::MoveRows;

/// The rows of an automaton over the moves of the blank, by state.
#[derive(Debug)]
pub struct Rows {
    words: Vec<u64>,
    starts: [u64; 16],
}

impl Rows {
    /// Stands for a move that is illegal or redundant, in place of the next state.
    pub const FORBIDDEN: u64 = 0xffff;

    /// Packs `rows`, which are for 4x4 boards. Returns `None` if they have more than 65,535 states.
    pub fn new(rows: &MoveRows) -> Option<Self> {
        if rows.rows().len() as u64 > Self::FORBIDDEN {
            return None;
        }
        let word = |row: &[u32; 4]| {
            (0..).zip(row).fold(0, |word, (m, &next)| word | (u64::from(next) & 0xffff) << (16 * m))
        };
        Some(Self {
            words: rows.rows().iter().map(word).collect(),
            starts: std::array::from_fn(|cell| rows.start(cell as u8).into()),
        })
    }

    /// Returns all rows. Every state reachable from a [start](Self::start) has a row.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Returns the initial state for a blank on `cell`.
    pub fn start(&self, cell: usize) -> u64 {
        self.starts[cell]
    }

    /// Returns the size of the rows in bytes.
    pub fn bytes(&self) -> u64 {
        size_of_val(&*self.words) as u64
    }
}
