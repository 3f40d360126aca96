//! Blocks of words with checksums, the format in which levels are stored in files and sent to other machines.
//!
//! A block consists of, all little endian:
//!
//! | field | bytes | meaning |
//! |---|--:|---|
//! | count | 4 | number of words, or 0 if all words are 0 and none follow |
//! | checksum | 4 | CRC-32 of the words' bytes |
//! | words | 8 × count | |

use std::io::{self, Read, Write};

/// Writes blocks.
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
/// Returns an error if the block cannot be read, has another length than `words`, or fails its checksum.
pub fn read(input: &mut impl Read, words: &mut [u64]) -> io::Result<()> {
    let damaged = |what| io::Error::new(io::ErrorKind::InvalidData, what);
    let mut number = || -> io::Result<u32> {
        let mut bytes = [0; 4];
        input.read_exact(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    };
    let (count, checksum) = (number()? as usize, number()?);
    if count != 0 && count != words.len() {
        return Err(damaged("a block has the wrong length"));
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
    fn damaged_blocks_are_rejected() {
        let blocks: [&[u64]; 3] = [&[1, u64::MAX, 3], &[0, 0], &[7]];
        let mut written = Vec::new();
        write(&mut written, blocks).unwrap();
        // A block of zeros has no words.
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
