//! Named partitions and default partitions.
//!
//! # Catalogues
//! The catalogues are sets of partitions for hard 5x5 boards, one for each goal cell of the blank.
//!
//! A partition is written as one digit per goal cell in canonical reading order, the number of the cell's pattern. The
//! goal cell of the blank is marked with `.`, or has a digit that is ignored.
//!
//! The partitions of a set share patterns, so that no tile is in more than eight patterns, the limit of the kernel.
//! If the blank belongs on the diagonal, the patterns of the transposed board count too. Such sets are chosen by
//! experiment, as in Clausecker and Reinefeld (2019).

use loyd_tiles::{Cell, CellSet, Size};

use crate::pdb::DENSE_CELLS;

/// A partition, or a set of partitions, with a name.
#[derive(Clone, Copy, Debug)]
pub struct NamedPartition {
    /// The name: the number of tiles of each pattern, or the name of a set.
    pub name: &'static str,
    /// Size and purpose, in one line.
    pub summary: &'static str,
    /// Width and height of the boards in canonical orientation.
    size: (usize, usize),
    /// Canonical goal cell of the blank on boards of more than 16 cells. On other boards, it may be any cell.
    blank: u8,
    /// For each partition, the digit of the pattern of each goal cell, in canonical orientation. The digit at the goal
    /// cell of the blank is ignored.
    partitions: &'static [&'static [u8]],
}

/// All named partitions, by board size, and within a size in ascending order of the table sizes.
pub const NAMED_PARTITIONS: &[NamedPartition] = &[
    NamedPartition {
        name: "5-5-5",
        summary: "0.3 MB; for very little memory",
        size: (4, 4),
        blank: 0,
        partitions: &[b"0011001100212222"],
    },
    NamedPartition {
        name: "6-6-3",
        summary: "3 MB, built in a fraction of a second; good for a few boards",
        size: (4, 4),
        blank: 0,
        partitions: &[b"0011001100110222"],
    },
    NamedPartition {
        name: "7-7-1",
        summary: "36 MB; the default",
        size: (4, 4),
        blank: 0,
        partitions: &[b"0000000011121111"],
    },
    NamedPartition {
        name: "7-8",
        summary: "198 MB, built in seconds; for thousands of boards, or the hardest",
        size: (4, 4),
        blank: 0,
        partitions: &[b"0011001100110011"],
    },
    NamedPartition {
        name: "6-6-6-6",
        summary: "45 MB for 5x5, built in seconds; the default",
        size: (5, 5),
        blank: 0,
        partitions: &[CORNERS_5X5],
    },
    NamedPartition {
        name: "catalogue",
        summary: "204 MB for 5x5, the largest of many sums; for the hardest boards",
        size: (5, 5),
        blank: 0,
        partitions: CATALOGUE_0,
    },
    NamedPartition {
        name: "catalogue",
        summary: "249 MB for 5x5 with the blank next to a corner; for the hardest boards",
        size: (5, 5),
        blank: 1,
        partitions: CATALOGUE_1,
    },
    NamedPartition {
        name: "catalogue",
        summary: "227 MB for 5x5 with the blank in the middle of a side; for the hardest boards",
        size: (5, 5),
        blank: 2,
        partitions: CATALOGUE_2,
    },
    NamedPartition {
        name: "catalogue",
        summary: "249 MB for 5x5 with the blank diagonally next to a corner; for the hardest boards",
        size: (5, 5),
        blank: 6,
        partitions: CATALOGUE_6,
    },
    NamedPartition {
        name: "catalogue",
        summary: "249 MB for 5x5 with the blank next to the centre, towards a side; for the hardest boards",
        size: (5, 5),
        blank: 7,
        partitions: CATALOGUE_7,
    },
    NamedPartition {
        name: "catalogue",
        summary: "204 MB for 5x5 with the blank in the centre; for the hardest boards",
        size: (5, 5),
        blank: 12,
        partitions: CATALOGUE_12,
    },
    NamedPartition {
        name: "catalogue",
        summary: "144 MB for 3x6, the larger of two sums; for hard boards",
        size: (3, 6),
        blank: 0,
        partitions: &[b"000011111112222222", b"000000001112222222"],
    },
    NamedPartition {
        name: "catalogue",
        summary: "80 MB for 3x7, the largest of three sums; for hard boards",
        size: (3, 7),
        blank: 0,
        partitions: &[b"000111111222222333333", b"000000011111122222233", b"001001001011221223223"],
    },
    NamedPartition {
        name: "catalogue",
        summary: "30 MB for 4x5, the largest of three sums; for hard boards",
        size: (4, 5),
        blank: 0,
        partitions: &[b"00003000112211221122", b"00110011001102223222", b"00010011001122212223"],
    },
    NamedPartition {
        name: "catalogue",
        summary: "148 MB for 4x6, the largest of three sums; for hard boards",
        size: (4, 6),
        blank: 0,
        partitions: &[
            b"001100110011023322332233",
            b"000010001122112233223333",
            b"000100110011222122332333",
        ],
    },
];

