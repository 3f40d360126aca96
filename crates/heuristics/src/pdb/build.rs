//! Building a table: breadth-first from the goal, a set of bits a level.
//!
//! The states of one q, in all orders, are a *row* of blocks (see [`PermutationTables`](super::PermutationTables)). A move
//! along a row of the board keeps the order, so a whole row flows into another; a vertical move sends
//! each block to another and permutations its bits. A level asks each row for what flows into it and has not
//! been met before. As a move changes the parity of the cells, a level writes rows of one parity and
//! reads those of the other: rows are independent of each other, and any number of threads may share
//! them.
//!
//! All that is kept of a state is whether it has been met with bit 1 of its distance 0, or with 1. What
//! flows out of a row are all states with the bit of the last level. Those of older levels bring
//! nothing new, so the last level need not be kept apart; it is enough to know which rows it changed.

use std::collections::VecDeque;

use loyd_search::{Meter, Stop};
use rayon::prelude::*;

use super::graph::{Edges, Graph, Place};
use super::layouts::{Inflow, LayoutMut, Permuter};
use super::permutations::{self, Block};
use super::{Coordinates, Pattern};

/// Blocks that are looked at between two looks at the meter: some milliseconds of work.
const BATCH: usize = 1 << 18;

/// The least that is worth another thread.
const PIECE: usize = 1 << 13;

/// How many rows ahead memory is asked for: rows lie far from those that flow into them, and waiting
/// would take longer than the work.
const AHEAD: usize = 3;

/// What is to be built.
pub(super) struct Job<'a, M> {
    pub coordinates: &'a Coordinates,
    pub graph: &'a Graph,
    pub mover: &'a M,
    pub pattern: &'a Pattern,
    /// The goal cell of the blank.
    pub blank: u8,
}

/// The bytes that a build takes beside the table.
pub(super) fn working_bytes(coordinates: &Coordinates) -> u64 {
    let blocks = coordinates.layouts().len() * permutations::blocks(coordinates.tiles());
    2 * (blocks * size_of::<Block>()) as u64
}

impl<M: Permuter> Job<'_, M> {
    /// Fills `table` and returns how many states there are at each distance. `memory` is all 0 and has
    /// [`working_bytes`]; `watch` is told how many states have been met.
    pub fn build(
        &self,
        memory: &mut [u64],
        table: &mut [u64],
        meter: &mut Meter<'_>,
        mut watch: impl FnMut(&mut Meter<'_>, u64) -> Result<(), Stop>,
    ) -> Result<Vec<u64>, Stop> {
        let goal = self.coordinates.q(self.pattern.mask(), self.blank) as usize;
        let goal = self.graph.places[goal];
        let (even, odd) =
            memory.split_at_mut(4 * self.graph.halves[0].rows * self.graph.permutations.blocks());
        let mut halves = [self.half(even), self.half(odd)];
        halves[goal.half as usize].meet_first(goal.row as usize, self.graph.permutations.blocks());
        let mut census = vec![1];
        let mut met = 1;
        loop {
            let level = census.len();
            let half = (goal.half as usize + level) % 2;
            let [even, odd] = &mut halves;
            let (writing, reading) = if half == 0 { (even, &*odd) } else { (odd, &*even) };
            let flow = Flow {
                edges: &self.graph.halves[half],
                from: &*reading.met[(level - 1) / 2 % 2],
                fresh: &reading.fresh,
                graph: self.graph,
                mover: self.mover,
            };
            let mut reached = 0;
            for batch in writing.pieces(level / 2 % 2, self.graph.permutations.blocks()) {
                reached += share(batch, |piece| flow.advance(piece));
                watch(meter, met + reached)?;
            }
            if reached == 0 {
                break;
            }
            census.push(reached);
            met += reached;
        }
        self.arrange(halves.map(|half| &*half.met[1]), table, || watch(meter, met))?;
        Ok(census)
    }

    fn half<'m>(&self, memory: &'m mut [u64]) -> Half<'m> {
        let (zero, one) = memory.split_at_mut(memory.len() / 2);
        let met = [bytemuck::cast_slice_mut(zero), bytemuck::cast_slice_mut(one)];
        let rows = met[0].len() / self.graph.permutations.blocks();
        Half {
            met,
            left: vec![self.coordinates.permutations() as u32; rows],
            fresh: vec![false; rows],
        }
    }

    /// Puts the bits, which lie row by row, in the order of the table: orders first, then q.
    fn arrange(
        &self,
        bits: [&[Block]; 2],
        table: &mut [u64],
        mut watch: impl FnMut() -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let arrangement = Arrangement {
            bits,
            places: &self.graph.places,
            blocks: self.graph.permutations.blocks(),
            stride: (self.coordinates.stride() / 64) as usize,
            ranks: ranks(self.graph.permutations.block_permutations()),
        };
        let orders = self.graph.permutations.block_permutations();
        let lines = table.chunks_mut(LINE * orders * arrangement.stride);
        let mut lines = lines.enumerate();
        loop {
            let batch: Vec<_> = lines.by_ref().take(rayon::current_num_threads()).collect();
            if batch.is_empty() {
                return Ok(());
            }
            share(batch, |(line, table)| arrangement.fill(line, table));
            watch()?;
        }
    }
}

