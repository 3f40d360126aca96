//! Sequences and states by depth, compared with published terms and with an independent count.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::sync::atomic::{AtomicU64, Ordering};

use loyd::engine::{Limits, Meter, Stop};
use loyd::{Board, CancelToken, Goal, Size};
use loyd_lab::perft::{PerftError, Start, States, sequences};

/// OEIS A090377: the blank starts in the corner of an infinite board. Published up to a(17); the last three terms are
/// from these tests.
const CORNER: [u64; 21] = [
    1,
    2,
    4,
    10,
    26,
    66,
    173,
    456,
    1_230,
    3_318,
    9_066,
    24_768,
    68_304,
    188_370,
    523_083,
    1_452_560,
    4_054_708,
    11_318_926,
    31_727_394,
    88_940_476,
    250_146_394,
];
/// OEIS A090378: the blank starts in the middle of a side.
const SIDE: [u64; 12] = [1, 3, 7, 19, 53, 147, 409, 1_151, 3_255, 9_241, 26_267, 74_895];

fn meter(max_bytes: Option<u64>) -> Meter<'static> {
    Meter::new(Limits { max_bytes, ..Limits::default() }, CancelToken::new())
}

fn counted(start: &Start, depth: u32) -> Vec<u64> {
    let mut states = States::new(start, depth, || Ok(Cursor::new(Vec::new()))).unwrap();
    (0..=depth).map(|_| states.next_count(&mut Meter::default()).unwrap()).collect()
}

fn large(cell: (u32, u32)) -> Start {
    Start::new((40, 40), cell).unwrap()
}

#[test]
fn counts_match_published_terms() {
    assert_eq!(counted(&large((0, 0)), 12), CORNER[..13]);
    assert_eq!(counted(&large((39, 39)), 9), CORNER[..10]);
    assert_eq!(counted(&large((0, 20)), 11), SIDE);
}

#[test]
fn small_boards_run_out_of_states() {
    let census = counted(&Start::new((3, 3), (2, 2)).unwrap(), 32);
    assert_eq!((census[31], census[32], census.iter().sum::<u64>()), (2, 0, 181_440));
    assert_eq!(counted(&Start::new((1, 5), (0, 0)).unwrap(), 6), [1, 1, 1, 1, 1, 0, 0]);
    assert_eq!(counted(&Start::new((1, 1), (0, 0)).unwrap(), 2), [1, 0, 0]);
}

#[test]
fn start_is_derived_from_a_board() {
    let board = Goal::Spiral.board(Size::new(5, 4).unwrap()).unwrap();
    let (row, column) = (board.size().row(board.blank()), board.size().column(board.blank()));
    let start = Start::new((5, 4), (row as u32, column as u32)).unwrap();
    assert_eq!(Start::from(&board), start);
    assert!(matches!(Start::new((5, 4), (4, 0)), Err(PerftError::Blank(4, 0))));
    assert!(matches!(Start::new((1_001, 4), (0, 0)), Err(PerftError::Size(1_001, 4))));
}

/// Enumerates all sequences of `depth` moves. Returns how many there are, and how many never undo a move.
fn enumerated(board: &Board, last: Option<loyd::Move>, depth: u32) -> [u128; 2] {
    if depth == 0 {
        return [1, 1];
    }
    let mut counts = [0; 2];
    for m in board.moves() {
        let mut child = board.clone();
        child.apply(m).unwrap();
        let [all, without_undoing] = enumerated(&child, Some(m), depth - 1);
        counts[0] += all;
        counts[1] += if last == Some(m.inverse()) { 0 } else { without_undoing };
    }
    counts
}

#[test]
fn sequences_match_enumeration() {
    for (width, height) in [(3, 3), (4, 2), (1, 4), (2, 2), (5, 5)] {
        let board = Goal::BlankLast.board(Size::new(width, height).unwrap()).unwrap();
        let counts = sequences(&Start::from(&board), 9);
        for (depth, counts) in (0..).zip(counts) {
            let expected = enumerated(&board, None, depth).map(Some);
            assert_eq!([counts.all, counts.without_undoing], expected, "{board:?} {depth}");
        }
    }
}

#[test]
fn numbers_beyond_128_bits_are_none() {
    let counts = sequences(&Start::new((2, 2), (0, 0)).unwrap(), 200);
    assert_eq!(counts[127].all, Some(1 << 127));
    assert_eq!((counts[128].all, counts[200].without_undoing), (None, Some(2)));
}

/// Number of bytes written to scratch files.
static BYTES_WRITTEN: AtomicU64 = AtomicU64::new(0);

struct CountingFile(Cursor<Vec<u8>>);

impl Read for CountingFile {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.0.read(bytes)
    }
}

impl Write for CountingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        BYTES_WRITTEN.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Seek for CountingFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

