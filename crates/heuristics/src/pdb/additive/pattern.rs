//! Patterns: the parameters of one table.

use loyd_tiles::{Cell, CellGraph, CellSet, Size, Symmetry};

use crate::pdb::DENSE_CELLS;

/// A set of tiles, given by their goal cells in canonical [`Orientation`](crate::pdb::Orientation) in ascending
/// order, and the cells on which the blank may end. The tile of the l-th goal cell has the label l (from 0).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pattern {
    cells: Vec<u8>,
    blank_cells: CellSet,
}

impl Pattern {
    /// Maximum number of tiles of a pattern.
    pub const MAX_TILES: usize = 10;

    /// Maximum number of states of a pattern, not counting regions: 2³⁶ bits are a table of 8 GB.
    const MAX_STATES: u64 = 1 << 36;

    /// Creates the pattern of the tiles with goal cells `cells` on boards whose blank may end on one of `blanks`. At
    /// least one of `blanks` must not be a cell of the pattern.
    pub(super) fn new(graph: &CellGraph, mut cells: Vec<u8>, blanks: CellSet) -> Self {
        cells.sort_unstable();
        let blank_cells = graph.region(blanks, cells.iter().copied().collect());
        Self { cells, blank_cells }
    }

    /// Returns the maximum number of tiles of a pattern on boards of `size`: [`MAX_TILES`](Self::MAX_TILES), or fewer
    /// if tables would exceed 8 GB. For 5x5 it is eight.
    pub fn max_tiles(size: Size) -> usize {
        let cells = size.cells() as u64;
        let states = (0..Self::MAX_TILES as u64).scan(1_u64, |states, tile| {
            *states = states.saturating_mul(cells.saturating_sub(tile));
            Some(*states)
        });
        states.take_while(|&states| states <= Self::MAX_STATES).count()
    }

    /// Returns the goal cells in ascending order.
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// Returns the number of tiles.
    pub fn tiles(&self) -> usize {
        self.cells.len()
    }

    /// Returns the goal cells as a set.
    pub fn set(&self) -> CellSet {
        self.cells.iter().copied().collect()
    }

    /// Returns the cells on which the blank may be when all tiles are on their goal cells: a union of regions.
    pub fn blank_cells(&self) -> CellSet {
        self.blank_cells
    }

    /// Returns the first cell of each region of [`blank_cells`](Self::blank_cells).
    pub fn first_blank_cells(&self, size: Size) -> Vec<u8> {
        let regions = CellGraph::new(size);
        let regions =
            regions.regions(self.set()).filter(|&region| region & self.blank_cells == region);
        regions.filter_map(CellSet::first).collect()
    }

    /// Returns the image of this pattern under a symmetry of boards of `size`.
    fn image(&self, size: Size, symmetry: Symmetry) -> Self {
        let image = |cell: u8| symmetry.cell(size, Cell::new(cell.into())).index() as u8;
        let mut cells: Vec<u8> = self.cells.iter().map(|&cell| image(cell)).collect();
        cells.sort_unstable();
        Self { cells, blank_cells: self.blank_cells.iter().map(image).collect() }
    }

    /// Returns the pattern whose table this one uses, and the symmetry that takes this pattern to it. It is the
    /// smallest of all images, so that patterns that are images of each other share a table. On boards of at most 16
    /// cells each pattern has its own table: tables are small there, and the kernels look up canonical cells.
    pub(super) fn representative(&self, size: Size) -> (Self, Symmetry) {
        if size.cells() <= DENSE_CELLS {
            return (self.clone(), Symmetry::default());
        }
        let keeps_size = Symmetry::all().filter(|symmetry| symmetry.size(size) == size);
        let images = keeps_size.map(|symmetry| (self.image(size, symmetry), symmetry));
        images.min_by(|a, b| a.0.cmp(&b.0)).expect("the identity keeps the size")
    }
}
