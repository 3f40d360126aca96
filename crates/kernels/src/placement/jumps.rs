//! What the jump of a tile does to the words of a placement.
//!
//! A word is a block of [`PermutationTables`] with one of the two parities: the inner permutations that can occur there.

use loyd_heuristics::pdb::PermutationTables;

/// The labels whose order is kept within a block.
const INNER: usize = 5;

/// Words that are permuted together.
const LANES: usize = 8;

/// The words of all permutations after a tile has jumped from one place in them to another.
#[derive(Debug)]
pub struct Jumps {
    tiles: usize,
    /// By place to which the tile jumps, and from which.
    jumps: Vec<Jump>,
    /// By inner permutation, twice, and the parity of the inner permutations that it leads to.
    permutations: Vec<Rotations>,
}

#[derive(Debug, Default)]
struct Jump {
    /// Words that go to others as they are: to, from.
    kept: Vec<[u16; 2]>,
    permuted: Vec<Permuted>,
}

/// Words whose bits are permuted in the same way. Where there are too few, the last ones are there again.
#[derive(Debug)]
struct Permuted {
    to: [u16; LANES],
    from: [u16; LANES],
    /// The permutation, if permutations of the placement they go to are even; else that beside it.
    permutation: usize,
}

/// A permutation of the bits of a word: rotated, each bit that comes where it belongs.
type Rotations = Vec<(u32, u64)>;

impl Jumps {
    /// The jumps of `tiles` tiles.
    pub fn new(tiles: usize) -> Self {
        let permutations = PermutationTables::new(tiles);
        let places = (0..tiles).flat_map(|to| (0..tiles).map(move |from| (to, from)));
        let inner =
            permutations.inner().iter().flat_map(|&permutation| permutations.sources(permutation));
        Self {
            tiles,
            jumps: places.map(|(to, from)| Jump::new(&permutations, tiles, (from, to))).collect(),
            permutations: inner.map(|sources| rotations(&sources)).collect(),
        }
    }

    /// Adds to the placement `into`, whose permutations have this parity, what comes `from` another by the jump of a
    /// tile between these places.
    #[inline(always)]
    pub fn flow(&self, jump: u8, parity: usize, from: &[u64], into: &mut [u64]) {
        let jump = &self.jumps[usize::from(jump)];
        for &[to, source] in &jump.kept {
            into[usize::from(to)] |= from[usize::from(source)];
        }
        for Permuted { to, from: sources, permutation } in &jump.permuted {
            let words = sources.map(|source| from[usize::from(source)]);
            let mut permuted = [0; LANES];
            for &(places, mask) in &self.permutations[permutation ^ parity] {
                for (permuted, word) in permuted.iter_mut().zip(words) {
                    *permuted |= word.rotate_right(places) & mask;
                }
            }
            for (&to, permuted) in to.iter().zip(permuted) {
                into[usize::from(to)] |= permuted;
            }
        }
    }

    /// The bytes that this takes.
    pub fn bytes(&self) -> u64 {
        let jump = |jump: &Jump| {
            size_of::<Jump>() + size_of_val(&*jump.kept) + size_of_val(&*jump.permuted)
        };
        let rotations = |rotations: &Rotations| size_of_val(rotations) + size_of_val(&**rotations);
        let jumps: usize = self.jumps.iter().map(jump).sum();
        (jumps + self.permutations.iter().map(rotations).sum::<usize>()) as u64
    }

    /// The number of the jump from one place of the permutation to another.
    pub fn number(&self, from: usize, to: usize) -> u8 {
        (to * self.tiles + from) as u8
    }
}

impl Jump {
    fn new(permutations: &PermutationTables, tiles: usize, (from, to): (usize, usize)) -> Self {
        let mut jump = Self::default();
        let mut groups = vec![Vec::new(); 2 * permutations.inner().len()];
        for (to, &(from, inner)) in permutations.jump(from, to).blocks.iter().enumerate() {
            match inner {
                0 => jump.kept.push([to as u16, from]),
                _ => {
                    groups[2 * usize::from(inner) + outer_parity(tiles, to)]
                        .push((to as u16, from));
                }
            }
        }
        for (permutation, group) in groups.iter().enumerate() {
            jump.permuted.extend(group.chunks(LANES).map(|words| {
                let word = |lane: usize| words[lane.min(words.len() - 1)];
                Permuted {
                    to: std::array::from_fn(|lane| word(lane).0),
                    from: std::array::from_fn(|lane| word(lane).1),
                    permutation,
                }
            }));
        }
        jump
    }
}

/// The parity of the outer digits of a block, which with that of the inner permutation makes that of the whole.
fn outer_parity(tiles: usize, mut block: usize) -> usize {
    let mut inversions = 0;
    for choices in INNER + 1..=tiles {
        inversions += block % choices;
        block /= choices;
    }
    inversions % 2
}

/// The rotations that bring each bit from where `sources` says.
fn rotations(sources: &[u8; 64]) -> Rotations {
    let mut masks = [0_u64; 64];
    for (bit, &source) in sources.iter().enumerate() {
        masks[(usize::from(source) + 64 - bit) % 64] |= 1 << bit;
    }
    let masks = (0..).zip(masks);
    masks.filter(|&(_, mask)| mask != 0).collect()
}
