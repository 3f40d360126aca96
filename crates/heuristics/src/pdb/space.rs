//! The states of a pattern as a search space: the plain form that everything else is compared with.

use std::sync::Arc;

use loyd_search::{ActionSet, Goals, Rankable, Reversible, StateSpace};
use loyd_tiles::{Cell, Move, Size};

use super::{Coordinates, MAX_CELLS, Pattern};

/// All states of a pattern. An action moves one of its tiles into the region of the blank, whatever
/// the other tiles do; so [`retrograde`](loyd_search::retrograde) over this space makes the pattern
/// database in its plainest form, a whole distance a state.
#[derive(Clone, Debug)]
pub struct PatternSpace {
    coordinates: Arc<Coordinates>,
    goal: PatternState,
}

/// Where the tiles of a pattern are, and the blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatternState {
    /// The label on each cell, [`NONE`](Self::NONE) where no tile of the pattern lies.
    pub labels: [u8; MAX_CELLS],
    /// The first cell of the region that the blank is in.
    pub blank: u8,
}

impl PatternState {
    /// Stands on cells without a tile of the pattern.
    pub const NONE: u8 = u8::MAX;
}

/// The tile on a cell goes where a blank below, right, left or above it lets it: `4 · cell + the move
/// of a blank that comes from there`, a bit each.
#[derive(Clone, Copy, Debug)]
pub struct TileMoves(u64);

impl Iterator for TileMoves {
    type Item = (u8, Move);

    fn next(&mut self) -> Option<(u8, Move)> {
        (self.0 != 0).then(|| self.take(self.0.trailing_zeros()))
    }
}

impl DoubleEndedIterator for TileMoves {
    fn next_back(&mut self) -> Option<(u8, Move)> {
        (self.0 != 0).then(|| self.take(u64::BITS - 1 - self.0.leading_zeros()))
    }
}

impl TileMoves {
    fn take(&mut self, bit: u32) -> (u8, Move) {
        self.0 &= !(1 << bit);
        ((bit / 4) as u8, Move::ALL[bit as usize % 4])
    }
}

impl ActionSet<(u8, Move)> for TileMoves {
    fn without(self, action: Option<(u8, Move)>) -> Self {
        Self(self.0 & !action.map_or(0, |(cell, m)| 1 << (4 * cell as usize + m.index())))
    }

    fn count(self) -> u64 {
        self.0.count_ones().into()
    }
}

impl PatternSpace {
    /// The space of `pattern` on boards of `size` whose blank belongs on `blank`.
    pub fn new(size: Size, blank: u8, pattern: &Pattern) -> Self {
        let mut labels = [PatternState::NONE; MAX_CELLS];
        for (label, &cell) in pattern.cells().iter().enumerate() {
            labels[usize::from(cell)] = label as u8;
        }
        let coordinates = Coordinates::of(size, pattern.tiles());
        let mut space = Self { coordinates, goal: PatternState { labels, blank } };
        space.goal = space.normal(space.goal);
        space
    }

    /// The numbers of the states.
    pub fn coordinates(&self) -> &Coordinates {
        &self.coordinates
    }

    /// The state with the blank moved to the first cell of its region.
    fn normal(&self, mut state: PatternState) -> PatternState {
        let q = self.coordinates.q(mask(&state), state.blank);
        state.blank = self.coordinates.layouts()[q as usize].region.trailing_zeros() as u8;
        state
    }

    /// Where the tile on `cell` goes when the blank comes to `cell` by the move `m`.
    fn goes(&self, cell: u8, m: Move) -> Option<usize> {
        let size = self.coordinates.size();
        size.neighbour(Cell::new(cell.into()), m.inverse()).map(Cell::index)
    }
}

fn mask(state: &PatternState) -> u16 {
    let tiles = (0..MAX_CELLS).filter(|&cell| state.labels[cell] != PatternState::NONE);
    tiles.fold(0, |mask, cell| mask | 1 << cell)
}

impl StateSpace for PatternSpace {
    type State = PatternState;
    type Action = (u8, Move);
    type Actions = TileMoves;

    fn actions(&self, state: &PatternState) -> TileMoves {
        let mask = mask(state);
        let q = self.coordinates.q(mask, state.blank);
        let region = self.coordinates.layouts()[q as usize].region;
        let mut moves = 0;
        for cell in (0..MAX_CELLS as u8).filter(|cell| mask >> cell & 1 == 1) {
            let open = |m: &Move| self.goes(cell, *m).is_some_and(|to| region >> to & 1 == 1);
            for m in Move::ALL.into_iter().filter(open) {
                moves |= 1 << (4 * usize::from(cell) + m.index());
            }
        }
        TileMoves(moves)
    }

    fn apply(&self, state: &mut PatternState, (cell, m): (u8, Move)) {
        let to = self.goes(cell, m).expect("the action is legal");
        state.labels.swap(cell.into(), to);
        state.blank = cell;
        *state = self.normal(*state);
    }

    fn is_goal(&self, state: &PatternState) -> bool {
        *state == self.goal
    }
}

impl Reversible for PatternSpace {
    fn inverse(&self, (cell, m): (u8, Move)) -> (u8, Move) {
        (self.goes(cell, m).expect("the action is legal") as u8, m.inverse())
    }
}

impl Goals for PatternSpace {
    fn goals(&self) -> Vec<PatternState> {
        vec![self.goal]
    }
}

/// The rank is `order · number of q + q`.
impl Rankable for PatternSpace {
    fn state_count(&self) -> Option<u64> {
        Some(self.coordinates.states())
    }

    fn rank(&self, state: &PatternState) -> u64 {
        let order: Vec<u8> =
            state.labels.iter().copied().filter(|&label| label != PatternState::NONE).collect();
        let q = self.coordinates.q(mask(state), state.blank);
        let order = u64::from(self.coordinates.rank(&order));
        order * self.coordinates.layouts().len() as u64 + u64::from(q)
    }

    fn unrank(&self, rank: u64) -> PatternState {
        let rows = self.coordinates.layouts();
        let row = rows[(rank % rows.len() as u64) as usize];
        let order = self.coordinates.unrank((rank / rows.len() as u64) as u32);
        let cells = (0..MAX_CELLS).filter(|cell| row.mask >> cell & 1 == 1);
        let mut labels = [PatternState::NONE; MAX_CELLS];
        for (cell, label) in cells.zip(order) {
            labels[cell] = label;
        }
        PatternState { labels, blank: row.region.trailing_zeros() as u8 }
    }
}
