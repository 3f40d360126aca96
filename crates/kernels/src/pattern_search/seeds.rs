//! Seeds: the nodes from which an iteration starts, pruned by an earlier iteration.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The nodes pruned by the last iteration that could keep all of them. Everything above them has been searched.
#[derive(Debug, Default)]
pub struct Seeds<N> {
    /// The nodes, in the form of the engine.
    pub nodes: N,
    /// Numbers of the nodes in the order of the search: the deepest first.
    pub order: Vec<u32>,
    /// How often the bound has been raised since the nodes were pruned.
    pub raised: u32,
}

/// The seeds of one iteration, from which any number of threads claim their share.
pub struct Queue<'a, N> {
    pub seeds: &'a Seeds<N>,
    next: AtomicUsize,
    threads: usize,
}

impl<N> Seeds<N> {
    /// Returns the seeds as a queue for `threads` threads.
    pub fn queue(&self, threads: usize) -> Queue<'_, N> {
        Queue { seeds: self, next: AtomicUsize::new(0), threads }
    }
}

/// Makes `order` the numbers of `nodes`, given with their depths, the deepest first: a counting sort on 127 − depth.
///
/// All seeds have the same f, so the deepest have the smallest h. In the last iteration the solution tends to lie below
/// one of the first, and the larger trees below the others need no search.
pub fn sort(order: &mut Vec<u32>, nodes: impl ExactSizeIterator<Item = (u32, u32)> + Clone) {
    let mut ends = [0_u32; 128];
    let height = |depth: u32| 127_usize.saturating_sub(depth as usize);
    for (depth, _) in nodes.clone() {
        ends[height(depth)] += 1;
    }
    let mut sum = 0;
    for end in &mut ends {
        sum += *end;
        *end = sum - *end;
    }
    order.resize(nodes.len(), 0);
    for (depth, number) in nodes {
        let place = &mut ends[height(depth)];
        order[*place as usize] = number;
        *place += 1;
    }
}

impl<N> Queue<'_, N> {
    /// Maximum number of seeds claimed at once.
    const CLAIM: usize = 64;

    /// Claims some places of the search order for the calling thread. Claims shrink towards the end, where the trees
    /// are the largest.
    pub fn claim(&self) -> Range<usize> {
        let seeds = self.seeds.order.len();
        let left = seeds.saturating_sub(self.next.load(Ordering::Relaxed));
        let share = (left / (8 * self.threads)).clamp(1, Self::CLAIM);
        let first = self.next.fetch_add(share, Ordering::Relaxed);
        first.min(seeds)..(first + share).min(seeds)
    }
}
