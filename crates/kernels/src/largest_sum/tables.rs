//! The tables that the kernel reads: the pattern databases, and constants per tile and per lane.
//!
//! # Address of a bit
//!
//! The database holds one bit per state of a pattern: bit 1 of its distance. A state is a set of cells (`mask`), the
//! region of the blank among the other cells, and the permutation of the tiles. Mask and region together are a
//! *layout*, numbered by `q`; see [`Coordinates`](loyd_heuristics::pdb::Coordinates). For a slot of the tile that
//! moves:
//!
//! ```text
//! set   = high[high_base + (mask >> low_bits)] + low[mask & (2^low_bits - 1)]   rank of the mask
//! entry = set_base + set                                          index into the arrays per set
//! q     = set                                                     if the blank is in the largest region
//!       = first_small[entry / 16] + small_before[entry] + number        otherwise
//! word  = table_words + rank * strides + q / 32                   index of a 32-bit word
//! bit   = q % 32
//! ```
//!
//! Layouts with the blank in the largest region come first, so that `q` is the rank of the mask for them. The others
//! are rare in a single slot, and corrected by a separate fix-up. Masks are ranked as numbers, among all masks with as
//! many cells: `high` counts the masks with a smaller upper half, and `low` is the rank of the lower half among lower
//! halves with as many cells. For 25 cells they take 2¹² × 4 bytes (per number of tiles) and 2¹³ × 2 bytes.
//!
//! # Arrays
//!
//! | array | index | element |
//! |---|---|---|
//! | `slot_cells` | tile, cell of the board | per slot: that cell in the table |
//! | `lane_cells` | tile, cell of the board | per lane: that cell in the table, [`NO_CELL`] without the tile |
//! | `up`, `left` | tile that moves, tile that is jumped | per slot: gain in rank, signed 16 bits |
//! | `jumps` | move, cell of the blank | eight [jumped cells](Jumps) |
//! | `high` | `high_base` + upper half of a mask | number of masks with a smaller upper half |
//! | `low` | lower half of a mask | rank among the lower halves with as many cells |
//! | `region_row` | entry | row of the next two arrays |
//! | `small_regions` | row | set of free cells outside the largest region |
//! | `region_numbers` | row | `number` of the region of each such cell, as three sets of cells, one per bit |
//! | `first_small` | group of 16 entries | `q` of the first region of the group that is not the largest of its mask |
//! | `small_before` | entry | number of such regions of the masks before it in the group |
//!
//! The arrays should fit the L2 cache together with the nodes: the 177,100 masks of six cells of the 24-puzzle take 0.58 MB
//! and share 3,322 rows of 16 bytes.
//!
//! All indices by tile or cell have 32 values, so that masking them to five bits replaces a bounds check.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use loyd_heuristics::pdb::{Database, MAX_CELLS, Part, Partition};
use loyd_tiles::{Cell, Size, Symmetry};

use super::lanes::{Jumps, Lane, LanePlan, MAX_COLUMNS, jumped_cells, move_count};
use super::node::{Child, LANES, Node, SUMS};
use crate::cpu::has_fast_gathers;

/// One element per slot, that is, per lane that has a given tile.
pub type Slots<T> = [T; 8];

/// One element per tile. The length of 32 saves bounds checks.
type ByTile<T> = Box<[T; 32]>;

/// Returns `item` for each tile.
fn by_tile<T: Copy>(item: T) -> ByTile<T> {
    Box::new([item; 32])
}

