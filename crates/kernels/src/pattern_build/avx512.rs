//! Rows turned by AVX-512 with BITALG.

use std::arch::x86_64::*;
use std::mem::transmute;

use loyd_heuristics::pdb::{Block, Inflow, RowMover, RowMut, Turns, advance};

use crate::cpu::{Cpu, Level};

/// The processors with VBMI that lack BITALG are those of one generation, of which few were made.
pub fn is_available() -> bool {
    Level::at_most(Cpu::Avx512).cpu() == Cpu::Avx512 && is_x86_feature_detected!("avx512bitalg")
}

/// Turns rows; there is one only where the instructions are.
pub struct Mover {
    turns: Vec<InnerTurn>,
}

struct InnerTurn {
    /// For each bit of the two words, the bit that comes there.
    sources: [__m512i; 2],
    /// The word from which the first word comes.
    first: usize,
}

impl RowMover for Mover {
    fn new(turns: &Turns) -> Self {
        assert!(is_available());
        let turn = |&turn| InnerTurn {
            // SAFETY: both are 64 bytes, for which any bits are valid.
            sources: turns
                .sources(turn)
                .map(|bits| unsafe { transmute::<[u8; 64], __m512i>(bits) }),
            first: usize::from(turn.is_odd()),
        };
        Self { turns: turns.inner().iter().map(turn).collect() }
    }

    #[inline]
    fn fetch(&self, row: &[Block]) {
        super::fetch(row);
    }

    fn advance(&self, inflow: &Inflow<'_>, row: RowMut<'_>) -> u64 {
        // SAFETY: `new` has made sure of the instructions.
        unsafe { self.advance(inflow, row) }
    }
}

impl Mover {
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512bitalg,avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn advance(&self, inflow: &Inflow<'_>, row: RowMut<'_>) -> u64 {
        advance(inflow, row, |turn, from, into| {
            for (into, &(source, inner)) in into.iter_mut().zip(&turn.blocks) {
                let (from, turn) = (&from[usize::from(source)], &self.turns[usize::from(inner)]);
                for (word, into) in into.iter_mut().enumerate() {
                    let from = _mm512_set1_epi64(from[word ^ turn.first] as i64);
                    *into |= _mm512_bitshuffle_epi64_mask(from, turn.sources[word]);
                }
            }
        })
    }
}
