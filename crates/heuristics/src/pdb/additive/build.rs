//! Building a table: all permutations of a layout at once, see [`levels`](crate::pdb::levels).
//!
//! A move along a row keeps the permutation, so a whole layout flows into another; a vertical move sends each
//! block to another and permutes its bits (see [`PermutationTables`](super::PermutationTables)).

use std::collections::VecDeque;

use loyd_search::{Meter, Stop};

use super::coordinates::Coordinates;
use super::graph::{Graph, Place};
use super::pattern::Pattern;
use super::permutations::{self, Block};
use super::permuter::{Inflow, LayoutMut, Permuter};
use crate::pdb::levels::{Flow, Half, Piece, Source, meet_all};
use crate::threads::{self, share};

/// How many layouts ahead memory is asked for: layouts lie far from those that flow into them, and waiting
/// would take longer than the work.
const AHEAD: usize = 3;

/// What is to be built.
pub(super) struct Job<'a, M> {
    pub coordinates: &'a Coordinates,
    pub graph: &'a Graph,
    pub permuter: &'a M,
    pub pattern: &'a Pattern,
}

/// The bytes of the two sets of states that a build takes beside the table.
pub(super) fn working_bytes(coordinates: &Coordinates) -> u64 {
    let blocks = coordinates.layouts().len() * permutations::blocks(coordinates.tiles());
    2 * (blocks * size_of::<Block>()) as u64
}

/// The bytes that a build takes beside the table in all.
pub(super) fn build_bytes(coordinates: &Coordinates) -> u64 {
    let layouts = coordinates.layouts().len() * Half::<Block>::BYTES;
    working_bytes(coordinates) + Graph::bytes(coordinates) + layouts as u64
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
        let blocks = self.graph.tables.blocks();
        let (even, odd) = memory.split_at_mut(4 * self.graph.halves[0].layouts * blocks);
        let mut halves = [self.half(even), self.half(odd)];
        let goals = self.goals();
        for goal in &goals {
            halves[goal.half as usize].meet_goal(goal.index as usize, |layout| layout[0][0] = 1);
        }
        let start = (goals[0].half as usize, goals.len() as u64);
        let flow = Inflows { graph: self.graph, permuter: self.permuter };
        let census = meet_all(&mut halves, start, &flow, meter, &mut watch)?;
        let met = census.iter().sum();
        self.arrange(halves.map(Half::with_bit), table, || watch(meter, met))?;
        Ok(census)
    }

    /// The layouts with all tiles on their goal cells: one for each region in which the blank may end.
    fn goals(&self) -> Vec<Place> {
        let (tiles, size) = (self.pattern.set(), self.coordinates.size());
        let ends = self.pattern.first_ends(size).into_iter();
        ends.map(|blank| self.graph.places[self.coordinates.q(tiles, blank) as usize]).collect()
    }

    fn half<'m>(&self, memory: &'m mut [u64]) -> Half<'m, Block> {
        let (zero, one) = memory.split_at_mut(memory.len() / 2);
        let met = [bytemuck::cast_slice_mut(zero), bytemuck::cast_slice_mut(one)];
        Half::new(met, self.graph.tables.blocks(), self.coordinates.permutations() as u32)
    }

    /// Puts the bits, which lie layout by layout, in the order of the table: permutations first, then q.
    fn arrange(
        &self,
        bits: [&[Block]; 2],
        table: &mut [u64],
        mut watch: impl FnMut() -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let permutations = self.graph.tables.block_permutations();
        let arrangement = Arrangement {
            bits,
            places: &self.graph.places,
            blocks: self.graph.tables.blocks(),
            stride: (self.coordinates.stride() / 64) as usize,
            ranks: ranks(permutations),
        };
        let lines = table.chunks_mut(LINE * permutations * arrangement.stride);
        let mut lines = lines.enumerate();
        loop {
            let batch: Vec<_> = lines.by_ref().take(threads::count()).collect();
            if batch.is_empty() {
                return Ok(());
            }
            share(batch, |(line, table)| arrangement.fill(line, table));
            watch()?;
        }
    }
}

/// What flows into layouts by the moves of a graph.
struct Inflows<'a, M> {
    graph: &'a Graph,
    permuter: &'a M,
}

/// The same from one half into the other.
struct FromHalf<'a, M> {
    inflows: &'a Inflows<'a, M>,
    half: usize,
    source: &'a Source<'a, Block>,
}

impl<M: Permuter> Flow<Block> for Inflows<'_, M> {
    fn advance(&self, half: usize, source: &Source<'_, Block>, piece: Piece<'_, Block>) -> u64 {
        FromHalf { inflows: self, half, source }.advance(piece)
    }
}

