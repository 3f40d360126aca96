//! What one table is about.

use loyd_tiles::{Cell, CellGraph, CellSet, Size, Symmetry};

use crate::pdb::DENSE_CELLS;

/// The goal cells of some tiles in canonical [`Orientation`](crate::pdb::Orientation), in ascending order,
/// and where the blank may end. The tile whose goal is the l-th of them has the label l.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pattern {
    cells: Vec<u8>,
    ends: CellSet,
}

impl Pattern {
    /// The most tiles of a pattern.
    pub const MAX_TILES: usize = 10;

    /// The most states that a pattern may have, regions not counted: 8 GB of table.
    const MAX_STATES: u64 = 1 << 36;

    /// The pattern of the tiles that belong on `cells` of boards whose blank may end on one of `blanks`, of
    /// which one at least is no cell of the pattern.
    pub(super) fn new(graph: &CellGraph, mut cells: Vec<u8>, blanks: CellSet) -> Self {
        cells.sort_unstable();
        let ends = graph.region(blanks, cells.iter().copied().collect());
        Self { cells, ends }
    }

    /// The most tiles of a pattern on boards of `size`: [`MAX_TILES`](Self::MAX_TILES), or fewer where
    /// tables would take more than 8 GB, as for more than eight tiles on 5x5.
    pub fn most_tiles(size: Size) -> usize {
        let cells = size.cells() as u64;
        let states = (0..Self::MAX_TILES as u64).scan(1_u64, |states, tile| {
            *states = states.saturating_mul(cells.saturating_sub(tile));
            Some(*states)
        });
        states.take_while(|&states| states <= Self::MAX_STATES).count()
    }

    /// The goal cells, ascending.
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// The number of tiles.
    pub fn tiles(&self) -> usize {
        self.cells.len()
    }

    /// The goal cells as a set.
    pub fn set(&self) -> CellSet {
        self.cells.iter().copied().collect()
    }

    /// The regions in which the blank may be when all tiles are on their goal cells.
    pub fn ends(&self) -> CellSet {
        self.ends
    }

    /// The first cell of each of these regions.
    pub fn first_ends(&self, size: Size) -> Vec<u8> {
        let regions = CellGraph::new(size);
        let regions = regions.regions(self.set()).filter(|&region| region & self.ends == region);
        regions.filter_map(CellSet::first).collect()
    }

    /// This pattern on a board of `size` that is rotated or mirrored.
    fn image(&self, size: Size, symmetry: Symmetry) -> Self {
        let image = |cell: u8| symmetry.cell(size, Cell::new(cell.into())).index() as u8;
        let mut cells: Vec<u8> = self.cells.iter().map(|&cell| image(cell)).collect();
        cells.sort_unstable();
        Self { cells, ends: self.ends.iter().map(image).collect() }
    }

    /// The pattern whose table this one shares, and how boards of `size` are rotated or mirrored for it: the
    /// first of all its images. On boards of at most 16 cells, where tables are small and kernels look
    /// things up in canonical orientation, patterns share none.
    pub(super) fn representative(&self, size: Size) -> (Self, Symmetry) {
        if size.cells() <= DENSE_CELLS {
            return (self.clone(), Symmetry::default());
        }
        let keeps_size = Symmetry::all().filter(|symmetry| symmetry.size(size) == size);
        let images = keeps_size.map(|symmetry| (self.image(size, symmetry), symmetry));
        images.min_by(|a, b| a.0.cmp(&b.0)).expect("the identity keeps the size")
    }
}
