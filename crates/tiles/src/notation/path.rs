//! The letters of the blank's moves.

use crate::moves::Move;

/// The letters of `moves`.
///
/// # Examples
/// ```
/// use loyd_tiles::{Move, notation::moves_to_string};
/// assert_eq!(moves_to_string(&[Move::Up, Move::Left]), "ul");
/// ```
pub fn moves_to_string(moves: &[Move]) -> String {
    moves.iter().map(|m| m.letter()).collect()
}
