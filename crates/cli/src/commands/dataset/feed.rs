//! Where the boards of a dataset come from.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, anyhow};
use loyd::board::Solvability;
use loyd::notation::Format;
use loyd::{Board, CancelToken, Size};
use loyd_lab::dataset::{Boards, Drawing, pickle};

use super::config;
use crate::Status;
use crate::args::{DatasetArgs, ProblemArgs};
use crate::failure::{Failure, tell};
use crate::input::{Items, name_of};

/// Rows that are drawn where no number is given.
const ROWS: u64 = 1_000;

/// The boards of a dataset, drawn or read.
pub struct Feed {
    goal: Board,
    source: Source,
    /// How many there are to be, where that is known.
    number: Option<u64>,
    /// How many have been there.
    given: u64,
    /// What was wrong with some.
    status: Status,
    /// Why there are no more.
    failure: Option<Failure>,
}

enum Source {
    Drawn(Box<Boards>),
    Items(Items),
    /// The boards of a pickle, and its name.
    Pickle(std::vec::IntoIter<Vec<u32>>, usize, String),
}

impl Feed {
    /// The boards that `args` ask for.
    pub fn open(args: &DatasetArgs, seed: u64, goal: &Board) -> Result<Self, Failure> {
        let number = args.number.map(u64::from);
        let (source, number) = match &args.file {
            Some(path) => {
                let source = Source::open(path, args)?;
                let known = source.known_count();
                let number = [number, known].into_iter().flatten().min();
                (source, number)
            }
            None => {
                let number = number.unwrap_or(ROWS);
                let config = config(args, goal.size(), Some(number));
                let boards = Boards::new(goal, drawing(args), seed, args.unique, config)?;
                (Source::Drawn(Box::new(boards)), Some(number))
            }
        };
        let (goal, status) = (goal.clone(), Status::Yes);
        Ok(Self { goal, source, number, given: 0, status, failure: None })
    }

    /// How many boards there are, where that is known.
    pub fn number(&self) -> Option<u64> {
        self.number
    }

    /// Leaves out boards that have labels already.
    pub fn skip(&mut self, boards: u64, cancel: &CancelToken) -> Result<(), Failure> {
        self.given = boards;
        match &mut self.source {
            Source::Drawn(drawn) => drawn.skip(boards, cancel)?,
            _ => (0..boards).for_each(|_| drop(self.read())),
        }
        Ok(())
    }

    /// The boards that are left.
    pub fn boards<'a>(&'a mut self, cancel: &'a CancelToken) -> impl Iterator<Item = Board> + Send {
        std::iter::from_fn(move || {
            if self.number.is_some_and(|number| self.given >= number) {
                return None;
            }
            let board = match &mut self.source {
                Source::Drawn(drawn) => match drawn.next(cancel) {
                    Ok(board) => Some(board),
                    Err(error) => {
                        self.failure = Some(error.into());
                        None
                    }
                },
                _ => self.read(),
            };
            self.given += u64::from(board.is_some());
            board
        })
    }

    /// The next board of a file that can reach the goal; what is wrong with others is told.
    fn read(&mut self) -> Option<Board> {
        while self.failure.is_none() {
            let read = match &mut self.source {
                Source::Drawn(_) => return None,
                Source::Items(items) => match items.next()? {
                    Ok(item) => item.problem.map(|problem| (problem.start().clone(), item.line)),
                    Err(failure) => {
                        self.failure = Some(failure);
                        return None;
                    }
                },
                Source::Pickle(boards, number, name) => {
                    let numbers = boards.next()?;
                    *number += 1;
                    let place = || format!("{name}: board {number}");
                    let size = self.goal.size();
                    let board = Board::new(size, &numbers).with_context(place);
                    board.map(|board| (board, None)).map_err(Failure::from)
                }
            };
            match read.and_then(|(board, line)| self.solvable(board, line)) {
                Ok(board) => return Some(board),
                Err(failure) => {
                    self.status = Status::Bad;
                    failure.print();
                }
            }
        }
        None
    }

    /// The board, if it can reach the goal.
    fn solvable(&self, board: Board, line: Option<usize>) -> Result<Board, Failure> {
        let place = line.map_or(String::new(), |line| format!("line {line}: "));
        if board.size() != self.goal.size() {
            let (size, goal) = (board.size(), self.goal.size());
            return Err(anyhow!("{place}a {size} board, where --size or --goal says {goal}").into());
        }
        match Solvability::new(&board, &self.goal).is_solvable() {
            true => Ok(board),
            false => Err(anyhow!("{place}the board cannot be solved, so it has no labels").into()),
        }
    }

    /// What was wrong with boards.
    ///
    /// # Errors
    /// Why there were no more of them.
    pub fn end(&mut self) -> Result<Status, Failure> {
        if let Source::Drawn(drawn) = &self.source
            && !drawn.is_uniform()
        {
            tell(
                "boards of some lengths were found by random walks, so some are likelier than others",
            );
        }
        self.failure.take().map_or(Ok(self.status), Err)
    }
}

