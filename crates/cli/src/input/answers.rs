//! Reads moves from arguments, files and standard input.

use std::collections::{HashSet, VecDeque};
use std::path::Path;

use loyd::notation::{
    MAX_MOVES, MoveText, Notation, NotationError, TextLines, parse_board, read_moves,
    read_moves_prefix, read_moves_to,
};
use loyd::{Board, Size};

use super::records::{INVALID, Record, invalid_before, starts_record, status_word};
use super::{ARGUMENT, Goals, Input, open};
use crate::args::{AnswerArgs, PairArgs};
use crate::failure::{Failure, print_note};
use crate::pddl::{self, letter};
use crate::replay::{self, is_link};

/// Moves, with their starting board if it is known.
#[derive(Clone)]
pub struct MovesEntry {
    /// The board.
    pub board: Option<Board>,
    /// The goal, if the record has one.
    pub goal: Option<String>,
    /// The name of the board, if the record has one.
    pub id: Option<String>,
    /// The moves.
    pub content: MovesOrStatus,
}

/// The answer of a solver.
#[derive(Clone)]
pub enum MovesOrStatus {
    /// Moves.
    Moves(MoveText),
    /// A status word in place of moves, such as `unsolvable`.
    Status(&'static str),
}

/// The moves of a line or argument, or their fault.
pub struct MovesItem {
    /// The line in the file.
    pub line: Option<usize>,
    /// The text of the line or argument.
    pub text: String,
    /// The moves.
    pub entry: Result<MovesEntry, Failure>,
}

/// Iterator over all moves of the command line or of a file. The fault of a single item is in its [`MovesItem`]; an
/// error of the iterator concerns the whole input.
pub struct MovesItems {
    texts: Texts,
    /// The name of the input for error messages.
    origin: String,
    reading: Reading,
    /// The remaining solutions of the last line read.
    more: VecDeque<MovesItem>,
    /// The notes on readings printed so far: each is printed once.
    notes: HashSet<String>,
}

enum Texts {
    Arguments(std::vec::IntoIter<String>),
    File(Box<TextLines<Input>>),
}

/// The options for reading all items.
struct Reading {
    board: Option<Board>,
    size: Option<Size>,
    notation: Option<Notation>,
    /// Whether illegal moves are a fault.
    checked: bool,
    /// The goals that the moves should reach, if known.
    goals: Option<Goals>,
}

impl MovesItems {
    /// Reads the moves of `file` if there is one, otherwise `moves`. All start on `board`, unless a line has its
    /// own board.
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
            None => (Texts::Arguments(joined_arguments(moves).into_iter()), ARGUMENT.to_owned()),
            Some(path) => {
                let (reader, origin) = open(path)?;
                if reader.get_ref().lines == Some(0) {
                    return Err(anyhow::anyhow!("{origin}: the input contains no moves").into());
                }
                (Texts::File(Box::new(TextLines::new(reader))), origin)
            }
        };
        let reading = Reading { board, size, notation, checked: true, goals: None };
        Ok(Self { texts, origin, reading, more: VecDeque::new(), notes: HashSet::new() })
    }

    /// Returns whether there is a single argument.
    pub fn is_one(&self) -> bool {
        matches!(&self.texts, Texts::Arguments(moves) if moves.len() == 1)
    }

    /// Accepts illegal moves as well.
    pub fn without_checks(mut self) -> Self {
        self.reading.checked = false;
        self
    }

    /// Reads the items as moves intended to reach these goals.
    pub fn towards(mut self, goals: Goals) -> Self {
        self.reading.goals = Some(goals);
        self
    }

    /// Prints a note if the moves were not read in the usual way.
    fn print_note(&mut self, item: &MovesItem) {
        let Ok(MovesEntry { content: MovesOrStatus::Moves(read), .. }) = &item.entry else {
            return;
        };
        let Some(note) = read.note().filter(|note| !self.notes.contains(*note)) else { return };
        match item.line {
            Some(line) => print_note(format_args!("line {line}: {note}")),
            None => print_note(note),
        }
        self.notes.insert(note.to_owned());
    }
}

impl Iterator for MovesItems {
    type Item = Result<MovesItem, Failure>;