/// A database with the constants of the kernel; see the [module](self) for the arrays.
pub struct Tables {
    pub database: Arc<Database>,
    pub size: Size,
    pub lanes: Vec<Lane>,
    /// Per sum: the set of its lanes.
    pub sums: Vec<u32>,
    /// By tile, that is, by its goal cell.
    pub tiles: ByTile<TileLanes>,
    /// By tile and cell of the board: per slot, the cell in the table.
    pub slot_cells: ByTile<[Slots<u8>; 32]>,
    /// By tile and cell of the board: per lane, the cell in the table, or [`NO_CELL`] if the lane lacks the tile.
    pub lane_cells: ByTile<[[u8; LANES]; 32]>,
    /// By tile and by tile that it jumps: per slot, the gain in rank when the blank moves up. It is negated when the
    /// blank moves down, and 0 if the slot lacks the jumped tile or jumps nothing by vertical moves.
    pub up: ByTile<[Slots<i16>; 32]>,
    /// Like `up`, for the blank moving left; negated when it moves right.
    pub left: ByTile<[Slots<i16>; 32]>,
    /// By cell of the blank: number of legal moves.
    pub move_counts: [u8; 32],
    /// By move and cell of the blank: the jumped cells.
    pub jumps: [[Jumps; 32]; 4],
    /// Number of cells in the lower half of a mask.
    pub low_bits: u32,
    /// From `high_base` on, by upper half of a mask: number of masks with a smaller upper half.
    pub high: Vec<u32>,
    /// By lower half of a mask: its rank among those with as many cells. One entry of padding, because gathers read
    /// four bytes.
    pub low: Vec<u16>,
    /// From `set_base` on, by rank of a mask: row of the next two arrays. One entry of padding, as above.
    pub region_row: Vec<u16>,
    /// By row: the free cells outside the largest region. Equal rows are stored once.
    pub small_regions: Vec<u32>,
    /// By row: bits 0, 1 and 2 of the number of such a cell's region among the smaller ones, as sets of cells.
    region_numbers: Vec<[u32; 3]>,
    /// By [`GROUP`] of the index of `region_row`: `q` of the first smaller region of its masks.
    first_small: Vec<u32>,
    /// By the index of `region_row`: number of smaller regions of the masks before it in its group.
    small_before: Vec<u8>,
    /// Whether gathers are faster than plain loads on this machine.
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "only vectors gather"))]
    pub gathers: bool,
}

/// Number of masks in a group, a power of 2.
const GROUP: usize = 16;

/// Maximum number of tiles of a pattern. Ranks below 8! = 40,320 fit into 16 bits, and the gain by four jumps, at most
/// 4 · 7! = 20,160, into 16 signed bits.
const MAX_TILES: usize = 8;

/// Maximum size of all tables in bytes: 2³¹ words of 32 bits, because gathers take signed 32-bit indices.
const MAX_TABLE_BYTES: u64 = 1 << 33;

/// Slot of a lane that lacks the tile. Blends keep the old value of the lane because the sign bit is set.
pub const NO_SLOT: u32 = 1 << 31;

/// Cell of a lane that lacks the tile: shifting 1 left by 32 gives 0, so it adds no cell to a mask.
pub const NO_CELL: u8 = 32;

/// Aligns a value to a vector of 32 bytes.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
pub struct Aligned<T>(pub T);

/// The lanes of one tile, and their constants by slot.
///
/// Slots from `count` on repeat slot 0, so that they gather from addresses that are read anyway; their results are
/// masked off.
#[derive(Clone, Copy, Debug, Default)]
pub struct TileLanes {
    /// Per slot: the lane.
    pub lanes: Aligned<Slots<u32>>,
    /// Per lane: its slot, or [`NO_SLOT`].
    pub slots: Aligned<[u32; LANES]>,
    /// Byte shuffle from [`Child::ranks`](super::node::Child::ranks) to [`Node::ranks`]: per byte of the 32 ranks, the
    /// index of its source byte, or 128 (sign bit set, as in `slots`) to keep the old byte.
    pub rank_bytes: Aligned<[[u8; 16]; 4]>,
    /// Per slot: index of the first 32-bit word of the table.
    pub table_words: Aligned<Slots<u32>>,
    /// Per slot: number of 32-bit words per permutation.
    pub strides: Aligned<Slots<u32>>,
    /// Per slot: start of its part of [`Tables::high`].
    pub high_base: Aligned<Slots<u32>>,
    /// Per slot: start of its part of the arrays by rank of a mask.
    pub set_base: Aligned<Slots<u32>>,
    /// Per slot: all ones if the table is mirrored and the tile jumps the cells in the upper four bytes of [`Jumps`].
    pub mirrored: Slots<u16>,
    /// Per sum: bit of the slot whose lane is part of it; 0 for unused sums. Each sum has the tile once.
    pub sum_slots: [u8; SUMS],
    /// The lanes as a set.
    pub set: u32,
    /// Number of lanes.
    pub count: u32,
}

