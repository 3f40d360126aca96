//! Numbering of the layouts of a pattern: the set of cells of its tiles, and the region of the blank.
//!
//! The number of a layout is *q*. There are two ways to compute it from the set of cells (a bit per cell) and the
//! cell of the blank.
//!
//! # Dense, for boards of at most 16 cells
//! One `u64` per set of cells, indexed by the set as a number (2ⁿ entries for n cells):
//!
//! | bits | contents |
//! |---|---|
//! | 0 to 15 | q of the first region of the set (the regions of a set have consecutive q) |
//! | 16 + 3c to 18 + 3c | index of the region of cell c: at most 7, since no board of 16 cells has nine regions |
//!
//! q = bits 0 to 15 + region index of the blank's cell.
//!
//! # Ranked, for larger boards
//! Sets of k cells are ranked in the order of their values as numbers. The set is cut into a low half of ⌊n / 2⌋ cells
//! and a high half:
//!
//! | array | index | contents |
//! |---|---|---|
//! | `low` | low half | number of smaller low halves with the same number of cells |
//! | `high` | high half | number of sets of k cells with a smaller high half |
//! | `sets` | rank = `high` + `low` | bits 0 to 35: cells of the largest region; bits 36 to 63: q of the first pocket |
//!
//! For a blank in the largest region, q is the rank of the set. The other regions, called *pockets*, have numbers after
//! all sets; the pockets of a set are consecutive. The blank is rarely in a pocket, so the branch that tests for it is
//! well predicted.

use loyd_tiles::{CellGraph, CellSet};

use crate::pdb::DENSE_CELLS;

/// The set of cells of a pattern's tiles, regardless of which tile is where, and the region of the blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The cells of the pattern's tiles.
    pub tiles: CellSet,
    /// The cells that the blank can reach without moving a tile of the pattern.
    pub region: CellSet,
}

/// All layouts of a given number of tiles on boards of a given size, numbered without gaps.
#[derive(Clone, Debug)]
pub(super) struct Layouts {
    all: Vec<Layout>,
    numbers: Numbers,
}

#[derive(Clone, Debug)]
enum Numbers {
    /// By set of cells: see the module documentation.
    Dense(Vec<u64>),
    Ranked(Ranked),
}

/// Tables for ranking sets of cells: see the module documentation.
///
/// The rank is a sum of two entries because the low halves that complete a high half depend only on the number of cells
/// that it leaves.
#[derive(Clone, Debug)]
struct Ranked {
    low_bits: u32,
    low: Vec<u32>,
    high: Vec<u32>,
    /// By rank: the cells of the largest region, and above them q of the first pocket.
    sets: Vec<u64>,
}

/// Bits for the first q in a dense entry, below the bits of the regions.
const BASE_BITS: u32 = 16;

/// Bits for the cells of the largest region in an entry of [`Ranked::sets`]: one per cell of a board of 36 cells.
const LARGEST_REGION_BITS: u32 = 36;

impl Layouts {
    /// Numbers the layouts of `tiles` tiles on the board of `graph`.
    pub fn new(graph: &CellGraph, tiles: usize) -> Self {
        match graph.all().len() {
            ..=DENSE_CELLS => dense(graph, tiles),
            _ => ranked(graph, tiles),
        }
    }

    /// Returns the layouts, indexed by q.
    #[inline]
    pub fn all(&self) -> &[Layout] {
        &self.all
    }

    /// See [`Coordinates::dense`](super::Coordinates::dense).
    pub fn dense(&self) -> Option<&[u64]> {
        match &self.numbers {
            Numbers::Dense(entries) => Some(entries),
            Numbers::Ranked(_) => None,
        }
    }

    /// Returns q of the layout with tiles on these cells and the blank on `blank`.
    #[inline]
    pub fn q(&self, tiles: CellSet, blank: u8) -> u32 {
        match &self.numbers {
            Numbers::Dense(entries) => {
                let entry = entries[tiles.bits() as usize];
                // First q of the set, plus the 3-bit region index of the blank's cell.
                ((entry & 0xffff) + (entry >> (BASE_BITS + 3 * u32::from(blank)) & 7)) as u32
            }
            Numbers::Ranked(ranked) => {
                let rank = ranked.rank(tiles);
                let set = ranked.sets[rank as usize];
                if set >> blank & 1 == 1 { rank } else { self.pocket(set, blank) }
            }
        }
    }

    /// Returns q of the pocket that contains `blank`, by a linear search from the first pocket of the set.
    fn pocket(&self, set: u64, blank: u8) -> u32 {
        let first = (set >> LARGEST_REGION_BITS) as usize;
        let pockets = self.all[first..].iter();
        let before = pockets.take_while(|layout| !layout.region.contains(blank));
        (first + before.count()) as u32
    }
}

