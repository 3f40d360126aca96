//! What became of the cases of a file.

/// How many cases there were, and how they were answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// All cases.
    pub cases: u64,
    /// Answered with moves, an empty line included.
    pub solved: u64,
    /// Answered `unsolvable`.
    pub unsolvable: u64,
    /// Answered `invalid`.
    pub invalid: u64,
}
