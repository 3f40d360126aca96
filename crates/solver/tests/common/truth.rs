//! Reference distances of the heavy tests: retrograde analysis in the plain space, without the packed states and the
//! built-in tables of the solver.

use loyd::Board;
use loyd::search::Cost;
use loyd_search::{DistanceTable, Meter, Rankable, retrograde};
use loyd_tiles::{ArraySpace, BoardSpace, Random};

/// The distances of all boards that can reach a goal.
pub struct Truth {
    space: ArraySpace<16>,
    table: DistanceTable,
}

impl Truth {
    /// Computes the distances of boards of at most 16 cells.
    pub fn new(goal: &Board) -> Self {
        let space = ArraySpace::new(goal);
        let table = retrograde(&space, &mut Meter::default()).expect("there are no limits");
        Self { space, table }
    }

    /// Returns the number of solvable boards.
    pub fn count(&self) -> u64 {
        self.table.distances().len() as u64
    }

    /// Returns the distance of a solvable board.
    pub fn distance(&self, board: &Board) -> Cost {
        self.table.distance(&self.space, &self.space.encode(board))
    }

    /// Returns the maximum distance.
    pub fn diameter(&self) -> Cost {
        self.table.census().len() as Cost - 1
    }

    /// Returns the solvable board with this rank.
    pub fn board(&self, rank: u64) -> Board {
        self.space.decode(&self.space.unrank(rank))
    }

    /// Draws `count` boards by `seed`. Returns all boards in order if there are no more than `count`.
    pub fn sample(&self, count: u64, seed: u64) -> Vec<Board> {
        let (all, mut random) = (self.count(), Random::new(seed));
        let mut rank = |i| if count < all { random.below(all) } else { i };
        (0..count.min(all)).map(|i| self.board(rank(i))).collect()
    }
}
