//! Long rounds in batches, whose nodes are expanded layer by layer: see [`Layers`].
//!
//! Nodes far above the bound are expanded in their order. Those with less of the bound left are gathered,
//! and everything below them is one batch. As long as there is no goal the order does not matter: what is
//! counted is the same, and so is the least overrun, once a path was cut off where f is the least above the
//! bound that there can be. If a batch has a goal, or reaches a limit, the search goes back to where the
//! batch began and goes on depth first.

use std::ops::ControlFlow::{self, Continue};

use super::layers::{Layers, Refused};
use super::shared::Frame;
use super::{BoundedSearch, End};
use crate::budget::Budget;
use crate::heuristic::IncrementalHeuristic;
use crate::memory::vec_bytes;
use crate::prune::PathPruner;
use crate::space::StateSpace;

/// The first rounds are searched depth first, until one spends so many budgets of
/// [`POLL_INTERVAL`](crate::budget::POLL_INTERVAL) expansions.
const LONG: u32 = 8;
/// Later ones only if that is needed to see where paths are cut off, and no more than so many.
const SHORT: u32 = 2;
/// So many nodes are expanded one by one, at most, before what is gathered is searched.
const ABOVE: u32 = 512;

impl<S, H, P> BoundedSearch<'_, '_, S, H, P>
where
    S: StateSpace,
    H: IncrementalHeuristic<S>,
    P: PathPruner<S>,
{
    /// Whether rounds may be searched in batches: a kind says all about a node but its state and memo.
    pub(super) const MAY_BATCH: bool = H::IN_LAYERS && S::KINDS > 1 && size_of::<P::Memory>() == 0;

    /// Searches what waits, in batches if the round is long.
    pub(super) fn walk_in_batches(&mut self) -> ControlFlow<()> {
        self.mark();
        if self.batches.layers.is_none() {
            if let Some(end) = self.begin_depth_first(LONG) {
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
                self.go_back();
                return self.walk();
            }
            if self.least_over > self.least_possible {
                self.go_back();
                if let Some(end) = self.begin_depth_first(SHORT) {
                    return end;
                }
                if self.least_over > self.least_possible {
                    return self.walk();
                }
                continue;
            }
            match self.search_batch() {
                Ok(()) => self.check()?,
                Err(Refused::Large) if self.batches.left > 4 => {
                    self.batches.left -= 2;
                    self.go_back();
                }
                Err(_) => {
                    self.go_back();
                    return self.walk();
                }
            }
        }
        Continue(())
    }

    /// Searches depth first, but no more than so many budgets; the end of the round, or `None` and back to
    /// where the batch began.
    fn begin_depth_first(&mut self, budgets: u32) -> Option<ControlFlow<()>> {
        self.batches.budgets = budgets;
        let walk = self.walk();
        self.batches.budgets = u32::MAX;
        if walk.is_break() && matches!(self.end, End::Long) {
            self.go_back();
            return None;
        }
        Some(walk)
    }

    /// Ends a batch: looks at the limits, and notes where the next one begins.
    fn check(&mut self) -> ControlFlow<()> {
        self.mark();
        match self.meter.check() {
            Ok(()) => Continue(()),
            Err(stop) => self.stop(End::Stopped(stop)),
        }
    }

    fn layers(&mut self) -> &mut Layers<S, H::Memo> {
        self.batches.layers.as_mut().expect("made when the first batch begins")
    }

    /// Expands nodes in their order, down to those that are gathered.
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
            if self.layers().is_full() || above == ABOVE {
                break;
            }
        }
        Continue(())
    }

    /// Searches what is below the nodes that are gathered.
    fn search_batch(&mut self) -> Result<(), Refused> {
        self.counts();
        let (left, left_to_expand) = (self.batches.left, self.meter.left_to_expand());
        let (space, heuristic, pruner) = (self.space, self.heuristic, self.pruner);
        let tally = self.layers().search(space, heuristic, pruner, left_to_expand)?;
        self.meter.expand_many(tally.expanded);
        self.meter.generate(tally.generated);
        // Enough for the loops over nodes of a kind to be worth it, and little to do again.
        let few = (self.meter.expanded() / 64).clamp(1 << 12, 1 << 16);
        self.batches.left = match tally.expanded {
            expanded if expanded < few => left + 1,
            expanded if expanded < 4 * few => left,
            _ => (left - 1).max(1),
        };
        Ok(())
    }

    /// Notes where a batch begins.
    fn mark(&mut self) {
        let counts = self.counts();
        let begun = &mut self.batches.begun;
        begun.counts = counts;
        begun.stack.clone_from(&self.stack);
        begun.path.clone_from(&self.path);
    }

    /// Goes back to where the batch began.
    fn go_back(&mut self) {
        if let Some(layers) = &mut self.batches.layers {
            layers.clear();
        }
        let begun = &self.batches.begun;
        self.stack.clone_from(&begun.stack);
        self.path.clone_from(&begun.path);
        self.budget = Budget::default();
        self.meter.back_to(begun.counts);
        self.end = End::Goal;
    }

    /// Expanded and generated so far.
    fn counts(&mut self) -> (u64, u64) {
        self.meter.take_back(std::mem::take(&mut self.budget));
        let counts = (self.meter.expanded(), self.meter.generated());
        self.budget = self.meter.lend();
        counts
    }
}
