//! A board a line.

use super::board;
use super::case::Case;
use super::input::Line;
use crate::size::Size;

/// The board on `line`.
pub(super) fn read(line: &Line, size: Option<Size>) -> Case {
    let board = line.checked().and_then(|(text, from)| board::read(text, from, line.number, size));
    Case::new(line.number, board)
}
