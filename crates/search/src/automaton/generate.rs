//! Generation of the automaton: finds the refused words by increasing length, collects them in a trie, and completes the
//! trie to an automaton that finds them in a path.

use std::ops::RangeInclusive;

use super::Automaton;
use super::effects::{Coding, Effects};
use crate::meter::Meter;
use crate::outcome::Stop;
use crate::space::Contexts;

/// Number of words enumerated between two limit checks.
const POLL_INTERVAL: u32 = 1 << 14;

impl Automaton {
    /// Generates the automaton of `space` that refuses words of up to `max_word_length` actions (at most
    /// [`max_supported_length`](Self::max_supported_length)). With 2, it refuses little more than undoing the last
    /// action.
    ///
    /// Cost: makes every state within `max_word_length` actions of the representative of each context about twice, one
    /// context after the other. On 5x5 boards, words of 16 moves take a few seconds and 16 bytes per state.
    ///
    /// # Errors
    /// The limit that was reached.
    ///
    /// # Panics
    /// If `max_word_length` is more than [`max_supported_length`](Self::max_supported_length).
    pub fn generate<S: Contexts>(
        space: &S,
        max_word_length: u32,
        meter: &mut Meter<'_>,
    ) -> Result<Self, Stop> {
        let longest = Self::max_supported_length(space.action_count());
        assert!(max_word_length <= longest, "words of {max_word_length} actions are too long");
        let mut generator = Generator::new(space);
        for length in 1..=max_word_length {
            generator.refuse_words(length, max_word_length, meter)?;
        }
        let Generator { rows, .. } = generator;
        let (contexts, actions) = (space.context_count(), space.action_count());
        Ok(Self { max_word_length, contexts, actions, rows })
    }

    /// Returns the maximum length of words, given the number of actions: 31 for four actions.
    pub fn max_supported_length(actions: usize) -> u32 {
        Coding::new(actions).longest()
    }
}

/// The automaton for words up to some length, with what is needed to find longer ones.
struct Generator<'a, S> {
    space: &'a S,
    coding: Coding,
    trie: Trie,
    /// Rows of the automaton without any words: the context to which each action leads from each context.
    steps: Vec<u32>,
    /// Rows of the automaton that refuses the words found so far.
    rows: Vec<u32>,
    effects: Effects,
    /// Whether the contexts have a two-colouring in which every action changes the colour. If so, words whose lengths
    /// differ by 1 never have the same effect.
    alternates: bool,
}

impl<'a, S: Contexts> Generator<'a, S> {
    fn new(space: &'a S) -> Self {
        let (contexts, actions) = (space.context_count(), space.action_count());
        let mut steps = vec![Automaton::FORBIDDEN; contexts * actions];
        for context in 0..contexts {
            let example = space.representative(context);
            for action in space.actions(&example) {
                let to = space.context(&space.successor(&example, action));
                steps[context * actions + space.action_index(action)] = to as u32;
            }
        }
        let coding = Coding::new(actions);
        let (trie, effects) = (Trie::new(contexts, actions), Effects::new(coding));
        let alternates = has_two_colours(&steps, contexts);
        Self { space, coding, trie, rows: steps.clone(), steps, effects, alternates }
    }

    /// Finds the words of this length without a refused part that have the effect of another word, and refuses them.
    ///
    /// A shorter word with the same effect is shorter by one or two actions: undoing the last action leads to a state
    /// at distance `length - 1` from the example, so the state of the word is at distance `length - 2` or more.
    fn refuse_words(
        &mut self,
        length: u32,
        max_word_length: u32,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        let mut refused = Vec::new();
        for context in 0..self.space.context_count() {
            let effort = |length: u32| 1_u64 << length.min(40);
            let contexts = self.space.context_count() as u64;
            let done = contexts * (effort(length) - 2) + context as u64 * effort(length);
            meter.progress(done, contexts * (effort(max_word_length + 1) - 2))?;
            self.effects.clear();
            // Shorter words first, so that the longer ones are the duplicates.
            let shorter = if self.alternates { length.checked_sub(2) } else { Some(length - 1) };
            if let Some(last) = shorter {
                self.enumerate(context, length.saturating_sub(2)..=last, meter)?;
            }
            self.enumerate(context, length..=length, meter)?;
            let mut add = |word| refused.push((context, word));
            self.effects.duplicates((self.space, context), meter, &mut add)?;
        }
        self.effects.reserve_extra(self.trie.bytes_with(refused.len(), length), meter)?;
        let coding = self.coding;
        for &(context, word) in &refused {
            self.trie.insert(context, coding.actions(word));
        }
        self.rows = self.trie.complete(&self.steps);
        Ok(())
    }

    /// Adds the words of these lengths that are not refused to the effects, in the order of actions.
    fn enumerate(
        &mut self,
        context: usize,
        lengths: RangeInclusive<u32>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        let Self { space, coding, rows, effects, .. } = self;
        let actions = space.action_count();
        let mut words = Words {
            space: *space,
            coding: *coding,
            rows,
            actions,
            lengths,
            until_poll: POLL_INTERVAL,
        };
        let (example, word) = (space.representative(context), Coding::EMPTY);
        words.add_extensions(&example, (context as u32, word, 0), effects, meter)
    }
}

