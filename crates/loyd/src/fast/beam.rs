//! A beam search that keeps the best positions for each cell of the blank.

use std::collections::BinaryHeap;

use loyd_search::{Meter, Stop};
use loyd_tiles::Move;

use super::plane::{Plane, Position, bits};

/// The beam ends when so many moves have brought no better position.
const PATIENCE: u32 = 12;

/// Places of the table of positions met, for each position that a depth may have, and at most.
const PLACES: usize = 256;
const MOST_PLACES: usize = 1 << 22;

/// How a beam judges positions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taste {
    /// A tile at distance d from its goal counts ten times d to this power: above 1, so that tiles are
    /// fetched from far away while the board is in disorder anyway.
    pub power: f64,
    /// What two neighbours count that stand the wrong way round in the line of both their goals.
    pub reversed: i32,
}

/// Searches from `start` with the `per_cell` best positions for each cell of the blank at each depth;
/// returns the moves to the best position that it met, and why it was stopped if it was.
///
/// A beam that keeps the best positions whatever they are loses all but one neighbourhood within a few
/// moves, and the blank then never crosses a part that is in order to get to one that is not: for
/// this, positions compete only with those whose blank is on the same cell. A position is not entered
/// twice, as far as a table of positions met remembers. `N` is at least the number of cells.
///
/// Cost: some 60 ns a position and move.
pub(super) fn beam<const N: usize>(
    plane: &Plane,
    start: &Position,
    taste: Taste,
    per_cell: usize,
    meter: &mut Meter<'_>,
) -> (Vec<Move>, Option<Stop>) {
    let mut beam = Beam::<N>::new(plane, start, taste, per_cell);
    let stopped = beam.run(meter).err();
    (beam.path_to_best(), stopped)
}

#[derive(Clone, Copy)]
struct Node<const N: usize> {
    cells: [u8; N],
    blank: u8,
    last: Option<Move>,
    score: i32,
    hash: u64,
}

/// A child that is not made yet.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Child {
    score: i32,
    parent: u32,
    by: Move,
    hash: u64,
}

/// Where the best node so far is in the log.
#[derive(Clone, Copy)]
struct Best {
    score: i32,
    depth: usize,
    index: usize,
}

struct Beam<'a, const N: usize> {
    plane: &'a Plane,
    per_cell: usize,
    /// What a distance counts.
    prices: Vec<i32>,
    reversed: i32,
    nodes: Vec<Node<N>>,
    /// The best children whose blank is on a cell, best first.
    children: Vec<BinaryHeap<Child>>,
    /// Those nodes that are made next, an empty list between two depths.
    next: Vec<Node<N>>,
    /// For each depth the parents of its nodes, and the moves from them.
    log: Vec<Vec<(u32, Move)>>,
    /// Hashes of positions met, each in one place: some are forgotten, none is made up.
    met: Vec<u64>,
    best: Best,
}

impl<'a, const N: usize> Beam<'a, N> {
    fn new(plane: &'a Plane, start: &Position, taste: Taste, per_cell: usize) -> Self {
        let size = plane.size;
        let price = |distance: usize| (10.0 * (distance as f64).powf(taste.power)).round() as i32;
        let mut beam = Self {
            plane,
            per_cell,
            prices: (0..size.width() + size.height()).map(price).collect(),
            reversed: taste.reversed,
            nodes: Vec::new(),
            children: (0..size.cells()).map(|_| BinaryHeap::with_capacity(per_cell)).collect(),
            next: Vec::new(),
            log: Vec::new(),
            met: vec![0; (per_cell * size.cells() * PLACES).next_power_of_two().min(MOST_PLACES)],
            best: Best { score: i32::MAX, depth: 0, index: 0 },
        };
        let root = beam.root(start);
        beam.nodes.push(root);
        beam.note_better();
        beam
    }

