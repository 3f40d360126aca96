//! Large tables in memory.

use std::fmt;
use std::io;
use std::ops::{Deref, DerefMut};

/// What holds the words.
#[cfg(feature = "huge-pages")]
type Memory = memmap2::MmapMut;
#[cfg(not(feature = "huge-pages"))]
type Memory = Vec<u8>;

/// Zeroed memory for large tables, in huge pages where the system gives any: looking up random places
/// of a table in pages of 4 KB costs about a fifth more.
///
/// Cost: address space at once, memory as it is written; without the feature `huge-pages` memory of the
/// allocator's, all of it at once.
pub struct Words {
    memory: Memory,
    /// Where the words begin in the memory, in bytes.
    start: usize,
    len: usize,
}

/// What huge pages have to be aligned to.
const HUGE_PAGE: usize = 2 << 20;

/// Whether a table is held in huge pages: a small one would only waste them.
fn is_large(bytes: u64) -> bool {
    cfg!(feature = "huge-pages") && bytes >= HUGE_PAGE as u64 / 2
}

/// So many bytes, all 0.
#[cfg(feature = "huge-pages")]
fn zeroed(bytes: usize, align: usize) -> io::Result<Memory> {
    let memory = memmap2::MmapOptions::new().len(bytes).map_anon()?;
    #[cfg(target_os = "linux")]
    if align == HUGE_PAGE {
        // A system without huge pages serves small ones.
        let _ = memory.advise(memmap2::Advice::HugePage);
    }
    Ok(memory)
}

/// So many bytes, all 0.
#[cfg(not(feature = "huge-pages"))]
fn zeroed(bytes: usize, _: usize) -> io::Result<Memory> {
    let mut memory = Vec::new();
    memory.try_reserve_exact(bytes)?;
    memory.resize(bytes, 0);
    Ok(memory)
}

impl Words {
    /// `len` words, all 0, the first one at the start of a huge page.
    ///
    /// # Errors
    /// When the system has no such memory.
    pub fn zeroed(len: usize) -> io::Result<Self> {
        let too_large = || io::Error::from(io::ErrorKind::OutOfMemory);
        let bytes = len.checked_mul(size_of::<u64>()).ok_or_else(too_large)?;
        let align = if is_large(bytes as u64) { HUGE_PAGE } else { size_of::<u128>() };
        let memory = zeroed(bytes.checked_add(align).ok_or_else(too_large)?, align)?;
        let start = memory.as_ptr().align_offset(align);
        Ok(Self { memory, start, len })
    }

    /// The bytes of memory that `len` words take once they are written: whole huge pages.
    pub fn held_bytes(len: usize) -> u64 {
        let bytes = (len * size_of::<u64>()) as u64;
        bytes.next_multiple_of(if is_large(bytes) { HUGE_PAGE as u64 } else { 1 })
    }

    /// The words as bytes, in the order of this machine.
    pub fn as_bytes_mut(&mut self) -> &mut [u8] {
        &mut self.memory[self.start..self.start + self.len * size_of::<u64>()]
    }
}

impl Deref for Words {
    type Target = [u64];

    #[inline]
    fn deref(&self) -> &[u64] {
        bytemuck::cast_slice(&self.memory[self.start..self.start + self.len * size_of::<u64>()])
    }
}

impl DerefMut for Words {
    fn deref_mut(&mut self) -> &mut [u64] {
        bytemuck::cast_slice_mut(self.as_bytes_mut())
    }
}

impl fmt::Debug for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} words", self.len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_zeroed_and_keep_what_is_written() {
        for len in [0, 1, 1000, HUGE_PAGE] {
            let mut words = Words::zeroed(len).unwrap();
            assert_eq!(words.len(), len);
            assert!(words.iter().all(|&word| word == 0));
            for (value, word) in (1..).zip(words.iter_mut()) {
                *word = value;
            }
            assert!(words.iter().copied().eq(1..=len as u64));
            assert_eq!(words.as_bytes_mut().len(), 8 * len);
        }
        assert!(Words::zeroed(usize::MAX).is_err());
    }

    #[cfg(feature = "huge-pages")]
    #[test]
    fn large_tables_take_whole_pages() {
        let page = HUGE_PAGE / 8;
        for (len, pages) in [(page / 2, 1), (page, 1), (page + 1, 2), (3 * page, 3)] {
            assert_eq!(Words::held_bytes(len), (pages * HUGE_PAGE) as u64, "{len}");
        }
        assert_eq!((Words::held_bytes(0), Words::held_bytes(1000)), (0, 8000));
    }
}
