//! The way down to the goal.

use loyd_search::Cost;
use loyd_tiles::Move;

use super::states::Place;
use super::{ExactTable, Spot};

/// A board on its way to the goal.
///
/// Where it may go next is asked for some time before it is looked at: several walks that take turns
/// wait for memory together.
///
/// Nothing is skipped for being impossible: which way a walk goes cannot be foreseen, so branches cost more than
/// neighbours that are found in vain.
#[derive(Clone, Debug)]
pub struct Walk {
    place: Place,
    steps: Cost,
    /// The distance modulo 4, once it has been looked at.
    modulo_4: Option<u32>,
    /// By move, in the order of the walk: where it leads. A move that there is not leads nowhere else.
    neighbours: [(Place, Spot); Move::ALL.len()],
    /// A bit for each of the moves that there are.
    legal: u32,
}

impl Walk {
    /// A walk from `place`.
    #[inline]
    pub fn new(table: &ExactTable, place: Place) -> Self {
        let spot = table.fetch(place);
        let neighbours = [(place, spot); Move::ALL.len()];
        Self { place, steps: 0, modulo_4: None, neighbours, legal: 0 }
    }

    /// Looks at what was asked for last time and asks for more; returns the move that was made, if any,
    /// which is the first that comes nearer in this `order` of all moves.
    #[inline]
    pub fn go(&mut self, table: &ExactTable, order: &[Move; 4]) -> Option<Move> {
        let made = match self.modulo_4 {
            None => {
                self.modulo_4 = Some(table.modulo_4(self.place));
                None
            }
            Some(modulo_4) => Some(order[self.descend(table, modulo_4)]),
        };
        let moves = table.states.moves(self.place);
        self.legal = 0;
        for (index, &m) in order.iter().enumerate() {
            let place = table.states.moved(self.place, m);
            self.neighbours[index] = (place, table.fetch(place));
            self.legal |= u32::from(moves.contains(m)) << index;
        }
        made
    }

    /// Goes to the first neighbour that is nearer; returns the index of the move.
    #[inline]
    fn descend(&mut self, table: &ExactTable, modulo_4: u32) -> usize {
        let nearer = modulo_4.wrapping_sub(1) & 3;
        // One nearer and one farther differ in this bit.
        let mut farther = 0;
        for (index, (_, spot)) in self.neighbours.iter().enumerate() {
            farther |= (table.look(*spot) ^ nearer >> 1) << index;
        }
        let index = (self.legal & !farther).trailing_zeros() as usize;
        self.steps += 1;
        assert!(
            index < Move::ALL.len() && self.steps <= table.depth(),
            "the goal cannot be reached"
        );
        (self.place, self.modulo_4) = (self.neighbours[index].0, Some(nearer));
        index
    }

    /// Whether the walk has reached the goal.
    #[inline]
    pub fn is_over(&self, table: &ExactTable) -> bool {
        self.place == table.states.goal()
    }
}
