//! Long iterations in batches: the nodes just above the bound are expanded layer by layer (see [`Layers`]).
//!
//! A batch is the set of trees below up to [`MAX_ROOTS`](super::layers::MAX_ROOTS) nodes, each of which has at most
//! [`Batches::left`](super::Batches::left) of the bound left. One batch after the other passes these stages:
//!
//! 1. **Mark.** The stack, the path and the counts are copied, so that the batch can be undone.
//! 2. **Gather.** Nodes are popped in depth-first order. Those with more of the bound left are expanded onto the stack;
//!    the others become the roots of the batch.
//! 3. **Probe.** Layers do not record the least f above the bound, so it must be known beforehand. If no path has been
//!    pruned yet at the least f that the granularity of the heuristic allows, the batch is rewound and a short
//!    depth-first trial looks for one.
//! 4. **Search.** [`Layers::search`] expands everything below the roots. If it meets a goal, the order matters and the
//!    rest of the iteration runs depth first from the mark. If there are too many nodes, the batch is rewound and
//!    gathered closer to the bound.
//! 5. **Adapt.** The number of nodes expanded decides where the roots of the next batch are taken.
//!
//! As long as there is no goal, the order does not matter: the iteration expands and generates the same nodes, and so
//! has the same counts and the same next bound.

use std::ops::ControlFlow::{self, Continue};

use super::layers::{Abort, Layers};
use super::{BoundedSearch, End, Frame};
use crate::budget::Budget;
use crate::heuristic::IncrementalHeuristic;
use crate::memory::vec_bytes;
use crate::prune::PathPruner;
use crate::space::StateSpace;

/// An iteration is long once it has spent this many budgets of [`POLL_INTERVAL`](crate::budget::POLL_INTERVAL)
/// expansions. Until there has been one, iterations run depth first: they end before batches could pay off.
const LONG_BUDGETS: u32 = 8;
/// Budgets that a depth-first probe for the least f above the bound may spend.
const PROBE_BUDGETS: u32 = 2;
/// Maximum number of nodes expanded one by one before the roots gathered so far are searched.
const MAX_ABOVE: u32 = 512;

impl<S, H, P> BoundedSearch<'_, '_, S, H, P>
where
    S: StateSpace,
    H: IncrementalHeuristic<S>,
    P: PathPruner<S>,
{
    /// Whether iterations can run in batches. Layers store states and memos only, so the kind of a node must determine
    /// everything else: its last action, and what the pruner allows.
    pub(super) const MAY_BATCH: bool = H::LAYERED && S::KINDS > 1 && size_of::<P::Memory>() == 0;

    /// Searches the nodes on the stack, in batches if the iteration is long.
    pub(super) fn walk_in_batches(&mut self) -> ControlFlow<()> {
        self.mark();
        if self.batches.layers.is_none() {
            if let Some(end) = self.try_depth_first(LONG_BUDGETS) {
                return end;
            }
            let held = vec_bytes(&self.stack, 0) + vec_bytes(&self.path, 0);
            if self.meter.reserve(2 * held + Layers::<S, H::Memo>::bytes()).is_err() {
                return self.walk();
            }
            self.batches.layers = Some(Box::new(Layers::new()));
        }
        while !self.stack.is_empty() {
            if self.gather().is_break() {
                self.rewind();
                return self.walk();
            }
            if self.least_over > self.least_possible {
                self.rewind();
                if let Some(end) = self.try_depth_first(PROBE_BUDGETS) {
                    return end;
                }
                if self.least_over > self.least_possible {
                    return self.walk();
                }
                continue;
            }
            match self.search_batch() {
                Ok(()) => self.check()?,
                Err(Abort::TooLarge) if self.batches.left > 4 => {
                    self.batches.left -= 2;
                    self.rewind();
                }
                Err(_) => {
                    self.rewind();
                    return self.walk();
                }
            }
        }
        Continue(())
    }

    /// Searches depth first for at most `budgets` budgets. Returns the end of the iteration, or `None` after rewinding
    /// to the start of the batch.
    fn try_depth_first(&mut self, budgets: u32) -> Option<ControlFlow<()>> {
        self.batches.trial_budgets = budgets;
        let walk = self.walk();
        self.batches.trial_budgets = u32::MAX;
        if walk.is_break() && matches!(self.end, End::TrialOver) {
            self.rewind();
            return None;
        }
        Some(walk)
    }

    /// Ends a batch: marks the start of the next one and checks the limits.
    fn check(&mut self) -> ControlFlow<()> {
        self.mark();
        match self.meter.check() {
            Ok(()) => Continue(()),
            Err(stop) => self.stop(End::Stopped(stop)),
        }
    }

    fn layers(&mut self) -> &mut Layers<S, H::Memo> {
        self.batches.layers.as_mut().expect("made before the first batch")
    }

    /// Expands nodes depth first and adds those near the bound to the layers, as the roots of a batch.
    fn gather(&mut self) -> ControlFlow<()> {
        let mut above = 0;
        while let Some(node) = self.stack.pop() {
            if self.arrive(&node)? {
                continue;
            }
            if node.left <= self.batches.left
                && let Some(last) = node.last
            {
                let Frame { state, memo, left, .. } = node;
                let kind = self.space.kind(&state, last);
                self.layers().add(state, memo, kind, left);
            } else {
                self.expand(&node)?;
                above += 1;
            }
            if self.layers().is_full() || above == MAX_ABOVE {
                break;
            }
        }
        Continue(())
    }

    /// Searches the trees below the gathered roots, counts them, and adapts the size of the next batch.
    fn search_batch(&mut self) -> Result<(), Abort> {
        self.counts();
        let (left, remaining_expansions) = (self.batches.left, self.meter.remaining_expansions());
        let (space, heuristic, pruner) = (self.space, self.heuristic, self.pruner);
        let counters = self.layers().search(space, heuristic, pruner, remaining_expansions)?;
        self.meter.expand_many(counters.expanded);
        self.meter.generate(counters.generated);
        // Aim for 1/64 of the nodes expanded so far: large enough for the loops over nodes of a kind to pay off, small
        // enough that a rewound batch costs little.
        let few = (self.meter.expanded() / 64).clamp(1 << 12, 1 << 16);
        self.batches.left = match counters.expanded {
            expanded if expanded < few => left + 1,
            expanded if expanded < 4 * few => left,
            _ => (left - 1).max(1),
        };
        Ok(())
    }

    /// Marks the start of a batch, for [`rewind`](Self::rewind).
    fn mark(&mut self) {
        let counts = self.counts();
        let start = &mut self.batches.start;
        start.counts = counts;
        start.stack.clone_from(&self.stack);
        start.path.clone_from(&self.path);
    }

    /// Undoes everything since the start of the batch. `least_over` stays: the batch will meet the same nodes again.
    fn rewind(&mut self) {
        if let Some(layers) = &mut self.batches.layers {
            layers.clear();
        }
        let start = &self.batches.start;
        self.stack.clone_from(&start.stack);
        self.path.clone_from(&start.path);
        self.budget = Budget::default();
        self.meter.rewind_to(start.counts);
        self.end = End::Goal;
    }

    /// Returns the numbers of nodes expanded and generated so far.
    fn counts(&mut self) -> (u64, u64) {
        self.meter.take_back(std::mem::take(&mut self.budget));
        let counts = (self.meter.expanded(), self.meter.generated());
        self.budget = self.meter.lend();
        counts
    }
}
