//! Candidate children of a batch, and the numbers of their table bits.

use super::node::{ADDED, HALF, Node, STEP, TILE};
use super::tables::{MOVES, PortableTables, Step, Tile};
use crate::pattern_search::rows::Rows;
use crate::pattern_search::tables::SLACK;

/// The children that a batch of parents may have: working memory of [`expand`](super::engine::BatchEngine::expand).
#[derive(Debug)]
pub struct Candidates {
    /// State and step of each child, as in `last`. In the second half of the stage: index of the layout word in the upper
    /// half, bit number of the region in the lower half.
    pub words: [u64; ADDED + MOVES],
    /// Number of the parent.
    pub parents: [u32; ADDED + MOVES],
    pub len: usize,
}

impl Candidates {
    /// Creates an empty list.
    pub fn new() -> Self {
        Self { words: [0; ADDED + MOVES], parents: [0; ADDED + MOVES], len: 0 }
    }

    /// Appends the children of `parent` that a row of the automaton allows. All four are written, but `len` counts only the
    /// allowed ones.
    #[inline(always)]
    pub fn add(&mut self, parent: u32, row: u64, cell: u64) {
        for m in 0..MOVES as u64 {
            let next = row >> (16 * m) & Rows::FORBIDDEN;
            self.words[self.len] = next << 32 | cell << 7 | m << 5;
            self.parents[self.len] = parent;
            self.len += usize::from(next != Rows::FORBIDDEN);
        }
    }
}

/// Returns the constants of the tile that moved last for the half to look up next, and the first bit of that half.
#[inline(always)]
pub fn moved(tables: &PortableTables, last: u64) -> (&Tile, u32) {
    let offset = (last >> (TILE - 5)) as usize & 0x1e0 | (last & HALF) as usize >> 3;
    // SAFETY: four bits of the tile and one of the half select one of 32 entries of 32 bytes.
    (unsafe { &*tables.tiles.as_ptr().byte_add(offset) }, (last & HALF) as u32 >> 7)
}

/// Returns the constants of the step to a node.
#[inline(always)]
pub fn step_of(tables: &PortableTables, last: u64) -> &Step {
    // SAFETY: six bits select one of 64 entries of 32 bytes.
    unsafe { &*tables.steps.as_ptr().byte_add((last & STEP) as usize) }
}

/// Returns the index of the layout word of the cells of a tile's pattern.
///
/// # Safety
/// `planes` is a word of a node, so that the pattern covers as many cells as it has tiles. In an unused half no planes are
/// set, so the set has all 16 cells, and the index is 0, that of the zero word.
#[inline(always)]
pub unsafe fn layout(tables: &PortableTables, tile: &Tile, half: u32, planes: u64) -> usize {
    // The cells where both planes equal the bits of the pattern's number.
    let agreed = (planes >> half) as u32 ^ tile.clear_planes;
    let set = agreed & agreed >> 16;
    let upper = usize::from(tile.layouts) + (set >> 8 & 255) as usize;
    // SAFETY: `layouts` is 256 × a pattern number.
    let first = unsafe { *tables.first_layouts.get_unchecked(upper) };
    usize::from(first) + usize::from(tables.places[set as usize & 255])
}

/// Returns the bit of the pattern's state, without the layout number: the first bit of its permutation.
#[inline(always)]
pub fn permutation(tile: &Tile, ranks: u64) -> u32 {
    let rank = (ranks >> (tile.rank & 63)) as u32 & tile.mask;
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
        let (tile, half) = moved(tables, node.last);
        let word = *tables.layouts.get_unchecked(layout(tables, tile, half, node.planes));
        let region = step_of(tables, node.last).regions[half as usize >> 5];
        permutation(tile, node.ranks) + layout_number(word, region)
    }
}

/// Returns the meta word with the distance and slack of one half updated by its table bit, which is bit 1 of the new D, and
/// whether that prunes the node.
///
/// # Safety
/// `bit` is that of the node: below the number of bits of the tables.
#[inline(always)]
pub unsafe fn updated_meta(
    words: &[u64],
    (tile, half): (&Tile, u32),
    meta: u64,
    bit: u32,
) -> (u64, usize) {
    // SAFETY: see above.
    let word = unsafe { *words.get_unchecked(bit as usize >> 6) };
    let new = word >> (bit & 63);
    let old = meta >> (tile.distance & 63);
    // D rises if its bit 1 stays while D is even or flips while D is odd. Only bit 0 is meaningful.
    let flips = new ^ old >> 1;
    let up = !(flips ^ old) & tile.active;
    // Bit 0 of D always flips. A rise uses up one unit of slack.
    let change = (flips & 1) << 1 | 1;
    // A negative slack of the board borrows from the other half, and raising the bound pays it back.
    let meta = (meta ^ change << (tile.distance & 63)).wrapping_sub(up << (SLACK + half));
    (meta, (meta >> (31 + half)) as usize & 1)
}