/// The sum of what `run` says of each piece of work, on the threads of the current pool.
fn share<T: Send>(work: Vec<T>, run: impl Fn(T) -> u64 + Send + Sync) -> u64 {
    // Going to another thread and back is not worth it if there is nothing to share.
    match work.len() {
        1 => work.into_iter().map(run).sum(),
        _ => work.into_par_iter().map(run).sum(),
    }
}

/// What is known of the rows of one parity.
struct Half<'a> {
    /// The states that were met, by bit 1 of their distance.
    met: [&'a mut [Block]; 2],
    /// How many states of each row have not been met.
    left: Vec<u32>,
    /// Which rows changed at the last level of this parity.
    fresh: Vec<bool>,
}

/// Some rows in permutation.
struct Piece<'a> {
    first: usize,
    same: &'a mut [Block],
    other: &'a [Block],
    left: &'a mut [u32],
    fresh: &'a mut [bool],
}

impl Half<'_> {
    /// Meets the first order of a row, the goal.
    fn meet_first(&mut self, row: usize, blocks: usize) {
        self.met[0][row * blocks][0] = 1;
        self.left[row] -= 1;
        self.fresh[row] = true;
    }

    /// All rows, in batches of pieces that threads may share, to be advanced to a level with this bit.
    fn pieces(&mut self, bit: usize, blocks: usize) -> impl Iterator<Item = Vec<Piece<'_>>> {
        let threads = rayon::current_num_threads();
        let pieces = if threads == 1 { 1 } else { 4 * threads };
        let rows = (BATCH / pieces).max(PIECE).div_ceil(blocks);
        let [zero, one] = &mut self.met;
        let (same, other) = if bit == 0 { (zero, &*one) } else { (one, &*zero) };
        let (same, other) = (same.chunks_mut(rows * blocks), other.chunks(rows * blocks));
        let rest = self.left.chunks_mut(rows).zip(self.fresh.chunks_mut(rows));
        let mut all = same.zip(other).zip(rest).enumerate().map(move |(piece, slices)| {
            let ((same, other), (left, fresh)) = slices;
            Piece { first: piece * rows, same, other, left, fresh }
        });
        std::iter::from_fn(move || {
            let batch: Vec<_> = all.by_ref().take(pieces).collect();
            (!batch.is_empty()).then_some(batch)
        })
    }
}

impl Piece<'_> {
    fn row<'a>(&'a mut self, row: usize, reached: &'a mut [Block]) -> LayoutMut<'a> {
        let blocks = reached.len();
        let (same, other) = (&mut self.same[row * blocks..], &self.other[row * blocks..]);
        LayoutMut { same: &mut same[..blocks], other: &other[..blocks], reached }
    }
}

/// What flows from the rows of one parity into those of the other.
struct Flow<'a, M> {
    edges: &'a Edges,
    from: &'a [Block],
    fresh: &'a [bool],
    graph: &'a Graph,
    mover: &'a M,
}

impl<'a, M: Permuter> Flow<'a, M> {
    /// Finds the new states of some rows; returns how many they are.
    fn advance(&self, mut piece: Piece<'_>) -> u64 {
        let mut reached = vec![[0; 2]; self.graph.permutations.blocks()];
        let (mut waiting, mut spare) = (VecDeque::new(), vec![Inflow::default(); AHEAD + 1]);
        let mut count = 0;
        piece.fresh.fill(false);
        for row in 0..piece.left.len() {
            if piece.left[row] == 0 || !self.is_reached(piece.first + row) {
                continue;
            }
            let mut inflow = spare.pop().expect("one more than wait");
            self.gather(piece.first + row, &mut inflow);
            self.fetch(&inflow, &piece.row(row, &mut reached));
            waiting.push_back((row, inflow));
            if waiting.len() > AHEAD {
                let (row, inflow) = waiting.pop_front().expect("some wait");
                count += self.advance_row(row, &inflow, &mut piece, &mut reached);
                spare.push(inflow);
            }
        }
        for (row, inflow) in waiting {
            count += self.advance_row(row, &inflow, &mut piece, &mut reached);
        }
        count
    }

