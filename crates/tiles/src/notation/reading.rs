//! Input and output of the board readers: hints, boards with notes, and the cases of a file.

use std::borrow::Cow;

use super::error::NotationError;
use super::write::slashes;
use crate::board::Board;
use crate::size::Size;

/// A board read from a text, and the assumptions made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardText {
    /// The board.
    pub board: Board,
    /// Assumptions, as messages for the user: `read 9 as the blank: it is the number of cells`. Empty for plain forms.
    pub notes: Vec<Cow<'static, str>>,
}

/// Knowledge of the caller about a board before it is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints<'a> {
    /// The size, if it is known.
    pub size: Option<Size>,
    /// The word that is the blank, if it is not one of the usual ones: `F` in `0FD1C3B648952A7E`.
    pub blank: Option<&'a str>,
}

/// Returns the square size with this number of cells, if there is one.
pub(super) fn square(cells: usize) -> Option<Size> {
    let side = cells.isqrt() as u32;
    Size::new(side, side).ok().filter(|size| size.cells() == cells)
}

/// Formats the board for messages: its rows, abbreviated if there are many cells.
pub(super) fn brief(board: &Board) -> String {
    const LONGEST: usize = 60;
    let text = slashes(board).to_string();
    match text.get(..LONGEST) {
        Some(start) => format!("{start}…"),
        None => text,
    }
}

/// One board of a file and what the file contains about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// First line of the case, from 1.
    pub line: usize,
    /// The board, or the fault of the case.
    pub board: Result<Board, NotationError>,
    /// The goal, if the file gives it as a board: [`Format::ThreeLines`](super::Format::ThreeLines),
    /// [`Format::Pddl`](super::Format::Pddl), [`Format::Positions`](super::Format::Positions), and boards under a
    /// heading such as `Goal:`.
    pub goal: Option<Board>,
    /// The goal of a record, as written there: a name, a board, or a board with `*`.
    pub goal_text: Option<String>,
    /// The length of a shortest solution in moves, if the file gives it ([`Format::Korf`](super::Format::Korf)).
    pub expected: Option<u32>,
    /// The name of the case, if the file gives one.
    pub id: Option<String>,
    /// Assumptions made to read the case, for the user.
    pub notes: Vec<Cow<'static, str>>,
}

impl Case {
    pub(super) fn new(line: usize, read: Result<BoardText, NotationError>) -> Self {
        let (board, notes) = match read {
            Ok(BoardText { board, notes }) => (Ok(board), notes),
            Err(error) => (Err(error), Vec::new()),
        };
        Self { line, board, goal: None, goal_text: None, expected: None, id: None, notes }
    }

    /// Creates the case of a fault.
    pub(super) fn fault(error: NotationError) -> Self {
        Self::new(error.line, Err(error))
    }
}
