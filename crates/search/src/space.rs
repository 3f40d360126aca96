//! The traits that a domain implements to be searched.

use std::fmt::Debug;
use std::hash::Hash;

/// Path costs, heuristic values and bounds, in moves (or whatever unit the domain's actions cost).
///
/// Never generic and never a float: weighted searches scale integers instead.
pub type Cost = u32;

/// A set of actions: normally a bit mask, which neither allocates nor branches.
pub trait ActionSet<A>: Copy + IntoIterator<Item = A, IntoIter: DoubleEndedIterator> {
    /// Returns the set without `action`. If `action` is not in the set, or `None`, the set is unchanged.
    #[must_use]
    fn without(self, action: Option<A>) -> Self;

    /// Returns the number of actions in the set.
    fn count(self) -> u64;
}

/// Code that is compiled once for each kind of node: see [`StateSpace::specialize`].
pub trait SpecializedCode {
    /// The return value of the code.
    type Output;

    /// Runs the code that is compiled for nodes of `KIND`.
    fn run<const KIND: usize>(self) -> Self::Output;
}

/// A graph of states, given by its successor function.
///
/// The domain fixes and documents the order of [`actions`](Self::actions), because the node counts of depth-first
/// searches depend on it.
///
/// # Examples
/// From 2 to 10 in steps of ±1 and ±7, with all numbers between 0 and 15:
/// ```
/// use loyd_search::*;
///
/// struct Steps;
/// #[derive(Clone, Copy)]
/// struct Legal(u8);
/// const STEPS: [i8; 4] = [-7, -1, 1, 7];
///
/// impl IntoIterator for Legal {
///     type Item = i8;
///     type IntoIter = std::vec::IntoIter<i8>;
///     fn into_iter(self) -> Self::IntoIter {
///         let legal = (0..4).filter(|i| self.0 >> i & 1 == 1).map(|i| STEPS[i]);
///         legal.collect::<Vec<_>>().into_iter()
///     }
/// }
/// impl ActionSet<i8> for Legal {
///     fn without(self, step: Option<i8>) -> Self {
///         let place = STEPS.iter().position(|&known| Some(known) == step);
///         Self(self.0 & !place.map_or(0, |i| 1 << i))
///     }
///     fn count(self) -> u64 {
///         self.0.count_ones().into()
///     }
/// }
/// impl StateSpace for Steps {
///     type State = i8;
///     type Action = i8;
///     type Actions = Legal;
///     fn actions(&self, state: &i8) -> Legal {
///         let legal = |i: &usize| (0..16).contains(&(state + STEPS[*i]));
///         Legal((0..4).filter(legal).fold(0, |set, i| set | 1 << i))
///     }
///     fn apply(&self, state: &mut i8, step: i8) {
///         *state += step;
///     }
///     fn is_goal(&self, state: &i8) -> bool {
///         *state == 10
///     }
/// }
/// impl Reversible for Steps {
///     fn inverse(&self, step: i8) -> i8 {
///         -step
///     }
/// }
/// impl Packable for Steps {
///     type Key = i8;
///     fn pack(&self, state: &i8) -> i8 {
///         *state
///     }
///     fn unpack(&self, key: i8) -> i8 {
///         key
///     }
/// }
///
/// let mut meter = Meter::default();
/// let mut closed = HashedClosedList::new(&mut meter)?;
/// let outcome = breadth_first(&Steps, &2, &mut closed, &mut meter);
/// assert_eq!(outcome, Outcome::Solved { path: vec![1, 7], cost: 2 });
/// # Ok::<(), Stop>(())
/// ```
pub trait StateSpace {
    /// A state; small and cheap to clone.
    type State: Clone + Eq;
    /// An action; small, since every node stores one.
    type Action: Copy + Eq + Debug;
    /// The legal actions of a state.
    type Actions: ActionSet<Self::Action>;

    /// Returns the legal actions of `state`, always in the same order.
    fn actions(&self, state: &Self::State) -> Self::Actions;

    /// Applies `action` to `state`, in place. The action must be legal.
    fn apply(&self, state: &mut Self::State, action: Self::Action);

    /// Returns whether `state` is a goal.
    fn is_goal(&self, state: &Self::State) -> bool;

    /// Returns whether the successor of `state` by `action` is a goal.
    #[inline]
    fn leads_to_goal(&self, state: &Self::State, action: Self::Action) -> bool {
        self.is_goal(&self.successor(state, action))
    }

