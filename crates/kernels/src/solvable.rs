//! Solvability test.

/// Returns whether the goal can be reached from `start`, which holds the goal cell of the tile on each cell.
///
/// Every move is a transposition of the blank and a tile, so the permutation of all cells, blank included, is even
/// exactly if the blank has made an even number of moves: if its distance from its goal cell `blank`, on rows of
/// `width` cells, is even.
pub(crate) fn is_solvable(start: &[u8], blank: u8, width: usize) -> bool {
    let later = |cell: usize| start[cell..].iter().filter(|&&goal| goal < start[cell]).count();
    let inversions: usize = (0..start.len()).map(later).sum();
    let home = usize::from(blank);
    let at = start.iter().position(|&goal| goal == blank).unwrap_or(home);
    let steps = (at / width).abs_diff(home / width) + (at % width).abs_diff(home % width);
    inversions % 2 == steps % 2
}
