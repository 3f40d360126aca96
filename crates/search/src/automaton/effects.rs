//! The effects of words, to find words with the same effect.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use crate::memory::vec_bytes;
use crate::meter::Meter;
use crate::outcome::Stop;
use crate::space::Contexts;

/// Encodes a word in 64 bits: each action takes the same number of bits, the last action in the lowest ones, and a 1
/// above the first action marks the length.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coding {
    bits: u32,
}

impl Coding {
    pub const EMPTY: u64 = 1;

    /// Creates the encoding for this number of actions.
    pub fn new(actions: usize) -> Self {
        Self { bits: actions.next_power_of_two().trailing_zeros().max(1) }
    }

    /// Returns the maximum length of a word.
    pub fn longest(self) -> u32 {
        63 / self.bits
    }

    pub fn push(self, word: u64, action: usize) -> u64 {
        word << self.bits | action as u64
    }

    /// Returns the actions of a word, in order.
    pub fn actions(self, word: u64) -> impl ExactSizeIterator<Item = usize> {
        let length = (63 - word.leading_zeros()) / self.bits;
        let mask = (1 << self.bits) - 1;
        (0..length).rev().map(move |i| (word >> (i * self.bits) & mask) as usize)
    }
}

/// A word, and a hash of the state to which it leads from the example of its context.
#[derive(Clone, Copy)]
struct Entry {
    hash: u64,
    word: u64,
}

/// Number of parts, by hash, that are searched for duplicates one after the other, so that each lookup table fits a
/// cache.
const PARTS: usize = 128;

/// The effects of words in one context.
pub(super) struct Effects {
    coding: Coding,
    /// The words, partitioned by the top 7 bits of their hash.
    parts: Vec<Vec<Entry>>,
    /// Hash table of one part, with linear probing: an index into the part plus 1, or 0 for an empty slot.
    table: Vec<u32>,
    /// Bytes held by the parts and the table, and by the caller in addition.
    held: u64,
    extra: u64,
}

impl Effects {
    pub fn new(coding: Coding) -> Self {
        let parts = std::iter::repeat_with(Vec::new).take(PARTS).collect();
        Self { coding, parts, table: Vec::new(), held: 0, extra: 0 }
    }

    /// Adds a word, which leads from the example of its context to `state`.
    pub fn add<S: Contexts>(
        &mut self,
        space: &S,
        (state, word): (&S::State, u64),
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        let hash = mix(FxBuildHasher.hash_one(space.pack(state)));
        let part = &mut self.parts[(hash >> 57) as usize];
        if part.len() == part.capacity() {
            let (old, both) = (vec_bytes(part, 0), vec_bytes(part, 1));
            meter.reserve(self.extra + self.held + both - old)?;
            self.held += both - 2 * old;
        }
        part.push(Entry { hash, word });
        Ok(())
    }

    /// Announces that the caller holds `bytes` in addition to the effects.
    pub fn reserve_extra(&mut self, bytes: u64, meter: &mut Meter<'_>) -> Result<(), Stop> {
        self.extra = bytes;
        meter.reserve(self.extra + self.held)
    }

    /// Removes all words.
    pub fn clear(&mut self) {
        self.parts.iter_mut().for_each(Vec::clear);
    }

    /// Calls `found` for each word that has the effect of an earlier word, in the order of insertion within each part.
    pub fn duplicates<S: Contexts>(
        &mut self,
        (space, context): (&S, usize),
        meter: &mut Meter<'_>,
        mut found: impl FnMut(u64),
    ) -> Result<(), Stop> {
        let example = space.representative(context);
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
                meter.reserve(self.extra + self.held)?;
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
                    // Equal hashes do not prove equal states.
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

/// Mixes the bits of a hash: the top 7 select the part, the low ones the slot.
fn mix(hash: u64) -> u64 {
    let hash = (hash ^ hash >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash ^ hash >> 29
}
