//! A closed list whose kind is chosen at run time.

use std::fmt;

use super::{ClosedList, Hashed, Insertion, NodeId, Ordered, Ranked};
use crate::meter::Meter;
use crate::space::{Packable, Rankable};
use crate::stop::Stop;

/// How a search recognises states that it has met before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Closed {
    /// A balanced tree of keys: [`Ordered`].
    Ordered,
    /// A chained hash table of keys: [`Hashed`].
    Hashed,
    /// An array with a place for every state: [`Ranked`].
    Ranked,
}

impl Closed {
    /// All kinds, slowest first.
    pub const ALL: [Self; 3] = [Self::Ordered, Self::Hashed, Self::Ranked];

    /// `ordered`, `hashed` or `ranked`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ordered => "ordered",
            Self::Hashed => "hashed",
            Self::Ranked => "ranked",
        }
    }
}

impl fmt::Display for Closed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A closed list of any kind: one compiled search serves all three, for a predictable branch a state.
#[derive(Clone)]
pub enum AnyClosedList<S: Packable> {
    /// See [`Ordered`].
    Ordered(Ordered<S>),
    /// See [`Hashed`].
    Hashed(Hashed<S>),
    /// See [`Ranked`].
    Ranked(Ranked),
}

impl<S: Packable + Rankable> AnyClosedList<S> {
    /// An empty list of this kind.
    ///
    /// # Errors
    /// [`Stop::Memory`] if its tables would take more than allowed.
    pub fn new(kind: Closed, space: &S, meter: &mut Meter<'_>) -> Result<Self, Stop> {
        Ok(match kind {
            Closed::Ordered => Self::Ordered(Ordered::new()),
            Closed::Hashed => Self::Hashed(Hashed::new(meter)?),
            Closed::Ranked => Self::Ranked(Ranked::new(space, meter)?),
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