impl Tables {
    /// Implements [`LargestSumSearch::supports`](super::LargestSumSearch::supports).
    pub fn supports(partition: &Partition) -> bool {
        let (size, cells) = (partition.size(), partition.size().cells());
        if !(17..=Partition::MAX_SET_CELLS).contains(&cells)
            || !(2..=MAX_COLUMNS).contains(&size.width())
            || partition.groups().iter().flatten().any(|(_, ends)| !ends.is_empty())
            || partition.table_bytes() > MAX_TABLE_BYTES
        {
            return false;
        }
        let plan = LanePlan::of(partition);
        // Every sum must have every tile, so that each move changes it by exactly 1 and f by 0 or 2.
        let all = ((1_u64 << cells) - 1) & !(1 << partition.blank());
        plan.lanes.len() < LANES
            && plan.sums.len() <= SUMS
            && (0..cells).all(|tile| plan.count(tile) <= 8)
            && plan.sums.iter().all(|&sum| plan.tiles(sum) == all)
            && partition.patterns().iter().all(|pattern| pattern.tiles() <= MAX_TILES)
    }

    /// Prepares the tables of `database`; `None` if the kernel does not support it, or if the masks have too many
    /// different regions, which takes gigabytes of tables for boards with two columns.
    pub fn new(database: &Arc<Database>) -> Option<Self> {
        if !Self::supports(database.partition()) {
            return None;
        }
        let size = database.partition().size();
        let plan = LanePlan::of(database.partition());
        let lane = |&(part, transposed, _): &_| Lane::new(database, part, transposed);
        let mut lanes: Vec<Lane> = plan.lanes.iter().map(lane).collect();
        let mut tables = Self {
            database: Arc::clone(database),
            size,
            lanes: Vec::new(),
            tiles: by_tile(TileLanes::default()),
            slot_cells: by_tile([[0; 8]; 32]),
            lane_cells: by_tile([[NO_CELL; LANES]; 32]),
            up: by_tile([[0; 8]; 32]),
            left: by_tile([[0; 8]; 32]),
            move_counts: std::array::from_fn(|cell| move_count(size, cell)),
            jumps: std::array::from_fn(|step| {
                std::array::from_fn(|cell| jumped_cells(size, step, cell))
            }),
            low_bits: size.cells().div_ceil(2) as u32,
            high: Vec::new(),
            low: Vec::new(),
            region_row: Vec::new(),
            small_regions: Vec::new(),
            region_numbers: Vec::new(),
            first_small: Vec::new(),
            small_before: Vec::new(),
            gathers: has_fast_gathers(),
            sums: plan.sums,
        };
        tables.rank_sets(&mut lanes)?;
        tables.lanes = lanes;
        for tile in 0..size.cells() {
            tables.fill_tile(tile);
        }
        Some(tables)
    }

    /// Returns the goal cell of the blank.
    pub fn blank(&self) -> u8 {
        self.database.partition().blank()
    }

    /// Returns the bits of all tables. The kernel addresses them as 32-bit words, the lower half of each element first.
    pub fn words(&self) -> &[u64] {
        self.database.words()
    }

    /// Returns the number of vectors of eight lanes in use.
    #[cfg(target_arch = "x86_64")]
    pub fn vectors(&self) -> usize {
        self.lanes.len().div_ceil(8)
    }

    /// Returns the cell to which the move with index `STEP`, which must be legal, takes the blank.
    #[inline(always)]
    pub fn target<const STEP: usize>(&self, blank: u8) -> u8 {
        // Up, left, right, down: the blank moves by one cell, or by one row. `& 31` saves bounds checks.
        let width = self.size.width() as u8;
        let offset = [width.wrapping_neg(), u8::MAX, 1, width][STEP];
        blank.wrapping_add(offset) & 31
    }

    /// Fills the arrays that rank masks and number regions. Returns `None` if there are too many rows.
    fn rank_sets(&mut self, lanes: &mut [Lane]) -> Option<()> {
        let mut by_count = vec![0_u32; self.size.cells() + 1];
        self.low = (0..1_u32 << self.low_bits)
            .map(|half| {
                let count = &mut by_count[half.count_ones() as usize];
                *count += 1;
                (*count - 1) as u16
            })
            .chain([0])
            .collect();
        let database = Arc::clone(&self.database);
        let mut known: HashMap<usize, (u32, u32)> = HashMap::new();
        let mut rows: HashMap<RegionRow, u16> = HashMap::new();
        for lane in lanes {
            let part = &database.parts()[lane.part];
            let tiles = part.coordinates().tiles();
            if let Entry::Vacant(entry) = known.entry(tiles) {
                entry.insert((self.high.len() as u32, self.region_row.len() as u32));
                let sets = self.rank_upper_halves(tiles, &by_count);
                self.number_regions(part, sets, &mut rows)?;
            }
            (lane.high_base, lane.set_base) = known[&tiles];
        }
        self.region_row.push(0);
        Some(())
    }

