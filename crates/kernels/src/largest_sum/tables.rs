//! What the kernel looks up: the database, and constants of its patterns.

use std::collections::HashMap;
use std::sync::Arc;

use loyd_heuristics::pdb::{Database, MAX_CELLS, Part, Partition};
use loyd_tiles::{Cell, Move, Size, Symmetry};

use super::jumps::{JUMPED, Jumps, jumps, moves};
use super::lane::{Lane, count, lanes_and_sums};
use super::node::{LANES, Node, SUMS};

/// A column of lanes: what there is for each of the patterns that have a tile.
pub type Lanes<T> = [T; 8];

/// What there is for each tile: 32 of them, so that a tile needs no check.
type ByTile<T> = Box<[T; 32]>;

/// The same for each tile.
fn by_tile<T: Copy>(item: T) -> ByTile<T> {
    Box::new([item; 32])
}

/// The tables of a database, as the kernel wants them.
pub struct Tables {
    pub database: Arc<Database>,
    pub size: Size,
    pub lanes: Vec<Lane>,
    /// For each sum its lanes.
    pub sums: Vec<u32>,
    /// By tile, named by its goal cell.
    pub tiles: ByTile<TileLanes>,
    /// By tile and cell: the bit of the cell as it lies in the table of each lane.
    pub cells: ByTile<[Aligned<Lanes<u32>>; 32]>,
    /// By tile and cell: the cell as it lies in the table of each lane that has the tile, or [`NO_CELL`].
    pub images: ByTile<[[u8; LANES]; 32]>,
    /// For each lane, where the ranks of its permutations are.
    pub ranks: [Ranks; LANES],
    /// By tile, and by tile that it jumps: what that adds to the base of each lane when the blank moves up, and when
    /// it moves left.
    pub up: ByTile<[Aligned<Lanes<i32>>; 32]>,
    pub left: ByTile<[Aligned<Lanes<i32>>; 32]>,
    /// How many moves there are with the blank on a cell.
    pub moves: [u8; 32],
    /// By move and cell of the blank: which cells are jumped.
    pub jumps: [[Jumps; 32]; 4],
    /// By tile, group of four lanes, and set of them: the sums that lose slack when these distances grow.
    pub losses: ByTile<[[Aligned<[i8; SUMS]>; 16]; 2]>,
    /// The rank of a set of cells is `high[first + (set >> low_bits)] + low[set & low_mask]`, where `first` is that
    /// of the lane, for sets of so many cells.
    pub low_bits: u32,
    pub high: Vec<u32>,
    pub low: Vec<u32>,
    /// By rank, from the first of the lane on: the cells beyond the largest region, the number of the first smaller
    /// one, and which of `numbers` tells the smaller ones apart.
    pub pockets: Vec<u32>,
    pub first_pocket: Vec<u32>,
    pub shape: Vec<u16>,
    pub numbers: Vec<[u8; 32]>,
}

/// In place of a cell: a shift by so many bits leaves nothing.
pub const NO_CELL: u8 = 32;

/// The words at which the permutations of a pattern begin: the first, and how far they are apart.
#[derive(Clone, Copy, Debug)]
pub struct Ranks {
    pub first: u32,
    pub stride: u32,
}

/// What starts where a vector of the machine may start.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
pub struct Aligned<T>(pub T);

/// Which lanes a tile is in.
#[derive(Clone, Copy, Debug, Default)]
pub struct TileLanes {
    /// The lane in each place of a column, and which vector of eight lanes it is in.
    pub lanes: Aligned<Lanes<u32>>,
    pub from: [Aligned<Lanes<u32>>; 4],
    /// For each vector of eight lanes: the place in the column, and whether there is one.
    pub places: [Aligned<Lanes<u32>>; 4],
    pub changes: [Aligned<Lanes<u32>>; 4],
    pub high_first: Aligned<Lanes<u32>>,
    pub pockets_first: Aligned<Lanes<u32>>,
    /// All ones in the lanes whose table is mirrored, so that other cells are jumped.
    pub mirrored: Aligned<Lanes<u32>>,
    /// The lanes as a set, and how many they are.
    pub set: u32,
    pub count: u32,
}

