//! A beam search that keeps the best positions for each cell of the blank.

use std::collections::BinaryHeap;

use loyd_search::{Meter, Stop};
use loyd_tiles::Move;

use super::geometry::{Geometry, Position};

/// The beam ends after so many moves without a better position.
const PATIENCE: u32 = 12;

/// Entries of the table of positions met: for each position that a depth may have, and at most.
const ENTRIES: usize = 256;
const MOST_ENTRIES: usize = 1 << 22;

/// How a beam evaluates positions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// A tile at distance d from its goal costs ten times d to this power: above 1, so that tiles are
    /// fetched from far away while the board is in disorder anyway.
    pub power: f64,
    /// The cost of two neighbours in the wrong order on the line of both their goals.
    pub reversed: i32,
}

/// Searches from `start` with the `per_cell` best positions for each cell of the blank at each depth;
/// returns the moves to the best position that it met, and the limit that stopped it, if any.
///
/// A beam that keeps the best positions whatever they are soon has only variants of one of them, and its
/// blank never crosses a part that is in order to reach one that is not. So positions compete only with
/// those whose blank is on the same cell. A position is not entered twice, as far as a table of positions
/// met remembers.
///
/// Cost: some 60 ns for each position and move.
pub(super) fn beam(
    geometry: &Geometry,
    start: &Position,
    weights: Weights,
    per_cell: usize,
    meter: &mut Meter<'_>,
) -> (Vec<Move>, Option<Stop>) {
    let beam = match geometry.size.cells() {
        ..=16 => beam_of::<16>,
        17..=64 => beam_of::<64>,
        65..=128 => beam_of::<128>,
        _ => beam_of::<256>,
    };
    beam(geometry, start, weights, per_cell, meter)
}

/// As [`beam`], for boards of at most `N` cells. Cells in the nodes, of a length that is known, are copied
/// in a few instructions and need no checks: a 4x4 board takes a tenth less time.
fn beam_of<const N: usize>(
    geometry: &Geometry,
    start: &Position,
    weights: Weights,
    per_cell: usize,
    meter: &mut Meter<'_>,
) -> (Vec<Move>, Option<Stop>) {
    let mut beam = Beam::<N>::new(geometry, start, weights, per_cell);
    let stopped = beam.run(meter).err();
    (beam.path_to_best(), stopped)
}

struct Node<const N: usize> {
    cells: [u8; N],
    blank: u8,
    last: Option<Move>,
    score: i32,
    hash: u64,
}

/// A child that may become a node of the next depth.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Child {
    score: i32,
    parent: u32,
    by: Move,
    hash: u64,
}

/// The best node so far: its score, and where it is in the log.
struct Best {
    score: i32,
    depth: usize,
    index: usize,
}

struct Beam<'a, const N: usize> {
    geometry: &'a Geometry,
    per_cell: usize,
    /// The cost of each distance.
    prices: Vec<i32>,
    reversed: i32,
    /// The nodes of a depth.
    layer: Vec<Node<N>>,
    /// Where the next layer is made.
    next: Vec<Node<N>>,
    /// For each cell, the best children whose blank is there, the worst on top.
    children: Vec<BinaryHeap<Child>>,
    /// For each depth, the parents of its nodes and the moves from them.
    log: Vec<Vec<(u32, Move)>>,
    /// Hashes of positions met, each in its only possible entry: a later one may replace it.
    met: Vec<u64>,
    best: Best,
}

impl<'a, const N: usize> Beam<'a, N> {
    fn new(geometry: &'a Geometry, start: &Position, weights: Weights, per_cell: usize) -> Self {
        let size = geometry.size;
        let price = |distance: usize| (10.0 * (distance as f64).powf(weights.power)).round() as i32;
        let entries = (per_cell * size.cells() * ENTRIES).next_power_of_two().min(MOST_ENTRIES);
        let mut beam = Self {
            geometry,
            per_cell,
            prices: (0..size.width() + size.height()).map(price).collect(),
            reversed: weights.reversed,
            layer: Vec::new(),
            next: Vec::new(),
            children: (0..size.cells()).map(|_| BinaryHeap::with_capacity(per_cell)).collect(),
            log: Vec::new(),
            met: vec![0; entries],
            best: Best { score: i32::MAX, depth: 0, index: 0 },
        };
        beam.layer.push(beam.root(start));
        beam.note_better();
        beam
    }

    fn root(&self, start: &Position) -> Node<N> {
        let mut cells = [0; N];
        cells[..start.cells.len()].copy_from_slice(&start.cells);
        let (mut hash, mut far, mut reversed) = (0, 0, 0);
        let tiles = (0..=u8::MAX).zip(&start.cells).filter(|&(cell, _)| cell != start.blank);
        for (cell, &tile) in tiles {
            hash ^= bits(tile, cell);
            far += self.price(tile, cell);
            reversed += self.reversals(&cells, tile, cell);
        }
        // Each pair is seen from both of its tiles.
        let score = far + self.reversed * reversed / 2;
        Node { cells, blank: start.blank, last: None, score, hash }
    }

