//! Sequences of moves: the way back, what is left without detours, and runs.

use crate::moves::Move;

/// The moves that lead back.
///
/// # Examples
/// ```
/// use loyd_tiles::{invert, notation::{moves_to_string, parse_moves}};
/// assert_eq!(moves_to_string(&invert(&parse_moves("ull")?)), "rrd");
/// # Ok::<(), loyd_tiles::notation::NotationError>(())
/// ```
#[must_use]
pub fn invert(moves: &[Move]) -> Vec<Move> {
    moves.iter().rev().map(|m| m.inverse()).collect()
}

/// The moves without those that undo each other, until none is left that does.
///
/// They lead to the same board, never leave a board that `moves` stay on, and do not depend on the
/// order in which pairs are cancelled.
///
/// # Examples
/// ```
/// use loyd_tiles::{notation::{moves_to_string, parse_moves}, simplify};
/// assert_eq!(moves_to_string(&simplify(&parse_moves("uldurruld")?)), "uruld");
/// # Ok::<(), loyd_tiles::notation::NotationError>(())
/// ```
#[must_use]
pub fn simplify(moves: &[Move]) -> Vec<Move> {
    let mut left: Vec<Move> = Vec::with_capacity(moves.len());
    for &m in moves {
        match left.last() {
            Some(last) if last.inverse() == m => {
                left.pop();
            }
            _ => left.push(m),
        }
    }
    left
}

/// The longest pieces of `moves` that go in one direction each: what one push of several tiles does.
///
/// # Examples
/// ```
/// use loyd_tiles::{notation::parse_moves, runs};
/// let moves = parse_moves("ullld")?;
/// assert_eq!(runs(&moves).map(<[_]>::len).collect::<Vec<_>>(), [1, 3, 1]);
/// # Ok::<(), loyd_tiles::notation::NotationError>(())
/// ```
pub fn runs(moves: &[Move]) -> impl Iterator<Item = &[Move]> {
    moves.chunk_by(|a, b| a == b)
}