    /// Extends `high` by the masks of `tiles` cells, in numeric order: those with a smaller upper half come first.
    /// `by_count` is the number of lower halves by their number of cells. Returns the number of masks.
    fn rank_upper_halves(&mut self, tiles: usize, by_count: &[u32]) -> u32 {
        let mut first = 0;
        for half in 0..1_u32 << (self.size.cells() as u32 - self.low_bits) {
            self.high.push(first);
            let left = tiles.checked_sub(half.count_ones() as usize);
            first += left.map_or(0, |left| by_count[left]);
        }
        first
    }

    /// Extends the arrays of regions by the `sets` masks of `part`. Returns `None` if there are too many rows.
    fn number_regions(
        &mut self,
        part: &Part,
        sets: u32,
        rows: &mut HashMap<RegionRow, u16>,
    ) -> Option<()> {
        let mut before = 0;
        for (first, count, row) in small_regions(part, sets) {
            if self.region_row.len().is_multiple_of(GROUP) {
                self.first_small.push(first);
                before = 0;
            }
            let next = u16::try_from(self.small_regions.len()).ok()?;
            let number = *rows.entry(row).or_insert(next);
            if number == next {
                self.small_regions.push(row.0);
                self.region_numbers.push(row.1);
            }
            self.region_row.push(number);
            self.small_before.push(before);
            before += count;
        }
        // The next masks start a new group.
        let end = self.region_row.len().next_multiple_of(GROUP);
        self.region_row.resize(end, 0);
        self.small_before.resize(end, 0);
        Some(())
    }

    /// Corrects `q` and `words` in the slots of `child.off_region` for the region that the blank is in. One slot at a
    /// time, because most of these children have only one.
    #[inline]
    pub fn fix_up(&self, child: &mut Child) {
        let tile = usize::from(child.tile) & 31;
        let cells = &self.slot_cells[tile][usize::from(child.blank) & 31];
        let bases = &self.tiles[tile].set_base.0;
        let mut left = child.off_region;
        while left != 0 {
            let slot = left.trailing_zeros() as usize & 7;
            left &= left - 1;
            let set = child.q[slot];
            let entry = (bases[slot] + set) as usize;
            let planes = &self.region_numbers[usize::from(self.region_row[entry])];
            let bit = |plane: usize| planes[plane] >> (cells[slot] & 31) & 1;
            let number = bit(0) | bit(1) << 1 | bit(2) << 2;
            let first = self.first_small[entry / GROUP] + u32::from(self.small_before[entry]);
            child.q[slot] = first + number;
            child.words[slot] = child.words[slot] - set / 32 + child.q[slot] / 32;
        }
    }

    /// Fills all arrays indexed by `tile`.
    fn fill_tile(&mut self, tile: usize) {
        let members: Vec<usize> =
            (0..self.lanes.len()).filter(|&lane| self.lanes[lane].labels[tile].is_some()).collect();
        let mut own = TileLanes { count: members.len() as u32, ..TileLanes::default() };
        own.slots.0 = [NO_SLOT; LANES];
        own.rank_bytes.0 = [[128; 16]; 4];
        // Unused slots repeat the first one, so that their gathers touch no other cache lines.
        let repeated = members.first().map(|&first| std::iter::repeat_n(first, 8 - members.len()));
        let slots = members.iter().copied().chain(repeated.into_iter().flatten());
        for (slot, index) in slots.enumerate() {
            let lane = &self.lanes[index];
            own.lanes.0[slot] = index as u32;
            if slot < members.len() {
                own.slots.0[index] = slot as u32;
                let bytes = &mut own.rank_bytes.0[index / 8][2 * (index % 8)..];
                (bytes[0], bytes[1]) = (2 * slot as u8, 2 * slot as u8 + 1);
            }
            let part = &self.database.parts()[lane.part];
            own.table_words.0[slot] = (part.place(0, 0) / 32) as u32;
            own.strides.0[slot] = (part.coordinates().stride() / 32) as u32;
            own.high_base.0[slot] = lane.high_base;
            own.set_base.0[slot] = lane.set_base;
            own.mirrored[slot] = if lane.is_mirrored(self.size) { u16::MAX } else { 0 };
            own.set |= 1 << index;
            for cell in 0..self.size.cells() {
                self.slot_cells[tile][cell][slot] = lane.images[cell];
                self.lane_cells[tile][cell][index] = lane.images[cell];
            }
            let [up, left] = lane.directions(self.size);
            for other in 0..self.size.cells() {
                let (Some(label), Some(jumped)) = (lane.labels[tile], lane.labels[other]) else {
                    continue;
                };
                if label == jumped {
                    continue;
                }
                // The rank adds the weight of the smaller label of each pair whose larger label comes first. A tile
                // that moves to a later cell ends up behind the jumped one: an inversion gained if the jumped label is
                // larger, lost if it is smaller.
                let weight = part.coordinates().weight(label.min(jumped).into()) as i16;
                let gain = if jumped > label { weight } else { -weight };
                self.up[tile][other][slot] = gain * up;
                self.left[tile][other][slot] = gain * left;
            }
            if slot < members.len() {
                for (own, lanes) in own.sum_slots.iter_mut().zip(&self.sums) {
                    *own |= ((lanes >> index & 1) as u8) << slot;
                }
            }
        }
        self.tiles[tile] = own;
    }

