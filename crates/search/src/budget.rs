//! The expansions that a search may make before it calls its meter again.

/// Number of expansions between two checks of the clock, the cancel token and the observer: rare enough to cost
/// nothing, often enough to stop within a few milliseconds on any board.
pub(crate) const POLL_INTERVAL: u64 = 1024;

/// The expansions that a search may make before it must call its [`Meter`](crate::Meter) again, and the children
/// generated meanwhile.
///
/// Both are packed into one word, so that one subtraction counts a node with its children:
///
/// | bits    | content             |
/// |---------|---------------------|
/// | 0 to 29 | children generated  |
/// | 30 up   | expansions left     |
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Budget(u64);

impl Budget {
    const EXPANSION: u64 = 1 << 30;
    /// Maximum number of children of a node: [`POLL_INTERVAL`] times as many still fit in the low bits.
    const MAX_CHILDREN: u64 = Self::EXPANSION / POLL_INTERVAL - 1;

    /// Creates a budget of at most [`POLL_INTERVAL`] expansions.
    pub(crate) fn new(expansions: u64) -> Self {
        Self(expansions * Self::EXPANSION)
    }

    /// Returns the number of expansions left.
    pub(crate) fn expansions(self) -> u64 {
        self.0 / Self::EXPANSION
    }

    /// Returns the number of children generated so far.
    pub(crate) fn children(self) -> u64 {
        self.0 % Self::EXPANSION
    }

    /// Counts the expansion of a node with this many children; returns `false`, and counts nothing, if none is left.
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
