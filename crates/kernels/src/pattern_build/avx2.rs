//! Layouts permuted by AVX2.

use std::arch::x86_64::*;
use std::mem::transmute;

use loyd_heuristics::pdb::{Block, Inflow, LayoutMut, PermutationTables, Permuter, advance};

use crate::cpu::{Cpu, Level};

/// Permutes layouts; there is one only where the instructions are.
pub struct Mover {
    permutations: Vec<InnerPermutation>,
}

struct InnerPermutation {
    /// For each bit of the two words, the bit that comes there: in which byte it is, and where in
    /// that byte.
    sources: [[Sources; 2]; 2],
    /// The word from which the first word comes.
    first: usize,
}

/// For 32 bits.
struct Sources {
    bytes: __m256i,
    bits: __m256i,
}

impl Sources {
    fn new(sources: &[u8]) -> Self {
        let bytes: [u8; 32] = std::array::from_fn(|bit| sources[bit] / 8);
        let bits: [u8; 32] = std::array::from_fn(|bit| 1 << (sources[bit] % 8));
        // SAFETY: both are 32 bytes, for which any bits are valid.
        unsafe {
            Self {
                bytes: transmute::<[u8; 32], __m256i>(bytes),
                bits: transmute::<[u8; 32], __m256i>(bits),
            }
        }
    }
}

impl Permuter for Mover {
    fn new(tables: &PermutationTables) -> Self {
        assert!(Level::at_most(Cpu::Avx2).cpu() == Cpu::Avx2);
        let permutation = |&permutation| InnerPermutation {
            sources: tables.sources(permutation).map(|word| {
                let (low, high) = word.split_at(32);
                [Sources::new(low), Sources::new(high)]
            }),
            first: usize::from(permutation.is_odd()),
        };
        Self { permutations: tables.inner().iter().map(permutation).collect() }
    }

    #[inline]
    fn fetch(&self, layout: &[Block]) {
        super::fetch::fetch(layout);
    }

    fn advance(&self, inflow: &Inflow<'_>, layout: LayoutMut<'_>) -> u64 {
        // SAFETY: `new` has made sure of the instructions.
        unsafe { self.advance(inflow, layout) }
    }
}

impl Mover {
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn advance(&self, inflow: &Inflow<'_>, layout: LayoutMut<'_>) -> u64 {
        advance(inflow, layout, |permutation, from, into| {
            for (into, &(source, inner)) in into.iter_mut().zip(&permutation.blocks) {
                let (from, permutation) =
                    (&from[usize::from(source)], &self.permutations[usize::from(inner)]);
                for (word, into) in into.iter_mut().enumerate() {
                    let from = _mm256_set1_epi64x(from[word ^ permutation.first] as i64);
                    let [low, high] = &permutation.sources[word];
                    *into |= u64::from(low.bits(from)) | u64::from(high.bits(from)) << 32;
                }
            }
        })
    }
}

impl Sources {
    /// The bits of `word`, which is there four times, that are asked for.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn bits(&self, word: __m256i) -> u32 {
        let asked = _mm256_and_si256(_mm256_shuffle_epi8(word, self.bytes), self.bits);
        _mm256_movemask_epi8(_mm256_cmpeq_epi8(asked, self.bits)) as u32
    }
}
