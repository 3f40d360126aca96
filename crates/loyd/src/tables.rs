//! What a solver keeps between problems: exact tables and the arrays of ranked searches.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use loyd_search::{
    CancelToken, DistanceTable, Duplicates, Hashed, Limits, Meter, Ordered, Rankable, Ranked, Stop,
    retrograde,
};
use loyd_tiles::{BoardSpace, Cell, Size};

/// Arrays up to this many bytes are kept for the next search instead of being zeroed again.
const KEPT_BYTES: u64 = 16 << 20;

/// Tables by size and goal cell of the blank, each built once and shared by all threads.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    exact: Mutex<HashMap<(Size, Cell), Arc<DistanceTable>>>,
    ranked: Mutex<Vec<(Size, Ranked)>>,
}

impl Tables {
    /// The exact table of `space`, built within `limits` if it is not there yet.
    ///
    /// # Errors
    /// The limit that the build reached.
    pub fn exact<S: BoardSpace>(
        &self,
        space: &S,
        limits: Limits,
        cancel: CancelToken,
    ) -> Result<Arc<DistanceTable>, Stop> {
        let key = (space.size(), space.relabelling().goal().blank());
        // Held while building: whoever needs the same table waits for it instead of building too.
        let mut exact = self.exact.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = exact.get(&key) {
            return Ok(Arc::clone(table));
        }
        let limits = Limits { max_expanded: None, max_depth: None, ..limits };
        let table = Arc::new(retrograde(space, &mut Meter::new(limits, cancel))?);
        exact.insert(key, Arc::clone(&table));
        Ok(table)
    }
}

/// Duplicate detection whose storage may outlive a search.
pub(crate) trait Reusable<S: BoardSpace>: Duplicates<S> {
    /// An empty detector, perhaps a used one.
    fn take(_: &Tables, space: &S, meter: &mut Meter<'_>) -> Result<Self, Stop> {
        Self::new(space, meter)
    }

    /// Gives the detector back for the next search.
    fn give(self, _: &Tables, _: &S) {}
}

impl<S: BoardSpace> Reusable<S> for Ordered<S> {}
impl<S: BoardSpace> Reusable<S> for Hashed<S> {}

impl<S: BoardSpace> Reusable<S> for Ranked {
    fn take(tables: &Tables, space: &S, meter: &mut Meter<'_>) -> Result<Self, Stop> {
        let mut kept = tables.ranked.lock().unwrap_or_else(PoisonError::into_inner);
        match kept.iter().position(|(size, _)| *size == space.size()) {
            Some(index) => {
                let (_, ranked) = kept.swap_remove(index);
                meter.hold(Duplicates::<S>::bytes(&ranked, 0))?;
                Ok(ranked)
            }
            None => Self::new(space, meter),
        }
    }

    fn give(mut self, tables: &Tables, space: &S) {
        if Duplicates::<S>::bytes(&self, 0) <= KEPT_BYTES {
            Duplicates::<S>::clear(&mut self);
            let mut kept = tables.ranked.lock().unwrap_or_else(PoisonError::into_inner);
            kept.push((space.size(), self));
        }
    }
}

/// Whether an array with `bytes` for each state of `space` fits `limits`.
pub(crate) fn fits<S: Rankable>(space: &S, bytes: u64, limits: &Limits) -> bool {
    let needed = space.state_count().and_then(|states| states.checked_mul(bytes));
    needed.is_some_and(|needed| needed <= limits.max_bytes.unwrap_or(u64::MAX))
}
