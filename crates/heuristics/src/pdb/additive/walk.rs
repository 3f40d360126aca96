//! The walk down to the goal: how far a pattern is from its goal cells, from bits that only tell nearer from
//! farther.

use loyd_search::{Cost, walk_together};
use loyd_tiles::{Cell, CellGraph, CellSet, Size};

use super::database::{Database, Part};
use super::pattern::Pattern;
use crate::pdb::{MAX_CELLS, Position};

/// Whether the distance increases, rather than decreases, by the move that takes a state of this parity
/// from one bit to the other.
#[inline]
pub fn distance_increases(parity: u32, before: u32, after: u32) -> bool {
    before ^ after ^ parity == 0
}

/// Farther than any pattern is from its goal: a walk as long as this runs in circles.
const FARTHEST: Cost = 255;

impl Database {
    /// The distance of pattern `part` in `position`; `None` if the walk down does not end at the goal: it
    /// cannot be reached, or the tables are wrong.
    ///
    /// Cost: that walk, some lookups a step; microseconds.
    pub fn distance(&self, part: usize, position: &Position) -> Option<Cost> {
        let distances = self.distances(&[(part, position)], |_| {});
        distances.map(|distances| distances[0])
    }

    /// The distances of some patterns, each in a position of its own; `None` if a walk does not end at the
    /// goal.
    ///
    /// All walk down to the goal together, a try each in turn, so that the word that one will look at can be
    /// on its way from memory while the others look: `fetch` is told its index.
    pub fn distances(
        &self,
        starts: &[(usize, &Position)],
        fetch: impl Fn(usize),
    ) -> Option<Vec<Cost>> {
        let board = CellGraph::new(self.partition().size());
        let walk = Walk { database: self, board: &board, size: self.partition().size(), fetch };
        let start = |&(part, position): &(usize, _)| Walker::new(&walk, part, position);
        let walkers = starts.iter().map(start).enumerate();
        let mut distances = vec![0; starts.len()];
        walk_together(
            walkers,
            starts.len(),
            |(_, walker)| {
                walker.look(&walk);
                walker.choose(&walk).ok_or(())
            },
            |(index, walker)| distances[index] = walker.distance,
        )
        .ok()?;
        Some(distances)
    }
}

/// What all walkers have in common.
struct Walk<'a, F> {
    database: &'a Database,
    board: &'a CellGraph,
    size: Size,
    fetch: F,
}

/// A pattern on its way to the goal.
struct Walker<'a> {
    part: &'a Part,
    goal: CellSet,
    /// By label: the cell of the tile. By cell: the label on it.
    cells: [u8; Pattern::MAX_TILES],
    labels: [u8; MAX_CELLS],
    here: State,
    distance: Cost,
    /// The next move to try, see [`choose`](Self::choose), and where the one being tried leads.
    next: usize,
    chosen: Option<(u8, u8, State)>,
}

/// A state of a pattern.
#[derive(Clone, Copy)]
struct State {
    tiles: CellSet,
    rank: u32,
    q: u32,
    place: u64,
}

/// The neighbours of a cell at most.
const NEIGHBOURS: usize = 4;

impl<'a> Walker<'a> {
    fn new<F: Fn(usize)>(walk: &Walk<'a, F>, part: usize, position: &Position) -> Self {
        let blank = walk.database.partition().blank();
        let part = &walk.database.parts()[part];
        let (mut cells, mut labels) = ([0; Pattern::MAX_TILES], [0; MAX_CELLS]);
        let (mut tiles, mut blank_cell) = (CellSet::EMPTY, 0);
        for (cell, &goal) in (0..walk.size.cells() as u8).zip(position) {
            let cell = part.image(cell);
            if goal == blank {
                blank_cell = cell;
            } else if let Some(label) = part.label(goal) {
                cells[usize::from(label)] = cell;
                labels[usize::from(cell)] = label;
                tiles |= CellSet::of(cell);
            }
        }
        let order: Vec<u8> = tiles.iter().map(|cell| labels[usize::from(cell)]).collect();
        let here = walk.state(part, tiles, part.coordinates().rank(&order), blank_cell);
        let goal = part.pattern().set();
        Self { part, goal, cells, labels, here, distance: 0, next: 0, chosen: None }
    }

    /// Chooses a move to try and asks for its bit; returns whether the goal is still to be reached, or
    /// `None` if no move is left or too many have been made.
    ///
    /// Moves that bring a tile nearer to its own goal cell are tried first.
    fn choose<F: Fn(usize)>(&mut self, walk: &Walk<'a, F>) -> Option<bool> {
        let (part, here) = (self.part, self.here);
        let region = part.coordinates().layouts()[here.q as usize].region;
        let (goals, ends) = (part.pattern().cells(), part.pattern().ends());
        if here.tiles == self.goal && here.rank == 0 && !(region & ends).is_empty() {
            return Some(false);
        }
        let tries = NEIGHBOURS * goals.len();
        loop {
            if self.next == 2 * tries || self.distance > FARTHEST {
                return None;
            }
            let (nearer, label) = (self.next < tries, self.next % tries / NEIGHBOURS);
            let (from, index) = (self.cells[label], self.next % NEIGHBOURS);
            self.next += 1;
            let Some(to) = (walk.board.beside(from) & region).iter().nth(index) else { continue };
            let steps = |cell: u8| {
                walk.size.distance(Cell::new(cell.into()), Cell::new(goals[label].into()))
            };
            if (steps(to) < steps(from)) != nearer {
                continue;
            }
            let at = |cell: u8| self.labels[usize::from(cell)];
            let jump = part.coordinates().jump(label as u8, (from, to), here.tiles, at);
            let tiles = here.tiles ^ CellSet::of(from) ^ CellSet::of(to);
            let there = walk.state(part, tiles, here.rank.wrapping_add(jump), from);
            self.chosen = Some((label as u8, to, there));
            return Some(true);
        }
    }

    /// Makes the chosen move if it leads nearer to the goal.
    fn look<F>(&mut self, walk: &Walk<'a, F>) {
        let Some((label, to, there)) = self.chosen.take() else { return };
        let [before, after] = [self.here, there].map(|state| walk.database.bit_at(state.place));
        if distance_increases(self.part.parity(self.here.tiles), before, after) {
            return;
        }
        self.cells[usize::from(label)] = to;
        self.labels[usize::from(to)] = label;
        (self.here, self.next) = (there, 0);
        self.distance += 1;
    }
}

impl<F: Fn(usize)> Walk<'_, F> {
    fn state(&self, part: &Part, tiles: CellSet, rank: u32, blank: u8) -> State {
        let q = part.coordinates().q(tiles, blank);
        let place = part.place(rank, q);
        (self.fetch)((place / 64) as usize);
        State { tiles, rank, q, place }
    }
}
