//! Tables of the distances to a goal of a few tiles.
//!
//! A table has one byte per index. The index is a number in base n, the number of cells:
//!
//! | digit | contents |
//! |---|---|
//! | 0 (weight 1) | cell of the blank |
//! | i + 1 (weight nⁱ⁺¹) | cell of tile i, in ascending order of goal cells |
//!
//! The byte is the distance in moves of the metric, at most 254, or [`FAR`]. Indices at which two digits are equal
//! are no states; they have the byte [`FAR`].

use loyd_search::{Meter, Stop, breadth_first_levels};
use loyd_tiles::{Cell, Metric, Move, Size};

/// A goal for a few tiles: their goal cells, and the cells on which the blank may end.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TileSubset {
    size: Size,
    metric: Metric,
    tiles: Vec<Cell>,
    blanks: Vec<Cell>,
}

impl TileSubset {
    /// Creates the goal that has the tiles with goal cells `tiles` on these cells and the blank on one of `blanks`.
    ///
    /// # Panics
    /// Panics if a table would have 2³² entries or more, or if there are more than 15 tiles.
    pub fn new(size: Size, metric: Metric, mut tiles: Vec<Cell>, blanks: Vec<Cell>) -> Self {
        tiles.sort_unstable();
        let subset = Self { size, metric, tiles, blanks };
        let tiles = subset.tiles.len();
        let few = tiles <= MAX_TILES && u32::try_from(subset.entries()).is_ok();
        assert!(few, "{tiles} tiles are too many");
        subset
    }

    /// Returns the size of the boards.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Returns the goal cells of the tiles, in ascending order.
    pub fn tiles(&self) -> &[Cell] {
        &self.tiles
    }

    /// Returns the number of entries of a table, including those for which two tiles, or a tile and the blank, are on
    /// the same cell.
    fn entries(&self) -> usize {
        self.size.cells().saturating_pow(self.tiles.len() as u32 + 1)
    }

    /// Returns the size of the table in bytes.
    pub fn bytes(&self) -> u64 {
        self.entries() as u64
    }

    /// Returns an estimate of the bytes needed to build the table: a byte per entry, and two levels of states.
    pub fn build_bytes(&self) -> u64 {
        3 * self.entries() as u64
    }
}

/// The distance from every position of the tiles of a [`TileSubset`] and the blank to the goal.
///
/// One byte per index; the digits of the index, in base of the number of cells, are the cell of the blank (lowest
/// digit) and the cells of the tiles. Distances above 254 are stored as 255.
#[derive(Debug)]
pub struct TileSubsetTable {
    subset: TileSubset,
    distances: Vec<u8>,
}

/// Entry of states that are more than 254 moves away or from which the goal cannot be reached.
pub const FAR: u8 = u8::MAX;

impl TileSubsetTable {
    /// Builds the table by breadth-first search from the goal.
    ///
    /// Cost: one thread, some ten million states per second.
    ///
    /// # Errors
    /// Returns the limit of `meter` that was reached.
    pub fn build(subset: TileSubset, meter: &mut Meter<'_>) -> Result<Self, Stop> {
        let entries = subset.entries();
        meter.reserve(entries as u64)?;
        let mut distances = vec![FAR; entries];
        let neighbours = Neighbours::new(&subset);
        let (mut layer, total) = (neighbours.goals(&subset), neighbours.state_count());
        layer.iter().for_each(|&index| distances[index as usize] = 0);
        breadth_first_levels(layer.len() as u64, |distance, done| {
            let Some(distance) = u8::try_from(distance).ok().filter(|&d| d != FAR) else {
                return Ok(0);
            };
            let mut next: Vec<u32> = Vec::new();
            for part in layer.chunks(CHECK_INTERVAL) {
                // Reserved before the vector grows: while it is copied, the old and the new allocation coexist.
                let needed = next.len() + part.len() * neighbours.most;
                let capacity =
                    if needed > next.capacity() { needed.max(2 * next.capacity()) } else { 0 };
                let states = layer.capacity() + next.capacity() + capacity;
                meter.reserve((entries + states * size_of::<u32>()) as u64)?;
                next.reserve_exact(capacity.saturating_sub(next.len()));
                meter.progress(done + next.len() as u64, total)?;
                for &index in part {
                    neighbours.each(index, |neighbour| {
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

    /// Returns the goal of the table.
    pub fn subset(&self) -> &TileSubset {
        &self.subset
    }

    /// Returns the bytes of memory that the table holds.
    pub fn bytes(&self) -> u64 {
        self.distances.len() as u64
    }

    /// Returns the weight in an index of the cell of the tile with goal cell `goal`, or 0 if the table does not have
    /// that tile.
    #[inline]
    pub fn weight(&self, goal: Cell) -> u32 {
        let place = self.subset.tiles.iter().position(|&cell| cell == goal);
        place.map_or(0, |place| (self.subset.size.cells() as u32).pow(place as u32 + 1))
    }

    /// Returns the distance for an index, which is the cell of the blank plus the sum of the tiles' cells, each times
    /// its [`weight`](Self::weight).
    #[inline]
    pub fn distance(&self, index: u32) -> u8 {
        self.distances[index as usize]
    }
}

/// Number of states expanded between two limit checks.
const CHECK_INTERVAL: usize = 1 << 12;

/// Maximum number of tiles of a goal.
const MAX_TILES: usize = 15;

/// Generates the neighbours of a state, by index.
struct Neighbours {
    cells: u32,
    tiles: usize,
    /// Upper bound on the number of neighbours of a state.
    most: usize,
    /// Whether a move takes the blank any number of steps in its direction.
    slides: bool,
    /// For each cell the adjacent cell in each direction, or the cell itself at the edge of the board.
    adjacent: Vec<[u32; 4]>,
}

impl Neighbours {
    fn new(subset: &TileSubset) -> Self {
        let size = subset.size;
        let adjacent =
            |cell| Move::ALL.map(|m| size.neighbour(cell, m).unwrap_or(cell).index() as u32);
        Self {
            cells: size.cells() as u32,
            tiles: subset.tiles.len(),
            most: size.width() + size.height(),
            slides: subset.metric == Metric::MultiTile,
            adjacent: size.iter_cells().map(adjacent).collect(),
        }
    }

    /// Returns the number of states.
    fn state_count(&self) -> u64 {
        (0..=self.tiles as u64).map(|taken| u64::from(self.cells) - taken).product()
    }

    fn goals(&self, subset: &TileSubset) -> Vec<u32> {
        let digits = subset.tiles.iter().rev();
        let tiles = digits.fold(0, |index, cell| (index + cell.index() as u32) * self.cells);
        subset.blanks.iter().map(|blank| tiles + blank.index() as u32).collect()
    }

    /// Calls `visit` with the index of each neighbour.
    #[inline]
    fn each(&self, index: u32, mut visit: impl FnMut(u32)) {
        let (blank, mut rest) = (index % self.cells, index / self.cells);
        let mut tiles = [0; MAX_TILES];
        for tile in &mut tiles[..self.tiles] {
            (*tile, rest) = (rest % self.cells, rest / self.cells);
        }
        for direction in 0..4 {
            let (mut at, mut index, mut tiles) = (blank, index, tiles);
            loop {
                let to = self.adjacent[at as usize][direction];
                if to == at {
                    break;
                }
                // The blank moves from `at` to `to`; the tile on `to`, if it is one of the subset, moves to `at`.
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
