//! The pipeline on AVX-512, eight nodes at a time: a lane of 64 bits a node, or a lane of 32 bits for
//! each half of a node's words.

use std::arch::x86_64::*;

use super::engine::{Engine, Pause, Stages};
use super::node::{
    DEPTH, KEY, KEY_MASK, LINK, LINK_MASK, MARGIN, RANKS, ROOT_MOVE, SIGNS, SLACK, TAG, depth, link,
};
use super::rows::Rows;
use super::seeds::Queue;
use super::steps::{ACROSS, Keyed, PLACES, STEPS};
use super::tables::{ByTile, Tables};
use crate::prefetch::prefetch;

/// See [`Engine::run`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub fn run(
    engine: &mut Engine,
    tables: &Tables,
    rows: &Rows,
    queue: &Queue<'_>,
    left: &mut u64,
) -> Pause {
    engine.run(&Avx512 { tables, words: tables.words(), rows }, queue, left)
}

struct Avx512<'a> {
    tables: &'a Tables,
    words: &'a [u64],
    rows: &'a Rows,
}

impl Stages for Avx512<'_> {
    const LANES: usize = 8;
    const AHEAD: usize = 32;

    type Parents = Parents;

    #[inline(always)]
    fn pop(&self, engine: &mut Engine, nodes: usize) -> Parents {
        // SAFETY: only `run` makes use of these stages, so the machine has the instructions.
        unsafe { pop(self, engine, nodes) }
    }

    #[inline(always)]
    fn expand(&self, engine: &mut Engine, parents: Parents) {
        // SAFETY: as above.
        unsafe { expand(self, engine, &parents) }
    }

    #[inline(always)]
    fn test(&self, engine: &mut Engine) {
        // SAFETY: as above.
        unsafe { test(self, engine) }
    }
}

