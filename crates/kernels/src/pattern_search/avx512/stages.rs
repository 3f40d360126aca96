//! The pipeline on AVX-512, eight nodes at a time.
//!
//! # Lanes
//! All vectors have 512 bits. Lane i always belongs to node i of the eight:
//!
//! | view | lane | holds |
//! |---|---|---|
//! | 8 × 64 bits | i | one word of node i (see [`node`](super::node)) |
//! | 16 × 32 bits | 2i, 2i + 1 | its low half (the board), its high half (the transpose) |
//! | 64 × 8 bits | 8i + j | byte j of a descriptor of node i, or the tile that byte selected |
//!
//! | vector | content of a lane |
//! |---|---|
//! | `boards`, `planes`, `ranks`, `metas`, `states` | the words of the nodes |
//! | `keys` | cell of the blank × 8 + last move |
//! | `blanks` | bit number of the blank's cell on the board: cell × 4 |
//! | `cells` | the blank's old cell, or its old and new cell, as a set in all four planes |
//! | `descriptor`, `blank_descriptor` | see [`steps`](super::steps) |
//! | `tiles` | byte j: the tile selected by byte j of `descriptor`, with its flags in bits 4 and 5 |
//! | `masks` | bits 0 to 15 of each half: the cells of the tiles of the moved pattern |
//! | `bit_indices` | per half: index of the child's bit in the tables |
//!
//! # Stages
//! 1. [`pop`] loads the parents.
//! 2. [`expand`] calls [`children`] once per child slot, which computes in this order: the automaton's next state, the
//!    moving and the jumped tiles, the new ranks ([`rank_gains`]), planes, bit indices ([`layout_numbers`]), board and
//!    meta word. It then compresses the allowed children into the queue and prefetches their bits.
//! 3. [`test`] takes the eight oldest children, reads their bits ([`updated_metas`]) and compresses those within the
//!    bound onto the stack.
//!
//! # Instructions that carry the load
//! * `vpmultishiftqb` reads up to eight nibbles of a board at once, at bit offsets given by the descriptor.
//! * `vpermb` and `vpermt2d`/`vpermt2q` are table look-ups in registers: 64 bytes by tile, 32 × 32 bits by tile,
//!   16 × 64 bits by cell.
//! * `vpsadbw` adds the rank changes of the jumped tiles.
//! * Gathers read move descriptors, automaton rows, layout words and table bits.
//! * `vpcompressq` removes the unused lanes.

use std::arch::x86_64::*;

use super::engine::{Stages, VectorEngine};
use super::lookups::{
    AND_OR, SELECT, XNOR, XNOR_3, XOR, XOR_AND, XOR_THEN_AND, by_cell, by_key, layout_numbers,
    load, load_halves, rank_gains, store,
};
use super::node::{
    DEPTH, KEY, KEY_MASK, LINK, LINK_MASK, Nodes, RANKS, ROOT_MOVE, SIGNS, depth, link,
};
use super::rows::Rows;
use super::steps::{EXISTS, MAX_CHILDREN, STEPS};
use crate::cpu::prefetch;
use crate::pattern_search::engine::Pause;
use crate::pattern_search::seeds::Queue;
use crate::pattern_search::tables::{ByTile, SLACK, TAG, Tables};

/// See [`VectorEngine::run_stages`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub fn run(
    engine: &mut VectorEngine,
    tables: &Tables,
    rows: &Rows,
    queue: &Queue<'_, Nodes>,
    left: &mut u64,
) -> Pause {
    engine.run_stages(&Avx512 { tables, words: tables.words(), rows }, queue, left)
}

/// The stages for eight nodes at a time.
struct Avx512<'a> {
    tables: &'a Tables,
    words: &'a [u64],
    rows: &'a Rows,
}

