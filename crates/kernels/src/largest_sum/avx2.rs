//! The steps with vectors of eight lanes.

use std::arch::x86_64::*;

use super::engine::{Engine, Within};
use super::jumps::JUMPED;
use super::kept::Unfold;
use super::node::{Child, Node, SUMS};
use super::steps::Steps;
use super::tables::{Aligned, Lanes, Tables};

/// Declares [`Engine::run`] and [`Engine::expand_batch`] with vectors of eight lanes, for tables of up to `8 * V` lanes
/// in which a tile jumps at most `J` cells.
macro_rules! for_machine {
    ($(#[$docs:meta])* $module:ident, $features:literal) => {
        $(#[$docs])*
        pub mod $module {
            use super::*;

            #[target_feature(enable = $features)]
            pub fn run<const V: usize, const J: usize>(
                engine: &mut Engine,
                tables: &Tables,
                rows: &[[u32; 4]],
                (within, most): (Within, u64),
            ) -> u64 {
                engine.run(Vectors::<V, J>, tables, rows, (within, most))
            }

            #[target_feature(enable = $features)]
            pub fn expand_batch<const V: usize, const J: usize>(
                engine: &mut Engine,
                tables: &Tables,
                rows: &[[u32; 4]],
                batch: &[impl Unfold],
                each: &mut dyn FnMut(&Node),
            ) {
                engine.expand_batch(Vectors::<V, J>, tables, rows, batch, each);
            }
        }
    };
}

for_machine! {
    /// For machines with AVX2.
    v3, "avx2,bmi1,bmi2,lzcnt,popcnt"
}
for_machine! {
    /// For machines with AVX-512 too, which have twice as many registers, and truth tables of three inputs.
    v4, "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt"
}

/// The steps, for those who have checked that the machine has AVX2.
#[derive(Clone, Copy)]
struct Vectors<const V: usize, const J: usize>;

impl<const V: usize, const J: usize> Steps for Vectors<V, J> {
    #[inline(always)]
    fn child<const STEP: usize>(self, tables: &Tables, node: &Node, child: &mut Child) {
        // SAFETY: only functions for machines with AVX2 make use of these steps.
        unsafe { make::<V, J, STEP>(tables, node, child) }
    }

    #[inline(always)]
    fn look(self, _: &Tables, words: &[u64], child: &Child) -> u32 {
        // SAFETY: as above.
        unsafe { look(words, child) }
    }

    #[inline(always)]
    fn pockets(self, tables: &Tables, child: &Child) -> u8 {
        // SAFETY: as above.
        unsafe { pockets(tables, child) }
    }

    #[inline(always)]
    fn slack(
        self,
        tables: &Tables,
        node: &Node,
        child: &Child,
        grown: u32,
        slack: &mut [i8; SUMS],
        beyond: i8,
    ) -> bool {
        let losses = &tables.losses[usize::from(child.tile) & 31];
        let [first, second] =
            [&losses[0][grown as usize & 15].0, &losses[1][grown as usize >> 4 & 15].0];
        // SAFETY: as above.
        unsafe { lose(&node.slack, first, second, (slack, beyond)) }
    }

    #[inline(always)]
    fn place(self, tables: &Tables, node: &Node, child: &Child, into: &mut Node) {
        // SAFETY: as above.
        unsafe { place::<V>(tables, node, child, into) }
    }

    #[inline(always)]
    fn masks(self, tables: &Tables, node: &mut Node) {
        // SAFETY: as above.
        unsafe { masks::<V>(tables, node) }
    }

    #[inline(always)]
    fn extract(self, from: u32, set: u32) -> u32 {
        // SAFETY: as above.
        unsafe { extract(from, set) }
    }

    #[inline(always)]
    fn deposit(self, from: u32, set: u32) -> u32 {
        // SAFETY: as above.
        unsafe { deposit(from, set) }
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi2")]
fn extract(from: u32, set: u32) -> u32 {
    _pext_u32(from, set)
}

#[inline]
#[target_feature(enable = "avx2,bmi2")]
fn deposit(from: u32, set: u32) -> u32 {
    _pdep_u32(from, set)
}

#[inline]
#[target_feature(enable = "avx2")]
fn make<const V: usize, const J: usize, const STEP: usize>(
    tables: &Tables,
    node: &Node,
    child: &mut Child,
) {
    let width = tables.size.width() as u8;
    let offset = [width.wrapping_neg(), u8::MAX, 1, width][STEP];
    let blank = node.blank.wrapping_add(offset) & 31;
    let tile = node.board[usize::from(blank)] & 31;
    let lanes = &tables.tiles[usize::from(tile)];
    (child.tile, child.blank) = (tile, blank);

    let order = load(&lanes.lanes);
    let mut masks = _mm256_permutevar8x32_epi32(lanes_of(&node.masks, 0), order);
    let mut bases = _mm256_permutevar8x32_epi32(lanes_of(&node.bases, 0), order);
    for vector in 1..V {
        let from = load(&lanes.from[vector]);
        let other = _mm256_permutevar8x32_epi32(lanes_of(&node.masks, vector), order);
        masks = _mm256_blendv_epi8(masks, other, from);
        let other = _mm256_permutevar8x32_epi32(lanes_of(&node.bases, vector), order);
        bases = _mm256_blendv_epi8(bases, other, from);
    }
    let cells = &tables.cells[usize::from(tile)];
    let here = load(&cells[usize::from(blank)]);
    let there = load(&cells[usize::from(node.blank) & 31]);
    masks = _mm256_xor_si256(masks, _mm256_or_si256(here, there));

    let by_tile = match STEP {
        0 | 3 => &tables.up[usize::from(tile)],
        _ => &tables.left[usize::from(tile)],
    };
    let jumps = &tables.jumps[STEP][usize::from(node.blank) & 31];
    let passed = |cells: &[u8; JUMPED]| {
        let mut sum = _mm256_setzero_si256();
        for &cell in &cells[..J] {
            let other = node.board[usize::from(cell) & 31] & 31;
            sum = _mm256_add_epi32(sum, load(&by_tile[usize::from(other)]));
        }
        sum
    };
    let gain =
        _mm256_blendv_epi8(passed(&jumps.plain), passed(&jumps.mirrored), load(&lanes.mirrored));
    bases = match STEP {
        0 | 1 => _mm256_add_epi32(bases, gain),
        _ => _mm256_sub_epi32(bases, gain),
    };

    let count = _mm_cvtsi32_si128(tables.low_bits as i32);
    let high = _mm256_add_epi32(_mm256_srl_epi32(masks, count), load(&lanes.high_first));
    let low = _mm256_and_si256(masks, _mm256_set1_epi32((1 << tables.low_bits) - 1));
    // SAFETY: a node has as many cells in each mask as its pattern has tiles, so the sets of cells are among those that the
    // tables have been made for.
    let rank = unsafe {
        let high = _mm256_i32gather_epi32::<4>(tables.high.as_ptr().cast(), high);
        let low = _mm256_i32gather_epi32::<4>(tables.low.as_ptr().cast(), low);
        _mm256_add_epi32(high, low)
    };
    store(&mut child.masks, masks);
    store(&mut child.bases, bases);
    store(&mut child.places, rank);
    store(&mut child.words, _mm256_add_epi32(bases, _mm256_srli_epi32::<5>(rank)));
}

#[inline]
#[target_feature(enable = "avx2")]
fn pockets(tables: &Tables, child: &Child) -> u8 {
    let tile = usize::from(child.tile) & 31;
    let here = load(&tables.cells[tile][usize::from(child.blank) & 31]);
    let place =
        _mm256_add_epi32(load_words(&child.places), load(&tables.tiles[tile].pockets_first));
    // SAFETY: these are ranks of sets of cells: see `make`.
    let pockets = unsafe { _mm256_i32gather_epi32::<4>(tables.pockets.as_ptr().cast(), place) };
    let outside = _mm256_cmpeq_epi32(_mm256_and_si256(pockets, here), _mm256_setzero_si256());
    !_mm256_movemask_ps(_mm256_castsi256_ps(outside)) as u8
}

/// Takes what either of two sets of places makes the sums lose away from their slack; whether none is below `-beyond`.
#[inline]
#[target_feature(enable = "avx2")]
fn lose(
    before: &[i8; SUMS],
    first: &[i8; SUMS],
    second: &[i8; SUMS],
    (after, beyond): (&mut [i8; SUMS], i8),
) -> bool {
    // SAFETY: references to 16 bytes.
    unsafe {
        let [before, first, second] =
            [before, first, second].map(|sums| _mm_loadu_si128(sums.as_ptr().cast()));
        let slack = _mm_sub_epi8(before, _mm_or_si128(first, second));
        _mm_storeu_si128(after.as_mut_ptr().cast(), slack);
        _mm_movemask_epi8(_mm_adds_epi8(slack, _mm_set1_epi8(beyond))) == 0
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn look(words: &[u64], child: &Child) -> u32 {
    // SAFETY: the words of a child are among those of its tables: see `make`.
    let words =
        unsafe { _mm256_i32gather_epi32::<4>(words.as_ptr().cast(), load_words(&child.words)) };
    // The bit that is asked for becomes the sign.
    let places = _mm256_andnot_si256(load_words(&child.places), _mm256_set1_epi32(31));
    _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_sllv_epi32(words, places))) as u32
}

#[inline]
#[target_feature(enable = "avx2")]
fn place<const V: usize>(tables: &Tables, node: &Node, child: &Child, into: &mut Node) {
    let lanes = &tables.tiles[usize::from(child.tile) & 31];
    let (masks, bases) = (load_words(&child.masks), load_words(&child.bases));
    for vector in 0..V {
        let (places, changes) = (load(&lanes.places[vector]), load(&lanes.changes[vector]));
        let own = _mm256_permutevar8x32_epi32(masks, places);
        let own = _mm256_blendv_epi8(lanes_of(&node.masks, vector), own, changes);
        store_lanes(&mut into.masks, vector, own);
        let own = _mm256_permutevar8x32_epi32(bases, places);
        let own = _mm256_blendv_epi8(lanes_of(&node.bases, vector), own, changes);
        store_lanes(&mut into.bases, vector, own);
    }
    into.board = node.board;
    into.board[usize::from(child.blank) & 31] = tables.blank();
    into.board[usize::from(node.blank) & 31] = child.tile;
}

#[inline]
#[target_feature(enable = "avx2")]
fn masks<const V: usize>(tables: &Tables, node: &mut Node) {
    let mut masks = [_mm256_setzero_si256(); V];
    for (cell, &tile) in node.board[..tables.size.cells()].iter().enumerate() {
        let images = &tables.images[usize::from(tile) & 31][cell & 31];
        for (mask, images) in masks.iter_mut().zip(images.as_chunks().0) {
            let bits = _mm256_sllv_epi32(_mm256_set1_epi32(1), load_bytes(images));
            *mask = _mm256_or_si256(*mask, bits);
        }
    }
    for (vector, mask) in masks.into_iter().enumerate() {
        store_lanes(&mut node.masks, vector, mask);
    }
}

/// Bytes as words.
#[inline]
#[target_feature(enable = "avx2")]
fn load_bytes(bytes: &[u8; 8]) -> __m256i {
    // SAFETY: a reference to 8 bytes.
    unsafe { _mm256_cvtepu8_epi32(_mm_loadl_epi64(bytes.as_ptr().cast())) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load<T: Copy>(lanes: &Aligned<Lanes<T>>) -> __m256i {
    const { assert!(size_of::<T>() == 4) }
    // SAFETY: a reference to 32 bytes.
    unsafe { _mm256_loadu_si256(std::ptr::from_ref(lanes).cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_words(words: &[u32; 8]) -> __m256i {
    // SAFETY: a reference to 32 bytes.
    unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(words: &mut [u32; 8], value: __m256i) {
    // SAFETY: a reference to 32 bytes.
    unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), value) };
}

#[inline]
#[target_feature(enable = "avx2")]
fn lanes_of(all: &[u32; super::node::LANES], vector: usize) -> __m256i {
    let eight: &[u32; 8] = all[8 * vector..].first_chunk().expect("four vectors");
    load_words(eight)
}

#[inline]
#[target_feature(enable = "avx2")]
fn store_lanes(all: &mut [u32; super::node::LANES], vector: usize, value: __m256i) {
    let eight: &mut [u32; 8] = all[8 * vector..].first_chunk_mut().expect("four vectors");
    store(eight, value);
}
