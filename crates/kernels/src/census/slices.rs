//! Packed slices, the form in which a [census in blocks](super::BlockCensus) writes levels to files.
//!
//! | bytes | content |
//! |---|---|
//! | 2 per placement | length of the placement, little endian; 0 if it has no states |
//! | the placements | [packed](super::packing) words of each placement that has states |
//!
//! [`NextLevel`] computes the next level of a slice from the packed level before the last, one placement after the
//! other: its words are unpacked, advanced and packed again while they are in the nearest cache.

use super::levels::{self, Placements};
use super::packing::{Packer, packed_room};

/// Size of the length of a placement.
const LENGTH: usize = 2;

/// A packed slice, in a buffer with room for any slice of a census.
#[derive(Debug)]
pub struct PackedSlice {
    bytes: Vec<u8>,
    len: usize,
}

impl PackedSlice {
    /// Returns the size of the buffer for this many placements of `width` words each.
    pub fn room(placements: usize, width: usize) -> usize {
        LENGTH * placements + packed_room(placements * width)
    }

    /// Creates a buffer with this much room, or returns `None` if the system cannot allocate it.
    pub fn with_room(room: usize) -> Option<Self> {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(room).ok()?;
        bytes.resize(room, 0);
        Some(Self { bytes, len: 0 })
    }

    /// Returns the packed slice, to be written to a file.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Returns the bytes of a packed slice of this length, to be filled, or `None` if no slice is as long.
    pub fn reset(&mut self, len: usize) -> Option<&mut [u8]> {
        let bytes = self.bytes.get_mut(..len)?;
        self.len = len;
        Some(bytes)
    }

    /// Iterates over the placements.
    pub(super) fn reader(&self, placements: usize) -> SliceReader<'_> {
        let (lengths, _) = self.as_bytes().as_chunks();
        let lengths = lengths.get(..placements).unwrap_or_default();
        SliceReader { lengths, packed: &self.bytes[..], next: LENGTH * placements, end: self.len }
    }

    /// Starts a slice with this many placements.
    pub(super) fn writer(&mut self, placements: usize) -> SliceWriter<'_> {
        self.len = LENGTH * placements;
        SliceWriter { slice: self, next: 0 }
    }
}

/// A packed slice that is read, one placement after the other.
pub struct SliceReader<'a> {
    /// By placement.
    lengths: &'a [[u8; LENGTH]],
    packed: &'a [u8],
    /// Start of the next placement in `packed`.
    next: usize,
    end: usize,
}

impl SliceReader<'_> {
    /// Returns the start and the length of this placement, if it has states. The placements must come in order.
    #[inline(always)]
    fn next(&mut self, placement: usize) -> Option<(usize, usize)> {
        let len = u16::from_le_bytes(*self.lengths.get(placement)?).into();
        let start = self.next;
        self.next += len;
        (len > 0).then_some((start, len))
    }

    /// Fills `words` with the states of this placement, and returns whether it has any; if not, `words` remains as it
    /// is. `None` if the slice is malformed.
    #[inline(always)]
    pub fn unpack(&mut self, placement: usize, packer: Packer, words: &mut [u64]) -> Option<bool> {
        let Some((start, len)) = self.next(placement) else { return Some(false) };
        packer.unpack(self.packed.get(start..)?, len, words).then_some(true)
    }

    /// Skips this placement.
    #[inline(always)]
    pub fn skip(&mut self, placement: usize) {
        self.next(placement);
    }

    /// Returns whether the slice has ended where it should.
    pub fn is_complete(&self) -> bool {
        self.next == self.end
    }
}

/// A packed slice that is written, one placement after the other.
pub struct SliceWriter<'a> {
    slice: &'a mut PackedSlice,
    /// Number of the next placement.
    next: usize,
}

impl SliceWriter<'_> {
    /// Appends the next placement; `None` if it has no states.
    #[inline(always)]
    pub fn push(&mut self, words: Option<&[u64]>, packer: Packer) {
        let PackedSlice { bytes, len } = &mut *self.slice;
        let packed = words.map_or(0, |words| packer.pack(words, &mut bytes[*len..]));
        bytes[LENGTH * self.next..][..LENGTH].copy_from_slice(&(packed as u16).to_le_bytes());
        *len += packed;
        self.next += 1;
    }
}

/// The next level of a slice, which is computed from the two levels before.
pub struct NextLevel<'a> {
    /// The words of a placement.
    pub words: Vec<u64>,
    /// The level before the last, if it has states in the slice.
    pub previous: Option<SliceReader<'a>>,
    /// The last level, if it has states in the slice: its words, and whether each placement has states.
    pub last: Option<(&'a [u64], &'a [bool])>,
    pub next: SliceWriter<'a>,
    pub placements: usize,
    pub packer: Packer,
    /// Whether the level before the last is malformed.
    pub is_damaged: bool,
}

impl Placements for NextLevel<'_> {
    fn len(&self) -> usize {
        self.placements
    }

    fn width(&self) -> usize {
        self.words.len()
    }

    #[inline(always)]
    fn advance(&mut self, placement: usize, reached: &[u64]) -> u64 {
        let Self { words, previous, packer, .. } = self;
        let unpacked = match previous {
            Some(previous) => previous.unpack(placement, *packer, words),
            None => Some(false),
        };
        match unpacked {
            Some(true) => {}
            Some(false) => words.fill(0),
            None => self.is_damaged = true,
        }
        let last = self.last.filter(|(_, occupied)| occupied[placement]);
        let last = last.map(|(words, _)| &words[placement * reached.len()..][..reached.len()]);
        let states = levels::replace(&mut self.words, reached, last);
        self.next.push((states > 0).then_some(&self.words), self.packer);
        states
    }

    #[inline(always)]
    fn clear(&mut self, placement: usize) {
        if let Some(previous) = &mut self.previous {
            previous.skip(placement);
        }
        self.next.push(None, self.packer);
    }
}
