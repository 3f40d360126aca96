//! Searches for the paths of single tiles: the states that they reach, and the buffers and limits that the solvers of
//! single tiles share ([`super::lines`] and [`super::last_tiles`]).

use std::rc::Rc;

use loyd_search::{Meter, Stop};
use loyd_tiles::{Move, Size};
use rustc_hash::FxHashMap;

use super::geometry::Grid;

/// Cells of the blank and of some tiles.
pub(super) type State<const K: usize> = [u16; K];

/// Maximum cells of a board with a table of all states of the blank and a tile.
pub(super) const TABLE_CELLS: usize = Size::MAX_SEARCH_CELLS;

/// Entry of a state that was not reached.
const UNREACHED: (u16, Option<Move>) = (u16::MAX, None);

/// Maps the cells of the blank and a tile to the depth at which a search reached them, and the last move.
pub(super) enum Reached {
    /// All entries are empty between two searches: filling the table for each search would take longer than the search.
    Table {
        entries: Vec<(u16, Option<Move>)>,
        cells: usize,
        touched: Vec<usize>,
    },
    Map(FxHashMap<State<2>, (u16, Option<Move>)>),
}

impl Reached {
    pub fn new(cells: usize) -> Self {
        match cells <= TABLE_CELLS {
            true => {
                Self::Table { entries: vec![UNREACHED; cells * cells], cells, touched: Vec::new() }
            }
            false => Self::Map(FxHashMap::default()),
        }
    }

    pub fn get(&self, state: State<2>) -> (u16, Option<Move>) {
        match self {
            Self::Table { entries, cells, .. } => entries[index(state, *cells)],
            Self::Map(entries) => entries.get(&state).copied().unwrap_or(UNREACHED),
        }
    }

    pub fn set(&mut self, state: State<2>, entry: (u16, Option<Move>)) {
        match self {
            Self::Table { entries, cells, touched } => {
                let index = index(state, *cells);
                entries[index] = entry;
                touched.push(index);
            }
            Self::Map(entries) => _ = entries.insert(state, entry),
        }
    }

    pub fn clear(&mut self) {
        match self {
            Self::Table { entries, touched, .. } => {
                touched.drain(..).for_each(|index| entries[index] = UNREACHED);
            }
            Self::Map(entries) => entries.clear(),
        }
    }
}

fn index([blank, tile]: State<2>, cells: usize) -> usize {
    usize::from(blank) * cells + usize::from(tile)
}

/// Number of moves made and states expanded between two limit checks (some 100 µs).
const INTERVAL: usize = 4_096;

/// Maximum number of stored hops: some 10 MB. Boards that are solved line by line need a few thousand.
const MAX_HOPS: usize = 1 << 16;

/// Bytes per move of a solution: the moves themselves, the copy without cycles, and the best solution.
pub(super) const BYTES_PER_MOVE: usize = 3;

/// Key of a stored hop: everything in a window of the board that determines its path.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct HopKey {
    /// The cells that may be crossed, a bit each.
    pub free: u128,
    /// Numbers of rows and columns.
    pub size: [u8; 2],
    /// Cells of the blank, of the tile, and the target of the tile, in reading order of the window.
    pub cells: [u8; 3],
}

/// Buffers of searches for the paths of single tiles, and the meter whose limits they check.
pub(super) struct Workspace<'m, 'o> {
    meter: &'m mut Meter<'o>,
    /// Number of steps until the next limit check.
    until_check: usize,
    /// Number of steps left, if they are limited.
    steps_left: Option<u64>,
    /// Number of steps that may be made after the time limit was reached.
    late_steps: usize,
    pub reached: Reached,
    /// The last move to each state of a breadth-first search; all entries are empty between two searches.
    last: Vec<Option<Move>>,
    /// Paths of hops; a path is empty if its window contains none.
    hops: FxHashMap<HopKey, Rc<[Move]>>,
}

impl<'m, 'o> Workspace<'m, 'o> {
    pub fn new(grid: &Grid, meter: &'m mut Meter<'o>) -> Self {
        Self {
            meter,
            until_check: 0,
            steps_left: None,
            late_steps: 0,
            reached: Reached::new(grid.size.cells()),
            last: Vec::new(),
            hops: FxHashMap::default(),
        }
    }

