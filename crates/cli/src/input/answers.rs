//! Where moves come from: arguments, files, standard input.

use std::path::Path;

use loyd::notation::{MoveText, Notation, NotationError, TextLines, parse_board, read_moves};
use loyd::{Board, Size};

use super::{ARGUMENT, Input, open};
use crate::args::AnswerArgs;
use crate::failure::Failure;

/// Moves and the board on which they begin, if that is known.
pub struct Given {
    /// The board.
    pub board: Option<Board>,
    /// The moves.
    pub read: MoveText,
}

/// Moves that were given, or what is wrong with them.
pub struct GivenItem {
    /// The line of the file.
    pub line: Option<usize>,
    /// The moves.
    pub given: Result<Given, Failure>,
}

/// All moves of the command line or of a file. What is wrong with one is in its [`GivenItem`]; an
/// error of the iterator is one of the whole input.
pub struct GivenItems {
    texts: Texts,
    /// The name of the input in error messages.
    origin: String,
    reading: Reading,
}

enum Texts {
    Arguments(std::vec::IntoIter<String>),
    File(TextLines<Input>),
}

/// How all are read.
struct Reading {
    board: Option<Board>,
    size: Option<Size>,
    notation: Option<Notation>,
}

impl GivenItems {
    /// The moves of `file` if there is one, else `moves`; all begin on `board`, unless a line has its
    /// own.
    pub fn new(
        moves: &[String],
        file: Option<&Path>,
        board: Option<&str>,
        size: Option<Size>,
        notation: Option<Notation>,
    ) -> Result<Self, Failure> {
        let board = board.map(|text| parse_board(text, size)).transpose();
        let board = board.map_err(Failure::in_text("board"))?;
        let (texts, origin) = match file {
            None => (Texts::Arguments(spelt_out(moves).into_iter()), ARGUMENT.to_owned()),
            Some(path) => {
                let (reader, origin) = open(path)?;
                (Texts::File(TextLines::new(reader)), origin)
            }
        };
        Ok(Self { texts, origin, reading: Reading { board, size, notation } })
    }
}

impl Iterator for GivenItems {
    type Item = Result<GivenItem, Failure>;

    fn next(&mut self) -> Option<Result<GivenItem, Failure>> {
        let (line, text) = match &mut self.texts {
            Texts::Arguments(moves) => (None, Ok(moves.next()?)),
            Texts::File(lines) => match lines.next()? {
                Ok((number, text)) => (Some(number), text),
                Err(error) => {
                    let error = anyhow::Error::new(error).context(self.origin.clone());
                    return Some(Err(error.into()));
                }
            },
        };
        let given = text.and_then(|text| self.reading.read(&text, line));
        Some(Ok(GivenItem { line, given: given.map_err(Failure::in_text(&self.origin)) }))
    }
}

impl Reading {
    /// Reads moves; on a line of a file, with its own board and a tab in front or without.
    fn read(&self, text: &str, line: Option<usize>) -> Result<Given, NotationError> {
        let own = line.and_then(|_| text.split_once('\t'));
        let (board, moves) = match own {
            Some((board, moves)) => (parse_board(board, self.size).map(Some), moves),
            None => (Ok(self.board.clone()), text),
        };
        let given = board.and_then(|board| {
            let read = read_moves(moves, self.notation, board.as_ref())?;
            if let Some(board) = &board {
                read.apply_to(board)?;
            }
            Ok(Given { board, read })
        });
        given.map_err(|mut error| {
            error.line = line.unwrap_or(error.line);
            error
        })
    }
}

impl AnswerArgs {
    /// The moves, read as `notation` if that is given.
    pub fn items(&self, notation: Option<Notation>) -> Result<GivenItems, Failure> {
        let Self { moves, file, board, size } = self;
        GivenItems::new(moves, file.as_deref(), board.as_deref(), *size, notation)
    }
}

/// An argument for each solution: numbers that came as arguments of their own are put together.
fn spelt_out(words: &[String]) -> Vec<String> {
    let step = |word: &String| {
        let of_number = |byte: u8| byte.is_ascii_digit() || b",;()".contains(&byte);
        !word.is_empty() && word.bytes().all(of_number)
    };
    if words.len() > 1 && words.iter().all(step) { vec![words.join(" ")] } else { words.to_vec() }
}