fn drawing(args: &DatasetArgs) -> Drawing {
    match (&args.lengths, args.walks) {
        (Some(lengths), _) => Drawing::Lengths(lengths.0.clone()),
        (None, Some(steps)) => Drawing::Walks(steps),
        (None, None) => Drawing::Uniform,
    }
}

impl Source {
    /// The boards of a file: of a pickle, which begins with 0x80, or in any other form.
    fn open(path: &Path, args: &DatasetArgs) -> Result<Self, Failure> {
        if let Some(bytes) = pickled(path)? {
            let name = name_of(path);
            let boards = pickle::boards(&bytes).with_context(|| name.clone())?;
            return Ok(Self::Pickle(boards.into_iter(), 0, name));
        }
        let problem = ProblemArgs { size: args.size, goal: args.goal.clone() };
        Ok(Self::Items(Items::new(&[], Some(path), Format::Auto, &problem)?))
    }

    fn known_count(&self) -> Option<u64> {
        match self {
            Self::Pickle(boards, ..) => Some(boards.len() as u64),
            _ => None,
        }
    }
}

/// The bytes of a file that begins as a pickle does; none of other files, and of standard input.
fn pickled(path: &Path) -> Result<Option<Vec<u8>>, Failure> {
    if path == Path::new("-") {
        return Ok(None);
    }
    let place = || format!("cannot read {}", path.display());
    let (mut bytes, file) = (Vec::new(), File::open(path).with_context(place)?);
    let mut file = file.take(pickle::MOST_BYTES + 1);
    file.by_ref().take(1).read_to_end(&mut bytes).with_context(place)?;
    if bytes != [0x80] {
        return Ok(None);
    }
    file.read_to_end(&mut bytes).with_context(place)?;
    if bytes.len() as u64 > pickle::MOST_BYTES {
        let name = path.display();
        return Err(anyhow!("{name}: a pickle of more than {} bytes", pickle::MOST_BYTES).into());
    }
    Ok(Some(bytes))
}

/// The size of the first board in a file, as far as it is clear.
pub fn size_in_file(path: &Path) -> Result<Option<Size>, Failure> {
    if path == Path::new("-") {
        return Ok(None);
    }
    let Some(bytes) = pickled(path)? else {
        let problem = ProblemArgs { size: None, goal: None };
        let mut items = Items::new(&[], Some(path), Format::Auto, &problem)?;
        let first = items.find_map(|item| item.ok()?.problem.ok());
        return Ok(first.map(|problem| problem.start().size()));
    };
    let boards = pickle::boards(&bytes).with_context(|| name_of(path))?;
    let cells = boards.first().map_or(0, Vec::len);
    let side = cells.isqrt() as u32;
    Ok(Size::new(side, side).ok().filter(|size| size.cells() == cells))
}