impl Ranked {
    /// Creates the tables for sets of `tiles` out of `cells` cells; `sets` is left empty.
    fn new(cells: usize, tiles: usize) -> Self {
        let low_bits = (cells / 2) as u32;
        let (mut low, mut by_count) = (vec![0; 1 << low_bits], vec![0_u32; cells + 1]);
        // `by_count[c]` counts the low halves with c cells seen so far; in the end, all of them.
        for (half, rank) in low.iter_mut().enumerate() {
            let count = &mut by_count[half.count_ones() as usize];
            *rank = *count;
            *count += 1;
        }
        let (mut high, mut first) = (vec![0; 1 << (cells as u32 - low_bits)], 0);
        for (half, rank) in high.iter_mut().enumerate() {
            *rank = first;
            // Each low half with the remaining number of cells completes this high half.
            if let Some(left) = tiles.checked_sub(half.count_ones() as usize) {
                first += by_count[left];
            }
        }
        Self { low_bits, low, high, sets: Vec::new() }
    }

    #[inline]
    fn rank(&self, tiles: CellSet) -> u32 {
        let low = tiles.bits() & ((1 << self.low_bits) - 1);
        self.high[(tiles.bits() >> self.low_bits) as usize] + self.low[low as usize]
    }
}

/// Numbers layouts with an entry for every set of cells, of any size: 512 KB for 16 cells.
fn dense(graph: &CellGraph, tiles: usize) -> Layouts {
    let mut entries = vec![0; 1 << graph.all().len()];
    let mut all = Vec::new();
    for set in graph.sets(tiles) {
        let base = all.len() as u64;
        let mut numbers = 0;
        for (number, region) in (0..).zip(graph.regions(set)) {
            debug_assert!(number < 8, "no board of 16 cells has nine regions");
            // The region index in the 3 bits of each of its cells.
            numbers |= region.iter().fold(0, |all, cell| all | number << (3 * cell));
            all.push(Layout { tiles: set, region });
        }
        entries[set.bits() as usize] = base | numbers << BASE_BITS;
    }
    Layouts { all, numbers: Numbers::Dense(entries) }
}

/// Numbers layouts with an entry for every set of `tiles` cells.
fn ranked(graph: &CellGraph, tiles: usize) -> Layouts {
    let mut numbers = Ranked::new(graph.all().len(), tiles);
    let (mut all, mut pockets) = (Vec::new(), Vec::new());
    let mut first_pockets = Vec::new();
    let mut regions = Vec::new();
    for set in graph.sets(tiles) {
        regions.clear();
        regions.extend(graph.regions(set));
        let largest = regions.iter().copied().max_by_key(|region| region.len());
        let largest = largest.expect("a pattern leaves a cell for the blank");
        all.push(Layout { tiles: set, region: largest });
        first_pockets.push(pockets.len());
        let others = regions.iter().copied().filter(|&region| region != largest);
        pockets.extend(others.map(|region| Layout { tiles: set, region }));
    }
    let sets = all.len();
    let entry = |(layout, first): (&Layout, usize)| {
        layout.region.bits() | ((sets + first) as u64) << LARGEST_REGION_BITS
    };
    numbers.sets = all.iter().zip(first_pockets).map(entry).collect();
    all.append(&mut pockets);
    Layouts { all, numbers: Numbers::Ranked(numbers) }
}

#[cfg(test)]
mod tests {
    use loyd_tiles::Size;

    use super::*;

    fn graph(text: &str) -> CellGraph {
        CellGraph::new(text.parse::<Size>().unwrap())
    }

    #[test]
    fn numbers_of_layouts_are_as_known() {
        let layouts = |text, tiles| Layouts::new(&graph(text), tiles).all().len();
        assert_eq!((layouts("4x4", 7), layouts("4x4", 8)), (27_748, 35_347));
        assert_eq!(layouts("5x5", 6), 251_400);
    }

    /// Both numberings map each cell of a layout's region to its q.
    #[test]
    fn q_is_the_index_of_the_layout() {
        let check = |layouts: &Layouts, cells: u8| {
            for (q, layout) in layouts.all().iter().enumerate() {
                assert_eq!(layout.tiles & layout.region, CellSet::EMPTY);
                for cell in (0..cells).filter(|&cell| layout.region.contains(cell)) {
                    assert_eq!(layouts.q(layout.tiles, cell), q as u32);
                }
            }
        };
        for tiles in 1..12 {
            let (dense, ranked) = (dense(&graph("3x4"), tiles), ranked(&graph("3x4"), tiles));
            check(&dense, 12);
            check(&ranked, 12);
            assert_eq!(dense.all().len(), ranked.all().len());
        }
        for (text, tiles, cells) in
            [("3x6", 4, 18), ("5x5", 3, 25), ("2x18", 2, 36), ("6x6", 3, 36)]
        {
            check(&Layouts::new(&graph(text), tiles), cells);
        }
    }
}
