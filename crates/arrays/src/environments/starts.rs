//! Start boards of episodes.

use std::collections::HashSet;
use std::ops::{ControlFlow, RangeInclusive};

use loyd::board::{Size, Solvability};
use loyd::engine::{ArraySpace, BoardSpace, Meter, Rankable, Relabelling, retrograde};
use loyd::scramble::{Random, ScrambleError, Scrambler, WalkTooLong, random_board, walk_randomly};
use loyd::search::Stop;
use loyd::{Board, CancelToken, Config};

/// Largest state space whose boards of a given length are all kept in memory: up to 10 cells, and lines.
const MAX_ENUMERATED_STATES: u64 = 2_000_000;

/// Number of consecutive draws without a new board after which the search for boards of a length ends.
const MAX_MISSES: u32 = 200;

/// Distribution of the start boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scramble {
    /// Uniform over all boards from which the goal can be reached, except the goal.
    Uniform,
    /// A random walk of this many moves from the goal that never undoes the previous move. It may end at the goal.
    Walk(usize),
    /// Boards whose shortest solutions have a length in the range, each length equally likely. On boards of up to 10
    /// cells all boards of a length are equally likely. Larger boards come from a pool of at most this many boards per
    /// length, independent of the seed and drawn with [`Scrambler::of_length`].
    Lengths(RangeInclusive<u32>, usize),
}

