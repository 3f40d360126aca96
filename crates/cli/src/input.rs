//! Reads boards from arguments, files and standard input.

mod answers;
mod goals;
mod records;
mod source;

use std::borrow::Cow;
use std::collections::HashSet;
use std::fs;
use std::path::Path;

use anyhow::Context;
use loyd::board::Solvability;
use loyd::notation::{
    Case, Cases, Format, Hints, NotationError, TextLines, is_cell, parse_board, read_board,
};
use loyd::{Board, Goal, Problem, Size};

use crate::args::{ProblemArgs, command_like};
use crate::failure::{Failure, print_note};
use crate::replay::is_link;
pub use answers::{MovesEntry, MovesItem, MovesItems, MovesOrStatus};
use goals::{ARGUMENT, EqualGoal, EqualItems, with_goal_hint};
pub use goals::{Goals, Item, goal_board, partial_goal, recorded_problem};
pub use records::{Length, length_in_record};
use source::{Input, open};
pub use source::{name_of, resolve_input};

/// Iterator over all boards of the command line or of a file. The fault of a single board is in its [`Item`]; an
/// error of the iterator concerns the whole input: it cannot be read, or the goal is invalid.
pub struct Items {
    source: Source,
    goals: Goals,
    size: Option<Size>,
    blank: Option<String>,
    notes: Notes,
    /// Whether the file looks like published instances, and no option names their format or a goal.
    resembles_korf: bool,
    /// Whether the file has had a board, or the fault of one.
    has_begun: bool,
}

enum Source {
    /// Boards given as arguments.
    Arguments(std::vec::IntoIter<String>),
    /// The boards of a file, and its name.
    File(Box<Cases<Input>>, String),
    /// Boards on which several tiles may have the same number.
    Equal(Box<EqualItems>),
}

impl Items {
    /// Reads the boards of `file` if there is one, otherwise `boards`.
    pub fn new(
        boards: &[String],
        file: Option<&Path>,
        problem: &ProblemArgs,
    ) -> Result<Self, Failure> {
        let (source, default) = match file {
            None if problem.input.is_some_and(|format| format != Format::Auto) => {
                return Err(
                    anyhow::anyhow!("--input is for files of boards: name one with -f").into()
                );
            }
            None => (Source::Arguments(joined_arguments(boards).into_iter()), Goal::BlankLast),
            Some(path) => {
                let (reader, origin) = open(path)?;
                let format = problem.input.unwrap_or_default();
                let mut cases = Cases::with_hints(reader, format, problem.hints());
                let default = match cases.format().with_context(|| origin.clone())? {
                    Format::Korf => Goal::BlankFirst,
                    _ => Goal::BlankLast,
                };
                (Source::File(Box::new(cases), origin), default)
            }
        };
        let resembles_korf = default == Goal::BlankFirst
            && problem.input != Some(Format::Korf)
            && problem.goal.is_none();
        let goals = Goals::new(problem.goal.clone(), default).with_blank(problem.blank.clone());
        let (size, blank) = (problem.size, problem.blank.clone());
        let notes = Notes::default();
        Ok(Self { source, goals, size, blank, notes, resembles_korf, has_begun: false })
    }

    /// Like [`new`](Self::new), but accepts boards with equal tiles if the goal has equal tiles.
    pub fn with_equal_tiles(
        boards: &[String],
        file: Option<&Path>,
        problem: &ProblemArgs,
    ) -> Result<Self, Failure> {
        let goal = problem.goal.as_deref().map(|text| EqualGoal::read(text, problem.size));
        let Some(goal) = goal.transpose()?.flatten() else {
            return Self::new(boards, file, problem);
        };
        let items = match file {
            None => EqualItems::of_arguments(joined_arguments(boards), goal),
            Some(path) => {
                let (reader, origin) = open(path)?;
                let format = problem.input.unwrap_or_default();
                if !matches!(format, Format::Auto | Format::Lines) || reader.get_ref().records {
                    let message =
                        "boards with equal tiles are read from a file with a board on each line";
                    return Err(anyhow::anyhow!("{origin}: {message}").into());
                }
                EqualItems::of_lines(TextLines::new(reader), origin, goal)
            }
        };
        let goals = Goals::new(None, Goal::BlankLast);
        let source = Source::Equal(Box::new(items));
        let (notes, resembles_korf) = (Notes::default(), false);
        Ok(Self { source, goals, size: None, blank: None, notes, resembles_korf, has_begun: false })
    }

