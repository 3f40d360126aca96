//! States as arrays of bytes, and the ranks of states whose equal tiles share a label.

use crate::board::{Board, Relabelling};

/// A state: the label on each cell, and the cell of the blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrayState<const N: usize> {
    /// The blank's cell and the cells past the board hold [`Relabelling::BLANK`].
    pub(super) labels: [u8; N],
    pub(super) blank: u8,
}

impl<const N: usize> ArrayState<N> {
    /// Returns the state of `board`.
    pub(super) fn new(relabelling: &Relabelling, board: &Board) -> Self {
        let mut labels = [Relabelling::BLANK; N];
        labels.iter_mut().zip(relabelling.labels(board)).for_each(|(place, label)| *place = label);
        Self { labels, blank: board.blank().index() as u8 }
    }
}

/// States as arrangements of a multiset of labels, ranked in lexicographic order.
#[derive(Clone, Debug)]
pub(super) struct Arrangements {
    /// Each label, including the blank's, and the number of cells that have it.
    counts: Vec<(u8, u64)>,
    cells: usize,
    /// The number of arrangements, or `None` if it does not fit 64 bits.
    total: Option<u64>,
}

impl Arrangements {
    /// Creates the arrangements of `labels`, one label per cell.
    pub fn new(labels: &[u8]) -> Self {
        let mut sorted = labels.to_vec();
        sorted.sort_unstable();
        let classes = sorted.chunk_by(|one, other| one == other);
        let counts: Vec<(u8, u64)> = classes.map(|class| (class[0], class.len() as u64)).collect();
        // Multiplies binomial coefficients: each class chooses its cells among all cells so far.
        let mut cells = 0;
        let total = counts.iter().try_fold(1_u64, |product, &(_, count)| {
            (1..=count).try_fold(product, |product, taken| {
                cells += 1;
                u64::try_from(u128::from(product) * cells / u128::from(taken)).ok()
            })
        });
        Self { counts, cells: labels.len(), total }
    }

    /// Returns the number of states, or `None` if it does not fit 64 bits.
    pub fn count(&self) -> Option<u64> {
        self.total
    }

    /// Returns the rank of a state.
    pub fn rank<const N: usize>(&self, state: &ArrayState<N>) -> u64 {
        let mut rest = Rest::new(self);
        let mut rank = 0;
        for &label in &state.labels[..self.cells] {
            let class = rest.counts.iter().position(|&(other, _)| other == label);
            let class = class.expect("all states have the same labels");
            rank += (0..class).map(|smaller| rest.beginning_with(smaller)).sum::<u64>();
            rest.take(class);
        }
        rank
    }

    /// Returns the state with this rank; the inverse of [`rank`](Self::rank).
    pub fn unrank<const N: usize>(&self, mut rank: u64) -> ArrayState<N> {
        let mut rest = Rest::new(self);
        let mut labels = [Relabelling::BLANK; N];
        for label in &mut labels[..self.cells] {
            let mut class = 0;
            while rank >= rest.beginning_with(class) {
                rank -= rest.beginning_with(class);
                class += 1;
            }
            *label = rest.counts[class].0;
            rest.take(class);
        }
        let blank = labels[..self.cells].iter().position(|&label| label == Relabelling::BLANK);
        ArrayState { labels, blank: blank.expect("one label is the blank's") as u8 }
    }
}

/// The labels that have not been placed yet.
struct Rest {
    counts: Vec<(u8, u64)>,
    cells: u64,
    /// The number of arrangements of the remaining labels.
    total: u64,
}

impl Rest {
    fn new(all: &Arrangements) -> Self {
        let total = all.total.expect("states have ranks only if their number fits 64 bits");
        Self { counts: all.counts.clone(), cells: all.cells as u64, total }
    }

    /// Returns the number of arrangements with this class on the next cell: the share of its labels in the total.
    fn beginning_with(&self, class: usize) -> u64 {
        let product = u128::from(self.total) * u128::from(self.counts[class].1);
        (product / u128::from(self.cells)) as u64
    }

    /// Places a label of this class on the next cell.
    fn take(&mut self, class: usize) {
        self.total = self.beginning_with(class);
        self.counts[class].1 -= 1;
        self.cells -= 1;
    }
}