/// The patterns of Korf and Felner (2002) for 5x5 boards with the blank's goal cell in a corner: a block of 2x3 cells
/// in each of the other three corners, which share a table, and the remaining tiles.
const CORNERS_5X5: &[u8] = b"0001100011220112233322333";

/// The goal cells of each pattern.
pub(super) type Groups = Vec<Vec<u8>>;

/// Returns the groups of each partition with this name, or `None` if there is none for these boards (in canonical
/// orientation).
pub(super) fn groups(name: &str, size: Size, blank: u8) -> Option<impl Iterator<Item = Groups>> {
    let row = named_for(size, blank).find(|row| row.name == name)?;
    Some(row.partitions.iter().map(move |digits| by_digits(digits, blank)))
}

/// Returns the named partitions for these boards.
fn named_for(size: Size, blank: u8) -> impl Iterator<Item = &'static NamedPartition> {
    let fits = move |row: &&NamedPartition| {
        row.size == (size.width(), size.height())
            && (size.cells() <= DENSE_CELLS || row.blank == blank)
    };
    NAMED_PARTITIONS.iter().filter(fits)
}

/// Groups the cells by their digits, without the goal cell of the blank.
fn by_digits(digits: &[u8], blank: u8) -> Groups {
    let mut groups = vec![Vec::new(); 10];
    for (cell, digit) in (0..).zip(digits).filter(|&(cell, _)| cell != blank) {
        groups[usize::from(digit - b'0')].push(cell);
    }
    groups.retain(|cells| !cells.is_empty());
    groups
}

/// Returns the names of partitions for these boards, including `default`.
pub(super) fn names(size: Size, blank: u8) -> impl Iterator<Item = &'static str> {
    named_for(size, blank).map(|row| row.name).chain(["default"])
}

/// Returns the groups of the default partition.
///
/// | boards | patterns |
/// |---|---|
/// | 4x4 | `7-7-1` |
/// | other boards of at most 16 cells | at most seven tiles with consecutive goal cells in reading order |
/// | 5x5, blank in a corner | patterns of Korf and Felner |
/// | other larger boards | [`compact`] patterns |
///
/// If there are 15 tiles, the middle one is a pattern by itself: on 2x8 boards, that takes a thirtieth of the
/// expansions needed if the last tile is the single one.
///
/// Table sizes, and nodes expanded by IDA* on 100 boards after 60 random moves (`cargo bench -p loyd-heuristics --bench
/// large_boards`), compared with patterns of at most five tiles in tables with one entry per tuple of cells:
///
/// | size | bytes | expansions | bytes, tuples | expansions, tuples |
/// |---|---|---|---|---|
/// | 3x6 | 6,942,720 | 4,305 | 4,960,128 | 31,939 |
/// | 3x7 | 26,680,448 | 7,410 | 42,883,072 | 42,057 |
/// | 4x5 | 18,109,504 | 36,036 | 24,400,000 | 71,806 |
/// | 4x6 | 18,977,280 | 64,968 | 73,654,272 | 149,066 |
/// | 5x5 | 45,342,720 | 22,232 | 123,291,040 | 52,768 |
pub(super) fn default_groups(size: Size, blank: u8) -> Groups {
    match (size.width(), size.height(), size.tiles()) {
        (4, 4, _) => {
            let mut all = groups("7-7-1", size, blank).expect("4x4 boards have this partition");
            all.next().expect("a named partition has groups")
        }
        (5, 5, _) if blank == 0 => by_digits(CORNERS_5X5, blank),
        (.., 15) => runs(size, blank, &[7, 1, 7]),
        (.., ..15) => runs(size, blank, &[7, 7]),
        _ => compact(size, CellSet::all(size).without(CellSet::of(blank))),
    }
}

/// Returns groups of `tiles[i]` consecutive goal cells in reading order; the last ones are smaller or omitted if there
/// are fewer tiles.
pub(super) fn runs(size: Size, blank: u8, tiles: &[usize]) -> Groups {
    let mut cells = (0..size.cells() as u8).filter(|&cell| cell != blank);
    let run = |&tiles: &usize| cells.by_ref().take(tiles).collect();
    let groups: Groups = tiles.iter().map(run).collect();
    groups.into_iter().filter(|cells| !cells.is_empty()).collect()
}

/// Maximum number of states, not counting regions, of a pattern of the default partition on boards of more than 16
/// cells.
const LARGEST_TABLE: u64 = 150_000_000;

