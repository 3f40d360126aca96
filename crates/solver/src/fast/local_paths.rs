//! Shortens long solutions on boards of any size: each segment is solved again as a small board, the window that its
//! blank crosses.

use loyd_search::{Meter, Stop};
use loyd_tiles::{Board, Cell, Move, Size};
use rustc_hash::FxHashMap;

use super::geometry::{Grid, Layout};
use super::window_beam::Window;
use super::{PathFinder, Shorter};

/// Maximum cells of a window. The spaces of such boards are fast ones, and few paths of a few dozen moves need more
/// cells.
const MAX_CELLS: usize = 64;

/// The next segment starts after 1/`OVERLAP` of the length of a segment.
const OVERLAP: usize = 3;

/// Maximum length of a cycle that is removed. Longer ones hardly occur, and the table of positions stays in the caches.
const MAX_CYCLE: usize = 1 << 16;

/// Number of moves between two limit checks.
const INTERVAL: usize = 1 << 14;

/// Removes cycles: moves that lead from a position back to the same position.
///
/// Positions are compared by 64-bit hashes. The final position is compared in full: if it differs, the moves are
/// returned unchanged.
///
/// # Errors
/// Returns the limit of `meter` that was reached. The moves are unchanged then.
pub(super) fn remove_cycles(
    grid: &Grid,
    start: &Layout,
    moves: Vec<Move>,
    meter: &mut Meter<'_>,
) -> (Vec<Move>, Option<Stop>) {
    match without_cycles(grid, start, &moves, meter) {
        Ok(kept) => (kept.unwrap_or(moves), None),
        Err(stop) => (moves, Some(stop)),
    }
}

/// Like [`remove_cycles`], but returns `None` if the moves are to stay unchanged.
fn without_cycles(
    grid: &Grid,
    start: &Layout,
    moves: &[Move],
    meter: &mut Meter<'_>,
) -> Result<Option<Vec<Move>>, Stop> {
    let (mut layout, mut hash) = (start.clone(), 0_u64);
    let mut kept = Vec::with_capacity(moves.len());
    // Each of the last positions on the kept path: its hash, and the number of moves before it, which decides its
    // entry.
    let mut path = vec![(0, usize::MAX); MAX_CYCLE];
    path[0] = (hash, 0);
    // The number of moves before a position, by the low bits of its hash. Entries may be outdated.
    let mut last = vec![0_usize; 2 * MAX_CYCLE];
    for part in moves.chunks(INTERVAL) {
        meter.check()?;
        for &m in part {
            let from = layout.blank;
            layout.apply(grid, m);
            let tile = layout.cells[usize::from(from)];
            hash ^= bits(tile, from) ^ bits(tile, layout.blank);
            let entry = &mut last[hash as usize % (2 * MAX_CYCLE)];
            if *entry <= kept.len() && path[*entry % MAX_CYCLE] == (hash, *entry) {
                kept.truncate(*entry);
                continue;
            }
            kept.push(m);
            *entry = kept.len();
            path[kept.len() % MAX_CYCLE] = (hash, kept.len());
        }
    }
    let mut end = start.clone();
    for part in kept.chunks(INTERVAL) {
        meter.check()?;
        end.walk(grid, part);
    }
    Ok((end == layout).then_some(kept))
}

/// Returns the contribution of a tile on a cell to the hash of a position: two mixing steps as in SplitMix64 (Steele,
/// Lea and Flood 2014).
fn bits(tile: u16, cell: u16) -> u64 {
    let mut z = (u64::from(tile) << 16 | u64::from(cell)).wrapping_add(1);
    z = z.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 32)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z ^ (z >> 29)
}

/// Effort of solving segments again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Moves in a segment.
    pub length: usize,
    /// Maximum expansions per segment.
    pub nodes: u64,
}

/// Finds short paths between positions that differ inside a small window only.
pub(super) struct LocalPaths {
    /// Path finders by the size of the window.
    finders: FxHashMap<Size, PathFinder>,
}

impl LocalPaths {
    pub fn new() -> Self {
        Self { finders: FxHashMap::default() }
    }

