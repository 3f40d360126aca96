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

/// Code that is compiled for each kind of node: see [`StateSpace::specialize`].
pub trait Specialized {
    /// What the code returns.
    type Output;

    /// Runs the code that was compiled for this kind.
    fn run<const KIND: usize>(self) -> Self::Output;
}

/// A graph of states, given by its successor function.
///
/// The order of [`actions`](Self::actions) is fixed and documented by the domain, because node
/// counts of depth-first searches depend on it.
///
/// # Examples
/// How to come from 2 to 10 by steps of one and of seven, no number being above 15:
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
/// let mut closed = Hashed::new(&mut meter)?;
/// let outcome = breadth_first(&Steps, &2, &mut closed, &mut meter);
/// assert_eq!(outcome, Outcome::Solved { path: vec![1, 7], cost: 2 });
/// # Ok::<(), Stop>(())
/// ```
pub trait StateSpace {
    /// One state; small and cheap to clone.
    type State: Clone + Eq;
    /// One move; small, as each node keeps one.
    type Action: Copy + Eq + Debug;
    /// The legal moves of a state.
    type Actions: ActionSet<Self::Action>;

    /// The legal actions of `state`, always in the same order.
    fn actions(&self, state: &Self::State) -> Self::Actions;

    /// Changes `state` into the successor by `action`, which must be legal there.
    fn apply(&self, state: &mut Self::State, action: Self::Action);

    /// Whether `state` is a goal.
    fn is_goal(&self, state: &Self::State) -> bool;

    /// Whether the successor of `state` by `action` is a goal.
    #[inline]
    fn leads_to_goal(&self, state: &Self::State, action: Self::Action) -> bool {
        self.is_goal(&self.successor(state, action))
    }

    /// What `action` costs in `state`, at least 1; 1 unless the domain says otherwise.
    #[inline]
    fn action_cost(&self, _state: &Self::State, _action: Self::Action) -> Cost {
        1
    }

    /// How many kinds of nodes the space tells apart.
    ///
    /// Much about a node may follow from its kind: which actions are legal, where they lead, of which
    /// kinds the children are. Depth-first searches are then compiled for each kind, and
    /// [`assume`](Self::assume) tells the compiler what it may take for granted. In a space of more than
    /// one kind, every action costs 1.
    const KINDS: usize = 1;

    /// The kind, below [`KINDS`](Self::KINDS), of `state`, which was reached by `last`.
    #[inline(always)]
    fn kind(&self, _state: &Self::State, _last: Self::Action) -> usize {
        0
    }

    /// Runs the `code` for nodes of this kind.
    #[inline(always)]
    fn specialize<C: Specialized>(&self, _kind: usize, code: C) -> C::Output {
        code.run::<0>()
    }

    /// `state` and `last` again, which are of this kind, with what the kind says put in as constants.
    #[inline(always)]
    fn assume<const KIND: usize>(
        &self,
        state: Self::State,
        last: Option<Self::Action>,
    ) -> (Self::State, Option<Self::Action>) {
        (state, last)
    }

    /// The successor of `state` by `action`.
    #[inline]
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

/// A space in which what a word does, a sequence of actions, depends on little of the state: its context. On a
/// board this is the cell of the blank.
///
/// Which actions are legal, and in which context each of them ends, follows from the context alone. Two words that
/// lead the [`example`](Self::example) of a context to the same state lead every state of that context to the same
/// state. Every action costs 1, and the numbers of actions are in the order of
/// [`actions`](StateSpace::actions).
pub trait Contexts: Reversible + Packable {
    /// How many contexts there are.
    fn contexts(&self) -> usize;

    /// The context, below [`contexts`](Self::contexts), of `state`.
    fn context(&self, state: &Self::State) -> usize;

    /// A state in which the effects of all words can be told apart. It need not be one from which a goal can be
    /// reached.
    fn example(&self, context: usize) -> Self::State;

    /// How many actions there are, those of all contexts together.
    fn action_count(&self) -> usize;

    /// The number of `action`, below [`action_count`](Self::action_count).
    fn action_index(&self, action: Self::Action) -> usize;

    /// The action with this number; the inverse of [`action_index`](Self::action_index).
    fn action(&self, index: usize) -> Self::Action;
}

/// A space whose goal states can be listed: what a search from the goal backwards starts from.
pub trait Goals: StateSpace {
    /// All goal states, at least one.
    fn goals(&self) -> Vec<Self::State>;
}

/// A space whose states have a compact key for ordered and hashed closed lists.
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
