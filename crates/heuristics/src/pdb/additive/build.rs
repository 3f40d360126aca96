//! Building a table by breadth-first search, all permutations of a layout at once (see [`levels`](crate::pdb::levels)).
//!
//! # Moves
//! The moves between layouts depend on the board and the number of tiles, but not on the pattern's goal.
//!
//! Layouts are divided into two halves by parity: the number of tiles on dark cells of a chessboard, modulo 2. A move
//! changes the colour of one tile's cell, so it leads to the other half.
//!
//! | field | index | contents |
//! |---|---|---|
//! | `places` | q | half of the layout, and its index in that half |
//! | `halves[h].straight` | layout of half h | indices (in the other half) of layouts that lead here without changing the order of the tiles |
//! | `halves[h].permuted` | layout of half h | (index in the other half, i, j): a layout that leads here by a vertical move of a tile from the i-th to the j-th place in reading order |
//!
//! Edges are stored at their destination, because a build pulls states into each layout. The lists of a half lie in one
//! array, with the end of each list in `ends`.
//!
//! # Data layout
//! The search stores states layout by layout, the table permutation by permutation:
//!
//! | memory | order | bit of a state |
//! |---|---|---|
//! | working memory | for each half: `reached[0]`, then `reached[1]`; in each, layout by layout | block ⌊rank / 120⌋; word and bit by rank mod 120: see [`Block`] |
//! | table | rank by rank | `rank · stride + q` |
//!
//! # Stages
//! 1. Set the bits of the goals: all tiles on their goal cells (rank 0), once for each region in which the blank may
//!    end.
//! 2. [`search_levels`]: per level, for each layout, [`Permuter::advance`] adds the states that fresh layouts reach by
//!    one move. A move along a row keeps the permutation, so whole layouts are copied; a vertical move past
//!    tiles of the pattern maps each block to another and permutes its bits (see [`PermutationTables`]).
//! 3. [`to_table_order`](Job::to_table_order): transposes `reached[1]` of both halves, the states in whose
//!    distance bit 1 is 1, into the order of the table, in squares of 64 x 64 bits.

use std::collections::VecDeque;

use loyd_search::{Meter, Stop};
use loyd_tiles::{Cell, CellGraph, CellSet, Size};

use super::coordinates::Coordinates;
use super::layouts::Layout;
use super::pattern::Pattern;
use super::permutations::{self, Block, PermutationTables};
use super::permuter::{Inflow, LayoutMut, Permuter};
use crate::pdb::levels::{Flow, Half, Piece, Source, search_levels};
use crate::threads::{self, sum_parallel};

/// The layouts of a build, and the moves between them: see the module documentation.
pub(super) struct Graph {
    pub tables: PermutationTables,
    /// Half and index of each layout, by q.
    places: Vec<Place>,
    halves: [Edges; 2],
}

/// The half of a layout, and its index there.
#[derive(Clone, Copy)]
struct Place {
    half: u32,
    index: u32,
}

/// The edges into the layouts of a half. All of them come from the other half.
#[derive(Default)]
struct Edges {
    layouts: usize,
    /// Moves that keep the permutation: along a row, or vertical ones that pass no tile of the pattern.
    straight: Lists<u32>,
    /// Other vertical moves: source layout, and the places between which the tile jumps.
    permuted: Lists<(u32, u8, u8)>,
}

/// A list for each layout, all in one array.
struct Lists<T> {
    items: Vec<T>,
    ends: Vec<u32>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self { items: Vec::new(), ends: vec![0] }
    }
}

impl<T> Lists<T> {
    fn of(&self, layout: usize) -> &[T] {
        &self.items[self.ends[layout] as usize..self.ends[layout + 1] as usize]
    }

    fn end(&mut self) {
        self.ends.push(self.items.len() as u32);
    }
}

impl Graph {
    /// Returns an upper bound on the bytes of the graph for these coordinates.
    pub fn bytes(coordinates: &Coordinates) -> u64 {
        // 16 bytes for the layout's place and list ends, 24 for the edges of each tile. A tile has at most four
        // moves; on larger boards, half of them lead to occupied cells or to other regions. The lists grow by
        // doubling.
        (coordinates.layouts().len() * (16 + 24 * coordinates.tiles())) as u64
    }