impl Tables {
    /// Whether the kernel can take `database`: boards of 17 to 25 cells, all of whose tiles are in each sum, at most
    /// eight lanes for each tile, and no more lanes and sums than a node has.
    pub fn takes(database: &Database) -> bool {
        let partition = database.partition();
        let (size, cells) = (partition.size(), partition.size().cells());
        if !(17..=Partition::MAX_SET_CELLS).contains(&cells)
            || size.width().max(size.height()) > JUMPED + 1
            || partition.groups().iter().flatten().any(|(_, ends)| !ends.is_empty())
        {
            return false;
        }
        let (lanes, sums) = lanes_and_sums(database);
        let most = (0..cells).map(|tile| count(&lanes, tile)).max().unwrap_or(0);
        // Each move changes each sum: so the slack of a sum is half of the moves that are left beside it.
        let mut tiles = (0..cells).filter(|&tile| tile != usize::from(partition.blank()));
        let has = |sum: u32, tile: usize| {
            (0..).zip(&lanes).any(|(lane, own)| sum >> lane & 1 == 1 && own.labels[tile].is_some())
        };
        lanes.len() < LANES
            && sums.len() <= SUMS
            && most <= 8
            && tiles.all(|tile| sums.iter().all(|&sum| has(sum, tile)))
    }

    /// The tables of `database`, or `None` if the kernel cannot take it.
    pub fn new(database: &Arc<Database>) -> Option<Self> {
        if !Self::takes(database) {
            return None;
        }
        let size = database.partition().size();
        let (mut lanes, sums) = lanes_and_sums(database);
        let mut tables = Self {
            database: Arc::clone(database),
            size,
            lanes: Vec::new(),
            tiles: by_tile(TileLanes::default()),
            cells: by_tile([Aligned::default(); 32]),
            images: by_tile([[NO_CELL; LANES]; 32]),
            ranks: [Ranks { first: 0, stride: 1 }; LANES],
            up: by_tile([Aligned::default(); 32]),
            left: by_tile([Aligned::default(); 32]),
            moves: std::array::from_fn(|cell| moves(size, cell)),
            jumps: std::array::from_fn(|step| std::array::from_fn(|cell| jumps(size, step, cell))),
            losses: by_tile([[Aligned::default(); 16]; 2]),
            low_bits: (size.cells() / 2) as u32,
            high: Vec::new(),
            low: Vec::new(),
            pockets: Vec::new(),
            first_pocket: Vec::new(),
            shape: Vec::new(),
            numbers: Vec::new(),
            sums,
        };
        tables.number_sets(&mut lanes);
        for (ranks, lane) in tables.ranks.iter_mut().zip(&lanes) {
            let part = &tables.database.parts()[lane.part];
            ranks.first = (part.place(0, 0) / 32) as u32;
            ranks.stride = (part.coordinates().stride() / 32) as u32;
        }
        tables.lanes = lanes;
        for tile in 0..size.cells() {
            tables.fill_tile(tile);
        }
        Some(tables)
    }

    /// The goal cell of the blank.
    pub fn blank(&self) -> u8 {
        self.database.partition().blank()
    }

    /// The words of the tables. Places in them are counted in halves of 32 bits.
    pub fn words(&self) -> &[u64] {
        self.database.words()
    }

    /// Whether all ranks of permutations fit into 16 bits.
    pub fn has_short_ranks(&self) -> bool {
        let parts = self.database.parts().iter();
        parts.map(|part| part.coordinates().permutations()).all(|ranks| ranks <= 1 << 16)
    }

    /// How many vectors of eight lanes there are.
    pub fn vectors(&self) -> usize {
        self.lanes.len().div_ceil(8)
    }

    /// The cell beyond `blank` by a move.
    pub fn target(&self, blank: u8, step: usize) -> Option<u8> {
        let to = self.size.neighbour(Cell::new(blank.into()), Move::ALL[step])?;
        Some(to.index() as u8)
    }

    /// The number of the layout of a lane, where the rank of the set of its cells is known.
    pub fn number_in_pocket(&self, rank: u32, pockets_first: u32, cell: u32) -> u32 {
        let index = (pockets_first + rank) as usize;
        let number = self.numbers[usize::from(self.shape[index])][cell as usize & 31];
        self.first_pocket[index] + u32::from(number)
    }

