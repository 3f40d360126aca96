//! Where boards come from: arguments, files, standard input.

mod answers;

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::Path;

use anyhow::Context;
use loyd::goal::{GOALS, GoalMismatch, PartialGoal};
use loyd::notation::{Case, Cases, Format, NotationError, parse_board, parse_partial_goal};
use loyd::{Board, Goal, Problem, Size};

use crate::args::{ProblemArgs, command_like};
use crate::failure::Failure;

pub use answers::{Given, GivenItem, GivenItems};

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
}

/// What cases are read from.
type Input = BufReader<Counted<Box<dyn Read + Send>>>;

/// A reader that knows how many bytes were read of it, and how many there are if it is a file whose
/// end nobody has to wait for.
pub struct Counted<R> {
    reader: R,
    bytes: u64,
    length: Option<u64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.bytes += read as u64;
        Ok(read)
    }
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
            Self::File(..) => None,
        }
    }

    /// The bytes of the file up to the board that comes next, or a little further.
    pub fn bytes_read(&self) -> u64 {
        match self {
            Self::Arguments(..) => 0,
            Self::File(cases, ..) => {
                let reader = cases.reader();
                reader.get_ref().bytes - reader.buffer().len() as u64
            }
        }
    }

    /// The bytes of the file, if it is one.
    pub fn length(&self) -> Option<u64> {
        match self {
            Self::Arguments(..) => None,
            Self::File(cases, ..) => cases.reader().get_ref().length,
        }
    }

    /// Whether the next board is here already, so that nobody has to wait for it. In a pipe it is once
    /// a line that holds something has been read, where every such line is a board.
    pub fn is_ready(&mut self) -> bool {
        let Self::File(cases, ..) = self else { return true };
        if cases.reader().get_ref().length.is_some() {
            return true;
        }
        let a_board_a_line = matches!(cases.format(), Ok(Format::Lines | Format::Korf));
        let read = cases.reader().buffer();
        let end = read.iter().rposition(|&byte| byte == b'\n').unwrap_or(0);
        a_board_a_line && read[..end].iter().any(u8::is_ascii_graphic)
    }

    /// The board of an argument.
    fn argument(text: &str, goals: &mut Goals, size: Option<Size>) -> Result<Item, Failure> {
        let board = parse_board(text, size).map_err(|error| with_hint(text, error));
        let problem = goals.problem_of(board.map_err(Failure::in_text(ARGUMENT)), None)?;
        Ok(Item { line: None, id: None, expected: None, problem })
    }

    /// The board of a case in a file.
    fn case(case: Case, goals: &mut Goals, origin: &str) -> Result<Item, Failure> {
        let Case { line, board, goal, expected, id } = case;
        let problem = goals.problem_of(board.map_err(Failure::in_text(origin)), goal)?;
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
            Self::File(cases, goals, origin) => Some(match cases.next()? {
                Ok(case) => Self::case(case, goals, origin),
                Err(error) => Err(anyhow::Error::new(error).context(origin.clone()).into()),
            }),
        }
    }
}

/// Finds the goal of each board; the same for all of a size.
pub struct Goals {
    text: Option<String>,
    default: Goal,
    /// The goal of the last board that had none of its own.
    last: Option<Board>,
    /// The same, where only some cells matter.
    last_part: Option<PartialGoal>,
}

impl Goals {
    /// Reads `text` as a goal for each size that is met; `default` where there is none.
    pub fn new(text: Option<String>, default: Goal) -> Self {
        Self { text, default, last: None, last_part: None }
    }

    /// The problem of a board that was read, or what is wrong with it: a goal of another size may fit the
    /// next board, and one that fits no board is an error.
    fn problem_of(
        &mut self,
        start: Result<Board, Failure>,
        own: Option<Board>,
    ) -> Result<Result<Problem, Failure>, Failure> {
        let start = match start {
            Ok(start) => start,
            Err(failure) => return Ok(Err(failure)),
        };
        match self.problem(start, own) {
            Err(Failure::Other(error)) if error.is::<GoalMismatch>() => Ok(Err(error.into())),
            problem => problem.map(Ok),
        }
    }

    /// The problem of bringing `start` to its goal: its own, if the file has one.
    pub fn problem(&mut self, start: Board, own: Option<Board>) -> Result<Problem, Failure> {
        if own.is_none() && self.text.as_ref().is_some_and(|text| text.contains('*')) {
            return Ok(Problem::to_partial(start.clone(), self.part(start.size())?)?);
        }
        let goal = match (own, &self.last) {
            (Some(_), _) if self.text.is_some() => {
                let message = "the file has a goal of its own: leave --goal out";
                return Err(anyhow::anyhow!(message).into());
            }
            (Some(goal), _) => goal,
            (None, Some(last)) if last.size() == start.size() => last.clone(),
            (None, _) => self.common(start.size())?,
        };
        Ok(Problem::between(start, goal)?)
    }

