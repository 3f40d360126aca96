//! Beam search that keeps the best positions for each cell of the blank.
//!
//! A beam that keeps the best positions regardless of the blank soon consists of variants of a single one, and its
//! blank never crosses a part that is in order to reach one that is not. Here positions compete only with those whose
//! blank is on the same cell.
//!
//! Each depth is generated one cell of the blank at a time: all children with the blank on this cell are scored and
//! ordered, and only the best are copied. Their scores need the tables of at most four moves, which stay in the L1 cache.

use std::ops::Range;

use loyd_search::{Meter, Stop};
use loyd_tiles::Move;

use super::geometry::{Geometry, Position};

/// Number of depths without a better position after which the beam search ends.
const PATIENCE: u32 = 12;

/// Number of entries in the table of visited positions. It removes most duplicates within a cell, and narrow beams also
/// avoid the positions of the last depths. A larger table makes wide beams slower but not better.
const ENTRIES: usize = 1 << 14;

/// Maximum number of children that are sorted by comparison. Longer lists are sorted by buckets of scores.
const SORT_THRESHOLD: usize = 16;

/// Number of buckets of scores, a power of two.
const BUCKETS: usize = 1 << 10;

/// Minimum number of children between two checks of the limits (some 0.2 ms).
const CHECK_INTERVAL: usize = 1 << 13;

/// Evaluation weights of a beam.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// A tile that is x columns and y rows from its goal costs 10·(x^power + y^power). A power above 1 moves distant
    /// tiles early, while the board is in disorder anyway. Pricing columns and rows separately gives solutions that are a
    /// tenth shorter than with a power of their sum.
    pub power: f64,
    /// A tile whose goal is at the edge costs this share more than one whose goal is in the centre. The tiles of the
    /// centre are then put in order last, when the blank need not go far from one to the next.
    pub edges: f64,
    /// Cost of two adjacent tiles in reversed order on a line that contains both their goals (a linear conflict).
    pub reversed: i32,
}

/// Searches from `start` and keeps up to `per_cell` of the best positions for each cell of the blank at each depth.
/// Returns the moves to the best position, and the limit that stopped the search, if any.
///
/// Positions that are still in the table of visited positions are not entered again.
///
/// Cost: about 45 ns for each position of a wide beam.
pub(super) fn beam(
    geometry: &Geometry,
    start: &Position,
    weights: Weights,
    per_cell: usize,
    meter: &mut Meter<'_>,
) -> (Vec<Move>, Option<Stop>) {
    let beam = match geometry.size.cells() {
        ..=16 => beam_of::<16>,
        17..=32 => beam_of::<32>,
        33..=64 => beam_of::<64>,
        65..=128 => beam_of::<128>,
        _ => beam_of::<256>,
    };
    beam(geometry, start, weights, per_cell, meter)
}

/// Like [`beam`], for boards of at most `N` cells. Arrays of known length are copied in a few instructions and need no
/// bounds checks.
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
    last: Option<Move>,
    score: i32,
    hash: u64,
}

/// The nodes of a depth, in the order of the cells of their blanks.
struct Layer<const N: usize> {
    nodes: Vec<Node<N>>,
    /// For each cell: the indices of the nodes with the blank on it.
    groups: Vec<Range<usize>>,
}

/// A move of the blank to a particular cell.
struct Step {
    /// The cell that the blank leaves.
    from: u8,
    by: Move,
    /// For each tile: how much more it costs on `from`, where the move takes it.
    changes: Vec<i32>,
}

/// A candidate for the next depth.
#[derive(Clone, Copy)]
struct Child {
    score: i32,
    /// Index of the parent in its layer, and the cell of its blank.
    parent: u32,
    from: u8,
    by: Move,
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
    reversed: i32,
    /// The moves of the blank to each cell.
    steps: Vec<Vec<Step>>,
    /// The current depth, and a buffer for the next one.
    layer: Layer<N>,
    next: Layer<N>,
    /// The children with the blank on one cell, and the best of them in the order of their scores.
    children: Vec<Child>,
    ordered: Vec<Child>,
    /// For each depth, the parent of each node and the move from it.
    log: Vec<Vec<(u32, Move)>>,
    /// Hashes of visited positions. Each hash has one entry, and a later position overwrites an earlier one.
    visited: Vec<u64>,
    best: Best,
    /// Number of children since the last check of the limits.
    unchecked: usize,
}

