//! Single states of a pattern: as an ordinary search space, the reference that tests compare the tables with, and the
//! distance of a state, found by descending to the goal.
//!
//! # Distances
//! A table has only bit 1 of each distance D. Bit 0 is the parity, which follows from the cells of the tiles. Since a
//! move changes D by exactly one, the two bits of the state before a move and bit 1 after it determine whether D
//! increases:
//!
//! | D mod 4 before | parity | bit before | bit after if D increases | if D decreases |
//! |---|---|---|---|---|
//! | 0 | 0 | 0 | 0 | 1 |
//! | 1 | 1 | 0 | 1 | 0 |
//! | 2 | 0 | 1 | 1 | 0 |
//! | 3 | 1 | 1 | 0 | 1 |
//!
//! So D increases if the bit changes exactly when the parity is 1 ([`distance_increases`]).
//!
//! # Stages of a step of a descent
//! 1. [`Walker::fetch_candidates`]: computes the states that one move leads to, and prefetches their bits. Moves that
//!    bring a tile nearer to its goal cell come first: one of them decreases the distance in most states. The others
//!    follow only if none of them does.
//! 2. The other walkers do the same, while the words arrive from memory.
//! 3. [`Walker::step`]: reads the bits, and makes the first move that decreases the distance.
//!
//! The number of steps until the goal is the distance.

use std::sync::Arc;

use loyd_search::{ActionSet, Cost, Goals, Rankable, Reversible, StateSpace, walk_interleaved};
use loyd_tiles::{Cell, CellSet, Move, Size};

use super::coordinates::Coordinates;
use super::database::{Database, Part};
use super::pattern::Pattern;
use crate::pdb::{MAX_CELLS, Position};

/// The space of all states of a pattern. An action moves one tile of the pattern to an adjacent cell of the blank's
/// region; moves of other tiles are free. [`retrograde`](loyd_search::retrograde) over this space computes the pattern
/// database in its simplest form, with a full distance for each state.
#[derive(Clone, Debug)]
pub struct PatternSpace {
    coordinates: Arc<Coordinates>,
    pattern: Pattern,
}

/// The cells of the tiles of a pattern, and the region of the blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatternState {
    /// Cell of each tile, by label. Entries past the last label are 0.
    pub cells: [u8; Pattern::MAX_TILES],
    /// First cell of the region of the blank.
    pub blank: u8,
}

/// A set of actions. Bit `4 · label + m` stands for the move of the tile with this label to the cell from which
/// the blank comes by the move with index `m`.
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
    /// Creates the space of `pattern` on boards of `size`.
    pub fn new(size: Size, pattern: &Pattern) -> Self {
        Self { coordinates: Coordinates::of(size, pattern.tiles()), pattern: pattern.clone() }
    }

    /// Returns the numbering of the states.
    pub fn coordinates(&self) -> &Coordinates {
        &self.coordinates
    }

    fn tiles(&self, state: &PatternState) -> CellSet {
        state.cells[..self.coordinates.tiles()].iter().copied().collect()
    }

    /// Returns q and the region of the blank.
    fn layout(&self, state: &PatternState) -> (u32, CellSet) {
        let q = self.coordinates.q(self.tiles(state), state.blank);
        (q, self.coordinates.layouts()[q as usize].region)
    }

    /// Returns the cell to which the tile on `cell` moves when the blank comes to `cell` by the move `m`.
    fn destination(&self, cell: u8, m: Move) -> Option<u8> {
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
            let open = |m: &Move| self.destination(cell, *m).is_some_and(|to| region.contains(to));
            for m in Move::ALL.into_iter().filter(open) {
                moves |= 1 << (4 * label + m.index());
            }
        }
        TileMoves(moves)
    }

    fn apply(&self, state: &mut PatternState, (label, m): (u8, Move)) {
        let cell = &mut state.cells[usize::from(label)];
        state.blank = *cell;
        *cell = self.destination(*cell, m).expect("the action is legal");
        let (_, region) = self.layout(state);
        state.blank = region.first().expect("regions are not empty");
    }

    fn is_goal(&self, state: &PatternState) -> bool {
        let cells = &state.cells[..self.coordinates.tiles()];
        cells == self.pattern.cells() && self.pattern.blank_cells().contains(state.blank)
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
        let ends = self.pattern.first_blank_cells(self.coordinates.size()).into_iter();
        ends.map(|blank| PatternState { cells, blank }).collect()
    }
}

/// The rank is `rank of the permutation · number of layouts + q`.
impl Rankable for PatternSpace {
    fn state_count(&self) -> Option<u64> {
        Some(self.coordinates.state_count())
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
        PatternState { cells, blank: layout.region.first().expect("regions are not empty") }
    }
}

