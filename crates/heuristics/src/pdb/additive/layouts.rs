//! Numbers for the layouts of a pattern: which cells its tiles are on, and in which region the blank is.

use loyd_tiles::{CellGraph, CellSet};

use crate::pdb::DENSE_CELLS;

/// Which cells the tiles of a pattern are on, whichever tile is where, and the region of the blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The cells of the pattern's tiles.
    pub tiles: CellSet,
    /// The cells that the blank may be on.
    pub region: CellSet,
}

/// All layouts of so many tiles on boards of a size, and their numbers, without gaps.
#[derive(Clone, Debug)]
pub(super) struct Layouts {
    all: Vec<Layout>,
    numbers: Numbers,
}

#[derive(Clone, Debug)]
enum Numbers {
    /// See [`dense`].
    Dense(Vec<u64>),
    Ranked(Ranked),
}

/// Sets are numbered by rank, in the order of their bits as numbers. The number of a layout whose region
/// is the largest of its set is that rank; smaller regions, *pockets*, come after all sets. A blank that
/// is in a pocket is rare, so that a branch tells it from others at no cost.
///
/// Half a set follows any other half with as many tiles left, so the rank is a sum of two entries.
#[derive(Clone, Debug)]
struct Ranked {
    low_bits: u32,
    low: Vec<u32>,
    high: Vec<u32>,
    /// By rank: the cells of the largest region, and above them the number of the first pocket.
    sets: Vec<u64>,
}

/// Bits of a dense entry before those of the regions.
const BASE_BITS: u32 = 16;

/// Bits of an entry of [`Ranked::sets`] before the number of the first pocket: enough for 36 cells.
const POCKET_BITS: u32 = 36;

impl Layouts {
    /// The layouts of so many tiles on boards with these cells.
    pub fn new(graph: &CellGraph, tiles: usize) -> Self {
        match graph.all().len() {
            ..=DENSE_CELLS => dense(graph, tiles),
            _ => ranked(graph, tiles),
        }
    }

    /// What each number stands for.
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

    /// The number of the layout with tiles on these cells and the blank on `blank`.
    #[inline]
    pub fn q(&self, tiles: CellSet, blank: u8) -> u32 {
        match &self.numbers {
            Numbers::Dense(entries) => {
                let entry = entries[tiles.bits() as usize];
                ((entry & 0xffff) + (entry >> (BASE_BITS + 3 * u32::from(blank)) & 7)) as u32
            }
            Numbers::Ranked(ranked) => {
                let rank = ranked.rank(tiles);
                let set = ranked.sets[rank as usize];
                if set >> blank & 1 == 1 { rank } else { self.pocket(set, blank) }
            }
        }
    }

    /// The number of the pocket with `blank`.
    fn pocket(&self, set: u64, blank: u8) -> u32 {
        let first = (set >> POCKET_BITS) as usize;
        let pockets = self.all[first..].iter();
        let before = pockets.take_while(|layout| !layout.region.contains(blank));
        (first + before.count()) as u32
    }
}

impl Ranked {
    /// Ranks of sets of so many of so many cells.
    fn new(cells: usize, tiles: usize) -> Self {
        let low_bits = (cells / 2) as u32;
        let (mut low, mut by_count) = (vec![0; 1 << low_bits], vec![0_u32; cells + 1]);
        for (half, rank) in low.iter_mut().enumerate() {
            let count = &mut by_count[half.count_ones() as usize];
            *rank = *count;
            *count += 1;
        }
        let (mut high, mut first) = (vec![0; 1 << (cells as u32 - low_bits)], 0);
        for (half, rank) in high.iter_mut().enumerate() {
            *rank = first;
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

/// A place for every set of cells, of any number: 512 KB on 16 cells.
fn dense(graph: &CellGraph, tiles: usize) -> Layouts {
    let mut entries = vec![0; 1 << graph.all().len()];
    let mut all = Vec::new();
    for set in graph.sets(tiles) {
        let base = all.len() as u64;
        let mut numbers = 0;
        for (number, region) in (0..).zip(graph.regions(set)) {
            debug_assert!(number < 8, "no board of 16 cells has nine regions");
            numbers |= region.iter().fold(0, |all, cell| all | number << (3 * cell));
            all.push(Layout { tiles: set, region });
        }
        entries[set.bits() as usize] = base | numbers << BASE_BITS;
    }
    Layouts { all, numbers: Numbers::Dense(entries) }
}

/// A place for every set of so many cells.
fn ranked(graph: &CellGraph, tiles: usize) -> Layouts {
    let mut numbers = Ranked::new(graph.all().len(), tiles);
    let (mut all, mut pockets) = (Vec::new(), Vec::new());
    let mut first_pockets = Vec::new();
    let mut regions = Vec::new();
    for set in graph.sets(tiles) {
        regions.clear();
        regions.extend(graph.regions(set));
        let largest = regions.iter().copied().max_by_key(|region| region.len());
        let largest = largest.expect("a pattern leaves the blank a cell");
        all.push(Layout { tiles: set, region: largest });
        first_pockets.push(pockets.len());
        let others = regions.iter().copied().filter(|&region| region != largest);
        pockets.extend(others.map(|region| Layout { tiles: set, region }));
    }
    let sets = all.len();
    let entry = |(layout, first): (&Layout, usize)| {
        layout.region.bits() | ((sets + first) as u64) << POCKET_BITS
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
    fn known_numbers_of_sets_and_regions() {
        let layouts = |text, tiles| Layouts::new(&graph(text), tiles).all().len();
        assert_eq!((layouts("4x4", 7), layouts("4x4", 8)), (27_748, 35_347));
        assert_eq!(layouts("5x5", 6), 251_400);
    }

    /// Each number is that of its layout, in both ways of numbering.
    #[test]
    fn layouts_are_told_apart() {
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
