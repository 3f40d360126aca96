//! One board of a file.

use super::error::NotationError;
use crate::board::Board;

/// One board of a file and what the file says about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The line on which it begins, from 1.
    pub line: usize,
    /// The board, or what is wrong with the case.
    pub board: Result<Board, NotationError>,
    /// The goal, where the file gives one ([`Format::Eight`](super::Format::Eight)).
    pub goal: Option<Board>,
    /// The length of a shortest solution in moves, where the file gives it ([`Format::Korf`](super::Format::Korf)).
    pub expected: Option<u32>,
    /// The name of the case, where the file gives one ([`Format::Korf`](super::Format::Korf)).
    pub id: Option<String>,
}

impl Case {
    pub(super) fn new(line: usize, board: Result<Board, NotationError>) -> Self {
        Self { line, board, goal: None, expected: None, id: None }
    }
}
