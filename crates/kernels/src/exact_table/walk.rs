//! The way down to the goal.

use loyd_search::Cost;
use loyd_tiles::Move;

use super::ExactTable;
use super::states::Place;

/// A board on its way to the goal.
///
/// Where it may go next is asked for some time before it is looked at: several walks that take turns
/// wait for memory together.
#[derive(Clone, Debug)]
pub struct Walk {
    place: Place,
    /// The move that would take the last one back.
    undo: Option<Move>,
    steps: Cost,
    /// The distance modulo 4, once it has been looked at.
    modulo_4: Option<u32>,
    children: [(Move, Place); Move::ALL.len()],
    count: usize,
}

impl Walk {
    /// A walk from `place`.
    #[inline]
    pub fn new(table: &ExactTable, place: Place) -> Self {
        table.fetch(place);
        Self {
            place,
            undo: None,
            steps: 0,
            modulo_4: None,
            children: [(Move::Up, place); Move::ALL.len()],
            count: 0,
        }
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
            Some(modulo_4) => Some(self.descend(table, modulo_4)),
        };
        let moves = table.states.moves(self.place, self.undo);
        self.count = 0;
        for &m in order.iter().filter(|&&m| moves.contains(m)) {
            self.children[self.count] = (m, table.states.moved(self.place, m));
            self.count += 1;
        }
        // If no other comes nearer, the last one does. At the end of a line there is none at all.
        if let Some((_, others)) = self.children[..self.count].split_last() {
            others.iter().for_each(|(_, child)| table.fetch(*child));
        }
        made
    }

    fn descend(&mut self, table: &ExactTable, modulo_4: u32) -> Move {
        let nearer = modulo_4.wrapping_sub(1) & 3;
        let (last, others) =
            self.children[..self.count].split_last().expect("every board has a move");
        // One nearer and one farther differ in this bit.
        let first = others.iter().find(|(_, child)| table.bit(*child) == nearer >> 1);
        let (made, place) = *first.unwrap_or(last);
        (self.place, self.undo, self.modulo_4) = (place, Some(made.inverse()), Some(nearer));
        self.steps += 1;
        assert!(self.steps <= table.depth(), "the goal cannot be reached");
        made
    }

    /// Whether the walk has reached the goal.
    #[inline]
    pub fn is_over(&self, table: &ExactTable) -> bool {
        self.place == table.states.goal()
    }
}