    pub fn new(coordinates: &Coordinates) -> Self {
        let dark = dark_cells(coordinates.size());
        let mut halves = [Edges::default(), Edges::default()];
        let place = |layout: &Layout| {
            let half = ((layout.tiles & dark).len() % 2) as u32;
            let layouts = &mut halves[half as usize].layouts;
            *layouts += 1;
            Place { half, index: *layouts as u32 - 1 }
        };
        let places: Vec<Place> = coordinates.layouts().iter().map(place).collect();
        let board = CellGraph::new(coordinates.size());
        for (layout, place) in coordinates.layouts().iter().zip(&places) {
            let edges = &mut halves[place.half as usize];
            // The layout from which a tile came to `tile`, leaving the cell `blank`: q there has the blank on `tile`.
            let before = |tile: u8, blank: u8| {
                let tiles = layout.tiles ^ CellSet::of(tile) ^ CellSet::of(blank);
                (tiles, places[coordinates.q(tiles, tile) as usize].index)
            };
            // All predecessors: the tile that is on `tile` now was on the adjacent `blank`, and the blank on `tile`.
            for blank in layout.region {
                for tile in board.row_neighbours(blank) & layout.tiles {
                    edges.straight.items.push(before(tile, blank).1);
                }
                for tile in board.column_neighbours(blank) & layout.tiles {
                    let (tiles, from) = before(tile, blank);
                    // Place of the tile in reading order, before and after the move.
                    match (tiles.before(blank).len(), layout.tiles.before(tile).len()) {
                        (i, j) if i == j => edges.straight.items.push(from),
                        (i, j) => edges.permuted.items.push((from, i as u8, j as u8)),
                    }
                }
            }
            edges.straight.end();
            edges.permuted.end();
        }
        Self { tables: PermutationTables::new(coordinates.tiles()), places, halves }
    }
}

/// Returns the cells whose row and column add up to an odd number: one colour of a chessboard.
pub(super) fn dark_cells(size: Size) -> CellSet {
    let dark = |cell: &Cell| (size.row(*cell) + size.column(*cell)) % 2 == 1;
    size.iter_cells().filter(dark).collect()
}

/// Number of layouts by which prefetches run ahead. The sources of a layout are scattered in memory, and waiting for
/// them would take longer than the work.
const PREFETCH_DISTANCE: usize = 3;

/// The parameters of a build.
pub(super) struct Job<'a, M> {
    pub coordinates: &'a Coordinates,
    pub graph: &'a Graph,
    pub permuter: &'a M,
    pub pattern: &'a Pattern,
}

/// Returns the bytes of working memory of a build: the two sets of states.
pub(super) fn working_bytes(coordinates: &Coordinates) -> u64 {
    let blocks = coordinates.layouts().len() * permutations::blocks(coordinates.tiles());
    2 * (blocks * size_of::<Block>()) as u64
}

/// Returns the bytes that a build needs in addition to the table: working memory, graph, and the data per layout.
pub(super) fn build_bytes(coordinates: &Coordinates) -> u64 {
    let layouts = coordinates.layouts().len() * Half::<Block>::BYTES;
    working_bytes(coordinates) + Graph::bytes(coordinates) + layouts as u64
}

impl<M: Permuter> Job<'_, M> {
    /// Fills `table` and returns the number of states at each distance. `memory` must be zeroed and have
    /// [`working_bytes`]. `watch` is called with the number of states found so far.
    pub fn build(
        &self,
        memory: &mut [u64],
        table: &mut [u64],
        meter: &mut Meter<'_>,
        mut watch: impl FnMut(&mut Meter<'_>, u64) -> Result<(), Stop>,
    ) -> Result<Vec<u64>, Stop> {
        let blocks = self.graph.tables.blocks();
        // 4 words per block: two sets of two words each.
        let (even, odd) = memory.split_at_mut(4 * self.graph.halves[0].layouts * blocks);
        let mut halves = [self.half(even), self.half(odd)];
        let goals = self.goals();
        for goal in &goals {
            // Rank 0: bit 0 of word 0 (the identity is even) of block 0.
            halves[goal.half as usize].add_goal(goal.index as usize, |layout| layout[0][0] = 1);
        }
        let start = (goals[0].half as usize, goals.len() as u64);
        let flow = Inflows { graph: self.graph, permuter: self.permuter };
        let census = search_levels(&mut halves, start, &flow, meter, &mut watch)?;
        let met = census.iter().sum();
        self.to_table_order(halves.map(Half::with_bit), table, || watch(meter, met))?;
        Ok(census)
    }

    /// Returns the layouts with all tiles on their goal cells, one for each region in which the blank may end.
    fn goals(&self) -> Vec<Place> {
        let (tiles, size) = (self.pattern.set(), self.coordinates.size());
        let ends = self.pattern.first_blank_cells(size).into_iter();
        ends.map(|blank| self.graph.places[self.coordinates.q(tiles, blank) as usize]).collect()
    }

    fn half<'m>(&self, memory: &'m mut [u64]) -> Half<'m, Block> {
        let (zero, one) = memory.split_at_mut(memory.len() / 2);
        let reached = [bytemuck::cast_slice_mut(zero), bytemuck::cast_slice_mut(one)];
        Half::new(reached, self.graph.tables.blocks(), self.coordinates.permutations() as u32)
    }

    /// Converts the bits from the order of the search (by layout, then permutation) to that of the table (by
    /// permutation, then q).
    fn to_table_order(
        &self,
        bits: [&[Block]; 2],
        table: &mut [u64],
        mut watch: impl FnMut() -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let permutations = self.graph.tables.block_permutations();
        let transposition = Transposition {
            bits,
            places: &self.graph.places,
            blocks: self.graph.tables.blocks(),
            stride: (self.coordinates.stride() / 64) as usize,
            ranks: ranks(permutations),
        };
        // The permutations of the blocks of one cache line are contiguous in the table.
        let lines = table.chunks_mut(LINE * permutations * transposition.stride);
        let mut lines = lines.enumerate();
        loop {
            let batch: Vec<_> = lines.by_ref().take(threads::thread_count()).collect();
            if batch.is_empty() {
                return Ok(());
            }
            sum_parallel(batch, |(line, table)| transposition.fill(line, table));
            watch()?;
        }
    }
}