/// Enumerates the words of some lengths that an automaton accepts.
struct Words<'a, S> {
    space: &'a S,
    coding: Coding,
    rows: &'a [u32],
    actions: usize,
    lengths: RangeInclusive<u32>,
    until_poll: u32,
}

impl<S: Contexts> Words<'_, S> {
    /// Adds `word`, of this `length` and leading to `state`, and all words that start with it.
    fn add_extensions(
        &mut self,
        state: &S::State,
        (row, word, length): (u32, u64, u32),
        effects: &mut Effects,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        if self.lengths.contains(&length) {
            effects.add(self.space, (state, word), meter)?;
        }
        if length == *self.lengths.end() {
            self.until_poll -= 1;
            if self.until_poll == 0 {
                self.until_poll = POLL_INTERVAL;
                meter.check()?;
            }
            return Ok(());
        }
        let first = row as usize * self.actions;
        for action in 0..self.actions {
            let next = self.rows[first + action];
            if next != Automaton::FORBIDDEN {
                let child = self.space.successor(state, self.space.action(action));
                let word = self.coding.push(word, action);
                self.add_extensions(&child, (next, word, length + 1), effects, meter)?;
            }
        }
        Ok(())
    }
}

/// Returns whether the contexts have a two-colouring in which every action changes the colour.
fn has_two_colours(steps: &[u32], contexts: usize) -> bool {
    let actions = steps.len() / contexts;
    let mut colours = vec![None; contexts];
    let mut alternates = true;
    for root in 0..contexts {
        let mut pending = vec![(root, colours[root].unwrap_or(false))];
        while let Some((context, colour)) = pending.pop() {
            match colours[context] {
                Some(known) => alternates &= known == colour,
                None => {
                    colours[context] = Some(colour);
                    let next = &steps[context * actions..][..actions];
                    let next = next.iter().filter(|&&next| next != Automaton::FORBIDDEN);
                    pending.extend(next.map(|&next| (next as usize, !colour)));
                }
            }
        }
    }
    alternates
}

/// A trie of words: a node for each proper prefix of a word, with an entry for each action.
struct Trie {
    actions: usize,
    contexts: usize,
    /// The child, [`Automaton::FORBIDDEN`] where a word ends, or `NO_CHILD`. The first nodes are the roots, one per context.
    rows: Vec<u32>,
}

/// There is no word with this prefix.
const NO_CHILD: u32 = u32::MAX - 1;

impl Trie {
    /// Creates a trie without words.
    fn new(contexts: usize, actions: usize) -> Self {
        Self { actions, contexts, rows: vec![NO_CHILD; contexts * actions] }
    }

    /// Returns the bytes of the trie once `words` more words of this `length` are in, and of the automaton made of it.
    fn bytes_with(&self, words: usize, length: u32) -> u64 {
        let entries = self.rows.len() + words * length as usize * self.actions;
        let states = entries / self.actions;
        // The trie, twice while it grows; the rows of the automaton; `nodes` and `links` of `complete`.
        ((3 * entries + 2 * states) * size_of::<u32>()) as u64
    }

    /// Adds a word that contains no other word.
    fn insert(&mut self, context: usize, word: impl ExactSizeIterator<Item = usize>) {
        let (mut node, last) = (context, word.len() - 1);
        for (i, action) in word.enumerate() {
            let at = node * self.actions + action;
            if i == last {
                self.rows[at] = Automaton::FORBIDDEN;
            } else if self.rows[at] == NO_CHILD {
                let new = self.rows.len() / self.actions;
                self.rows[at] = new as u32;
                self.rows.resize(self.rows.len() + self.actions, NO_CHILD);
                node = new;
            } else {
                node = self.rows[at] as usize;
            }
        }
    }

    /// Returns the rows of the automaton (Aho and Corasick 1975). Its states are the nodes, ordered by depth.
    ///
    /// `steps` holds the rows of the automaton without words: where each action leads from each context.
    fn complete(&self, steps: &[u32]) -> Vec<u32> {
        let mut rows = vec![Automaton::FORBIDDEN; self.rows.len()];
        // For each state, its node, and its failure link: the state of the longest proper suffix that is a node too.
        let mut nodes: Vec<u32> = (0..self.contexts as u32).collect();
        let mut links = vec![0_u32; self.contexts];
        nodes.reserve_exact(self.rows.len() / self.actions - nodes.len());
        links.reserve_exact(nodes.capacity() - links.len());
        let mut state = 0;
        while state < nodes.len() {
            let node = nodes[state] as usize * self.actions;
            for action in 0..self.actions {
                let without = match state < self.contexts {
                    true => steps[state * self.actions + action],
                    false => rows[links[state] as usize * self.actions + action],
                };
                rows[state * self.actions + action] = match self.rows[node + action] {
                    NO_CHILD => without,
                    Automaton::FORBIDDEN => Automaton::FORBIDDEN,
                    child => {
                        assert_ne!(without, Automaton::FORBIDDEN, "a word contains another word");
                        nodes.push(child);
                        links.push(without);
                        nodes.len() as u32 - 1
                    }
                };
            }
            state += 1;
        }
        rows
    }
}