impl Stages for Avx512<'_> {
    const LANES: usize = 8;
    const LOOKAHEAD: usize = 32;

    type Parents = Parents;

    #[inline(always)]
    fn pop(&self, engine: &mut VectorEngine, nodes: usize) -> Parents {
        // SAFETY: only `run` uses these stages, and its caller has made sure that the machine has the instructions.
        unsafe { pop(self, engine, nodes) }
    }

    #[inline(always)]
    fn expand(&self, engine: &mut VectorEngine, parents: Parents) {
        // SAFETY: as above.
        unsafe { expand(self, engine, &parents) }
    }

    #[inline(always)]
    fn test(&self, engine: &mut VectorEngine) {
        // SAFETY: as above.
        unsafe { test(self, engine) }
    }
}

/// Up to eight parents. Inactive lanes hold stale data, except in `rows`.
#[derive(Clone, Copy)]
struct Parents {
    /// Bit i is set if lane i holds a parent.
    active: __mmask8,
    boards: __m512i,
    planes: __m512i,
    ranks: __m512i,
    metas: __m512i,
    /// Key of each parent.
    keys: __m512i,
    /// Bit number of the blank's cell on the board: cell × 4.
    blanks: __m512i,
    /// The blank's cell as a set in all four planes, see [`Steps::cells`](super::steps::Steps).
    cells: __m512i,
    /// Row of the automaton for each parent's state.
    rows: __m512i,
}

/// Takes `nodes` nodes, at most eight, from the top of the stack.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn pop(on: &Avx512<'_>, engine: &mut VectorEngine, nodes: usize) -> Parents {
    let stack = &mut engine.stack;
    stack.len -= nodes;
    let active = ((1_u32 << nodes) - 1) as __mmask8;
    // Words above the new top are stale. State 0 in the inactive lanes keeps the gather within the rows.
    let states = _mm512_maskz_mov_epi64(active, load(&stack.states, stack.len));
    let rows = on.rows.words().as_ptr().cast::<i64>();
    let metas = load(&stack.metas, stack.len);
    Parents {
        active,
        boards: load(&stack.boards, stack.len),
        planes: load(&stack.planes, stack.len),
        ranks: load(&stack.ranks, stack.len),
        metas,
        // Seven bits: the blank's cell above three bits of the last move.
        keys: _mm512_and_si512(_mm512_srli_epi64::<KEY>(metas), _mm512_set1_epi64(0x7f)),
        // Shifted by KEY + 3, the blank's cell is in the lowest four bits, all that `by_cell` reads.
        cells: by_cell(&STEPS.cells, _mm512_srli_epi64::<{ KEY + 3 }>(metas)),
        // Shifted by KEY + 1, the cell is at bits 2 to 5, which is cell × 4. The mask is 15 × 4 = 60.
        blanks: _mm512_and_si512(_mm512_srli_epi64::<{ KEY + 1 }>(metas), _mm512_set1_epi64(60)),
        // SAFETY: `MoveRows` has checked that each state on a path has a row; inactive lanes read row 0.
        rows: unsafe { _mm512_i64gather_epi64::<8>(states, rows) },
    }
}

/// Appends all children of the parents to the queue.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn expand(on: &Avx512<'_>, engine: &mut VectorEngine, parents: &Parents) {
    for slot in 0..MAX_CHILDREN - 1 {
        children(on, engine, parents, slot);
    }
    // Only the root can have a fourth child. ROOT_MOVE is 4, so one bit of the key identifies it.
    let root = _mm512_set1_epi64((ROOT_MOVE as i64) << KEY);
    if _mm512_mask_test_epi64_mask(parents.active, parents.metas, root) != 0 {
        children(on, engine, parents, MAX_CHILDREN - 1);
    }
}

