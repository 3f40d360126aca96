//! What the kernel looks up: the database, and constants of its patterns.

use std::collections::HashMap;
use std::sync::Arc;

use loyd_heuristics::pdb::{Database, MAX_CELLS, Part, Partition};
use loyd_tiles::{Cell, Move, Size, Symmetry};

use super::jumps::{Jumps, MOST_COLUMNS, jumps, moves};
use super::lane::{Lane, Views};
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
    /// By tile and cell: the cell as it lies in the table of each lane.
    pub cells: ByTile<[Lanes<u8>; 32]>,
    /// By tile and cell: the cell as it lies in the table of each lane that has the tile, or [`NO_CELL`].
    pub images: ByTile<[[u8; LANES]; 32]>,
    /// By tile, and by tile that it jumps: what that adds to the rank of each lane when the blank moves up, and when
    /// it moves left.
    pub up: ByTile<[Lanes<i16>; 32]>,
    pub left: ByTile<[Lanes<i16>; 32]>,
    /// How many moves there are with the blank on a cell.
    pub moves: [u8; 32],
    /// By move and cell of the blank: which cells are jumped.
    pub jumps: [[Jumps; 32]; 4],
    /// The rank of a set of cells is that of its cells beyond the first `low_bits`, from the first of the lane on in `high`,
    /// and that of the others in `low`. As a vector reads four bytes each time, `low` has an entry more.
    pub low_bits: u32,
    pub high: Vec<u32>,
    pub low: Vec<u16>,
    /// By rank, from the first of the lane on: the cells beyond the largest region, the number of the first smaller
    /// one, and which row of `numbers` tells the smaller ones apart (and an entry more, as above).
    pub pockets: Vec<u32>,
    pub first_pocket: Vec<u32>,
    pub shape: Vec<u16>,
    /// In rows, for each of 32 cells the number of its region among the smaller ones (and three bytes more, as above).
    pub numbers: Vec<u8>,
}

/// The most tiles of a pattern. So the rank of a permutation fits into 16 bits, and what four jumps add to it, at most four
/// times 7!, into 16 with a sign.
const MOST_TILES: usize = 8;

/// The most bytes of all tables. So a place in them, counted in words of 32 bits, is no negative index.
const MOST_BYTES: u64 = 1 << 33;

/// In place of a place in a column. Its highest bit is set, by which a vector tells what stays.
pub const NO_PLACE: u32 = 1 << 31;

/// In place of a cell: a shift by so many bits leaves nothing.
pub const NO_CELL: u8 = 32;

/// What starts where a vector of the machine may start.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
pub struct Aligned<T>(pub T);

/// Which lanes a tile is in.
#[derive(Clone, Copy, Debug, Default)]
pub struct TileLanes {
    /// The lane in each place of a column.
    pub lanes: Aligned<Lanes<u32>>,
    /// For each lane its place in the column, or [`NO_PLACE`].
    pub places: Aligned<[u32; LANES]>,
    /// For each byte of the ranks of all lanes, 16 bits each: which byte of the ranks of the column goes there, or 128 for
    /// none.
    pub bytes: Aligned<[[u8; 16]; 4]>,
    /// The words of 32 bits at which the permutations begin: the first, and how far they are apart.
    pub firsts: Aligned<Lanes<u32>>,
    pub strides: Aligned<Lanes<u32>>,
    pub high_first: Aligned<Lanes<u32>>,
    pub pockets_first: Aligned<Lanes<u32>>,
    /// All ones in the lanes whose table is mirrored, so that other cells are jumped.
    pub mirrored: Lanes<u16>,
    /// For each sum the place of the lane that is part of it, as a set; none for no sum.
    pub sums: [u8; SUMS],
    /// The lanes as a set, and how many they are.
    pub set: u32,
    pub count: u32,
}

impl Tables {
    /// See [`LargestSumSearch::takes`](super::LargestSumSearch::takes).
    pub fn takes(partition: &Partition) -> bool {
        let (size, cells) = (partition.size(), partition.size().cells());
        if !(17..=Partition::MAX_SET_CELLS).contains(&cells)
            || !(2..=MOST_COLUMNS).contains(&size.width())
            || partition.groups().iter().flatten().any(|(_, ends)| !ends.is_empty())
            || partition.table_bytes() > MOST_BYTES
        {
            return false;
        }
        let views = Views::of(partition);
        // Each move changes each sum: so the slack of a sum is half of the moves that are left beside it.
        let all = ((1_u64 << cells) - 1) & !(1 << partition.blank());
        views.lanes.len() < LANES
            && views.sums.len() <= SUMS
            && (0..cells).all(|tile| views.count(tile) <= 8)
            && views.sums.iter().all(|&sum| views.tiles(sum) == all)
            && partition.patterns().iter().all(|pattern| pattern.tiles() <= MOST_TILES)
    }

