//! The boards of a dataset, drawn or read from a file.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, anyhow, ensure};
use loyd::board::Solvability;
use loyd::moves::Metric;
use loyd::search::{Limits, TableChoice};
use loyd::{Board, CancelToken, Config, Problem, Size};
use loyd_lab::dataset::{Boards, Distribution, pickle};

use super::dataset_shards::OwnParts;
use crate::args::{DatasetArgs, ProblemArgs};
use crate::failure::{Failure, Status, print_note};
use crate::input::{Items, name_of};
use crate::memory;

/// Default number of drawn rows.
const ROWS: u64 = 1_000;

/// The boards of a dataset, drawn or read.
pub struct Feed {
    goal: Board,
    source: Source,
    /// Total number of boards, if it is known.
    number: Option<u64>,
    own: OwnParts,
    /// Number of boards yielded or skipped so far.
    given: u64,
    /// Worst status of the boards so far.
    status: Status,
    /// The failure that ended the input.
    failure: Option<Failure>,
}

enum Source {
    Drawn(Box<Boards>),
    Items(Items),
    /// The boards of a pickle, the number read so far, and the name of the file.
    Pickle(std::vec::IntoIter<Vec<u32>>, usize, String),
}

impl Feed {
    /// Opens the boards that `args` specify.
    pub fn open(args: &DatasetArgs, seed: u64, goal: &Board) -> Result<Self, Failure> {
        let number = args.number.map(u64::from);
        let (source, number) = match &args.file {
            Some(path) => {
                let source = Source::open(path, args, goal)?;
                let known = source.known_count();
                let number = [number, known].into_iter().flatten().min();
                (source, number)
            }
            None => {
                let number = number.unwrap_or(ROWS);
                let config = config(args, goal.size(), Some(number));
                let boards = Boards::new(goal, distribution(args), seed, args.unique, config)?;
                (Source::Drawn(Box::new(boards)), Some(number))
            }
        };
        let (goal, status) = (goal.clone(), Status::Yes);
        Ok(Self { goal, source, number, own: OwnParts::new(args), given: 0, status, failure: None })
    }

    /// Returns the number of boards, if it is known.
    pub fn number(&self) -> Option<u64> {
        self.number
    }

    /// Returns the number of boards yielded or skipped so far: of all boards, if the input is at its end.
    pub fn given(&self) -> u64 {
        self.given
    }

    /// Skips the boards before number `until`, or all that are left if there are fewer.
    pub fn skip_to(&mut self, until: u64, cancel: &CancelToken) -> Result<(), Failure> {
        let until = self.number.map_or(until, |number| number.min(until));
        if let Source::Drawn(drawn) = &mut self.source {
            drawn.skip(until.saturating_sub(self.given), cancel)?;
            self.given = self.given.max(until);
            return Ok(());
        }
        while self.given < until && !cancel.is_cancelled() && self.read().is_some() {
            self.given += 1;
        }
        Ok(())
    }

