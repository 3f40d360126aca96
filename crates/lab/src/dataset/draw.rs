//! Random boards, drawn from a seed.

use loyd::engine::{ArraySpace, Rankable};
use loyd::scramble::{Random, ScrambleError, Scrambler, random_board};
use loyd::{Board, CancelToken, Config, Move};

use super::row_set::RowSet;

/// Distribution of the boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Distribution {
    /// Uniform over all boards from which the goal can be reached.
    Uniform,
    /// The end of a random walk from the goal, whose length is uniform from 1 to this number of steps. Each step is up,
    /// left, right or down with equal probability; a step off the board leaves the blank in place.
    Walks(u64),
    /// Boards whose shortest solutions have these lengths in single-tile moves, cycling through the lengths.
    Lengths(Vec<u32>),
}

/// Reason why no board can be drawn.
#[derive(Debug, thiserror::Error)]
pub enum DrawError {
    /// No further distinct board was found, after this many.
    #[error("no more than {0} different boards were found")]
    NoMore(usize),
    /// No board of a length was found.
    #[error(transparent)]
    Length(#[from] ScrambleError),
}

/// A stream of random boards. The same seed gives the same boards in the same order.
#[derive(Debug)]
pub struct Boards {
    goal: Board,
    distribution: Distribution,
    /// Hash of the seed, so that consecutive seeds give unrelated boards.
    key: u64,
    /// Number of boards drawn so far.
    drawn: u64,
    /// Draws boards of a given length.
    scrambler: Option<Scrambler>,
    /// All boards so far, if duplicates are excluded.
    seen: Option<RowSet>,
    /// Number of boards of this goal, if the size can be ranked.
    all: Option<u64>,
    uniform: bool,
}

impl Boards {
    /// Creates a stream of boards for `goal`, without duplicates if `unique`. Boards of a given length are searched for
    /// with `config`.
    ///
    /// # Errors
    /// Returns an error if no board has one of the lengths.
    pub fn new(
        goal: &Board,
        distribution: Distribution,
        seed: u64,
        unique: bool,
        config: Config,
    ) -> Result<Self, DrawError> {
        let scrambler = match &distribution {
            Distribution::Lengths(lengths) => {
                let scrambler = Scrambler::new(goal.clone(), seed, config);
                let scrambler = scrambler.map_err(ScrambleError::from)?;
                for &length in lengths {
                    scrambler.check_length(length)?;
                }
                Some(scrambler)
            }
            _ => None,
        };
        let seen = unique.then(|| RowSet::new(goal.size().cells()));
        let is_small = goal.size().cells() <= 16;
        let all = is_small.then(|| ArraySpace::<16>::new(goal).state_count()).flatten();
        let (goal, key) = (goal.clone(), Random::new(seed).next_u64());
        Ok(Self { goal, distribution, key, drawn: 0, scrambler, seen, all, uniform: true })
    }

    /// Returns whether all boards of a length have been equally likely so far.
    pub fn is_uniform(&self) -> bool {
        self.uniform
    }

    /// Returns the next board.
    ///
    /// # Errors
    /// Returns an error if no board is found, or if `cancel` is set while a board of a given length or one not drawn before
    /// is searched for.
    pub fn next(&mut self, cancel: &CancelToken) -> Result<Board, DrawError> {
        /// Number of consecutive duplicates tolerated: enough to find the last of a million boards.
        const MAX_MISSES: u32 = 20_000_000;
        /// Number of consecutive duplicates tolerated if boards have to be searched for.
        const MAX_MISSES_OF_LENGTH: u32 = 1_000;
        let has_all = |seen: &RowSet| self.all == Some(seen.len() as u64);
        let most = match &self.scrambler {
            _ if self.seen.as_ref().is_some_and(has_all) => 0,
            Some(_) => MAX_MISSES_OF_LENGTH,
            None => MAX_MISSES,
        };
        for _ in 0..most {
            let board = self.draw(cancel)?;
            let is_new = self
                .seen
                .as_mut()
                .is_none_or(|seen| seen.insert(&board.bytes().collect::<Vec<u8>>()));
            if is_new {
                return Ok(board);
            }
            if cancel.is_cancelled() {
                break;
            }
        }
        Err(DrawError::NoMore(self.seen.as_ref().map_or(0, RowSet::len)))
    }

    /// Skips the next `boards` boards. Streams of given lengths or without duplicates have to draw them.
    ///
    /// # Errors
    /// See [`next`](Self::next).
    pub fn skip(&mut self, boards: u64, cancel: &CancelToken) -> Result<(), DrawError> {
        if self.seen.is_none() && self.scrambler.is_none() {
            self.drawn += boards;
            return Ok(());
        }
        (0..boards).try_for_each(|_| self.next(cancel).map(drop))
    }

    fn draw(&mut self, cancel: &CancelToken) -> Result<Board, DrawError> {
        let number = self.drawn;
        self.drawn += 1;
        let mut random = Random::new(self.key ^ Random::new(number).next_u64());
        match &self.distribution {
            Distribution::Uniform => Ok(random_board(&self.goal, &mut random)),
            Distribution::Walks(most) => {
                let mut board = self.goal.clone();
                for _ in 0..=random.below(*most) {
                    // A move off the board is ignored.
                    let _ = board.apply(Move::ALL[random.below(4) as usize]);
                }
                Ok(board)
            }
            Distribution::Lengths(lengths) => {
                let length = lengths[(number % lengths.len() as u64) as usize];
                let scrambler = self.scrambler.as_mut().expect("drawing by length has a scrambler");
                let found = scrambler.of_length(length, cancel, None)?;
                self.uniform &= found.uniform;
                Ok(found.board)
            }
        }
    }
}

/// Returns whether `board` belongs to the test set, which holds about `fraction` of all boards. The result depends only
/// on the seed and the board, so equal boards are always in the same set.
pub fn in_test_set(tiles: &[u8], seed: u64, fraction: f64) -> bool {
    let mix = |key: u64, tile: &u8| Random::new(key ^ u64::from(*tile)).next_u64();
    let key = tiles.iter().fold(!seed, mix);
    // The 53 bits that an `f64` represents exactly.
    ((key >> 11) as f64) < fraction * (1_u64 << 53) as f64
}