impl<'a, M: Permuter> FromHalf<'a, M> {
    fn advance(&self, mut piece: Piece<'_, Block>) -> u64 {
        let mut reached = vec![[0; 2]; self.inflows.graph.tables.blocks()];
        let (mut waiting, mut spare) = (VecDeque::new(), vec![Inflow::default(); AHEAD + 1]);
        let mut count = 0;
        piece.fresh.fill(false);
        for layout in 0..piece.left.len() {
            if piece.left[layout] == 0 || !self.is_reached(piece.first + layout) {
                continue;
            }
            let mut inflow = spare.pop().expect("one more than wait");
            self.gather(piece.first + layout, &mut inflow);
            self.fetch(&inflow, &layout_of(&mut piece, layout, &mut reached));
            waiting.push_back((layout, inflow));
            if waiting.len() > AHEAD {
                let (layout, inflow) = waiting.pop_front().expect("some wait");
                count += self.advance_layout(layout, &inflow, &mut piece, &mut reached);
                spare.push(inflow);
            }
        }
        for (layout, inflow) in waiting {
            count += self.advance_layout(layout, &inflow, &mut piece, &mut reached);
        }
        count
    }

    fn advance_layout(
        &self,
        layout: usize,
        inflow: &Inflow<'_>,
        piece: &mut Piece<'_, Block>,
        reached: &mut [Block],
    ) -> u64 {
        let new = self.inflows.permuter.advance(inflow, layout_of(piece, layout, reached));
        piece.fresh[layout] = new > 0;
        piece.left[layout] -= new as u32;
        new
    }

    /// Asks for all that will be read.
    fn fetch(&self, inflow: &Inflow<'_>, layout: &LayoutMut<'_>) {
        let permuter = self.inflows.permuter;
        permuter.fetch(layout.same);
        permuter.fetch(layout.other);
        for from in &inflow.straight {
            permuter.fetch(from);
        }
        for (_, from) in &inflow.permuted {
            permuter.fetch(from);
        }
    }

    /// Whether anything flows into a layout. At most levels nothing flows into most of them, which is found
    /// out without a branch an edge.
    #[inline]
    fn is_reached(&self, layout: usize) -> bool {
        let (edges, fresh) = (&self.inflows.graph.halves[self.half], self.source.fresh);
        let straight = edges.straight.of(layout).iter();
        let permuted = edges.permuted.of(layout).iter();
        let some = straight.fold(false, |some, &from| some | fresh[from as usize]);
        permuted.fold(some, |some, edge| some | fresh[edge.0 as usize])
    }

    /// Says what flows into a layout.
    fn gather(&self, layout: usize, inflow: &mut Inflow<'a>) {
        let Graph { tables, halves, .. } = self.inflows.graph;
        let (edges, blocks) = (&halves[self.half], tables.blocks());
        let is_fresh = |layout: u32| self.source.fresh[layout as usize];
        let source = |layout: u32| &self.source.met[layout as usize * blocks..][..blocks];
        let straight = edges.straight.of(layout).iter().filter(|&&from| is_fresh(from));
        inflow.straight.clear();
        inflow.straight.extend(straight.map(|&from| source(from)));
        let permuted = edges.permuted.of(layout).iter().filter(|edge| is_fresh(edge.0));
        let permutation = |i: u8, j: u8| tables.jump(i.into(), j.into());
        inflow.permuted.clear();
        inflow.permuted.extend(permuted.map(|&(from, i, j)| (permutation(i, j), source(from))));
    }
}

/// A layout of a piece.
fn layout_of<'a>(
    piece: &'a mut Piece<'_, Block>,
    layout: usize,
    reached: &'a mut [Block],
) -> LayoutMut<'a> {
    let blocks = reached.len();
    let (same, other) = (&mut piece.same[layout * blocks..], &piece.other[layout * blocks..]);
    LayoutMut { same: &mut same[..blocks], other: &other[..blocks], reached }
}

/// Blocks that share a cache line.
const LINE: usize = 4;

/// How bits that lie layout by layout come to lie permutation by permutation.
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
        let permutations = self.ranks[0].len() + self.ranks[1].len();
        let mut columns = [[0_u64; 64]; 2 * LINE];
        for (group, places) in self.places.chunks(64).enumerate() {
            for (j, place) in places.iter().enumerate() {
                let first = place.index as usize * self.blocks + line * LINE;
                let blocks = &self.bits[place.half as usize][first..first + used];
                for (column, word) in columns.iter_mut().zip(blocks.as_flattened()) {
                    column[j] = *word;
                }
            }
            for (c, column) in columns.iter_mut().take(2 * used).enumerate() {
                transpose(column);
                for (rank, &word) in self.ranks[c % 2].iter().zip(&*column) {
                    table[(c / 2 * permutations + rank) * self.stride + group] = word;
                }
            }
        }
        0
    }
}

/// The ranks of the inner permutations that the bits of the two words of a block stand for.
fn ranks(permutations: usize) -> [Vec<usize>; 2] {
    let mut ranks = [Vec::new(), Vec::new()];
    for rank in 0..permutations {
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
