//! The letters of the blank's moves.

use std::fmt;

use crate::moves::Move;

/// The letters of moves, as judges want them.
///
/// # Examples
/// ```
/// use loyd_tiles::{Move, notation::MovesDisplay};
/// assert_eq!(format!("{:>4}", MovesDisplay(&[Move::Up, Move::Left])), "  ul");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct MovesDisplay<'a>(pub &'a [Move]);

impl fmt::Display for MovesDisplay<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&moves_to_string(self.0))
    }
}

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
