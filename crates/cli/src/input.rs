//! Where boards come from: arguments, files, standard input.

mod answers;
mod goals;
mod records;
mod source;

use std::fs;
use std::path::Path;

use anyhow::Context;
use loyd::notation::{Case, Cases, Format, NotationError, TextLines, parse_board};
use loyd::{Board, Goal, Problem, Size};

use crate::args::{ProblemArgs, command_like};
use crate::failure::Failure;
use crate::replay::is_link;

pub use answers::{Given, GivenItem, GivenItems, Said};
pub use goals::{Goals, goal_board, partial_goal};
use records::Record;
pub use records::{Length, length_in_record};
use source::{Input, open};
pub use source::{is_fed, name_of, settle, small_text};

/// The name of arguments in error messages.
const ARGUMENT: &str = "argument";

/// A board to be solved, or what is wrong with it.
pub struct Item {
    /// The line of the file.
    pub line: Option<usize>,
    /// Its name in the file.
    pub id: Option<String>,
    /// The length that the file gives.
    pub expected: Option<u32>,
    /// The problem.
    pub problem: Result<Problem, Failure>,
}

/// All boards of the command line or of a file. What is wrong with one board is in its [`Item`]; an
/// error of the iterator is one of the whole input: it cannot be read, or the goal is no goal.
pub enum Items {
    /// From arguments.
    Arguments(std::vec::IntoIter<String>, Goals, Option<Size>),
    /// From a file.
    File(Box<Cases<Input>>, Goals, String),
    /// From a file with a record on each line.
    Records(Box<TextLines<Input>>, Goals, String, Option<Size>),
}

impl Items {
    /// The boards of `file` if there is one, else `boards`.
    pub fn new(
        boards: &[String],
        file: Option<&Path>,
        format: Format,
        problem: &ProblemArgs,
    ) -> Result<Self, Failure> {
        let Some(path) = file else {
            let goals = Goals::new(problem.goal.clone(), Goal::BlankLast);
            return Ok(Self::Arguments(spelt_out(boards).into_iter(), goals, problem.size));
        };
        let (reader, origin) = open(path)?;
        if format == Format::Auto && reader.get_ref().records {
            let goals = Goals::new(problem.goal.clone(), Goal::BlankLast);
            return Ok(Self::Records(
                Box::new(TextLines::new(reader)),
                goals,
                origin,
                problem.size,
            ));
        }
        let mut cases = Cases::new(reader, format, problem.size);
        let default = match cases.format().with_context(|| origin.clone())? {
            Format::Korf => Goal::BlankFirst,
            _ => Goal::BlankLast,
        };
        let goals = Goals::new(problem.goal.clone(), default);
        Ok(Self::File(Box::new(cases), goals, origin))
    }

    /// How many boards there are, where that is known.
    pub fn known_count(&self) -> Option<usize> {
        match self {
            Self::Arguments(boards, ..) => Some(boards.len()),
            Self::File(..) | Self::Records(..) => None,
        }
    }

    /// What is read, if it is a file.
    fn reader(&self) -> Option<&Input> {
        match self {
            Self::Arguments(..) => None,
            Self::File(cases, ..) => Some(cases.reader()),
            Self::Records(lines, ..) => Some(lines.reader()),
        }
    }

    /// The bytes of the file up to the board that comes next, or a little further.
    pub fn bytes_read(&self) -> u64 {
        self.reader().map_or(0, |reader| reader.get_ref().bytes - reader.buffer().len() as u64)
    }

    /// The bytes of the file, if it is one.
    pub fn length(&self) -> Option<u64> {
        self.reader()?.get_ref().length
    }

    /// Whether the next board is here already, so that nobody has to wait for it. In a pipe it is once
    /// a line that holds something has been read, where every such line is a board.
    pub fn is_ready(&mut self) -> bool {
        let a_board_a_line = match self {
            Self::Arguments(..) | Self::Records(..) => true,
            Self::File(cases, ..) => matches!(cases.format(), Ok(Format::Lines | Format::Korf)),
        };
        let Some(reader) = self.reader().filter(|reader| reader.get_ref().length.is_none()) else {
            return true;
        };
        let read = reader.buffer();
        let end = read.iter().rposition(|&byte| byte == b'\n').unwrap_or(0);
        let says = |line: &[u8]| !line.is_empty() && line[0] != b'#';
        a_board_a_line
            && read[..end].split(|&byte| byte == b'\n').any(|line| says(line.trim_ascii()))
    }

    /// The failure of a file that has ended without a board; said once.
    fn without_boards(&mut self) -> Option<Failure> {
        let Self::File(cases, _, origin) = self else { return None };
        cases.reader().get_ref().lines?;
        let failure = anyhow::anyhow!("{origin}: there are no boards in it").into();
        *self = Self::Arguments(Vec::new().into_iter(), Goals::new(None, Goal::BlankLast), None);
        Some(failure)
    }

    /// The board of an argument.
    fn argument(text: &str, goals: &mut Goals, size: Option<Size>) -> Result<Item, Failure> {
        let board = parse_board(text, size).map_err(|error| with_hint(text, error));
        let problem = goals.problem_of(board.map_err(Failure::in_text(ARGUMENT)), None)?;
        Ok(Item { line: None, id: None, expected: None, problem })
    }

