//! Boards and lines that may be goals, and the faults by which they are refused.

use super::error::{Flaw, NotationError};
use super::heading::heading;
use super::input::Line;
use super::naming::Naming;
use super::records::NO_BOARD;
use super::signs::{is_ornament, separates};
use super::write::slashes;
use crate::board::Board;
use crate::goal::GOALS;
use crate::quote::quote;

/// Returns whether a board is one of the goals with a name.
pub(super) fn is_usual_goal(board: &Board) -> bool {
    let mut goals = GOALS.iter().map(|row| row.goal.board(board.size()));
    goals.any(|goal| goal.is_ok_and(|goal| goal == *board))
}

/// Message for letters in order.
pub(super) const HEADER: &str = "these letters in order may be a header, or a solved board";

/// Returns whether a text that was read as this board may be the header of columns: `a,b,c,d`.
pub(super) fn is_header(text: &str, board: &Board) -> bool {
    let is_part = |letter: char| letter.is_alphabetic() || separates(letter) || letter == ';';
    text.chars().all(is_part) && is_usual_goal(board)
}

/// Returns the fault of a heading that may be that of a goal or of a board to solve.
pub(super) fn doubtful(heading: &Line) -> NotationError {
    let text = &heading.text[heading.from..];
    let name = text.trim_start_matches(is_ornament).split([':', '=']).next().unwrap_or(text);
    let name = name.trim_end_matches(is_ornament);
    let message = format!("{} may be the heading of a goal, or of a board to solve", quote(name));
    let end = heading.text.trim_end().len().max(heading.from);
    let help = "write `Goal:` if it is a goal, and `Board:` if not";
    heading.locate(Flaw::new(heading.from..end, message).with_help(help))
}

/// Returns the fault of a board without a name behind the start, which may be the goal.
pub(super) fn unnamed(board: &Board, line: usize) -> NotationError {
    let message = "this board has no name, and may be the goal of the start before it";
    let help = "write `Goal:` above it if it is the goal, and `Board:` if not";
    refusal(board, line, message, help)
}

/// Returns the fault of a valid board that is refused for this reason.
pub(super) fn refusal(board: &Board, line: usize, message: &str, help: &str) -> NotationError {
    let text = slashes(board).to_string();
    Flaw::new(0..text.len(), message).with_help(help).locate(&text, line)
}

/// Returns whether a fault between records is a goal: a line that names it, or a record with a goal and no board.
pub(super) fn gives_goal(fault: &NotationError) -> bool {
    let text = fault.source.trim();
    let is_goal = |naming| matches!(naming, Naming::Goal | Naming::Doubtful);
    match text.starts_with(['{', '[']) {
        true => fault.message == NO_BOARD && is_goal(Naming::of(text)),
        false => heading(text).is_some_and(|(naming, _)| is_goal(naming)),
    }
}
