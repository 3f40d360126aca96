//! Answers: the letters of the blank's moves.

use std::fmt;

use super::error::{Flaw, NotationError, quote};
use crate::moves::Move;

/// The moves that `text` spells: `u d l r`, the directions in which **the blank** travels.
///
/// White space is skipped.
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
    let letters = text.char_indices().filter(|(_, letter)| !letter.is_whitespace());
    let moves = letters.map(|(at, letter)| {
        Move::from_letter(letter).ok_or_else(|| not_a_move(at, letter).locate(text, 1))
    });
    moves.collect()
}

fn not_a_move(at: usize, letter: char) -> Flaw {
    let shown = quote(letter.encode_utf8(&mut [0; 4]));
    let message = format!(
        "{shown} is not a move: u, d, l and r are, the direction in which the blank travels"
    );
    let flaw = Flaw::new(at..at + letter.len_utf8(), message);
    match Move::from_letter(letter.to_ascii_lowercase()) {
        Some(same) => flaw.with_help(format!(
            "write {same} if the blank goes there; write {} if this is speed-solvers' notation, \
             where the tile does",
            same.inverse()
        )),
        None => flaw,
    }
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
