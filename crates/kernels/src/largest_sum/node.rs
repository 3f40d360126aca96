//! What a search knows of a board.

use loyd_tiles::Move;

/// The most patterns, those for the transpose of the board included: each is a lane of a few vectors.
pub const LANES: usize = 32;
/// The most sums, those for the transpose included.
pub const SUMS: usize = 16;
/// The most moves of a path: two bits each.
pub const LONGEST: u32 = 256;

/// A board on the way, with what is known of each pattern.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Node {
    /// For each pattern the cells of its tiles, as they lie in its table.
    pub masks: [u32; LANES],
    /// For each pattern the rank of its permutation.
    pub ranks: [u16; LANES],
    /// The goal cell of what lies on each cell, and [`NOTHING`] beyond the board.
    pub board: [u8; 32],
    /// For each sum half of what it may still grow by; negative beyond the bound.
    pub slack: [i8; SUMS],
    /// For each pattern bit 1 of its distance, and bit 0.
    pub bits: u32,
    pub parities: u32,
    /// The state of the automaton of moves.
    pub automaton: u32,
    pub blank: u8,
    /// The moves made so far.
    pub depth: u8,
    /// These moves, two bits each.
    pub path: [u64; LONGEST as usize / 32],
}

/// Stands beyond the board.
pub const NOTHING: u8 = 31;

impl Node {
    /// Nothing is known of it.
    pub const EMPTY: Self = Self {
        masks: [0; LANES],
        ranks: [0; LANES],
        board: [NOTHING; 32],
        slack: [0; SUMS],
        bits: 0,
        parities: 0,
        automaton: 0,
        blank: 0,
        depth: 0,
        path: [0; LONGEST as usize / 32],
    };

    /// Whether slack is below zero.
    #[inline]
    pub fn is_beyond(&self) -> bool {
        let slack: [u64; 2] = bytemuck::cast(self.slack);
        (slack[0] | slack[1]) & 0x8080_8080_8080_8080 != 0
    }

    /// The moves from the start.
    pub fn moves(&self) -> Vec<Move> {
        moves_of(&self.path, self.depth.into())
    }
}

/// The first moves of a path.
pub fn moves_of(path: &[u64], moves: usize) -> Vec<Move> {
    let step = |place: usize| Move::ALL[(path[place / 32] >> (2 * (place % 32))) as usize & 3];
    (0..moves).map(step).collect()
}

/// A child that has not been looked up yet.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Child {
    /// For each of the patterns that have the tile that moves: the cells, the word (of 32 bits) to look up, the bit (in its
    /// lowest five bits) to look at, and the rank of the permutation.
    pub masks: [u32; 8],
    pub words: [u32; 8],
    pub places: [u32; 8],
    pub ranks: [u16; 8],
    /// The node that it is a child of.
    pub parent: u32,
    pub automaton: u32,
    pub tile: u8,
    /// The place of the move in [`Move::ALL`].
    pub step: u8,
    /// Where the blank is.
    pub blank: u8,
    /// The patterns whose blank is not in the largest region.
    pub pockets: u8,
}

impl Child {
    pub const EMPTY: Self = Self {
        masks: [0; 8],
        words: [0; 8],
        places: [0; 8],
        ranks: [0; 8],
        parent: 0,
        automaton: 0,
        tile: 0,
        step: 0,
        blank: 0,
        pockets: 0,
    };
}
