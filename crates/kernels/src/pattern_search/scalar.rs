//! The pipeline in plain code, a node at a time.

use super::engine::{Engine, Pause, Stages};
use super::node::{DEPTH, KEY, KEY_MASK, Node, RANKS, SIGNS, SLACK, TAG, depth, entry, linked};
use super::rows::Rows;
use super::seeds::Queue;
use super::steps::{ACROSS, BACK, STEPS};
use super::tables::Tables;
use crate::prefetch::prefetch;

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

/// The stages, a node at a time.
pub struct Scalar<'a> {
    tables: &'a Tables,
    words: &'a [u64],
    rows: &'a Rows,
}

impl Stages for Scalar<'_> {
    const LANES: usize = 1;
    const AHEAD: usize = 12;

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
        for place in 0..usize::from(children) {
            let step = STEPS.look[place][key] >> KEY & 3;
            let state = row >> (16 * step) & Rows::REFUSED;
            if state == Rows::REFUSED {
                continue;
            }
            let (mut child, bits) = self.child(&parent, key, place);
            child.state = state;
            prefetch(self.words, (bits & 0xffff_ffff) as usize / 64);
            prefetch(self.words, (bits >> 32) as usize / 64);
            engine.waiting.bits[engine.waiting.nodes.len] = bits;
            engine.waiting.nodes.push(child);
        }
        engine.generated += u64::from(children);
    }

    #[inline(always)]
    fn test(&self, engine: &mut Engine) {
        let index = engine.waiting.first;
        engine.waiting.first += 1;
        let mut node = engine.waiting.nodes.get(index);
        node.meta = self.tested(&node, engine.waiting.bits[index]);
        if node.meta & SIGNS != 0 {
            if engine.keeps_cut {
                engine.cut.push(node);
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
    /// The stages on `tables`.
    pub fn new(tables: &'a Tables, rows: &'a Rows) -> Self {
        Self { tables, words: tables.words(), rows }
    }

    /// A child before its bits are known, and the numbers of these.
    #[inline(always)]
    fn child(&self, parent: &Node, key: usize, place: usize) -> (Node, u64) {
        let tables = self.tables;
        let look = STEPS.look[place][key].to_le_bytes();
        let tile_on = |question: u8| (parent.board >> (question & 63)) as usize & 15;
        let tile = tile_on(look[0]);
        let across = look[1] & ACROSS != 0;
        let jumps = &tables.jumps[tile | if across { 16 } else { 0 }];
        let gain = [look[2], look[3], look[5]]
            .into_iter()
            .fold(0_u64, |sum, question| sum.wrapping_add(jumps[tile_on(question)]));
        let gain = if look[1] & BACK != 0 { gain.wrapping_neg() } else { gain };
        let mut child = Node { ranks: (parent.ranks & RANKS).wrapping_add(gain), ..*parent };
        // The blank's own number stands on its cell.
        let from = (key >> 3) * 4;
        let change = (tile ^ tile_on(from as u8)) as u64;
        child.board ^= change << from | change << look[7];

        let cells = STEPS.cells[key >> 3] | STEPS.cells[usize::from(look[7] / 4)];
        let locate = STEPS.locate[usize::from(look[7] / 4)];
        let mut bits = 0;
        for (half, question) in [(0, locate >> 24), (1, locate >> 56)] {
            let (tile, into) = (tile + 16 * half, 32 * half as u32);
            let planes = (child.planes ^ cells & u64::from(tables.planes[tile]) << into) >> into;
            child.planes ^= cells & u64::from(tables.planes[tile]) << into;
            let others = !(planes as u32 ^ tables.planes[tile]);
            let info = tables.info[(others & others >> 16) as usize & 0xffff];
            let q = (info & 0xffff) + (info >> (question & 63) & 7);
            let rank = (child.ranks >> into) as u32 >> tables.shift[tile] & tables.mask[tile];
            let bit = tables.first[tile] + rank * tables.stride[tile] + q as u32;
            bits |= u64::from(bit) << into;
            child.ranks |= u64::from(tables.tag[tile]) << into;
        }
        let step = u64::from(look[6] & 3) << KEY;
        child.meta = (parent.meta & !KEY_MASK | locate & KEY_MASK | step) + (1 << DEPTH);
        (child, bits)
    }

    /// The meta word of a child, now that its bits are asked for.
    #[inline(always)]
    fn tested(&self, node: &Node, bits: u64) -> u64 {
        let mut meta = 0;
        for into in [0, 32] {
            let bit = (bits >> into) as u32;
            let new = (self.words[bit as usize / 64] >> (bit % 64)) as u32;
            let half = (node.meta >> into) as u32;
            let place = 2 * ((node.ranks >> into) as u32 >> TAG);
            let (parity, old) = (half >> place, half >> (place + 1));
            let up = !(new ^ old ^ parity) & (self.tables.halves >> into) as u32 & 1;
            let change = ((new ^ old) & 1) << 1 | 1;
            let half = (half ^ change << place).wrapping_sub(up << SLACK);
            meta |= u64::from(half) << into;
        }
        meta
    }
}
