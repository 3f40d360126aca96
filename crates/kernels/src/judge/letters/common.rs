//! What all levels of instructions share.

use crate::tables::{UNSOLVABLE, path_word};

/// The longest answer: 31 moves and a line end. Each is written as so many bytes, of which those
/// after the line end are then overwritten by the next.
pub const LONGEST: usize = 32;

/// The letters of the moves by index.
pub const ULRD: [u8; 4] = *b"ulrd";

/// What is said of a board without a path, filled up.
pub const NO_PATH: [u8; LONGEST] = *b"unsolvable\n                     ";

/// The structure that the levels share: `spell` writes the letters of a path word, the word of the
/// unsolvable boards if the flag is set; what follows them does not matter.
#[inline(always)]
pub fn write_lines(
    indices: &[u32],
    out: &mut [u8],
    spell: impl Fn(u64, bool, &mut [u8; LONGEST]),
) -> usize {
    assert!(out.len() >= LONGEST * indices.len(), "there is room for the longest answers");
    let mut used = 0;
    for &index in indices {
        let word = path_word(index);
        // SAFETY: this and all lines before it take `LONGEST` bytes each at most, for which there is room.
        let line = unsafe { &mut *out.as_mut_ptr().add(used).cast() };
        spell(word, index == UNSOLVABLE, line);
        // The sentinel is bit 2n of a path of n moves, after which the line ends.
        used += LONGEST - word.leading_zeros() as usize / 2;
        // SAFETY: no word is 0, so that this is within the line that was just written.
        unsafe { *out.get_unchecked_mut(used - 1) = b'\n' };
    }
    used
}
