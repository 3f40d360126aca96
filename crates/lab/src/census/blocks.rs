//! Blocks of words in a stream, each with its checksum: the form in which levels are written and read, whether to a
//! file or to another machine.
//!
//! A block is the number of its words (none if all of them are 0), the CRC-32 of its bytes, and the words,
//! all little endian.

use std::io::{self, Read, Write};

/// Writes blocks; `bytes` is room for one.
pub fn write<'a>(
    out: &mut impl Write,
    blocks: impl IntoIterator<Item = &'a [u64]>,
) -> io::Result<()> {
    let mut bytes = Vec::new();
    for words in blocks {
        bytes.clear();
        if words.iter().any(|&word| word != 0) {
            bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        }
        let count = (bytes.len() / size_of::<u64>()) as u32;
        out.write_all(&count.to_le_bytes())?;
        out.write_all(&crc32fast::hash(&bytes).to_le_bytes())?;
        out.write_all(&bytes)?;
    }
    Ok(())
}

/// Reads the next block into `words`.
///
/// # Errors
/// When it cannot be read, has another length, or other words than were written.
pub fn read(input: &mut impl Read, words: &mut [u64]) -> io::Result<()> {
    let damaged = |what| io::Error::new(io::ErrorKind::InvalidData, what);
    let mut number = || -> io::Result<u32> {
        let mut bytes = [0; 4];
        input.read_exact(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    };
    let (count, checksum) = (number()? as usize, number()?);
    if count != 0 && count != words.len() {
        return Err(damaged("a block has another length"));
    }
    let mut bytes = vec![0; count * size_of::<u64>()];
    input.read_exact(&mut bytes)?;
    if crc32fast::hash(&bytes) != checksum {
        return Err(damaged("the checksum of a block is wrong"));
    }
    words.fill(0);
    for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(size_of::<u64>())) {
        *word = u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_read_as_they_were_written_or_not_at_all() {
        let blocks: [&[u64]; 3] = [&[1, u64::MAX, 3], &[0, 0], &[7]];
        let mut written = Vec::new();
        write(&mut written, blocks).unwrap();
        // Nothing is written of the words that are 0.
        assert_eq!(written.len(), 3 * 8 + 4 * 8);
        let read_all = |mut bytes: &[u8]| {
            blocks.map(|block| {
                let mut words = vec![9; block.len()];
                read(&mut bytes, &mut words).map(|()| words).map_err(|error| error.kind())
            })
        };
        assert_eq!(read_all(&written), blocks.map(|block| Ok(block.to_vec())));
        for at in 0..written.len() {
            let mut damaged = written.clone();
            damaged[at] ^= 1;
            assert!(read_all(&damaged).iter().any(Result::is_err), "byte {at}");
            assert!(read_all(&written[..at]).iter().any(Result::is_err), "torn at {at}");
        }
    }
}
