//! Placements: the unit in which sets of whole-board states are stored and advanced.
//!
//! A *placement* gives the cells of the blank and of the first few tiles, the *placed* ones. The other tiles, at most
//! eight, are *permuted*: a state of the placement is their order in reading order of the cells left over. Each move
//! leads from all states of one placement to states of one other.
//!
//! # Layout
//! The states of a placement are a bit set in k!/5! consecutive words, where k is the number of permuted tiles. The
//! tiles are labelled in the order of their goal cells.
//!
//! | part | meaning |
//! |---|---|
//! | word w of the placement | outer index w: positions of the first k − 5 permuted labels |
//! | bit i, 0 to 59 | the order of the last five labels: inner rank 2i or 2i + 1, whichever has the right parity |
//!
//! Only one parity of the permutation is reachable in a placement, hence half of the 120 inner permutations, which fit
//! into one word. Which of the two inner ranks a bit stands for follows from the parities of the placement
//! ([`is_odd`]) and of the outer index. For k up to 5 there is one word, with ⌈k!/2⌉ bits.
//!
//! # Moves
//! A move along a row, and a move of a placed tile, leave the permutation alone: words are copied. A permuted tile that
//! moves along a column jumps over `width − 1` cells. This maps words to words and permutes the bits within each by
//! one of few inner permutations; see [`Jumps`].
//!
//! [`Edges`] is the graph of placements: which placements lead to which by single moves of the blank.
//!
//! # Jumps
//! A word holds the inner permutations of one parity of a block of [`PermutationTables`]. A jump takes each word of the
//! target placement from one word of the source, and permutes its 60 bits in one of at most 17 ways. Each way and
//! parity has a list of (rotation, mask): bits that move by the same distance are rotated together and masked.
//!
//! Words permuted in the same way are processed eight at a time, one per lane. The code is plain Rust; compiled with
//! AVX-512, a group is one register and a rotation one instruction; with AVX2, two registers and two shifts each.
//!
//! | table | index | entry |
//! |---|---|---|
//! | `jumps` | to × k + from (positions in the permutation) | words to copy, and groups of words to permute |
//! | `permutations` | 2 × inner permutation + parity of the target word's inner permutations | rotations and masks |

use std::ops::{Deref, DerefMut};

use loyd_heuristics::pdb::PermutationTables;
use loyd_heuristics::pdb::levels::Source;
use loyd_search::{Meter, Stop};
use loyd_tiles::{Move, Size};

/// Maximum number of permuted tiles.
const MAX_PERMUTED: usize = 8;
/// Number of labels whose order is within a word.
const INNER: usize = 5;
/// Number of permutation ranks per word, half of them reachable: 5!.
pub const WORD_PERMUTATIONS: usize = 120;

/// Number of placements between two checks of the limits while their moves are collected, a few milliseconds.
pub const CHECKED: usize = 1 << 14;
/// Number of words permuted together.
const LANES: usize = 8;

/// Returns how many tiles are placed and how many are permuted on boards of `size`. On a line the order of the tiles
/// never changes, so none is placed and a single one is permuted.
pub fn split_tiles(size: Size) -> (usize, usize) {
    let permuted = if size.is_line() { 1 } else { size.tiles().min(MAX_PERMUTED) };
    (if size.is_line() { 0 } else { size.tiles() - permuted }, permuted)
}

/// Returns the number of words of a placement: k!/5! for k permuted tiles, at least 1.
pub fn words_per_placement(permuted: usize) -> usize {
    (6..=permuted).product()
}

/// Returns the number of reachable states on boards of `size`.
pub fn state_count(size: Size) -> u64 {
    let permutations = if size.is_line() { 1 } else { (3..=size.tiles() as u64).product() };
    size.cells() as u64 * permutations
}

/// The cells of the blank and of the placed tiles, at most eight, without an allocation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cells {
    cells: [u8; 8],
    len: u8,
}

impl Cells {
    /// Appends the cell of the next tile.
    pub fn push(&mut self, cell: u8) {
        self.cells[usize::from(self.len)] = cell;
        self.len += 1;
    }
}

impl From<&[u8]> for Cells {
    fn from(from: &[u8]) -> Self {
        let mut cells = Self::default();
        from.iter().for_each(|&cell| cells.push(cell));
        cells
    }
}

impl Deref for Cells {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.cells[..self.len.into()]
    }
}

impl DerefMut for Cells {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.cells[..self.len.into()]
    }
}

/// Returns the set of these cells: bit i is set if cell i is among them.
pub fn cell_set(cells: &[u8]) -> u32 {
    cells.iter().fold(0, |set, &cell| set | 1 << cell)
}

