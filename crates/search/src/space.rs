//! What a domain has to say about itself before it can be searched.

use std::fmt::Debug;
use std::hash::Hash;

/// Path costs, heuristic values and bounds, in moves (or whatever unit the domain's actions cost).
///
/// Never generic and never a float: weighted searches scale integers instead.
pub type Cost = u32;

/// A set of actions, normally a bit mask, so that nothing is allocated and nothing branches.
pub trait ActionSet<A>: Copy + IntoIterator<Item = A, IntoIter: DoubleEndedIterator> {
    /// The set less `action`, if it is in it.
    #[must_use]
    fn without(self, action: Option<A>) -> Self;

    /// How many actions are in the set.
    fn count(self) -> u64;
}

/// A graph of states, given by its successor function.
///
/// The order of [`actions`](Self::actions) is fixed and documented by the domain, because node
/// counts of depth-first searches depend on it.
pub trait StateSpace {
    /// One state; small and cheap to clone.
    type State: Clone + Eq;
    /// One move; a byte in every domain of this project.
    type Action: Copy + Eq + Debug;
    /// The legal moves of a state.
    type Actions: ActionSet<Self::Action>;

    /// The legal actions of `state`, always in the same order.
    fn actions(&self, state: &Self::State) -> Self::Actions;

    /// Changes `state` into the successor by `action`, which must be legal there.
    fn apply(&self, state: &mut Self::State, action: Self::Action);

    /// Whether `state` is a goal.
    fn is_goal(&self, state: &Self::State) -> bool;

    /// What `action` costs in `state`, at least 1; 1 unless the domain says otherwise.
    fn action_cost(&self, _state: &Self::State, _action: Self::Action) -> Cost {
        1
    }

    /// The successor of `state` by `action`.
    fn successor(&self, state: &Self::State, action: Self::Action) -> Self::State {
        let mut child = state.clone();
        self.apply(&mut child, action);
        child
    }
}

/// A space in which each action can be taken back by one action of the same cost.
pub trait Reversible: StateSpace {
    /// The action that undoes `action`.
    fn inverse(&self, action: Self::Action) -> Self::Action;
}

/// A space whose goal states can be listed: what a search from the goal backwards starts from.
pub trait Goals: StateSpace {
    /// All goal states, at least one.
    fn goals(&self) -> Vec<Self::State>;
}

/// A space whose states have a compact key for ordered and hashed duplicate detection.
pub trait Packable: StateSpace {
    /// The key: equal for equal states only.
    type Key: Copy + Ord + Hash;

    /// The key of `state`.
    fn pack(&self, state: &Self::State) -> Self::Key;

    /// The state of `key`; the inverse of [`pack`](Self::pack).
    fn unpack(&self, key: Self::Key) -> Self::State;
}

/// A space whose reachable states are numbered without gaps.
///
/// `unrank(rank(s)) == s` for every state that can be reached from a goal, and
/// `rank(unrank(r)) == r` for every `r` below [`state_count`](Self::state_count). States from which
/// no goal can be reached may share numbers with those, but not with each other if one can be reached
/// from the other: a search that starts among them stays correct.
pub trait Rankable: StateSpace {
    /// How many states there are, or `None` when the number does not fit 64 bits.
    fn state_count(&self) -> Option<u64>;

    /// The number of `state`, below [`state_count`](Self::state_count).
    fn rank(&self, state: &Self::State) -> u64;

    /// The state whose number is `rank`.
    fn unrank(&self, rank: u64) -> Self::State;
}
