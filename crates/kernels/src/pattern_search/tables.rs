//! The tables that the kernels read: the database, and constants of its patterns.
//!
//! # Where the bit of a state is
//! A state of a pattern is (cell set of its tiles, region of the blank, permutation of its tiles in reading order).
//! Cell set and region together have a *layout number*, the permutation has a *rank*; see
//! [`Coordinates`](loyd_heuristics::pdb::Coordinates). The bit of the state is
//!
//! ```text
//! bit = first + rank * stride + layouts[cells] bits 0..16 + layouts[cells] region of the blank's cell
//! ```
//!
//! # Layout words
//! `layouts` has one word per set of cells (a 16-bit mask), for patterns of all sizes at once, since a cell set
//! determines the number of tiles.
//!
//! | bits | meaning |
//! |---|---|
//! | 0 to 15 | first layout number of the cell set |
//! | 16 + 3c to 18 + 3c | number of the region of cell c, to be added |
//!
//! # Constants by tile
//! Tiles are named by their goal cell on the board, 0 to 15. A [`ByTile`] table has them twice: 0 to 15 for the board,
//! 16 to 31 for the transpose. All entries of the second half are 0 if the transpose is not used; the bit index of that
//! half is then 0 and its bit is ignored.
//!
//! In the transpose, the tile with goal cell g plays the part of the tile whose goal cell is g transposed: its entry is
//! that of the other tile's pattern.
//!
//! | table | entry |
//! |---|---|
//! | `planes` | bits 0 to 15: sixteen copies of bit 0 of the pattern's number; 16 to 31: of bit 1 |
//! | `first`, `stride` | first bit of the pattern's table; number of bits per permutation |
//! | `shift`, `mask` | position of the pattern's rank in each half of `ranks`; mask of its width |
//! | `tag` | number of the pattern, at bits 30 and 31 |
//!
//! # Rank changes
//! When a tile jumps forward over a tile of the same pattern with a larger label, the larger label comes before the
//! smaller one, and the rank grows by the weight of the smaller label, (k − 1 − label)!. Over a smaller label the rank
//! decreases by the weight of that label. Backward jumps have the opposite sign.
//!
//! | table | index | entry |
//! |---|---|---|
//! | `codes` | tile; bit 4: transpose; bit 5: backward | bits 0 to 2: label; 3 and 4: pattern; 5: as in the index |
//! | `shifts` | as `codes` | position of the rank in the 64-bit word: `shift`, plus 32 in the transpose; 64: unused |
//! | `weights` | code of the smaller label; bit 5: add rather than subtract | ± weight + `BIAS`, as low and high byte |
//! | `jumps` | moving tile as in `ByTile`, jumped tile | change of `ranks` for a forward jump |
//!
//! The AVX-512 kernel uses the first three, which are byte permutes of one register each; the portable kernel
//! uses `jumps`, which combines them. The bias makes all weights unsigned, so that `vpsadbw` can add them.

use std::sync::Arc;

use loyd_heuristics::pdb::{Database, MAX_CELLS, Part};
use loyd_tiles::Move;

use super::engine::Root;
use crate::cpu::prefetch;

/// Maximum number of patterns: pattern numbers have two bits, and 0 is the blank.
const PATTERNS: usize = 3;
/// Maximum number of tiles in a pattern: labels have three bits, and ranks at most sixteen.
const TILES: usize = 8;

/// Returns the cell that `cell` becomes when rows and columns are exchanged.
pub const fn transposed(cell: usize) -> usize {
    cell % 4 * 4 + cell / 4
}

/// Returns the cell to which a move takes the blank, or `None` at the edge.
pub const fn target(blank: usize, m: Move) -> Option<usize> {
    match m {
        Move::Up if blank >= 4 => Some(blank - 4),
        Move::Left if !blank.is_multiple_of(4) => Some(blank - 1),
        Move::Right if blank % 4 < 3 => Some(blank + 1),
        Move::Down if blank < 12 => Some(blank + 4),
        _ => None,
    }
}

/// Returns the three cells that the tile jumps over when the blank moves between `blank` and `to`: the cells between
/// them in the reading order of the view in which they are four apart. If that is the transpose, they are numbered there
/// and mapped back to cells of the board.
pub const fn jumped_cells(blank: usize, to: usize) -> [usize; 3] {
    let along_row = blank / 4 == to / 4;
    let first = if to < blank { to } else { blank };
    let mut jumped = [0; 3];
    let mut i = 0;
    while i < 3 {
        jumped[i] = if along_row { transposed(transposed(first) + 1 + i) } else { first + 1 + i };
        i += 1;
    }
    jumped
}

/// Returns the cell as a set in the four planes of a node; the factor copies it into the second plane of each half.
pub const fn cell_planes(cell: usize) -> u64 {
    (1 << cell | 1 << (32 + transposed(cell))) * 0x1_0001
}

