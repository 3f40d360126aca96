//! A chained hash table of keys.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use super::{ClosedList, Insertion, NodeId};
use crate::memory::vec_bytes;
use crate::meter::Meter;
use crate::space::Packable;
use crate::stop::Stop;

/// A hash table with chaining: a head a bucket, and for each state its key and the next of its
/// chain. Doubles when there are as many states as buckets.
///
/// Heads and links hold node numbers plus one; 0 is the end of a chain.
#[derive(Clone, Debug)]
pub struct Hashed<S: Packable> {
    heads: Vec<u32>,
    chain: Vec<(S::Key, u32)>,
}

const FIRST_BUCKETS: usize = 1024;

impl<S: Packable> Hashed<S> {
    /// An empty list.
    ///
    /// # Errors
    /// [`Stop::Memory`] if its first table would take more than allowed.
    pub fn new(meter: &mut Meter<'_>) -> Result<Self, Stop> {
        meter.reserve_more((FIRST_BUCKETS * size_of::<u32>()) as u64)?;
        Ok(Self { heads: vec![0; FIRST_BUCKETS], chain: Vec::new() })
    }

    #[inline]
    fn bucket(&self, key: &S::Key) -> usize {
        FxBuildHasher.hash_one(key) as usize & (self.heads.len() - 1)
    }

    #[inline]
    fn lookup(&self, key: &S::Key, bucket: usize) -> Option<NodeId> {
        let mut link = self.heads[bucket];
        while let Some(id) = link.checked_sub(1) {
            let (known, next) = &self.chain[id as usize];
            if known == key {
                return Some(id);
            }
            link = *next;
        }
        None
    }

    #[inline]
    fn link(&mut self, id: usize, bucket: usize) {
        self.chain[id].1 = self.heads[bucket];
        self.heads[bucket] = id as u32 + 1;
    }

    #[cold]
    fn double(&mut self) {
        self.heads = vec![0; 2 * self.heads.len()];
        (0..self.chain.len()).for_each(|id| self.link(id, self.bucket(&self.chain[id].0)));
    }
}

// Calls, so that what a search is compiled for keeps the short code of a ranked list in its loop.
impl<S: Packable> ClosedList<S> for Hashed<S> {
    #[inline(never)]
    fn insert(&mut self, space: &S, state: &S::State) -> Insertion {
        let key = space.pack(state);
        let mut bucket = self.bucket(&key);
        if let Some(id) = self.lookup(&key, bucket) {
            return Insertion::Known(id);
        }
        if self.chain.len() == self.heads.len() {
            self.double();
            bucket = self.bucket(&key);
        }
        let id = self.chain.len();
        self.chain.push((key, 0));
        self.link(id, bucket);
        Insertion::New(id as NodeId)
    }

    #[inline(never)]
    fn find(&self, space: &S, state: &S::State) -> Option<NodeId> {
        let key = space.pack(state);
        self.lookup(&key, self.bucket(&key))
    }

    #[inline]
    fn bytes(&self, extra: usize) -> u64 {
        let grown = if self.chain.len() + extra > self.heads.len() { 3 } else { 1 };
        vec_bytes(&self.chain, extra) + (grown * self.heads.len() * size_of::<u32>()) as u64
    }
}
