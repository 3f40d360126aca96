//! Building a table: breadth-first from the goal, a set of bits a level.
//!
//! The states of one q, in all orders, are a *row* of blocks (see [`Turns`]). A move along a row of the
//! board keeps the order, so a whole row flows into another; a vertical move sends each block to
//! another and turns its bits. A level asks each row for what flows into it and has not been met
//! before. As a move changes the parity of the cells, a level writes rows of one parity and reads those
//! of the other: rows are independent of each other, and any number of threads may share them.

use loyd_search::{Meter, Stop};
use loyd_tiles::{Cell, Size};
use rayon::prelude::*;

use super::turns::Turn;
use super::{Coordinates, Pattern, Turns, Words};

/// What is done to whole rows: in [`Plain`] code, or with the instructions of some machine.
///
/// Each row comes with the bits of its blocks that are not empty.
pub trait RowMover: Sync {
    /// Gets ready for the orders that `turns` are about.
    fn new(turns: &Turns) -> Self;

    /// Adds the blocks of `from`, turned, to `into`.
    fn turn(&self, turn: &Turn, occupied: &[u64], from: &[u128], into: &mut [u128]);

    /// Makes what `reached` has and `visited` has not the `frontier`, and adds it to `visited` and, if
    /// there are any, `bits`. Returns how many states that are.
    #[inline]
    fn settle(&self, reached: &[u128], row: RowMut<'_>) -> u64 {
        settle(reached, row)
    }
}

/// What is known of a row.
pub struct RowMut<'a> {
    /// States met at any level so far.
    pub visited: &'a mut [u128],
    /// States met at this level.
    pub frontier: &'a mut [u128],
    /// States whose distance has its second bit set, if this level's has.
    pub bits: Option<&'a mut [u128]>,
    /// The blocks of the frontier that are not empty.
    pub occupied: &'a mut [u64],
}

/// [`RowMover::settle`] in plain code, to be compiled for any machine.
#[inline(always)]
pub fn settle(reached: &[u128], row: RowMut<'_>) -> u64 {
    let RowMut { visited, frontier, bits, occupied } = row;
    occupied.fill(0);
    let mut count = 0;
    let blocks = reached.iter().zip(visited).zip(&mut *frontier);
    for (block, ((reached, visited), frontier)) in blocks.enumerate() {
        let new = reached & !*visited;
        *visited |= new;
        *frontier = new;
        occupied[block / 64] |= u64::from(new != 0) << (block % 64);
        count += u64::from(new.count_ones());
    }
    for (bits, frontier) in bits.into_iter().flatten().zip(frontier) {
        *bits |= *frontier;
    }
    count
}

/// Moves rows in plain code: a turn is at most three exchanges of neighbouring labels, and an exchange
/// moves the bits of each smaller label up or down by its weight.
#[derive(Debug)]
pub struct Plain {
    turns: Vec<Vec<Exchange>>,
}

/// For each label but the last: its weight, and the orders in which it is the smaller one of two
/// neighbours and on the left.
type Exchange = Vec<(u32, u128)>;

impl RowMover for Plain {
    fn new(turns: &Turns) -> Self {
        let exchanges = turns.exchanges().into_iter();
        let exchange = |&left: &usize| turns.smaller_on_left(left);
        Self { turns: exchanges.map(|places| places.iter().map(exchange).collect()).collect() }
    }

    fn turn(&self, turn: &Turn, occupied: &[u64], from: &[u128], into: &mut [u128]) {
        for (&(target, inner), block) in turn.blocks.iter().zip(0..) {
            if occupied[block / 64] >> (block % 64) & 1 == 0 {
                continue;
            }
            let exchanges = &self.turns[usize::from(inner)];
            let turned = exchanges.iter().fold(from[block], |bits, exchange| {
                let moved = |&(weight, mask): &(u32, u128)| {
                    (bits & mask) << weight | (bits >> weight) & mask
                };
                exchange.iter().map(moved).fold(0, |all, some| all | some)
            });
            into[usize::from(target)] |= turned;
        }
    }
}

/// What is to be built.
pub(super) struct Job<'a> {
    pub coordinates: &'a Coordinates,
    pub pattern: &'a Pattern,
    /// The goal cell of the blank.
    pub blank: u8,
}

/// Rows are dealt out in batches of so many, and the meter is looked at between them: some
/// milliseconds of work each.
const BATCH: usize = 1024;

