use super::*;
use crate::cpu::Cpu;
use crate::largest_sum::node::LANES;
use crate::largest_sum::scalar::Scalar;
use crate::largest_sum::tables::TileLanes;
use crate::largest_sum::tests::{many, random};

/// Any bits.
fn bits(seed: &mut u64) -> u32 {
    random(seed, 1 << 31) as u32 ^ (random(seed, 1 << 31) as u32) << 1
}

/// What stands in `node` for the lanes of a column, by AVX2 or by AVX-512.
#[target_feature(enable = "avx2")]
fn picked(wide: bool, node: &Node, lanes: &TileLanes) -> ([u32; 8], [u16; 8]) {
    let (mut masks, mut ranks) = ([0; 8], [0; 8]);
    // SAFETY: whoever asks for wide vectors has checked that the machine has AVX-512.
    let (own, numbers) = unsafe {
        match wide {
            true => (wide::pick(&node.masks, lanes), wide::pick_ranks(&node.ranks, lanes)),
            false => (
                columns::pick::<4>(&node.masks, lanes),
                columns::pick_ranks::<4>(&node.ranks, lanes),
            ),
        }
    };
    load::store(&mut masks, own);
    let mut words = [0; 8];
    load::store(&mut words, numbers);
    for (rank, word) in ranks.iter_mut().zip(words) {
        *rank = word as u16;
    }
    (masks, ranks)
}

#[test]
fn lanes_of_any_bits_are_picked_and_changed_as_by_plain_code() {
    let machines: Vec<bool> =
        Cpu::available().filter(|cpu| *cpu != Cpu::Scalar).map(|cpu| cpu == Cpu::Avx512).collect();
    let tables = Tables::new(many()).unwrap();
    let seed = &mut 5;
    for _ in 0..2000 {
        let (mut node, mut child) = (Node::EMPTY, Child::EMPTY);
        node.masks.fill_with(|| bits(seed));
        node.ranks.fill_with(|| bits(seed) as u16);
        child.masks.fill_with(|| bits(seed));
        child.ranks.fill_with(|| bits(seed) as u16);
        let cells = tables.size.cells();
        (child.tile, child.blank) = (1 + random(seed, cells - 1) as u8, random(seed, cells) as u8);
        let lanes = &tables.tiles[usize::from(child.tile)];
        let mut expected = Node::EMPTY;
        Scalar.place(&tables, &node, &child, &mut expected);
        let column = lanes.lanes.0.map(|lane| lane as usize);
        let own = (column.map(|lane| node.masks[lane]), column.map(|lane| node.ranks[lane]));
        for &wide in &machines {
            // SAFETY: the machine has AVX2.
            assert_eq!(unsafe { picked(wide, &node, lanes) }, own);
            let mut after = Node::EMPTY;
            match wide {
                true => Vectors::<4, true>.place(&tables, &node, &child, &mut after),
                false => Vectors::<4, false>.place(&tables, &node, &child, &mut after),
            }
            assert_eq!(after.masks[..LANES], expected.masks[..LANES]);
            assert_eq!(after.ranks[..LANES], expected.ranks[..LANES]);
            assert_eq!(after.board, expected.board);
        }
    }
}

#[test]
fn all_short_words_are_stored() {
    if Cpu::detect() == Cpu::Scalar {
        return;
    }
    for first in (0..1 << 16).step_by(8) {
        let words: [u32; 8] = std::array::from_fn(|lane| first + lane as u32);
        let mut short = [0; 8];
        // SAFETY: the machine has AVX2.
        unsafe { load::store_short(&mut short, load::load_words(&words)) };
        assert_eq!(short.map(u32::from), words);
    }
}
