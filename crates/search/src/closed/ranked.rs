//! An array with a place for every state, found by its rank.

use super::{ClosedList, Insertion, NodeId};
use crate::memory::zeroed;
use crate::meter::Meter;
use crate::space::Rankable;
use crate::stop::Stop;

/// An array with a place for every state of a [`Rankable`] space: four bytes a state, met or not,
/// and no comparison at all.
///
/// Places hold node numbers shifted by `base + 1`; what is not above `base` is empty. So
/// [`clear`](Self::clear) only moves the base.
#[derive(Clone, Debug)]
pub struct Ranked {
    places: Vec<u32>,
    base: u32,
    met: u32,
}

impl Ranked {
    /// An empty list.
    ///
    /// # Errors
    /// [`Stop::Memory`] if the array would take more than allowed.
    pub fn new<S: Rankable>(space: &S, meter: &mut Meter<'_>) -> Result<Self, Stop> {
        let states = space.state_count().ok_or(Stop::Memory)?;
        meter.reserve_more(states.saturating_mul(size_of::<u32>() as u64))?;
        Ok(Self { places: zeroed(states)?, base: 0, met: 0 })
    }

    /// Forgets everything but keeps its storage for the next search in the same space.
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

impl<S: Rankable> ClosedList<S> for Ranked {
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