#[test]
fn states_beyond_the_memory_limit_go_to_files() {
    let scratch = || Ok(CountingFile(Cursor::new(Vec::new())));
    let mut states = States::new(&large((0, 0)), 12, scratch).unwrap();
    for (depth, expected) in CORNER[..13].iter().enumerate() {
        let mut meter = meter(Some(1 << 20));
        assert_eq!(states.next_count(&mut meter).unwrap(), *expected, "depth {depth}");
        assert!(meter.finish().peak_bytes <= 1 << 20);
    }
    assert!(BYTES_WRITTEN.load(Ordering::Relaxed) > 1 << 19);
}

#[test]
fn limits_and_file_errors_end_the_count() {
    let full = || Err::<Cursor<Vec<u8>>, _>(io::Error::from(io::ErrorKind::StorageFull));
    let mut states = States::new(&large((0, 0)), 14, full).unwrap();
    let error = (0..=14).find_map(|_| states.next_count(&mut meter(Some(1 << 20))).err());
    assert!(matches!(error, Some(PerftError::Scratch(_))), "{error:?}");
    let mut states = States::new(&large((0, 0)), 14, full).unwrap();
    let error = states.next_count(&mut meter(Some(1 << 19))).unwrap_err();
    assert!(matches!(error, PerftError::Stopped(Stop::Memory)));
    let error = States::new(&large((0, 0)), 200, full).unwrap_err();
    assert!(matches!(error, PerftError::TooDeep { depth: 200, most: 92 }), "{error}");
}

/// Numbers the cells of an infinite corner diagonal by diagonal.
fn number((row, column): (usize, usize)) -> usize {
    (row + column) * (row + column + 1) / 2 + column
}

const CELLS: usize = 231;

/// Returns the displaced tiles with their cells after the moves of `path` (two bits per move, the last move lowest),
/// and the cell of the blank.
fn places(path: u64, length: u32) -> ([u8; 40], (usize, usize)) {
    let mut tiles: [u8; CELLS] = std::array::from_fn(|cell| cell as u8);
    let mut place_of = tiles;
    let (mut row, mut column) = (0, 0);
    for step in (0..length).rev() {
        let from = number((row, column));
        match path >> (2 * step) & 3 {
            0 => row -= 1,
            1 => column -= 1,
            2 => column += 1,
            _ => row += 1,
        }
        let tile = tiles[number((row, column))];
        (tiles[from], place_of[usize::from(tile)]) = (tile, from as u8);
    }
    let mut places = [0; 40];
    let moved = (1..CELLS).filter(|&tile| usize::from(place_of[tile]) != tile);
    // `tiles` is stale at the cell of the blank, but `place_of` is current for every tile.
    for (entry, tile) in places.chunks_exact_mut(2).zip(moved) {
        entry.copy_from_slice(&[tile as u8, place_of[tile]]);
    }
    (places, (row, column))
}

/// Paths of a level by the cell of the blank.
type Paths = BTreeMap<(usize, usize), Vec<u64>>;

/// Counts independently: a state is represented by a shortest path and identified in a hash map by its displaced tiles,
/// one cell of the blank at a time. States known from two levels before are removed.
fn counted_by_paths(depth: u32) -> Vec<u64> {
    let mut before = Paths::new();
    let mut level = Paths::from([((0, 0), vec![0])]);
    let mut counts = vec![1];
    for length in 1..=depth {
        let mut count = 0;
        let mut next = Paths::new();
        let cells =
            (0..=length as usize).flat_map(|row| (0..=length as usize).map(move |c| (row, c)));
        for cell in cells.filter(|&(row, column)| row + column <= length as usize) {
            let found = paths_to(cell, length, (&before, &level));
            count += found.len() as u64;
            if length < depth {
                next.insert(cell, found.into_values().collect());
            }
        }
        counts.push(count);
        (before, level) = (level, next);
    }
    counts
}

/// Returns a path for each state of the next level with the blank on `cell`.
fn paths_to(
    cell: (usize, usize),
    length: u32,
    (before, level): (&Paths, &Paths),
) -> HashMap<[u8; 40], u64> {
    let (row, column) = cell;
    let from = [
        Some((row + 1, column)),
        Some((row, column + 1)),
        column.checked_sub(1).map(|column| (row, column)),
        row.checked_sub(1).map(|row| (row, column)),
    ];
    let mut found = HashMap::new();
    for (m, from) in (0..).zip(from) {
        for path in from.and_then(|from| level.get(&from)).into_iter().flatten() {
            let path = path << 2 | m;
            let (places, end) = places(path, length);
            assert_eq!(end, cell);
            found.insert(places, path);
        }
    }
    for &path in before.get(&cell).into_iter().flatten() {
        found.remove(&places(path, length - 2).0);
    }
    found
}

#[test]
fn path_count_matches_published_terms() {
    assert_eq!(counted_by_paths(10), CORNER[..11]);
}

/// Takes some minutes and 4 GB of memory: `cargo test -p loyd-lab --test perft -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn path_count_matches_new_terms() {
    assert_eq!(counted_by_paths(20), CORNER);
}
