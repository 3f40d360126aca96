//! Placements: the cells of the blank and of the first few tiles, the *placed* ones, while the other tiles, in
//! reading order, are permuted. The states of a placement lie in words that follow each other, and a move leads
//! from all states of one placement to those of another.

mod edges;
mod jumps;

use loyd_tiles::Size;

pub use edges::Edges;
pub use jumps::Jumps;

/// The most tiles whose permutation is ranked within a placement.
const MOST_PERMUTED: usize = 8;

/// How many tiles are placed, and how many others are permuted, on boards of `size`. On a line the order never changes.
pub fn shares(size: Size) -> (usize, usize) {
    let permuted = if size.is_line() { 1 } else { size.tiles().min(MOST_PERMUTED) };
    (if size.is_line() { 0 } else { size.tiles() - permuted }, permuted)
}

/// The words of a placement: each has the bits of 120 permutations, or of all if they are fewer.
pub fn words(permuted: usize) -> usize {
    (6..=permuted).product()
}

/// The number of states that can be reached on boards of `size`.
pub fn count(size: Size) -> u64 {
    let permutations = if size.is_line() { 1 } else { (3..=size.tiles() as u64).product() };
    size.cells() as u64 * permutations
}

/// The placement that the blank leads to by going to its neighbour `to`, if it and the placed tiles are on `cells`;
/// and the place among the permuted tiles that a tile leaves, with the one that it comes to, if these differ.
pub fn moved(cells: &[u8], to: u8) -> (Vec<u8>, Option<(usize, usize)>) {
    let mut moved = cells.to_vec();
    moved[0] = to;
    if let Some(label) = cells[1..].iter().position(|&cell| cell == to) {
        moved[1 + label] = cells[0];
        return (moved, None);
    }
    // Tiles of the permutation on earlier cells, the one that moves not counted.
    let earlier = |end: u8| (0..end).filter(|cell| *cell != to && !cells.contains(cell)).count();
    let places = (earlier(to), earlier(cells[0]));
    (moved, (places.0 != places.1).then_some(places))
}

/// Whether permutations are odd when the blank and the placed tiles are on `cells`, and the blank belongs on `goal`:
/// the parity of all inversions follows from the rows that the blank has gone up or down, if the width is even.
pub fn is_odd(size: Size, goal: u8, cells: &[u8]) -> bool {
    let row = |cell: u8| usize::from(cell) / size.width();
    let whole = if size.width().is_multiple_of(2) { row(cells[0]) + row(goal) } else { 0 };
    // Before a placed tile are larger ones but for the blank and smaller tiles, which are placed too.
    let larger = |label: usize| {
        let cell = cells[label];
        usize::from(cell) - cells[..label].iter().filter(|&&other| other < cell).count()
    };
    (whole + (1..cells.len()).map(larger).sum::<usize>()) % 2 == 1
}
