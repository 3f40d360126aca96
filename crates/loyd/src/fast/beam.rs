//! Beam search that keeps the best positions for each cell of the blank.
//!
//! A beam that keeps the best positions regardless of the blank soon consists of variants of a single one, and its
//! blank never crosses a part that is in order to reach one that is not. Here positions compete only with those whose
//! blank is on the same cell.

use std::collections::BinaryHeap;

use loyd_search::{Meter, Stop};
use loyd_tiles::Move;

use super::geometry::{Geometry, Position};

/// Number of depths without a better position after which the beam search ends.
const PATIENCE: u32 = 12;

/// Numbers of entries in the table of visited positions: per position that a depth may hold, and the maximum in total.
const ENTRIES_PER_POSITION: usize = 256;
const MAX_ENTRIES: usize = 1 << 22;

/// Evaluation weights of a beam.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// A tile at distance d from its goal costs 10·d^power. A power above 1 fetches distant tiles early, while the
    /// board is in disorder anyway.
    pub power: f64,
    /// Cost of two adjacent tiles in reversed order on a line that contains both their goals (a linear conflict).
    pub reversed: i32,
}

/// Searches from `start` and keeps the `per_cell` best positions for each cell of the blank at each depth. Returns the
/// moves to the best position, and the limit that stopped the search, if any.
///
/// Positions that are still in the table of visited positions are not entered again.
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

/// Like [`beam`], for boards of at most `N` cells. Arrays of known length are copied in a few instructions and need no
/// bounds checks, which saves a tenth of the time on 4x4 boards.
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

/// A candidate for the next depth.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Child {
    score: i32,
    parent: u32,
    by: Move,
    hash: u64,
}

/// The best node so far: its score and its position in the log.
struct Best {
    score: i32,
    depth: usize,
    index: usize,
}

struct Beam<'a, const N: usize> {
    geometry: &'a Geometry,
    per_cell: usize,
    /// Cost of a tile by its distance.
    prices: Vec<i32>,
    reversed: i32,
    /// Nodes of the current depth.
    layer: Vec<Node<N>>,
    /// Buffer for the nodes of the next depth.
    next: Vec<Node<N>>,
    /// For each cell of the blank, a heap of the best children with the worst on top.
    children: Vec<BinaryHeap<Child>>,
    /// For each depth, the parent of each node and the move from it.
    log: Vec<Vec<(u32, Move)>>,
    /// Hashes of visited positions. Each hash has one entry, and a later position overwrites an earlier one.
    visited: Vec<u64>,
    best: Best,
}

impl<'a, const N: usize> Beam<'a, N> {
    fn new(geometry: &'a Geometry, start: &Position, weights: Weights, per_cell: usize) -> Self {
        let size = geometry.size;
        let price = |distance: usize| (10.0 * (distance as f64).powf(weights.power)).round() as i32;
        let entries =
            (per_cell * size.cells() * ENTRIES_PER_POSITION).next_power_of_two().min(MAX_ENTRIES);
        let mut beam = Self {
            geometry,
            per_cell,
            prices: (0..size.width() + size.height()).map(price).collect(),
            reversed: weights.reversed,
            layer: Vec::new(),
            next: Vec::new(),
            children: (0..size.cells()).map(|_| BinaryHeap::with_capacity(per_cell)).collect(),
            log: Vec::new(),
            visited: vec![0; entries],
            best: Best { score: i32::MAX, depth: 0, index: 0 },
        };
        beam.layer.push(beam.root(start));
        beam.update_best();
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
        // Each pair is counted from both of its tiles.
        let score = far + self.reversed * reversed / 2;
        Node { cells, blank: start.blank, last: None, score, hash }
    }

    fn run(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let mut held = (self.visited.len() * 8) as u64;
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
            since = if self.update_best() { 0 } else { since + 1 };
        }
        Ok(())
    }

    /// Returns the cost of `tile` on `cell`.
    #[inline]
    fn price(&self, tile: u8, cell: u8) -> i32 {
        self.prices[usize::from(self.geometry.distance(tile, cell))]
    }

    /// Returns the number of neighbours with which `tile` would be reversed on `cell`.
    ///
    /// At the edge of the board, a cell counts as its own neighbour. That is harmless because a tile is reversed
    /// neither with itself nor with the blank. For the same reason `cells` may also be the position before the tile
    /// moves to `cell` from a neighbouring one.
    #[inline(always)]
    fn reversals(&self, cells: &[u8; N], tile: u8, cell: u8) -> i32 {
        let reversed = self.geometry.reversed(tile);
        let neighbours = self.geometry.moves.targets(cell);
        let reversed_bit = |m: Move| {
            reversed[usize::from(cells[usize::from(neighbours[m.index()]) % N])] & 1 << m.index()
        };
        let all = reversed_bit(Move::Up)
            | reversed_bit(Move::Left)
            | reversed_bit(Move::Right)
            | reversed_bit(Move::Down);
        (all & self.geometry.own_lines(tile, cell)).count_ones() as i32
    }

    /// Evaluates the children of a node, and keeps each that is among the best so far for its cell.
    fn expand(&mut self, parent: usize) {
        let node = &self.layer[parent];
        let (from, back) = (node.blank, node.last.map(Move::inverse));
        for (by, to) in self.geometry.moves.neighbours(from).filter(|&(by, _)| Some(by) != back) {
            let tile = node.cells[usize::from(to) % N];
            let farther = self.price(tile, from) - self.price(tile, to);
            let reversed =
                self.reversals(&node.cells, tile, from) - self.reversals(&node.cells, tile, to);
            let score = node.score + farther + self.reversed * reversed;
            let candidates = &mut self.children[usize::from(to)];
            let is_full = candidates.len() == self.per_cell;
            if is_full && candidates.peek().is_some_and(|worst| worst.score <= score) {
                continue;
            }
            let hash = node.hash ^ bits(tile, to) ^ bits(tile, from);
            let entry = hash as usize & (self.visited.len() - 1);
            if std::mem::replace(&mut self.visited[entry], hash) == hash {
                continue;
            }
            let child = Child { score, parent: parent as u32, by, hash };
            if !is_full {
                candidates.push(child);
            } else if let Some(mut worst) = candidates.peek_mut() {
                *worst = child;
            }
        }
    }

    /// Turns the candidates into the nodes of the next depth.
    fn advance(&mut self) {
        let count = self.children.iter().map(BinaryHeap::len).sum();
        let mut parents = Vec::with_capacity(count);
        self.next.clear();
        self.next.reserve(count);
        for (to, candidates) in self.children.iter_mut().enumerate() {
            for Child { score, parent, by, hash } in candidates.drain() {
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

    /// Updates the best node if this depth has a better one. Returns whether it has.
    fn update_best(&mut self) -> bool {
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

/// Returns the contribution of a tile on a cell to the hash of a position: two mixing steps as in SplitMix64 (Steele,
/// Lea and Flood 2014).
#[inline]
fn bits(tile: u8, cell: u8) -> u64 {
    let mut z = (u64::from(tile) << 8 | u64::from(cell)).wrapping_add(1);
    z = z.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 32)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z ^ (z >> 29)
}
