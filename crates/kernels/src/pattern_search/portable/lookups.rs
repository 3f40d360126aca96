//! Candidate children of a batch, and the numbers of their table bits.

use super::node::{ADDED, MOVES, Node, STEP};
use super::tables::{PortableTables, Row, Step, Tile};

/// The children that a batch of parents may have: working memory of [`expand`](super::engine::BatchEngine::expand).
#[derive(Debug)]
pub struct Candidates {
    /// The word `last` of each child.
    pub words: [u32; ADDED + MOVES],
    /// Index of the layout word of each child in the upper half, bit number of the region in the lower half.
    pub layouts: [u64; ADDED],
    /// Number of the parent.
    pub parents: [u32; ADDED + MOVES],
    pub len: usize,
}

impl Candidates {
    /// Creates an empty list.
    pub fn new() -> Self {
        Self { words: [0; ADDED + MOVES], layouts: [0; ADDED], parents: [0; ADDED + MOVES], len: 0 }
    }

    /// Appends the children of `parent` that are in a row. The whole row is written, but `len` counts only the children.
    ///
    /// # Safety
    /// There is room for [`MOVES`] more children.
    #[inline(always)]
    pub unsafe fn add(&mut self, parent: u32, row: &Row) {
        // SAFETY: see above.
        unsafe {
            *self.words.as_mut_ptr().add(self.len).cast() = row.0;
            *self.parents.as_mut_ptr().add(self.len).cast() = [parent; MOVES];
        }
        self.len += row.children();
    }
}

/// Returns the constants of a tile for the half to look up next.
#[inline(always)]
pub fn tile_of(tables: &PortableTables, tile: u32) -> &Tile {
    // SAFETY: four bits of the tile and one of the half select one of 32 entries of 32 bytes.
    unsafe { &*tables.tiles.as_ptr().byte_add(tile as usize) }
}

/// Returns the constants of the step to a node.
#[inline(always)]
pub fn step_of(tables: &PortableTables, last: u32) -> &Step {
    // SAFETY: six bits select one of 64 entries of 32 bytes.
    unsafe { &*tables.steps.as_ptr().byte_add((last & STEP) as usize) }
}

/// Returns the index of the layout word of the cells of a tile's pattern.
///
/// # Safety
/// `planes` is a half of a node, so that the pattern covers as many cells as it has tiles. In an unused half no planes are
/// set, so the set has all 16 cells, and the index is 0, that of the zero word.
#[inline(always)]
pub unsafe fn layout(tables: &PortableTables, tile: &Tile, planes: u32) -> usize {
    // The cells where both planes equal the bits of the pattern's number.
    let agreed = planes ^ tile.clear_planes;
    let set = agreed & agreed >> 16;
    let upper = usize::from(tile.layouts) + (set >> 8 & 255) as usize;
    // SAFETY: `layouts` is 256 × a pattern number.
    let first = unsafe { *tables.first_layouts.get_unchecked(upper) };
    usize::from(first) + usize::from(tables.places[set as usize & 255])
}

/// Returns the bit of the pattern's state, without the layout number: the first bit of its permutation.
#[inline(always)]
pub fn permutation(tile: &Tile, ranks: u32) -> u32 {
    let rank = ranks >> (tile.rank_shift & 31) & tile.mask;
    rank.wrapping_mul(tile.stride).wrapping_add(tile.first)
}

/// Returns the layout number in a layout word for the blank in a region.
#[inline(always)]
pub fn layout_number(word: u64, region: u8) -> u32 {
    (word as u32 & 0xffff) + ((word >> (region & 63)) as u32 & 7)
}

/// Returns the number of the bit to look up next.
///
/// # Safety
/// The node is one of a search with these tables.
#[inline(always)]
pub unsafe fn bit_of(tables: &PortableTables, node: &Node) -> u32 {
    // SAFETY: see above; the index of a layout word is valid for the same reason.
    unsafe {
        let (tile, half) = (tile_of(tables, node.tile), Node::half(node.tile));
        let word = *tables.layouts.get_unchecked(layout(tables, tile, node.planes.get(half)));
        let region = *step_of(tables, node.last).regions.get_unchecked(half);
        permutation(tile, node.ranks.get(half)) + layout_number(word, region)
    }
}

/// Updates the distance and the slack of the half that is looked up next by its table bit, which is bit 1 of the new
/// distance. Returns 1 if that prunes the node, else 0.
///
/// # Safety
/// `bit` is that of the node: below the number of bits of the tables.
#[inline(always)]
pub unsafe fn update(tables: &PortableTables, words: &[u64], node: &mut Node, bit: u32) -> usize {
    let (tile, half) = (tile_of(tables, node.tile), Node::half(node.tile));
    // SAFETY: see above.
    unsafe {
        let new = (*words.get_unchecked(bit as usize >> 6) >> (bit & 63)) as u32;
        let old = node.meta.get(half);
        // The bit of a distance that has risen by 1. A distance that fell by 1 differs from that by 2, so in this bit.
        let risen = (old >> (tile.distance_shift & 31)).wrapping_add(1) >> 1;
        let falls = (new ^ risen) & 1;
        // Read from memory, because compilers make an unpredictable branch of a choice between two values.
        let meta = old.wrapping_add(*tile.changes.get_unchecked(falls as usize));
        node.meta.set(half, meta);
        // The sign of the slack.
        (meta >> 31) as usize
    }
}
