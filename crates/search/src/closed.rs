//! Closed lists: whether a state has been met before, and as which node.
//!
//! There are three kinds: a balanced tree, a chained hash table, and an array with an entry for every state.
//! [`AnyClosedList`] chooses the kind at run time. The choice changes the time and the memory of a search, never its
//! solution or its node counts.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use crate::memory::{vec_bytes, zeroed};
use crate::meter::Meter;
use crate::outcome::Stop;
use crate::space::{Packable, Rankable, StateSpace};

/// The number of a node: a search numbers its nodes from 0 in the order in which it meets them.
pub type NodeId = u32;

/// The result of [`ClosedList::insert`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Insertion {
    /// The state is new and now has this number, the next free one.
    New(NodeId),
    /// The state was met before and has this number.
    Known(NodeId),
}

/// Numbers the states of a search in the order in which they are first met.
pub trait ClosedList<S: StateSpace> {
    /// Inserts `state`, unless the list contains it.
    fn insert(&mut self, space: &S, state: &S::State) -> Insertion;

    /// Returns the number of `state` if it was met before.
    fn find(&self, space: &S, state: &S::State) -> Option<NodeId>;

    /// Returns the bytes held once `extra` more states are in.
    fn bytes(&self, extra: usize) -> u64;
}

/// A balanced tree of packed states. Cost: logarithmic time per state.
#[derive(Clone, Debug)]
pub struct OrderedClosedList<S: Packable>(BTreeMap<S::Key, NodeId>);

impl<S: Packable> OrderedClosedList<S> {
    /// Creates an empty list.
    pub fn new() -> Self {
        Self(BTreeMap::new())
    }
}

impl<S: Packable> Default for OrderedClosedList<S> {
    fn default() -> Self {
        Self::new()
    }
}

// Not inlined, so that the loop of a search compiled for all kinds contains only the short code of a ranked list.
impl<S: Packable> ClosedList<S> for OrderedClosedList<S> {
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

    /// Estimates the bytes: a tree node holds 6 to 11 entries and has space for 11, so about two thirds of the space
    /// are used; the links add a few bytes per entry.
    fn bytes(&self, extra: usize) -> u64 {
        let entry = size_of::<S::Key>() + size_of::<NodeId>();
        ((self.0.len() + extra) * (entry * 3 / 2 + 4)) as u64
    }
}

/// A hash table with chaining. It stores the first node of each bucket, and for each node its key and the next node of
/// its chain. The number of buckets doubles when there is one state per bucket.
///
/// Links hold the number of a node plus one; 0 ends a chain.
#[derive(Clone, Debug)]
pub struct HashedClosedList<S: Packable> {
    heads: Vec<u32>,
    chain: Vec<(S::Key, u32)>,
}

/// Number of buckets of an empty list.
const FIRST_BUCKETS: usize = 1024;

impl<S: Packable> HashedClosedList<S> {
    /// Creates an empty list.
    ///
    /// # Errors
    /// [`Stop::Memory`] if its first table exceeds the limit.
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

// Not inlined, as in `OrderedClosedList`.
impl<S: Packable> ClosedList<S> for HashedClosedList<S> {
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

/// An array with an entry for every state of a [`Rankable`] space: four bytes per state, whether met or not, and no
/// comparison of states at all.
///
/// An entry holds the number of the node plus `base + 1`; values up to `base` stand for states not met. So
/// [`clear`](Self::clear) only increases `base`.
#[derive(Clone, Debug)]
pub struct RankedClosedList {
    places: Vec<u32>,
    base: u32,
    met: u32,
}

impl RankedClosedList {
    /// Creates an empty list.
    ///
    /// # Errors
    /// [`Stop::Memory`] if the array exceeds the limit or cannot be allocated.
    pub fn new<S: Rankable>(space: &S, meter: &mut Meter<'_>) -> Result<Self, Stop> {
        let states = space.state_count().ok_or(Stop::Memory)?;
        meter.reserve_more(states.saturating_mul(size_of::<u32>() as u64))?;
        Ok(Self { places: zeroed(states)?, base: 0, met: 0 })
    }

    /// Removes all states but keeps the array, for the next search in the same space.
    pub fn clear(&mut self) {
        match self.base.checked_add(self.met).filter(|&base| base < u32::MAX / 2) {
            Some(base) => self.base = base,
            None => {
                self.places.fill(0);
                self.base = 0;
            }
        }
        self.met = 0;
    }
}

impl<S: Rankable> ClosedList<S> for RankedClosedList {
    #[inline]
    fn insert(&mut self, space: &S, state: &S::State) -> Insertion {
        let place = &mut self.places[space.rank(state) as usize];
        if let Some(id) = place.checked_sub(self.base + 1) {
            return Insertion::Known(id);
        }
        let id = self.met;
        *place = self.base + 1 + id;
        self.met += 1;
        Insertion::New(id)
    }

