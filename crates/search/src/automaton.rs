//! Pruning of duplicates in depth-first search by a finite automaton.

mod effects;
mod generate;

use std::fmt;

use crate::prune::PathPruner;
use crate::space::{ActionSet, Contexts};

/// Refuses paths that contain a needless word: a sequence of actions with the same effect as a shorter one, or as one
/// of the same length that precedes it lexicographically.
///
/// The automaton reads a path one action at a time. Its state stands for the longest suffix of the path that is a
/// prefix of a refused word. A table holds the transitions: one row per state, with the next state for each action.
///
/// Sound: among the shortest paths between two states, the lexicographically first one contains no refused word,
/// because replacing the word would make the path shorter or put it earlier. So a search that finds a path within a
/// bound also finds one with the automaton. Other paths of the same length are lost, so the automaton must not be used
/// to find all shortest paths.
///
/// # Examples
/// An automaton for stacks of three pancakes, where an action flips the top two or three:
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
/// // A state space whose actions are flips …
/// impl Contexts for Flips {
///     fn context_count(&self) -> usize {
///         1
///     }
///     fn context(&self, _: &[u8; 3]) -> usize {
///         0
///     }
///     fn representative(&self, _: usize) -> [u8; 3] {
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
/// // The same flip twice does nothing, and 3 2 3 has the same effect as 2 3 2.
/// assert!(!reads(&[0, 0]) && reads(&[0, 1, 0]) && !reads(&[1, 0, 1]));
/// # Ok::<(), Stop>(())
/// ```
///
/// # References
/// Taylor and Korf (1993), "Pruning duplicate nodes in depth-first search", AAAI-93.
#[derive(Clone, PartialEq, Eq)]
pub struct Automaton {
    max_word_length: u32,
    contexts: usize,
    actions: usize,
    /// For each state and action the next state, or [`FORBIDDEN`](Self::FORBIDDEN). The first states, one for each
    /// context, have read nothing; they are followed by those that stand for a suffix of one action, of two, and so on.
    rows: Vec<u32>,
}

impl Automaton {
    /// Stands for the next state if the action is refused or not legal.
    pub const FORBIDDEN: u32 = u32::MAX;

    /// Creates the automaton with these `rows`, each of which holds the next state or [`FORBIDDEN`](Self::FORBIDDEN)
    /// for every action. Returns `None` if `rows` is not a whole number of rows, if there are no contexts or more
    /// contexts than states, or if a next state does not exist.
    pub fn from_rows(
        (max_word_length, contexts, actions): (u32, usize, usize),
        rows: Vec<u32>,
    ) -> Option<Self> {
        let states = rows.len().checked_div(actions)?;
        let fits = states * actions == rows.len() && (1..=states).contains(&contexts);
        let is_row = |&next: &u32| next == Self::FORBIDDEN || (next as usize) < states;
        let automaton = Self { max_word_length, contexts, actions, rows };
        (fits && automaton.rows.iter().all(is_row)).then_some(automaton)
    }

    /// Returns the maximum length of the words that were compared to find the refused ones.
    pub fn max_word_length(&self) -> u32 {
        self.max_word_length
    }

    /// Returns the number of contexts. The states less than it are the start states.
    pub fn context_count(&self) -> usize {
        self.contexts
    }

    /// Returns the number of actions: the length of a row.
    pub fn actions(&self) -> usize {
        self.actions
    }

    /// Returns the number of states.
    pub fn state_count(&self) -> usize {
        self.rows.len() / self.actions
    }

    /// Returns the number of states that stand for suffixes of 0, 1, 2 … actions. States are numbered in this order.
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

    /// Returns the bytes of the rows.
    pub fn bytes(&self) -> u64 {
        size_of_val(&*self.rows) as u64
    }

    /// Returns the start state for paths that start in `context`.
    ///
    /// # Panics
    /// If there is no such context.
    #[inline]
    pub fn start(&self, context: usize) -> u32 {
        assert!(context < self.contexts, "there is no context {context}");
        context as u32
    }

    /// Returns the state after the action with the number `action`, or `None` if it is refused or not legal.
    #[inline]
    pub fn next(&self, state: u32, action: usize) -> Option<u32> {
        let next = self.rows[state as usize * self.actions + action];
        (next != Self::FORBIDDEN).then_some(next)
    }

    /// Returns all rows, one after the other.
    pub fn as_slice(&self) -> &[u32] {
        &self.rows
    }

    /// Returns the rows by state, for spaces of `N` actions: the next state for each action, or
    /// [`FORBIDDEN`](Self::FORBIDDEN). Returns `None` if the number of actions is not `N`.
    pub fn rows<const N: usize>(&self) -> Option<&[[u32; N]]> {
        (N == self.actions).then(|| self.rows.as_chunks().0)
    }
}

impl fmt::Debug for Automaton {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { max_word_length, contexts, actions, .. } = self;
        write!(
            f,
            "Automaton({max_word_length}, {contexts} x {actions}, {} states)",
            self.state_count()
        )
    }
}

/// As without an automaton, moves that undo the last one are not generated at all.
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
    fn extend(&self, space: &S, memory: u32, action: S::Action) -> Option<u32> {
        self.next(memory, space.action_index(action))
    }
}

/// `None` refuses only moves that undo the last one. For searches that are compiled once for both cases.
impl<S: Contexts> PathPruner<S> for Option<&Automaton> {
    type Memory = u32;

    fn start(&self, space: &S, start: &S::State) -> u32 {
        self.map_or(0, |automaton| automaton.start(space.context(start)))
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
    fn extend(&self, space: &S, memory: u32, action: S::Action) -> Option<u32> {
        self.map_or(Some(memory), |automaton| automaton.next(memory, space.action_index(action)))
    }
}

#[cfg(test)]
mod tests;