    fn next(&mut self) -> Option<Result<MovesItem, Failure>> {
        while self.more.is_empty() {
            match self.read()? {
                Ok(()) => {}
                Err(failure) => return Some(Err(failure)),
            }
        }
        let item = self.more.pop_front()?;
        self.print_note(&item);
        Some(Ok(item))
    }
}

impl MovesItems {
    /// Reads the rest of a plan that starts with the step `first`.
    fn plan(&mut self, first: String) -> Result<Vec<MovesEntry>, Failure> {
        let (mut letters, mut step) = (String::new(), Some(first));
        while let Some(text) = step {
            if letters.len() > MAX_MOVES {
                return Err(anyhow::anyhow!("the plan has more than {MAX_MOVES} steps").into());
            }
            let has_step = !text.trim().is_empty() && !text.trim_start().starts_with(';');
            if has_step {
                letters.push(letter(&text)?);
            }
            let Texts::File(lines) = &mut self.texts else { break };
            let next = lines.next().transpose()?.map(|(_, text)| text);
            step = next.transpose().map_err(Failure::in_text(&self.origin))?;
        }
        let board = self.reading.board.clone();
        let moves = self.reading.moves(&letters, Some(Notation::Tile), board.as_ref(), None);
        let moves = moves.map_err(Failure::in_text("plan"))?;
        Ok(vec![MovesEntry { board, goal: None, id: None, content: MovesOrStatus::Moves(moves) }])
    }

    /// Reads the next argument or line.
    fn read(&mut self) -> Option<Result<(), Failure>> {
        let (line, text) = match &mut self.texts {
            Texts::Arguments(moves) => (None, Ok(moves.next()?)),
            Texts::File(lines) => match lines.next()? {
                // Among records, a blank line is skipped; elsewhere it is a solution without moves.
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
            Ok(text) if line.is_some() && starts_record(text.as_bytes()) == Some(true) => {
                self.reading.record(&text)
            }
            Ok(text) if is_link(&text) => self.reading.replay(&text),
            Ok(text) if line.is_some() && pddl::is_step(&text) => self.plan(text),
            text => text
                .and_then(|text| self.reading.read(&text, line))
                .map_err(Failure::in_text(&self.origin))
                .and_then(|entry| match entry.content {
                    MovesOrStatus::Status(INVALID) => Err(invalid_before(None).into()),
                    _ => Ok(vec![entry]),
                }),
        };
        let item = |entry: Result<MovesEntry, Failure>| MovesItem {
            line,
            text: written.clone(),
            entry: entry.map_err(|failure| match line {
                Some(line) => failure.at(&self.origin, line),
                None => failure,
            }),
        };
        match all {
            Ok(all) => self.more.extend(all.into_iter().map(|entry| item(Ok(entry)))),
            Err(failure) => self.more.push_back(item(Err(failure))),
        }
        Some(Ok(()))
    }
}

impl Reading {
    /// Reads moves. On a line of a file, they may be preceded by their own board and a tab.
    fn read(&mut self, text: &str, line: Option<usize>) -> Result<MovesEntry, NotationError> {
        let own = line.and_then(|_| text.split_once('\t'));
        let (board, moves) = match own {
            Some((board, moves)) => (parse_board(board, self.size).map(Some), moves),
            None => (Ok(self.board.clone()), text),
        };
        let entry = board.and_then(|board| {
            let content = match line.and_then(|_| status_word(moves)) {
                Some(word) => MovesOrStatus::Status(word),
                None => {
                    MovesOrStatus::Moves(self.moves(moves, self.notation, board.as_ref(), None)?)
                }
            };
            Ok(MovesEntry { board, goal: None, id: None, content })
        });
        entry.map_err(|mut error| {
            error.line = line.unwrap_or(error.line);
            let is_board = |first: &str| {
                first.eq_ignore_ascii_case("board") || parse_board(first, self.size).is_ok()
            };
            let first = text.split_once([',', ';']).map(|(first, _)| first.trim_matches('"'));
            if line.is_some() && own.is_none() && first.is_some_and(is_board) {
                error.help = Some("a tab is needed between a board and its moves".to_owned());
            }
            error
        })
    }

