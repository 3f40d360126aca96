//! Answers: the letters of the blank's moves.

use std::fmt;

use super::answer::{Notation, read_answer};
use super::error::NotationError;
use crate::moves::Move;

/// The moves that `text` spells: `u d l r`, the directions in which **the blank** travels.
///
/// White space and commas are skipped; `u3` is read as `uuu`. For other notations there is
/// [`read_answer`].
///
/// # Errors
/// The first letter that is not a move. Capitals are refused: speed-solvers write them for the
/// direction of the tile, which is the opposite one.
///
/// # Examples
/// ```
/// use loyd_tiles::notation::{moves_to_string, parse_moves};
/// let path = parse_moves("ul ld\n")?;
/// assert_eq!(moves_to_string(&path), "ulld");
/// assert!(parse_moves("UL").is_err());
/// # Ok::<(), loyd_tiles::notation::NotationError>(())
/// ```
pub fn parse_moves(text: &str) -> Result<Vec<Move>, NotationError> {
    read_answer(text, Some(Notation::Blank), None).map(|answer| answer.moves)
}

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