    /// The tables of `database`, or `None` if the kernel cannot take it.
    pub fn new(database: &Arc<Database>) -> Option<Self> {
        if !Self::takes(database.partition()) {
            return None;
        }
        let size = database.partition().size();
        let views = Views::of(database.partition());
        let lane = |&(part, transposed, _): &_| Lane::new(database, part, transposed);
        let mut lanes: Vec<Lane> = views.lanes.iter().map(lane).collect();
        let mut tables = Self {
            database: Arc::clone(database),
            size,
            lanes: Vec::new(),
            tiles: by_tile(TileLanes::default()),
            cells: by_tile([[0; 8]; 32]),
            images: by_tile([[NO_CELL; LANES]; 32]),
            up: by_tile([[0; 8]; 32]),
            left: by_tile([[0; 8]; 32]),
            moves: std::array::from_fn(|cell| moves(size, cell)),
            jumps: std::array::from_fn(|step| std::array::from_fn(|cell| jumps(size, step, cell))),
            low_bits: size.cells().div_ceil(2) as u32,
            high: Vec::new(),
            low: Vec::new(),
            pockets: Vec::new(),
            first_pocket: Vec::new(),
            shape: Vec::new(),
            numbers: Vec::new(),
            sums: views.sums,
        };
        tables.number_sets(&mut lanes);
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

    /// How many vectors of eight lanes there are.
    pub fn vectors(&self) -> usize {
        self.lanes.len().div_ceil(8)
    }

    /// The cell beyond `blank` by a move.
    pub fn target(&self, blank: u8, step: usize) -> Option<u8> {
        let to = self.size.neighbour(Cell::new(blank.into()), Move::ALL[step])?;
        Some(to.index() as u8)
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
                (*count - 1) as u16
            })
            .chain([0])
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
                number_pockets(part, first, &mut |cells, first, key| {
                    let next = self.numbers.len() / key.len();
                    let next = u16::try_from(next).expect("few rows for two columns and more");
                    let shape = *shapes.entry(key).or_insert(next);
                    if shape == next {
                        self.numbers.extend(key);
                    }
                    self.pockets.push(cells);
                    self.first_pocket.push(first);
                    self.shape.push(shape);
                });
                firsts
            });
            (lane.high_first, lane.pockets_first) = firsts;
        }
        self.shape.push(0);
        self.numbers.extend([0; 3]);
    }

    fn fill_tile(&mut self, tile: usize) {
        let members: Vec<usize> =
            (0..self.lanes.len()).filter(|&lane| self.lanes[lane].labels[tile].is_some()).collect();
        let mut own = TileLanes { count: members.len() as u32, ..TileLanes::default() };
        own.places.0 = [NO_PLACE; LANES];
        own.bytes.0 = [[128; 16]; 4];
        // Places beyond the lanes of the tile repeat the first one, so that they ask for no other words.
        let repeated = members.first().map(|&first| std::iter::repeat_n(first, 8 - members.len()));
        let places = members.iter().copied().chain(repeated.into_iter().flatten());
        for (place, number) in places.enumerate() {
            let lane = &self.lanes[number];
            own.lanes.0[place] = number as u32;
            if place < members.len() {
                own.places.0[number] = place as u32;
                let bytes = &mut own.bytes.0[number / 8][2 * (number % 8)..];
                (bytes[0], bytes[1]) = (2 * place as u8, 2 * place as u8 + 1);
            }
            let part = &self.database.parts()[lane.part];
            own.firsts.0[place] = (part.place(0, 0) / 32) as u32;
            own.strides.0[place] = (part.coordinates().stride() / 32) as u32;
            own.high_first.0[place] = lane.high_first;
            own.pockets_first.0[place] = lane.pockets_first;
            own.mirrored[place] = if lane.is_mirrored(self.size) { u16::MAX } else { 0 };
            own.set |= 1 << number;
            for cell in 0..self.size.cells() {
                self.cells[tile][cell][place] = lane.images[cell];
                self.images[tile][cell][number] = lane.images[cell];
            }
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
                let weight = part.coordinates().weight(label.min(jumped).into()) as i16;
                let gain = if jumped > label { weight } else { -weight };
                self.up[tile][other][place] = gain * up;
                self.left[tile][other][place] = gain * left;
            }
            if place < members.len() {
                for (own, lanes) in own.sums.iter_mut().zip(&self.sums) {
                    *own |= ((lanes >> number & 1) as u8) << place;
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

/// Numbers the smaller regions of all sets of cells.
fn number_pockets(part: &Part, sets: u32, each: &mut impl FnMut(u32, u32, [u8; 32])) {
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
        each(all, first as u32, key);
    }
}