/// Up to eight parents.
#[derive(Clone, Copy)]
struct Parents {
    used: __mmask8,
    boards: __m512i,
    planes: __m512i,
    ranks: __m512i,
    metas: __m512i,
    keys: __m512i,
    /// The first bits of the blanks' cells on the boards.
    blanks: __m512i,
    /// The blanks' cells as sets, see [`Steps::cells`](super::steps::Steps).
    cells: __m512i,
    /// The rows of the automaton in the parents' states.
    rows: __m512i,
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn pop(on: &Avx512<'_>, engine: &mut Engine, nodes: usize) -> Parents {
    let stack = &mut engine.stack;
    stack.len -= nodes;
    let used = ((1_u32 << nodes) - 1) as __mmask8;
    let states = _mm512_maskz_mov_epi64(used, load(&stack.states, stack.len));
    let rows = on.rows.words().as_ptr().cast::<i64>();
    let metas = load(&stack.metas, stack.len);
    Parents {
        used,
        boards: load(&stack.boards, stack.len),
        planes: load(&stack.planes, stack.len),
        ranks: load(&stack.ranks, stack.len),
        metas,
        keys: _mm512_and_si512(_mm512_srli_epi64::<KEY>(metas), _mm512_set1_epi64(0x7f)),
        cells: by_cell(&STEPS.cells, _mm512_srli_epi64::<{ KEY + 3 }>(metas)),
        // The blank is in bits 3 to 6 of the key, and a cell has four bits.
        blanks: _mm512_and_si512(_mm512_srli_epi64::<{ KEY + 1 }>(metas), _mm512_set1_epi64(60)),
        // SAFETY: `MoveRows` has checked that each state on a path has a row; unused lanes ask for the first.
        rows: unsafe { _mm512_i64gather_epi64::<8>(states, rows) },
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn expand(on: &Avx512<'_>, engine: &mut Engine, parents: &Parents) {
    for place in 0..PLACES - 1 {
        children(on, engine, parents, place);
    }
    let start = _mm512_set1_epi64((ROOT_MOVE as i64) << KEY);
    if _mm512_mask_test_epi64_mask(parents.used, parents.metas, start) != 0 {
        children(on, engine, parents, PLACES - 1);
    }
}

/// Puts the children at one of the [`PLACES`] in the queue.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn children(on: &Avx512<'_>, engine: &mut Engine, parents: &Parents, place: usize) {
    let tables = on.tables;
    let look = keyed(&STEPS.look[place], parents.keys);
    let exists = _mm512_set1_epi64((ACROSS as i64) << 48);
    let used = _mm512_mask_test_epi64_mask(parents.used, look, exists);
    let to = _mm512_srli_epi64::<58>(look);
    let step = _mm512_and_si512(look, _mm512_set1_epi64(3 << KEY));
    let locate = _mm512_or_si512(by_cell(&STEPS.locate, to), step);
    let cells = _mm512_or_si512(parents.cells, by_cell(&STEPS.cells, to));
    // Children that the automaton refuses count as generated all the same.
    engine.generated += u64::from(used.count_ones());
    // A row has sixteen bits a move, and the move is in bits 48 and 49.
    let next = _mm512_and_si512(_mm512_srli_epi64::<44>(locate), _mm512_set1_epi64(48));
    let states = _mm512_and_si512(
        _mm512_srlv_epi64(parents.rows, next),
        _mm512_set1_epi64(Rows::REFUSED as i64),
    );
    let used = _mm512_mask_cmpneq_epi64_mask(used, states, _mm512_set1_epi64(Rows::REFUSED as i64));

    // The tiles asked for, with ACROSS in bit 4 and BACK in bit 5; what is above counts for nothing.
    let tiles = _mm512_multishift_epi64_epi8(look, parents.boards);
    let tiles = _mm512_ternarylogic_epi64::<SELECT>(
        _mm512_set1_epi8(15),
        tiles,
        _mm512_srli_epi64::<2>(look),
    );
    // For 32-bit lanes that is the tile that moves, on the board and on its transpose.
    let by_tile = |table: &ByTile| {
        let (low, high) = table.split_at(16);
        _mm512_permutex2var_epi32(load_halves(low), tiles, load_halves(high))
    };

    let ranks = _mm512_add_epi64(parents.ranks, gains(tables, tiles));
    let tags = by_tile(&tables.tag);
    let tagged = _mm512_ternarylogic_epi64::<SELECT>(_mm512_set1_epi64(RANKS as i64), ranks, tags);

    let tile_planes = by_tile(&tables.planes);
    let planes = _mm512_ternarylogic_epi64::<XOR_AND>(parents.planes, cells, tile_planes);
    // Both planes agree with the number of the pattern on the cells of its tiles.
    let agreed = _mm512_ternarylogic_epi64::<XNOR>(planes, tile_planes, tile_planes);
    let masks = _mm512_and_si512(agreed, _mm512_srli_epi32::<16>(agreed));
    let rank =
        _mm512_and_si512(_mm512_srlv_epi32(ranks, by_tile(&tables.shift)), by_tile(&tables.mask));
    let bits = _mm512_add_epi32(
        _mm512_add_epi32(_mm512_mullo_epi32(rank, by_tile(&tables.stride)), by_tile(&tables.first)),
        coordinates(tables, masks, locate),
    );

    // The blank's own number stands on its cell: what changes on both cells is the same.
    let both = _mm512_ternarylogic_epi64::<XOR_THEN_AND>(
        tiles,
        _mm512_and_si512(_mm512_srlv_epi64(parents.boards, parents.blanks), _mm512_set1_epi64(15)),
        _mm512_set1_epi64(15),
    );
    let boards = _mm512_ternarylogic_epi64::<XOR>(
        parents.boards,
        _mm512_sllv_epi64(both, parents.blanks),
        _mm512_sllv_epi64(both, _mm512_srli_epi64::<56>(look)),
    );
    let metas = _mm512_ternarylogic_epi64::<SELECT>(
        _mm512_set1_epi64(KEY_MASK as i64),
        locate,
        parents.metas,
    );
    let metas = _mm512_add_epi64(metas, _mm512_set1_epi64(1 << DEPTH));

    let waiting = &mut engine.waiting;
    let at = waiting.nodes.len;
    store(&mut waiting.nodes.boards, at, _mm512_maskz_compress_epi64(used, boards));
    store(&mut waiting.nodes.planes, at, _mm512_maskz_compress_epi64(used, planes));
    store(&mut waiting.nodes.ranks, at, _mm512_maskz_compress_epi64(used, tagged));
    store(&mut waiting.nodes.metas, at, _mm512_maskz_compress_epi64(used, metas));
    store(&mut waiting.nodes.states, at, _mm512_maskz_compress_epi64(used, states));
    store(&mut waiting.bits, at, _mm512_maskz_compress_epi64(used, bits));
    waiting.nodes.len += used.count_ones() as usize;
    for &bits in &waiting.bits[at..waiting.nodes.len] {
        prefetch(on.words, (bits & 0xffff_ffff) as usize / 64);
        prefetch(on.words, (bits >> 32) as usize / 64);
    }
}

/// What the ranks gain by the jumps of the tiles that move, see [`Steps::look`](super::steps::Steps).
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn gains(tables: &Tables, tiles: __m512i) -> __m512i {
    /// Bytes 2, 3 and 5 of each lane: the tiles that are jumped.
    const JUMPED: __mmask64 = 0x2c2c_2c2c_2c2c_2c2c;
    const PATTERN: i8 = 3 << 3;
    const LARGER: i8 = 1 << 5;
    let codes = _mm512_permutexvar_epi8(tiles, load_bytes(&tables.codes));
    let second = _mm512_set4_epi32(0x0909_0909, 0x0909_0909, 0x0101_0101, 0x0101_0101);
    let mover = _mm512_shuffle_epi8(codes, second);
    let smaller = _mm512_min_epu8(codes, mover);
    let is_larger = _mm512_cmpgt_epu8_mask(codes, mover);
    let ask = _mm512_mask_blend_epi8(
        is_larger,
        smaller,
        _mm512_xor_si512(smaller, _mm512_set1_epi8(LARGER)),
    );
    let differ = _mm512_xor_si512(codes, mover);
    let same = _mm512_mask_testn_epi8_mask(JUMPED, differ, _mm512_set1_epi8(PATTERN));
    // Sums of the low and of the high bytes of the weights; those of other bytes are the bias alone.
    let [bias_low, bias_high] = Tables::BIAS.to_le_bytes().map(|b| _mm512_set1_epi8(b as i8));
    let [low, high] = &tables.weights;
    let low = _mm512_mask_permutexvar_epi8(bias_low, same, ask, load_bytes(low));
    let high = _mm512_mask_permutexvar_epi8(bias_high, same, ask, load_bytes(high));
    let zero = _mm512_setzero_si512();
    let sum = _mm512_add_epi64(
        _mm512_sad_epu8(low, zero),
        _mm512_slli_epi64::<8>(_mm512_sad_epu8(high, zero)),
    );
    let gain = _mm512_sub_epi64(sum, _mm512_set1_epi64(8 * i64::from(Tables::BIAS)));
    // Byte 1 is the tile that moves, where it jumps.
    const MOVER: __mmask64 = 0x0202_0202_0202_0202;
    let shifts = _mm512_maskz_permutexvar_epi8(MOVER, tiles, load_bytes(&tables.shifts));
    _mm512_sllv_epi64(gain, _mm512_srli_epi64::<8>(shifts))
}

/// The coordinate q of a set of cells in each half, for a blank at a place that `locate` tells.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn coordinates(tables: &Tables, masks: __m512i, locate: __m512i) -> __m512i {
    let info = tables.info.as_ptr().cast::<i64>();
    assert_eq!(tables.info.len(), 1 << 16);
    let low = _mm512_and_si512(masks, _mm512_set1_epi64(0xffff));
    let high = _mm512_srli_epi64::<32>(masks);
    // SAFETY: both halves of a mask have sixteen bits, and there is a word for each mask.
    let (low, high) = unsafe {
        (_mm512_i64gather_epi64::<8>(low, info), _mm512_i64gather_epi64::<8>(high, info))
    };
    const HIGH: __mmask64 = 0xf0f0_f0f0_f0f0_f0f0;
    let both = _mm512_multishift_epi64_epi8(locate, low);
    let both = _mm512_mask_multishift_epi64_epi8(both, HIGH, locate, high);
    let regions = _mm512_and_si512(_mm512_srli_epi32::<24>(both), _mm512_set1_epi32(7));
    _mm512_add_epi32(_mm512_and_si512(both, _mm512_set1_epi32(0xffff)), regions)
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn test(on: &Avx512<'_>, engine: &mut Engine) {
    let waiting = &mut engine.waiting;
    let at = waiting.first;
    let used = waiting.len().min(8);
    waiting.first += used;
    let used = ((1_u32 << used) - 1) as __mmask8;
    let boards = load(&waiting.nodes.boards, at);
    let planes = load(&waiting.nodes.planes, at);
    let ranks = load(&waiting.nodes.ranks, at);
    let metas = load(&waiting.nodes.metas, at);
    let states = load(&waiting.nodes.states, at);
    let bits = _mm512_maskz_mov_epi64(used, load(&waiting.bits, at));
    let metas = tested(on, ranks, metas, bits);

    let cut = _mm512_mask_test_epi64_mask(used, metas, _mm512_set1_epi64(SIGNS as i64));
    if engine.keeps_cut {
        let nodes = &mut engine.cut;
        let at = nodes.len;
        store(&mut nodes.boards, at, _mm512_maskz_compress_epi64(cut, boards));
        store(&mut nodes.planes, at, _mm512_maskz_compress_epi64(cut, planes));
        store(&mut nodes.ranks, at, _mm512_maskz_compress_epi64(cut, ranks));
        store(&mut nodes.metas, at, _mm512_maskz_compress_epi64(cut, metas));
        store(&mut nodes.states, at, _mm512_maskz_compress_epi64(cut, states));
        nodes.len += cut.count_ones() as usize;
    }

    let within = used & !cut;
    let metas = _mm512_maskz_compress_epi64(within, metas);
    let entries = _mm512_ternarylogic_epi64::<SELECT>(
        _mm512_set1_epi64((LINK_MASK >> LINK << 2) as i64),
        _mm512_srli_epi64::<{ LINK - 2 }>(metas),
        _mm512_and_si512(_mm512_srli_epi64::<KEY>(metas), _mm512_set1_epi64(3)),
    );
    let (links, count) = (&mut engine.links, within.count_ones() as usize);
    let room: &mut [u32; 8] = links.entries[links.len..].first_chunk_mut().expect("there is room");
    // SAFETY: eight entries of 32 bits.
    unsafe { _mm256_storeu_si256(room.as_mut_ptr().cast(), _mm512_cvtepi64_epi32(entries)) };
    let first = links.base + links.len as u32;
    links.len += count;
    let links = _mm512_add_epi64(
        _mm512_set1_epi64(first.into()),
        _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7),
    );
    let linked = _mm512_ternarylogic_epi64::<SELECT>(
        _mm512_set1_epi64(LINK_MASK as i64),
        _mm512_slli_epi64::<LINK>(links),
        metas,
    );
    let boards = _mm512_maskz_compress_epi64(within, boards);
    let stack = &mut engine.stack;
    let at = stack.len;
    store(&mut stack.boards, at, boards);
    store(&mut stack.planes, at, _mm512_maskz_compress_epi64(within, planes));
    store(&mut stack.ranks, at, _mm512_maskz_compress_epi64(within, ranks));
    store(&mut stack.metas, at, linked);
    store(&mut stack.states, at, _mm512_maskz_compress_epi64(within, states));
    stack.len += count;
    let goals = _mm512_cmpeq_epi64_mask(boards, _mm512_set1_epi64(Tables::GOAL as i64));
    if goals != 0 {
        let lane = goals.trailing_zeros();
        let meta = engine.stack.metas[at + lane as usize];
        engine.goal = Some((link(meta), depth(meta)));
    }
}

/// The meta words of children, now that their bits are asked for.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn tested(on: &Avx512<'_>, ranks: __m512i, metas: __m512i, bits: __m512i) -> __m512i {
    let words = on.words.as_ptr().cast::<i32>();
    // SAFETY: the bits of children are among those that `Tables::words` has checked to be there, as it has
    // the first one, which unused lanes ask for.
    let words = unsafe { _mm512_i32gather_epi32::<4>(_mm512_srli_epi32::<5>(bits), words) };
    let new = _mm512_rorv_epi32(words, bits);
    // Twice the number of the pattern: the place of its distance.
    let place = _mm512_srli_epi32::<{ TAG - 1 }>(ranks);
    let parity = _mm512_srlv_epi32(metas, place);
    let old = _mm512_srli_epi32::<1>(parity);
    let up = _mm512_and_si512(
        _mm512_ternarylogic_epi32::<XNOR_3>(new, old, parity),
        _mm512_set1_epi64(on.tables.halves as i64),
    );
    let change = _mm512_ternarylogic_epi32::<AND_OR>(
        _mm512_slli_epi32::<1>(_mm512_xor_si512(new, old)),
        _mm512_set1_epi32(2),
        _mm512_set1_epi32(1),
    );
    let metas = _mm512_xor_si512(metas, _mm512_sllv_epi32(change, place));
    _mm512_sub_epi32(metas, _mm512_slli_epi32::<SLACK>(up))
}

