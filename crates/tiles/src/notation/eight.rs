//! The old three-line file: start, index of the blank, goal.

use std::io::{self, BufRead};

use super::cases::Case;
use super::error::{Flaw, NotationError, quote};
use super::input::{Line, Lines};
use super::lines;
use crate::board::Board;
use crate::size::Size;

pub(super) fn next<R: BufRead>(
    input: &mut Lines<R>,
    size: Option<Size>,
) -> io::Result<Option<Case>> {
    let Some(start) = input.next_filled()? else { return Ok(None) };
    let index = input.next_filled()?;
    let goal = input.next_filled()?;
    let mut case = lines::read(&start, size);
    let size = case.board.as_ref().map_or(size, |board| Some(board.size()));
    let goal = match (&index, &goal) {
        (Some(_), Some(goal)) => lines::read(goal, size).board,
        (Some(index), None) => Err(cut_short(index, "the goal")),
        (None, _) => Err(cut_short(&start, "the index of the blank")),
    };
    case.board = case.board.and_then(|board| {
        if let Some(index) = &index {
            check_index(index, &board)?;
        }
        goal.as_ref().map_err(Clone::clone)?;
        Ok(board)
    });
    case.goal = goal.ok();
    Ok(Some(case))
}

fn cut_short(last: &Line, missing: &str) -> NotationError {
    let end = last.text.len();
    Flaw::new(end..end, format!("the input ends before {missing}"))
        .with_help("three lines are needed: start, index of the blank, goal")
        .locate(&last.text, last.number)
}

fn check_index(line: &Line, board: &Board) -> Result<(), NotationError> {
    let (text, _) = line.checked()?;
    let blank = board.blank().index();
    let start = text.len() - text.trim_start().len();
    let word = text.trim();
    let message = match word.parse::<usize>() {
        Ok(index) if index == blank => return Ok(()),
        Ok(index) => format!("the index of the blank is {blank}, not {index}"),
        Err(_) => format!("{} is not an index of the blank, here {blank}", quote(word)),
    };
    Err(Flaw::new(start..start + word.len(), message)
        .with_help(format!("cells are counted from 0 here: 0 to {}", board.size().tiles()))
        .locate(text, line.number))
}

/// Whether three lines look like such a case: as many cells on the first as on the third, a number
/// between them. Fewer than four cells could as well be rows.
pub(super) fn resembles(start: usize, index: &Line, goal: usize) -> bool {
    let word = index.text.trim();
    let is_number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    start >= 4 && start == goal && is_number
}
