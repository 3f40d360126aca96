//! Sets of partitions fitted to a board.
//!
//! Which patterns tell most differs from board to board: on hard 5x5 boards a set chosen for the board alone needs a
//! third to two thirds of the nodes that a set chosen for all of them needs. So many patterns are tried on nodes that a
//! search of the board has expanded, and those are taken whose sums would have pruned most of them.
//!
//! * Patterns are those of the set for all boards, and of partitions whose patterns are grown cell by cell at random.
//!   A table serves all images of its pattern, so each comes with these.
//! * Each table is built, asked for the distances of all nodes, and dropped: no more than one is held at a time.
//! * All ways to divide the tiles into these patterns are compared by the nodes that they leave, and a set is made of
//!   them one by one; then each is exchanged as long as that helps.
//!
//! Everything is done in the same order each time, so that the set depends on the nodes alone.
//!
//! Clausecker and Reinefeld (2019) choose sets by experiment for all boards; Holte, Felner, Newton, Meshulam and Furcy
//! (2006), "Maximizing over multiple pattern databases speeds up heuristic search", Artificial Intelligence 170,
//! explain why the largest of many sums is worth more than a better single one.

mod choose;
mod cover;
mod given;
mod grow;
mod tables;

use loyd_search::{Meter, Stop};

use super::database::Database;
use super::partition::{Partition, has_sets};
use choose::Choice;
pub use given::{Room, Sample};
use tables::Tables;

impl Partition {
    /// The set of partitions that leaves the fewest of `samples`, as far as that is found: with patterns of this one and
    /// of others, which `tables` tables serve. This one, if nothing better is found, and on boards that have no sets.
    ///
    /// `build` builds tables. Cost: the time for that and, for each sample, some microseconds for each image of
    /// each pattern, on all [threads](crate::threads::count) that share work; a byte for each sample and image.
    ///
    /// # Errors
    /// The limit of `meter` that was reached, or what `build` fails with.
    pub fn fitted(
        &self,
        samples: &[Sample],
        tables: usize,
        room: Room,
        build: &mut dyn FnMut(Self) -> Result<Database, Stop>,
        meter: &mut Meter<'_>,
    ) -> Result<Self, Stop> {
        let is_whole = self.covered().len() + 1 == self.size().cells();
        if !(is_whole && has_sets(self.size())) {
            return Ok(self.clone());
        }
        let tables = Tables::of(self, tables);
        let distances = tables.distances(samples, build, meter)?;
        let choice = Choice::new(self, &tables, samples, &distances);
        Ok(choice.best(self, room))
    }
}

#[cfg(test)]
mod tests;