/// Appends the child in `slot` of each parent to the queue and prefetches its table bits. Lanes without a child compute
/// an arbitrary one, whose look-ups stay within the tables, and are compressed away in the end.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn children(on: &Avx512<'_>, engine: &mut VectorEngine, parents: &Parents, slot: usize) {
    let tables = on.tables;
    let descriptor = by_key(&STEPS.descriptors[slot], parents.keys);
    // `EXISTS` in byte 6 of the descriptor (bit 48 = KEY and up) is set if the slot has a child.
    let exists = _mm512_set1_epi64((EXISTS as i64) << KEY);
    let active = _mm512_mask_test_epi64_mask(parents.active, descriptor, exists);
    // Byte 7 is 4 × the blank's new cell. Bits 58 to 61 are the cell itself; 62 and 63 are clear in this byte.
    let to = _mm512_srli_epi64::<58>(descriptor);
    // Bits 0 and 1 of byte 6: the move, already at the position of the last move in a meta word.
    let step = _mm512_and_si512(descriptor, _mm512_set1_epi64(3 << KEY));
    let blank_descriptor = _mm512_or_si512(by_cell(&STEPS.blank_descriptors, to), step);
    let cells = _mm512_or_si512(parents.cells, by_cell(&STEPS.cells, to));
    // Children that the automaton forbids count as generated too, as in the generic search.
    engine.generated += u64::from(active.count_ones());
    // A row has sixteen bits per move. Shifted by 44, the move in bits 48 and 49 is at bits 4 and 5: move × 16. The
    // mask is 3 × 16 = 48.
    let next = _mm512_and_si512(_mm512_srli_epi64::<44>(blank_descriptor), _mm512_set1_epi64(48));
    let states = _mm512_and_si512(
        _mm512_srlv_epi64(parents.rows, next),
        _mm512_set1_epi64(Rows::FORBIDDEN as i64),
    );
    let active =
        _mm512_mask_cmpneq_epi64_mask(active, states, _mm512_set1_epi64(Rows::FORBIDDEN as i64));

    // Each byte: the low nibble is the tile on the selected cell, the high nibble the tile on the next cell.
    let tiles = _mm512_multishift_epi64_epi8(descriptor, parents.boards);
    // Keep the low nibble and take the flags IN_TRANSPOSE and BACKWARD (bits 6 and 7 of the descriptor byte) into bits
    // 4 and 5. Bits 6 and 7 come from the neighbouring byte; all look-ups below ignore them.
    let tiles = _mm512_ternarylogic_epi64::<SELECT>(
        _mm512_set1_epi8(15),
        tiles,
        _mm512_srli_epi64::<2>(descriptor),
    );
    // The index of a 32-bit lane is its low five bits: byte 0 in the low half is the moving tile, byte 4 in the high
    // half the moving tile + 16. So each half gets the constants of the tile in its own view.
    let by_tile = |table: &ByTile| {
        let (low, high) = table.split_at(16);
        _mm512_permutex2var_epi32(load_halves(low), tiles, load_halves(high))
    };

    // New ranks: in the view in which the tile jumps, the rank of its pattern changes. One 64-bit addition is exact,
    // since every rank stays within its field.
    let ranks = _mm512_add_epi64(parents.ranks, rank_gains(tables, tiles));
    // Bits 30 and 31 of each half: the pattern that moved.
    let tags = by_tile(&tables.tag);
    let tagged = _mm512_ternarylogic_epi64::<SELECT>(_mm512_set1_epi64(RANKS as i64), ranks, tags);

    // New planes: the tile leaves the blank's new cell and arrives on the old one, so both cells toggle in the planes
    // that are set for its pattern; the blank's number is 0.
    let tile_planes = by_tile(&tables.planes);
    let planes = _mm512_ternarylogic_epi64::<XOR_AND>(parents.planes, cells, tile_planes);
    // The cells of the pattern's tiles are those where both planes equal the bits of its number. The shift brings the
    // second plane (bits 16 to 31) onto the first; bits 16 to 31 of the result are 0.
    let agreed = _mm512_ternarylogic_epi64::<XNOR>(planes, tile_planes, tile_planes);
    let masks = _mm512_and_si512(agreed, _mm512_srli_epi32::<16>(agreed));
    // Bit index of the pattern's state: first + rank * stride + layout number.
    let rank =
        _mm512_and_si512(_mm512_srlv_epi32(ranks, by_tile(&tables.shift)), by_tile(&tables.mask));
    let bit_indices = _mm512_add_epi32(
        _mm512_add_epi32(_mm512_mullo_epi32(rank, by_tile(&tables.stride)), by_tile(&tables.first)),
        layout_numbers(tables, masks, blank_descriptor),
    );

    // New board: the blank's cell holds the blank's own goal cell, so exchanging the two nibbles means toggling both
    // by tile ^ blank.
    let both = _mm512_ternarylogic_epi64::<XOR_THEN_AND>(
        tiles,
        _mm512_and_si512(_mm512_srlv_epi64(parents.boards, parents.blanks), _mm512_set1_epi64(15)),
        _mm512_set1_epi64(15),
    );
    let boards = _mm512_ternarylogic_epi64::<XOR>(
        parents.boards,
        _mm512_sllv_epi64(both, parents.blanks),
        _mm512_sllv_epi64(both, _mm512_srli_epi64::<56>(descriptor)),
    );
    // New meta word: the child's key (blank's new cell from the blank descriptor, and the move), depth + 1. Distances
    // and slack stay the parent's until the child's bits are read.
    let metas = _mm512_ternarylogic_epi64::<SELECT>(
        _mm512_set1_epi64(KEY_MASK as i64),
        blank_descriptor,
        parents.metas,
    );
    let metas = _mm512_add_epi64(metas, _mm512_set1_epi64(1 << DEPTH));

    // Append the allowed children to the queue. Eight words are written to each column; those past the new length are
    // overwritten later.
    let waiting = &mut engine.waiting;
    let at = waiting.nodes.len;
    store(&mut waiting.nodes.boards, at, _mm512_maskz_compress_epi64(active, boards));
    store(&mut waiting.nodes.planes, at, _mm512_maskz_compress_epi64(active, planes));
    store(&mut waiting.nodes.ranks, at, _mm512_maskz_compress_epi64(active, tagged));
    store(&mut waiting.nodes.metas, at, _mm512_maskz_compress_epi64(active, metas));
    store(&mut waiting.nodes.states, at, _mm512_maskz_compress_epi64(active, states));
    store(&mut waiting.bit_indices, at, _mm512_maskz_compress_epi64(active, bit_indices));
    waiting.nodes.len += active.count_ones() as usize;
    for &bit_indices in &waiting.bit_indices[at..waiting.nodes.len] {
        prefetch(on.words, (bit_indices & 0xffff_ffff) as usize / 64);
        prefetch(on.words, (bit_indices >> 32) as usize / 64);
    }
}

