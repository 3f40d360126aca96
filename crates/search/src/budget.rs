//! How much a search may do before it asks its meter again.

/// Expansions between two looks at the clock, the cancel token and the observer: rare enough to
/// cost nothing, often enough to stop within a few milliseconds on any board.
pub(crate) const POLL_INTERVAL: u64 = 1024;

/// The expansions that a search may make before its [`Meter`](crate::Meter) wants to be asked again, and
/// the children generated meanwhile, in one number: the low bits hold the children, those above them the
/// expansions.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Budget(u64);

impl Budget {
    const EXPANSION: u64 = 1 << 30;
    /// So many children of each of [`POLL_INTERVAL`] nodes fit the low bits.
    const MAX_CHILDREN: u64 = Self::EXPANSION / POLL_INTERVAL - 1;

    /// At most [`POLL_INTERVAL`] expansions, and no children so far.
    pub(crate) fn new(expansions: u64) -> Self {
        Self(expansions * Self::EXPANSION)
    }

    /// The expansions that are left.
    pub(crate) fn expansions(self) -> u64 {
        self.0 / Self::EXPANSION
    }

    /// The children so far.
    pub(crate) fn children(self) -> u64 {
        self.0 % Self::EXPANSION
    }

    /// Counts the expansion of a node with so many children, if one is left.
    #[inline(always)]
    pub(crate) fn spend(&mut self, children: u64) -> bool {
        assert!(children <= Self::MAX_CHILDREN, "a node has {children} children");
        let left = self.0.checked_sub(Self::EXPANSION - children);
        if let Some(left) = left {
            self.0 = left;
        }
        left.is_some()
    }
}