/// Moves the blank to its neighbour `to`, where `cells` has the cells of the blank and of the placed tiles.
///
/// Returns the new placement and, if a permuted tile moves to another position of the permutation, its old and its new
/// position.
pub fn moved(cells: &[u8], to: u8) -> (Cells, Option<(usize, usize)>) {
    let mut moved = Cells::from(cells);
    moved[0] = to;
    if let Some(label) = cells[1..].iter().position(|&cell| cell == to) {
        moved[1 + label] = cells[0];
        return (moved, None);
    }
    // The other permuted tiles are on these cells.
    let permuted = !(cell_set(cells) | 1 << to);
    let earlier = |end: u8| (permuted & ((1 << end) - 1)).count_ones() as usize;
    let places = (earlier(to), earlier(cells[0]));
    (moved, (places.0 != places.1).then_some(places))
}

/// Returns whether the reachable permutations are odd when the blank and the placed tiles are on `cells`, and the goal
/// cell of the blank is `goal`.
///
/// A vertical move carries a tile past `width − 1` others. So the order of all tiles is even for odd widths, and for
/// even widths has the parity of the number of rows between the blank and its goal cell. Subtracting the inversions in
/// which a placed tile is the smaller one leaves the parity of the permuted tiles.
pub fn is_odd(size: Size, goal: u8, cells: &[u8]) -> bool {
    let row = |cell: u8| usize::from(cell) / size.width();
    let whole = if size.width().is_multiple_of(2) { row(cells[0]) + row(goal) } else { 0 };
    // The tiles before a placed tile are larger, except for smaller placed tiles; the blank does not count.
    let (mut larger, mut taken) = (0, 1 << cells[0]);
    for &cell in &cells[1..] {
        larger += usize::from(cell) - (taken & ((1_u32 << cell) - 1)).count_ones() as usize;
        taken |= 1 << cell;
    }
    (whole + larger) % 2 == 1
}

/// A move from a placement into another.
#[derive(Clone, Copy, Debug)]
struct Edge {
    /// Number of the source placement.
    from: u32,
    /// The jump of a permuted tile, or `None` if the permutation does not change.
    jump: Option<u8>,
}

/// The edges into each of a run of consecutive placements.
#[derive(Debug, Default)]
pub struct Edges {
    edges: Vec<Edge>,
    /// By placement: end of its edges in `edges`. They start at the end of the previous placement's.
    ends: Vec<u32>,
    /// By placement: whether its permutations are odd.
    parities: Vec<bool>,
}

impl Edges {
    /// Collects the edges into `placements`, given as the cells of the blank and of the placed tiles, on boards of
    /// `size` with the blank's goal cell `goal`. `number` returns the number of a placement.
    ///
    /// # Errors
    /// The limit of `meter` that was reached.
    pub fn new(
        (size, goal): (Size, u8),
        jumps: &Jumps,
        placements: impl Iterator<Item = impl Deref<Target = [u8]>>,
        number: impl Fn(&[u8]) -> u32,
        meter: &mut Meter<'_>,
    ) -> Result<Self, Stop> {
        let (count, _) = placements.size_hint();
        let mut edges = Self {
            edges: Vec::with_capacity(Move::ALL.len() * count),
            ends: Vec::with_capacity(count),
            parities: Vec::with_capacity(count),
        };
        let neighbours =
            |cell| Move::ALL.map(|m| size.neighbour(cell, m).map(|to| to.index() as u8));
        let neighbours: Vec<_> = size.iter_cells().map(neighbours).collect();
        for cells in placements {
            if edges.placements().is_multiple_of(CHECKED) {
                meter.check()?;
            }
            // Moves are reversible: the neighbours of a placement are its sources, and the jump goes the other way.
            for to in neighbours[usize::from(cells[0])].into_iter().flatten() {
                let (source, places) = moved(&cells, to);
                let jump = places.map(|(here, there)| jumps.number(there, here));
                edges.edges.push(Edge { from: number(&source), jump });
            }
            edges.ends.push(edges.edges.len() as u32);
            edges.parities.push(is_odd(size, goal, &cells));
        }
        Ok(edges)
    }

    /// Returns the number of placements.
    pub fn placements(&self) -> usize {
        self.ends.len()
    }

    /// Returns the memory used, in bytes.
    pub fn bytes(&self) -> u64 {
        let edges = size_of_val(&*self.edges) + size_of_val(&*self.ends);
        (edges + size_of_val(&*self.parities)) as u64
    }