    fn run(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let mut held = (self.met.len() * 8) as u64;
        let mut since = 0;
        while since < PATIENCE && !self.layer.is_empty() && self.best.score > 0 {
            for index in 0..self.layer.len() {
                meter.expand()?;
                self.expand(index);
            }
            self.advance();
            meter.generate(self.layer.len() as u64);
            held += (self.layer.len() * size_of::<(u32, Move)>()) as u64;
            meter.reserve(held)?;
            since = if self.note_better() { 0 } else { since + 1 };
        }
        Ok(())
    }

    /// The cost of the distance of `tile` on `cell`.
    #[inline]
    fn price(&self, tile: u8, cell: u8) -> i32 {
        self.prices[usize::from(self.geometry.distance(tile, cell))]
    }

    /// The number of neighbours with which `tile` would be reversed on `cell`.
    ///
    /// A cell counts as its own neighbour at the edge of the board, and a tile is not reversed with itself;
    /// so `cells` may also be those before the tile moves to `cell` from a neighbouring one.
    #[inline(always)]
    fn reversals(&self, cells: &[u8; N], tile: u8, cell: u8) -> i32 {
        let reversed = self.geometry.reversed(tile);
        let beside = self.geometry.moves.targets(cell);
        let seen = |m: Move| {
            reversed[usize::from(cells[usize::from(beside[m.index()]) % N])] & 1 << m.index()
        };
        let all = seen(Move::Up) | seen(Move::Left) | seen(Move::Right) | seen(Move::Down);
        (all & self.geometry.own_lines(tile, cell)).count_ones() as i32
    }

    /// Evaluates the children of a node, and keeps those that may be among the best for their cells.
    fn expand(&mut self, parent: usize) {
        let node = &self.layer[parent];
        let (from, back) = (node.blank, node.last.map(Move::inverse));
        for (by, to) in self.geometry.moves.neighbours(from).filter(|&(by, _)| Some(by) != back) {
            let tile = node.cells[usize::from(to) % N];
            let farther = self.price(tile, from) - self.price(tile, to);
            let reversed =
                self.reversals(&node.cells, tile, from) - self.reversals(&node.cells, tile, to);
            let score = node.score + farther + self.reversed * reversed;
            let kept = &mut self.children[usize::from(to)];
            let full = kept.len() == self.per_cell;
            if full && kept.peek().is_some_and(|worst| worst.score <= score) {
                continue;
            }
            let hash = node.hash ^ bits(tile, to) ^ bits(tile, from);
            let entry = hash as usize & (self.met.len() - 1);
            if std::mem::replace(&mut self.met[entry], hash) == hash {
                continue;
            }
            let child = Child { score, parent: parent as u32, by, hash };
            if !full {
                kept.push(child);
            } else if let Some(mut worst) = kept.peek_mut() {
                *worst = child;
            }
        }
    }

    /// Makes the children that were kept the nodes of the next depth.
    fn advance(&mut self) {
        let count = self.children.iter().map(BinaryHeap::len).sum();
        let mut parents = Vec::with_capacity(count);
        self.next.clear();
        self.next.reserve(count);
        for (to, kept) in self.children.iter_mut().enumerate() {
            for Child { score, parent, by, hash } in kept.drain() {
                let before = &self.layer[parent as usize];
                let mut cells = before.cells;
                cells.swap(before.blank.into(), to);
                self.next.push(Node { cells, blank: to as u8, last: Some(by), score, hash });
                parents.push((parent, by));
            }
        }
        std::mem::swap(&mut self.layer, &mut self.next);
        self.log.push(parents);
    }

    /// Notes the best node of this depth if it is better than all before.
    fn note_better(&mut self) -> bool {
        let scores = self.layer.iter().map(|node| node.score);
        let best = scores.zip(0..).min().filter(|&(score, _)| score < self.best.score);
        if let Some((score, index)) = best {
            self.best = Best { score, depth: self.log.len(), index };
        }
        best.is_some()
    }

    fn path_to_best(&self) -> Vec<Move> {
        let (mut at, mut moves) = (self.best.index, Vec::new());
        for parents in self.log[..self.best.depth].iter().rev() {
            let (parent, by) = parents[at];
            at = parent as usize;
            moves.push(by);
        }
        moves.reverse();
        moves
    }
}

/// What a tile on a cell adds to the hash of a position: two mixing steps as in SplitMix64 (Steele, Lea
/// and Flood 2014).
#[inline]
fn bits(tile: u8, cell: u8) -> u64 {
    let mut z = (u64::from(tile) << 8 | u64::from(cell)).wrapping_add(1);
    z = z.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 32)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z ^ (z >> 29)
}