/// Tests the oldest waiting children, at most eight: those within the bound go to the stack, the others to the pruned
/// nodes if these are kept.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn test(on: &Avx512<'_>, engine: &mut VectorEngine) {
    let waiting = &mut engine.waiting;
    let at = waiting.first;
    let active = waiting.len().min(8);
    waiting.first += active;
    let active = ((1_u32 << active) - 1) as __mmask8;
    let boards = load(&waiting.nodes.boards, at);
    let planes = load(&waiting.nodes.planes, at);
    let ranks = load(&waiting.nodes.ranks, at);
    let metas = load(&waiting.nodes.metas, at);
    let states = load(&waiting.nodes.states, at);
    let bit_indices = _mm512_maskz_mov_epi64(active, load(&waiting.bit_indices, at));
    let metas = updated_metas(on, ranks, metas, bit_indices);

    // A negative slack in either half, or a depth of 128.
    let pruned = _mm512_mask_test_epi64_mask(active, metas, _mm512_set1_epi64(SIGNS as i64));
    if engine.keeps_pruned {
        let nodes = &mut engine.pruned;
        let at = nodes.len;
        store(&mut nodes.boards, at, _mm512_maskz_compress_epi64(pruned, boards));
        store(&mut nodes.planes, at, _mm512_maskz_compress_epi64(pruned, planes));
        store(&mut nodes.ranks, at, _mm512_maskz_compress_epi64(pruned, ranks));
        store(&mut nodes.metas, at, _mm512_maskz_compress_epi64(pruned, metas));
        store(&mut nodes.states, at, _mm512_maskz_compress_epi64(pruned, states));
        nodes.len += pruned.count_ones() as usize;
    }

    let within = active & !pruned;
    let metas = _mm512_maskz_compress_epi64(within, metas);
    // Parent-link entries (see `node::entry`): the parent's link at bits 2 to 18, the last move at bits 0 and 1.
    let entries = _mm512_ternarylogic_epi64::<SELECT>(
        _mm512_set1_epi64((LINK_MASK >> LINK << 2) as i64),
        _mm512_srli_epi64::<{ LINK - 2 }>(metas),
        _mm512_and_si512(_mm512_srli_epi64::<KEY>(metas), _mm512_set1_epi64(3)),
    );
    let (links, count) = (&mut engine.links, within.count_ones() as usize);
    let room: &mut [u32; 8] =
        links.entries[links.len..].first_chunk_mut().expect("entries have a margin");
    // SAFETY: `room` has eight entries of 32 bits, as many as are written.
    unsafe { _mm256_storeu_si256(room.as_mut_ptr().cast(), _mm512_cvtepi64_epi32(entries)) };
    // The new entries have consecutive numbers. On the stack a node links to its own entry.
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
    // Lanes past `count` are 0, which is not the goal.
    let goals = _mm512_cmpeq_epi64_mask(boards, _mm512_set1_epi64(Tables::GOAL as i64));
    if goals != 0 {
        let lane = goals.trailing_zeros();
        let meta = engine.stack.metas[at + lane as usize];
        engine.goal = Some((link(meta), depth(meta)));
    }
}