    /// Returns the number of remaining boards, if it is known.
    pub fn known_count(&self) -> Option<usize> {
        match &self.source {
            Source::Arguments(boards) => Some(boards.len()),
            Source::Equal(items) => items.known_count(),
            Source::File(..) => None,
        }
    }

    /// Returns the reader, if the boards come from a file.
    fn reader(&self) -> Option<&Input> {
        match &self.source {
            Source::Arguments(_) => None,
            Source::Equal(items) => items.reader(),
            Source::File(cases, _) => Some(cases.reader()),
        }
    }

    /// Returns the number of bytes read from the file: up to the next board, or a little further.
    pub fn bytes_read(&self) -> u64 {
        self.reader().map_or(0, |reader| reader.get_ref().bytes - reader.buffer().len() as u64)
    }

    /// Returns the length of the input in bytes, if it is a regular file.
    pub fn length(&self) -> Option<u64> {
        self.reader()?.get_ref().length
    }

    /// Returns whether the next board can be read without waiting for more input. For a pipe this holds once
    /// a line that is neither blank nor a comment has been read, in formats with one board per line.
    pub fn is_ready(&mut self) -> bool {
        let a_board_a_line = match &mut self.source {
            Source::Arguments(_) | Source::Equal(_) => true,
            Source::File(cases, _) => {
                let lines = [Format::Lines, Format::Korf, Format::Json, Format::Csv];
                cases.format().is_ok_and(|format| lines.contains(&format))
            }
        };
        let Some(reader) = self.reader().filter(|reader| reader.get_ref().length.is_none()) else {
            return true;
        };
        let read = reader.buffer();
        let end = read.iter().rposition(|&byte| byte == b'\n').unwrap_or(0);
        let filled = |line: &[u8]| !line.is_empty() && line[0] != b'#';
        a_board_a_line
            && read[..end].split(|&byte| byte == b'\n').any(|line| filled(line.trim_ascii()))
    }

    /// Returns the failure of a file that ended without a board. Returns it only once.
    fn without_boards(&mut self) -> Option<Failure> {
        let Source::File(cases, origin) = &self.source else { return None };
        if self.has_begun && cases.reader().get_ref().lines.is_none() {
            return None;
        }
        let failure = anyhow::anyhow!("{origin}: the input contains no boards").into();
        self.source = Source::Arguments(Vec::new().into_iter());
        Some(failure)
    }

    /// Reads the board of an argument.
    fn argument(&mut self, text: &str) -> Result<Item, Failure> {
        let hints = Hints { size: self.size, blank: self.blank.as_deref() };
        let read = read_board(text, hints);
        let read = read.map_err(|error| with_goal_hint(text, self.size, with_hint(text, error)));
        let board = read.map(|read| {
            self.notes.print(None, &read.notes);
            read.board
        });
        let problem = self.goals.problem_of(board.map_err(Failure::in_text(ARGUMENT)), None)?;
        Ok(Item { line: None, id: None, expected: None, problem })
    }

    /// Converts a case of a file to an item.
    fn case(&mut self, case: Case, origin: &str) -> Result<Item, Failure> {
        let Case { line, board, goal, goal_text, expected, id, notes } = case;
        self.notes.print(Some(line), &notes);
        let with_hint = |error: NotationError| {
            let line = error.source.clone();
            with_goal_hint(&line, None, with_link_hint(error))
        };
        let board = board.map_err(with_hint).map_err(Failure::in_text(origin));
        let problem = match goal_text {
            Some(text) => self.goals.problem_of_record(board, Some(&text))?,
            None => self.goals.problem_of(board, goal)?,
        };
        let problem = problem
            .and_then(|problem| match self.resembles_korf && !is_published(&problem, expected) {
                true => Err(Failure::from(anyhow::anyhow!(NUMBERED))),
                false => Ok(problem),
            })
            .map_err(|failure| failure.at(origin, line));
        Ok(Item { line: Some(line), id, expected, problem })
    }
}

/// The failure of a line with a number and a board.
const NUMBERED: &str = "the line may be a published instance, whose goal is blank-first, or a number before \
                        any other board: give --goal, or name the format korf";

/// Returns whether a line is certainly a published instance: it has a length, and its board can reach the goal of these
/// instances. Otherwise the number before the board may be that of a line, or its side.
fn is_published(problem: &Problem, expected: Option<u32>) -> bool {
    expected.is_some() && Solvability::new(problem.start(), problem.goal()).is_solvable()
}