/// Returns whether a move increases the distance (otherwise it decreases it). `parity` is bit 0 of the distance before
/// the move, `before` and `after` are bit 1 of the distances before and after it.
#[inline]
pub fn distance_increases(parity: u32, before: u32, after: u32) -> bool {
    before ^ after ^ parity == 0
}

/// Exceeds the distance of every state, so a longer descent must be in a cycle.
const FARTHEST: Cost = 255;

impl Database {
    /// Returns the distance of pattern `part` in `position`. Returns `None` if the descent does not end at the goal,
    /// because the goal cannot be reached or the tables are damaged.
    ///
    /// Cost: a descent with a few lookups per step; microseconds.
    pub fn distance(&self, part: usize, position: &Position) -> Option<Cost> {
        let distances = self.distances(&[(part, position)], |_| {});
        distances.map(|distances| distances[0])
    }

    /// Returns the distances of several patterns, each with its position. Returns `None` if a descent does not end at
    /// the goal.
    ///
    /// The descents are interleaved, one step each in turn, to overlap their cache misses. `fetch` is called with the
    /// index of each word that will be read, and may prefetch it.
    pub fn distances(
        &self,
        starts: &[(usize, &Position)],
        fetch: impl Fn(usize),
    ) -> Option<Vec<Cost>> {
        let walk = Walk::new(self, fetch);
        let start = |&(part, position): &(usize, _)| Walker::new(&walk, part, position);
        let walkers = starts.iter().map(start).enumerate();
        let mut distances = vec![0; starts.len()];
        walk_interleaved(
            walkers,
            starts.len(),
            |(_, walker)| walker.step(&walk).ok_or(()),
            |(index, walker)| distances[index] = walker.distance,
        )
        .ok()?;
        Some(distances)
    }
}

/// Data shared by all walkers.
struct Walk<'a, F> {
    database: &'a Database,
    width: usize,
    /// The cells outside the first column, and the cells outside the last column.
    inner: [CellSet; 2],
    /// Row and column of each cell. Computed once: divisions would take half of the time of a descent.
    places: [[u8; 2]; MAX_CELLS],
    fetch: F,
}

/// A descent of one pattern.
struct Walker<'a> {
    part: &'a Part,
    goal: CellSet,
    /// Label on each cell; only valid for cells of the pattern's tiles.
    labels: [u8; MAX_CELLS],
    here: State,
    /// Number of steps made.
    distance: Cost,
    /// Moves whose bits have been prefetched.
    candidates: Vec<Candidate>,
    /// `Some(true)`: the candidates bring a tile nearer to its goal cell; `Some(false)`: they are all other moves;
    /// `None`: they have not been computed yet.
    nearer: Option<bool>,
}

/// A move of a tile from one of the states of a descent.
#[derive(Clone, Copy)]
struct Candidate {
    label: u8,
    to: u8,
    /// The state that the move leads to.
    state: State,
}

/// A state of a pattern.
#[derive(Clone, Copy)]
struct State {
    tiles: CellSet,
    rank: u32,
    q: u32,
    /// Index of the state's bit in the words of the database.
    place: u64,
}

impl<'a> Walker<'a> {
    fn new<F: Fn(usize)>(walk: &Walk<'a, F>, part: usize, position: &Position) -> Self {
        let size = walk.database.partition().size();
        let part = &walk.database.parts()[part];
        // Cell of each tile, by goal cell, both as cells of the table.
        let mut cell_of = [0; MAX_CELLS];
        for (cell, &goal) in (0..size.cells() as u8).zip(position) {
            cell_of[usize::from(part.image(goal))] = part.image(cell);
        }
        let (mut tiles, mut labels) = (CellSet::EMPTY, [0; MAX_CELLS]);
        for (label, &goal) in (0..).zip(part.pattern().cells()) {
            let cell = cell_of[usize::from(goal)];
            labels[usize::from(cell)] = label;
            tiles |= CellSet::of(cell);
        }
        let order: Vec<u8> = tiles.iter().map(|cell| labels[usize::from(cell)]).collect();
        let blank = cell_of[usize::from(part.image(walk.database.partition().blank()))];
        let here = walk.state(part, tiles, part.coordinates().rank(&order), blank);
        let goal = part.pattern().set();
        let candidates = Vec::with_capacity(2 * Pattern::MAX_TILES);
        Self { part, goal, labels, here, distance: 0, candidates, nearer: None }
    }

