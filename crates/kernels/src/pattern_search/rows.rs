//! Which moves a path may go on with, as the kernels want it: a row of an automaton in a word.

use crate::move_rows::MoveRows;

/// The rows of an automaton over the moves of the blank, by state. Each has sixteen bits a move, the first move in the
/// lowest: the next state, or [`REFUSED`](Rows::REFUSED).
#[derive(Debug)]
pub struct Rows {
    words: Vec<u64>,
    starts: [u64; 16],
}

impl Rows {
    /// In place of a next state: the move is illegal or never needed.
    pub const REFUSED: u64 = 0xffff;

    /// These rows; `None` if they are not about boards of 16 cells, or if their states are too many for sixteen bits.
    pub fn new(rows: &MoveRows) -> Option<Self> {
        if rows.starts().len() != 16 || rows.rows().len() as u64 > Self::REFUSED {
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

    /// All rows. Each state that one of them leads to has one, and so has each [start](Self::start).
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The state in which a search begins that has the blank on this cell.
    pub fn start(&self, cell: usize) -> u64 {
        self.starts[cell]
    }

    /// The bytes of the rows.
    pub fn bytes(&self) -> u64 {
        size_of_val(&*self.words) as u64
    }
}