impl Job<'_> {
    /// The bytes that a build takes beside the table.
    pub fn bytes(&self) -> u64 {
        let states = self.coordinates.rows().len() * Turns::new(self.coordinates.tiles()).blocks();
        3 * (states * size_of::<u128>()) as u64
    }

    /// Fills `table` and returns how many states there are at each distance. `watch` is told how many
    /// states have been met.
    pub fn build<M: RowMover>(
        &self,
        table: &mut [u64],
        meter: &mut Meter<'_>,
        mut watch: impl FnMut(&mut Meter<'_>, u64) -> Result<(), Stop>,
    ) -> Result<Vec<u64>, Stop> {
        let turns = Turns::new(self.coordinates.tiles());
        let mover = M::new(&turns);
        let mut halves = self.halves(&turns)?;
        let mut census = vec![1];
        let mut met = 1;
        loop {
            let level = census.len();
            let [even, odd] = &mut halves;
            let (writing, reading) = if level % 2 == 0 { (even, &*odd) } else { (odd, &*even) };
            let mut reached = 0;
            for batch in 0..writing.rows.div_ceil(BATCH) {
                reached += writing.step(batch, level, reading, &turns, &mover);
                watch(meter, met + reached)?;
            }
            if reached == 0 {
                break;
            }
            census.push(reached);
            met += reached;
        }
        self.arrange(&halves, &turns, table);
        Ok(census)
    }

    /// The rows of even and of odd distances, with nothing but the goal in them.
    fn halves(&self, turns: &Turns) -> Result<[Half; 2], Stop> {
        let places = Places::new(self.coordinates, self.pattern);
        let mut halves = [Half::new(&places, 0, turns)?, Half::new(&places, 1, turns)?];
        for (q, row) in self.coordinates.rows().iter().enumerate() {
            let half = &mut halves[places.half[q]];
            half.edges.extend(edges(self.coordinates, &places, row.mask, row.region));
            half.ends.push(half.edges.len() as u32);
        }
        let goal = self.coordinates.q(self.pattern.mask(), self.blank) as usize;
        let (half, row) = (&mut halves[0], places.row[goal] as usize);
        half.frontier.blocks_mut()[row * turns.blocks()] = 1;
        half.visited.blocks_mut()[row * turns.blocks()] = 1;
        half.occupied[row * half.occupied_words] = 1;
        Ok(halves)
    }

    /// Puts the bits, which lie row by row, in the order of the table: orders first, then q.
    fn arrange(&self, halves: &[Half; 2], turns: &Turns, table: &mut [u64]) {
        /// Blocks that share a cache line.
        const LINE: usize = 4;
        let places = Places::new(self.coordinates, self.pattern);
        let (blocks, orders) = (turns.blocks(), turns.block_orders());
        let bits = [halves[0].bits.blocks(), halves[1].bits.blocks()];
        let stride = (self.coordinates.stride() / 64) as usize;
        let lines = table.par_chunks_mut(LINE * orders * stride);
        lines.enumerate().for_each(|(line, table)| {
            let used = LINE.min(blocks - line * LINE);
            for group in 0..self.coordinates.rows().len().div_ceil(64) {
                let rows = group * 64..self.coordinates.rows().len().min(group * 64 + 64);
                let mut columns = [[0_u64; 64]; 2 * LINE];
                for (j, q) in rows.enumerate() {
                    let first = places.row[q] as usize * blocks + line * LINE;
                    let row = &bits[places.half[q]][first..first + used];
                    for (column, block) in columns.chunks_mut(2).zip(row) {
                        (column[0][j], column[1][j]) = (*block as u64, (*block >> 64) as u64);
                    }
                }
                for (c, column) in columns.iter_mut().take(2 * used).enumerate() {
                    transpose(column);
                    let first = c / 2 * orders + c % 2 * 64;
                    let used = orders.saturating_sub(c % 2 * 64).min(64);
                    for (order, &word) in column[..used].iter().enumerate() {
                        table[(first + order) * stride + group] = word;
                    }
                }
            }
        });
    }
}

/// In which half the row of each q is, and where there.
struct Places {
    half: Vec<usize>,
    row: Vec<u32>,
    rows: [usize; 2],
}

impl Places {
    fn new(coordinates: &Coordinates, pattern: &Pattern) -> Self {
        let dark = dark_cells(coordinates.size());
        let mut places = Self { half: Vec::new(), row: Vec::new(), rows: [0; 2] };
        for row in coordinates.rows() {
            let half = ((row.mask ^ pattern.mask()) & dark).count_ones() as usize & 1;
            places.half.push(half);
            places.row.push(places.rows[half] as u32);
            places.rows[half] += 1;
        }
        places
    }
}

/// The cells of one colour of a chessboard.
pub(super) fn dark_cells(size: Size) -> u16 {
    let dark = |cell: &Cell| (size.row(*cell) + size.column(*cell)) % 2 == 1;
    size.iter_cells().filter(dark).fold(0, |mask, cell| mask | 1 << cell.index())
}

/// What flows into a row.
struct Edge {
    /// The row of the other half from which it comes.
    row: u32,
    /// The places between which a tile jumps in the order, if it does.
    jump: Option<(u8, u8)>,
}