    /// Limits the number of steps from now on, if `steps` is given, and allows `late_steps` after the time limit.
    pub fn limit_steps(&mut self, steps: Option<u64>, late_steps: usize) {
        (self.steps_left, self.late_steps, self.until_check) = (steps, late_steps, 0);
    }

    /// Counts `steps`, moves made or states expanded; `moves` is the length of the solution so far. Checks the limits
    /// every [`INTERVAL`] steps.
    ///
    /// # Errors
    /// Returns the limit that was reached; [`Stop::Expanded`] for the limit on steps.
    #[inline]
    pub fn spend(&mut self, steps: usize, moves: usize) -> Result<(), Stop> {
        match self.until_check.checked_sub(steps) {
            Some(left) => self.until_check = left,
            None => self.check(steps, moves)?,
        }
        Ok(())
    }

    #[cold]
    fn check(&mut self, steps: usize, moves: usize) -> Result<(), Stop> {
        let excess = steps - self.until_check;
        if let Some(left) = &mut self.steps_left {
            // The limit is exceeded by at most `INTERVAL` steps.
            *left = left.checked_sub(INTERVAL.max(excess) as u64).ok_or(Stop::Expanded)?;
        }
        self.until_check = INTERVAL;
        match self.meter.check() {
            Err(Stop::Time) if self.late_steps > 0 => {
                self.late_steps = self.late_steps.saturating_sub(INTERVAL.max(excess));
            }
            result => result?,
        }
        self.meter.reserve((BYTES_PER_MOVE * moves) as u64)
    }

    /// Returns the stored path of a hop (empty if there is none), or `None` if its window has not been searched.
    pub fn hop(&self, key: &HopKey) -> Option<Rc<[Move]>> {
        self.hops.get(key).map(Rc::clone)
    }

    pub fn store_hop(&mut self, key: HopKey, path: Rc<[Move]>) {
        if self.hops.len() == MAX_HOPS {
            self.hops.clear();
        }
        self.hops.insert(key, path);
    }
}

/// Returns the state after the blank moves to the neighbouring cell `to`.
fn moved<const K: usize>(state: State<K>, to: u16) -> State<K> {
    let from = state[0];
    state.map(|cell| match cell {
        _ if cell == from => to,
        _ if cell == to => from,
        _ => cell,
    })
}

/// Returns the legal moves of the blank, each with the state that it leads to.
pub(super) fn children<const K: usize>(
    grid: &Grid,
    state: State<K>,
) -> impl Iterator<Item = (Move, State<K>)> {
    grid.neighbours(state[0]).map(move |(m, to)| (m, moved(state, to)))
}

/// Returns the moves that lead to a state; `last` returns the last move to each state on the path.
pub(super) fn path_to<const K: usize>(
    grid: &Grid,
    mut state: State<K>,
    last: impl Fn(State<K>) -> Option<Move>,
) -> Vec<Move> {
    let mut moves = Vec::new();
    while let Some(m) = last(state) {
        moves.push(m);
        state = moved(state, grid.target(state[0], m.inverse()));
    }
    moves.reverse();
    moves
}

/// Returns a shortest path from `start` to a state that is `solved`, through states with an `index` below `states`.
/// Returns `None` if there is none.
pub(super) fn breadth_first<const K: usize>(
    grid: &Grid,
    start: State<K>,
    index: impl Fn(State<K>) -> Option<usize>,
    states: usize,
    solved: impl Fn(State<K>) -> bool,
    work: &mut Workspace<'_, '_>,
) -> Result<Option<Vec<Move>>, Stop> {
    let last = &mut work.last;
    last.resize(last.len().max(states), None);
    let (mut queue, mut done, mut end) = (vec![start], 0, None);
    while let Some(&state) = queue.get(done) {
        done += 1;
        if solved(state) {
            end = Some(state);
            break;
        }
        for (m, child) in children(grid, state).filter(|&(_, child)| child != start) {
            if let Some(index) = index(child).filter(|&index| last[index].is_none()) {
                last[index] = Some(m);
                queue.push(child);
            }
        }
    }
    let path = end.map(|end| path_to(grid, end, |state| last[index(state)?]));
    queue.iter().filter_map(|&state| index(state)).for_each(|index| last[index] = None);
    work.spend(done, 0)?;
    Ok(path)
}
