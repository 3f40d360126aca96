//! What the kernels look up: the database, and constants of its patterns.

use std::sync::Arc;

use loyd_heuristics::pdb::{Database, MAX_CELLS, Part};

use super::node::{self, Node};
use super::steps::transposed;
use crate::prefetch::prefetch;

/// The most patterns: their numbers have two bits, and 0 is the blank.
const PATTERNS: usize = 3;
/// The most tiles of a pattern: labels have three bits, and ranks of permutations sixteen.
const TILES: usize = 8;

/// A constant for each tile on the board, and for each tile on its transpose from place 16 on. Tiles
/// are named by their goal cells on the board.
pub type ByTile = [u32; 32];

/// The tables of a database, as the kernels want them.
pub struct Tables {
    database: Arc<Database>,
    /// More than any bit that is looked up.
    end: u64,
    /// [`dense`](loyd_heuristics::pdb::Coordinates::dense) of the patterns of all sizes.
    pub info: Vec<u64>,
    /// The planes that a tile is in.
    pub planes: ByTile,
    /// Bits from a permutation of the tile's pattern to the next one, and the first bit of the pattern.
    pub stride: ByTile,
    /// See [`stride`](Self::stride).
    pub first: ByTile,
    /// Where the rank of the tile's pattern is among the ranks of a node, and its bits there.
    pub shift: ByTile,
    /// See [`shift`](Self::shift).
    pub mask: ByTile,
    /// The number of the tile's pattern in bits 30 and 31.
    pub tag: ByTile,
    /// For a tile in bits 0 to 3, in the transpose if bit 4 is set: its label in bits 0 to 2, the
    /// number of its pattern in bits 3 and 4. Bit 5 is kept.
    pub codes: [u8; 64],
    /// For a tile as in `codes`: by how many bits the rank of its pattern is shifted in the whole word,
    /// or 64 if the transpose is not looked at.
    pub shifts: [u8; 64],
    /// For a code: what the larger of two labels that pass each other adds to the rank if bit 5 is set,
    /// and takes away if not, in two's complement plus [`BIAS`](Self::BIAS); low bytes and high bytes.
    pub weights: [[u8; 64]; 2],
    /// What a jump over another tile adds to the ranks when the blank moves up or left, by tile that
    /// moves, as in `ByTile`, and tile that is jumped.
    pub jumps: Box<[[u64; 16]; 32]>,
    /// Bit 0 of each half that is looked at.
    pub halves: u64,
}

impl Tables {
    /// What the weights are raised by, so that none is negative.
    pub const BIAS: u16 = 1 << 13;

    /// The board of the goal.
    pub const GOAL: u64 = 0xfedc_ba98_7654_3210;

    /// Whether the kernels can take `database`: boards of 4x4 cells, at most three patterns, of at most eight
    /// tiles.
    pub fn takes(database: &Database) -> bool {
        let (size, parts) = (database.partition().size(), database.parts());
        (size.width(), size.height()) == (4, 4)
            && (1..=PATTERNS).contains(&parts.len())
            && parts.iter().all(|part| part.pattern().tiles() <= TILES)
    }

    /// The tables of `database`, or `None` if the kernels cannot take it.
    pub fn new(database: &Arc<Database>) -> Option<Self> {
        if !Self::takes(database) {
            return None;
        }
        let (partition, parts) = (database.partition(), database.parts());
        let mut info = vec![0; 1 << 16];
        for part in parts {
            for (word, &known) in info.iter_mut().zip(part.coordinates().dense()?) {
                *word |= known;
            }
        }
        let end = |part: &Part| part.first_bit() + part.coordinates().table_bits();
        let none = [0; 32];
        let blank = usize::from(partition.blank());
        let mut tables = Self {
            database: Arc::clone(database),
            end: parts.iter().map(end).max()?,
            info,
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
            halves: if transposed(blank) == blank { 1 | 1 << 32 } else { 1 },
        };
        let mut shift = 0;
        for (number, part) in (1..).zip(parts) {
            tables.add(number, part, shift);
            shift += rank_bits(part);
        }
        tables.add_jumps();
        Some(tables)
    }

    /// The bits of all patterns: every bit that the kernels look up, for positions in which each goal cell is
    /// there once, is one of them.
    pub fn words(&self) -> &[u64] {
        let words = self.database.words();
        let bits = 64 * words.len() as u64;
        assert!(self.end <= bits && bits <= 1 << u32::BITS, "bits are numbered within the tables");
        words
    }

    /// The goal cell of the blank.
    pub fn blank(&self) -> u8 {
        self.database.partition().blank()
    }

    /// Whether the transpose is looked at.
    pub fn reflects(&self) -> bool {
        self.halves > 1
    }

    /// Adds the pattern with this number, whose ranks are shifted by `shift`.
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
                self.tag[tile] = number << node::TAG;
                for (back, code) in [(0, code), (32, code | 32)] {
                    self.codes[tile | back] = code as u8;
                    self.shifts[tile | back] = shift as u8 + 2 * (tile as u8 & 16);
                }
            }
        }
    }

    /// Fills in `jumps` from the weights.
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

    /// The node of a start from which the goal can be reached, without slack, and the sums of the
    /// distances for the board and for its transpose; `None` if the tables are wrong.
    pub fn root(&self, start: &[u8; 16]) -> Option<(Node, [u32; 2])> {
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

        let (mut node, mut sums) = (Node::default(), [0; 2]);
        for (half, (view, distances)) in views.iter().zip(distances.chunks(parts.len())).enumerate()
        {
            self.place(&mut node, 32 * half as u32, &view[..start.len()], distances);
            sums[half] = distances.iter().sum();
        }
        if !self.reflects() {
            sums[1] = sums[0];
        }
        for (cell, &goal) in start.iter().enumerate() {
            node.board |= u64::from(goal) << (4 * cell);
            if goal == self.blank() {
                node.meta |= (node::key(cell, node::ROOT_MOVE) as u64) << node::KEY;
            }
        }
        Some((node, sums))
    }

    /// Fills in the half of a node that begins at bit `into`.
    fn place(&self, node: &mut Node, into: u32, view: &[u8], distances: &[u32]) {
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

/// The bits of a rank of the permutations of a pattern. They come to 29 at most for the patterns of a board:
/// those of seven and eight tiles need 13 and 16.
fn rank_bits(part: &Part) -> u32 {
    64 - (part.coordinates().permutations() - 1).leading_zeros()
}