/// Prints the assumptions made to read boards, each of them once.
#[derive(Default)]
struct Notes(HashSet<Cow<'static, str>>);

impl Notes {
    /// Maximum number of notes printed: more would hide everything else.
    const MOST: usize = 8;

    fn print(&mut self, line: Option<usize>, notes: &[Cow<'static, str>]) {
        for note in notes {
            if self.0.len() >= Self::MOST || !self.0.insert(note.clone()) {
                continue;
            }
            let place = line.map_or_else(String::new, |line| format!("line {line}: "));
            print_note(format_args!("note: {place}{note}"));
            if self.0.len() == Self::MOST {
                print_note("note: further assumptions are not listed");
            }
        }
    }
}

impl Iterator for Items {
    type Item = Result<Item, Failure>;

    fn next(&mut self) -> Option<Result<Item, Failure>> {
        let (case, origin) = match &mut self.source {
            Source::Arguments(boards) => {
                let text = boards.next()?;
                return Some(self.argument(&text));
            }
            Source::Equal(items) => return items.next(),
            Source::File(cases, origin) => (cases.next(), origin.clone()),
        };
        match case {
            Some(Ok(case)) => {
                self.has_begun = true;
                Some(self.case(case, &origin))
            }
            Some(Err(error)) => Some(Err(anyhow::Error::new(error).context(origin).into())),
            None => self.without_boards().map(Err),
        }
    }
}

/// Adds a hint to the error of an argument: the word may be a misspelt command or the name of a file.
fn with_hint(text: &str, mut error: NotationError) -> NotationError {
    if is_link(text) {
        error = with_link_hint(error);
    } else if looks_like_file_name(text) {
        error.span = 0..error.source.len();
        (error.message, error.help) = match Path::new(text).exists() {
            true => (format!("`{text}` is a file, not a board"), Some("-f reads one file".into())),
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

/// Replaces the error of a replay link, which has a board but is meant for commands that read moves.
fn with_link_hint(mut error: NotationError) -> NotationError {
    if is_link(&error.source) {
        error.span = 0..error.source.len();
        error.message = "this is a slidysim replay link, not a board".to_owned();
        error.help = Some("`loyd review LINK` reads it, as all commands do that read moves".into());
    }
    error
}

/// Returns whether a text looks like a file name: it has an extension with letters, which no board has.
fn looks_like_file_name(text: &str) -> bool {
    let ending = Path::new(text).extension().and_then(|ending| ending.to_str());
    let is_word = |word: &str| word.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let has_letters = |word: &str| word.bytes().any(|byte| byte.is_ascii_alphabetic());
    !text.contains(char::is_whitespace)
        && ending.is_some_and(|ending| is_word(ending) && has_letters(ending) && ending != "x")
}

/// Reads one board from arguments, which may be its separate tiles.
pub fn board(words: &[String], size: Option<Size>) -> Result<Board, Failure> {
    match joined_arguments(words).as_slice() {
        [text] => parse_board(text, size).map_err(Failure::in_text(ARGUMENT)),
        _ => Err(anyhow::anyhow!("expected one board, got {}", words.len()).into()),
    }
}

/// Returns one argument for each board: tiles in separate arguments are joined.
fn joined_arguments(words: &[String]) -> Vec<String> {
    const LONGEST: usize = 4;
    let letter =
        |word: &str| word.len() == 1 && word.bytes().all(|byte| byte.is_ascii_alphabetic());
    let tile = |word: &String| (word.len() <= LONGEST && is_cell(word)) || letter(word);
    if words.len() > 1 && words.iter().all(tile) { vec![words.join(" ")] } else { words.to_vec() }
}

/// Estimates the number of boards to solve.
pub fn expected_boards(boards: &[String], file: Option<&Path>) -> u64 {
    /// Lines are counted in files below this size, in bytes. Larger files are assumed to have lines as long as those of
    /// 4x4 boards.
    const SMALL: u64 = 1 << 16;
    const LINE: u64 = 38;
    /// The estimate for a pipe, which may deliver a single board or an endless stream.
    const PIPED: u64 = 1_000;
    let Some(path) = file else { return joined_arguments(boards).len() as u64 };
    let metadata = fs::metadata(path).ok().filter(|file| file.is_file());
    match metadata.map(|file| file.len()) {
        None => PIPED,
        Some(bytes @ SMALL..) => bytes / LINE,
        Some(_) => fs::read_to_string(path).map_or(1, |text| text.lines().count() as u64),
    }
}
