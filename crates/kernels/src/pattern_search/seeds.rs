//! Seeds: the nodes from which an iteration starts, pruned by an earlier iteration.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::node::{Node, Nodes, depth, raised};

/// The nodes pruned by the last iteration that could keep all of them. Everything above them has been searched.
#[derive(Debug, Default)]
pub struct Seeds {
    nodes: Nodes,
    /// Indices of the nodes in the order of the search: the deepest first.
    order: Vec<u32>,
    /// How often the bound has been raised since the nodes were pruned.
    raised: u32,
}

/// The seeds of one iteration, from which any number of threads claim their share.
pub struct Queue<'a> {
    seeds: &'a Seeds,
    next: AtomicUsize,
    threads: usize,
}

impl Seeds {
    /// Replaces the seeds with the root of a new search.
    pub fn set_root(&mut self, root: Node) {
        if self.nodes.room() == 0 {
            self.nodes = Nodes::with_room(1);
        }
        self.nodes.len = 0;
        self.nodes.push(root);
        self.sort();
        self.raised = 0;
    }

    /// Returns the number of seeds.
    pub fn len(&self) -> usize {
        self.nodes.len
    }

    /// Makes the nodes of `pruned` the seeds, and leaves the old seeds there for their memory to be reused. The caller
    /// then raises the bound.
    pub fn replace(&mut self, pruned: &mut Nodes) {
        std::mem::swap(&mut self.nodes, pruned);
        self.sort();
        self.raised = 0;
    }

    /// Returns how often the bound has been raised since the nodes were pruned: 1 if the last iteration pruned them.
    pub fn raised(&self) -> u32 {
        self.raised
    }

    /// Accounts for a bound raised by two.
    pub fn raise(&mut self) {
        self.raised += 1;
    }

    /// Returns the seeds as a queue for `threads` threads.
    pub fn queue(&self, threads: usize) -> Queue<'_> {
        Queue { seeds: self, next: AtomicUsize::new(0), threads }
    }

    /// Sorts the seeds by depth, the deepest first: a counting sort on 127 − depth.
    ///
    /// All seeds have the same f, so the deepest have the smallest h. In the last iteration the solution tends to lie
    /// below one of the first, and the larger trees below the others need no search.
    fn sort(&mut self) {
        let mut ends = [0_u32; 128];
        let metas = &self.nodes.metas[..self.nodes.len];
        let height = |meta: u64| 127_usize.saturating_sub(depth(meta) as usize);
        for &meta in metas {
            ends[height(meta)] += 1;
        }
        let mut sum = 0;
        for end in &mut ends {
            sum += *end;
            *end = sum - *end;
        }
        self.order.resize(metas.len(), 0);
        for (index, &meta) in (0..).zip(metas) {
            let place = &mut ends[height(meta)];
            self.order[*place as usize] = index;
            *place += 1;
        }
    }
}

impl Queue<'_> {
    /// Maximum number of seeds claimed at once.
    const CLAIM: usize = 64;

    /// Claims some seeds for the calling thread. Claims shrink towards the end, where the trees are the largest.
    pub fn claim(&self) -> Range<usize> {
        let seeds = self.seeds.len();
        let left = seeds.saturating_sub(self.next.load(Ordering::Relaxed));
        let share = (left / (8 * self.threads)).clamp(1, Self::CLAIM);
        let first = self.next.fetch_add(share, Ordering::Relaxed);
        first.min(seeds)..(first + share).min(seeds)
    }

    /// Pushes the seeds at `places` of the search order onto `stack`, with their slack for the current bound. The
    /// caller ensures that there is room.
    pub fn load(&self, places: Range<usize>, stack: &mut Nodes) {
        let (seeds, order) = (&self.seeds.nodes, &self.seeds.order[places]);
        let range = stack.len..stack.len + order.len();
        let columns = [
            (&seeds.boards, &mut stack.boards),
            (&seeds.planes, &mut stack.planes),
            (&seeds.ranks, &mut stack.ranks),
            (&seeds.states, &mut stack.states),
        ];
        for (from, to) in columns {
            for (word, &index) in to[range.clone()].iter_mut().zip(order) {
                *word = from[index as usize];
            }
        }
        for (meta, &index) in stack.metas[range.clone()].iter_mut().zip(order) {
            *meta = raised(seeds.metas[index as usize], self.seeds.raised);
        }
        stack.len = range.end;
    }
}
