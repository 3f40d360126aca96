//! Whether a board can be solved, by the parity of its inversions.

use super::State;

/// What is counted among the inversions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// The tiles alone: right, on a board of odd width.
    Tiles,
    /// **Faulty**: the blank too, as if it were the tile 0.
    BlankToo,
}

/// Whether the parity of the inversions is that of the goal.
pub fn is_solvable(state: &State, counted: Counted) -> bool {
    let inversions = |state: &State| {
        let pairs = (0..9).flat_map(|first| (first + 1..9).map(move |second| (first, second)));
        pairs
            .filter(|&(first, second)| {
                let counts = counted == Counted::BlankToo || state[second] != 0;
                counts && state[first] > state[second]
            })
            .count()
    };
    inversions(state) % 2 == inversions(&super::GOAL) % 2
}
