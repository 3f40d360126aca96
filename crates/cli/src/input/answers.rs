//! Where moves come from: arguments, files, standard input.

use std::collections::VecDeque;
use std::path::Path;

use loyd::notation::{
    MOST_MOVES, MoveText, Notation, NotationError, TextLines, parse_board, read_moves,
    read_moves_as_far,
};
use loyd::{Board, Size};

use super::records::{INVALID, Record, begins, invalid_before, word};
use super::{ARGUMENT, Input, open};
use crate::args::{AnswerArgs, PairArgs};
use crate::failure::Failure;
use crate::pddl::{is_step, letter};
use crate::replay::{self, is_link};

/// Moves and the board on which they begin, if that is known.
#[derive(Clone)]
pub struct Given {
    /// The board.
    pub board: Option<Board>,
    /// The goal, where a record has one.
    pub goal: Option<String>,
    /// The name of the board, where a record has one.
    pub id: Option<String>,
    /// The moves.
    pub said: Said,
}

/// What a solver has said.
#[derive(Clone)]
pub enum Said {
    /// Moves.
    Moves(MoveText),
    /// Why there are none: `unsolvable` or the like.
    Word(&'static str),
}

/// Moves that were given, or what is wrong with them.
pub struct GivenItem {
    /// The line of the file.
    pub line: Option<usize>,
    /// What stands there.
    pub text: String,
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
    /// More solutions of the line that was read last.
    more: VecDeque<GivenItem>,
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
    /// Whether moves that the board does not have are a fault.
    checked: bool,
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
                if reader.get_ref().lines == Some(0) {
                    return Err(anyhow::anyhow!("{origin}: there are no moves in it").into());
                }
                (Texts::File(TextLines::new(reader)), origin)
            }
        };
        let reading = Reading { board, size, notation, checked: true };
        Ok(Self { texts, origin, reading, more: VecDeque::new() })
    }

    /// Whether there is a single argument.
    pub fn is_one(&self) -> bool {
        matches!(&self.texts, Texts::Arguments(moves) if moves.len() == 1)
    }

    /// The same items, with moves that the board does not have, too.
    pub fn unchecked(mut self) -> Self {
        self.reading.checked = false;
        self
    }
}

impl Iterator for GivenItems {
    type Item = Result<GivenItem, Failure>;

    fn next(&mut self) -> Option<Result<GivenItem, Failure>> {
        while self.more.is_empty() {
            match self.read()? {
                Ok(()) => {}
                Err(failure) => return Some(Err(failure)),
            }
        }
        self.more.pop_front().map(Ok)
    }
}

impl GivenItems {
    /// Reads the rest of a plan, which begins with the step `first`.
    fn plan(&mut self, first: String) -> Result<Vec<Given>, Failure> {
        let (mut letters, mut step) = (String::new(), Some(first));
        while let Some(text) = step {
            if letters.len() > MOST_MOVES {
                return Err(anyhow::anyhow!("the plan has more than {MOST_MOVES} steps").into());
            }
            let says = !text.trim().is_empty() && !text.trim_start().starts_with(';');
            if says {
                letters.push(letter(&text)?);
            }
            let Texts::File(lines) = &mut self.texts else { break };
            let next = lines.next().transpose()?.map(|(_, text)| text);
            step = next.transpose().map_err(Failure::in_text(&self.origin))?;
        }
        let board = self.reading.board.clone();
        let moves = self.reading.moves(&letters, Some(Notation::Tile), board.as_ref());
        let moves = moves.map_err(Failure::in_text("plan"))?;
        Ok(vec![Given { board, goal: None, id: None, said: Said::Moves(moves) }])
    }