    /// Makes the first candidate that decreases the distance, and prefetches the next candidates. Returns
    /// `Some(false)` if the goal has been reached, and `None` if no move is left or the walk has exceeded [`FARTHEST`]
    /// steps.
    fn step<F: Fn(usize)>(&mut self, walk: &Walk<'a, F>) -> Option<bool> {
        let parity = self.part.parity(self.here.tiles);
        let before = walk.database.bit_at(self.here.place);
        let decreases = |candidate: &&Candidate| {
            !distance_increases(parity, before, walk.database.bit_at(candidate.state.place))
        };
        let nearer = match (self.candidates.iter().find(decreases), self.nearer) {
            (Some(&Candidate { label, to, state }), _) => {
                self.labels[usize::from(to)] = label;
                self.here = state;
                self.distance += 1;
                true
            }
            (None, None) => true,
            (None, Some(true)) => false,
            (None, Some(false)) => return None,
        };
        let coordinates = self.part.coordinates();
        let region = coordinates.layouts()[self.here.q as usize].region;
        let ends = self.part.pattern().blank_cells();
        if self.here.tiles == self.goal && self.here.rank == 0 && !(region & ends).is_empty() {
            return Some(false);
        }
        self.nearer = Some(nearer);
        self.fetch_candidates(walk, region, nearer);
        (self.distance <= FARTHEST).then_some(true)
    }

    /// Replaces the candidates by the moves of tiles into `region` that bring a tile nearer to its goal cell, or by all
    /// others.
    fn fetch_candidates<F: Fn(usize)>(
        &mut self,
        walk: &Walk<'a, F>,
        region: CellSet,
        nearer: bool,
    ) {
        let (part, here) = (self.part, self.here);
        let goals = part.pattern().cells();
        self.candidates.clear();
        for from in walk.neighbours(region) & here.tiles {
            let label = self.labels[usize::from(from)];
            let free = walk.neighbours(CellSet::of(from)) & region;
            let towards = walk.towards(from, goals[usize::from(label)]);
            let ends = if nearer { free & towards } else { free.without(towards) };
            for to in ends {
                let at = |cell: u8| self.labels[usize::from(cell)];
                let jump = part.coordinates().jump(label, (from, to), here.tiles, at);
                let tiles = here.tiles ^ CellSet::of(from) ^ CellSet::of(to);
                let state = walk.state(part, tiles, here.rank.wrapping_add(jump), from);
                self.candidates.push(Candidate { label, to, state });
            }
        }
    }
}

impl<'a, F> Walk<'a, F> {
    fn new(database: &'a Database, fetch: F) -> Self {
        let size = database.partition().size();
        let mut places = [[0; 2]; MAX_CELLS];
        let (rows, columns) = (0..size.height() as u8, 0..size.width() as u8);
        let all = rows.flat_map(|row| columns.clone().map(move |column| [row, column]));
        places.iter_mut().zip(all).for_each(|(place, cell)| *place = cell);
        let column = |end: usize| -> CellSet {
            (0..size.height()).map(|row| (row * size.width() + end) as u8).collect()
        };
        let inner = [0, size.width() - 1].map(|end| CellSet::all(size).without(column(end)));
        Self { database, width: size.width(), inner, places, fetch }
    }

    /// Returns the cells that have a neighbour in `cells`. The set may contain bits past the last cell.
    fn neighbours(&self, cells: CellSet) -> CellSet {
        let [not_first, not_last] = self.inner.map(|inner| (cells & inner).bits());
        let cells = cells.bits();
        CellSet::from_bits(
            not_first >> 1 | not_last << 1 | cells >> self.width | cells << self.width,
        )
    }

    /// Returns the neighbours of a cell that are nearer to a goal cell.
    fn towards(&self, from: u8, goal: u8) -> CellSet {
        let [[row, column], [goal_row, goal_column]] =
            [from, goal].map(|cell| self.places[usize::from(cell)]);
        let step = |before: bool, after: bool, length: usize| {
            (u64::from(after) << length << from) | (u64::from(before) << from >> length)
        };
        CellSet::from_bits(
            step(goal_row < row, goal_row > row, self.width)
                | step(goal_column < column, goal_column > column, 1),
        )
    }
}

impl<F: Fn(usize)> Walk<'_, F> {
    /// Computes the coordinates of a state and prefetches its word.
    fn state(&self, part: &Part, tiles: CellSet, rank: u32, blank: u8) -> State {
        let q = part.coordinates().q(tiles, blank);
        let place = part.place(rank, q);
        (self.fetch)((place / 64) as usize);
        State { tiles, rank, q, place }
    }
}
