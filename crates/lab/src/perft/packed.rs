//! States as the small sets of tiles that are not where they began.

use super::region::Region;

/// A state in words: the cell of the blank, then each tile that is not on its first cell as that cell and the tile, in
/// the order of cells, then zeros. States are equal if and only if these are. The last four bits are no part of
/// it: they say by which moves it came from the level before, [inverted](Region::inverse).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Packed<const N: usize>(pub [u64; N]);

/// The bits for moves.
const MOVES: u64 = 15;

impl<const N: usize> Packed<N> {
    /// The bytes that a state takes.
    pub const BYTES: usize = 8 * N;

    /// The state of the beginning.
    pub const START: Self = Self([0; N]);

    /// Whether the states are equal, whichever moves led there.
    #[inline]
    pub fn is(&self, other: &Self) -> bool {
        let differs = self.0[N - 1] ^ other.0[N - 1];
        self.0[..N - 1] == other.0[..N - 1] && differs & !MOVES == 0
    }

    /// Adds the moves that led to `other`, which is the same state.
    pub fn add_moves(&mut self, other: &Self) {
        self.0[N - 1] |= other.0[N - 1] & MOVES;
    }

    /// Whether `m` leads back to the level before.
    fn leads_back(&self, m: usize) -> bool {
        self.0[N - 1] >> m & 1 == 1
    }

    fn put(&mut self, at: u32, value: u32, bits: u32) {
        let (word, value) = ((at / 64) as usize, u64::from(value));
        let end = at % 64 + bits;
        if end <= 64 {
            self.0[word] |= value << (64 - end);
        } else {
            self.0[word] |= value >> (end - 64);
            self.0[word + 1] |= value << (128 - end);
        }
    }

    fn get(&self, at: u32, bits: u32) -> u32 {
        let (word, end) = ((at / 64) as usize, at % 64 + bits);
        let value = match end {
            ..=64 => self.0[word] >> (64 - end),
            _ => self.0[word] << (end - 64) | self.0[word + 1] >> (128 - end),
        };
        (value & ((1 << bits) - 1)) as u32
    }
}

/// How states of a region are packed.
pub struct Layout {
    /// The bits of a cell; a tile is named by its first cell.
    bits: u32,
    /// The tiles for which there is room.
    most: usize,
}

impl Layout {
    /// The layout for states of `region` in which at most `displaced` tiles are not on their first cells.
    pub fn new(region: &Region, displaced: u32) -> Self {
        let bits = (region.cells() as u32 - 1).checked_ilog2().map_or(1, |log| log + 1);
        Self { bits, most: (displaced as usize).min(region.cells() - 1) }
    }

    /// The words that a state takes.
    pub fn words(&self) -> usize {
        (self.bits as usize * (1 + 2 * self.most) + MOVES.count_ones() as usize).div_ceil(64)
    }

    /// How many tiles may be displaced in `words` words.
    pub fn most_displaced(&self, words: usize) -> u32 {
        (64 * words as u32 - MOVES.count_ones() - self.bits) / (2 * self.bits)
    }
}

/// A state taken apart; kept to save its memory.
#[derive(Default)]
pub struct Unpacked {
    blank: u32,
    /// Cells, and the tiles on them that began elsewhere.
    displaced: Vec<(u32, u32)>,
}

impl Unpacked {
    fn read<const N: usize>(&mut self, layout: &Layout, state: &Packed<N>) {
        let bits = layout.bits;
        self.blank = state.get(0, bits);
        self.displaced.clear();
        for index in 0..layout.most as u32 {
            let at = bits + 2 * bits * index;
            let tile = state.get(at + bits, bits);
            // The tile of cell 0 is the blank.
            if tile == 0 {
                break;
            }
            self.displaced.push((state.get(at, bits), tile));
        }
    }

    /// Gives `found` all neighbours of `state` but those of the level before.
    ///
    /// # Errors
    /// That of `found`.
    pub fn successors<const N: usize, E>(
        &mut self,
        (region, layout): (&Region, &Layout),
        state: &Packed<N>,
        mut found: impl FnMut(Packed<N>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.read(layout, state);
        for (m, to) in region.moves(self.blank).filter(|&(m, _)| !state.leads_back(m)) {
            let mut child = self.moved(layout, to);
            child.0[N - 1] |= 1 << Region::inverse(m);
            found(child)?;
        }
        Ok(())
    }

    /// The state after the blank has gone to the cell `to`.
    fn moved<const N: usize>(&self, layout: &Layout, to: u32) -> Packed<N> {
        let bits = layout.bits;
        let (mut state, mut at) = (Packed::START, bits);
        state.put(0, to, bits);
        let mut add = |(cell, tile): (u32, u32)| {
            state.put(at, cell, bits);
            state.put(at + bits, tile, bits);
            at += 2 * bits;
        };
        let tile = self.displaced.iter().find(|entry| entry.0 == to).map_or(to, |entry| entry.1);
        let mut moved = (tile != self.blank).then_some((self.blank, tile));
        for &entry in self.displaced.iter().filter(|entry| entry.0 != to) {
            if let Some(first) = moved.take_if(|moved| moved.0 < entry.0) {
                add(first);
            }
            add(entry);
        }
        moved.into_iter().for_each(add);
        state
    }
}
