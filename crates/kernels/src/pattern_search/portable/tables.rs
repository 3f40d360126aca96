//! The constants of the portable kernel, by step, by tile and by state of the automaton.
//!
//! # Steps
//! A *step* is a move of the blank from one cell: step 4c + m is the move with index m from cell c. The moving tile goes
//! the other way. If it moves down or up a column, it jumps over the three cells between in reading order, which changes
//! permutation ranks on the board only. If it moves along a row it jumps over nothing on the board, but over three cells
//! of the transpose.
//!
//! # Layout words
//! A word has the [layout numbers](super::super::tables) of a cell set. The AVX-512 kernel finds it by the set
//! in a table of 512 KB. Here only sets as large as a pattern have words, 100 KB for sets of eight cells, so they
//! stay in L2:
//!
//! ```text
//! layouts[first_layouts[pattern][upper byte of the set] + places[lower byte]]
//! ```
//!
//! `places[b]` is the index of byte b among the bytes with the same number of bits. The sets with the same upper byte are
//! adjacent.

use std::sync::Arc;

use loyd_heuristics::pdb::Database;
use loyd_tiles::Move;

use super::node::{MOVES, SLACK, STATE};
use crate::move_rows::MoveRows;
use crate::pattern_search::tables::{TAG, Tables, cell_planes, jumped_cells, target, transposed};

/// Constants of a step.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
pub struct Step {
    /// Bit number of the blank's new cell in a board word, 4 × cell: the cell of the moving tile.
    pub to_shift: u8,
    /// Bit numbers of the three cells that the tile jumps over, in the view in which it jumps.
    pub jumped_shifts: [u8; 3],
    /// Bit number in a layout word of the region of the blank's new cell, for the board and for the transpose.
    pub regions: [u8; 2],
    /// First entry of [`PortableTables::jumps`] for this direction and view.
    pub jumps: u16,
    /// Bits 0 of both cells in a board word: the factor that copies four bits to both cells.
    pub both: u64,
    /// Both cells as a set in all four planes of a node.
    pub cells: u64,
}

/// Constants of a tile's pattern in one half of a node.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
pub struct Tile {
    /// The planes that are clear for the pattern: sixteen copies of each inverted bit of its number.
    pub clear_planes: u32,
    /// Mask of the pattern's rank, once shifted down.
    pub mask: u32,
    /// Number of bits per permutation.
    pub stride: u32,
    /// First bit of the pattern's table.
    pub first: u32,
    /// Change of a half of `meta` if the distance rises by 1, which uses up one unit of slack, and if it falls by 1. Zeros
    /// if the half is not used.
    pub changes: [u32; 2],
    /// First entry of [`PortableTables::first_layouts`] for the pattern.
    pub layouts: u16,
    /// Bit number of the pattern's rank in a half of `ranks`.
    pub rank_shift: u8,
    /// Bit number of the pattern's distance in a half of `meta`.
    pub distance_shift: u8,
}

/// A row of the automaton: the word `last` of each child that it allows. In the first word, bits 0 to 2 are the number of
/// these children, and bits 11 to 13 the number that the generic search counts: children that the automaton forbids count
/// too, except for the inverse of the last move.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(16))]
pub struct Row(pub [u32; MOVES]);

impl Row {
    const COUNTED: u32 = 11;

    /// Returns the number of children that the automaton allows.
    #[inline(always)]
    pub fn children(&self) -> usize {
        self.0[0] as usize & 7
    }

    /// Returns the number of children that the generic search counts.
    #[inline(always)]
    pub fn counted(&self) -> u64 {
        u64::from(self.0[0] >> Self::COUNTED & 7)
    }
}

/// `lookups` selects entries by byte offset.
const _: () = assert!(size_of::<Step>() == 32 && size_of::<Tile>() == 32);

/// Number of steps: four moves from each cell, some of which do not exist.
pub const STEPS: usize = 64;
/// Number of entries of [`PortableTables::jumps`] per direction and view: by moving and jumped tile.
const JUMPS: usize = 16 * 16;

/// The constants of a search. The [module documentation](self) has the layouts.
pub struct PortableTables {
    database: Arc<Database>,
    /// Goal cell of the blank.
    pub blank: u64,
    pub steps: [Step; STEPS],
    /// By tile: 0 to 15 for the board, 16 to 31 for the transpose.
    pub tiles: [Tile; 32],
    /// The planes that are set for a tile, in both halves.
    pub planes: [u64; 16],
    /// Change of `ranks`, by direction (backward or forward), view, moving tile and jumped tile.
    pub jumps: Box<[u64; 4 * JUMPS]>,
    /// Layout words of the cell sets of each size that a pattern has, after a zero.
    pub layouts: Vec<u64>,
    /// Index of the first layout word by pattern number and upper byte of the set. Number 0 is for unused halves.
    pub first_layouts: [u16; 4 * 256],
    /// Number of each byte among the bytes with the same number of bits.
    pub places: [u8; 256],
    /// The automaton, by state. Every state reachable from one of `starts` has a row.
    pub rows: Vec<Row>,
    /// The initial state for a blank on each cell.
    pub starts: [u32; 16],
}