/// The moves of a graph, as a [`Flow`].
struct Inflows<'a, M> {
    graph: &'a Graph,
    permuter: &'a M,
}

/// The moves of one level, from one half into the other.
struct LevelInflows<'a, M> {
    inflows: &'a Inflows<'a, M>,
    half: usize,
    source: &'a Source<'a, Block>,
}

impl<M: Permuter> Flow<Block> for Inflows<'_, M> {
    fn advance(&self, half: usize, source: &Source<'_, Block>, piece: Piece<'_, Block>) -> u64 {
        LevelInflows { inflows: self, half, source }.advance(piece)
    }
}

impl<'a, M: Permuter> LevelInflows<'a, M> {
    /// Advances the layouts of a piece in order. Each one is prefetched and queued, and advanced when
    /// [`PREFETCH_DISTANCE`] others have been queued after it.
    fn advance(&self, mut piece: Piece<'_, Block>) -> u64 {
        let mut reached = vec![[0; 2]; self.inflows.graph.tables.blocks()];
        // Inflows are reused, to save allocations.
        let (mut waiting, mut spare) =
            (VecDeque::new(), vec![Inflow::default(); PREFETCH_DISTANCE + 1]);
        let mut count = 0;
        piece.fresh.fill(false);
        for layout in 0..piece.left.len() {
            if piece.left[layout] == 0 || !self.has_inflow(piece.first + layout) {
                continue;
            }
            let mut inflow = spare.pop().expect("at most PREFETCH_DISTANCE inflows wait");
            self.gather(piece.first + layout, &mut inflow);
            self.prefetch(&inflow, &layout_of(&mut piece, layout, &mut reached));
            waiting.push_back((layout, inflow));
            if waiting.len() > PREFETCH_DISTANCE {
                let (layout, inflow) = waiting.pop_front().expect("the queue is not empty");
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

    /// Prefetches everything that advancing a layout reads.
    fn prefetch(&self, inflow: &Inflow<'_>, layout: &LayoutMut<'_>) {
        let permuter = self.inflows.permuter;
        permuter.prefetch(layout.same);
        permuter.prefetch(layout.other);
        for from in &inflow.straight {
            permuter.prefetch(from);
        }
        for (_, from) in &inflow.permuted {
            permuter.prefetch(from);
        }
    }

    /// Returns whether a source of the layout is fresh. At most levels, most layouts have no fresh source; the flags
    /// are combined without a branch per edge.
    #[inline]
    fn has_inflow(&self, layout: usize) -> bool {
        let (edges, fresh) = (&self.inflows.graph.halves[self.half], self.source.fresh);
        let straight = edges.straight.of(layout).iter();
        let permuted = edges.permuted.of(layout).iter();
        let some = straight.fold(false, |some, &from| some | fresh[from as usize]);
        permuted.fold(some, |some, edge| some | fresh[edge.0 as usize])
    }

    /// Collects the fresh sources of a layout in `inflow`.
    fn gather(&self, layout: usize, inflow: &mut Inflow<'a>) {
        let Graph { tables, halves, .. } = self.inflows.graph;
        let (edges, blocks) = (&halves[self.half], tables.blocks());
        let is_fresh = |layout: u32| self.source.fresh[layout as usize];
        let source = |layout: u32| &self.source.reached[layout as usize * blocks..][..blocks];
        let straight = edges.straight.of(layout).iter().filter(|&&from| is_fresh(from));
        inflow.straight.clear();
        inflow.straight.extend(straight.map(|&from| source(from)));
        let permuted = edges.permuted.of(layout).iter().filter(|edge| is_fresh(edge.0));
        let permutation = |i: u8, j: u8| tables.jump(i.into(), j.into());
        inflow.permuted.clear();
        inflow.permuted.extend(permuted.map(|&(from, i, j)| (permutation(i, j), source(from))));
    }
}

/// Returns the sets of a layout of a piece, with `reached` as scratch memory.
fn layout_of<'a>(
    piece: &'a mut Piece<'_, Block>,
    layout: usize,
    reached: &'a mut [Block],
) -> LayoutMut<'a> {
    let blocks = reached.len();
    let (same, other) = (&mut piece.same[layout * blocks..], &piece.other[layout * blocks..]);
    LayoutMut { same: &mut same[..blocks], other: &other[..blocks], reached }
}

/// Blocks per cache line: 4 · 16 bytes.
const LINE: usize = 4;

/// The conversion from the order of the search to that of the table.
struct Transposition<'a> {
    /// For each half, the states in whose distance bit 1 is 1.
    bits: [&'a [Block]; 2],
    /// Half and index of each layout, by q.
    places: &'a [Place],
    /// Blocks per layout.
    blocks: usize,
    /// Words of the table per permutation.
    stride: usize,
    /// Inner rank of each bit of the two words of a block.
    ranks: [Vec<usize>; 2],
}

impl Transposition<'_> {
    /// Fills the part of the table for the blocks `4 · line` to `4 · line + 3`. Always returns 0,
    /// because the parallel loop sums what its calls return.
    ///
    /// Blocks are read a cache line at a time, since consecutive layouts are far apart in memory.
    fn fill(&self, line: usize, table: &mut [u64]) -> u64 {
        let used = LINE.min(self.blocks - line * LINE);
        let permutations = self.ranks[0].len() + self.ranks[1].len();
        // `columns[2 · block + word][j]`: that word of the j-th layout of a group of 64.
        let mut columns = [[0_u64; 64]; 2 * LINE];
        for (group, places) in self.places.chunks(64).enumerate() {
            // Gather one cache line from each layout.
            for (j, place) in places.iter().enumerate() {
                let first = place.index as usize * self.blocks + line * LINE;
                let blocks = &self.bits[place.half as usize][first..first + used];
                for (column, word) in columns.iter_mut().zip(blocks.as_flattened()) {
                    column[j] = *word;
                }
            }
            // Row `bit` of a transposed square is 64 consecutive q of one permutation: a word of the table.
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

/// Returns the inner rank of each bit, for the two words of a block.
fn ranks(permutations: usize) -> [Vec<usize>; 2] {
    let mut ranks = [Vec::new(), Vec::new()];
    for rank in 0..permutations {
        let (word, bit) = permutations::word_and_bit(rank);
        debug_assert_eq!(bit, ranks[word].len());
        ranks[word].push(rank);
    }
    ranks
}

/// Transposes a square of 64 x 64 bits: bit j of row i becomes bit i of row j.
///
/// Recursive block transposition (Warren, "Hacker's Delight", section 7-3): at each level the square is divided into
/// squares of side 2 · width, and the two off-diagonal quarters of each are swapped. Six levels, width 32 to 1.
fn transpose(square: &mut [u64; 64]) {
    // The low `width` bits of each group of 2 · width bits: 0x00000000_ffffffff, 0x0000ffff_0000ffff, …,
    // 0x55555555_55555555.
    let mut mask = u64::MAX >> 32;
    let mut width = 32;
    while width > 0 {
        for start in (0..64).step_by(2 * width) {
            for row in start..start + width {
                // Swap the high bits of each group in `row` with the low bits of each group in `row + width`: the
                // XOR of the two is applied to both.
                let change = (square[row] >> width ^ square[row + width]) & mask;
                square[row] ^= change << width;
                square[row + width] ^= change;
            }
        }
        // Mask for half the width: XOR with the shifted mask clears the upper half of each run of ones, and sets
        // the bits that follow the run, which are the low half of the next group.
        width /= 2;
        mask ^= mask << width;
    }
}