    /// Returns the remaining boards of the own parts.
    pub fn boards<'a>(&'a mut self, cancel: &'a CancelToken) -> impl Iterator<Item = Board> + Send {
        std::iter::from_fn(move || {
            if let Err(failure) = self.skip_to(self.own.next_board(self.given), cancel) {
                self.failure = Some(failure);
                return None;
            }
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

    /// Checks that a board of a file has no other goal than the dataset.
    fn check_goal(&self, problem: &Problem, line: Option<usize>) -> anyhow::Result<()> {
        let place = line.map_or(String::new(), |line| format!("line {line}: "));
        let is_own = problem.goal().size() == self.goal.size() && problem.goal() != &self.goal;
        ensure!(
            !is_own && problem.partial_goal().is_none(),
            "{place}the goal of this board is {}, and a dataset has one goal: give it with --goal",
            problem.goal_text()
        );
        Ok(())
    }

    /// Returns the next board of a file that can reach the goal, and prints the errors of others.
    fn read(&mut self) -> Option<Board> {
        while self.failure.is_none() {
            let read = match &mut self.source {
                Source::Drawn(_) => return None,
                Source::Items(items) => match items.next()? {
                    Ok(item) => item.problem.and_then(|problem| {
                        self.check_goal(&problem, item.line)?;
                        Ok((problem.start().clone(), item.line))
                    }),
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

    /// Returns the board if it can reach the goal.
    fn solvable(&self, board: Board, line: Option<usize>) -> Result<Board, Failure> {
        let place = line.map_or(String::new(), |line| format!("line {line}: "));
        if board.size() != self.goal.size() {
            let (size, goal) = (board.size(), self.goal.size());
            return Err(anyhow!(
                "{place}a {size} board in a dataset of {goal} boards: give --size {size}"
            )
            .into());
        }
        match Solvability::new(&board, &self.goal).is_solvable() {
            true => Ok(board),
            false => Err(anyhow!("{place}the board cannot be solved, so it has no labels").into()),
        }
    }

    /// Returns the worst status of the boards.
    ///
    /// # Errors
    /// Fails with the failure that ended the input.
    pub fn end(&mut self) -> Result<Status, Failure> {
        if let Source::Drawn(drawn) = &self.source
            && !drawn.is_uniform()
        {
            print_note(
                "boards of some lengths were found by random walks, so some are more likely than others",
            );
        }
        self.failure.take().map_or(Ok(self.status), Err)
    }
}

fn distribution(args: &DatasetArgs) -> Distribution {
    match (&args.length, args.walks) {
        (Some(lengths), _) => Distribution::Lengths(lengths.0.clone()),
        (None, Some(steps)) => Distribution::Walks(steps),
        (None, None) => Distribution::Uniform,
    }
}

/// Returns the configuration for solving `number` boards.
pub fn config(args: &DatasetArgs, size: Size, number: Option<u64>) -> Config {
    let is_fifteen = size == Size::FIFTEEN && args.metric == Metric::SingleTile;
    let threads = args.threads().get();
    let limits = args.limits.limits(None);
    let max_bytes = memory::shared(limits.max_bytes, threads as u64);
    let tables = if is_fifteen { TableChoice::Auto } else { TableChoice::Default };
    Config {
        metric: args.metric,
        tables: args.tables.clone().unwrap_or(tables),
        store: args.cache.store(),
        // Each thread solves its own boards: for a single one, the solver would use all threads.
        boards: Some(number.map_or(u64::MAX, |number| number.max(2))),
        threads,
        limits: Limits { max_bytes, ..limits },
        ..Config::default()
    }
}

impl Source {
    /// Opens a file: a pickle, which starts with the byte 0x80, or boards in any other form.
    fn open(path: &Path, args: &DatasetArgs, goal: &Board) -> Result<Self, Failure> {
        if let Some(bytes) = read_pickle(path)? {
            let name = name_of(path);
            let pickle::Contents { boards, goal: own } =
                pickle::read(&bytes).with_context(|| name.clone())?;
            let is_goal = |own: &Vec<u32>| goal.numbers().map(u32::from).eq(own.iter().copied());
            if let Some(own) = own.filter(|own| !is_goal(own)) {
                let own: Vec<String> = own.iter().map(u32::to_string).collect();
                return Err(anyhow!(
                    "{name}: the goal in the pickle is {}, and a dataset has one goal: give it with --goal",
                    own.join(" ")
                )
                .into());
            }
            return Ok(Self::Pickle(boards.into_iter(), 0, name));
        }
        let problem =
            ProblemArgs { size: args.size, goal: args.goal.clone(), ..ProblemArgs::default() };
        Ok(Self::Items(Items::new(&[], Some(path), &problem)?))
    }

    fn known_count(&self) -> Option<u64> {
        match self {
            Self::Pickle(boards, ..) => Some(boards.len() as u64),
            _ => None,
        }
    }
}

/// Returns whether a file can be opened several times and read from its start each time.
fn is_regular(path: &Path) -> bool {
    path != Path::new("-") && path.is_file()
}

/// Returns the bytes of a pickle, or `None` for other files. Standard input and pipes contain no pickles.
fn read_pickle(path: &Path) -> Result<Option<Vec<u8>>, Failure> {
    if !is_regular(path) {
        return Ok(None);
    }
    let place = || format!("cannot read {}", path.display());
    let (mut bytes, file) = (Vec::new(), File::open(path).with_context(place)?);
    let mut file = file.take(pickle::MAX_BYTES + 1);
    file.by_ref().take(1).read_to_end(&mut bytes).with_context(place)?;
    if bytes != [0x80] {
        return Ok(None);
    }
    file.read_to_end(&mut bytes).with_context(place)?;
    if bytes.len() as u64 > pickle::MAX_BYTES {
        let name = path.display();
        return Err(anyhow!("{name}: the pickle has more than {} bytes", pickle::MAX_BYTES).into());
    }
    Ok(Some(bytes))
}

/// Returns the size of the first board in a file, or `None` if it is unclear.
pub fn size_in_file(path: &Path) -> Result<Option<Size>, Failure> {
    if !is_regular(path) {
        return Ok(None);
    }
    let Some(bytes) = read_pickle(path)? else {
        let problem = ProblemArgs::default();
        let mut items = Items::new(&[], Some(path), &problem)?;
        let first = items.find_map(|item| item.ok()?.problem.ok());
        return Ok(first.map(|problem| problem.start().size()));
    };
    let boards = pickle::read(&bytes).with_context(|| name_of(path))?.boards;
    let cells = boards.first().map_or(0, Vec::len);
    let side = cells.isqrt() as u32;
    Ok(Size::new(side, side).ok().filter(|size| size.cells() == cells))
}
