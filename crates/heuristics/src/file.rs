//! The file format of tables.
//!
//! A file holds the table of one [`TableKey`]: additive pattern databases, distances in a tile-class abstraction, or
//! the rows of an automaton. Numbers are little endian:
//!
//! | offset | bytes | contents |
//! |---|---|---|
//! | 0 | 8 | kind of table: `LOYD-PDB`, `LOYD-ALK` or `LOYD-AUT` |
//! | 8 | 4 | [`FORMAT_VERSION`] |
//! | 12 | 4 | H, the length of the header in bytes: a multiple of 4096 |
//! | 16 | 4 | width, height, goal cell of the blank, number of groups of cells; a byte each |
//! | 20 | 8 | W, the number of 64-bit words |
//! | 28 | 4 | CRC-32 of the words |
//! | 32 | | for each group: the number of cells and the cells, a byte each; the number of distances (2 bytes) and the number of states at each distance (8 bytes each) |
//! | … | | zeros |
//! | H − 4 | 4 | CRC-32 of the H − 4 bytes before |
//! | H | 8 W | the words |
//!
//! The groups depend on the kind:
//!
//! * Patterns: one group per pattern, its goal cells. If the blank may end in regions other than the one of its goal
//!   cell, as in partial goals, 128 is added to the number of cells, and the cells are followed by a count byte
//!   and that number of further cells: the first cell of each region.
//! * Tile classes: one group per class. The first group has the distances of the table, the others have none.
//! * Automata: a single group of one "cell", the maximum number of moves in a word. Its "distances" are the numbers of
//!   states by the number of moves they remember. The byte for the goal cell of the blank is 0 for single-tile
//!   moves and 1 for slides.
//!
//! The CRC is the one of Ethernet and zip. It detects every change within 32 consecutive bits, and misses other
//! damage once in 2³² cases. It does not prove that the tables were correct when written; to check that, build them
//! again and compare.

mod automata;
mod contents;
mod header;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::io::{self, Read, Write};

use crc32fast::Hasher;
use loyd_search::{Meter, Stop};

pub use contents::{AnyTableKey, TableKey};
pub use header::{FORMAT_VERSION, FileError, Header};

use crate::pdb::Words;

/// Bytes read or written at a time: few enough that a chunk is still cached when its checksum is computed.
const CHUNK: usize = 1 << 18;

/// Writes the file of `key`. Makes two passes over the words, because their checksum precedes them.
///
/// # Errors
/// Returns the errors of `into`.
pub fn write<K: TableKey>(key: &K, table: &K::Table, into: &mut impl Write) -> io::Result<()> {
    let mut hasher = Hasher::new();
    let hash = |bytes: &[u8]| {
        hasher.update(bytes);
        Ok(())
    };
    let words = K::pieces(table);
    for_each_chunk(&words, hash)?;
    let header = Header {
        contents: key.contents(),
        censuses: K::censuses(table),
        words: words.iter().map(|piece| piece.len() as u64).sum(),
        checksum: hasher.finalize(),
    };
    into.write_all(&header.to_bytes())?;
    for_each_chunk(&words, |bytes| into.write_all(bytes))
}

/// Reads the file of `key`, within the limits of `meter`.
///
/// Cost: little more than copying the file; the checksum adds less than 0.1 ms per megabyte.
///
/// # Errors
/// Returns the reason why the file cannot be used.
pub fn read<K: TableKey>(
    key: &K,
    from: &mut impl Read,
    meter: &mut Meter<'_>,
) -> Result<K::Table, FileError> {
    let header = Header::read_for(key, from)?;
    let lengths = key.piece_lengths(&header.censuses);
    header.expect_words(lengths.iter().sum())?;
    meter.reserve_more(header.word_bytes())?;
    let mut body = Body { from, hasher: Hasher::new() };
    let mut pieces = Vec::new();
    for length in lengths {
        let length = usize::try_from(length).map_err(|_| Stop::Memory)?;
        let mut words = Words::zeroed(length).map_err(|_| Stop::Memory)?;
        for chunk in words.as_bytes_mut().chunks_mut(CHUNK) {
            meter.check()?;
            body.fill(chunk)?;
        }
        words.iter_mut().for_each(|word| *word = u64::from_le(*word));
        pieces.push(words);
    }
    body.finish(header.checksum)?;
    key.restore(pieces, header.censuses).ok_or(FileError::Header("the numbers of states"))
}

impl Header {
    /// Streams the words that follow the header: calls `each` with one chunk after the other. The checksum is compared
    /// after the last chunk, so `each` may have received damaged words when this fails.
    ///
    /// # Errors
    /// Returns the reason why the file cannot be used.
    pub fn read_words(
        &self,
        from: &mut impl Read,
        meter: &mut Meter<'_>,
        mut each: impl FnMut(&[u64]),
    ) -> Result<(), FileError> {
        let mut body = Body { from, hasher: Hasher::new() };
        let mut chunk = vec![0_u64; CHUNK / size_of::<u64>()];
        let mut left = self.words;
        while left > 0 {
            meter.check()?;
            let chunk = &mut chunk[..left.min((CHUNK / size_of::<u64>()) as u64) as usize];
            body.fill(bytemuck::cast_slice_mut(chunk))?;
            chunk.iter_mut().for_each(|word| *word = u64::from_le(*word));
            each(chunk);
            left -= chunk.len() as u64;
        }
        body.finish(self.checksum)
    }
}

/// A reader of the words, with the checksum of all bytes read so far.
struct Body<'a, R> {
    from: &'a mut R,
    hasher: Hasher,
}

impl<R: Read> Body<'_, R> {
    fn fill(&mut self, chunk: &mut [u8]) -> io::Result<()> {
        self.from.read_exact(chunk)?;
        self.hasher.update(chunk);
        Ok(())
    }

    /// Checks that the file ends here and that the checksum matches.
    fn finish(self, checksum: u32) -> Result<(), FileError> {
        if self.from.take(1).read_to_end(&mut Vec::new())? != 0 {
            return Err(FileError::TooLong);
        }
        match self.hasher.finalize() == checksum {
            true => Ok(()),
            false => Err(FileError::Checksum("tables")),
        }
    }
}

/// Calls `each` with the bytes of the words, little endian, one chunk after the other.
fn for_each_chunk(
    words: &[Cow<'_, [u64]>],
    mut each: impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(CHUNK);
    for chunk in words.iter().flat_map(|words| words.chunks(CHUNK / size_of::<u64>())) {
        bytes.clear();
        bytes.extend(chunk.iter().flat_map(|word| word.to_le_bytes()));
        each(&bytes)?;
    }
    Ok(())
}
