//! Which words of actions a depth-first search never needs: pruning of duplicates by an automaton.

mod effects;
mod generate;
mod trie;

use std::fmt;

use crate::prune::PathPruner;
use crate::space::{ActionSet, Contexts};

/// Refuses paths of which a part has the same effect as a shorter word, or as one of the same length that comes
/// before it in the order of actions.
///
/// Reading a path, one action after the other, it remembers as much of its end as can be the beginning of a word
/// that is refused. All that is a row of a table: a state of the automaton, with the next state for each action.
///
/// Sound: of the shortest paths between two states, the first one in the order of actions has no part that is
/// refused, because with another word in its place the path would be shorter, or come earlier. So a search that
/// finds a path within a bound without the automaton finds one with it. Other paths of the same length are lost, so
/// it is of no use where all of them matter.
///
/// # Examples
/// Flips of the top two or three of three things, of which the same in other words is refused:
/// ```
/// use loyd_search::*;
/// # #[derive(Clone, Copy)]
/// # struct Both(u8);
/// # impl IntoIterator for Both {
/// #     type Item = u8;
/// #     type IntoIter = std::vec::IntoIter<u8>;
/// #     fn into_iter(self) -> Self::IntoIter {
/// #         [2, 3].into_iter().filter(|i| self.0 >> i & 1 == 1).collect::<Vec<_>>().into_iter()
/// #     }
/// # }
/// # impl ActionSet<u8> for Both {
/// #     fn without(self, flip: Option<u8>) -> Self {
/// #         Self(self.0 & !flip.map_or(0, |flip| 1 << flip))
/// #     }
/// #     fn count(self) -> u64 {
/// #         self.0.count_ones().into()
/// #     }
/// # }
/// struct Flips;
/// # impl StateSpace for Flips {
/// #     type State = [u8; 3];
/// #     type Action = u8;
/// #     type Actions = Both;
/// #     fn actions(&self, _: &[u8; 3]) -> Both {
/// #         Both(0b1100)
/// #     }
/// #     fn apply(&self, state: &mut [u8; 3], flip: u8) {
/// #         state.swap(0, usize::from(flip) - 1);
/// #     }
/// #     fn is_goal(&self, state: &[u8; 3]) -> bool {
/// #         *state == [0, 1, 2]
/// #     }
/// # }
/// # impl Reversible for Flips {
/// #     fn inverse(&self, flip: u8) -> u8 {
/// #         flip
/// #     }
/// # }
/// # impl Packable for Flips {
/// #     type Key = [u8; 3];
/// #     fn pack(&self, state: &[u8; 3]) -> [u8; 3] {
/// #         *state
/// #     }
/// #     fn unpack(&self, key: [u8; 3]) -> [u8; 3] {
/// #         key
/// #     }
/// # }
/// // A state space with flips as actions …
/// impl Contexts for Flips {
///     fn contexts(&self) -> usize {
///         1
///     }
///     fn context(&self, _: &[u8; 3]) -> usize {
///         0
///     }
///     fn example(&self, _: usize) -> [u8; 3] {
///         [0, 1, 2]
///     }
///     fn action_count(&self) -> usize {
///         2
///     }
///     fn action_index(&self, flip: u8) -> usize {
///         usize::from(flip) - 2
///     }
///     fn action(&self, index: usize) -> u8 {
///         index as u8 + 2
///     }
/// }
/// let automaton = Automaton::generate(&Flips, 3, &mut Meter::default())?;
/// let reads = |word: &[usize]| {
///     word.iter().try_fold(automaton.start(0), |state, &action| automaton.next(state, action)).is_some()
/// };
/// // Twice the same flip does nothing, and 3 2 3 does the same as 2 3 2.
/// assert!(!reads(&[0, 0]) && reads(&[0, 1, 0]) && !reads(&[1, 0, 1]));
/// # Ok::<(), Stop>(())
/// ```
///
/// # References
/// Taylor and Korf (1993), "Pruning duplicate nodes in depth-first search", AAAI-93.
#[derive(Clone, PartialEq, Eq)]
pub struct Automaton {
    words: u32,
    contexts: usize,
    actions: usize,
    /// For each state and action the next state, or [`FORBIDDEN`](Self::FORBIDDEN). The first states are those in
    /// which nothing has been read, one for each context; then come those that remember one action, two, and so on.
    rows: Vec<u32>,
}

impl Automaton {
    /// In place of a next state: the action is refused, or not legal.
    pub const FORBIDDEN: u32 = u32::MAX;

