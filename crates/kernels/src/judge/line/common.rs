//! What all levels of instructions share.

use crate::judge::tokens::number;
use crate::tables::{path_index, prefetch_path_word};

/// Lines whose path words are asked for before the first of them is used.
pub const BATCH: usize = 64;

/// The length of a regular line that ends in a line feed.
pub const UNIX: usize = 18;
/// The length of a regular line that ends in a carriage return and a line feed.
pub const WINDOWS: usize = 19;

/// The path word of a line, and a request for its cache line; `None` if the line does not end as it
/// should or is not a board. `first` and `second` are the first and the second four tiles as digits
/// in base nine, with a fifth digit of 0 for the last tile.
#[inline(always)]
pub fn path_index_of<const LENGTH: usize>(
    line: &[u8; LENGTH],
    first: u32,
    second: u32,
) -> Option<u32> {
    let ends = if LENGTH == UNIX { line[17] == b'\n' } else { line[17..] == *b"\r\n" };
    if !ends {
        return None;
    }
    let index = path_index(first, second + LAST_TILE[usize::from(line[16])])?;
    prefetch_path_word(index);
    Some(index)
}

/// The number of the last tile by its byte; for other bytes one that no board reaches.
const LAST_TILE: [u32; 256] = {
    let mut numbers = [9_u32.pow(5); 256];
    let mut byte = 0;
    while byte < 256 {
        if let Some(number) = number(byte as u8) {
            numbers[byte] = number as u32;
        }
        byte += 1;
    }
    numbers
};
