//! Counts of move sequences and states by depth, on boards of any size.
//!
//! The counts depend only on the size of the board and the cell of the blank. Moves are of single tiles.
//!
//! ```
//! use loyd::engine::Meter;
//! use loyd_lab::perft::{Start, States, sequences};
//! use std::io::Cursor;
//!
//! let start = Start::new((40, 40), (0, 0))?;
//! let counts = sequences(&start, 3);
//! assert_eq!((counts[3].all, counts[3].without_undoing), (Some(18), Some(10)));
//! let mut states = States::new(&start, 3, || Ok(Cursor::new(Vec::new())))?;
//! for expected in [1, 2, 4, 10] {
//!     assert_eq!(states.next_count(&mut Meter::default())?, expected);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod levels;
mod packed;
mod region;
mod runs;

pub use levels::States;
use region::Region;
pub use region::{PerftError, Start};

/// Numbers of move sequences of one length; `None` if a number does not fit in 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sequences {
    /// All sequences.
    pub all: Option<u128>,
    /// Sequences in which no move undoes the previous one.
    pub without_undoing: Option<u128>,
}

/// Returns the numbers of move sequences of each length from 0 to `depth`.
///
/// The legal moves depend only on the cell of the blank, so sequences are counted by dynamic programming instead of
/// being enumerated. Cost: per move, time and memory proportional to the number of cells that the blank can reach.
pub fn sequences(start: &Start, depth: u32) -> Vec<Sequences> {
    let region = Region::new(start, depth);
    let mut ends = EndCounts::new(&region);
    let mut counts = vec![Sequences { all: Some(1), without_undoing: Some(1) }];
    for _ in 0..depth {
        ends.advance(&region);
        counts.push(ends.counts());
    }
    counts
}

/// Number of sequences of one length by their end. Counts saturate at `u128::MAX`.
struct EndCounts {
    /// By cell.
    all: Vec<u128>,
    /// By cell and last move.
    without_undoing: Vec<[u128; 4]>,
}

impl EndCounts {
    /// Creates the counts of the empty sequence.
    fn new(region: &Region) -> Self {
        let mut all = vec![0; region.cells()];
        all[Region::START as usize] = 1;
        Self { all, without_undoing: Vec::new() }
    }

    fn advance(&mut self, region: &Region) {
        let mut all = vec![0_u128; region.cells()];
        let mut without_undoing = vec![[0_u128; 4]; region.cells()];
        for from in 0..region.cells() {
            for (m, to) in region.moves(from as u32) {
                let to = to as usize;
                all[to] = all[to].saturating_add(self.all[from]);
                let ways = match self.without_undoing.get(from) {
                    // The first move undoes nothing.
                    None => self.all[from],
                    Some(last) => (0..4)
                        .filter(|&last| last != Region::inverse(m))
                        .fold(0_u128, |sum, m| sum.saturating_add(last[m])),
                };
                without_undoing[to][m] = without_undoing[to][m].saturating_add(ways);
            }
        }
        *self = Self { all, without_undoing };
    }

    fn counts(&self) -> Sequences {
        let sum = |numbers: &mut dyn Iterator<Item = u128>| {
            let sum = numbers.fold(0_u128, u128::saturating_add);
            (sum < u128::MAX).then_some(sum)
        };
        Sequences {
            all: sum(&mut self.all.iter().copied()),
            without_undoing: sum(&mut self.without_undoing.iter().flatten().copied()),
        }
    }
}
