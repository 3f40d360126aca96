//! What the heavy tests compare with: distances by retrograde analysis in the plain space, which
//! shares neither the packed states nor the compiled-in tables of the solver.

use loyd::Board;
use loyd::search::Cost;
use loyd_search::{DistanceTable, Meter, Rankable, retrograde};
use loyd_tiles::{ArraySpace, BoardSpace, Random};

/// The distance of every board that leads to a goal.
pub struct Truth {
    space: ArraySpace<16>,
    table: DistanceTable,
}

impl Truth {
    /// Analyses boards of at most 16 cells.
    pub fn new(goal: &Board) -> Self {
        let space = ArraySpace::new(goal);
        let table = retrograde(&space, &mut Meter::default()).expect("there are no limits");
        Self { space, table }
    }

    /// How many boards can be solved.
    pub fn count(&self) -> u64 {
        self.table.distances().len() as u64
    }

    /// The distance of a board that can be solved.
    pub fn distance(&self, board: &Board) -> Cost {
        self.table.distance(&self.space, &self.space.encode(board))
    }

    /// The largest distance.
    pub fn diameter(&self) -> Cost {
        self.table.census().len() as Cost - 1
    }

    /// The board with this number among those that can be solved.
    pub fn board(&self, rank: u64) -> Board {
        self.space.decode(&self.space.unrank(rank))
    }

    /// `count` boards drawn by `seed`; all of them, in order, where there are no more.
    pub fn sample(&self, count: u64, seed: u64) -> Vec<Board> {
        let (all, mut random) = (self.count(), Random::new(seed));
        let mut rank = |i| if count < all { random.below(all) } else { i };
        (0..count.min(all)).map(|i| self.board(rank(i))).collect()
    }
}
