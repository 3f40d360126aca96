//! The old three-line file: start, index of the blank, goal.

use std::io::{self, BufRead};

use super::case::Case;
use super::error::{Flaw, NotationError, quote};
use super::input::{Line, Lines};
use super::lines;
use super::scan::Scanner;
use crate::board::Board;
use crate::size::Size;

/// What three lines are needed for.
const LINES: &str = "three lines are needed: start, index of the blank, goal";

/// The next case; `first` is whether it is the first of the file.
pub(super) fn next<R: BufRead>(
    input: &mut Lines<R>,
    size: Option<Size>,
    first: bool,
) -> io::Result<Option<Case>> {
    let Some(start) = input.next_filled()? else { return Ok(None) };
    let Some(index) = input.next_filled()? else {
        return Ok(Some(Case::new(start.number, Err(lone(&start, first)))));
    };
    let mut case = lines::read(&start, size);
    let size = case.board.as_ref().map_or(size, |board| Some(board.size()));
    let goal = match input.next_filled()? {
        Some(goal) => lines::read(&goal, size).board,
        None => Err(at_end(&index, format!("the goal is missing: {LINES}"))),
    };
    case.board = case.board.and_then(|board| {
        check_index(&index, &board)?;
        goal.as_ref().map_err(Clone::clone)?;
        Ok(board)
    });
    case.goal = goal.ok();
    Ok(Some(case))
}

/// The fault of a line that nothing follows.
fn lone(line: &Line, first: bool) -> NotationError {
    if let Err(fault) = line.checked() {
        return fault;
    }
    if first {
        return at_end(line, format!("the index of the blank is missing: {LINES}"));
    }
    let start = line.text.len() - line.text.trim_start().len();
    let flaw = Flaw::new(start..line.text.trim_end().len(), "a line too many after the goal");
    line.locate(flaw.with_help(LINES))
}

fn at_end(line: &Line, message: String) -> NotationError {
    let end = line.text.len();
    line.locate(Flaw::new(end..end, message))
}

fn check_index(line: &Line, board: &Board) -> Result<(), NotationError> {
    let (text, _) = line.checked()?;
    let (blank, last) = (board.blank().index(), board.size().tiles());
    let start = text.len() - text.trim_start().len();
    let word = text.trim();
    let message = match word.parse::<i64>() {
        Ok(index) if index == blank as i64 => return Ok(()),
        Ok(index) if !(0..=last as i64).contains(&index) => {
            format!("index {index} is out of range: the blank is at {blank} of 0 to {last}")
        }
        Ok(index) => format!("the index of the blank is {blank}, not {index}"),
        Err(_) => format!("{} is not an index of the blank, here {blank}", quote(word)),
    };
    Err(line.locate(
        Flaw::new(start..start + word.len(), message)
            .with_help(format!("cells are counted from 0 here: 0 to {last}")),
    ))
}

/// Whether two lines can only be the beginning of such a case, whatever follows: a board of separate
/// tiles on one line and an index below it, be it a wrong one.
pub(super) fn begins(start: &Line, index: &Line, size: Option<Size>) -> bool {
    let Ok((text, from)) = start.checked() else { return false };
    let scanner = Scanner::of(text, from);
    scanner.words().len() >= FEWEST
        && !scanner.has_rows()
        && is_index(index)
        && lines::read(start, size).board.is_ok()
}

/// Whether three lines look like such a case: as many cells on the first as on the third, an index
/// between them.
pub(super) fn resembles(start: usize, index: &Line, goal: usize) -> bool {
    start >= FEWEST && start == goal && is_index(index)
}

/// Fewer cells than these could as well be rows.
const FEWEST: usize = 4;

/// Whether the line is one number, too short to be a board with its tiles run together.
fn is_index(line: &Line) -> bool {
    const LONGEST: usize = 3;
    let word = line.text.trim();
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    (1..=LONGEST).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
}