/// Truth tables: `a ? b : c`, `a ^ (b & c)`, `!(a ^ b)`, `(a ^ b) & c`, `a ^ b ^ c`, `!(a ^ b ^ c)` and
/// `(a & b) | c`.
const SELECT: i32 = 0xca;
const XOR_AND: i32 = 0x78;
const XNOR: i32 = 0xc3;
const XOR_THEN_AND: i32 = 0x28;
const XOR: i32 = 0x96;
const XNOR_3: i32 = 0x69;
const AND_OR: i32 = 0xea;

/// Eight words from `at` on.
#[inline]
#[target_feature(enable = "avx512f")]
fn load(words: &[u64], at: usize) -> __m512i {
    let eight: &[u64; MARGIN] = words[at..].first_chunk().expect("columns have a margin");
    // SAFETY: a reference to 64 bytes.
    unsafe { _mm512_loadu_si512(eight.as_ptr().cast()) }
}

/// Writes eight words from `at` on.
#[inline]
#[target_feature(enable = "avx512f")]
fn store(words: &mut [u64], at: usize, value: __m512i) {
    let eight: &mut [u64; MARGIN] = words[at..].first_chunk_mut().expect("columns have a margin");
    // SAFETY: a reference to 64 bytes.
    unsafe { _mm512_storeu_si512(eight.as_mut_ptr().cast(), value) };
}

/// Sixteen halves.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_halves(halves: &[u32]) -> __m512i {
    let halves: &[u32; 16] = halves.first_chunk().expect("sixteen tiles");
    // SAFETY: a reference to 64 bytes.
    unsafe { _mm512_loadu_si512(halves.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load_bytes(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: a reference to 64 bytes.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

/// The words of some cells, the numbers of which are in the lowest four bits.
#[inline]
#[target_feature(enable = "avx512f")]
fn by_cell(words: &[u64; 16], cells: __m512i) -> __m512i {
    let (low, high) = words.split_at(8);
    _mm512_permutex2var_epi64(load(low, 0), cells, load(high, 0))
}

/// The words of some keys.
#[inline]
#[target_feature(enable = "avx512f")]
fn keyed(words: &Keyed, keys: __m512i) -> __m512i {
    // SAFETY: keys have seven bits, and there is a word for each.
    unsafe { _mm512_i64gather_epi64::<8>(keys, words.as_ptr().cast()) }
}
