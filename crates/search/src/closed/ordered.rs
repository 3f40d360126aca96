//! A balanced search tree of keys, as `std::set` was used in the judges' days.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::{ClosedList, Insertion, NodeId};
use crate::space::Packable;

/// An ordered set of packed states. Cost: a logarithmic search a state.
#[derive(Clone, Debug)]
pub struct Ordered<S: Packable>(BTreeMap<S::Key, NodeId>);

impl<S: Packable> Ordered<S> {
    /// An empty list.
    pub fn new() -> Self {
        Self(BTreeMap::new())
    }
}

impl<S: Packable> Default for Ordered<S> {
    fn default() -> Self {
        Self::new()
    }
}

// Calls, as in `Hashed`.
impl<S: Packable> ClosedList<S> for Ordered<S> {
    #[inline(never)]
    fn insert(&mut self, space: &S, state: &S::State) -> Insertion {
        let next = self.0.len() as NodeId;
        match self.0.entry(space.pack(state)) {
            Entry::Occupied(known) => Insertion::Known(*known.get()),
            Entry::Vacant(place) => Insertion::New(*place.insert(next)),
        }
    }

    #[inline(never)]
    fn find(&self, space: &S, state: &S::State) -> Option<NodeId> {
        self.0.get(&space.pack(state)).copied()
    }

    /// An estimate: a tree node holds 6 to 11 entries and keeps room for 11, so on average two
    /// thirds of the room are used; the links add a few bytes an entry.
    fn bytes(&self, extra: usize) -> u64 {
        let entry = size_of::<S::Key>() + size_of::<NodeId>();
        ((self.0.len() + extra) * (entry * 3 / 2 + 4)) as u64
    }
}
