//! Which layouts flow into which: the same for all patterns of so many tiles, wherever their goal is.

use loyd_tiles::{Cell, CellGraph, CellSet, Size};

use super::coordinates::Coordinates;
use super::layouts::Layout;
use super::permutations::PermutationTables;

/// The layouts of a build, and the moves between them.
///
/// A move changes the parity of the cells, so a level writes layouts of one half and reads those of the
/// other.
pub(super) struct Graph {
    pub tables: PermutationTables,
    /// Where the layout of each q is.
    pub places: Vec<Place>,
    pub halves: [Edges; 2],
}

/// Where a layout is: in the half of this parity, and its index there.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub half: u32,
    pub index: u32,
}

/// What flows into the layouts of a half, from which layouts of the other.
#[derive(Default)]
pub(super) struct Edges {
    pub layouts: usize,
    /// By moves along a row of the board: the permutation stays.
    pub straight: Lists<u32>,
    /// By vertical moves: also the places between which a tile jumps.
    pub permuted: Lists<(u32, u8, u8)>,
}

/// A list for each of some layouts.
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
    pub fn of(&self, layout: usize) -> &[T] {
        &self.items[self.ends[layout] as usize..self.ends[layout + 1] as usize]
    }

    fn end(&mut self) {
        self.ends.push(self.items.len() as u32);
    }
}

impl Graph {
    /// The bytes that the graph for these coordinates takes, or more.
    pub fn bytes(coordinates: &Coordinates) -> u64 {
        // At most four moves a tile; on larger boards half of them find the cell beside taken or on the far
        // side of another region. The lists grow by doubling.
        (coordinates.layouts().len() * (16 + 24 * coordinates.tiles())) as u64
    }

    pub fn new(coordinates: &Coordinates) -> Self {
        let dark = dark_cells(coordinates.size());
        let mut halves = [Edges::default(), Edges::default()];
        let place = |layout: &Layout| {
            let half = ((layout.tiles & dark).len() % 2) as u32;
            let layouts = &mut halves[half as usize].layouts;
            *layouts += 1;
            Place { half, index: *layouts as u32 - 1 }
        };
        let places: Vec<Place> = coordinates.layouts().iter().map(place).collect();
        let board = CellGraph::new(coordinates.size());
        for (layout, place) in coordinates.layouts().iter().zip(&places) {
            let edges = &mut halves[place.half as usize];
            let before = |tile: u8, blank: u8| {
                let tiles = layout.tiles ^ CellSet::of(tile) ^ CellSet::of(blank);
                (tiles, places[coordinates.q(tiles, tile) as usize].index)
            };
            // The tile that is on `tile` now was on `blank`, and the blank was on `tile`.
            for blank in layout.region {
                for tile in board.across(blank) & layout.tiles {
                    edges.straight.items.push(before(tile, blank).1);
                }
                for tile in board.along(blank) & layout.tiles {
                    let (tiles, from) = before(tile, blank);
                    match (tiles.before(blank).len(), layout.tiles.before(tile).len()) {
                        (i, j) if i == j => edges.straight.items.push(from),
                        (i, j) => edges.permuted.items.push((from, i as u8, j as u8)),
                    }
                }
            }
            edges.straight.end();
            edges.permuted.end();
        }
        Self { tables: PermutationTables::new(coordinates.tiles()), places, halves }
    }
}

/// The cells of one colour of a chessboard.
pub(super) fn dark_cells(size: Size) -> CellSet {
    let dark = |cell: &Cell| (size.row(*cell) + size.column(*cell)) % 2 == 1;
    size.iter_cells().filter(dark).collect()
}
