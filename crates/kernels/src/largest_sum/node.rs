//! Search nodes and the children that wait for their table lookups.
//!
//! **Lanes.** A *lane* is one pattern, seen on the board or on its transpose; lane `i` has the `i`-th element of each
//! per-lane array and bit `i` of each set of lanes. A tile is in at most eight lanes. For the tile that moves, those
//! lanes are packed into the eight *slots* of one vector: a [`Node`] is indexed by lane, a [`Child`] by slot.
//!
//! # Layout of a node (320 bytes, five cache lines)
//!
//! | offset | field | element | meaning |
//! |---|---|---|---|
//! | 0 | `masks` | 32 × 32 bits | per lane: set of cells with tiles of the pattern, as cells of its table |
//! | 128 | `ranks` | 32 × 16 bits | per lane: rank of the permutation of the pattern's tiles, below 8! |
//! | 192 | `board` | 32 × 8 bits | per cell: goal cell of the tile or blank on it; [`OFF_BOARD`] past the board |
//! | 224 | `slack` | 16 × 8 bits | per sum: (bound − moves − sum) / 2 |
//! | 240 | `bits` | 32 × 1 bit | per lane: bit 1 of the distance of the pattern |
//! | 244 | `parities` | 32 × 1 bit | per lane: bit 0 of that distance |
//! | 248 | `automaton` | 32 bits | state of the move automaton |
//! | 252 | `blank` | 8 bits | cell of the blank |
//! | 253 | `depth` | 8 bits | number of moves from the start |
//! | 256 | `path` | 256 × 2 bits | move `i` is in bits `2(i % 32)` of word `i / 32` |
//!
//! The first two fields fill whole cache lines: AVX-512 reads all masks in two loads and all ranks in one.
//! Distances are known modulo 4 only: a move changes them by exactly 1, and their growth, not their value, updates
//! `slack`.
//!
//! # Layout of a child (128 bytes, two cache lines)
//!
//! | offset | field | element | meaning |
//! |---|---|---|---|
//! | 0 | `masks` | 8 × 32 bits | per slot: the new mask |
//! | 32 | `words` | 8 × 32 bits | per slot: index of the 32-bit table word that holds the bit to look up |
//! | 64 | `q` | 8 × 32 bits | per slot: number of the layout; its lowest five bits select the bit of that word |
//! | 96 | `ranks` | 8 × 16 bits | per slot: the new rank |
//! | 112 | `parent` | 32 bits | index of the parent node in the engine |
//! | 116 | `automaton` | 32 bits | state of the move automaton |
//! | 120 | `tile` | 8 bits | the tile that moves, by its goal cell |
//! | 121 | `step` | 8 bits | index of the move in [`Move::ALL`] |
//! | 122 | `blank` | 8 bits | new cell of the blank |
//! | 123 | `off_region` | 8 × 1 bit | per slot: the blank is outside the largest region of the mask |

use loyd_tiles::Move;

/// Maximum number of lanes, those for the transpose included: four vectors of eight.
pub const LANES: usize = 32;
/// Maximum number of sums, those for the transpose included.
pub const SUMS: usize = 16;
/// Maximum number of moves of a path, at two bits each.
pub const MAX_MOVES: u32 = 256;

/// A board on the current path with the state of each pattern; see the [module](self) for the layout.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Node {
    /// Per lane: set of cells of the pattern's tiles, in the orientation of its table.
    pub masks: [u32; LANES],
    /// Per lane: rank of the permutation of the pattern's tiles.
    pub ranks: [u16; LANES],
    /// Per cell: goal cell of the tile or blank on it, or [`OFF_BOARD`].
    pub board: [u8; 32],
    /// Per sum: half of bound − depth − sum. The bound cuts the node if one is negative.
    pub slack: [i8; SUMS],
    /// Set of lanes whose distance has bit 1 set.
    pub bits: u32,
    /// Set of lanes whose distance is odd.
    pub parities: u32,
    /// State of the move automaton.
    pub automaton: u32,
    /// Cell of the blank.
    pub blank: u8,
    /// Number of moves from the start.
    pub depth: u8,
    /// The moves from the start, two bits each.
    pub path: [u64; MAX_MOVES as usize / 32],
}

/// Content of the cells beyond the board. No tile has this number, so its table rows are zero.
pub const OFF_BOARD: u8 = 31;

impl Node {
    /// A node without content, to be overwritten.
    pub const EMPTY: Self = Self {
        masks: [0; LANES],
        ranks: [0; LANES],
        board: [OFF_BOARD; 32],
        slack: [0; SUMS],
        bits: 0,
        parities: 0,
        automaton: 0,
        blank: 0,
        depth: 0,
        path: [0; MAX_MOVES as usize / 32],
    };

    /// Returns whether any sum exceeds the bound.
    #[inline]
    pub fn is_past_bound(&self) -> bool {
        let slack: [u64; 2] = bytemuck::cast(self.slack);
        // The sign bits of eight bytes at a time.
        (slack[0] | slack[1]) & 0x8080_8080_8080_8080 != 0
    }

    /// Returns the moves from the start.
    pub fn moves(&self) -> Vec<Move> {
        moves_of(&self.path, self.depth.into())
    }
}

/// Returns the first `moves` moves of a path.
pub fn moves_of(path: &[u64], moves: usize) -> Vec<Move> {
    let step = |place: usize| Move::ALL[(path[place / 32] >> (2 * (place % 32))) as usize & 3];
    (0..moves).map(step).collect()
}

/// A child before its table lookups; see the [module](self) for the layout.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Child {
    /// Per slot: set of cells of the pattern's tiles after the move.
    pub masks: [u32; 8],
    /// Per slot: index of the 32-bit table word to look up.
    pub words: [u32; 8],
    /// Per slot: number of the layout. Between [`Steps::child`](super::steps::Steps::child) and
    /// [`Tables::fix_up`](super::tables::Tables::fix_up) it is the rank of the mask, which is the number of the layout
    /// unless the slot is in `off_region`.
    pub q: [u32; 8],
    /// Per slot: rank of the permutation after the move.
    pub ranks: [u16; 8],
    /// Index of the parent among the nodes of the engine.
    pub parent: u32,
    /// State of the move automaton after the move.
    pub automaton: u32,
    /// The tile that moves, by its goal cell.
    pub tile: u8,
    /// Index of the move in [`Move::ALL`].
    pub step: u8,
    /// Cell of the blank after the move.
    pub blank: u8,
    /// Set of slots in which the blank is outside the largest region.
    pub off_region: u8,
}

impl Child {
    /// A child without content, to be overwritten.
    pub const EMPTY: Self = Self {
        masks: [0; 8],
        words: [0; 8],
        q: [0; 8],
        ranks: [0; 8],
        parent: 0,
        automaton: 0,
        tile: 0,
        step: 0,
        blank: 0,
        off_region: 0,
    };
}
