//! Which tiles go together on boards of more than 16 cells.

use loyd_tiles::{BoardSpace, Cell, Size, Symmetry};

use super::WidePattern;

/// Patterns have at most so many tiles, and their tables at most so many bits: 31 MB for five tiles on
/// 5x5.
const MOST_TILES: usize = 5;
const MOST_BITS: u64 = 250_000_000;

/// The patterns of the tiles that the goal of `space` wants somewhere, in sets of which each makes up a sum:
/// one, or two if exchanging rows and columns leaves the goal as it is.
///
/// They follow each other in strips of two columns (three, if one is left), the first down, the second
/// up, and so on; seen from the side where the goal cell of the blank comes first.
pub fn wide_patterns<S: BoardSpace>(space: &S) -> Vec<Vec<WidePattern>> {
    let (size, labels) = (space.size(), space.relabelling());
    let front = Symmetry::to_front(size, labels.goal().blank());
    let (seen, blank) = (front.size(size), front.cell(size, labels.goal().blank()));
    let mut origin = vec![Cell::new(0); size.cells()];
    for cell in size.iter_cells() {
        origin[front.cell(size, cell).index()] = cell;
    }
    let mut wanted = vec![false; size.cells()];
    for label in (0..size.tiles() as u8).filter(|&label| space.is_constrained(label)) {
        wanted[labels.goal_cell(label).index()] = true;
    }
    let blanks = match space.partial_goal() {
        Some(part) => part.blank_cells(),
        None => vec![labels.goal().blank()],
    };
    let blanks = blanks.iter().fold(0, |set, cell| set | 1 << cell.index());
    let sum = |turn: Symmetry| {
        let home = |cell| origin[turn.cell(seen, cell).index()];
        let cells = strips(seen).into_iter().map(home).filter(|cell| wanted[cell.index()]);
        let cells: Vec<u8> = cells.map(|cell| cell.index() as u8).collect();
        let pieces = cells.len().div_ceil(most_tiles(size)).max(1);
        let pieces =
            even(&cells, pieces).map(|cells| WidePattern::new(size, cells.to_vec(), blanks));
        pieces.collect()
    };
    let reflects = seen.width() == seen.height() && Symmetry::TRANSPOSE.cell(seen, blank) == blank;
    let transposed = reflects.then_some(Symmetry::TRANSPOSE);
    [Some(Symmetry::default()), transposed].into_iter().flatten().map(sum).collect()
}

/// How many tiles a pattern may have.
fn most_tiles(size: Size) -> usize {
    let bits = |tiles: usize| (size.cells() as u64).pow(tiles as u32 + 1);
    (1..=MOST_TILES).rev().find(|&tiles| bits(tiles) <= MOST_BITS).unwrap_or(1)
}

/// All cells, so that those that follow each other lie together.
fn strips(size: Size) -> Vec<Cell> {
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
        cells.append(&mut strip_cells);
    }
    cells
}

/// So many pieces of a list, the first ones longer by one where that is needed.
fn even(cells: &[u8], pieces: usize) -> impl Iterator<Item = &[u8]> {
    let (short, longer) = (cells.len() / pieces, cells.len() % pieces);
    let end = move |piece: usize| piece * short + piece.min(longer);
    (0..pieces)
        .map(move |piece| &cells[end(piece)..end(piece + 1)])
        .filter(|cells| !cells.is_empty())
}