/// Divides `goals` into groups of nearby goal cells.
///
/// The cells are listed in strips of two columns (three for the last one if the width is odd), the first strip
/// downwards, the second upwards, and so on. The list is cut into pieces of as many tiles as fit in a table of about
/// 20 MB, six on 5x5. The remainder is the first piece, next to the blank, where a small pattern leads to fewer
/// expansions than anywhere else; but a remainder of a single tile is the middle piece.
pub fn compact(size: Size, goals: CellSet) -> Groups {
    let cells: Vec<u8> = strips(size).into_iter().filter(|&cell| goals.contains(cell)).collect();
    let most = max_tiles(size);
    let (full, rest) = (cells.len() / most, cells.len() % most);
    let mut sizes = vec![most; full];
    let place = if rest == 1 { full.div_ceil(2) } else { 0 };
    sizes.insert(place, rest);
    let mut left = &cells[..];
    let mut piece = |tiles: usize| {
        let (piece, others) = left.split_at(tiles);
        left = others;
        piece.to_vec()
    };
    let pieces = sizes.into_iter().map(&mut piece);
    pieces.filter(|cells| !cells.is_empty()).collect()
}

/// Returns the maximum number of tiles of a pattern of [`compact`].
fn max_tiles(size: Size) -> usize {
    let cells = size.cells() as u64;
    let states = |tiles: &u64| (0..*tiles).map(|tile| cells - tile).product::<u64>();
    (1..8).take_while(|tiles| states(tiles) <= LARGEST_TABLE).count()
}

/// Returns all cells in strips of two columns, so that consecutive cells are close to each other.
fn strips(size: Size) -> Vec<u8> {
    let mut cells = Vec::new();
    let strips = (size.width() / 2).max(1);
    for strip in 0..strips {
        let end = if strip + 1 == strips { size.width() } else { 2 * strip + 2 };
        let mut strip_cells: Vec<Cell> = (0..size.height())
            .flat_map(|row| (2 * strip..end).map(move |column| size.cell(row, column)))
            .collect();
        if strip % 2 == 1 {
            strip_cells.reverse();
        }
        cells.extend(strip_cells.into_iter().map(|cell| cell.index() as u8));
    }
    cells
}

/// Partitions of 5x5 boards with the blank's goal cell in a corner. The transposed boards double the number of sums.
///
/// Nodes expanded by IDA* in all iterations but the last, in millions, on three boards of Korf and Felner, with an
/// automaton for words of 16 moves:
///
/// | partitions | patterns | board 38 | board 40 | board 25 |
/// |---|---|---|---|---|
/// | these six | 24 | 2.11 | 1.52 | 7.55 |
/// | one of them replaced | 26 | 2.19 | 1.65 | 8.76 |
/// | another one replaced | 24 | 3.33 | 1.51 | 7.30 |
/// | `6-6-6-6` only | 8 | 7.03 | 3.17 | not measured |
///
/// With all seven partitions, a tile is in ten patterns, too many for the kernel.
const CATALOGUE_0: &[&[u8]] = &[
    b"0011100111000223332233322",
    b"0001100111001223332233322",
    b"0011100111000222222333333",
    b"0001100111001222222333333",
    b"0011100111022330223302233",
    b"0001100221002213332133321",
];

/// Partitions of 5x5 boards with the blank's goal cell next to a corner. No reflection keeps that cell.
const CATALOGUE_1: &[&[u8]] = &[
    b"0.11100111000223332233322",
    b"0.01100111001223332233322",
    b"0.11100111000222222333333",
    b"0.01100111001222222333333",
    b"0.11100111022330223302233",
    b"0.01100221002213332133321",
    b"0.01100011220112233322333",
    b"0.01100011022112233322333",
];

/// Partitions of 5x5 boards with the blank's goal cell in the middle of a side.
const CATALOGUE_2: &[&[u8]] = &[
    b"01.1100111000223332233322",
    b"00.1100111001223332233322",
    b"01.1100111000222222333333",
    b"00.1100111001222222333333",
    b"01.1100111022330223302233",
    b"00.1100221002213332133321",
    b"00.1100011220112233322333",
    b"00.0001111011223332233322",
];

/// Partitions of 5x5 boards with the blank's goal cell diagonally next to a corner. The transposed boards double the
/// number of sums.
const CATALOGUE_6: &[&[u8]] = &[
    b"001110.111000223332233322",
    b"000010.011221112233322333",
    b"000110.111001223332233322",
    b"001110.111000222222333333",
    b"000110.011220113222233333",
    b"000010.011221113222233333",
    b"001110.111002220322233333",
    b"001110.111002223022233333",
];

/// Partitions of 5x5 boards with the blank's goal cell next to the centre, towards a side.
const CATALOGUE_7: &[&[u8]] = &[
    b"0001100.11220112233322333",
    b"0122201.22012330113300133",
    b"0011100.11002212222333333",
    b"0011100.11001223332233322",
    b"0011100.11002213332233322",
    b"0122201.22013320113300133",
    b"0001100.01221112233322333",
    b"0000011.11011223332233322",
];

/// Partitions of 5x5 boards with the blank's goal cell in the centre. The transposed boards double the number of sums.
const CATALOGUE_12: &[&[u8]] = &[
    b"011110001100.223332233322",
    b"001110011100.223332233322",
    b"011110001100.222222333333",
    b"001110011100.222222333333",
    b"011110021102.330223302233",
    b"001220011200.123331233312",
    b"001110011122.330223302233",
];