/// Reason why starts cannot be drawn.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StartsError {
    /// The walk would have to turn back at the end of a line.
    #[error(transparent)]
    WalkTooLong(#[from] WalkTooLong),
    /// No board of a length was found.
    #[error(transparent)]
    Length(#[from] ScrambleError),
    /// A limit was reached.
    #[error("the search for boards of these lengths stopped: {0}")]
    Stopped(Stop),
    /// The range of lengths is empty.
    #[error("the range of lengths from {0} to {1} is empty")]
    NoLength(u32, u32),
    /// The pool size is 0.
    #[error("a pool needs at least one board of each length")]
    NoPool,
}

/// Start boards for one goal.
#[derive(Clone, Debug)]
pub struct Starts {
    labels: Relabelling,
    /// Goal cell of each tile and of the blank.
    home: Vec<u8>,
    source: StartSource,
}

#[derive(Clone, Debug)]
enum StartSource {
    Uniform,
    Walk(usize),
    Pool(Pool),
}

/// Boards grouped by length.
#[derive(Clone, Debug)]
struct Pool {
    boards: Vec<u8>,
    /// End of each length's group, counted in boards.
    ends: Vec<usize>,
}

impl Starts {
    /// Creates starts distributed as `scramble` specifies. Boards of a given length are searched for here with
    /// `config`, whose limits apply to each board.
    ///
    /// # Errors
    /// Returns an error if no such starts exist, a limit is reached, or `cancel` is set.
    pub fn new(
        goal: &Board,
        scramble: &Scramble,
        config: &Config,
        cancel: &CancelToken,
    ) -> Result<Self, StartsError> {
        let source = match scramble {
            Scramble::Uniform => StartSource::Uniform,
            &Scramble::Walk(moves) => {
                // The random numbers do not decide whether a walk has to turn back, so its first move checks `moves`.
                let only_first = |_| ControlFlow::Break(());
                walk_randomly(&mut goal.clone(), moves, &mut Random::new(0), only_first)?;
                StartSource::Walk(moves)
            }
            Scramble::Lengths(lengths, _) if lengths.is_empty() => {
                return Err(StartsError::NoLength(*lengths.start(), *lengths.end()));
            }
            Scramble::Lengths(_, 0) => return Err(StartsError::NoPool),
            Scramble::Lengths(lengths, most) => {
                StartSource::Pool(Pool::new(goal, lengths.clone(), *most, config, cancel)?)
            }
        };
        Ok(Self { source, ..Self::uniform(goal) })
    }

    /// Creates uniformly distributed starts.
    pub fn uniform(goal: &Board) -> Self {
        let mut home = vec![0; goal.size().cells()];
        for (cell, tile) in goal.tiles().iter().enumerate() {
            home[tile.index()] = cell as u8;
        }
        Self { labels: Relabelling::new(goal), home, source: StartSource::Uniform }
    }

    /// Returns the size of the boards.
    pub fn size(&self) -> Size {
        self.labels.goal().size()
    }

    /// Returns a message if `board` is not a valid start.
    pub fn check(&self, board: &[u8]) -> Result<(), String> {
        let numbers: Vec<u32> = board.iter().map(|&number| number.into()).collect();
        let board = Board::new(self.size(), &numbers).map_err(|error| error.to_string())?;
        match Solvability::is_reachable(&board, self.labels.goal()) {
            true => Ok(()),
            false => Err(format!("the board {board} cannot reach the goal {}", self.labels.goal())),
        }
    }

    /// Draws a start into `board`.
    pub fn draw(&self, random: &mut Random, board: &mut [u8]) {
        let goal = self.labels.goal();
        match &self.source {
            StartSource::Uniform if goal.size().is_line() => {
                let drawn = std::iter::repeat_with(|| random_board(goal, random));
                let drawn = drawn
                    .into_iter()
                    .find(|drawn| drawn != goal)
                    .expect("a line has a solvable board besides the goal");
                write(&drawn, board);
            }
            StartSource::Uniform => loop {
                self.draw_uniform(random, board);
                if !board.iter().copied().eq(goal.bytes()) {
                    break;
                }
            },
            StartSource::Walk(moves) => {
                let mut end = goal.clone();
                walk_randomly(&mut end, *moves, random, |_| ControlFlow::Continue(()))
                    .expect("`new` has tried a walk of this length");
                write(&end, board);
            }
            StartSource::Pool(pool) => pool.draw(random, board),
        }
    }

    /// Draws the same board as [`random_board`] without allocating. Not for lines.
    fn draw_uniform(&self, random: &mut Random, board: &mut [u8]) {
        for (number, cell) in (0..=u8::MAX).zip(board.iter_mut()) {
            *cell = number;
        }
        random.shuffle(board);
        let blank = board.iter().position(|&tile| tile == 0).unwrap_or(0);
        let (size, goal) = (self.size(), self.labels.goal().blank().index());
        let rows = (blank / size.width()).abs_diff(goal / size.width());
        let columns = (blank % size.width()).abs_diff(goal % size.width());
        // Each step of the blank is a transposition.
        if (self.transpositions(board) + rows + columns) % 2 == 1 {
            let first = usize::from(blank == 0);
            let second = first + 1 + usize::from(blank == first + 1);
            board.swap(first, second);
        }
    }

    /// Returns the number of transpositions that sort all numbers onto their goal cells.
    fn transpositions(&self, board: &[u8]) -> usize {
        let mut seen = [false; Size::MAX_SEARCH_CELLS];
        let mut transpositions = 0;
        for start in 0..board.len() {
            let mut cell = start;
            while !seen[cell] {
                seen[cell] = true;
                cell = self.home[usize::from(board[cell])].into();
                transpositions += usize::from(cell != start);
            }
        }
        transpositions
    }
}

fn write(from: &Board, into: &mut [u8]) {
    for (cell, number) in into.iter_mut().zip(from.bytes()) {
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
            if space.state_count().is_some_and(|states| states <= MAX_ENUMERATED_STATES) {
                return Self::with_all(&space, lengths, config, cancel);
            }
        }
        Ok(Self::sampled(scrambler, lengths, most, cancel)?)
    }

    /// Collects all boards of the given lengths.
    fn with_all(
        space: &ArraySpace<16>,
        lengths: RangeInclusive<u32>,
        config: &Config,
        cancel: &CancelToken,
    ) -> Result<Self, StartsError> {
        let mut meter = Meter::with_clock(config.clock, config.limits, cancel.clone());
        let table = retrograde(space, &mut meter).map_err(StartsError::Stopped)?;
        let size = space.relabelling().goal().size();
        let most = table.census().len() as u32 - 1;
        let length = *lengths.end();
        if length > most {
            return Err(ScrambleError::TooLong { size, length, most, exact: true }.into());
        }
        let mut ranks: Vec<(u32, u64)> = table.distances().zip(0..).collect();
        ranks.retain(|(distance, _)| lengths.contains(distance));
        // Sorted by length, then by rank.
        ranks.sort_unstable();
        let boards = ranks.iter().map(|&(_, rank)| space.decode(&space.unrank(rank)));
        let boards = boards.flat_map(|board| board.bytes().collect::<Vec<_>>()).collect();
        let end = |length| ranks.partition_point(|&(distance, _)| distance <= length);
        Ok(Self { boards, ends: lengths.map(end).collect() })
    }

    /// Draws up to `most` distinct boards of each length.
    fn sampled(
        scrambler: &mut Scrambler,
        lengths: RangeInclusive<u32>,
        most: usize,
        cancel: &CancelToken,
    ) -> Result<Self, ScrambleError> {
        let mut pool = Self { boards: Vec::new(), ends: Vec::new() };
        let mut end = 0;
        for length in lengths {
            let (mut seen, mut misses) = (HashSet::new(), 0);
            while seen.len() < most && misses < MAX_MISSES {
                let board = scrambler.of_length(length, cancel, None)?.board;
                pool.boards.extend(board.bytes());
                misses += 1;
                match seen.insert(board.clone()) {
                    true => misses = 0,
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
