//! The words of a file, written and read with their checksum.

use std::borrow::Cow;
use std::io::{self, Read, Write};

use crc32fast::Hasher;
use loyd_search::{Meter, Stop};

use super::error::FileError;
use super::header::Header;
use super::key::TableKey;
use crate::pdb::Words;

/// Words are read and written in pieces that fit the processor's caches, so that a piece is still at
/// hand when its checksum is taken.
const PIECE: usize = 1 << 18;

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
    let lengths = key.lengths(&header.censuses);
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
    key.restore(pieces, header.censuses).ok_or(FileError::Header("the numbers of states"))
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
fn in_pieces(
    words: &[Cow<'_, [u64]>],
    mut each: impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(PIECE);
    for piece in words.iter().flat_map(|words| words.chunks(PIECE / size_of::<u64>())) {
        bytes.clear();
        bytes.extend(piece.iter().flat_map(|word| word.to_le_bytes()));
        each(&bytes)?;
    }
    Ok(())
}