    fn advance_row(
        &self,
        row: usize,
        inflow: &Inflow<'_>,
        piece: &mut Piece<'_>,
        reached: &mut [Block],
    ) -> u64 {
        let new = self.mover.advance(inflow, piece.row(row, reached));
        piece.fresh[row] = new > 0;
        piece.left[row] -= new as u32;
        new
    }

    /// Asks for all that will be read.
    fn fetch(&self, inflow: &Inflow<'_>, row: &LayoutMut<'_>) {
        self.mover.fetch(row.same);
        self.mover.fetch(row.other);
        for from in &inflow.straight {
            self.mover.fetch(from);
        }
        for (_, from) in &inflow.permuted {
            self.mover.fetch(from);
        }
    }

    /// Whether anything flows into a row. At most levels nothing flows into most rows, which is found
    /// out without a branch an edge.
    #[inline]
    fn is_reached(&self, row: usize) -> bool {
        let straight = self.edges.straight.of(row).iter();
        let permuted = self.edges.permuted.of(row).iter();
        let some = straight.fold(false, |some, &from| some | self.fresh[from as usize]);
        permuted.fold(some, |some, edge| some | self.fresh[edge.0 as usize])
    }

    /// Says what flows into a row.
    fn gather(&self, row: usize, inflow: &mut Inflow<'a>) {
        let blocks = self.graph.permutations.blocks();
        let is_fresh = |row: u32| self.fresh[row as usize];
        let source = |row: u32| &self.from[row as usize * blocks..][..blocks];
        let straight = self.edges.straight.of(row).iter().filter(|&&row| is_fresh(row));
        inflow.straight.clear();
        inflow.straight.extend(straight.map(|&row| source(row)));
        let permuted = self.edges.permuted.of(row).iter().filter(|edge| is_fresh(edge.0));
        let permutation = |i: u8, j: u8| self.graph.permutations.jump(i.into(), j.into());
        inflow.permuted.clear();
        inflow.permuted.extend(permuted.map(|&(row, i, j)| (permutation(i, j), source(row))));
    }
}

/// Blocks that share a cache line.
const LINE: usize = 4;

/// How bits that lie row by row come to lie order by order.
struct Arrangement<'a> {
    bits: [&'a [Block]; 2],
    places: &'a [Place],
    blocks: usize,
    stride: usize,
    ranks: [Vec<usize>; 2],
}

impl Arrangement<'_> {
    /// Fills the part of the table that the blocks of a line make up.
    fn fill(&self, line: usize, table: &mut [u64]) -> u64 {
        let used = LINE.min(self.blocks - line * LINE);
        let orders = self.ranks[0].len() + self.ranks[1].len();
        let mut columns = [[0_u64; 64]; 2 * LINE];
        for (group, places) in self.places.chunks(64).enumerate() {
            for (j, place) in places.iter().enumerate() {
                let first = place.row as usize * self.blocks + line * LINE;
                let row = &self.bits[place.half as usize][first..first + used];
                for (column, word) in columns.iter_mut().zip(row.as_flattened()) {
                    column[j] = *word;
                }
            }
            for (c, column) in columns.iter_mut().take(2 * used).enumerate() {
                transpose(column);
                for (rank, &word) in self.ranks[c % 2].iter().zip(&*column) {
                    table[(c / 2 * orders + rank) * self.stride + group] = word;
                }
            }
        }
        0
    }
}

/// The ranks of the inner orders that the bits of the two words of a block stand for.
fn ranks(orders: usize) -> [Vec<usize>; 2] {
    let mut ranks = [Vec::new(), Vec::new()];
    for rank in 0..orders {
        let (word, bit) = permutations::place(rank);
        debug_assert_eq!(bit, ranks[word].len());
        ranks[word].push(rank);
    }
    ranks
}

/// Exchanges rows and columns of a square of 64 x 64 bits: halves of ever smaller squares change
/// places.
fn transpose(square: &mut [u64; 64]) {
    let mut mask = u64::MAX >> 32;
    let mut width = 32;
    while width > 0 {
        for start in (0..64).step_by(2 * width) {
            for row in start..start + width {
                let change = (square[row] >> width ^ square[row + width]) & mask;
                square[row] ^= change << width;
                square[row + width] ^= change;
            }
        }
        width /= 2;
        mask ^= mask << width;
    }
}