/// First bit of the slack in each half of the meta word of a node.
pub const SLACK: u32 = 25;
/// First bit of the number of a pattern in [`Tables::tag`].
pub const TAG: u32 = 30;

/// A constant for each tile: entries 0 to 15 for the board, 16 to 31 for its transpose.
pub type ByTile = [u32; 32];

/// A database and the constants of its patterns. The [module documentation](self) has the layout of each table.
pub struct Tables {
    database: Arc<Database>,
    /// End of the last pattern's table: above every bit index that the kernels compute.
    end: u64,
    /// Layout words by cell set: [`dense`](loyd_heuristics::pdb::Coordinates::dense) for all pattern sizes.
    pub layouts: Vec<u64>,
    /// The planes that are set for the tile's pattern.
    pub planes: ByTile,
    /// Number of bits per permutation of the tile's pattern.
    pub stride: ByTile,
    /// First bit of the pattern's table.
    pub first: ByTile,
    /// Position of the pattern's rank in each half of `ranks`.
    pub shift: ByTile,
    /// Mask of that rank, once shifted down.
    pub mask: ByTile,
    /// Number of the tile's pattern, at bits 30 and 31.
    pub tag: ByTile,
    /// Label and pattern number of a tile, by tile and direction.
    pub codes: [u8; 64],
    /// Position of the pattern's rank in the whole `ranks` word, or 64 if the transpose is not used.
    pub shifts: [u8; 64],
    /// Rank change for one passed tile plus [`BIAS`](Self::BIAS), by code: low bytes, then high bytes.
    pub weights: [[u8; 64]; 2],
    /// Change of `ranks` for a forward jump (the blank moves up or left), by moving tile and jumped tile.
    pub jumps: Box<[[u64; 16]; 32]>,
    /// Bit 0 of each half that is used: bit 0, and bit 32 if the transpose is.
    pub active_halves: u64,
}

impl Tables {
    /// Added to every weight so that none is negative. The largest weight is 7! = 5040.
    pub const BIAS: u16 = 1 << 13;

    /// The board word of the goal: nibble c is c.
    pub const GOAL: u64 = 0xfedc_ba98_7654_3210;

    /// Returns whether the kernels support `database`: 4x4 boards, at most three patterns, at most eight tiles each.
    pub fn supports(database: &Database) -> bool {
        let (size, parts) = (database.partition().size(), database.parts());
        (size.width(), size.height()) == (4, 4)
            && (1..=PATTERNS).contains(&parts.len())
            && parts.iter().all(|part| part.pattern().tiles() <= TILES)
    }

    /// Creates the tables of `database`, or returns `None` if the kernels do not support it.
    pub fn new(database: &Arc<Database>) -> Option<Self> {
        if !Self::supports(database) {
            return None;
        }
        let (partition, parts) = (database.partition(), database.parts());
        let mut layouts = vec![0; 1 << 16];
        for part in parts {
            for (word, &known) in layouts.iter_mut().zip(part.coordinates().dense()?) {
                *word |= known;
            }
        }
        let end = |part: &Part| part.first_bit() + part.coordinates().table_bits();
        let none = [0; 32];
        let blank = usize::from(partition.blank());
        let mut tables = Self {
            database: Arc::clone(database),
            end: parts.iter().map(end).max()?,
            layouts,
            planes: none,
            stride: none,
            first: none,
            shift: none,
            mask: none,
            tag: none,
            codes: [0; 64],
            shifts: [64; 64],
            weights: [[0; 64], [(Self::BIAS >> 8) as u8; 64]],
            jumps: Box::new([[0; 16]; 32]),
            active_halves: if transposed(blank) == blank { 1 | 1 << 32 } else { 1 },
        };
        let mut shift = 0;
        for (number, part) in (1..).zip(parts) {
            tables.add(number, part, shift);
            shift += rank_bits(part);
        }
        tables.add_jumps();
        Some(tables)
    }

    /// Returns the words of all pattern tables. They contain every bit index that the kernels compute for positions
    /// with each goal cell exactly once; the gathers rely on this.
    ///
    /// # Panics
    /// If a pattern's table extends past the words, or the words have more than 2³² bits.
    pub fn words(&self) -> &[u64] {
        let words = self.database.words();
        let bits = 64 * words.len() as u64;
        assert!(self.end <= bits && bits <= 1 << u32::BITS, "a table extends past the words");
        words
    }

    /// Returns the memory of the constants in bytes, without the database.
    pub fn bytes(&self) -> u64 {
        size_of_val(&*self.layouts) as u64
    }

    /// Returns the database.
    pub fn database(&self) -> &Arc<Database> {
        &self.database
    }

    /// Returns the goal cell of the blank.
    pub fn blank(&self) -> u8 {
        self.database.partition().blank()
    }

