//! Letters by table, four moves at a time.

use super::common::{LONGEST, NO_PATH, ULRD, write_lines};

/// The letters of four moves by their eight bits, the first move in the lowest.
static FOUR_MOVES: [[u8; 4]; 256] = {
    let mut letters = [[0; 4]; 256];
    let mut moves = 0;
    while moves < 256 {
        let mut i = 0;
        while i < 4 {
            letters[moves][i] = ULRD[moves >> (2 * i) & 3];
            i += 1;
        }
        moves += 1;
    }
    letters
};

/// See [`write`](super::write).
pub fn write(indices: &[u32], out: &mut [u8]) -> usize {
    write_lines(indices, out, spell)
}

#[inline(always)]
fn spell(word: u64, no_path: bool, out: &mut [u8; LONGEST]) {
    for (four, byte) in out.as_chunks_mut().0.iter_mut().zip(word.to_le_bytes()) {
        *four = FOUR_MOVES[usize::from(byte)];
    }
    // Half of all boards have no path, in no order: choosing by mask costs less than a branch that
    // cannot be foreseen.
    let keep = u64::from(no_path).wrapping_sub(1);
    let eights = out.as_chunks_mut().0.iter_mut().zip(NO_PATH.as_chunks().0);
    for (eight, &other) in eights.take(2) {
        let chosen = u64::from_ne_bytes(*eight) & keep | u64::from_ne_bytes(other) & !keep;
        *eight = chosen.to_ne_bytes();
    }
}