    /// Collects in `reached` the states of `placement` that one move from `source` reaches. Returns `false`, leaving
    /// `reached` as it was, if no source placement changed in the last level.
    #[inline(always)]
    pub fn gather(
        &self,
        jumps: &Jumps,
        placement: usize,
        source: &Source<'_, u64>,
        reached: &mut [u64],
    ) -> bool {
        let start = if placement == 0 { 0 } else { self.ends[placement - 1] };
        let edges = &self.edges[start as usize..self.ends[placement] as usize];
        let is_fresh = |edge: &&Edge| source.fresh[edge.from as usize];
        let mut edges = edges.iter().filter(is_fresh).peekable();
        if edges.peek().is_none() {
            return false;
        }
        reached.fill(0);
        for edge in edges {
            let from = &source.reached[edge.from as usize * reached.len()..][..reached.len()];
            match edge.jump {
                Some(jump) => jumps.apply(jump, self.parities[placement].into(), from, reached),
                None => reached.iter_mut().zip(from).for_each(|(into, from)| *into |= from),
            }
        }
        true
    }
}

/// All jumps of a tile from one position of the permutation to another.
#[derive(Debug)]
pub struct Jumps {
    /// Number of permuted tiles, k.
    tiles: usize,
    /// By target and source position of the jumping tile.
    jumps: Vec<Jump>,
    /// By inner permutation and parity of the inner permutations in the target word.
    permutations: Vec<Rotations>,
}

/// The effect of a jump on the words of a placement.
#[derive(Debug, Default)]
struct Jump {
    /// Words that are copied: [target, source].
    unpermuted: Vec<[u16; 2]>,
    permuted: Vec<Permuted>,
}

/// Words whose bits are permuted in the same way. A group with fewer words repeats the last one; adding it twice does
/// no harm.
#[derive(Debug)]
struct Permuted {
    /// Target words.
    to: [u16; LANES],
    /// Source words.
    from: [u16; LANES],
    /// Index into [`Jumps::permutations`] for a target placement with even permutations. With odd ones, the parity of
    /// the inner permutations is the other one, and so is the lowest bit of the index.
    permutation: usize,
}

/// A permutation of the bits of a word: for each distance a rotation to the right, and a mask of the bits that have
/// arrived where they belong.
type Rotations = Vec<(u32, u64)>;

impl Jumps {
    /// Computes the jumps for `tiles` permuted tiles.
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

    /// Applies a [jump](Self::number) to the states `from` of one placement and adds the results to `into`, the states
    /// of a placement whose permutations have this `parity`.
    #[inline(always)]
    pub fn apply(&self, jump: u8, parity: usize, from: &[u64], into: &mut [u64]) {
        let jump = &self.jumps[usize::from(jump)];
        for &[to, source] in &jump.unpermuted {
            into[usize::from(to)] |= from[usize::from(source)];
        }
        for Permuted { to, from: sources, permutation } in &jump.permuted {
            // Lane i holds the source word of target word to[i].
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

    /// Returns the memory used, in bytes.
    pub fn bytes(&self) -> u64 {
        let jump = |jump: &Jump| {
            size_of::<Jump>() + size_of_val(&*jump.unpermuted) + size_of_val(&*jump.permuted)
        };
        let rotations = |rotations: &Rotations| size_of_val(rotations) + size_of_val(&**rotations);
        let jumps: usize = self.jumps.iter().map(jump).sum();
        (jumps + self.permutations.iter().map(rotations).sum::<usize>()) as u64
    }

    /// Returns the number of the jump between two positions of the permutation.
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
                0 => jump.unpermuted.push([to as u16, from]),
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

/// Returns the parity of the inversions that the outer index of a block stands for. Together with the parity of the
/// inner permutation it is the parity of the whole.
///
/// The index is a number in the factorial system: its digits, with bases 6 to k from the lowest on, are the numbers of
/// larger labels before each outer label.
fn outer_parity(tiles: usize, mut block: usize) -> usize {
    let mut inversions = 0;
    for choices in INNER + 1..=tiles {
        inversions += block % choices;
        block /= choices;
    }
    inversions % 2
}

/// Returns the rotations that bring bit `sources[i]` to bit i, for all i: a rotation to the right by their difference.
fn rotations(sources: &[u8; 64]) -> Rotations {
    let mut masks = [0_u64; 64];
    for (bit, &source) in sources.iter().enumerate() {
        masks[(usize::from(source) + 64 - bit) % 64] |= 1 << bit;
    }
    let masks = (0..).zip(masks);
    masks.filter(|&(_, mask)| mask != 0).collect()
}
