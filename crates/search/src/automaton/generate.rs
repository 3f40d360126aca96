//! Finding the words that are refused, by length.

use std::ops::RangeInclusive;

use super::Automaton;
use super::effects::{Coding, Effects};
use super::trie::Trie;
use crate::meter::Meter;
use crate::space::Contexts;
use crate::stop::Stop;

/// So many words are enumerated between two looks at the limits.
const POLL: u32 = 1 << 14;

impl Automaton {
    /// The automaton of `space` that refuses words of up to so many actions (at most
    /// [`longest_words`](Self::longest_words)). 2 is only a little more than not to take the last action back.
    ///
    /// Cost: every state within so many actions of the example of each context is made about twice, one context after
    /// the other. On 5x5 boards this takes some seconds for words of 16 moves, and 16 bytes a state.
    ///
    /// # Errors
    /// The limit that was reached.
    ///
    /// # Panics
    /// If words may not be so long.
    pub fn generate<S: Contexts>(
        space: &S,
        words: u32,
        meter: &mut Meter<'_>,
    ) -> Result<Self, Stop> {
        let longest = Self::longest_words(space.action_count());
        assert!(words <= longest, "words of {words} actions are too long");
        let mut generator = Generator::new(space);
        for length in 1..=words {
            generator.find(length, words, meter)?;
        }
        let Generator { rows, .. } = generator;
        let (contexts, actions) = (space.contexts(), space.action_count());
        Ok(Self { words, contexts, actions, rows })
    }

    /// The largest number of actions in a word that an automaton can refuse, where there are so many actions: 31 of four.
    pub fn longest_words(actions: usize) -> u32 {
        Coding::new(actions).longest()
    }
}

/// An automaton for words up to some length, and what it takes to find longer ones.
struct Generator<'a, S> {
    space: &'a S,
    coding: Coding,
    trie: Trie,
    /// The automaton without any words.
    steps: Vec<u32>,
    /// The automaton of the words so far.
    rows: Vec<u32>,
    effects: Effects,
    /// Whether each action changes the colour of the context, of two: then words whose numbers of actions differ by one
    /// never have the same effect.
    alternates: bool,
}

impl<'a, S: Contexts> Generator<'a, S> {
    fn new(space: &'a S) -> Self {
        let (contexts, actions) = (space.contexts(), space.action_count());
        let mut steps = vec![Automaton::FORBIDDEN; contexts * actions];
        for context in 0..contexts {
            let example = space.example(context);
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

    /// Finds the words of this length of which no part is refused yet, and refuses those that do what another one
    /// does. A shorter word that does the same has one or two actions less, because taking the last action back leads
    /// to a state that takes exactly one less.
    fn find(&mut self, length: u32, words: u32, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let mut refused = Vec::new();
        for context in 0..self.space.contexts() {
            let effort = |length: u32| 1_u64 << length.min(40);
            let contexts = self.space.contexts() as u64;
            let done = contexts * (effort(length) - 2) + context as u64 * effort(length);
            meter.progress(done, contexts * (effort(words + 1) - 2))?;
            self.effects.clear();
            // Shorter words first, so that they are those that stay.
            let shorter = if self.alternates { length.checked_sub(2) } else { Some(length - 1) };
            if let Some(last) = shorter {
                self.enumerate(context, length.saturating_sub(2)..=last, meter)?;
            }
            self.enumerate(context, length..=length, meter)?;
            let mut add = |word| refused.push((context, word));
            self.effects.duplicates((self.space, context), meter, &mut add)?;
        }
        self.effects.reserve_beside(self.trie.bytes_with(refused.len(), length), meter)?;
        let coding = self.coding;
        for &(context, word) in &refused {
            self.trie.insert(context, coding.actions(word));
        }
        self.rows = self.trie.complete(&self.steps);
        Ok(())
    }

    /// Adds the words of these lengths that are not refused to the effects, in the order of the actions.
    fn enumerate(
        &mut self,
        context: usize,
        lengths: RangeInclusive<u32>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        let Self { space, coding, rows, effects, .. } = self;
        let actions = space.action_count();
        let mut words =
            Words { space: *space, coding: *coding, rows, actions, lengths, until_poll: POLL };
        let (example, word) = (space.example(context), Coding::EMPTY);
        words.below(&example, (context as u32, word, 0), effects, meter)
    }
}

/// The words of some lengths that an automaton reads.
struct Words<'a, S> {
    space: &'a S,
    coding: Coding,
    rows: &'a [u32],
    actions: usize,
    lengths: RangeInclusive<u32>,
    until_poll: u32,
}

impl<S: Contexts> Words<'_, S> {
    /// Adds `word`, which leads to `state` and has so many actions, and those that begin with it.
    fn below(
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
                self.until_poll = POLL;
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
                self.below(&child, (next, word, length + 1), effects, meter)?;
            }
        }
        Ok(())
    }
}

/// Whether contexts can have two colours such that every action changes the colour.
fn has_two_colours(steps: &[u32], contexts: usize) -> bool {
    let actions = steps.len() / contexts;
    let mut colours = vec![None; contexts];
    let mut alternates = true;
    for root in 0..contexts {
        let mut waiting = vec![(root, colours[root].unwrap_or(false))];
        while let Some((context, colour)) = waiting.pop() {
            match colours[context] {
                Some(known) => alternates &= known == colour,
                None => {
                    colours[context] = Some(colour);
                    let next = &steps[context * actions..][..actions];
                    let next = next.iter().filter(|&&next| next != Automaton::FORBIDDEN);
                    waiting.extend(next.map(|&next| (next as usize, !colour)));
                }
            }
        }
    }
    alternates
}