    /// Ranks of sets, for as many tiles as patterns have.
    fn number_sets(&mut self, lanes: &mut [Lane]) {
        let cells = self.size.cells() as u32;
        let (low_bits, high_bits) = (self.low_bits, cells - self.low_bits);
        let mut by_count = vec![0_u32; cells as usize + 1];
        self.low = (0..1_u32 << low_bits)
            .map(|half| {
                let count = &mut by_count[half.count_ones() as usize];
                *count += 1;
                *count - 1
            })
            .collect();
        let mut known: HashMap<usize, (u32, u32)> = HashMap::new();
        let mut shapes: HashMap<[u8; 32], u16> = HashMap::new();
        for lane in lanes {
            let part = &self.database.parts()[lane.part];
            let tiles = part.coordinates().tiles();
            let firsts = *known.entry(tiles).or_insert_with(|| {
                let firsts = (self.high.len() as u32, self.pockets.len() as u32);
                let mut first = 0;
                for half in 0..1_u32 << high_bits {
                    self.high.push(first);
                    let left = tiles.checked_sub(half.count_ones() as usize);
                    first += left.map_or(0, |left| by_count[left]);
                }
                number_pockets(
                    part,
                    first,
                    [&mut self.pockets, &mut self.first_pocket],
                    &mut |key| {
                        let next = shapes.len() as u16;
                        let shape = *shapes.entry(key).or_insert(next);
                        if shape == next {
                            self.numbers.push(key);
                        }
                        self.shape.push(shape);
                    },
                );
                firsts
            });
            (lane.high_first, lane.pockets_first) = firsts;
        }
    }

    fn fill_tile(&mut self, tile: usize) {
        let members: Vec<usize> =
            (0..self.lanes.len()).filter(|&lane| self.lanes[lane].labels[tile].is_some()).collect();
        let mut own = TileLanes { count: members.len() as u32, ..TileLanes::default() };
        own.from[0].0 = [u32::MAX; 8];
        // Places beyond the lanes of the tile repeat the first one, so that they ask for no other words.
        let repeated = members.first().map(|&first| std::iter::repeat_n(first, 8 - members.len()));
        let places = members.iter().copied().chain(repeated.into_iter().flatten());
        for (place, number) in places.enumerate() {
            let lane = &self.lanes[number];
            own.lanes.0[place] = number as u32 % 8;
            for (vector, from) in own.from.iter_mut().enumerate() {
                from.0[place] = if vector == number / 8 { u32::MAX } else { 0 };
            }
            if place < members.len() {
                own.places[number / 8].0[number % 8] = place as u32;
                own.changes[number / 8].0[number % 8] = u32::MAX;
            }
            own.high_first.0[place] = lane.high_first;
            own.pockets_first.0[place] = lane.pockets_first;
            own.mirrored.0[place] = if lane.is_mirrored(self.size) { u32::MAX } else { 0 };
            own.set |= 1 << number;
            for cell in 0..self.size.cells() {
                self.cells[tile][cell].0[place] = 1 << lane.images[cell];
                self.images[tile][cell][number] = lane.images[cell];
            }
            let part = &self.database.parts()[lane.part];
            let words = (part.coordinates().stride() / 32) as i32;
            let [up, left] = lane.directions(self.size);
            for other in 0..self.size.cells() {
                let (Some(label), Some(jumped)) = (lane.labels[tile], lane.labels[other]) else {
                    continue;
                };
                if label == jumped {
                    continue;
                }
                // A tile that goes to a later cell passes the others to their right: the larger of the two now comes
                // first if it is the other one.
                let weight = part.coordinates().weight(label.min(jumped).into()) as i32 * words;
                let gain = if jumped > label { weight } else { -weight };
                self.up[tile][other].0[place] = gain * up;
                self.left[tile][other].0[place] = gain * left;
            }
            for set in 0..16 {
                if set >> (place % 4) & 1 == 1 {
                    for (sum, lanes) in self.sums.iter().enumerate() {
                        self.losses[tile][place / 4][set].0[sum] |= (lanes >> number & 1) as i8;
                    }
                }
            }
        }
        self.tiles[tile] = own;
    }

    /// The node of a start from which the goal can be reached, with no slack, and its sums; `None` if the tables are
    /// wrong.
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
            node.bases[number] = (part.place(rank, 0) / 32) as u32;
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

/// Numbers the smaller regions of all sets of cells.
fn number_pockets(
    part: &Part,
    sets: u32,
    [pockets, first_pocket]: [&mut Vec<u32>; 2],
    shape: &mut impl FnMut([u8; 32]),
) {
    let layouts = part.coordinates().layouts();
    let mut next = sets as usize;
    for layout in &layouts[..sets as usize] {
        let (first, mut key, mut all) = (next, [0; 32], 0);
        while next < layouts.len() && layouts[next].tiles == layout.tiles {
            for cell in layouts[next].region {
                key[usize::from(cell)] = (next - first) as u8;
                all |= 1 << cell;
            }
            next += 1;
        }
        pockets.push(all);
        first_pocket.push(first as u32);
        shape(key);
    }
}