/// Reads the table bits of children and returns their meta words with the new distances and slack.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn updated_metas(on: &Avx512<'_>, ranks: __m512i, metas: __m512i, bit_indices: __m512i) -> __m512i {
    let words = on.words.as_ptr().cast::<i32>();
    // Bit b is bit b % 32 of the 32-bit word b / 32, because x86 is little-endian.
    // SAFETY: all bit indices of children are below the end that `Tables::words` has checked, and so is index 0, which
    // inactive lanes read.
    let words = unsafe { _mm512_i32gather_epi32::<4>(_mm512_srli_epi32::<5>(bit_indices), words) };
    // The rotation by b % 32 brings the bit to bit 0: bit 1 of the new distance. Only bit 0 of `new`, `old` and
    // `parity` is meaningful.
    let new = _mm512_rorv_epi32(words, bit_indices);
    // The moved pattern's number n is in bits 30 and 31 and bit 29 is 0, so this is 2n, the position of D mod 4.
    let distance_at = _mm512_srli_epi32::<{ TAG - 1 }>(ranks);
    let parity = _mm512_srlv_epi32(metas, distance_at);
    let old = _mm512_srli_epi32::<1>(parity);
    // D rises if bit 1 stays while D is even (0 to 1, 2 to 3) or flips while D is odd (1 to 2, 3 to 0), which is
    // !(new ^ old ^ parity). The mask keeps bit 0 of the halves that are used.
    let up = _mm512_and_si512(
        _mm512_ternarylogic_epi32::<XNOR_3>(new, old, parity),
        _mm512_set1_epi64(on.tables.active_halves as i64),
    );
    // Bit 0 of D always flips; bit 1 flips where the old and new bit differ. A half that is not used has 2n = 0 and
    // flips the unused bits 0 and 1.
    let change = _mm512_ternarylogic_epi32::<AND_OR>(
        _mm512_slli_epi32::<1>(_mm512_xor_si512(new, old)),
        _mm512_set1_epi32(2),
        _mm512_set1_epi32(1),
    );
    let metas = _mm512_xor_si512(metas, _mm512_sllv_epi32(change, distance_at));
    // A rise of D raises f by 2 and uses up one unit of slack.
    _mm512_sub_epi32(metas, _mm512_slli_epi32::<SLACK>(up))
}
