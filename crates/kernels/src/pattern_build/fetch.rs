//! Asking for layouts before they are needed.

use loyd_heuristics::pdb::Block;

use crate::prefetch::prefetch;

/// Asks for the cache lines of a layout.
#[inline]
pub fn fetch(layout: &[Block]) {
    /// Blocks in a cache line.
    const LINE: usize = 4;
    // The processor follows long layouts by itself once it has seen their beginning.
    const LONGEST: usize = 64;
    (0..layout.len().min(LONGEST)).step_by(LINE).for_each(|block| prefetch(layout, block));
}