impl<'a, const N: usize> Beam<'a, N> {
    fn new(geometry: &'a Geometry, start: &Position, weights: Weights, per_cell: usize) -> Self {
        let size = geometry.size;
        let power = |distance: usize| 10.0 * (distance as f64).powf(weights.power);
        let powers: Vec<f64> = (0..size.width().max(size.height())).map(power).collect();
        let cells = || (0..=u8::MAX).take(size.cells());
        let places: Vec<(usize, usize)> =
            cells().map(|cell| (geometry.row(cell), geometry.column(cell))).collect();
        let prices = |tile| -> Vec<i32> {
            let (row, column) = places[usize::from(tile)];
            let factor = 1.0 + weights.edges * (1.0 - geometry.centrality(tile));
            let price = |&(other_row, other_column): &(usize, usize)| {
                let rows = powers[row.abs_diff(other_row)];
                let columns = powers[column.abs_diff(other_column)];
                (factor * (rows + columns)).round() as i32
            };
            places.iter().map(price).collect()
        };
        let prices: Vec<Vec<i32>> = cells().map(prices).collect();
        let price = |tile: u8, cell: u8| prices[usize::from(tile)][usize::from(cell)];
        let steps_to = |to| {
            let steps = geometry.moves.neighbours(to).map(|(back, from)| Step {
                from,
                by: back.inverse(),
                changes: cells().map(|tile| price(tile, from) - price(tile, to)).collect(),
            });
            steps.collect()
        };
        let layer = || Layer { nodes: Vec::new(), groups: vec![0..0; size.cells()] };
        let mut beam = Self {
            geometry,
            per_cell,
            reversed: weights.reversed,
            steps: cells().map(steps_to).collect(),
            layer: layer(),
            next: layer(),
            children: Vec::new(),
            ordered: Vec::new(),
            log: Vec::new(),
            visited: vec![0; ENTRIES],
            best: Best { score: i32::MAX, depth: 0, index: 0 },
            unchecked: CHECK_INTERVAL,
        };
        let root = beam.root(start, price);
        beam.layer.nodes.push(root);
        beam.layer.groups[usize::from(start.blank)] = 0..1;
        beam.update_best();
        beam
    }

    fn root(&self, start: &Position, price: impl Fn(u8, u8) -> i32) -> Node<N> {
        let mut cells = [0; N];
        cells[..start.cells.len()].copy_from_slice(&start.cells);
        let (mut hash, mut far, mut reversed) = (0, 0, 0);
        let tiles = (0..=u8::MAX).zip(&start.cells).filter(|&(cell, _)| cell != start.blank);
        for (cell, &tile) in tiles {
            hash ^= bits(tile, cell);
            far += price(tile, cell);
            reversed += self.reversals(&cells, tile, cell);
        }
        // Each pair is counted from both of its tiles.
        let score = far + self.reversed * reversed / 2;
        Node { cells, last: None, score, hash }
    }

    fn run(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let mut logged = 0;
        let mut since = 0;
        while since < PATIENCE && !self.layer.nodes.is_empty() && self.best.score > 0 {
            let nodes = self.layer.nodes.len() as u64;
            if nodes > meter.remaining_expansions() {
                return Err(Stop::Expanded);
            }
            meter.expand_many(nodes);
            self.advance(meter)?;
            meter.generate(self.layer.nodes.len() as u64);
            logged += self.log.last().map_or(0, Vec::capacity) * size_of::<(u32, Move)>();
            let nodes = self.layer.nodes.capacity() + self.next.nodes.capacity();
            let held = logged + nodes * size_of::<Node<N>>() + ENTRIES * size_of::<u64>();
            meter.reserve(held as u64)?;
            since = if self.update_best() { 0 } else { since + 1 };
        }
        Ok(())
    }

    /// Replaces the layer by the next depth.
    ///
    /// # Errors
    /// Returns the limit that was reached. The layer is unchanged then.
    fn advance(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        self.next.nodes.clear();
        let mut parents = Vec::with_capacity(self.layer.nodes.len());
        // Half as many again, because some may have been visited before.
        let enough = self.per_cell + self.per_cell / 2 + SORT_THRESHOLD;
        for to in (0..=u8::MAX).take(self.geometry.size.cells()) {
            let first = self.next.nodes.len();
            self.next.groups[usize::from(to)] = first..first;
            self.score_children(to);
            if self.children.is_empty() {
                continue;
            }
            self.unchecked += self.children.len();
            if self.unchecked >= CHECK_INTERVAL {
                meter.check()?;
                self.unchecked = 0;
            }
            best_first(&self.children, enough, &mut self.ordered);
            self.make_nodes(to, &mut parents);
            self.next.groups[usize::from(to)] = first..self.next.nodes.len();
        }
        std::mem::swap(&mut self.layer, &mut self.next);
        self.log.push(parents);
        Ok(())
    }

    /// Returns the number of neighbours with which `tile` would be reversed on `cell`.
    ///
    /// At the edge of the board, a cell counts as its own neighbour. That is harmless because a tile is reversed
    /// neither with itself nor with the blank. For the same reason `cells` may also be the position before the tile
    /// moves to `cell` from a neighbouring one.
    #[inline(always)]
    fn reversals(&self, cells: &[u8; N], tile: u8, cell: u8) -> i32 {
        let own_lines = self.geometry.own_lines(tile, cell);
        // Most tiles are on no line of their goal.
        if own_lines == 0 {
            return 0;
        }
        let reversed = self.geometry.reversed(tile);
        let neighbours = self.geometry.moves.targets(cell);
        let reversed_bit = |m: Move| {
            reversed[usize::from(cells[usize::from(neighbours[m.index()]) % N])] & 1 << m.index()
        };
        let all = reversed_bit(Move::Up)
            | reversed_bit(Move::Left)
            | reversed_bit(Move::Right)
            | reversed_bit(Move::Down);
        (all & own_lines).count_ones() as i32
    }

