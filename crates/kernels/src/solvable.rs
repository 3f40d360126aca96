//! Which boards have a solution.

/// Whether the goal, each cell with its own number, can be reached from `start`: the parity of the order of all cells is
/// that of the distance of `blank` from its goal cell, in lines of `width` cells.
pub(crate) fn is_solvable(start: &[u8], blank: u8, width: usize) -> bool {
    let later = |cell: usize| start[cell..].iter().filter(|&&goal| goal < start[cell]).count();
    let inversions: usize = (0..start.len()).map(later).sum();
    let home = usize::from(blank);
    let at = start.iter().position(|&goal| goal == blank).unwrap_or(home);
    let steps = (at / width).abs_diff(home / width) + (at % width).abs_diff(home % width);
    inversions % 2 == steps % 2
}
