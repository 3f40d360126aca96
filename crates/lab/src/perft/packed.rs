//! States packed as the set of displaced tiles.

use super::region::Region;

/// A state packed into words, from the highest bit down: the cell of the blank, then a pair (cell, tile) for each tile
/// that is off its initial cell, in order of cells, then zeros. States are equal if and only if these fields are. The
/// lowest four bits of the last word are not part of the state: they are the mask of moves that lead back to the
/// previous level, each the [inverse](Region::inverse) of a move that reached the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PackedState<const N: usize>(pub [u64; N]);

/// Mask of the move bits.
const MOVES: u64 = 15;

impl<const N: usize> PackedState<N> {
    /// Size of a state in bytes.
    pub const BYTES: usize = 8 * N;

    /// The initial state.
    pub const START: Self = Self([0; N]);

    /// Returns whether the states are equal, ignoring the move bits.
    #[inline]
    pub fn is_same_state(&self, other: &Self) -> bool {
        let differs = self.0[N - 1] ^ other.0[N - 1];
        self.0[..N - 1] == other.0[..N - 1] && differs & !MOVES == 0
    }

    /// Adds the move bits of `other`, which is the same state.
    pub fn add_moves(&mut self, other: &Self) {
        self.0[N - 1] |= other.0[N - 1] & MOVES;
    }

    /// Returns whether `m` leads back to the previous level.
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

/// Layout of the packed states of a region.
pub struct Layout {
    /// Bits per cell; a tile is identified by its initial cell.
    bits: u32,
    /// Maximum number of displaced tiles.
    max_displaced: usize,
}

impl Layout {
    /// Creates the layout for states of `region` with at most `displaced` displaced tiles.
    pub fn new(region: &Region, displaced: u32) -> Self {
        let bits = (region.cells() as u32 - 1).checked_ilog2().map_or(1, |log| log + 1);
        Self { bits, max_displaced: (displaced as usize).min(region.cells() - 1) }
    }

    /// Returns the number of words per state.
    pub fn words(&self) -> usize {
        (self.bits as usize * (1 + 2 * self.max_displaced) + MOVES.count_ones() as usize)
            .div_ceil(64)
    }

    /// Returns the maximum number of displaced tiles that fit in `words` words.
    pub fn max_displaced_in(&self, words: usize) -> u32 {
        (64 * words as u32 - MOVES.count_ones() - self.bits) / (2 * self.bits)
    }
}

/// An unpacked state, reused to avoid allocations.
#[derive(Default)]
pub struct UnpackedState {
    blank: u32,
    /// Pairs (cell, tile) of the displaced tiles.
    displaced: Vec<(u32, u32)>,
}

impl UnpackedState {
    fn read<const N: usize>(&mut self, layout: &Layout, state: &PackedState<N>) {
        let bits = layout.bits;
        self.blank = state.get(0, bits);
        self.displaced.clear();
        for index in 0..layout.max_displaced as u32 {
            let at = bits + 2 * bits * index;
            let tile = state.get(at + bits, bits);
            // Cell 0 is initially the blank's, so no tile has number 0.
            if tile == 0 {
                break;
            }
            self.displaced.push((state.get(at, bits), tile));
        }
    }

    /// Passes all successors of `state` in the next level to `visit`.
    ///
    /// # Errors
    /// Returns the error of `visit`.
    pub fn successors<const N: usize, E>(
        &mut self,
        (region, layout): (&Region, &Layout),
        state: &PackedState<N>,
        mut visit: impl FnMut(PackedState<N>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.read(layout, state);
        for (m, to) in region.moves(self.blank).filter(|&(m, _)| !state.leads_back(m)) {
            let mut child = self.moved(layout, to);
            child.0[N - 1] |= 1 << Region::inverse(m);
            visit(child)?;
        }
        Ok(())
    }

    /// Returns the state after the blank moved to cell `to`.
    fn moved<const N: usize>(&self, layout: &Layout, to: u32) -> PackedState<N> {
        let bits = layout.bits;
        let (mut state, mut at) = (PackedState::START, bits);
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
