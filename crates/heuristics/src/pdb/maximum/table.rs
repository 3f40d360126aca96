//! The distances to a goal of a few tiles.

use loyd_search::{Meter, Stop, level_by_level};
use loyd_tiles::{Cell, Metric, Move, Size};

/// A goal of a few tiles, named by their goal cells, and cells on which the blank may end.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TileSubset {
    size: Size,
    metric: Metric,
    tiles: Vec<Cell>,
    blanks: Vec<Cell>,
}

impl TileSubset {
    /// The goal that wants tiles on the cells `tiles` and the blank on one of `blanks`.
    ///
    /// # Panics
    /// If a table would have more than 2³² entries, or there are more than 15 tiles.
    pub fn new(size: Size, metric: Metric, mut tiles: Vec<Cell>, blanks: Vec<Cell>) -> Self {
        tiles.sort_unstable();
        let subset = Self { size, metric, tiles, blanks };
        let tiles = subset.tiles.len();
        let few = tiles <= MOST_TILES && u32::try_from(subset.entries()).is_ok();
        assert!(few, "{tiles} tiles are too many");
        subset
    }

    /// The size of the boards.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The goal cells of the tiles.
    pub fn tiles(&self) -> &[Cell] {
        &self.tiles
    }

    /// Entries of a table: one for each cell of the blank and of each tile, be it that no two may lie on
    /// the same.
    fn entries(&self) -> usize {
        self.size.cells().saturating_pow(self.tiles.len() as u32 + 1)
    }

    /// The bytes of the table.
    pub fn bytes(&self) -> u64 {
        self.entries() as u64
    }

    /// The bytes that it takes to make the table: a byte an entry, and two layers of states.
    pub fn build_bytes(&self) -> u64 {
        3 * self.entries() as u64
    }
}

/// How many moves every way of lying needs that the tiles of a [`TileSubset`] and the blank have.
///
/// Shape: a byte for each index, whose digits, in base of the number of cells, are the cell of the blank, lowest, and
/// those of the tiles. Distances above 254 are given as 255.
#[derive(Debug)]
pub struct TileSubsetTable {
    subset: TileSubset,
    distances: Vec<u8>,
}

/// What is farther away than can be told, or where no way leads to the goal.
pub const FAR: u8 = u8::MAX;

impl TileSubsetTable {
    /// Finds the distances from the goal outwards.
    ///
    /// Cost: one thread, some ten million states a second.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn build(subset: TileSubset, meter: &mut Meter<'_>) -> Result<Self, Stop> {
        let entries = subset.entries();
        meter.reserve(entries as u64)?;
        let mut distances = vec![FAR; entries];
        let ways = Ways::new(&subset);
        let (mut layer, total) = (ways.goals(&subset), ways.states());
        layer.iter().for_each(|&index| distances[index as usize] = 0);
        level_by_level(layer.len() as u64, |distance, done| {
            let Some(distance) = u8::try_from(distance).ok().filter(|&d| d != FAR) else {
                return Ok(0);
            };
            let mut next: Vec<u32> = Vec::new();
            for part in layer.chunks(LOOK) {
                // Asked for before it grows, when the old list and the new one are there.
                let needed = next.len() + part.len() * ways.most;
                let capacity =
                    if needed > next.capacity() { needed.max(2 * next.capacity()) } else { 0 };
                let states = layer.capacity() + next.capacity() + capacity;
                meter.reserve((entries + states * size_of::<u32>()) as u64)?;
                next.reserve_exact(capacity.saturating_sub(next.len()));
                meter.progress(done + next.len() as u64, total)?;
                for &index in part {
                    ways.each(index, |neighbour| {
                        let known = &mut distances[neighbour as usize];
                        if *known == FAR {
                            *known = distance;
                            next.push(neighbour);
                        }
                    });
                }
            }
            layer = next;
            Ok(layer.len() as u64)
        })?;
        Ok(Self { subset, distances })
    }

    /// The goal.
    pub fn subset(&self) -> &TileSubset {
        &self.subset
    }

    /// The bytes that the table holds.
    pub fn bytes(&self) -> u64 {
        self.distances.len() as u64
    }

    /// What the cell of the tile that belongs on `goal` counts in an index; nothing if it is none of the
    /// tiles.
    #[inline]
    pub fn weight(&self, goal: Cell) -> u32 {
        let place = self.subset.tiles.iter().position(|&cell| cell == goal);
        place.map_or(0, |place| (self.subset.size.cells() as u32).pow(place as u32 + 1))
    }

    /// The distance for an index: the cell of the blank and those of the tiles, each times its
    /// [`weight`](Self::weight).
    #[inline]
    pub fn distance(&self, index: u32) -> u8 {
        self.distances[index as usize]
    }
}

/// States between two looks at the meter.
const LOOK: usize = 1 << 12;

/// The most tiles of a goal.
const MOST_TILES: usize = 15;

/// How one index leads to others.
struct Ways {
    cells: u32,
    tiles: usize,
    /// The most indices that one leads to.
    most: usize,
    /// Whether a move takes the blank any number of steps in its direction.
    slides: bool,
    /// For each cell those beside it, itself where there is none.
    beside: Vec<[u32; 4]>,
}

impl Ways {
    fn new(subset: &TileSubset) -> Self {
        let size = subset.size;
        let beside =
            |cell| Move::ALL.map(|m| size.neighbour(cell, m).unwrap_or(cell).index() as u32);
        Self {
            cells: size.cells() as u32,
            tiles: subset.tiles.len(),
            most: size.width() + size.height(),
            slides: subset.metric == Metric::MultiTile,
            beside: size.iter_cells().map(beside).collect(),
        }
    }

    /// The states that there are.
    fn states(&self) -> u64 {
        (0..=self.tiles as u64).map(|taken| u64::from(self.cells) - taken).product()
    }

    fn goals(&self, subset: &TileSubset) -> Vec<u32> {
        let digits = subset.tiles.iter().rev();
        let tiles = digits.fold(0, |index, cell| (index + cell.index() as u32) * self.cells);
        subset.blanks.iter().map(|blank| tiles + blank.index() as u32).collect()
    }

    /// Visits what one move leads to.
    #[inline]
    fn each(&self, index: u32, mut visit: impl FnMut(u32)) {
        let (blank, mut rest) = (index % self.cells, index / self.cells);
        let mut tiles = [0; MOST_TILES];
        for tile in &mut tiles[..self.tiles] {
            (*tile, rest) = (rest % self.cells, rest / self.cells);
        }
        for direction in 0..4 {
            let (mut at, mut index, mut tiles) = (blank, index, tiles);
            loop {
                let to = self.beside[at as usize][direction];
                if to == at {
                    break;
                }
                index = index - at + to;
                let mut weight = 1;
                for tile in &mut tiles[..self.tiles] {
                    weight *= self.cells;
                    if *tile == to {
                        index = index - weight * to + weight * at;
                        *tile = at;
                    }
                }
                visit(index);
                if !self.slides {
                    break;
                }
                at = to;
            }
        }
    }
}
