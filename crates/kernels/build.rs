//! Makes the 8-puzzle tables with the generic retrograde search and writes them to `OUT_DIR`, all
//! numbers little-endian: see `src/tables.rs` for what each file holds.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use loyd_search::{DistanceTable, Meter, Rankable, StateSpace, retrograde};
use loyd_tiles::{Board, BoardSpace, Packed3x3, Size};

/// Boards that can be solved: 9!/2.
const STATES: usize = 181_440;
/// Orders of five things of the same parity: what the last five cells add to an index.
const LAST_ORDERS: u32 = 60;
/// Ends of paths that differ: see [`shared_ends`].
const PATH_ENDS: usize = 22_596;

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let directory = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let mut bits = Vec::new();
    for goal_blank in 0..9 {
        let (_, table) = solve_all(goal_blank);
        bits.extend(second_bits(&table));
    }
    fs::write(directory.join("bits.bin"), bits)?;
    write_judge_tables(&directory)
}

/// The distances of all boards from the goal with its tiles in order and the blank on `goal_blank`.
fn solve_all(goal_blank: usize) -> (Packed3x3, DistanceTable) {
    let mut numbers: Vec<u32> = (1..9).collect();
    numbers.insert(goal_blank, 0);
    let space = Packed3x3::new(&Board::new(Size::EIGHT, &numbers).expect("each tile once"));
    let table = retrograde(&space, &mut Meter::default()).expect("no limit is set");
    assert_eq!(table.distances().len(), STATES);
    (space, table)
}

/// Bit 1 of each distance by rank, the lowest rank in the lowest bit.
fn second_bits(table: &DistanceTable) -> Vec<u8> {
    let distances: Vec<u32> = table.distances().collect();
    let byte = |eight: &[u32]| (0..8).fold(0, |byte, i| byte | (eight[i] as u8 >> 1 & 1) << i);
    distances.chunks_exact(8).map(byte).collect()
}

fn write_judge_tables(directory: &Path) -> io::Result<()> {
    let first = first_four();
    let last = last_five();
    let (entries, ends) = shared_ends(&path_words(&first, &last));
    fs::write(directory.join("first_four.bin"), to_bytes(first, u32::to_le_bytes))?;
    fs::write(directory.join("last_five.bin"), to_bytes(last, u16::to_le_bytes))?;
    fs::write(directory.join("paths.bin"), to_bytes(entries.into_flattened(), u16::to_le_bytes))?;
    fs::write(directory.join("path_ends.bin"), to_bytes(ends, u64::to_le_bytes))
}

fn to_bytes<T, const N: usize>(entries: Vec<T>, bytes: fn(T) -> [u8; N]) -> Vec<u8> {
    entries.into_iter().flat_map(bytes).collect()
}

/// By the tiles on the first four cells as a number in base nine: bits 0 to 8 the set of them, bit 9
/// the parity of all inversions that they have a part in, from bit 10 the index of their first board.
fn first_four() -> Vec<u32> {
    let mut next = 0;
    let entry = |index| {
        let Some((tiles, set)) = distinct::<4>(index) else { return 0 };
        // A tile that is not among the first four comes after them.
        let later = (1..9).filter(|tile| set >> tile & 1 == 0);
        let order: Vec<u32> = tiles.into_iter().chain(later).collect();
        let base = next;
        next += LAST_ORDERS;
        base << 10 | parity(&order) << 9 | set
    };
    (0..9_u32.pow(4)).map(entry).collect()
}

/// By the tiles on the last five cells as a number in base nine: bits 0 to 8 the set of them, bit 9
/// the parity of their inversions, from bit 10 their number among the orders with the same set and
/// parity.
fn last_five() -> Vec<u16> {
    let mut counts: HashMap<(u32, u32), u32> = HashMap::new();
    let entry = |index| {
        let Some((tiles, set)) = distinct::<5>(index) else { return 0 };
        let parity = parity(&tiles);
        let count = counts.entry((set, parity)).or_default();
        let number = *count;
        *count += 1;
        (number << 10 | parity << 9 | set) as u16
    };
    let entries = (0..9_u32.pow(5)).map(entry).collect();
    assert!(counts.values().all(|&count| count == LAST_ORDERS));
    entries
}

/// The digits of `index` in base nine, first cell first, and the set of them; `None` if one repeats.
fn distinct<const N: usize>(mut index: u32) -> Option<([u32; N], u32)> {
    let (mut digits, mut set) = ([0; N], 0_u32);
    for digit in digits.iter_mut().rev() {
        *digit = index % 9;
        index /= 9;
        set |= 1 << *digit;
    }
    (set.count_ones() == N as u32).then_some((digits, set))
}

/// The parity of the inversions of `tiles`, the blank (0) not counted.
fn parity(tiles: &[u32]) -> u32 {
    let pairs = (0..tiles.len()).flat_map(|i| (0..i).map(move |j| (tiles[j], tiles[i])));
    pairs.filter(|&(before, after)| before > after && after > 0).count() as u32 & 1
}

/// The words in half the room, since many paths end alike: of each word the lowest 16 bits and the number of its
/// other bits; and these other bits by number, in their places.
fn shared_ends(words: &[u64]) -> (Vec<[u16; 2]>, Vec<u64>) {
    const START: u64 = 0xffff;
    let mut ends: Vec<u64> = words.iter().map(|word| word & !START).collect();
    ends.sort_unstable();
    ends.dedup();
    assert_eq!(ends.len(), PATH_ENDS, "src/tables.rs has the number, too");
    let entry = |word: &u64| {
        let number = ends.binary_search(&(word & !START)).expect("each end is there");
        [(word & START) as u16, number as u16]
    };
    (words.iter().map(entry).collect(), ends)
}

/// A shortest path of each board in two bits a move, the first move lowest and a 1 above the last:
/// by the index of the board, and at the end one that only has the length of `unsolvable`.
fn path_words(first: &[u32], last: &[u16]) -> Vec<u64> {
    let (space, table) = solve_all(8);
    let distances: Vec<u32> = table.distances().collect();
    let mut by_distance: Vec<u64> = (0..STATES as u64).collect();
    by_distance.sort_by_key(|&rank| distances[rank as usize]);
    let mut by_rank = vec![0_u64; STATES];
    let mut words = vec![0; STATES];
    words.push(1 << (2 * "unsolvable".len()));
    for rank in by_distance {
        let state = space.unrank(rank);
        let word = match table.distance(&space, &state) {
            0 => 1,
            distance => {
                let nearer = space.actions(&state).into_iter().find_map(|action| {
                    let child = space.successor(&state, action);
                    let falls = table.distance(&space, &child) == distance - 1;
                    falls.then(|| by_rank[space.rank(&child) as usize] << 2 | action as u64)
                });
                nearer.expect("an exact distance falls along some move")
            }
        };
        by_rank[rank as usize] = word;
        let tiles: Vec<u32> = space.decode(&state).numbers().map(u32::from).collect();
        let number = |tiles: &[u32]| tiles.iter().fold(0, |number, tile| 9 * number + tile);
        let (a, b) = (first[number(&tiles[..4]) as usize], last[number(&tiles[4..]) as usize]);
        let entry = &mut words[((a >> 10) + u32::from(b >> 10)) as usize];
        assert_eq!(*entry, 0, "two boards have the same index");
        *entry = word;
    }
    words
}
