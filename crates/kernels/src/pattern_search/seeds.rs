//! Where a round begins: nodes that an earlier round cut off.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::node::{Node, Nodes, depth, raised};

/// The nodes below which everything within the bound is searched that has not been searched before.
#[derive(Debug, Default)]
pub struct Seeds {
    nodes: Nodes,
    /// The nodes in the order in which they are searched: those nearest to the goal first.
    order: Vec<u32>,
    /// How often the bound was raised since they were cut off.
    raised: u32,
}

/// The seeds of a round, for any number of threads.
pub struct Queue<'a> {
    seeds: &'a Seeds,
    next: AtomicUsize,
    threads: usize,
}

impl Seeds {
    /// Begins with the start of a search.
    pub fn set_root(&mut self, root: Node) {
        if self.nodes.room() == 0 {
            self.nodes = Nodes::with_room(1);
        }
        self.nodes.len = 0;
        self.nodes.push(root);
        self.sort();
        self.raised = 0;
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.nodes.len
    }

    /// Takes `cut` over, and leaves the old seeds there. The next round raises the bound.
    pub fn replace(&mut self, cut: &mut Nodes) {
        std::mem::swap(&mut self.nodes, cut);
        self.sort();
        self.raised = 0;
    }

    /// How often the bound was raised since they were cut off: once, if it was the last round that did.
    pub fn raised(&self) -> u32 {
        self.raised
    }

    /// Gets ready for a bound that is higher by two.
    pub fn raise(&mut self) {
        self.raised += 1;
    }

    /// The seeds of a round for so many threads.
    pub fn queue(&self, threads: usize) -> Queue<'_> {
        Queue { seeds: self, next: AtomicUsize::new(0), threads }
    }

    /// All seeds have the same f, so the deepest are nearest to the goal by what is known. In the last
    /// round the solution is below one of the first, and the larger trees below the others are not
    /// searched.
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
    /// The most seeds that are claimed at once.
    const CLAIM: usize = 64;

    /// Seeds that no other thread gets: fewer and fewer towards the end, where they are the largest.
    pub fn claim(&self) -> Range<usize> {
        let seeds = self.seeds.len();
        let left = seeds.saturating_sub(self.next.load(Ordering::Relaxed));
        let share = (left / (8 * self.threads)).clamp(1, Self::CLAIM);
        let first = self.next.fetch_add(share, Ordering::Relaxed);
        first.min(seeds)..(first + share).min(seeds)
    }

    /// Adds the seeds that are to be searched at these places to `stack`, which has room for them.
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
