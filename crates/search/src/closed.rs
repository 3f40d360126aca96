//! Duplicate detection: has this state been met before, and as which node?
//!
//! Three ways, one contract. Which one a search uses changes its time and memory, never its answer
//! or its node counts.

mod hashed;
mod ordered;
mod ranked;

pub use hashed::Hashed;
pub use ordered::Ordered;
pub use ranked::Ranked;

use crate::meter::{Meter, Stop};
use crate::space::StateSpace;

/// The number of a node: nodes are numbered from 0 in the order in which a search meets them.
pub type NodeId = u32;

/// Numbers the states of a search in the order in which they are first met.
pub trait Duplicates<S: StateSpace>: Sized {
    /// A detector that has met nothing.
    ///
    /// # Errors
    /// [`Stop::Memory`] if its tables would take more than allowed.
    fn new(space: &S, meter: &mut Meter<'_>) -> Result<Self, Stop>;

    /// The number of `state` if it was met before; `Err` of its new number, the next one, if not.
    ///
    /// # Errors
    /// The new number, which is no failure.
    fn meet(&mut self, space: &S, state: &S::State) -> Result<NodeId, NodeId>;

    /// The number of `state` if it was met before.
    fn find(&self, space: &S, state: &S::State) -> Option<NodeId>;

    /// Bytes held once `extra` more states are in.
    fn bytes(&self, extra: usize) -> u64;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Rankable;
    use crate::testkit::Pancakes;

    fn numbers_all<D: Duplicates<Pancakes>>() {
        let space = Pancakes::new(5);
        numbers_all_with(&mut D::new(&space, &mut Meter::default()).unwrap());
    }

    fn numbers_all_with<D: Duplicates<Pancakes>>(detector: &mut D) {
        let space = Pancakes::new(5);
        let order: Vec<u64> = (0..120).map(|i| i * 77 % 120).collect();
        for (id, &rank) in (0..).zip(&order) {
            let state = space.unrank(rank);
            assert_eq!(detector.find(&space, &state), None);
            assert_eq!(detector.meet(&space, &state), Err(id));
            assert_eq!(detector.meet(&space, &state), Ok(id));
        }
        for (id, &rank) in (0..).zip(&order) {
            assert_eq!(detector.find(&space, &space.unrank(rank)), Some(id));
        }
        assert!(detector.bytes(1000) >= detector.bytes(0));
    }

    #[test]
    fn every_detector_numbers_states_in_order_of_first_sight() {
        numbers_all::<Ordered<Pancakes>>();
        numbers_all::<Hashed<Pancakes>>();
        numbers_all::<Ranked>();
    }

    #[test]
    fn a_cleared_array_is_as_good_as_new() {
        let mut detector = Ranked::new(&Pancakes::new(5), &mut Meter::default()).unwrap();
        for _ in 0..3 {
            numbers_all_with(&mut detector);
            detector.clear();
        }
    }
}
