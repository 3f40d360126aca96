//! Parts of a search with limits of their own, and searches that begin again.

use super::Meter;
use crate::space::Cost;

impl Meter<'_> {
    /// Does `work` with at most `expansions` more expansions, and under all other limits as they are.
    pub fn within<T>(&mut self, expansions: u64, work: impl FnOnce(&mut Self) -> T) -> T {
        let limit = self.limits.max_expanded;
        let end = self.expanded().saturating_add(expansions);
        self.set_max_expanded(Some(limit.map_or(end, |limit| limit.min(end))));
        let result = work(self);
        self.set_max_expanded(limit);
        result
    }

    /// Does `work` for paths of at most this cost, and under all other limits as they are.
    pub fn no_deeper_than<T>(&mut self, depth: Cost, work: impl FnOnce(&mut Self) -> T) -> T {
        let limit = self.limits.max_depth;
        self.limits.max_depth = Some(self.limits.depth().min(depth));
        let result = work(self);
        self.limits.max_depth = limit;
        result
    }

    /// Forgets the rounds so far, for a search that begins again in another way; what they have
    /// expanded still counts.
    pub fn begin_again(&mut self) {
        self.stats.iterations.clear();
        self.stats.direction = None;
        self.earlier[1] = (0, 0);
        self.before_round = (self.expanded(), self.stats.generated);
    }
}