    /// Returns the node of a solvable start and its sums; `None` if the tables do not lead to the goal. The slack and
    /// the automaton state of the node are not set.
    pub fn root(&self, start: &[u8]) -> Option<(Node, [u32; SUMS])> {
        let mut node = Node::EMPTY;
        let mut board = [0; MAX_CELLS];
        board[..start.len()].copy_from_slice(start);
        let transposed: [u8; MAX_CELLS] = {
            let image = |cell: usize| match cell < start.len() {
                true => Symmetry::TRANSPOSE.cell(self.size, Cell::new(cell)).index(),
                false => cell,
            };
            let mut other = [0; MAX_CELLS];
            for (cell, &goal) in start.iter().enumerate() {
                other[image(cell)] = image(goal.into()) as u8;
            }
            other
        };
        let starts: Vec<_> = self
            .lanes
            .iter()
            .map(|lane| (lane.part, if lane.transposed { &transposed } else { &board }))
            .collect();
        let distances = self.database.distances(&starts, |_| {})?;
        node.board[..start.len()].copy_from_slice(start);
        node.blank = start.iter().position(|&goal| goal == self.blank())? as u8;
        for (number, (lane, distance)) in self.lanes.iter().zip(&distances).enumerate() {
            let part = &self.database.parts()[lane.part];
            let mut order = Vec::new();
            for (cell, &goal) in start.iter().enumerate() {
                if let Some(label) = lane.labels[usize::from(goal)] {
                    order.push((lane.images[cell], label));
                    node.masks[number] |= 1 << lane.images[cell];
                }
            }
            order.sort_unstable();
            let order: Vec<u8> = order.into_iter().map(|(_, label)| label).collect();
            let rank = part.coordinates().rank(&order);
            node.ranks[number] = rank as u16;
            node.bits |= (distance >> 1 & 1) << number;
            node.parities |= (distance & 1) << number;
        }
        let mut sums = [0; SUMS];
        for (sum, &lanes) in sums.iter_mut().zip(&self.sums) {
            let own = distances.iter().enumerate().filter(|(lane, _)| lanes >> lane & 1 == 1);
            *sum = own.map(|(_, distance)| distance).sum();
        }
        Some((node, sums))
    }
}

/// The free cells outside the largest region, and the bits of the numbers of their regions.
type RegionRow = (u32, [u32; 3]);

/// Returns, for all `sets` masks in order of their rank, the layout number of the first region that is not the largest,
/// the number of such regions, and the row of the mask.
fn small_regions(part: &Part, sets: u32) -> impl Iterator<Item = (u32, u8, RegionRow)> {
    let (largest, small) = part.coordinates().layouts().split_at(sets as usize);
    let mut next = 0;
    largest.iter().map(move |layout| {
        let (first, mut cells, mut numbers) = (next, 0, [0; 3]);
        while let Some(other) = small.get(next).filter(|other| other.tiles == layout.tiles) {
            let number = next - first;
            assert!(number < 8, "eight tiles leave at most eight small regions");
            for cell in other.region {
                cells |= 1 << cell;
                for (bit, plane) in numbers.iter_mut().enumerate() {
                    *plane |= ((number >> bit & 1) as u32) << cell;
                }
            }
            next += 1;
        }
        (sets + first as u32, (next - first) as u8, (cells, numbers))
    })
}