    /// Reads the next argument or line.
    fn read(&mut self) -> Option<Result<(), Failure>> {
        let (line, text) = match &mut self.texts {
            Texts::Arguments(moves) => (None, Ok(moves.next()?)),
            Texts::File(lines) => match lines.next()? {
                // Elsewhere that is a solution without moves.
                Ok((_, Ok(text))) if lines.reader().get_ref().records && text.trim().is_empty() => {
                    return Some(Ok(()));
                }
                Ok((number, text)) => (Some(number), text),
                Err(error) => {
                    let error = anyhow::Error::new(error).context(self.origin.clone());
                    return Some(Err(error.into()));
                }
            },
        };
        let written = text.clone().unwrap_or_default();
        let all = match text {
            Ok(text) if line.is_some() && begins(text.as_bytes()) == Some(true) => {
                self.reading.record(&text)
            }
            Ok(text) if is_link(&text) => self.reading.replay(&text),
            Ok(text) if line.is_some() && is_step(&text) => self.plan(text),
            text => text
                .and_then(|text| self.reading.read(&text, line))
                .map_err(Failure::in_text(&self.origin))
                .and_then(|given| match given.said {
                    Said::Word(INVALID) => Err(invalid_before(None).into()),
                    _ => Ok(vec![given]),
                }),
        };
        let item = |given: Result<Given, Failure>| GivenItem {
            line,
            text: written.clone(),
            given: given.map_err(|failure| match line {
                Some(line) => failure.at(&self.origin, line),
                None => failure,
            }),
        };
        match all {
            Ok(all) => self.more.extend(all.into_iter().map(|given| item(Ok(given)))),
            Err(failure) => self.more.push_back(item(Err(failure))),
        }
        Some(Ok(()))
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
            let said = match line.and_then(|_| word(moves)) {
                Some(word) => Said::Word(word),
                None => Said::Moves(self.moves(moves, self.notation, board.as_ref())?),
            };
            Ok(Given { board, goal: None, id: None, said })
        });
        given.map_err(|mut error| {
            error.line = line.unwrap_or(error.line);
            error
        })
    }

    /// Reads the solutions of a record.
    fn record(&self, line: &str) -> Result<Vec<Given>, Failure> {
        let record = Record::read(line)?;
        let board = record.board(self.size).transpose().map_err(Failure::in_text("board"))?;
        let board = board.or_else(|| self.board.clone());
        let goal = record.goal().map(str::to_owned);
        let one = |text: String| {
            let said = match word(&text) {
                Some(word) => Said::Word(word),
                None => {
                    let moves = self.moves(&text, None, board.as_ref());
                    Said::Moves(moves.map_err(Failure::in_text("moves"))?)
                }
            };
            Ok(Given { board: board.clone(), goal: goal.clone(), id: record.id(), said })
        };
        record.solutions()?.into_iter().map(one).collect()
    }

    /// Reads the solutions of a replay link.
    fn replay(&self, link: &str) -> Result<Vec<Given>, Failure> {
        let one = |(board, text): (Option<Board>, String)| {
            let board = board.or_else(|| self.board.clone());
            let moves = self.moves(&text, Some(Notation::Tile), board.as_ref());
            let said = Said::Moves(moves.map_err(Failure::in_text("replay"))?);
            Ok(Given { board, goal: None, id: None, said })
        };
        replay::read(link, self.size)?.into_iter().map(one).collect()
    }

    /// The moves in `text`, which begin on `board`.
    fn moves(
        &self,
        text: &str,
        notation: Option<Notation>,
        board: Option<&Board>,
    ) -> Result<MoveText, NotationError> {
        if !self.checked {
            return read_moves_as_far(text, notation, board);
        }
        let read = read_moves(text, notation, board)?;
        if let Some(board) = board {
            read.apply_to(board)?;
        }
        Ok(read)
    }
}

impl PairArgs {
    /// The moves and their boards, read as `notation` if that is given.
    pub fn items(
        &self,
        size: Option<Size>,
        notation: Option<Notation>,
    ) -> Result<GivenItems, Failure> {
        let Self { moves, file, board, .. } = self;
        GivenItems::new(moves, file.as_deref(), board.as_deref(), size, notation)
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