/// The edges into the row with tiles on `mask` and the blank in `region`.
fn edges<'a>(
    coordinates: &'a Coordinates,
    places: &'a Places,
    mask: u16,
    region: u16,
) -> impl Iterator<Item = Edge> + 'a {
    let size = coordinates.size();
    let pairs = size.iter_cells().filter(move |a| mask >> a.index() & 1 == 1).flat_map(move |a| {
        let beside = size.moves(a).into_iter().filter_map(move |m| size.neighbour(a, m));
        beside.filter(move |b| region >> b.index() & 1 == 1).map(move |b| (a.index(), b.index()))
    });
    // The tile that is on a now was on b, and the blank was on a.
    pairs.map(move |(a, b)| {
        let before = mask ^ 1 << a ^ 1 << b;
        let place = |mask: u16, cell: usize| (mask & ((1 << cell) - 1)).count_ones() as u8;
        let (from, to) = (place(before, b), place(mask, a));
        let row = places.row[coordinates.q(before, a as u8) as usize];
        Edge { row, jump: (from != to).then_some((from, to)) }
    })
}

/// The rows of one parity.
struct Half {
    rows: usize,
    blocks: usize,
    occupied_words: usize,
    frontier: Blocks,
    visited: Blocks,
    bits: Blocks,
    occupied: Vec<u64>,
    edges: Vec<Edge>,
    /// Where the edges of each row end.
    ends: Vec<u32>,
}

impl Half {
    fn new(places: &Places, half: usize, turns: &Turns) -> Result<Self, Stop> {
        let (rows, blocks) = (places.rows[half], turns.blocks());
        let occupied_words = blocks.div_ceil(64);
        Ok(Self {
            rows,
            blocks,
            occupied_words,
            frontier: Blocks::new(rows * blocks)?,
            visited: Blocks::new(rows * blocks)?,
            bits: Blocks::new(rows * blocks)?,
            occupied: vec![0; rows * occupied_words],
            edges: Vec::new(),
            ends: Vec::new(),
        })
    }

    /// Finds the new states of a batch of rows; returns how many they are.
    fn step<M: RowMover>(
        &mut self,
        batch: usize,
        level: usize,
        reading: &Self,
        turns: &Turns,
        mover: &M,
    ) -> u64 {
        let (start, end) = (batch * BATCH, self.rows.min(batch * BATCH + BATCH));
        let (blocks, words) = (self.blocks, self.occupied_words);
        let range = start * blocks..end * blocks;
        let inflow = Inflow { edges: &self.edges, ends: &self.ends, from: reading, turns, mover };
        let visited = self.visited.blocks_mut()[range.clone()].par_chunks_mut(blocks);
        let frontier = self.frontier.blocks_mut()[range.clone()].par_chunks_mut(blocks);
        let bits = self.bits.blocks_mut()[range].par_chunks_mut(blocks);
        let occupied = self.occupied[start * words..end * words].par_chunks_mut(words);
        let keep_bits = level >> 1 & 1 == 1;
        let rows = visited.zip(frontier).zip(bits).zip(occupied).enumerate().with_min_len(32);
        let rows = rows.map(|(index, (((visited, frontier), bits), occupied))| {
            let bits = keep_bits.then_some(bits);
            (start + index, RowMut { visited, frontier, bits, occupied })
        });
        let scratch = || vec![0_u128; blocks];
        rows.map_init(scratch, |reached, (index, row)| inflow.step(index, row, reached)).sum()
    }
}

/// What flows from the rows of one parity into those of the other.
struct Inflow<'a, M> {
    edges: &'a [Edge],
    ends: &'a [u32],
    from: &'a Half,
    turns: &'a Turns,
    mover: &'a M,
}

impl<M: RowMover> Inflow<'_, M> {
    /// Finds the new states of the row at `index`; returns how many they are.
    fn step(&self, index: usize, row: RowMut<'_>, reached: &mut [u128]) -> u64 {
        let (blocks, words) = (self.from.blocks, self.from.occupied_words);
        let source = self.from.frontier.blocks();
        let first = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        let mut touched = false;
        for edge in &self.edges[first..self.ends[index] as usize] {
            let other = edge.row as usize;
            let occupied = &self.from.occupied[other * words..][..words];
            if occupied.iter().all(|&word| word == 0) {
                continue;
            }
            if !touched {
                reached.fill(0);
                touched = true;
            }
            let from = &source[other * blocks..][..blocks];
            match edge.jump {
                None => reached.iter_mut().zip(from).for_each(|(into, from)| *into |= from),
                Some((i, j)) => {
                    let turn = self.turns.turn(i.into(), j.into());
                    self.mover.turn(turn, occupied, from, reached);
                }
            }
        }
        match touched {
            true => self.mover.settle(reached, row),
            false => {
                row.occupied.fill(0);
                0
            }
        }
    }
}

/// Blocks in zeroed memory.
struct Blocks(Words);

impl Blocks {
    fn new(len: usize) -> Result<Self, Stop> {
        Words::zeroed(2 * len).map(Self).map_err(|_| Stop::Memory)
    }

    fn blocks(&self) -> &[u128] {
        bytemuck::cast_slice(&self.0)
    }

    fn blocks_mut(&mut self) -> &mut [u128] {
        bytemuck::cast_slice_mut(&mut self.0)
    }
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
