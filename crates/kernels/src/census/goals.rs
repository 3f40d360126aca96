//! The states that meet a goal, and the boards that states stand for.

use loyd_heuristics::pdb::Orientation;
use loyd_tiles::{Board, PartialGoal, Relabelling, Size};

use super::placements::Orders;
use crate::placement::{self, Cells};

/// A goal, in the canonical orientation of a board that meets it.
pub struct Goals {
    /// A board that meets the goal.
    example: Board,
    orientation: Orientation,
    /// By cell in canonical orientation: whether the goal specifies the tile there.
    is_required: Vec<bool>,
    orders: Orders,
    /// Number of placed tiles.
    placed: usize,
    /// Number of permuted tiles.
    permuted: usize,
}

impl Goals {
    /// Creates the goals that can be reached from `example`, which must meet `goal`.
    ///
    /// # Panics
    /// If the example does not meet the goal, and for goals on a line that leave a cell open.
    pub fn new(goal: &PartialGoal, example: &Board) -> Self {
        assert!(goal.is_met_by(example), "the example must meet the goal");
        let orientation = Orientation::new(&Relabelling::new(example)).expect("the board is small");
        let size = orientation.size();
        let required = |cell| goal.required(orientation.origin(cell)).is_some();
        let is_required: Vec<bool> = (0..size.cells() as u8).map(required).collect();
        assert!(
            !size.is_line() || is_required.iter().all(|&is| is),
            "a goal on a line must specify all cells"
        );
        let (placed, permuted) = placement::split_tiles(size);
        let (example, orders) = (example.clone(), Orders::new(permuted));
        Self { example, orientation, is_required, orders, placed, permuted }
    }

    /// Returns the size of boards in canonical orientation.
    pub fn size(&self) -> Size {
        self.orientation.size()
    }

    /// Returns the goal cell of the blank in canonical orientation, that of the example if the goal leaves it open.
    pub fn blank(&self) -> u8 {
        self.orientation.blank()
    }

    /// Returns the states of a placement that meet the goal, or `None` if there are none.
    pub fn states_in(&self, cells: &[u8]) -> Option<Vec<u64>> {
        let blank = self.blank();
        let is_required = |cell: u8| self.is_required[usize::from(cell)];
        if is_required(blank) && cells[0] != blank {
            return None;
        }
        let goal_of = |label: usize| label as u8 + u8::from(label >= usize::from(blank));
        let is_home = |label: &usize| cells[1 + label] == goal_of(*label);
        let required = |label: &usize| is_required(goal_of(*label));
        if !(0..self.placed).filter(required).all(|label| is_home(&label)) {
            return None;
        }
        let is_odd = self.is_odd(cells);
        let mut goals = self.orders.all(is_odd);
        let open = open_cells(self.size(), cells);
        for label in (self.placed..self.placed + self.permuted).filter(required) {
            let place = open.iter().position(|&cell| cell == goal_of(label))?;
            self.orders.retain(&mut goals, is_odd, label - self.placed, place);
        }
        goals.iter().any(|&word| word != 0).then_some(goals)
    }

    /// Iterates over the boards of the states in `words` of a placement. Of boards that differ only by a permutation of
    /// tiles that the goal does not specify, there is one.
    pub fn boards(&self, cells: Cells, words: &[u64]) -> impl Iterator<Item = Board> {
        bits(words).filter_map(move |(word, bit)| self.board(&cells, word, bit))
    }

    /// Returns the board of a state, or `None` if it is not the representative of the boards that differ only by a
    /// permutation of unspecified tiles.
    fn board(&self, cells: &[u8], word: usize, bit: usize) -> Option<Board> {
        let (size, blank) = (self.size(), self.blank());
        let open = open_cells(size, cells);
        let order = self.orders.labels(self.is_odd(cells), word, bit);
        let mut goals = vec![blank; size.cells()];
        for (label, goal) in (0..size.cells() as u8).filter(|&goal| goal != blank).enumerate() {
            let cell = match label.checked_sub(self.placed) {
                None => cells[1 + label],
                // On a line only one label is permuted; the others keep their order.
                Some(label) => {
                    open[order.iter().position(|&l| usize::from(l) == label).unwrap_or(label)]
                }
            };
            goals[usize::from(cell)] = goal;
        }
        self.is_representative(&goals).then(|| {
            let tiles = self.example.size().iter_cells().map(|cell| {
                let goal = goals[usize::from(self.orientation.cell(cell))];
                u32::from(self.example.tile(self.orientation.origin(goal)).number())
            });
            let tiles: Vec<u32> = tiles.collect();
            Board::new(self.example.size(), &tiles).expect("each tile occurs once")
        })
    }

    /// Returns whether the unspecified tiles are in ascending order, except that the last two, whose order depends on
    /// parity, may be exchanged.
    fn is_representative(&self, goals: &[u8]) -> bool {
        let blank = self.blank();
        let is_free = |goal: &u8| *goal != blank && !self.is_required[usize::from(*goal)];
        let free: Vec<u8> = goals.iter().copied().filter(is_free).collect();
        let most = free.len().saturating_sub(2);
        let (first, rest) = free.split_at(most);
        first.is_sorted() && first.last().is_none_or(|last| rest.iter().all(|goal| goal > last))
    }

    /// Returns whether the permutations of the placement with these cells are odd.
    fn is_odd(&self, cells: &[u8]) -> bool {
        placement::is_odd(self.size(), self.blank(), cells)
    }
}

/// Returns the cells of the permuted tiles in reading order.
fn open_cells(size: Size, cells: &[u8]) -> Vec<u8> {
    (0..size.cells() as u8).filter(|cell| !cells.contains(cell)).collect()
}

/// Iterates over the set bits as (word, bit).
fn bits(words: &[u64]) -> impl Iterator<Item = (usize, usize)> + '_ {
    words.iter().enumerate().flat_map(|(index, &word)| {
        std::iter::successors(Some(word), |&word| Some(word & word.wrapping_sub(1)))
            .take_while(|&word| word != 0)
            .map(move |word| (index, word.trailing_zeros() as usize))
    })
}
