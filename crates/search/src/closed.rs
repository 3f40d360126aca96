//! Closed lists: has this state been met before, and as which node?
//!
//! Three kinds, one contract. Which one a search uses changes its time and memory, never its solution
//! or its node counts.

mod any;
mod hashed;
mod ordered;
mod ranked;

pub use any::{AnyClosedList, Closed};
pub use hashed::Hashed;
pub use ordered::Ordered;
pub use ranked::Ranked;

use crate::space::StateSpace;

/// The number of a node: nodes are numbered from 0 in the order in which a search meets them.
pub type NodeId = u32;

/// What [`ClosedList::insert`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Insertion {
    /// The state is new and now has this number, the next one.
    New(NodeId),
    /// The state was met before, as the node with this number.
    Known(NodeId),
}

/// Numbers the states of a search in the order in which they are first met.
pub trait ClosedList<S: StateSpace> {
    /// Puts `state` into the list, unless it is there already.
    fn insert(&mut self, space: &S, state: &S::State) -> Insertion;

    /// The number of `state` if it was met before.
    fn find(&self, space: &S, state: &S::State) -> Option<NodeId>;

    /// Bytes held once `extra` more states are in.
    fn bytes(&self, extra: usize) -> u64;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meter::Meter;
    use crate::space::Rankable;
    use crate::testkit::Pancakes;

    fn numbers_all(list: &mut impl ClosedList<Pancakes>) {
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
    fn every_kind_numbers_states_in_order_of_first_sight() {
        let space = Pancakes::new(5);
        let mut meter = Meter::default();
        numbers_all(&mut Ordered::new());
        numbers_all(&mut Hashed::new(&mut meter).unwrap());
        numbers_all(&mut Ranked::new(&space, &mut meter).unwrap());
        for kind in Closed::ALL {
            numbers_all(&mut AnyClosedList::new(kind, &space, &mut meter).unwrap());
        }
    }

    #[test]
    fn a_cleared_array_is_as_good_as_new() {
        let mut list = Ranked::new(&Pancakes::new(5), &mut Meter::default()).unwrap();
        for _ in 0..3 {
            numbers_all(&mut list);
            list.clear();
        }
    }
}