    /// Solves overlapping segments of `moves` again, from the first to the last. If a limit is reached, the rest
    /// remains unchanged.
    pub fn sweep(
        &mut self,
        grid: &Grid,
        start: &Layout,
        moves: &[Move],
        effort: Effort,
        meter: &mut Meter<'_>,
    ) -> Swept {
        let mut layout = start.clone();
        // The remaining moves, in reverse order. The moves up to `layout` are final.
        let mut rest: Vec<Move> = moves.iter().rev().copied().collect();
        let mut swept =
            Swept { moves: Vec::with_capacity(moves.len()), undecided: 0, stopped: None };
        while !rest.is_empty() {
            let length = effort.length.min(rest.len());
            let segment: Vec<Move> = rest[rest.len() - length..].iter().rev().copied().collect();
            match self.shorter(grid, &layout, &segment, effort.nodes, meter) {
                Ok(Shorter::Path(path)) => {
                    rest.truncate(rest.len() - length);
                    rest.extend(path.into_iter().rev());
                }
                Ok(Shorter::None) => {}
                Ok(Shorter::Unknown) => swept.undecided += 1,
                Err(stop) => {
                    swept.stopped = Some(stop);
                    break;
                }
            }
            // The next segment overlaps the new moves, which may be shortened further together with those after them.
            for _ in 0..rest.len().min(effort.length / OVERLAP + 1) {
                let m = rest.pop().expect("the loop stops at the last move");
                layout.apply(grid, m);
                swept.moves.push(m);
            }
        }
        swept.moves.extend(rest.into_iter().rev());
        swept
    }

    /// Searches for a path that is shorter than `segment`, which starts at `layout`, with the blank inside the
    /// segment's window.
    fn shorter(
        &mut self,
        grid: &Grid,
        layout: &Layout,
        segment: &[Move],
        nodes: u64,
        meter: &mut Meter<'_>,
    ) -> Result<Shorter, Stop> {
        let Some(window) = window(grid, layout.blank, segment) else {
            return Ok(Shorter::Unknown);
        };
        let size = Size::new(window.width as u32, window.height as u32);
        let size = size.expect("a window has at least two cells");
        let cells: Vec<u16> = (0..window.cells()).map(|index| window.cell(grid, index)).collect();
        let blank = cells.iter().position(|&cell| cell == layout.blank);
        let from = Board::in_order(size, Cell::new(blank.expect("the blank is in its window")));
        let mut to = from.clone();
        to.walk(segment).expect("the blank stays in its window");
        let finder = self.finders.entry(size).or_insert_with(|| PathFinder::new(&from));
        finder.shorter([&from, &to], segment.len(), nodes, meter)
    }
}

/// Result of a sweep over moves.
pub(super) struct Swept {
    pub moves: Vec<Move>,
    /// Number of segments whose search reached its limit, so that they might be shortened with more expansions.
    pub undecided: usize,
    pub stopped: Option<Stop>,
}

/// Returns the rectangle of cells that the blank crosses, with a margin of one cell if it is small enough. Returns
/// `None` if the blank travels too far.
fn window(grid: &Grid, blank: u16, segment: &[Move]) -> Option<Window> {
    let (mut at, first) = (blank, (grid.row(blank), grid.column(blank)));
    let (mut top, mut left, mut bottom, mut right) = (first.0, first.1, first.0, first.1);
    for &m in segment {
        at = grid.target(at, m);
        let (row, column) = (grid.row(at), grid.column(at));
        (top, bottom) = (top.min(row), bottom.max(row));
        (left, right) = (left.min(column), right.max(column));
    }
    let window = |margin: usize| {
        let (row, column) = (top.saturating_sub(margin), left.saturating_sub(margin));
        let last = (bottom + margin).min(grid.size.height() - 1);
        let height = last + 1 - row;
        let width = (right + margin).min(grid.size.width() - 1) + 1 - column;
        Window { row, column, height, width }
    };
    [1, 0].map(window).into_iter().find(|window| window.cells() <= MAX_CELLS)
}