    /// Returns the cost of `action` in `state`: 1 by default, otherwise at least 1. Best-first searches also accept
    /// actions of cost 0.
    #[inline]
    fn action_cost(&self, _state: &Self::State, _action: Self::Action) -> Cost {
        1
    }

    /// Number of kinds of nodes.
    ///
    /// The kind of a node may determine which actions are legal, where they lead, and the kinds of the children.
    /// Depth-first searches are then compiled once per kind, and [`assume`](Self::assume) gives the compiler the
    /// constants of a kind. In a space of more than one kind, every action must cost 1.
    const KINDS: usize = 1;

    /// Returns the kind of `state`, reached by the action `last`; less than [`KINDS`](Self::KINDS).
    #[inline(always)]
    fn kind(&self, _state: &Self::State, _last: Self::Action) -> usize {
        0
    }

    /// Runs the instance of `code` for nodes of `kind`.
    #[inline(always)]
    fn specialize<C: SpecializedCode>(&self, _kind: usize, code: C) -> C::Output {
        code.run::<0>()
    }

    /// Returns `state` and `last` of a node of `KIND` unchanged, with everything that the kind determines as constants.
    #[inline(always)]
    fn assume<const KIND: usize>(
        &self,
        state: Self::State,
        last: Option<Self::Action>,
    ) -> (Self::State, Option<Self::Action>) {
        (state, last)
    }

    /// Returns the successor of `state` by `action`.
    #[inline]
    fn successor(&self, state: &Self::State, action: Self::Action) -> Self::State {
        let mut child = state.clone();
        self.apply(&mut child, action);
        child
    }
}

/// A space in which each action has an inverse of the same cost.
pub trait Reversible: StateSpace {
    /// Returns the action that undoes `action`.
    fn inverse(&self, action: Self::Action) -> Self::Action;
}

/// A space in which the effect of a word, a sequence of actions, depends on a small part of the state only: its
/// context. On a board this is the cell of the blank.
///
/// The context determines which actions are legal, and the context that each of them leads to. Two words that lead the
/// [`representative`](Self::representative) of a context to the same state lead every state of that context to the same
/// state. Every action costs 1, and actions are numbered in the order of [`actions`](StateSpace::actions).
pub trait Contexts: Reversible + Packable {
    /// Returns the number of contexts.
    fn context_count(&self) -> usize;

    /// Returns the context of `state`, less than [`context_count`](Self::context_count).
    fn context(&self, state: &Self::State) -> usize;

    /// Returns a state of `context` in which any two words of different effect lead to different states. No goal needs
    /// to be reachable from it.
    fn representative(&self, context: usize) -> Self::State;

    /// Returns the number of actions, in all contexts together.
    fn action_count(&self) -> usize;

    /// Returns the number of `action`, less than [`action_count`](Self::action_count).
    fn action_index(&self, action: Self::Action) -> usize;

    /// Returns the action with this number: the inverse of [`action_index`](Self::action_index).
    fn action(&self, index: usize) -> Self::Action;
}

/// A space whose goal states can be listed, as searches from the goals backwards require.
pub trait Goals: StateSpace {
    /// Returns all goal states, at least one.
    fn goals(&self) -> Vec<Self::State>;
}

/// A space whose states have a compact key, for ordered and hashed closed lists.
pub trait Packable: StateSpace {
    /// The key. Two states have equal keys if and only if they are equal.
    type Key: Copy + Ord + Hash;

    /// Returns the key of `state`.
    fn pack(&self, state: &Self::State) -> Self::Key;

    /// Returns the state of `key`: the inverse of [`pack`](Self::pack).
    fn unpack(&self, key: Self::Key) -> Self::State;
}

/// A space whose reachable states are numbered without gaps.
///
/// `unrank(rank(s)) == s` for every state that can be reached from a goal, and `rank(unrank(r)) == r` for every `r`
/// less than [`state_count`](Self::state_count). A state from which no goal can be reached may share its number with a
/// state from which one can. Two states that can be reached from each other must have different numbers, so that
/// searches from any start are correct.
pub trait Rankable: StateSpace {
    /// Returns the number of states, or `None` if it does not fit in 64 bits.
    fn state_count(&self) -> Option<u64>;

    /// Returns the number of `state`, less than [`state_count`](Self::state_count).
    fn rank(&self, state: &Self::State) -> u64;

    /// Returns the state with the number `rank`.
    fn unrank(&self, rank: u64) -> Self::State;
}
