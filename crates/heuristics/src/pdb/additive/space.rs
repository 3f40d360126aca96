//! The states of a pattern as a search space: the plain form that everything else is compared with.

use std::sync::Arc;

use loyd_search::{ActionSet, Goals, Rankable, Reversible, StateSpace};
use loyd_tiles::{Cell, CellSet, Move, Size};

use super::coordinates::Coordinates;
use super::pattern::Pattern;

/// All states of a pattern. An action moves one of its tiles into the region of the blank, whatever
/// the other tiles do; so [`retrograde`](loyd_search::retrograde) over this space makes the pattern
/// database in its plainest form, a whole distance a state.
#[derive(Clone, Debug)]
pub struct PatternSpace {
    coordinates: Arc<Coordinates>,
    pattern: Pattern,
}

/// Where the tiles of a pattern are, and the blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatternState {
    /// By label: the cell of the tile. Places of labels that the pattern has not are 0.
    pub cells: [u8; Pattern::MAX_TILES],
    /// The first cell of the region that the blank is in.
    pub blank: u8,
}

/// The tile with a label goes where a blank below, right, left or above it lets it: `4 · label + the move
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
        Self(self.0 & !action.map_or(0, |(label, m)| 1 << (4 * label as usize + m.index())))
    }

    fn count(self) -> u64 {
        self.0.count_ones().into()
    }
}

impl PatternSpace {
    /// The space of `pattern` on boards of `size`.
    pub fn new(size: Size, pattern: &Pattern) -> Self {
        Self { coordinates: Coordinates::of(size, pattern.tiles()), pattern: pattern.clone() }
    }

    /// The numbers of the states.
    pub fn coordinates(&self) -> &Coordinates {
        &self.coordinates
    }

    fn tiles(&self, state: &PatternState) -> CellSet {
        state.cells[..self.coordinates.tiles()].iter().copied().collect()
    }

    /// The number of the layout, and the region of the blank.
    fn layout(&self, state: &PatternState) -> (u32, CellSet) {
        let q = self.coordinates.q(self.tiles(state), state.blank);
        (q, self.coordinates.layouts()[q as usize].region)
    }

    /// Where the tile on `cell` goes when the blank comes to `cell` by the move `m`.
    fn goes(&self, cell: u8, m: Move) -> Option<u8> {
        let size = self.coordinates.size();
        let to = size.neighbour(Cell::new(cell.into()), m.inverse());
        to.map(|to| to.index() as u8)
    }
}

impl StateSpace for PatternSpace {
    type State = PatternState;
    type Action = (u8, Move);
    type Actions = TileMoves;

    fn actions(&self, state: &PatternState) -> TileMoves {
        let (_, region) = self.layout(state);
        let mut moves = 0;
        for (label, &cell) in state.cells[..self.coordinates.tiles()].iter().enumerate() {
            let open = |m: &Move| self.goes(cell, *m).is_some_and(|to| region.contains(to));
            for m in Move::ALL.into_iter().filter(open) {
                moves |= 1 << (4 * label + m.index());
            }
        }
        TileMoves(moves)
    }

    fn apply(&self, state: &mut PatternState, (label, m): (u8, Move)) {
        let cell = &mut state.cells[usize::from(label)];
        state.blank = *cell;
        *cell = self.goes(*cell, m).expect("the action is legal");
        let (_, region) = self.layout(state);
        state.blank = region.first().expect("a region has cells");
    }

    fn is_goal(&self, state: &PatternState) -> bool {
        let cells = &state.cells[..self.coordinates.tiles()];
        cells == self.pattern.cells() && self.pattern.ends().contains(state.blank)
    }
}

impl Reversible for PatternSpace {
    fn inverse(&self, (label, m): (u8, Move)) -> (u8, Move) {
        (label, m.inverse())
    }
}

impl Goals for PatternSpace {
    fn goals(&self) -> Vec<PatternState> {
        let mut cells = [0; Pattern::MAX_TILES];
        cells[..self.coordinates.tiles()].copy_from_slice(self.pattern.cells());
        let ends = self.pattern.first_ends(self.coordinates.size()).into_iter();
        ends.map(|blank| PatternState { cells, blank }).collect()
    }
}

/// The rank is `rank of the permutation · number of layouts + q`.
impl Rankable for PatternSpace {
    fn state_count(&self) -> Option<u64> {
        Some(self.coordinates.states())
    }

    fn rank(&self, state: &PatternState) -> u64 {
        let mut labels: Vec<u8> = (0..self.coordinates.tiles() as u8).collect();
        labels.sort_unstable_by_key(|&label| state.cells[usize::from(label)]);
        let rank = u64::from(self.coordinates.rank(&labels));
        rank * self.coordinates.layouts().len() as u64 + u64::from(self.layout(state).0)
    }

    fn unrank(&self, rank: u64) -> PatternState {
        let layouts = self.coordinates.layouts();
        let layout = layouts[(rank % layouts.len() as u64) as usize];
        let labels = self.coordinates.unrank((rank / layouts.len() as u64) as u32);
        let mut cells = [0; Pattern::MAX_TILES];
        for (cell, label) in layout.tiles.iter().zip(labels) {
            cells[usize::from(label)] = cell;
        }
        PatternState { cells, blank: layout.region.first().expect("a region has cells") }
    }
}
