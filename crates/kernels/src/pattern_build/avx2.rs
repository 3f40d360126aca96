//! Rows turned by AVX2.

use std::arch::x86_64::*;
use std::mem::transmute;

use loyd_heuristics::pdb::{Block, Inflow, RowMover, RowMut, Turns, advance};

use crate::cpu::{Cpu, Level};

/// Turns rows; there is one only where the instructions are.
pub struct Mover {
    turns: Vec<InnerTurn>,
}

struct InnerTurn {
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

impl RowMover for Mover {
    fn new(turns: &Turns) -> Self {
        assert!(Level::at_most(Cpu::Avx2).cpu() == Cpu::Avx2);
        let turn = |&turn| InnerTurn {
            sources: turns.sources(turn).map(|word| {
                let (low, high) = word.split_at(32);
                [Sources::new(low), Sources::new(high)]
            }),
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
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn advance(&self, inflow: &Inflow<'_>, row: RowMut<'_>) -> u64 {
        advance(inflow, row, |turn, from, into| {
            for (into, &(source, inner)) in into.iter_mut().zip(&turn.blocks) {
                let (from, turn) = (&from[usize::from(source)], &self.turns[usize::from(inner)]);
                for (word, into) in into.iter_mut().enumerate() {
                    let from = _mm256_set1_epi64x(from[word ^ turn.first] as i64);
                    let [low, high] = &turn.sources[word];
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
