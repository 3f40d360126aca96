//! Computes the 8-puzzle tables and writes them to `OUT_DIR`, all numbers little-endian: `src/tables.rs` describes the
//! content of each file.
//!
//! The script contains its own breadth-first search: with a dependency on `loyd-tiles`, that crate would be compiled
//! twice. The tests of the kernels compare the tables with the generic search.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Number of boards that can be solved: 9!/2.
const STATES: usize = 181_440;
/// Number of orders of five tiles with the same parity: the last five cells add less than this to an index.
const LAST_ORDERS: u32 = 60;
/// Number of different path ends: see [`shared_ends`].
const PATH_ENDS: usize = 22_596;

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let directory = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let mut bits = Vec::new();
    for goal_blank in 0..9 {
        bits.extend(second_bits(&solve_all(goal_blank).distances));
    }
    fs::write(directory.join("bits.bin"), bits)?;
    write_judge_tables(&directory)
}

/// Tiles by cell in reading order, 0 being the blank.
type Board = [u8; 9];

/// Column and row that the blank gains by each move, in the order of `loyd_tiles::Move`: up, left, right, down.
const MOVES: [(i32, i32); 4] = [(0, -1), (-1, 0), (1, 0), (0, 1)];

/// All boards that can reach a goal, nearest first, with their distances by dense rank.
struct Solutions {
    boards: Vec<Board>,
    distances: Vec<u8>,
}

/// Finds all boards that can reach the goal with its tiles in order and the blank on `goal_blank`, breadth first.
fn solve_all(goal_blank: usize) -> Solutions {
    let mut numbers: Vec<u8> = (1..9).collect();
    numbers.insert(goal_blank, 0);
    let goal: Board = numbers.try_into().expect("there are nine cells");
    let (mut boards, mut distances) = (vec![goal], vec![u8::MAX; STATES]);
    distances[rank(&goal)] = 0;
    let mut next = 0;
    while let Some(&board) = boards.get(next) {
        let distance = distances[rank(&board)] + 1;
        for (_, child) in children(&board) {
            let known = &mut distances[rank(&child)];
            if *known == u8::MAX {
                *known = distance;
                boards.push(child);
            }
        }
        next += 1;
    }
    assert_eq!(boards.len(), STATES);
    Solutions { boards, distances }
}

/// Returns the number of each legal move, and the board after it.
fn children(board: &Board) -> impl Iterator<Item = (u64, Board)> {
    let board = *board;
    let blank = blank(&board);
    let (column, row) = ((blank % 3) as i32, (blank / 3) as i32);
    (0..).zip(MOVES).filter_map(move |(number, (right, down))| {
        let (column, row) = (column + right, row + down);
        let legal = (0..3).contains(&column) && (0..3).contains(&row);
        legal.then(|| {
            let mut child = board;
            child.swap(blank, (3 * row + column) as usize);
            (number, child)
        })
    })
}

fn blank(board: &Board) -> usize {
    board.iter().position(|&tile| tile == 0).expect("one cell is blank")
}

/// Returns the dense rank, as in `loyd_tiles::Packed3x3`: ordered by the blank's cell, then by half the lexicographic
/// rank of the tiles, since of two orders that differ in the last two tiles only one can be solved.
fn rank(board: &Board) -> usize {
    let (mut seen, mut orders) = (0_u32, 0);
    for (choices, &tile) in (1..=8).rev().zip(board.iter().filter(|&&tile| tile != 0)) {
        let smaller = seen & ((1 << tile) - 1);
        orders = orders * choices + usize::from(tile) - 1 - smaller.count_ones() as usize;
        seen |= 1 << tile;
    }
    blank(board) * (STATES / 9) + orders / 2
}

/// Returns bit 1 of each distance, indexed by rank, with the lowest rank in the lowest bit.
fn second_bits(distances: &[u8]) -> Vec<u8> {
    let byte = |eight: &[u8]| (0..8).fold(0, |byte, i| byte | (eight[i] >> 1 & 1) << i);
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

/// Returns a table indexed by the tiles on the first four cells as a number in base nine. Bits 0 to 8 of an entry are
/// the set of these tiles, bit 9 is the parity of all inversions that involve them, and bits 10 and up are the index of
/// the first board that starts with them.
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

/// Returns a table indexed by the tiles on the last five cells as a number in base nine. Bits 0 to 8 of an entry are
/// the set of these tiles, bit 9 is the parity of their inversions, and bits 10 and up number the orders with the same
/// set and parity.
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

/// Returns the digits of `index` in base nine, first cell first, and the set of them. Returns `None` if a digit repeats.
fn distinct<const N: usize>(mut index: u32) -> Option<([u32; N], u32)> {
    let (mut digits, mut set) = ([0; N], 0_u32);
    for digit in digits.iter_mut().rev() {
        *digit = index % 9;
        index /= 9;
        set |= 1 << *digit;
    }
    (set.count_ones() == N as u32).then_some((digits, set))
}

/// Returns the parity of the inversions of `tiles`, not counting the blank (0).
fn parity(tiles: &[u32]) -> u32 {
    let pairs = (0..tiles.len()).flat_map(|i| (0..i).map(move |j| (tiles[j], tiles[i])));
    pairs.filter(|&(before, after)| before > after && after > 0).count() as u32 & 1
}

/// Splits path words to halve their size, since many paths end alike. Returns the lowest 16 bits of each word with the
/// number of its end, and the ends by number: words without their lowest 16 bits.
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

/// Returns the path words by index of the board: a shortest path with two bits per move, the first move lowest, and a 1
/// above the last move. The last word only has the length of the text `unsolvable`.
fn path_words(first: &[u32], last: &[u16]) -> Vec<u64> {
    let Solutions { boards, distances } = solve_all(8);
    let mut by_rank = vec![0_u64; STATES];
    let mut words = vec![0; STATES];
    words.push(1 << (2 * "unsolvable".len()));
    for board in boards {
        let rank = rank(&board);
        let word = match distances[rank] {
            0 => 1,
            distance => {
                let nearer = children(&board).find_map(|(number, child)| {
                    let child = self::rank(&child);
                    (distances[child] == distance - 1).then(|| by_rank[child] << 2 | number)
                });
                nearer.expect("an exact distance falls along some move")
            }
        };
        by_rank[rank] = word;
        let number =
            |tiles: &[u8]| tiles.iter().fold(0, |number, &tile| 9 * number + usize::from(tile));
        let (a, b) = (first[number(&board[..4])], last[number(&board[4..])]);
        let entry = &mut words[((a >> 10) + u32::from(b >> 10)) as usize];
        assert_eq!(*entry, 0, "two boards have the same index");
        *entry = word;
    }
    words
}
