//! Published instances: name, length of a shortest solution, tiles.

use super::board;
use super::case::Case;
use super::error::{Flaw, NotationError, quote};
use super::input::Line;
use super::scan::Scanner;
use crate::board::Board;
use crate::size::Size;

/// The instance on `line`.
pub(super) fn read(line: &Line, size: Option<Size>) -> Case {
    match fields(line, size) {
        Ok((id, expected, board)) => {
            Case { expected, id: Some(id), ..Case::new(line.number, board) }
        }
        Err(error) => Case::new(line.number, Err(error)),
    }
}

type Fields = (String, Option<u32>, Result<Board, NotationError>);

fn fields(line: &Line, size: Option<Size>) -> Result<Fields, NotationError> {
    let (text, from) = line.checked()?;
    let scanner = Scanner::of(text, from);
    let [id, length, _, ..] = scanner.words() else {
        let end = text.trim_end().len();
        let flaw = Flaw::new(end..end, "the line ends before the tiles");
        return Err(flaw.with_help("name, length and tiles are needed").locate(text, line.number));
    };
    let word = &text[length.clone()];
    let expected = word.parse().map_err(|_| {
        let message = format!("{} is not the length of a solution", quote(word));
        Flaw::new(length.clone(), message)
            .with_help("the second word is a number of moves")
            .locate(text, line.number)
    });
    let board = board::read(text, length.end, line.number, size);
    let (expected, board) = match expected {
        Ok(expected) => (Some(expected), board),
        Err(error) => (None, Err(error)),
    };
    Ok((text[id.clone()].to_owned(), expected, board))
}
