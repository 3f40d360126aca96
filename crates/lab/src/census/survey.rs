//! Censuses that follow each other, and how they are continued.

use std::io::{self, Read, Write};

use loyd::Board;
use loyd::engine::{Cost, Event, Meter, Stop};
use loyd::judge::Cpu;
use loyd::notation::{parse_board, slashes};
use loyd_kernels::Census;
use serde::{Deserialize, Serialize};

use super::blocks;
use super::question::Question;

/// What a census found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// How many states there are at each distance, from 0 to the largest.
    pub levels: Vec<u64>,
    /// Boards at the largest distance, as many as were asked for.
    pub farthest: Vec<Board>,
}

impl Answer {
    /// The number of states.
    pub fn states(&self) -> u64 {
        self.levels.iter().sum()
    }

    /// The largest distance.
    pub fn depth(&self) -> Cost {
        self.levels.len() as Cost - 1
    }

    /// The mean distance.
    pub fn mean(&self) -> f64 {
        let sum: u128 = (0..).zip(&self.levels).map(|(d, &states)| d * u128::from(states)).sum();
        sum as f64 / self.states() as f64
    }

    /// Adds `times` as many states as `other` has; boards that are farther push those out that are nearer.
    fn add(&mut self, other: Self, limit: usize) {
        if other.levels.len() > self.levels.len() {
            self.farthest.clear();
            self.levels.resize(other.levels.len(), 0);
        }
        if other.levels.len() == self.levels.len() {
            self.farthest.extend(other.farthest);
            self.farthest.truncate(limit);
        }
        self.levels.iter_mut().zip(other.levels).for_each(|(all, states)| *all += states);
    }
}

/// The censuses of some questions, one after the other, a level at a time.
pub struct Survey {
    questions: Vec<Question>,
    /// The number of a question, and a board to begin with.
    searches: Vec<(usize, Board)>,
    /// How many of the farthest boards are wanted.
    limit: usize,
    done: Vec<Found>,
    running: Option<Census>,
}

/// What one search found, all tiles being told apart.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Found {
    levels: Vec<u64>,
    farthest: Vec<String>,
}

/// How far a survey is, but for the [blocks](Survey::write_blocks) of the search that runs.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Checkpoint {
    done: Vec<Found>,
    /// The levels of the search that runs, if any does.
    levels: Vec<u64>,
}

impl Checkpoint {
    /// Whether blocks belong to it.
    pub fn has_blocks(&self) -> bool {
        !self.levels.is_empty()
    }
}

/// Why a survey cannot be continued.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// The levels cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// There are other states in the levels than are counted, or boards that are none.
    #[error("the levels do not belong to the counts")]
    Counts,
    /// A limit was reached.
    #[error(transparent)]
    Stop(#[from] Stop),
}

impl Survey {
    /// The censuses of `questions`, with up to `limit` of the farthest boards of each.
    pub fn new(questions: Vec<Question>, limit: usize) -> Self {
        let searches = questions.iter().enumerate().flat_map(|(number, question)| {
            question.examples().into_iter().map(move |example| (number, example))
        });
        let searches = searches.collect();
        Self { questions, searches, limit, done: Vec::new(), running: None }
    }

    /// The questions.
    pub fn questions(&self) -> &[Question] {
        &self.questions
    }

    /// How many searches there are: one for each question, or two if the boards that meet a goal lie in both halves.
    pub fn searches(&self) -> usize {
        self.searches.len()
    }

    /// Whether all is counted.
    pub fn is_over(&self) -> bool {
        self.done.len() == self.searches.len()
    }

    /// The bytes that the survey takes.
    pub fn bytes(&self) -> u64 {
        self.questions.iter().map(Question::bytes).max().unwrap_or(0)
    }

    /// Finds one level more; returns whether there is more to do. The meter's observer is told of each search that
    /// begins, as of a board, of the states that are counted, as of a table, and of each level, as of an iteration.
    ///
    /// # Errors
    /// The limit that was reached. The survey is of no use then.
    pub fn advance(&mut self, meter: &mut Meter<'_>) -> Result<bool, Stop> {
        if self.is_over() {
            return Ok(false);
        }
        let mut census = match self.running.take() {
            Some(census) => census,
            None => self.begin(meter)?,
        };
        if census.advance(meter)? > 0 {
            meter.iteration(census.depth())?;
            self.running = Some(census);
            return Ok(true);
        }
        let farthest = census.farthest(self.limit);
        let farthest = farthest.iter().map(|board| slashes(board).to_string());
        let levels = census.counts().to_vec();
        self.done.push(Found { levels, farthest: farthest.collect() });
        meter.release();
        Ok(!self.is_over())
    }

    fn begin(&self, meter: &mut Meter<'_>) -> Result<Census, Stop> {
        let (number, example) = &self.searches[self.done.len()];
        meter.tell(Event::Board { number: self.done.len() as u64 + 1 })?;
        let question = &self.questions[*number];
        Census::new(question.goal(), example, question.metric(), Cpu::in_use(), meter)
    }

    /// The answers so far, one for each question if the survey [is over](Self::is_over).
    pub fn answers(&self) -> Vec<Answer> {
        let mut answers: Vec<Answer> = Vec::new();
        for (found, (number, _)) in self.done.iter().zip(&self.searches) {
            let alike = self.questions[*number].boards_of_a_state();
            let board = |text: &String| {
                parse_board(text, None).expect("boards are read back as they were written")
            };
            let answer = Answer {
                levels: found.levels.iter().map(|states| states / alike).collect(),
                farthest: found.farthest.iter().map(board).collect(),
            };
            match answers.get_mut(*number) {
                Some(other) => other.add(answer, self.limit),
                None => answers.push(answer),
            }
        }
        answers
    }

    /// How far the survey is.
    pub fn checkpoint(&self) -> Checkpoint {
        let levels = self.running.as_ref().map(|census| census.counts().to_vec());
        Checkpoint { done: self.done.clone(), levels: levels.unwrap_or_default() }
    }

    /// Writes the levels from which the search that runs goes on, if any does.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn write_blocks(&self, out: &mut impl Write) -> io::Result<()> {
        self.running.iter().try_for_each(|census| blocks::write(out, census.blocks()))
    }

    /// Goes on from a checkpoint, whose blocks come from `input`, if it has any.
    ///
    /// # Errors
    /// When the blocks cannot be read or are not those of the checkpoint, and the limit that was reached.
    pub fn restore(
        &mut self,
        checkpoint: Checkpoint,
        input: &mut impl Read,
        meter: &mut Meter<'_>,
    ) -> Result<(), RestoreError> {
        let is_board = |text: &String| parse_board(text, None).is_ok();
        let is_whole =
            |found: &Found| found.farthest.iter().all(is_board) && !found.levels.is_empty();
        if checkpoint.done.len() > self.searches.len() || !checkpoint.done.iter().all(is_whole) {
            return Err(RestoreError::Counts);
        }
        let has_blocks = checkpoint.has_blocks();
        self.done = checkpoint.done;
        if !has_blocks {
            return Ok(());
        }
        if self.is_over() {
            return Err(RestoreError::Counts);
        }
        let mut census = self.begin(meter)?;
        let is_right = census.restore(checkpoint.levels, |block| blocks::read(input, block))?;
        if !is_right || input.read(&mut [0])? > 0 {
            return Err(RestoreError::Counts);
        }
        self.running = Some(census);
        Ok(())
    }
}
