//! Where boards come from: arguments, files, standard input.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use anyhow::Context;
use loyd::notation::{Case, Cases, Format, NotationError, parse_board};
use loyd::{Board, Goal, Problem, Size};

use crate::args::ProblemArgs;
use crate::failure::Failure;

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

/// All boards of the command line or of a file.
pub enum Items {
    /// From arguments.
    Arguments(std::vec::IntoIter<String>, Goals, Option<Size>),
    /// From a file.
    File(Box<Cases<Box<dyn BufRead>>>, Goals, String),
}

impl Items {
    /// The boards that the arguments name. `file` wins over `boards`.
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
        let default = match cases.format()? {
            Format::Korf => Goal::BlankFirst,
            _ => Goal::BlankLast,
        };
        let goals = Goals::new(problem.goal.clone(), default);
        Ok(Self::File(Box::new(cases), goals, origin))
    }
}

impl Iterator for Items {
    type Item = io::Result<Item>;

    fn next(&mut self) -> Option<io::Result<Item>> {
        match self {
            Self::Arguments(boards, goals, size) => {
                let text = boards.next()?;
                let board = parse_board(&text, *size).map_err(|error| with_hint(&text, error));
                let problem = board.map_err(Failure::in_text(ARGUMENT));
                let problem = problem.and_then(|board| goals.problem(board, None));
                Some(Ok(Item { line: None, id: None, expected: None, problem }))
            }
            Self::File(cases, goals, origin) => Some(cases.next()?.map(|case| {
                let Case { line, board, goal, expected, id } = case;
                let problem = board.map_err(Failure::in_text(origin));
                let problem = problem.and_then(|board| goals.problem(board, goal));
                Item { line: Some(line), id, expected, problem }
            })),
        }
    }
}

/// Finds the goal of each board; the same for all of a size.
pub struct Goals {
    text: Option<String>,
    default: Goal,
    last: Option<(Size, Goal)>,
}

impl Goals {
    /// Reads `text` as a goal for each size that is met; `default` where there is none.
    pub fn new(text: Option<String>, default: Goal) -> Self {
        Self { text, default, last: None }
    }

    /// The problem of bringing `start` to its goal: its own, if the file has one.
    pub fn problem(&mut self, start: Board, own: Option<Board>) -> Result<Problem, Failure> {
        let goal = match (own, &self.text) {
            (Some(goal), _) => Goal::Board(goal),
            (None, None) => self.default.clone(),
            (None, Some(text)) => self.named(start.size(), &text.clone())?,
        };
        Ok(Problem::new(start, &goal)?)
    }

    fn named(&mut self, size: Size, text: &str) -> Result<Goal, Failure> {
        if let Some((last, goal)) = &self.last
            && *last == size
        {
            return Ok(goal.clone());
        }
        let goal = Goal::parse(text, size).map_err(Failure::in_text("--goal"))?;
        self.last = Some((size, goal.clone()));
        Ok(goal)
    }
}

/// A bare word that is no board may be a command that was misspelt.
fn with_hint(text: &str, mut error: NotationError) -> NotationError {
    if text.len() > 1 && text.bytes().all(|byte| byte.is_ascii_lowercase()) {
        error.help = Some("`loyd help` lists the commands".to_owned());
    }
    error
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
    const LONGEST_TILE: usize = 3;
    let tile = |word: &String| word.len() <= LONGEST_TILE && !word.contains(char::is_whitespace);
    if words.len() > 1 && words.iter().all(tile) { vec![words.join(" ")] } else { words.to_vec() }
}

/// Opens a file, or standard input for `-`; also returns its name.
pub fn open(path: &Path) -> Result<(Box<dyn BufRead>, String), Failure> {
    if path == Path::new("-") {
        return Ok((Box::new(io::stdin().lock()), "standard input".to_owned()));
    }
    let name = path.display().to_string();
    let file = File::open(path).with_context(|| format!("cannot open {name}"))?;
    Ok((Box::new(BufReader::new(file)), name))
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
        Failure::Other(error) => format!("{error:#}"),
    }
}

fn error_line(error: &NotationError) -> String {
    match &error.help {
        Some(help) => format!("{error} ({help})"),
        None => error.to_string(),
    }
}
