//! A board as bytes.

use crate::board::Board;
use crate::goal::Relabelling;

/// Labels by cell, and the cell of the blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrayState<const N: usize> {
    /// The blank and the cells past the board hold [`Relabelling::BLANK`].
    pub(super) labels: [u8; N],
    pub(super) blank: u8,
}

impl<const N: usize> ArrayState<N> {
    /// The state of `board`.
    pub(super) fn new(relabelling: &Relabelling, board: &Board) -> Self {
        let mut labels = [Relabelling::BLANK; N];
        labels.iter_mut().zip(relabelling.labels(board)).for_each(|(place, label)| *place = label);
        Self { labels, blank: board.blank().index() as u8 }
    }
}