    /// Reads the solutions in a record.
    fn record(&mut self, line: &str) -> Result<Vec<MovesEntry>, Failure> {
        let record = Record::read(line)?;
        let board = record.board(self.size).transpose().map_err(Failure::in_text("board"))?;
        let board = board.or_else(|| self.board.clone());
        let goal = record.goal(self.size);
        let one = |text: String| {
            let content = match status_word(&text) {
                Some(word) => MovesOrStatus::Status(word),
                None => {
                    let notation = self.notation.or_else(|| record.notation(&text));
                    let moves = self.moves(&text, notation, board.as_ref(), goal.as_deref());
                    let moves = moves.map_err(Failure::in_text("moves"))?;
                    record.check(&text, &moves.moves)?;
                    MovesOrStatus::Moves(moves)
                }
            };
            Ok(MovesEntry { board: board.clone(), goal: goal.clone(), id: record.id(), content })
        };
        record.solutions()?.into_iter().map(one).collect()
    }

    /// Reads the solutions in a replay link.
    fn replay(&mut self, link: &str) -> Result<Vec<MovesEntry>, Failure> {
        let size = self.size;
        let one = |(board, text): (Option<Board>, String)| {
            let board = board.or_else(|| self.board.clone());
            let moves = self.moves(&text, Some(Notation::Tile), board.as_ref(), None);
            let content = MovesOrStatus::Moves(moves.map_err(Failure::in_text("replay"))?);
            Ok(MovesEntry { board, goal: None, id: None, content })
        };
        replay::read(link, size)?.into_iter().map(one).collect()
    }

    /// Reads moves on `board`; `goal` is the goal of their record, if it has one.
    fn moves(
        &mut self,
        text: &str,
        notation: Option<Notation>,
        board: Option<&Board>,
        goal: Option<&str>,
    ) -> Result<MoveText, NotationError> {
        // An invalid goal is found again when the problem is built, and reported there.
        let problem =
            self.goals.as_mut().zip(board).and_then(|(goals, board)| {
                goals.problem_of_record(Ok(board.clone()), goal).ok()?.ok()
            });
        let read = match (&problem, board) {
            (Some(problem), Some(board)) => {
                read_moves_to(text, notation, board, |end| problem.is_solved_by(end))?
            }
            _ if self.checked => read_moves(text, notation, board)?,
            _ => read_moves_prefix(text, notation, board)?,
        };
        if let Some(board) = board.filter(|_| self.checked) {
            read.apply_to(board)?;
        }
        Ok(read)
    }
}

impl PairArgs {
    /// Returns the moves and their boards, read as `notation` if it is given.
    pub fn items(
        &self,
        size: Option<Size>,
        notation: Option<Notation>,
    ) -> Result<MovesItems, Failure> {
        let Self { moves, file, board, .. } = self;
        MovesItems::new(moves, file.as_deref(), board.as_deref(), size, notation)
    }
}

impl AnswerArgs {
    /// Returns the moves, read as `notation` if it is given.
    pub fn items(&self, notation: Option<Notation>) -> Result<MovesItems, Failure> {
        let Self { moves, file, board, size } = self;
        MovesItems::new(moves, file.as_deref(), board.as_deref(), *size, notation)
    }
}

/// Returns one argument per solution: joins numbers, letters, words and arrows given as separate arguments.
fn joined_arguments(words: &[String]) -> Vec<String> {
    if words.len() > 1 && words.iter().all(|word| is_step(word)) {
        vec![words.join(" ")]
    } else {
        words.to_vec()
    }
}

/// Returns whether an argument is part of a solution: a number, coordinates or a direction, possibly as an element of a
/// list.
fn is_step(word: &str) -> bool {
    let bare = word.trim_matches(|letter: char| "[](){}'\",;".contains(letter));
    let sign = bare.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let is_number = |byte: u8| byte.is_ascii_digit() || b",;()".contains(&byte);
    let is_one =
        sign.chars().filter(|letter| !('\u{fe0e}'..='\u{fe0f}').contains(letter)).count() == 1;
    match sign {
        "" => !word.is_empty(),
        _ if bare.bytes().all(is_number) => true,
        _ if is_one => {
            read_moves(sign, Some(Notation::Arrows), None).is_ok() || "udlrUDLR".contains(sign)
        }
        _ => read_moves(sign, Some(Notation::Words), None).is_ok_and(|read| read.moves.len() == 1),
    }
}