    /// Fills `children` with the children of the layer whose blank is on the cell `to`.
    fn score_children(&mut self, to: u8) {
        self.children.clear();
        for Step { from, by, changes } in &self.steps[usize::from(to)] {
            let (from, by) = (*from, *by);
            let back = Some(by.inverse());
            let group = self.layer.groups[usize::from(from)].clone();
            for (parent, node) in (group.start as u32..).zip(&self.layer.nodes[group]) {
                if node.last == back {
                    continue;
                }
                let tile = node.cells[usize::from(to) % N];
                let reversed =
                    self.reversals(&node.cells, tile, from) - self.reversals(&node.cells, tile, to);
                let score = node.score + changes[usize::from(tile)] + self.reversed * reversed;
                self.children.push(Child { score, parent, from, by });
            }
        }
    }

    /// Makes nodes of the best children that were not visited before. Their blank is on the cell `to`.
    fn make_nodes(&mut self, to: u8, parents: &mut Vec<(u32, Move)>) {
        let mut left = self.per_cell;
        for &Child { score, parent, from, by } in &self.ordered {
            if left == 0 {
                break;
            }
            let before = &self.layer.nodes[parent as usize];
            let tile = before.cells[usize::from(to) % N];
            let hash = before.hash ^ bits(tile, to) ^ bits(tile, from);
            if std::mem::replace(&mut self.visited[hash as usize % ENTRIES], hash) == hash {
                continue;
            }
            // The tile is moved only after the copy is in place: a copy of bytes just written would wait for them.
            let node = Node { cells: before.cells, last: Some(by), score, hash };
            self.next.nodes.push(node);
            let last = self.next.nodes.len() - 1;
            self.next.nodes[last].cells.swap(from.into(), to.into());
            parents.push((parent, by));
            left -= 1;
        }
    }

    /// Updates the best node if this depth has a better one. Returns whether it has.
    fn update_best(&mut self) -> bool {
        let scores = self.layer.nodes.iter().map(|node| node.score);
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

/// Fills `ordered` with at least `count` of the children, or all if there are fewer: those with the lowest scores, in
/// the order of their scores. Scores that differ little may be out of order if there are many children.
///
/// Cost: linear, for more than [`SORT_THRESHOLD`] children.
fn best_first(children: &[Child], count: usize, ordered: &mut Vec<Child>) {
    ordered.clear();
    if children.len() <= SORT_THRESHOLD {
        ordered.extend(children);
        // Stable, so that the order does not depend on the sorting algorithm.
        ordered.sort_by_key(|child| child.score);
        return;
    }
    let scores = || children.iter().map(|child| child.score);
    let (least, most) = (scores().min().unwrap_or(0), scores().max().unwrap_or(0));
    let bits = (most.abs_diff(least) | 1).ilog2() + 1;
    let shift = bits.saturating_sub(BUCKETS.ilog2());
    let bucket = |child: &Child| (child.score.abs_diff(least) >> shift) as usize;
    // A counting sort of the first buckets that have enough children: the number in each bucket becomes the index of
    // its first child.
    let mut starts = [0_u32; BUCKETS];
    children.iter().for_each(|child| starts[bucket(child)] += 1);
    let (mut total, mut last) = (0, 0);
    for (index, start) in starts.iter_mut().enumerate() {
        let here = std::mem::replace(start, total);
        total += here;
        last = index;
        if total as usize >= count {
            break;
        }
    }
    ordered.resize(total as usize, children[0]);
    for child in children {
        let bucket = bucket(child);
        if bucket <= last {
            ordered[starts[bucket] as usize] = *child;
            starts[bucket] += 1;
        }
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

#[cfg(test)]
mod tests {
    use loyd_tiles::Random;
    use rustc_hash::FxHashSet;

    use super::*;

    #[test]
    fn the_best_children_come_first() {
        let mut random = Random::new(1);
        for (count, spread) in
            [(0, 1), (1, 5), (16, 9), (17, 9), (500, 1), (500, 700), (5_000, 90_000)]
        {
            let child = |parent| {
                let score = random.below(spread) as i32 - 20;
                Child { score, parent, from: 0, by: Move::Up }
            };
            let children: Vec<Child> = (0..count).map(child).collect();
            let mut ordered = Vec::new();
            for wanted in [0, 1, 40, 300, 10_000] {
                best_first(&children, wanted, &mut ordered);
                assert!(ordered.len() >= wanted.min(children.len()));
                let mut sorted: Vec<i32> = children.iter().map(|child| child.score).collect();
                sorted.sort_unstable();
                // Scores of one bucket, of 1,024, may be in any order.
                let bucket = (spread / 512) as i32;
                for (child, score) in ordered.iter().zip(sorted) {
                    assert!(child.score.abs_diff(score) <= bucket as u32, "{count} {spread}");
                }
                let parents: FxHashSet<u32> = ordered.iter().map(|child| child.parent).collect();
                assert_eq!(parents.len(), ordered.len(), "a child occurs twice");
            }
        }
    }
}
