//! Partitions that have names, and those that are used when nothing is said.

use loyd_tiles::{Cell, CellSet, Size};

use super::catalogues;
use crate::pdb::DENSE_CELLS;

/// A partition, or a set of them, that has a name.
#[derive(Clone, Copy, Debug)]
pub struct NamedPartition {
    /// The name: how many tiles each pattern has, or what the set is called.
    pub name: &'static str,
    /// What it is for, in a line.
    pub summary: &'static str,
    /// Width and height of the boards that it is for.
    size: (usize, usize),
    /// Where the blank belongs on boards of more than 16 cells, in canonical orientation; anywhere on others.
    blank: u8,
    /// For each partition the pattern that each goal cell belongs to, in canonical orientation; the blank is left
    /// out of its own.
    partitions: &'static [&'static [u8]],
}

/// The partitions that have names, those of a size with the smallest tables first.
pub const NAMED_PARTITIONS: &[NamedPartition] = &[
    NamedPartition {
        name: "5-5-5",
        summary: "0.3 MB; for memories of hardly anything",
        size: (4, 4),
        blank: 0,
        partitions: &[b"0011001100212222"],
    },
    NamedPartition {
        name: "6-6-3",
        summary: "3 MB, made in a blink; good for a few boards",
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
        summary: "198 MB, made in seconds; for thousands of boards, or the hardest",
        size: (4, 4),
        blank: 0,
        partitions: &[b"0011001100110011"],
    },
    NamedPartition {
        name: "6-6-6-6",
        summary: "45 MB for 5x5, made in seconds; the default",
        size: (5, 5),
        blank: 0,
        partitions: &[CORNERS_5X5],
    },
    NamedPartition {
        name: "catalogue",
        summary: "204 MB for 5x5, the largest of many sums; for the hardest boards",
        size: (5, 5),
        blank: 0,
        partitions: catalogues::BLANK_0,
    },
    NamedPartition {
        name: "catalogue",
        summary: "249 MB for 5x5 with the blank beside a corner; for the hardest boards",
        size: (5, 5),
        blank: 1,
        partitions: catalogues::BLANK_1,
    },
    NamedPartition {
        name: "catalogue",
        summary: "227 MB for 5x5 with the blank in the middle of a side; for the hardest boards",
        size: (5, 5),
        blank: 2,
        partitions: catalogues::BLANK_2,
    },
    NamedPartition {
        name: "catalogue",
        summary: "249 MB for 5x5 with the blank one step from a corner along the diagonal; for the hardest boards",
        size: (5, 5),
        blank: 6,
        partitions: catalogues::BLANK_6,
    },
    NamedPartition {
        name: "catalogue",
        summary: "249 MB for 5x5 with the blank one step from the middle towards a side; for the hardest boards",
        size: (5, 5),
        blank: 7,
        partitions: catalogues::BLANK_7,
    },
    NamedPartition {
        name: "catalogue",
        summary: "204 MB for 5x5 with the blank in the middle; for the hardest boards",
        size: (5, 5),
        blank: 12,
        partitions: catalogues::BLANK_12,
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

/// The patterns of 5x5 boards whose blank belongs in a corner: those of Korf and Felner (2002), three
/// corners of 2x3 cells, which share a table, and the rest.
const CORNERS_5X5: &[u8] = b"0001100011220112233322333";

/// The goal cells of each pattern.
pub(super) type Groups = Vec<Vec<u8>>;

/// The partitions of this name for boards in canonical orientation, if it is for them.
pub(super) fn groups(name: &str, size: Size, blank: u8) -> Option<impl Iterator<Item = Groups>> {
    let row = named_for(size, blank).find(|row| row.name == name)?;
    Some(row.partitions.iter().map(move |digits| by_digits(digits, blank)))
}

/// The rows for these boards.
fn named_for(size: Size, blank: u8) -> impl Iterator<Item = &'static NamedPartition> {
    let fits = move |row: &&NamedPartition| {
        row.size == (size.width(), size.height())
            && (size.cells() <= DENSE_CELLS || row.blank == blank)
    };
    NAMED_PARTITIONS.iter().filter(fits)
}

/// The groups of cells that have the same digit.
fn by_digits(digits: &[u8], blank: u8) -> Groups {
    let mut groups = vec![Vec::new(); 10];
    for (cell, digit) in (0..).zip(digits).filter(|&(cell, _)| cell != blank) {
        groups[usize::from(digit - b'0')].push(cell);
    }
    groups.retain(|cells| !cells.is_empty());
    groups
}

/// The names for boards of `size` whose blank belongs on `blank`.
pub(super) fn names(size: Size, blank: u8) -> impl Iterator<Item = &'static str> {
    named_for(size, blank).map(|row| row.name).chain(["default"])
}