    /// The board of a record, if the line is not blank.
    fn record(
        line: usize,
        text: Result<String, NotationError>,
        goals: &mut Goals,
        origin: &str,
        size: Option<Size>,
    ) -> Result<Option<Item>, Failure> {
        if text.as_ref().is_ok_and(|text| text.trim().is_empty()) {
            return Ok(None);
        }
        let text = text.map_err(Failure::in_text(origin));
        let (id, problem) = match text.and_then(|text| Ok(Record::read(&text)?)) {
            Ok(record) => {
                let missing = || Err(anyhow::anyhow!("the record has no `board`").into());
                let board = record.board(size);
                let board = board.map_or_else(missing, |b| b.map_err(Failure::in_text("board")));
                (record.id(), goals.problem_of_record(board, record.goal())?)
            }
            Err(failure) => (None, Err(failure)),
        };
        let problem = problem.map_err(|failure| failure.at(origin, line));
        Ok(Some(Item { line: Some(line), id, expected: None, problem }))
    }

    /// The board of a case in a file.
    fn case(case: Case, goals: &mut Goals, origin: &str) -> Result<Item, Failure> {
        let Case { line, board, goal, expected, id } = case;
        let board = board.map_err(of_link).map_err(Failure::in_text(origin));
        let problem = goals.problem_of(board, goal)?;
        let problem = problem.map_err(|failure| failure.at(origin, line));
        Ok(Item { line: Some(line), id, expected, problem })
    }
}

impl Iterator for Items {
    type Item = Result<Item, Failure>;

    fn next(&mut self) -> Option<Result<Item, Failure>> {
        match self {
            Self::Arguments(boards, goals, size) => {
                Some(Self::argument(&boards.next()?, goals, *size))
            }
            Self::File(cases, goals, origin) => match cases.next() {
                Some(Ok(case)) => Some(Self::case(case, goals, origin)),
                Some(Err(error)) => {
                    Some(Err(anyhow::Error::new(error).context(origin.clone()).into()))
                }
                None => self.without_boards().map(Err),
            },
            Self::Records(lines, goals, origin, size) => loop {
                match lines.next()? {
                    Ok((line, text)) => {
                        let item = Self::record(line, text, goals, origin, *size).transpose();
                        if item.is_some() {
                            return item;
                        }
                    }
                    Err(error) => {
                        return Some(Err(anyhow::Error::new(error).context(origin.clone()).into()));
                    }
                }
            },
        }
    }
}

/// A bare word that is no board may be a command that was misspelt, or the name of a file.
fn with_hint(text: &str, mut error: NotationError) -> NotationError {
    if is_link(text) {
        error = of_link(error);
    } else if names_a_file(text) {
        error.span = 0..error.source.len();
        (error.message, error.help) = match Path::new(text).exists() {
            true => (format!("`{text}` is a file and no board"), Some("-f reads one file".into())),
            false => (format!("`{text}` is neither a file nor a board"), None),
        };
    } else if text.len() > 1 && text.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-')
    {
        error.message = format!("`{text}` is neither a command nor a board");
        error.span = 0..error.source.len();
        let meant =
            command_like(&text.to_ascii_lowercase()).map(|name| format!("did you mean {name}? "));
        error.help = Some(meant.unwrap_or_default() + "`loyd help` lists the commands");
    }
    error
}

/// A replay has a board, but moves too.
fn of_link(mut error: NotationError) -> NotationError {
    if is_link(&error.source) {
        error.span = 0..error.source.len();
        error.message = "this is a replay link of slidysim, and no board".to_owned();
        error.help = Some("`loyd review LINK` reads it, as all commands do that read moves".into());
    }
    error
}

/// Whether a text looks like the name of a file: it has an ending with letters, as no board has.
fn names_a_file(text: &str) -> bool {
    let ending = Path::new(text).extension().and_then(|ending| ending.to_str());
    let is_word = |word: &str| word.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let has_letters = |word: &str| word.bytes().any(|byte| byte.is_ascii_alphabetic());
    !text.contains(char::is_whitespace)
        && ending.is_some_and(|ending| is_word(ending) && has_letters(ending) && ending != "x")
}

/// One board from arguments that may spell it out.
pub fn board(words: &[String], size: Option<Size>) -> Result<Board, Failure> {
    match spelt_out(words).as_slice() {
        [text] => parse_board(text, size).map_err(Failure::in_text(ARGUMENT)),
        _ => Err(anyhow::anyhow!("one board is wanted, and {} are given", words.len()).into()),
    }
}

/// An argument for each board: tiles that came as arguments of their own are put together.
fn spelt_out(words: &[String]) -> Vec<String> {
    let number = |word: &str| word.len() <= 3 && word.bytes().all(|byte| byte.is_ascii_digit());
    let tile = |word: &String| number(word) || ["x", "X", "_", "."].contains(&word.as_str());
    if words.len() > 1 && words.iter().all(tile) { vec![words.join(" ")] } else { words.to_vec() }
}

/// About how many boards there are to be solved.
pub fn expected_boards(boards: &[String], file: Option<&Path>) -> u64 {
    /// Files up to this size are read for the purpose; of larger ones, lines are taken to be as long
    /// as those of 4x4 boards.
    const SMALL: u64 = 1 << 16;
    const LINE: u64 = 38;
    /// What comes through a pipe may be a single board, or go on for ever.
    const PIPED: u64 = 1_000;
    let Some(path) = file else { return spelt_out(boards).len() as u64 };
    let metadata = fs::metadata(path).ok().filter(|file| file.is_file());
    match metadata.map(|file| file.len()) {
        None => PIPED,
        Some(bytes @ SMALL..) => bytes / LINE,
        Some(_) => fs::read_to_string(path).map_or(1, |text| text.lines().count() as u64),
    }
}

/// The failure as a line for machines.
pub fn in_a_line(failure: &Failure) -> String {
    match failure {
        Failure::Notation { error, .. } => error_line(error),
        Failure::At { line, error, .. } => format!("line {line}: {error:#}"),
        Failure::Other(error) => format!("{error:#}"),
    }
}

fn error_line(error: &NotationError) -> String {
    match &error.help {
        Some(help) => format!("{error} ({help})"),
        None => error.to_string(),
    }
}
