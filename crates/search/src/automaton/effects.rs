//! What words do, to find those that do the same.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use crate::memory::vec_bytes;
use crate::meter::Meter;
use crate::space::Contexts;
use crate::stop::Stop;

/// Words in a number: as many bits an action as its number takes, the last action lowest, and a 1 above the first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coding {
    bits: u32,
}

impl Coding {
    pub const EMPTY: u64 = 1;

    /// For so many actions.
    pub fn new(actions: usize) -> Self {
        Self { bits: actions.next_power_of_two().trailing_zeros().max(1) }
    }

    /// The largest number of actions in a word.
    pub fn longest(self) -> u32 {
        63 / self.bits
    }

    pub fn push(self, word: u64, action: usize) -> u64 {
        word << self.bits | action as u64
    }

    /// The actions of a word.
    pub fn actions(self, word: u64) -> impl ExactSizeIterator<Item = usize> {
        let length = (63 - word.leading_zeros()) / self.bits;
        let mask = (1 << self.bits) - 1;
        (0..length).rev().map(move |i| (word >> (i * self.bits) & mask) as usize)
    }
}

/// A word, and a hash of the state that it leads the example to.
#[derive(Clone, Copy)]
struct Entry {
    hash: u64,
    word: u64,
}

/// So many parts are compared one after the other, so that what is looked up lies in a cache.
const PARTS: usize = 128;

/// The effects of words from one context.
pub(super) struct Effects {
    coding: Coding,
    /// By hash.
    parts: Vec<Vec<Entry>>,
    /// Places in a part, by hash; 0 is none, else the place plus one.
    table: Vec<u32>,
    /// Bytes that the parts and the table hold, and those that are held beside them.
    held: u64,
    beside: u64,
}

impl Effects {
    pub fn new(coding: Coding) -> Self {
        let parts = std::iter::repeat_with(Vec::new).take(PARTS).collect();
        Self { coding, parts, table: Vec::new(), held: 0, beside: 0 }
    }

    /// Adds a word, which leads the example of its context to `state`.
    pub fn add<S: Contexts>(
        &mut self,
        space: &S,
        (state, word): (&S::State, u64),
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        let hash = spread(FxBuildHasher.hash_one(space.pack(state)));
        let part = &mut self.parts[(hash >> 57) as usize];
        if part.len() == part.capacity() {
            let (old, both) = (vec_bytes(part, 0), vec_bytes(part, 1));
            meter.reserve(self.beside + self.held + both - old)?;
            self.held += both - 2 * old;
        }
        part.push(Entry { hash, word });
        Ok(())
    }

    /// Says that so many bytes are about to be held beside the effects.
    pub fn reserve_beside(&mut self, bytes: u64, meter: &mut Meter<'_>) -> Result<(), Stop> {
        self.beside = bytes;
        meter.reserve(self.beside + self.held)
    }

    /// Forgets all words.
    pub fn clear(&mut self) {
        self.parts.iter_mut().for_each(Vec::clear);
    }

    /// Calls `found` for each word that does what one before it does, in the order in which they were added.
    pub fn duplicates<S: Contexts>(
        &mut self,
        (space, context): (&S, usize),
        meter: &mut Meter<'_>,
        mut found: impl FnMut(u64),
    ) -> Result<(), Stop> {
        let example = space.example(context);
        let coding = self.coding;
        let effect = |word: u64| {
            let mut state = example.clone();
            coding.actions(word).for_each(|i| space.apply(&mut state, space.action(i)));
            space.pack(&state)
        };
        for part in &self.parts {
            meter.check()?;
            let slots = (2 * part.len()).next_power_of_two().max(2);
            if slots > self.table.capacity() {
                self.held += ((slots - self.table.capacity()) * size_of::<u32>()) as u64;
                meter.reserve(self.beside + self.held)?;
            }
            self.table.clear();
            self.table.resize(slots, 0);
            for (place, entry) in part.iter().enumerate() {
                let mut slot = entry.hash as usize & (slots - 1);
                loop {
                    let Some(known) = self.table[slot].checked_sub(1) else {
                        self.table[slot] = place as u32 + 1;
                        break;
                    };
                    let known = part[known as usize];
                    // Equal hashes are no proof.
                    if known.hash == entry.hash && effect(known.word) == effect(entry.word) {
                        found(entry.word);
                        break;
                    }
                    slot = (slot + 1) & (slots - 1);
                }
            }
        }
        Ok(())
    }
}

/// Spreads what tells hashes apart over all bits.
fn spread(hash: u64) -> u64 {
    let hash = (hash ^ hash >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash ^ hash >> 29
}
