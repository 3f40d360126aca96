//! Where episodes start.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use loyd::board::{Size, Solvability};
use loyd::engine::{ArraySpace, BoardSpace, Meter, Rankable, Relabelling, retrograde};
use loyd::scramble::{Random, ScrambleError, Scrambler, TurnsBack, random_board, random_walk};
use loyd::search::Stop;
use loyd::{Board, CancelToken, Config};

/// Spaces of so many states have all their boards of a length in memory: those of up to 10 cells, and lines.
const FEW_STATES: u64 = 2_000_000;

/// So many draws in a row that bring no new board end the search for others of a length.
const MOST_MISSED: u32 = 200;

/// How starts are drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scramble {
    /// Each board that can become the goal, other than the goal, is equally likely.
    Uniform,
    /// So many random moves from the goal, none of which undoes the one before; that may lead back to the goal.
    Walk(usize),
    /// Boards whose shortest solutions have so many moves, each length equally likely, and so are the boards of a
    /// length on boards of up to 10 cells. On larger ones they are those of a pool with up to so many boards of
    /// each length, the same for all seeds, drawn as [`Scrambler::of_length`] does.
    Lengths(RangeInclusive<u32>, usize),
}

/// Why there are no such starts.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StartsError {
    /// The walk is too long for a line.
    #[error(transparent)]
    TurnsBack(#[from] TurnsBack),
    /// No board of a length is found.
    #[error(transparent)]
    Length(#[from] ScrambleError),
    /// The limit that was reached.
    #[error("the boards of these lengths were not found: {0}")]
    Stopped(Stop),
    /// No length is in the range.
    #[error("no length is from {0} to {1}")]
    NoLength(u32, u32),
    /// No board is in the pool.
    #[error("a pool has one board of each length at least")]
    NoPool,
}

/// The starts that lead to one goal.
#[derive(Clone, Debug)]
pub struct Starts {
    labels: Relabelling,
    /// The goal cell of each tile and of the blank.
    home: Vec<u8>,
    drawing: Drawing,
}

#[derive(Clone, Debug)]
enum Drawing {
    Uniform,
    Walk(usize),
    Pool(Pool),
}

/// Boards by length.
#[derive(Clone, Debug)]
struct Pool {
    boards: Vec<u8>,
    /// Where the boards of each length end, in boards.
    ends: Vec<usize>,
}

impl Starts {
    /// Starts that are drawn as `scramble` says. Boards of a length are searched for here, as `config` says; its limits
    /// hold for each board.
    ///
    /// # Errors
    /// When there are none, when a limit is reached, and when `cancel` is set.
    pub fn new(
        goal: &Board,
        scramble: &Scramble,
        config: &Config,
        cancel: &CancelToken,
    ) -> Result<Self, StartsError> {
        let drawing = match scramble {
            Scramble::Uniform => Drawing::Uniform,
            &Scramble::Walk(moves) => {
                // Whether a walk has to turn back does not depend on how it is drawn.
                random_walk(goal, moves, &mut Random::new(0))?;
                Drawing::Walk(moves)
            }
            Scramble::Lengths(lengths, _) if lengths.is_empty() => {
                return Err(StartsError::NoLength(*lengths.start(), *lengths.end()));
            }
            Scramble::Lengths(_, 0) => return Err(StartsError::NoPool),
            Scramble::Lengths(lengths, most) => {
                Drawing::Pool(Pool::new(goal, lengths.clone(), *most, config, cancel)?)
            }
        };
        Ok(Self { drawing, ..Self::uniform(goal) })
    }

    /// Starts each of which is equally likely.
    pub fn uniform(goal: &Board) -> Self {
        let mut home = vec![0; goal.size().cells()];
        for (cell, tile) in goal.tiles().iter().enumerate() {
            home[tile.index()] = cell as u8;
        }
        Self { labels: Relabelling::new(goal), home, drawing: Drawing::Uniform }
    }

    /// The size of the boards.
    pub fn size(&self) -> Size {
        self.labels.goal().size()
    }

    /// Says what is wrong with `board` as a start.
    pub fn check(&self, board: &[u8]) -> Result<(), String> {
        let numbers: Vec<u32> = board.iter().map(|&number| number.into()).collect();
        let board = Board::new(self.size(), &numbers).map_err(|error| error.to_string())?;
        match Solvability::test(&board, &self.labels) {
            true => Ok(()),
            false => Err(format!("the board {board} cannot become {}", self.labels.goal())),
        }
    }

    /// Draws a start into `board`.
    pub fn draw(&self, random: &mut Random, board: &mut [u8]) {
        let goal = self.labels.goal();
        match &self.drawing {
            Drawing::Uniform if goal.size().is_line() => {
                let drawn = std::iter::repeat_with(|| random_board(goal, random));
                let drawn = drawn.into_iter().find(|drawn| drawn != goal).expect("there are two");
                write(&drawn, board);
            }
            Drawing::Uniform => loop {
                self.draw_any(random, board);
                if !board.iter().copied().eq(goal.numbers()) {
                    break;
                }
            },
            Drawing::Walk(moves) => {
                let walk = random_walk(goal, *moves, random).expect("it was tried before");
                let mut end = goal.clone();
                end.walk(&walk).expect("a walk stays on the board");
                write(&end, board);
            }
            Drawing::Pool(pool) => pool.draw(random, board),
        }
    }

    /// What [`random_board`] draws, without memory of its own. Not for lines.
    fn draw_any(&self, random: &mut Random, board: &mut [u8]) {
        for (number, cell) in (0..=u8::MAX).zip(board.iter_mut()) {
            *cell = number;
        }
        random.shuffle(board);
        let blank = board.iter().position(|&tile| tile == 0).unwrap_or(0);
        let (size, goal) = (self.size(), self.labels.goal().blank().index());
        let rows = (blank / size.width()).abs_diff(goal / size.width());
        let columns = (blank % size.width()).abs_diff(goal % size.width());
        // Each step of the blank exchanges two numbers.
        if (self.exchanges(board) + rows + columns) % 2 == 1 {
            let first = usize::from(blank == 0);
            let second = first + 1 + usize::from(blank == first + 1);
            board.swap(first, second);
        }
    }

    /// How many exchanges of two numbers take all to their goal cells.
    fn exchanges(&self, board: &[u8]) -> usize {
        let mut seen = [false; Size::MAX_CELLS];
        let mut exchanges = 0;
        for start in 0..board.len() {
            let mut cell = start;
            while !seen[cell] {
                seen[cell] = true;
                cell = self.home[usize::from(board[cell])].into();
                exchanges += usize::from(cell != start);
            }
        }
        exchanges
    }
}

fn write(from: &Board, into: &mut [u8]) {
    for (cell, number) in into.iter_mut().zip(from.numbers()) {
        *cell = number;
    }
}

impl Pool {
    fn new(
        goal: &Board,
        lengths: RangeInclusive<u32>,
        most: usize,
        config: &Config,
        cancel: &CancelToken,
    ) -> Result<Self, StartsError> {
        let mut scrambler = Scrambler::new(goal.clone(), 0, config.clone());
        let scrambler = scrambler.as_mut().map_err(|error| ScrambleError::from(error.clone()))?;
        scrambler.check_length(*lengths.end())?;
        if goal.size().cells() <= 16 {
            let space = ArraySpace::<16>::new(goal);
            if space.state_count().is_some_and(|states| states <= FEW_STATES) {
                return Self::of_all(&space, lengths, config, cancel);
            }
        }
        Ok(Self::drawn(scrambler, lengths, most, cancel)?)
    }

    /// All boards of some lengths.
    fn of_all(
        space: &ArraySpace<16>,
        lengths: RangeInclusive<u32>,
        config: &Config,
        cancel: &CancelToken,
    ) -> Result<Self, StartsError> {
        let mut meter = Meter::timed_by(config.clock, config.limits, cancel.clone());
        let table = retrograde(space, &mut meter).map_err(StartsError::Stopped)?;
        let size = space.relabelling().goal().size();
        let most = table.census().len() as u32 - 1;
        let length = *lengths.end();
        if length > most {
            return Err(ScrambleError::TooLong { size, length, most, exact: true }.into());
        }
        let mut ranks: Vec<(u32, u64)> = table.distances().zip(0..).collect();
        ranks.retain(|(distance, _)| lengths.contains(distance));
        // By rank within a length.
        ranks.sort_unstable();
        let boards = ranks.iter().map(|&(_, rank)| space.decode(&space.unrank(rank)));
        let boards = boards.flat_map(|board| board.numbers().collect::<Vec<_>>()).collect();
        let end = |length| ranks.partition_point(|&(distance, _)| distance <= length);
        Ok(Self { boards, ends: lengths.map(end).collect() })
    }

    /// Up to `most` different boards of each length.
    fn drawn(
        scrambler: &mut Scrambler,
        lengths: RangeInclusive<u32>,
        most: usize,
        cancel: &CancelToken,
    ) -> Result<Self, ScrambleError> {
        let mut pool = Self { boards: Vec::new(), ends: Vec::new() };
        let mut end = 0;
        for length in lengths {
            let (mut seen, mut missed) = (HashSet::new(), 0);
            while seen.len() < most && missed < MOST_MISSED {
                let board = scrambler.of_length(length, cancel, None)?.board;
                pool.boards.extend(board.numbers());
                missed += 1;
                match seen.insert(board.clone()) {
                    true => missed = 0,
                    false => pool.boards.truncate(pool.boards.len() - board.size().cells()),
                }
            }
            end += seen.len();
            pool.ends.push(end);
        }
        Ok(pool)
    }

    fn draw(&self, random: &mut Random, board: &mut [u8]) {
        let length = random.below(self.ends.len() as u64) as usize;
        let start = if length == 0 { 0 } else { self.ends[length - 1] };
        let number = start + random.below((self.ends[length] - start) as u64) as usize;
        board.copy_from_slice(&self.boards[number * board.len()..][..board.len()]);
    }
}
