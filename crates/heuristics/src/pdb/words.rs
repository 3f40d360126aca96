//! Memory for large tables.

use std::fmt;
use std::io;
use std::ops::{Deref, DerefMut};

/// The allocation behind [`Words`].
#[cfg(feature = "huge-pages")]
type Memory = memmap2::MmapMut;
#[cfg(not(feature = "huge-pages"))]
type Memory = Vec<u8>;

/// Zeroed memory for large tables, in huge pages if the system has them: random lookups in 4 KB pages take about a
/// fifth longer.
///
/// With the feature `huge-pages`, only address space is allocated at first, and memory as it is written. Without it,
/// the whole memory is allocated on the heap at once.
pub struct Words {
    memory: Memory,
    /// Offset of the first word in `memory`, in bytes.
    start: usize,
    len: usize,
}

/// Size and alignment of a huge page, in bytes.
const HUGE_PAGE: usize = 2 << 20;

/// Returns whether a table of this size is allocated in huge pages. Smaller tables would waste most of a page.
fn is_large(bytes: u64) -> bool {
    cfg!(feature = "huge-pages") && bytes >= HUGE_PAGE as u64 / 2
}

/// Allocates `bytes` zeroed bytes.
#[cfg(feature = "huge-pages")]
fn zeroed(bytes: usize, align: usize) -> io::Result<Memory> {
    let memory = memmap2::MmapOptions::new().len(bytes).map_anon()?;
    #[cfg(target_os = "linux")]
    if align == HUGE_PAGE {
        // Advice only: a system without huge pages uses small ones, so errors are ignored.
        let _ = memory.advise(memmap2::Advice::HugePage);
    }
    Ok(memory)
}

/// Allocates `bytes` zeroed bytes.
#[cfg(not(feature = "huge-pages"))]
fn zeroed(bytes: usize, _: usize) -> io::Result<Memory> {
    let mut memory = Vec::new();
    memory.try_reserve_exact(bytes)?;
    memory.resize(bytes, 0);
    Ok(memory)
}

impl Words {
    /// Allocates `len` zeroed words. A large table starts at the beginning of a huge page, a small one at a multiple of
    /// 16 bytes.
    ///
    /// # Errors
    /// Returns an error if the system is out of memory.
    pub fn zeroed(len: usize) -> io::Result<Self> {
        let too_large = || io::Error::from(io::ErrorKind::OutOfMemory);
        let bytes = len.checked_mul(size_of::<u64>()).ok_or_else(too_large)?;
        let align = if is_large(bytes as u64) { HUGE_PAGE } else { size_of::<u128>() };
        let memory = zeroed(bytes.checked_add(align).ok_or_else(too_large)?, align)?;
        let start = memory.as_ptr().align_offset(align);
        Ok(Self { memory, start, len })
    }

    /// Returns the bytes of memory that `len` words occupy once written, rounded up to whole huge pages for large
    /// tables.
    pub fn allocated_bytes(len: usize) -> u64 {
        let bytes = (len * size_of::<u64>()) as u64;
        bytes.next_multiple_of(if is_large(bytes) { HUGE_PAGE as u64 } else { 1 })
    }

    /// Returns the words as bytes, in native byte order.
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
    fn words_are_zeroed_and_writable() {
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
    fn large_tables_occupy_whole_pages() {
        let page = HUGE_PAGE / 8;
        for (len, pages) in [(page / 2, 1), (page, 1), (page + 1, 2), (3 * page, 3)] {
            assert_eq!(Words::allocated_bytes(len), (pages * HUGE_PAGE) as u64, "{len}");
        }
        assert_eq!((Words::allocated_bytes(0), Words::allocated_bytes(1000)), (0, 8000));
    }
}