    /// Returns whether the transpose is used.
    pub fn reflects(&self) -> bool {
        self.active_halves > 1
    }

    /// Fills in the constants of the tiles of pattern `number`, whose ranks are at bit `shift` of each half.
    fn add(&mut self, number: u32, part: &Part, shift: u32) {
        for (label, &cell) in part.pattern().cells().iter().enumerate() {
            let code = (number << 3) as usize | label;
            let weight = part.coordinates().weight(label) as u16;
            for (code, biased) in [(code, Self::BIAS - weight), (code | 32, Self::BIAS + weight)] {
                let [low, high] = biased.to_le_bytes();
                (self.weights[0][code], self.weights[1][code]) = (low, high);
            }
            let tiles = [usize::from(cell), 16 + transposed(cell.into())];
            for tile in tiles.into_iter().take(1 + usize::from(self.reflects())) {
                self.planes[tile] = ((number & 1) * 0xffff) | ((number >> 1) * 0xffff_0000);
                self.stride[tile] = part.coordinates().stride() as u32;
                self.first[tile] = part.first_bit() as u32;
                self.shift[tile] = shift;
                self.mask[tile] = (1 << rank_bits(part)) - 1;
                self.tag[tile] = number << TAG;
                for (back, code) in [(0, code), (32, code | 32)] {
                    self.codes[tile | back] = code as u8;
                    self.shifts[tile | back] = shift as u8 + 2 * (tile as u8 & 16);
                }
            }
        }
    }

    /// Fills in `jumps` from `codes`, `weights` and `shifts`.
    fn add_jumps(&mut self) {
        for tile in 0..32 {
            for other in 0..16 {
                let (a, b) = (self.codes[tile], self.codes[other | tile & 16]);
                if a == b || a >> 3 != b >> 3 || self.shifts[tile] > 63 {
                    continue;
                }
                let code = usize::from(a.min(b)) | usize::from(b > a) << 5;
                let weight = self.weights.map(|bytes| bytes[code]);
                let change = i64::from(u16::from_le_bytes(weight)) - i64::from(Self::BIAS);
                self.jumps[tile][other] = (change << self.shifts[tile]) as u64;
            }
        }
    }

    /// Returns the root node for a solvable `start`, with slack 0, and the sums of the distances for the board and for
    /// its transpose (equal to the first if the transpose is not used). Returns `None` if the tables are corrupt.
    pub fn root(&self, start: &[u8; 16]) -> Option<(Root, [u32; 2])> {
        let (mut board, mut transpose) = ([0; MAX_CELLS], [0; MAX_CELLS]);
        for (cell, &goal) in start.iter().enumerate() {
            board[cell] = goal;
            transpose[transposed(cell)] = transposed(goal.into()) as u8;
        }
        let views = [board, transpose];
        let views = &views[..1 + usize::from(self.reflects())];
        let parts = self.database.parts();
        let each = |view| (0..parts.len()).map(move |part| (part, view));
        let starts: Vec<_> = views.iter().flat_map(each).collect();
        let words = self.words();
        let distances = self.database.distances(&starts, |word| prefetch(words, word))?;

        let (mut node, mut sums) = (Root::default(), [0; 2]);
        for (half, (view, distances)) in views.iter().zip(distances.chunks(parts.len())).enumerate()
        {
            self.fill_half(&mut node, 32 * half as u32, &view[..start.len()], distances);
            sums[half] = distances.iter().sum();
        }
        if !self.reflects() {
            sums[1] = sums[0];
        }
        for (cell, &goal) in start.iter().enumerate() {
            node.board |= u64::from(goal) << (4 * cell);
            if goal == self.blank() {
                node.blank = cell;
            }
        }
        Some((node, sums))
    }

    /// Fills in planes, ranks and distances in the half of `node` that starts at bit `into`. `view` has the goal cell
    /// of the tile on each cell of that half's board.
    fn fill_half(&self, node: &mut Root, into: u32, view: &[u8], distances: &[u32]) {
        for ((number, part), &distance) in (1..).zip(self.database.parts()).zip(distances) {
            let cells = part.pattern().cells();
            let mut order = Vec::with_capacity(TILES);
            for (cell, goal) in view.iter().enumerate() {
                if let Some(label) = cells.iter().position(|other| other == goal) {
                    order.push(label as u8);
                    node.planes |= (number & 1 | (number & 2) << 15) << cell << into;
                }
            }
            let rank = u64::from(part.coordinates().rank(&order));
            node.ranks |= rank << self.shift[usize::from(cells[0])] << into;
            node.meta |= u64::from(distance & 3) << (2 * number) << into;
        }
    }
}

/// Returns the width of the pattern's rank in bits. All ranks of a node take at most 29 bits: patterns of seven and
/// eight tiles need 13 and 16.
fn rank_bits(part: &Part) -> u32 {
    64 - (part.coordinates().permutations() - 1).leading_zeros()
}