    #[inline]
    fn find(&self, space: &S, state: &S::State) -> Option<NodeId> {
        self.places[space.rank(state) as usize].checked_sub(self.base + 1)
    }

    #[inline]
    fn bytes(&self, _: usize) -> u64 {
        (self.places.len() * size_of::<u32>()) as u64
    }
}

/// The kind of a closed list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClosedKind {
    /// A balanced tree of keys: [`OrderedClosedList`].
    Ordered,
    /// A chained hash table of keys: [`HashedClosedList`].
    Hashed,
    /// An array with an entry for every state: [`RankedClosedList`].
    Ranked,
}

impl ClosedKind {
    /// All kinds, slowest first.
    pub const ALL: [Self; 3] = [Self::Ordered, Self::Hashed, Self::Ranked];

    /// Returns `ordered`, `hashed` or `ranked`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ordered => "ordered",
            Self::Hashed => "hashed",
            Self::Ranked => "ranked",
        }
    }
}

impl fmt::Display for ClosedKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A closed list of any kind. One compiled search serves all three, at the cost of a predictable branch per state.
#[derive(Clone)]
pub enum AnyClosedList<S: Packable> {
    /// See [`OrderedClosedList`].
    Ordered(OrderedClosedList<S>),
    /// See [`HashedClosedList`].
    Hashed(HashedClosedList<S>),
    /// See [`RankedClosedList`].
    Ranked(RankedClosedList),
}

impl<S: Packable + Rankable> AnyClosedList<S> {
    /// Creates an empty list of this kind.
    ///
    /// # Errors
    /// [`Stop::Memory`] if its tables exceed the limit.
    pub fn new(kind: ClosedKind, space: &S, meter: &mut Meter<'_>) -> Result<Self, Stop> {
        Ok(match kind {
            ClosedKind::Ordered => Self::Ordered(OrderedClosedList::new()),
            ClosedKind::Hashed => Self::Hashed(HashedClosedList::new(meter)?),
            ClosedKind::Ranked => Self::Ranked(RankedClosedList::new(space, meter)?),
        })
    }
}

impl<S: Packable + Rankable> ClosedList<S> for AnyClosedList<S> {
    #[inline]
    fn insert(&mut self, space: &S, state: &S::State) -> Insertion {
        match self {
            Self::Ordered(list) => list.insert(space, state),
            Self::Hashed(list) => list.insert(space, state),
            Self::Ranked(list) => list.insert(space, state),
        }
    }

    #[inline]
    fn find(&self, space: &S, state: &S::State) -> Option<NodeId> {
        match self {
            Self::Ordered(list) => list.find(space, state),
            Self::Hashed(list) => list.find(space, state),
            Self::Ranked(list) => list.find(space, state),
        }
    }

    #[inline]
    fn bytes(&self, extra: usize) -> u64 {
        match self {
            Self::Ordered(list) => ClosedList::<S>::bytes(list, extra),
            Self::Hashed(list) => list.bytes(extra),
            Self::Ranked(list) => ClosedList::<S>::bytes(list, extra),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::Pancakes;

    fn check_numbering(list: &mut impl ClosedList<Pancakes>) {
        let space = Pancakes::new(5);
        let order: Vec<u64> = (0..120).map(|i| i * 77 % 120).collect();
        for (id, &rank) in (0..).zip(&order) {
            let state = space.unrank(rank);
            assert_eq!(list.find(&space, &state), None);
            assert_eq!(list.insert(&space, &state), Insertion::New(id));
            assert_eq!(list.insert(&space, &state), Insertion::Known(id));
        }
        for (id, &rank) in (0..).zip(&order) {
            assert_eq!(list.find(&space, &space.unrank(rank)), Some(id));
        }
        assert!(list.bytes(1000) >= list.bytes(0));
    }

    #[test]
    fn all_kinds_number_states_in_order_of_insertion() {
        let space = Pancakes::new(5);
        let mut meter = Meter::default();
        check_numbering(&mut OrderedClosedList::new());
        check_numbering(&mut HashedClosedList::new(&mut meter).unwrap());
        check_numbering(&mut RankedClosedList::new(&space, &mut meter).unwrap());
        for kind in ClosedKind::ALL {
            check_numbering(&mut AnyClosedList::new(kind, &space, &mut meter).unwrap());
        }
    }

    #[test]
    fn cleared_array_equals_new_one() {
        let mut list = RankedClosedList::new(&Pancakes::new(5), &mut Meter::default()).unwrap();
        for _ in 0..3 {
            check_numbering(&mut list);
            list.clear();
        }
    }
}
