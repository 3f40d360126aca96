//! Boards drawn by seed.

use std::collections::HashSet;

use loyd::engine::{ArraySpace, Rankable};
use loyd::scramble::{Random, ScrambleError, Scrambler, random_board};
use loyd::{Board, CancelToken, Config, Move};

/// How boards are drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Drawing {
    /// Each board that can reach the goal is equally likely.
    Uniform,
    /// At the end of a random walk from the goal, each number of steps from 1 to this equally likely. A step goes up,
    /// left, right or down, equally likely, and stays where the edge is in the way.
    Walks(u64),
    /// Boards whose shortest solutions have these numbers of moves of single tiles, in turn.
    Lengths(Vec<u32>),
}

/// Why no more boards are drawn.
#[derive(Debug, thiserror::Error)]
pub enum DrawError {
    /// There seem to be no others.
    #[error("no more than {0} different boards were found")]
    NoMore(usize),
    /// No board of a length is found.
    #[error(transparent)]
    Length(#[from] ScrambleError),
}

/// Boards drawn by seed. The same seed gives the same boards in the same order.
#[derive(Debug)]
pub struct Boards {
    goal: Board,
    drawing: Drawing,
    /// The seed, mixed, so that seeds that follow each other have nothing in common.
    key: u64,
    /// How many boards have been drawn.
    drawn: u64,
    /// For boards of a length.
    scrambler: Option<Scrambler>,
    /// All boards so far, where none may come twice.
    seen: Option<HashSet<Box<[u8]>>>,
    /// How many boards there are, where they can be numbered.
    all: Option<u64>,
    uniform: bool,
}

impl Boards {
    /// Boards that lead to `goal`; with `unique`, none twice. Boards of a length are searched for as `config` says.
    ///
    /// # Errors
    /// When no board has one of the lengths.
    pub fn new(
        goal: &Board,
        drawing: Drawing,
        seed: u64,
        unique: bool,
        config: Config,
    ) -> Result<Self, DrawError> {
        let scrambler = match &drawing {
            Drawing::Lengths(lengths) => {
                let scrambler = Scrambler::new(goal.clone(), seed, config);
                let scrambler = scrambler.map_err(ScrambleError::from)?;
                for &length in lengths {
                    scrambler.check_length(length)?;
                }
                Some(scrambler)
            }
            _ => None,
        };
        let seen = unique.then(HashSet::new);
        let is_small = goal.size().cells() <= 16;
        let all = is_small.then(|| ArraySpace::<16>::new(goal).state_count()).flatten();
        let (goal, key) = (goal.clone(), Random::new(seed).next_u64());
        Ok(Self { goal, drawing, key, drawn: 0, scrambler, seen, all, uniform: true })
    }

    /// Whether each board of a length was as likely as any other so far.
    pub fn is_uniform(&self) -> bool {
        self.uniform
    }

    /// The next board.
    ///
    /// # Errors
    /// When none is found, or `cancel` is set while one of a length is searched for.
    pub fn next(&mut self, cancel: &CancelToken) -> Result<Board, DrawError> {
        /// So many draws in a row find the last of a million boards.
        const MOST_MISSED: u32 = 20_000_000;
        /// Where each is searched for.
        const MOST_MISSED_OF_LENGTH: u32 = 1_000;
        let has_all = |seen: &HashSet<_>| self.all == Some(seen.len() as u64);
        let most = match &self.scrambler {
            _ if self.seen.as_ref().is_some_and(has_all) => 0,
            Some(_) => MOST_MISSED_OF_LENGTH,
            None => MOST_MISSED,
        };
        for _ in 0..most {
            let board = self.draw(cancel)?;
            let is_new =
                self.seen.as_mut().is_none_or(|seen| seen.insert(board.numbers().collect()));
            if is_new {
                return Ok(board);
            }
        }
        Err(DrawError::NoMore(self.seen.as_ref().map_or(0, HashSet::len)))
    }

    /// Leaves out the next `boards`. Boards of a length, and those none of which may come twice, are drawn for that.
    ///
    /// # Errors
    /// As [`next`](Self::next).
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
        match &self.drawing {
            Drawing::Uniform => Ok(random_board(&self.goal, &mut random)),
            Drawing::Walks(most) => {
                let mut board = self.goal.clone();
                for _ in 0..=random.below(*most) {
                    // At the edge the blank stays.
                    let _ = board.apply(Move::ALL[random.below(4) as usize]);
                }
                Ok(board)
            }
            Drawing::Lengths(lengths) => {
                let length = lengths[(number % lengths.len() as u64) as usize];
                let scrambler = self.scrambler.as_mut().expect("it is there for lengths");
                let found = scrambler.of_length(length, cancel, None)?;
                self.uniform &= found.uniform;
                Ok(found.board)
            }
        }
    }
}

/// Whether `board` belongs to the test set, which has about this fraction of all boards: a function of the seed and of
/// the board, so that no board is in both.
pub fn is_for_test(tiles: &[u8], seed: u64, fraction: f64) -> bool {
    let mix = |key: u64, tile: &u8| Random::new(key ^ u64::from(*tile)).next_u64();
    let key = tiles.iter().fold(!seed, mix);
    // 53 bits are what a fraction holds.
    ((key >> 11) as f64) < fraction * (1_u64 << 53) as f64
}
