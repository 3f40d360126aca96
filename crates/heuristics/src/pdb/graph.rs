//! Which rows flow into which: the same for all patterns of so many tiles, wherever their goal is.

use loyd_tiles::{Cell, Size};

use super::{Coordinates, PermutationTables};

/// The rows of a build, and the moves between them.
///
/// A move changes the parity of the cells, so a level writes rows of one half and reads those of the
/// other.
pub(super) struct Graph {
    pub permutations: PermutationTables,
    /// Where the row of each q is.
    pub places: Vec<Place>,
    pub halves: [Edges; 2],
}

/// Where a row is: in the half of this parity, and there the how-manieth.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub half: u32,
    pub row: u32,
}

/// What flows into the rows of a half, from which rows of the other.
#[derive(Default)]
pub(super) struct Edges {
    pub rows: usize,
    /// By moves along a row of the board: the order stays.
    pub straight: Lists<u32>,
    /// By vertical moves: also the places between which a tile jumps.
    pub permuted: Lists<(u32, u8, u8)>,
}

/// A list for each of some rows.
pub(super) struct Lists<T> {
    items: Vec<T>,
    ends: Vec<u32>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self { items: Vec::new(), ends: vec![0] }
    }
}

impl<T> Lists<T> {
    pub fn of(&self, row: usize) -> &[T] {
        &self.items[self.ends[row] as usize..self.ends[row + 1] as usize]
    }

    fn end(&mut self) {
        self.ends.push(self.items.len() as u32);
    }
}

impl Graph {
    pub fn new(coordinates: &Coordinates) -> Self {
        let dark = dark_cells(coordinates.size());
        let mut halves = [Edges::default(), Edges::default()];
        let place = |row: &super::Layout| {
            let half = (row.mask & dark).count_ones() & 1;
            let rows = &mut halves[half as usize].rows;
            *rows += 1;
            Place { half, row: *rows as u32 - 1 }
        };
        let places: Vec<Place> = coordinates.layouts().iter().map(place).collect();
        let neighbours = Neighbours::new(coordinates.size());
        for (row, place) in coordinates.layouts().iter().zip(&places) {
            let edges = &mut halves[place.half as usize];
            let before = |tile: u8, blank: u8| {
                let mask = row.mask ^ 1 << tile ^ 1 << blank;
                (mask, places[coordinates.q(mask, tile) as usize].row)
            };
            // The tile that is on `tile` now was on `blank`, and the blank was on `tile`.
            for blank in bits(row.region) {
                for tile in bits(neighbours.across[usize::from(blank)] & row.mask) {
                    edges.straight.items.push(before(tile, blank).1);
                }
                for tile in bits(neighbours.along[usize::from(blank)] & row.mask) {
                    let (mask, from) = before(tile, blank);
                    let rank = |mask: u16, cell: u8| (mask & ((1 << cell) - 1)).count_ones() as u8;
                    match (rank(mask, blank), rank(row.mask, tile)) {
                        (i, j) if i == j => edges.straight.items.push(from),
                        (i, j) => edges.permuted.items.push((from, i, j)),
                    }
                }
            }
            edges.straight.end();
            edges.permuted.end();
        }
        Self { permutations: PermutationTables::new(coordinates.tiles()), places, halves }
    }
}

/// The cells of one colour of a chessboard.
pub(super) fn dark_cells(size: Size) -> u16 {
    let dark = |cell: &Cell| (size.row(*cell) + size.column(*cell)) % 2 == 1;
    size.iter_cells().filter(dark).fold(0, |mask, cell| mask | 1 << cell.index())
}

/// The elements of a set of cells.
pub(super) fn bits(mut set: u16) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let first = (set != 0).then(|| set.trailing_zeros() as u8);
        set &= set.wrapping_sub(1);
        first
    })
}

/// The cells beside each cell, in its row and in its column.
struct Neighbours {
    across: Vec<u16>,
    along: Vec<u16>,
}

impl Neighbours {
    fn new(size: Size) -> Self {
        let beside = |cell: Cell, same: fn(Size, Cell) -> usize| {
            let is_beside = |&other: &Cell| {
                size.distance(cell, other) == 1 && same(size, cell) == same(size, other)
            };
            size.iter_cells().filter(is_beside).fold(0, |set, other| set | 1 << other.index())
        };
        let across = size.iter_cells().map(|cell| beside(cell, Size::row)).collect();
        let along = size.iter_cells().map(|cell| beside(cell, Size::column)).collect();
        Self { across, along }
    }
}