/// What is used when nothing is said: `7-7-1` on 4x4 boards; on others of at most 16 cells, patterns of at
/// most seven tiles whose goal cells follow each other in reading order. Of fifteen tiles the middle one is
/// alone: on 2x8 boards that takes a thirtieth of the expansions that it takes with the last one alone.
///
/// On larger boards [`compact`] patterns, but on 5x5 boards with the blank in a corner those of Korf and Felner.
/// Bytes of tables, and expansions of IDA* on 100 boards that 60 random moves lead to (`cargo bench -p
/// loyd-heuristics --bench large_boards`), beside those of patterns of at most five tiles with a place in the
/// table for every way to write their cells down, which were used before:
///
/// | size | bytes | expansions | bytes before | expansions before |
/// |---|---|---|---|---|
/// | 3x6 | 6,942,720 | 4,305 | 4,960,128 | 31,939 |
/// | 3x7 | 26,680,448 | 7,410 | 42,883,072 | 42,057 |
/// | 4x5 | 18,109,504 | 36,036 | 24,400,000 | 71,806 |
/// | 4x6 | 18,977,280 | 64,968 | 73,654,272 | 149,066 |
/// | 5x5 | 45,342,720 | 22,232 | 123,291,040 | 52,768 |
pub(super) fn default_groups(size: Size, blank: u8) -> Groups {
    match (size.width(), size.height(), size.tiles()) {
        (4, 4, _) => {
            groups("7-7-1", size, blank).and_then(|mut all| all.next()).expect("4x4 boards have it")
        }
        (5, 5, _) if blank == 0 => by_digits(CORNERS_5X5, blank),
        (.., 15) => runs(size, blank, &[7, 1, 7]),
        (.., ..15) => runs(size, blank, &[7, 7]),
        _ => compact(size, CellSet::all(size).without(CellSet::of(blank))),
    }
}

/// Groups of so many tiles each, whose goal cells follow each other in reading order.
pub(super) fn runs(size: Size, blank: u8, tiles: &[usize]) -> Groups {
    let mut cells = (0..size.cells() as u8).filter(|&cell| cell != blank);
    let run = |&tiles: &usize| cells.by_ref().take(tiles).collect();
    let groups: Groups = tiles.iter().map(run).collect();
    groups.into_iter().filter(|cells| !cells.is_empty()).collect()
}

/// The largest table of a pattern that is made unasked on boards of more than 16 cells, in states without
/// regions.
const LARGEST_TABLE: u64 = 150_000_000;

/// Groups of tiles that belong on cells near each other: the `goals` in strips of two columns (three, if
/// one is left), the first down, the second up, and so on, cut into pieces as large as tables of some 20 MB
/// allow, six tiles on 5x5. What is left makes the first piece, next to the blank, where a small pattern takes
/// fewer expansions than anywhere else; a single tile the middle one.
pub fn compact(size: Size, goals: CellSet) -> Groups {
    let cells: Vec<u8> = strips(size).into_iter().filter(|&cell| goals.contains(cell)).collect();
    let most = most_tiles(size);
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

/// How many tiles a pattern has at most when nothing is said.
fn most_tiles(size: Size) -> usize {
    let cells = size.cells() as u64;
    let states = |tiles: &u64| (0..*tiles).map(|tile| cells - tile).product::<u64>();
    (1..8).take_while(|tiles| states(tiles) <= LARGEST_TABLE).count()
}

/// All cells, so that those that follow each other lie together.
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
