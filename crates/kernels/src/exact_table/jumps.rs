//! What the jump of a tile does to the words of a row.
//!
//! A word is a block of [`Turns`] with one of the two parities: the inner orders that can be there.

use loyd_heuristics::pdb::Turns;

/// The labels whose order is kept within a block.
const INNER: usize = 5;

/// Words that are turned together.
const LANES: usize = 8;

/// The words of all orders after a tile has jumped from a place of the order to another.
#[derive(Debug)]
pub struct Jumps {
    tiles: usize,
    /// By place to which the tile jumps, and from which.
    jumps: Vec<Jump>,
    /// By inner turn, twice, and the parity of the inner orders that it leads to.
    turns: Vec<Turn>,
}

#[derive(Debug, Default)]
struct Jump {
    /// Words that go to others as they are: to, from.
    kept: Vec<[u16; 2]>,
    turned: Vec<Turned>,
}

/// Words whose bits are turned in the same way. Where there are too few, the last ones are there again.
#[derive(Debug)]
struct Turned {
    to: [u16; LANES],
    from: [u16; LANES],
    /// The turn, if orders of the row they go to are even; else that beside it.
    turn: usize,
}

/// A turn of the bits of a word: rotated, each bit that comes where it belongs.
type Turn = Vec<(u32, u64)>;

impl Jumps {
    /// The jumps of `tiles` tiles.
    pub fn new(tiles: usize) -> Self {
        let turns = Turns::new(tiles);
        let places = (0..tiles).flat_map(|to| (0..tiles).map(move |from| (to, from)));
        let inner = turns.inner().iter().flat_map(|&turn| turns.sources(turn));
        Self {
            tiles,
            jumps: places.map(|(to, from)| Jump::new(&turns, tiles, (from, to))).collect(),
            turns: inner.map(|sources| rotations(&sources)).collect(),
        }
    }

    /// Adds to the row `into`, whose orders have this parity, what comes `from` another by the jump of a
    /// tile between these places.
    #[inline(always)]
    pub fn flow(&self, jump: u8, parity: usize, from: &[u64], into: &mut [u64]) {
        let jump = &self.jumps[usize::from(jump)];
        for &[to, source] in &jump.kept {
            into[usize::from(to)] |= from[usize::from(source)];
        }
        for Turned { to, from: sources, turn } in &jump.turned {
            let words = sources.map(|source| from[usize::from(source)]);
            let mut turned = [0; LANES];
            for &(places, mask) in &self.turns[turn ^ parity] {
                for (turned, word) in turned.iter_mut().zip(words) {
                    *turned |= word.rotate_right(places) & mask;
                }
            }
            for (&to, turned) in to.iter().zip(turned) {
                into[usize::from(to)] |= turned;
            }
        }
    }

    /// The number of the jump from one place of the order to another.
    pub fn number(&self, from: usize, to: usize) -> u8 {
        (to * self.tiles + from) as u8
    }
}

impl Jump {
    fn new(turns: &Turns, tiles: usize, (from, to): (usize, usize)) -> Self {
        let mut jump = Self::default();
        let mut groups = vec![Vec::new(); 2 * turns.inner().len()];
        for (to, &(from, inner)) in turns.turn(from, to).blocks.iter().enumerate() {
            match inner {
                0 => jump.kept.push([to as u16, from]),
                _ => {
                    groups[2 * usize::from(inner) + outer_parity(tiles, to)]
                        .push((to as u16, from));
                }
            }
        }
        for (turn, group) in groups.iter().enumerate() {
            jump.turned.extend(group.chunks(LANES).map(|words| {
                let word = |lane: usize| words[lane.min(words.len() - 1)];
                Turned {
                    to: std::array::from_fn(|lane| word(lane).0),
                    from: std::array::from_fn(|lane| word(lane).1),
                    turn,
                }
            }));
        }
        jump
    }
}

/// The parity of the outer digits of a block, which with that of the inner order makes the whole.
fn outer_parity(tiles: usize, mut block: usize) -> usize {
    let mut inversions = 0;
    for choices in INNER + 1..=tiles {
        inversions += block % choices;
        block /= choices;
    }
    inversions % 2
}

/// The rotations that bring each bit from where `sources` says.
fn rotations(sources: &[u8; 64]) -> Turn {
    let mut masks = [0_u64; 64];
    for (bit, &source) in sources.iter().enumerate() {
        masks[(usize::from(source) + 64 - bit) % 64] |= 1 << bit;
    }
    let masks = (0..).zip(masks);
    masks.filter(|&(_, mask)| mask != 0).collect()
}