    /// The automaton with these `rows`, each with a next state or [`FORBIDDEN`](Self::FORBIDDEN) for every action;
    /// `None` if they hang together in no way in which rows of an automaton could.
    pub fn from_rows(
        (words, contexts, actions): (u32, usize, usize),
        rows: Vec<u32>,
    ) -> Option<Self> {
        let states = rows.len().checked_div(actions)?;
        let fits = states * actions == rows.len() && (1..=states).contains(&contexts);
        let is_row = |&next: &u32| next == Self::FORBIDDEN || (next as usize) < states;
        let automaton = Self { words, contexts, actions, rows };
        (fits && automaton.rows.iter().all(is_row)).then_some(automaton)
    }

    /// The largest number of actions in a word that is refused for its own sake.
    pub fn words(&self) -> u32 {
        self.words
    }

    /// How many contexts there are: the states below it are the starts.
    pub fn contexts(&self) -> usize {
        self.contexts
    }

    /// How many actions there are: the length of a row.
    pub fn actions(&self) -> usize {
        self.actions
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.rows.len() / self.actions
    }

    /// How many states remember 0, 1, 2 and so many more actions; these are their numbers, one after the other.
    pub fn census(&self) -> Vec<u64> {
        let (mut census, mut known) = (vec![self.contexts as u64], self.contexts);
        let mut end = known;
        for (state, row) in self.rows.chunks(self.actions).enumerate() {
            if state == end {
                census.push((known - end) as u64);
                end = known;
            }
            for &next in row {
                known += usize::from(next as usize == known);
            }
        }
        census
    }

    /// The memory that the rows take.
    pub fn bytes(&self) -> u64 {
        size_of_val(&*self.rows) as u64
    }

    /// The state in which nothing has been read, for paths that begin in `context`.
    ///
    /// # Panics
    /// If there is no such context.
    #[inline]
    pub fn start(&self, context: usize) -> u32 {
        assert!(context < self.contexts, "there is no context {context}");
        context as u32
    }

    /// The state after another action, given by its number; `None` if it is refused, or not legal.
    #[inline]
    pub fn next(&self, state: u32, action: usize) -> Option<u32> {
        let next = self.rows[state as usize * self.actions + action];
        (next != Self::FORBIDDEN).then_some(next)
    }

    /// All rows, one after the other.
    pub fn entries(&self) -> &[u32] {
        &self.rows
    }

    /// The rows by state, for spaces of `N` actions: the next state for each action, or
    /// [`FORBIDDEN`](Self::FORBIDDEN). `None` if there is another number of actions.
    pub fn rows<const N: usize>(&self) -> Option<&[[u32; N]]> {
        (N == self.actions).then(|| self.rows.as_chunks().0)
    }
}

impl fmt::Debug for Automaton {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { words, contexts, actions, .. } = self;
        write!(f, "Automaton({words}, {contexts} x {actions}, {} states)", self.states())
    }
}

/// Beside the words that it refuses, moves that take the last one back are not generated, as without it.
impl<S: Contexts> PathPruner<S> for Automaton {
    type Memory = u32;

    fn start(&self, space: &S, start: &S::State) -> u32 {
        self.start(space.context(start))
    }

    #[inline]
    fn allowed(
        &self,
        space: &S,
        _: u32,
        last: Option<S::Action>,
        actions: S::Actions,
    ) -> S::Actions {
        actions.without(last.map(|last| space.inverse(last)))
    }

    #[inline]
    fn after(&self, space: &S, memory: u32, action: S::Action) -> Option<u32> {
        self.next(memory, space.action_index(action))
    }
}

/// Without an automaton, only moves that take the last one back are refused: for searches that are compiled once for
/// both.
impl<S: Contexts> PathPruner<S> for Option<&Automaton> {
    type Memory = u32;

    fn start(&self, space: &S, start: &S::State) -> u32 {
        self.map_or(0, |automaton| automaton.start(space.context(start)))
    }

    fn allowed(
        &self,
        space: &S,
        _: u32,
        last: Option<S::Action>,
        actions: S::Actions,
    ) -> S::Actions {
        actions.without(last.map(|last| space.inverse(last)))
    }

    fn after(&self, space: &S, memory: u32, action: S::Action) -> Option<u32> {
        self.map_or(Some(memory), |automaton| automaton.next(memory, space.action_index(action)))
    }
}

#[cfg(test)]
mod tests;
