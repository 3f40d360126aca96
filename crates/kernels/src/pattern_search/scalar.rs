//! The pipeline in plain code, one node at a time.
//!
//! Does what [`avx512`](super::avx512) does in the same order, on the node layout of [`node`](super::node), the
//! descriptors of [`steps`](super::steps) and the constants of [`tables`](super::tables). Rank changes come from the
//! precomputed table `jumps`. On other machines than x86-64 this is the only version.

use super::engine::{Engine, Pause, Stages};
use super::node::{DEPTH, KEY, KEY_MASK, Node, RANKS, SIGNS, SLACK, TAG, depth, entry, linked};
use super::seeds::Queue;
use super::steps::{BACKWARD, IN_TRANSPOSE, Rows, STEPS};
use super::tables::Tables;
use crate::cpu::prefetch;

/// See [`Engine::run`].
pub fn run(
    engine: &mut Engine,
    tables: &Tables,
    rows: &Rows,
    queue: &Queue<'_>,
    left: &mut u64,
) -> Pause {
    engine.run(&Scalar::new(tables, rows), queue, left)
}

/// The stages for one node at a time.
pub struct Scalar<'a> {
    tables: &'a Tables,
    words: &'a [u64],
    rows: &'a Rows,
}

impl Stages for Scalar<'_> {
    const LANES: usize = 1;
    const LOOKAHEAD: usize = 12;

    type Parents = Node;

    #[inline(always)]
    fn pop(&self, engine: &mut Engine, _: usize) -> Node {
        engine.stack.len -= 1;
        engine.stack.get(engine.stack.len)
    }

    #[inline(always)]
    fn expand(&self, engine: &mut Engine, parent: Node) {
        let key = (parent.meta >> KEY) as usize & 127;
        let children = STEPS.children[key];
        let row = self.rows.words()[parent.state as usize];
        for slot in 0..usize::from(children) {
            let step = STEPS.descriptors[slot][key] >> KEY & 3;
            let state = row >> (16 * step) & Rows::FORBIDDEN;
            if state == Rows::FORBIDDEN {
                continue;
            }
            let (mut child, bit_indices) = self.child(&parent, key, slot);
            child.state = state;
            prefetch(self.words, (bit_indices & 0xffff_ffff) as usize / 64);
            prefetch(self.words, (bit_indices >> 32) as usize / 64);
            engine.waiting.bit_indices[engine.waiting.nodes.len] = bit_indices;
            engine.waiting.nodes.push(child);
        }
        engine.generated += u64::from(children);
    }

    #[inline(always)]
    fn test(&self, engine: &mut Engine) {
        let index = engine.waiting.first;
        engine.waiting.first += 1;
        let mut node = engine.waiting.nodes.get(index);
        node.meta = self.updated_meta(&node, engine.waiting.bit_indices[index]);
        if node.meta & SIGNS != 0 {
            if engine.keeps_pruned {
                engine.pruned.push(node);
            }
            return;
        }
        let link = engine.links.push(entry(node.meta));
        if node.board == Tables::GOAL {
            engine.goal = Some((link, depth(node.meta)));
        }
        node.meta = linked(node.meta, link);
        engine.stack.push(node);
    }
}

impl<'a> Scalar<'a> {
    /// Creates the stages for `tables` and `rows`.
    pub fn new(tables: &'a Tables, rows: &'a Rows) -> Self {
        Self { tables, words: tables.words(), rows }
    }

    /// Returns the child in `slot` of a parent with this key, with the distances and slack of its parent, and its two
    /// bit indices.
    #[inline(always)]
    fn child(&self, parent: &Node, key: usize, slot: usize) -> (Node, u64) {
        let tables = self.tables;
        let descriptor = STEPS.descriptors[slot][key].to_le_bytes();
        // The low six bits of a selector are the bit number of a cell's nibble.
        let tile_on = |selector: u8| (parent.board >> (selector & 63)) as usize & 15;
        let tile = tile_on(descriptor[0]);
        let along_row = descriptor[1] & IN_TRANSPOSE != 0;
        // Gain in rank from the three jumped tiles, already at the rank's position in the half where the tile jumps.
        let jumps = &tables.jumps[tile | if along_row { 16 } else { 0 }];
        let gain = [descriptor[2], descriptor[3], descriptor[5]]
            .into_iter()
            .fold(0_u64, |sum, selector| sum.wrapping_add(jumps[tile_on(selector)]));
        let gain = if descriptor[1] & BACKWARD != 0 { gain.wrapping_neg() } else { gain };
        let mut child = Node { ranks: (parent.ranks & RANKS).wrapping_add(gain), ..*parent };
        // The blank's cell holds the blank's own goal cell: exchanging the nibbles means toggling both by tile ^ blank.
        let from = (key >> 3) * 4;
        let change = (tile ^ tile_on(from as u8)) as u64;
        child.board ^= change << from | change << descriptor[7];

        // Both cells of the move, in all four planes.
        let cells = STEPS.cells[key >> 3] | STEPS.cells[usize::from(descriptor[7] / 4)];
        let blank_descriptor = STEPS.blank_descriptors[usize::from(descriptor[7] / 4)];
        let mut bit_indices = 0;
        // Bytes 3 and 7 of the blank descriptor select the region of the blank's new cell in a layout word.
        for (half, selector) in [(0, blank_descriptor >> 24), (1, blank_descriptor >> 56)] {
            let (tile, into) = (tile + 16 * half, 32 * half as u32);
            // The tile leaves one cell and arrives on the other, in the planes that are set for its pattern.
            let planes = (child.planes ^ cells & u64::from(tables.planes[tile]) << into) >> into;
            child.planes ^= cells & u64::from(tables.planes[tile]) << into;
            // The pattern's cells are those where both planes equal the bits of its number.
            let agreed = !(planes as u32 ^ tables.planes[tile]);
            let layout = tables.layouts[(agreed & agreed >> 16) as usize & 0xffff];
            let q = (layout & 0xffff) + (layout >> (selector & 63) & 7);
            let rank = (child.ranks >> into) as u32 >> tables.shift[tile] & tables.mask[tile];
            let bit = tables.first[tile] + rank * tables.stride[tile] + q as u32;
            bit_indices |= u64::from(bit) << into;
            child.ranks |= u64::from(tables.tag[tile]) << into;
        }
        let step = u64::from(descriptor[6] & 3) << KEY;
        child.meta = (parent.meta & !KEY_MASK | blank_descriptor & KEY_MASK | step) + (1 << DEPTH);
        (child, bit_indices)
    }

    /// Reads the table bits of a child and returns its meta word with the new distances and slack.
    #[inline(always)]
    fn updated_meta(&self, node: &Node, bit_indices: u64) -> u64 {
        let mut meta = 0;
        for into in [0, 32] {
            let bit = (bit_indices >> into) as u32;
            let new = (self.words[bit as usize / 64] >> (bit % 64)) as u32;
            let half = (node.meta >> into) as u32;
            // Twice the number of the moved pattern: the position of its D mod 4.
            let distance_at = 2 * ((node.ranks >> into) as u32 >> TAG);
            let (parity, old) = (half >> distance_at, half >> (distance_at + 1));
            // D rises if its bit 1 stays while D is even or flips while D is odd. Only bit 0 is meaningful.
            let up = !(new ^ old ^ parity) & (self.tables.active_halves >> into) as u32 & 1;
            // Bit 0 of D always flips. A rise uses up one unit of slack.
            let change = ((new ^ old) & 1) << 1 | 1;
            let half = (half ^ change << distance_at).wrapping_sub(up << SLACK);
            meta |= u64::from(half) << into;
        }
        meta
    }
}
