//! A board a line.

use std::io::{self, BufRead};

use super::board;
use super::case::Case;
use super::input::{Line, Lines};
use crate::size::Size;

pub(super) fn next<R: BufRead>(
    lines: &mut Lines<R>,
    size: Option<Size>,
) -> io::Result<Option<Case>> {
    Ok(lines.next_filled()?.map(|line| read(&line, size)))
}

/// The board on `line`.
pub(super) fn read(line: &Line, size: Option<Size>) -> Case {
    let board = line.checked().and_then(|(text, from)| board::read(text, from, line.number, size));
    Case::new(line.number, board)
}
