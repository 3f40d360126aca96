//! Packed words: what is written to files for the states of a placement, most of whose bytes are usually 0.
//!
//! First a mask for each word, whose bit i is set if byte i of the word, from the lowest on, is not 0; then the bytes of
//! all words that are not 0, in order. This takes between 1 and 9 bytes a word.

#[cfg(any(target_arch = "x86_64", test))]
use crate::cpu::Cpu;
use crate::cpu::Level;

/// Number of bytes in a word.
const WORD: usize = size_of::<u64>();

/// Number of bytes beyond the packed ones that are written and overwritten.
const SLACK: usize = 64;

/// Returns the length of a buffer in which this many words can be packed.
pub fn packed_room(words: usize) -> usize {
    (1 + WORD) * words + SLACK
}

/// Packs and unpacks words with the best instructions that are allowed.
#[derive(Clone, Copy, Debug)]
pub struct Packer(Instructions);

impl Packer {
    /// Returns a packer with instructions of this level.
    pub fn new(level: Level) -> Self {
        Self(match level.cpu() {
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512 if is_x86_feature_detected!("avx512vbmi2") => Instructions::Vbmi2,
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512 | Cpu::Avx2 => Instructions::Bmi2,
            _ => Instructions::Plain,
        })
    }

    /// Writes packed `words` to the beginning of `packed`, and returns their length. What follows may be overwritten.
    ///
    /// # Panics
    /// If `packed` is shorter than the [room](packed_room) for these words.
    pub fn pack(self, words: &[u64], packed: &mut [u8]) -> usize {
        assert!(packed.len() >= packed_room(words.len()), "the buffer is too short");
        let (masks, bytes) = packed.split_at_mut(words.len());
        let len = match self.0 {
            Instructions::Plain => pack_plain(words, masks, bytes),
            // SAFETY: this machine has the instructions.
            #[cfg(target_arch = "x86_64")]
            Instructions::Bmi2 => unsafe { x86::pack_words(words, masks, bytes) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Instructions::Vbmi2 => unsafe { x86::pack_vectors(words, masks, bytes) },
        };
        words.len() + len
    }

    /// Fills `words` from the first `len` bytes of `packed`, which [`pack`](Self::pack) has written for as many. Faster
    /// if other bytes follow. Returns whether `len` is right.
    #[must_use]
    pub fn unpack(self, packed: &[u8], len: usize, words: &mut [u64]) -> bool {
        let (Some((masks, bytes)), Some(len)) =
            (packed.split_at_checked(words.len()), len.checked_sub(words.len()))
        else {
            return false;
        };
        match self.0 {
            Instructions::Plain => unpack_plain(masks, bytes, len, words),
            // SAFETY: this machine has the instructions.
            #[cfg(target_arch = "x86_64")]
            Instructions::Bmi2 => unsafe { x86::unpack_words(masks, bytes, len, words) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Instructions::Vbmi2 => unsafe { x86::unpack_vectors(masks, bytes, len, words) },
        }
    }
}

/// The instructions that pack words.
#[derive(Clone, Copy, Debug)]
enum Instructions {
    Plain,
    /// Instructions that gather and scatter the bits of a word.
    #[cfg(target_arch = "x86_64")]
    Bmi2,
    /// AVX-512 with instructions that gather and scatter the bytes of a vector.
    #[cfg(target_arch = "x86_64")]
    Vbmi2,
}

fn pack_plain(words: &[u64], masks: &mut [u8], bytes: &mut [u8]) -> usize {
    let mut len = 0;
    for (word, mask) in words.iter().zip(masks) {
        *mask = 0;
        for (bit, byte) in word.to_le_bytes().into_iter().enumerate() {
            bytes[len] = byte;
            *mask |= u8::from(byte != 0) << bit;
            len += usize::from(byte != 0);
        }
    }
    len
}

fn unpack_plain(masks: &[u8], bytes: &[u8], len: usize, words: &mut [u64]) -> bool {
    let set: usize = masks.iter().map(|mask| mask.count_ones() as usize).sum();
    if set != len || bytes.len() < len {
        return false;
    }
    let mut bytes = bytes.iter();
    for (mask, word) in masks.iter().zip(words) {
        let byte = |bit| match mask >> bit & 1 {
            0 => 0,
            _ => *bytes.next().expect("the masks count the bytes"),
        };
        let mut unpacked = [0; WORD];
        (0..WORD).map(byte).zip(&mut unpacked).for_each(|(byte, into)| *into = byte);
        *word = u64::from_le_bytes(unpacked);
    }
    true
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        _mm512_loadu_epi64, _mm512_maskz_compress_epi8, _mm512_maskz_expand_epi8,
        _mm512_storeu_epi64, _mm512_test_epi8_mask, _pdep_u64, _pext_u64,
    };

    use super::WORD;

    /// Number of words in a vector.
    const LANES: usize = 8;

    /// The lowest bit of each byte.
    const LOW: u64 = 0x0101_0101_0101_0101;

    #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
    pub fn pack_words(words: &[u64], masks: &mut [u8], bytes: &mut [u8]) -> usize {
        let mut len = 0;
        for (&word, mask) in words.iter().zip(masks) {
            // The highest bit of each byte: set by a carry from its lower bits, or set already.
            let high = ((word & !(LOW << 7)).wrapping_add(!(LOW << 7)) | word) & LOW << 7;
            *mask = _pext_u64(high, LOW << 7) as u8;
            let packed = _pext_u64(word, (high >> 7) * 0xff);
            bytes[len..][..WORD].copy_from_slice(&packed.to_le_bytes());
            len += high.count_ones() as usize;
        }
        len
    }

    #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
    pub fn unpack_words(masks: &[u8], bytes: &[u8], len: usize, words: &mut [u64]) -> bool {
        let mut start = 0;
        for (&mask, word) in masks.iter().zip(words) {
            let Some(rest) = bytes.get(start..) else { return false };
            let packed = rest.first_chunk().copied().unwrap_or_else(|| {
                let mut last = [0; WORD];
                last[..rest.len()].copy_from_slice(rest);
                last
            });
            *word = _pdep_u64(u64::from_le_bytes(packed), _pdep_u64(mask.into(), LOW) * 0xff);
            start += mask.count_ones() as usize;
        }
        start == len && len <= bytes.len()
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub fn pack_vectors(words: &[u64], masks: &mut [u8], bytes: &mut [u8]) -> usize {
        let mut len = 0;
        let (vectors, rest) = words.as_chunks::<LANES>();
        let (vector_masks, rest_masks) = masks.as_chunks_mut::<LANES>();
        for (vector, masks) in vectors.iter().zip(vector_masks) {
            // SAFETY: the array has the eight words.
            let vector = unsafe { _mm512_loadu_epi64(vector.as_ptr().cast()) };
            let mask = _mm512_test_epi8_mask(vector, vector);
            *masks = mask.to_le_bytes();
            let into = &mut bytes[len..][..LANES * WORD];
            // Compressing straight into memory takes many times as long on some processors.
            let packed = _mm512_maskz_compress_epi8(mask, vector);
            // SAFETY: the slice has room for 64 bytes.
            unsafe { _mm512_storeu_epi64(into.as_mut_ptr().cast(), packed) };
            len += mask.count_ones() as usize;
        }
        len + pack_words(rest, rest_masks, &mut bytes[len..])
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub fn unpack_vectors(masks: &[u8], bytes: &[u8], len: usize, words: &mut [u64]) -> bool {
        let (mut start, mut done) = (0, 0);
        let vectors = masks.as_chunks::<LANES>().0.iter().zip(words.as_chunks_mut::<LANES>().0);
        for (masks, vector) in vectors {
            let Some(from) = bytes.get(start..start + LANES * WORD) else { break };
            let mask = u64::from_le_bytes(*masks);
            // SAFETY: the slice has 64 bytes.
            let packed = unsafe { _mm512_loadu_epi64(from.as_ptr().cast()) };
            let unpacked = _mm512_maskz_expand_epi8(mask, packed);
            // SAFETY: the array has room for eight words.
            unsafe { _mm512_storeu_epi64(vector.as_mut_ptr().cast(), unpacked) };
            start += mask.count_ones() as usize;
            done += LANES;
        }
        let Some(rest) = len.checked_sub(start) else { return false };
        unpack_words(&masks[done..], &bytes[start..], rest, &mut words[done..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_unpacked_as_they_were_packed() {
        let mut all = vec![0, u64::MAX, 1, 1 << 63, 0x00ff_0000_0100_8000];
        all.extend((0..1000_u64).map(|i| {
            // Words with few and with many bits.
            let mixed = i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed & mixed.rotate_left(i as u32) & mixed.rotate_left(3 * i as u32)
        }));
        for words in [&all[..], &all[..0], &all[..1], &all[..5], &all[..64], &[u64::MAX; 9]] {
            let mut expected: Vec<u8> = Vec::new();
            let is_set = |byte: &u8| *byte != 0;
            for word in words {
                let bytes = word.to_be_bytes();
                expected
                    .push(bytes.iter().fold(0, |mask, byte| mask << 1 | u8::from(is_set(byte))));
            }
            expected.extend(words.iter().flat_map(|word| word.to_le_bytes()).filter(is_set));
            let len = expected.len();
            // Plain code and all instructions that this machine has give equal results.
            for packer in Cpu::available().map(|cpu| Packer::new(Level::at_most(cpu))) {
                let mut packed = vec![7; packed_room(words.len())];
                assert_eq!(packer.pack(words, &mut packed), len, "{packer:?}");
                assert_eq!(packed[..len], expected, "{packer:?}");
                for rest in [&[][..], &[1; 7], &[2; 100]] {
                    let bytes = [&expected[..], rest].concat();
                    let mut unpacked = vec![9; words.len()];
                    assert!(packer.unpack(&bytes, len, &mut unpacked), "{packer:?}");
                    assert_eq!(unpacked, words, "{packer:?}");
                    assert!(!packer.unpack(&bytes, len + 1, &mut unpacked), "{packer:?}");
                    if len > 0 {
                        assert!(!packer.unpack(&bytes, len - 1, &mut unpacked), "{packer:?}");
                        assert!(!packer.unpack(&expected[..len - 1], len, &mut unpacked));
                    }
                }
            }
        }
    }
}