impl PortableTables {
    /// Creates the constants of `tables` and `rows`, which are for 4x4 boards. Returns `None` if `rows` have more than
    /// 65,535 states.
    ///
    /// # Panics
    /// See [`Tables::words`].
    pub fn new(tables: &Tables, rows: &MoveRows) -> Option<Self> {
        if rows.rows().len() > usize::from(u16::MAX) {
            return None;
        }
        let mut new = Self {
            database: Arc::clone(tables.database()),
            blank: tables.blank().into(),
            steps: [Step::default(); STEPS],
            tiles: [Tile::default(); 32],
            planes: std::array::from_fn(|tile| {
                u64::from(tables.planes[tile]) | u64::from(tables.planes[tile + 16]) << 32
            }),
            jumps: Box::new([0; 4 * JUMPS]),
            layouts: vec![0],
            first_layouts: [0; 4 * 256],
            places: [0; 256],
            rows: (0..rows.rows().len() as u32).map(|state| row(rows, state)).collect(),
            starts: std::array::from_fn(|cell| rows.start(cell as u8)),
        };
        for blank in 0..16 {
            for m in Move::ALL {
                if let Some(to) = target(blank, m) {
                    new.steps[4 * blank + m.index()] = step(blank, to);
                }
            }
        }
        for tile in 0..32 {
            let number = tables.tag[tile] >> TAG;
            let active = u32::from(number > 0);
            let place = 8 * number.saturating_sub(1);
            new.tiles[tile] = Tile {
                clear_planes: !tables.planes[tile],
                mask: tables.mask[tile],
                stride: tables.stride[tile],
                first: tables.first[tile],
                changes: [
                    (active << place).wrapping_sub(active << SLACK),
                    (active << place).wrapping_neg(),
                ],
                layouts: number as u16 * 256,
                rank_shift: tables.shift[tile] as u8,
                distance_shift: place as u8,
            };
            for other in 0..16 {
                let (view, change) = (tile / 16, tables.jumps[tile][other]);
                let entry = (tile % 16) * 16 + other;
                new.jumps[view * JUMPS + entry] = change.wrapping_neg();
                new.jumps[(2 + view) * JUMPS + entry] = change;
            }
        }
        // Checks that no table extends past the words: the kernel reads them unchecked.
        tables.words();
        new.add_layouts(tables);
        Some(new)
    }

    /// Returns the words of all pattern tables: see [`Tables::words`].
    #[inline(always)]
    pub fn words(&self) -> &[u64] {
        self.database.words()
    }

    fn add_layouts(&mut self, tables: &Tables) {
        let mut counts = [0; 9];
        for byte in 0..=u8::MAX {
            let count: &mut u8 = &mut counts[byte.count_ones() as usize];
            self.places[usize::from(byte)] = *count;
            *count += 1;
        }
        let parts = self.database.parts();
        for (number, part) in (1..).zip(parts) {
            let tiles = part.pattern().tiles();
            if let Some(same) =
                parts[..number - 1].iter().position(|p| p.pattern().tiles() == tiles)
            {
                let from = (same + 1) * 256;
                self.first_layouts.copy_within(from..from + 256, number * 256);
                continue;
            }
            for upper in 0..256_usize {
                self.first_layouts[number * 256 + upper] = self.layouts.len() as u16;
                for lower in 0..256_usize {
                    let set = upper << 8 | lower;
                    if set.count_ones() as usize == tiles {
                        self.layouts.push(tables.layouts[set]);
                    }
                }
            }
        }
    }

    /// Returns the memory of the constants in bytes.
    pub fn bytes(&self) -> u64 {
        let others =
            size_of_val(&*self.jumps) + size_of_val(&*self.layouts) + size_of_val(&*self.rows);
        (size_of::<Self>() + others) as u64
    }
}

/// Returns the row of a state, or an empty one if no path leads there.
fn row(rows: &MoveRows, state: u32) -> Row {
    let mut row = Row::default();
    let Some(cell) = rows.cell(state) else { return row };
    let legal = Move::ALL.into_iter().filter(|&m| target(cell.into(), m).is_some());
    let counted = legal.clone().count() as u32 - u32::from(state != rows.start(cell));
    let next = |m: Move| rows.rows()[state as usize][m.index()];
    let mut children = 0;
    for m in legal.filter(|&m| next(m) != MoveRows::FORBIDDEN) {
        row.0[children] = next(m) << STATE | u32::from(cell) << 7 | (m.index() as u32) << 5;
        children += 1;
    }
    row.0[0] |= children as u32 | counted << Row::COUNTED;
    row
}

/// Returns the step of the blank from one cell to another.
fn step(from: usize, to: usize) -> Step {
    // The tile moves opposite to the blank: forward if the blank moves up or left.
    let block = 2 * usize::from(to < from) + usize::from(from / 4 == to / 4);
    Step {
        to_shift: 4 * to as u8,
        jumped_shifts: jumped_cells(from, to).map(|cell| 4 * cell as u8),
        regions: [16 + 3 * to as u8, 16 + 3 * transposed(to) as u8],
        jumps: (block * JUMPS) as u16,
        both: 1 << (4 * from) | 1 << (4 * to),
        cells: cell_planes(from) | cell_planes(to),
    }
}
