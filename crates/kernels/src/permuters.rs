//! Permutes the bits of blocks with vector instructions. [`pattern_build`](crate::pattern_build) describes the blocks.
//!
//! # AVX2
//! | vector of 32 bytes | byte j, for bit j (or 32 + j) of the result |
//! |---|---|
//! | `bytes` | number of the byte of the source word that contains its source bit: 0 to 7 |
//! | `bits` | mask of the source bit within that byte |
//!
//! A result word takes two such pairs, one for each half.
//!
//! # AVX-512 BITALG
//! `vpshufbitqmb` takes a vector of words and a vector of 64 index bytes; bit j of the resulting mask is the bit of
//! word j / 8 that byte j names. With one source word in all eight lanes, the mask is that word permuted.

use std::arch::x86_64::*;
use std::mem::transmute;

use loyd_heuristics::pdb::{Block, Inflow, LayoutMut, PermutationTables, Permuter, advance};

use crate::cpu::{Cpu, Level, prefetch};

/// Permutes blocks with AVX2. Can be created only on machines that have it.
pub struct Avx2Permuter {
    permutations: Vec<Avx2Permutation>,
}

/// A permutation of the inner labels, for AVX2.
struct Avx2Permutation {
    /// By word of the result and half of that word: where each bit comes from.
    sources: [[Sources; 2]; 2],
    /// 1 if the permutation is odd, so that each word comes from the other one; else 0.
    parity_flip: usize,
}

/// Source bits of 32 bits of the result.
struct Sources {
    bytes: __m256i,
    bits: __m256i,
}

impl Sources {
    fn new(sources: &[u8]) -> Self {
        let bytes: [u8; 32] = std::array::from_fn(|bit| sources[bit] / 8);
        let bits: [u8; 32] = std::array::from_fn(|bit| 1 << (sources[bit] % 8));
        // SAFETY: both types are 32 bytes, and every bit pattern is valid.
        unsafe {
            Self {
                bytes: transmute::<[u8; 32], __m256i>(bytes),
                bits: transmute::<[u8; 32], __m256i>(bits),
            }
        }
    }
}

impl Permuter for Avx2Permuter {
    fn new(tables: &PermutationTables) -> Self {
        assert!(Level::at_most(Cpu::Avx2).cpu() == Cpu::Avx2);
        let permutation = |&permutation| Avx2Permutation {
            sources: tables.sources(permutation).map(|word| {
                let (low, high) = word.split_at(32);
                [Sources::new(low), Sources::new(high)]
            }),
            parity_flip: usize::from(permutation.is_odd()),
        };
        Self { permutations: tables.inner().iter().map(permutation).collect() }
    }

    #[inline]
    fn prefetch(&self, layout: &[Block]) {
        prefetch_layout(layout);
    }

    fn advance(&self, inflow: &Inflow<'_>, layout: LayoutMut<'_>) -> u64 {
        // SAFETY: `new` has checked that the machine has the instructions.
        unsafe { self.advance(inflow, layout) }
    }
}

impl Avx2Permuter {
    /// Runs [`advance`](loyd_heuristics::pdb::advance) with a closure that applies one jump: it adds the states of
    /// `from`, permuted, to `into`.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn advance(&self, inflow: &Inflow<'_>, layout: LayoutMut<'_>) -> u64 {
        advance(inflow, layout, |permutation, from, into| {
            for (into, &(source, inner)) in into.iter_mut().zip(&permutation.blocks) {
                // The block that the jump sends here, and what it does to the order of the inner labels.
                let (from, permutation) =
                    (&from[usize::from(source)], &self.permutations[usize::from(inner)]);
                // Word 0 holds even permutations, word 1 odd ones; an odd permutation exchanges them.
                for (word, into) in into.iter_mut().enumerate() {
                    let from = _mm256_set1_epi64x(from[word ^ permutation.parity_flip] as i64);
                    let [low, high] = &permutation.sources[word];
                    *into |= u64::from(low.bits(from)) | u64::from(high.bits(from)) << 32;
                }
            }
        })
    }
}

impl Sources {
    /// Returns 32 permuted bits of a word. `word` holds four copies of it, so that each 128-bit lane can shuffle all of
    /// its bytes.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn bits(&self, word: __m256i) -> u32 {
        // Byte j of the shuffle is the byte with source bit j; masked, it equals `bits` if that bit is set.
        let selected = _mm256_and_si256(_mm256_shuffle_epi8(word, self.bytes), self.bits);
        _mm256_movemask_epi8(_mm256_cmpeq_epi8(selected, self.bits)) as u32
    }
}

/// Returns whether the machine has AVX-512 with BITALG. Only one rare processor generation has VBMI without it.
pub fn has_bitalg() -> bool {
    Level::at_most(Cpu::Avx512).cpu() == Cpu::Avx512 && is_x86_feature_detected!("avx512bitalg")
}

/// Permutes blocks with AVX-512. Can be created only on machines that have BITALG.
pub struct Avx512Permuter {
    permutations: Vec<Avx512Permutation>,
}

/// A permutation of the inner labels, for AVX-512.
struct Avx512Permutation {
    /// By word of the result: for each bit, the number of its source bit (0 to 63).
    sources: [__m512i; 2],
    /// 1 if the permutation is odd, so that each word comes from the other one; else 0.
    parity_flip: usize,
}

impl Permuter for Avx512Permuter {
    fn new(tables: &PermutationTables) -> Self {
        assert!(has_bitalg());
        let permutation = |&permutation| Avx512Permutation {
            // SAFETY: both types are 64 bytes, and every bit pattern is valid.
            sources: tables
                .sources(permutation)
                .map(|bits| unsafe { transmute::<[u8; 64], __m512i>(bits) }),
            parity_flip: usize::from(permutation.is_odd()),
        };
        Self { permutations: tables.inner().iter().map(permutation).collect() }
    }

    #[inline]
    fn prefetch(&self, layout: &[Block]) {
        prefetch_layout(layout);
    }

    fn advance(&self, inflow: &Inflow<'_>, layout: LayoutMut<'_>) -> u64 {
        // SAFETY: `new` has checked that the machine has the instructions.
        unsafe { self.advance(inflow, layout) }
    }
}

impl Avx512Permuter {
    /// Runs [`advance`](loyd_heuristics::pdb::advance) with a closure that applies one jump: it adds the states of
    /// `from`, permuted, to `into`.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512bitalg,avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn advance(&self, inflow: &Inflow<'_>, layout: LayoutMut<'_>) -> u64 {
        advance(inflow, layout, |permutation, from, into| {
            for (into, &(source, inner)) in into.iter_mut().zip(&permutation.blocks) {
                // The block that the jump sends here, and what it does to the order of the inner labels.
                let (from, permutation) =
                    (&from[usize::from(source)], &self.permutations[usize::from(inner)]);
                // Word 0 holds even permutations, word 1 odd ones; an odd permutation exchanges them.
                for (word, into) in into.iter_mut().enumerate() {
                    let from = _mm512_set1_epi64(from[word ^ permutation.parity_flip] as i64);
                    *into |= _mm512_bitshuffle_epi64_mask(from, permutation.sources[word]);
                }
            }
        })
    }
}

/// Prefetches the first cache lines of a layout.
#[inline]
fn prefetch_layout(layout: &[Block]) {
    /// Number of 16-byte blocks in a cache line.
    const LINE: usize = 4;
    /// Number of blocks to prefetch; the hardware prefetcher follows the rest of a long layout by itself.
    const LONGEST: usize = 64;
    (0..layout.len().min(LONGEST)).step_by(LINE).for_each(|block| prefetch(layout, block));
}
