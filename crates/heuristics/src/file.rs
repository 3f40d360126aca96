//! Tables in files.
//!
//! A file holds the table of one [`TableKey`]: pattern databases, distances in a tile-class abstraction, or the tables of
//! boards of more than 16 cells. Numbers are little endian:
//!
//! | offset | bytes | what |
//! |---|---|---|
//! | 0 | 8 | what kind of table: `LOYD-PDB`, `LOYD-ALK` or `LOYD-WID` |
//! | 8 | 4 | the version of this format, [`FORMAT_VERSION`] |
//! | 12 | 4 | H, the bytes of the header: a multiple of 4096 |
//! | 16 | 4 | width, height, goal cell of the blank, number of groups of cells; a byte each |
//! | 20 | 8 | W, the number of words |
//! | 28 | 4 | CRC-32 of the words |
//! | 32 | | for each group: the number of its cells and they themselves, a byte each; 2 bytes for the number of distances, and 8 for the number of states at each |
//! | … | | zeros |
//! | H − 4 | 4 | CRC-32 of the H − 4 bytes before |
//! | H | 8 W | the words |
//!
//! Groups are the goal cells of patterns, or of tile classes: then the first group has the distances,
//! and the others have none. Of wide patterns there are two groups each, the goal cells, and the cells on
//! which the blank may end, which have no distances; byte 18 is 0 there.
//!
//! The CRC is that of Ethernet and zip. It finds every change of up to 32 neighbouring bits, and other
//! damage all but once in four thousand million times. That the tables were right when they were
//! written is for whoever builds them again and compares.

mod contents;
mod header;

use std::fmt;
use std::hash::Hash;
use std::io::{self, Read, Write};

use crc32fast::Hasher;
use loyd_search::{Meter, Stop};

use crate::pdb::{PartitionError, Words};

pub use contents::Contents;
pub use header::Header;

/// The version of the format that is written, and the only one that is read.
pub const FORMAT_VERSION: u32 = 1;

/// Words are read and written in pieces that fit the processor's caches, so that a piece is still at
/// hand when its checksum is taken.
const PIECE: usize = 1 << 18;

/// What a table is about: enough to name its file, to know how large it is, and to read it.
pub trait TableKey: Clone + Eq + Hash + fmt::Debug + Send + Sync + 'static {
    /// The table.
    type Table: fmt::Debug + Send + Sync + 'static;

    /// The key as any file may have it.
    fn contents(&self) -> Contents;

    /// The words of each piece of memory that the table is made of.
    fn lengths(&self) -> Vec<u64>;

    /// The table that consists of these pieces, as long as [`lengths`](Self::lengths) says, and has these
    /// censuses, as many as [`Contents`] has groups with distances.
    fn restore(&self, pieces: Vec<Words>, censuses: Vec<Vec<u64>>) -> Self::Table;

    /// The pieces of a table.
    fn pieces(table: &Self::Table) -> Vec<&[u64]>;

    /// How many states there are at each distance.
    fn censuses(table: &Self::Table) -> Vec<Vec<u64>>;

    /// The bytes that the table holds in memory.
    fn bytes(table: &Self::Table) -> u64;
}

/// Why a file is not used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// It begins like something else.
    #[error("it is not a file of tables")]
    NotATable,
    /// It was written by an older or a newer program.
    #[error("it has version {0} of the format, and this program reads version {FORMAT_VERSION}")]
    Version(u32),
    /// It holds tables, but others than those wanted.
    #[error("it holds {0}")]
    Other(Box<Contents>),
    /// It ends too early.
    #[error("it is cut short")]
    CutShort,
    /// It goes on where it should end.
    #[error("it is longer than it should be")]
    TooLong,
    /// The checksum does not fit: bits have changed.
    #[error("it is damaged: the checksum of its {0} is wrong")]
    Checksum(&'static str),
    /// The header says what cannot be, though its checksum fits.
    #[error("its header makes no sense: {0}")]
    Header(&'static str),
    /// The patterns in the header are no partition, though its checksum fits.
    #[error("its patterns are no partition: {0}")]
    Partition(#[from] PartitionError),
    /// It cannot be read.
    #[error("it cannot be read: {0}")]
    Io(io::Error),
    /// A limit was reached first; that says nothing of the file.
    #[error(transparent)]
    Stopped(#[from] Stop),
}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::CutShort,
            _ => Self::Io(error),
        }
    }
}

