//! Layouts permuted by AVX-512 with BITALG.

use std::arch::x86_64::*;
use std::mem::transmute;

use loyd_heuristics::pdb::{Block, Inflow, LayoutMut, PermutationTables, Permuter, advance};

use crate::cpu::{Cpu, Level};

/// The processors with VBMI that lack BITALG are those of one generation, of which few were made.
pub fn is_available() -> bool {
    Level::at_most(Cpu::Avx512).cpu() == Cpu::Avx512 && is_x86_feature_detected!("avx512bitalg")
}

/// Permutes layouts; there is one only where the instructions are.
pub struct Mover {
    permutations: Vec<InnerPermutation>,
}

struct InnerPermutation {
    /// For each bit of the two words, the bit that comes there.
    sources: [__m512i; 2],
    /// The word from which the first word comes.
    first: usize,
}

impl Permuter for Mover {
    fn new(tables: &PermutationTables) -> Self {
        assert!(is_available());
        let permutation = |&permutation| InnerPermutation {
            // SAFETY: both are 64 bytes, for which any bits are valid.
            sources: tables
                .sources(permutation)
                .map(|bits| unsafe { transmute::<[u8; 64], __m512i>(bits) }),
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
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512bitalg,avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn advance(&self, inflow: &Inflow<'_>, layout: LayoutMut<'_>) -> u64 {
        advance(inflow, layout, |permutation, from, into| {
            for (into, &(source, inner)) in into.iter_mut().zip(&permutation.blocks) {
                let (from, permutation) =
                    (&from[usize::from(source)], &self.permutations[usize::from(inner)]);
                for (word, into) in into.iter_mut().enumerate() {
                    let from = _mm512_set1_epi64(from[word ^ permutation.first] as i64);
                    *into |= _mm512_bitshuffle_epi64_mask(from, permutation.sources[word]);
                }
            }
        })
    }
}