    /// The same, where only some cells matter.
    fn part(&mut self, size: Size) -> Result<&PartialGoal, Failure> {
        if self.last_part.as_ref().is_none_or(|part| part.size() != size) {
            let text = self.text.as_deref().unwrap_or_default();
            let part = parse_partial_goal(text, Some(size)).map_err(|error| {
                no_goal_of(size, error, parse_partial_goal(text, None).ok().map(|part| part.size()))
            })?;
            self.last_part = Some(part);
        }
        Ok(self.last_part.as_ref().expect("it was just read"))
    }

    /// The goal of all boards of `size` that have none of their own.
    fn common(&mut self, size: Size) -> Result<Board, Failure> {
        let goal = match &self.text {
            None => self.default.clone(),
            Some(text) => Goal::parse(text, size).map_err(|error| {
                no_goal_of(size, error, parse_board(text, None).ok().map(|goal| goal.size()))
            })?,
        };
        Ok(self.last.insert(goal.board(size)?).clone())
    }
}

/// A bare word that is no board may be a command that was misspelt.
fn with_hint(text: &str, mut error: NotationError) -> NotationError {
    if text.len() > 1 && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-') {
        error.message = format!("`{text}` is neither a command nor a board");
        error.span = 0..error.source.len();
        let meant = command_like(text).map(|name| format!("did you mean {name}? "));
        error.help = Some(meant.unwrap_or_default() + "`loyd help` lists the commands");
    }
    error
}

/// The failure of a goal for boards of `size`, if the text is read as one of its `own` size otherwise.
fn no_goal_of(size: Size, error: NotationError, own: Option<Size>) -> Failure {
    match own {
        Some(goal) if goal != size => GoalMismatch { start: size, goal }.into(),
        _ => {
            let board = format!("a {size} board, with `*` on cells that may have any tile");
            not_a_goal(error, &board)
        }
    }
}

/// The failure of a goal that is neither a name nor a board.
fn not_a_goal(mut error: NotationError, board: &str) -> Failure {
    let names: Vec<&str> = GOALS.iter().map(|row| row.name).collect();
    error.help = Some(format!("a goal is {} or {board}", names.join(", ")));
    Failure::in_text("--goal")(error)
}

/// The goal that is meant, for commands that need one for every tile. One that is a board tells its size.
pub fn goal_board(size: Option<Size>, goal: Option<&str>) -> Result<Board, Failure> {
    let Some(text) = goal else { return Ok(Goal::BlankLast.board(size.unwrap_or(Size::FIFTEEN))?) };
    let named = GOALS.iter().find(|row| row.name == text);
    match named {
        Some(row) => Ok(row.goal.board(size.unwrap_or(Size::FIFTEEN))?),
        None if text.contains('*') => {
            let message = "--goal: a goal with `*` is none here: every cell needs a tile";
            Err(anyhow::anyhow!(message).into())
        }
        None => parse_board(text, size).map_err(|error| not_a_goal(error, "a board")),
    }
}

/// One board from arguments that may spell it out.
pub fn board(words: &[String], size: Option<Size>) -> Result<Board, Failure> {
    match spelt_out(words).as_slice() {
        [text] => parse_board(text, size).map_err(Failure::in_text(ARGUMENT)),
        _ => Err(anyhow::anyhow!("one board is wanted, and {} are given", words.len()).into()),
    }
}

/// One problem from arguments that may spell the board out.
pub fn problem(words: &[String], args: &ProblemArgs) -> Result<Problem, Failure> {
    let board = board(words, args.size)?;
    Goals::new(args.goal.clone(), Goal::BlankLast).problem(board, None)
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

/// What messages call a file.
pub fn name_of(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// Opens a file, or standard input for `-`; also returns its name.
fn open(path: &Path) -> Result<(Input, String), Failure> {
    let name = name_of(path);
    let reader: Box<dyn Read + Send> = if path == Path::new("-") {
        Box::new(io::stdin())
    } else {
        Box::new(File::open(path).with_context(|| format!("cannot open {name}"))?)
    };
    let path = if path == Path::new("-") { Path::new("/dev/stdin") } else { path };
    let file = fs::metadata(path).ok().filter(fs::Metadata::is_file);
    let counted = Counted { reader, bytes: 0, length: file.map(|file| file.len()) };
    Ok((BufReader::with_capacity(1 << 16, counted), name))
}

/// The text of a small file.
///
/// # Errors
/// When it cannot be read, is no text, or is longer than `limit` bytes.
pub fn small_text(path: &str, limit: u64) -> Result<String, String> {
    let read = || -> io::Result<String> {
        let mut text = String::new();
        File::open(path)?.take(limit + 1).read_to_string(&mut text)?;
        Ok(text)
    };
    let text = read().map_err(|error| format!("{path}: {error}"))?;
    if text.len() as u64 > limit {
        return Err(format!("{path}: longer than {limit} bytes"));
    }
    Ok(text)
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