/// Writes the file of `key`. Cost: the words are gone through twice, for the checksum comes first.
///
/// # Errors
/// Those of `into`.
pub fn write<K: TableKey>(key: &K, table: &K::Table, into: &mut impl Write) -> io::Result<()> {
    let mut hasher = Hasher::new();
    let hash = |bytes: &[u8]| {
        hasher.update(bytes);
        Ok(())
    };
    let words = K::pieces(table);
    in_pieces(&words, hash)?;
    let header = Header {
        contents: key.contents(),
        censuses: K::censuses(table),
        words: words.iter().map(|piece| piece.len() as u64).sum(),
        checksum: hasher.finalize(),
    };
    into.write_all(&header.to_bytes())?;
    in_pieces(&words, |bytes| into.write_all(bytes))
}

/// Reads the file of `key`, within the limits of `meter`.
///
/// Cost: hardly more than copying it; the checksum adds less than a tenth of a millisecond a
/// megabyte.
///
/// # Errors
/// Why the file is not used.
pub fn read<K: TableKey>(
    key: &K,
    from: &mut impl Read,
    meter: &mut Meter<'_>,
) -> Result<K::Table, FileError> {
    let header = Header::read_for(key, from)?;
    let lengths = key.lengths();
    header.expect_words(lengths.iter().sum())?;
    meter.reserve_more(header.word_bytes())?;
    let mut body = Body { from, hasher: Hasher::new() };
    let mut pieces = Vec::new();
    for length in lengths {
        let length = usize::try_from(length).map_err(|_| Stop::Memory)?;
        let mut words = Words::zeroed(length).map_err(|_| Stop::Memory)?;
        for piece in words.as_bytes_mut().chunks_mut(PIECE) {
            meter.check()?;
            body.fill(piece)?;
        }
        words.iter_mut().for_each(|word| *word = u64::from_le(*word));
        pieces.push(words);
    }
    body.finish(header.checksum)?;
    Ok(key.restore(pieces, header.censuses))
}

impl Header {
    /// Reads the words that follow the header, without keeping them: `each` is given a piece after the
    /// other, and is told what was in the file even if the checksum turns out to be wrong.
    ///
    /// # Errors
    /// Why the file is not to be used.
    pub fn read_words(
        &self,
        from: &mut impl Read,
        meter: &mut Meter<'_>,
        mut each: impl FnMut(&[u64]),
    ) -> Result<(), FileError> {
        let mut body = Body { from, hasher: Hasher::new() };
        let mut piece = vec![0_u64; PIECE / size_of::<u64>()];
        let mut left = self.words;
        while left > 0 {
            meter.check()?;
            let piece = &mut piece[..left.min((PIECE / size_of::<u64>()) as u64) as usize];
            body.fill(bytemuck::cast_slice_mut(piece))?;
            piece.iter_mut().for_each(|word| *word = u64::from_le(*word));
            each(piece);
            left -= piece.len() as u64;
        }
        body.finish(self.checksum)
    }
}

/// What follows the header, with the checksum of what was read of it.
struct Body<'a, R> {
    from: &'a mut R,
    hasher: Hasher,
}

impl<R: Read> Body<'_, R> {
    fn fill(&mut self, piece: &mut [u8]) -> io::Result<()> {
        self.from.read_exact(piece)?;
        self.hasher.update(piece);
        Ok(())
    }

    /// Nothing may follow, and the checksum has to fit.
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

/// Gives `each` the bytes of the words, little endian, a piece after the other.
fn in_pieces(words: &[&[u64]], mut each: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(PIECE);
    for piece in words.iter().flat_map(|words| words.chunks(PIECE / size_of::<u64>())) {
        bytes.clear();
        bytes.extend(piece.iter().flat_map(|word| word.to_le_bytes()));
        each(&bytes)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