    fn root(&self, start: &Position) -> Node<N> {
        let mut cells = [0; N];
        cells[..start.cells.len()].copy_from_slice(&start.cells);
        let (mut hash, mut far, mut reversed) = (0, 0, 0);
        for (cell, &tile) in start.cells.iter().enumerate() {
            let cell = cell as u8;
            if cell != start.blank {
                hash ^= bits(tile, cell);
                far += self.price(tile, cell);
                reversed += self.reversals(&cells, tile, cell);
            }
        }
        // Each pair is seen from both of its tiles.
        let score = far + self.reversed * reversed / 2;
        Node { cells, blank: start.blank, last: None, score, hash }
    }

    fn run(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let mut held = (self.met.len() * 8) as u64;
        let mut since = 0;
        while since < PATIENCE && !self.nodes.is_empty() && self.best.score > 0 {
            for index in 0..self.nodes.len() {
                meter.expand()?;
                self.expand(index);
            }
            self.advance();
            meter.generate(self.nodes.len() as u64);
            held += (self.nodes.len() * size_of::<(u32, Move)>()) as u64;
            meter.reserve(held)?;
            since = if self.note_better() { 0 } else { since + 1 };
        }
        Ok(())
    }

    /// What the distance of `tile` on `cell` counts.
    #[inline]
    fn price(&self, tile: u8, cell: u8) -> i32 {
        self.prices[usize::from(self.plane.distance(tile, cell))]
    }

    /// The neighbours with which `tile` would be reversed on `cell`.
    ///
    /// Where the board ends there is the cell itself, and a tile is not reversed with itself. This is also
    /// why `cells` may be those before the tile comes to `cell` from beside.
    #[inline(always)]
    fn reversals(&self, cells: &[u8; N], tile: u8, cell: u8) -> i32 {
        let reversed = self.plane.reversed(tile);
        let beside = self.plane.targets(cell);
        let seen = |m: Move| {
            reversed[usize::from(cells[usize::from(beside[m.index()]) % N])] & 1 << m.index()
        };
        let all = seen(Move::Up) | seen(Move::Left) | seen(Move::Right) | seen(Move::Down);
        (all & self.plane.own_lines(tile, cell)).count_ones() as i32
    }

    /// Judges the children of a node, and keeps those that may be among the best for their cells.
    fn expand(&mut self, parent: usize) {
        let node = &self.nodes[parent];
        let (from, back) = (node.blank, node.last.map(Move::inverse));
        for (by, to) in self.plane.around(from).filter(|&(by, _)| Some(by) != back) {
            let tile = node.cells[usize::from(to)];
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
            let place = hash as usize & (self.met.len() - 1);
            if std::mem::replace(&mut self.met[place], hash) == hash {
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
        let mut row = Vec::with_capacity(self.nodes.len());
        for (to, kept) in self.children.iter_mut().enumerate() {
            for Child { score, parent, by, hash } in kept.drain() {
                let before = &self.nodes[parent as usize];
                let mut cells = before.cells;
                cells.swap(usize::from(before.blank), to);
                self.next.push(Node { cells, blank: to as u8, last: Some(by), score, hash });
                row.push((parent, by));
            }
        }
        std::mem::swap(&mut self.nodes, &mut self.next);
        self.next.clear();
        self.log.push(row);
    }

    /// Notes the best node of this depth if it is better than all before.
    fn note_better(&mut self) -> bool {
        let scores = self.nodes.iter().map(|node| node.score);
        let best = scores.zip(0..).min().filter(|&(score, _)| score < self.best.score);
        if let Some((score, index)) = best {
            self.best = Best { score, depth: self.log.len(), index };
        }
        best.is_some()
    }

    fn path_to_best(&self) -> Vec<Move> {
        let mut at = self.best.index;
        let mut moves: Vec<Move> = self.log[..self.best.depth]
            .iter()
            .rev()
            .map(|row| {
                let (parent, by) = row[at];
                at = parent as usize;
                by
            })
            .collect();
        moves.reverse();
        moves
    }
}
