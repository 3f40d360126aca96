//! Sequences of censuses that can be suspended and resumed.

use std::io::{self, Read, Write};

use loyd::Board;
use loyd::engine::{Cost, Event, Meter, Stop};
use loyd::judge::Cpu;
use loyd::notation::{parse_board, slashes};
use loyd_kernels::Census;
use serde::{Deserialize, Serialize};

use super::blocks;
use super::spec::CensusSpec;

/// Result of a census.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CensusResult {
    /// Number of states at each distance, from 0 to the largest.
    pub levels: Vec<u64>,
    /// Boards at the largest distance, at most as many as requested.
    pub farthest: Vec<Board>,
}

impl CensusResult {
    /// Returns the number of states.
    pub fn state_count(&self) -> u64 {
        self.levels.iter().sum()
    }

    /// Returns the largest distance.
    pub fn depth(&self) -> Cost {
        self.levels.len() as Cost - 1
    }

    /// Returns the mean distance.
    pub fn mean(&self) -> f64 {
        let sum: u128 = (0..).zip(&self.levels).map(|(d, &states)| d * u128::from(states)).sum();
        sum as f64 / self.state_count() as f64
    }

    /// Adds the states of `other`. Its farthest boards are appended, or replace the present ones if they are farther.
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

/// Runs several censuses in sequence, one level at a time.
pub struct Survey {
    specs: Vec<CensusSpec>,
    /// Census index and start board of each search.
    searches: Vec<(usize, Board)>,
    /// Maximum number of farthest boards to report.
    limit: usize,
    done: Vec<SearchResult>,
    running: Option<Census>,
}

/// Result of one search, with all tiles distinct.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct SearchResult {
    levels: Vec<u64>,
    farthest: Vec<String>,
}

/// Progress of a survey, without the [blocks](Survey::write_blocks) of the current search.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Checkpoint {
    done: Vec<SearchResult>,
    /// State counts per level of the current search; empty if there is none.
    levels: Vec<u64>,
}

impl Checkpoint {
    /// Returns whether the checkpoint is accompanied by blocks.
    pub fn has_blocks(&self) -> bool {
        !self.levels.is_empty()
    }
}

/// Reason why a survey cannot be resumed.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// The blocks cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The blocks contradict the counts, or a saved board is invalid.
    #[error("the saved levels do not match their state counts")]
    Counts,
    /// A limit was reached.
    #[error(transparent)]
    Stop(#[from] Stop),
}

impl Survey {
    /// Creates the censuses of `specs`, which report at most `limit` of the farthest boards each.
    pub fn new(specs: Vec<CensusSpec>, limit: usize) -> Self {
        let searches = specs.iter().enumerate().flat_map(|(number, spec)| {
            spec.examples().into_iter().map(move |example| (number, example))
        });
        let searches = searches.collect();
        Self { specs, searches, limit, done: Vec::new(), running: None }
    }

    /// Returns the definitions of the censuses.
    pub fn specs(&self) -> &[CensusSpec] {
        &self.specs
    }

    /// Returns the number of searches: one per census, or two if boards of both parities meet the goal.
    pub fn searches(&self) -> usize {
        self.searches.len()
    }

    /// Returns whether all censuses are complete.
    pub fn is_complete(&self) -> bool {
        self.done.len() == self.searches.len()
    }

    /// Returns the memory of the survey in bytes.
    pub fn bytes(&self) -> u64 {
        self.specs.iter().map(CensusSpec::bytes).max().unwrap_or(0)
    }

    /// Computes the next level and returns whether the survey is incomplete. The meter's observer receives each search
    /// as a board event, counted states as table progress, and each level as an iteration.
    ///
    /// # Errors
    /// Returns the limit that was reached. The survey is unusable afterwards.
    pub fn advance(&mut self, meter: &mut Meter<'_>) -> Result<bool, Stop> {
        if self.is_complete() {
            return Ok(false);
        }
        let mut census = match self.running.take() {
            Some(census) => census,
            None => self.start_search(meter)?,
        };
        if census.advance(meter)? > 0 {
            meter.end_iteration(census.depth())?;
            self.running = Some(census);
            return Ok(true);
        }
        let farthest = census.farthest(self.limit);
        let farthest = farthest.iter().map(|board| slashes(board).to_string());
        let levels = census.counts().to_vec();
        self.done.push(SearchResult { levels, farthest: farthest.collect() });
        meter.release();
        Ok(!self.is_complete())
    }

    fn start_search(&self, meter: &mut Meter<'_>) -> Result<Census, Stop> {
        let (number, example) = &self.searches[self.done.len()];
        meter.notify(Event::Board { number: self.done.len() as u64 + 1 })?;
        let spec = &self.specs[*number];
        Census::new(spec.goal(), example, spec.metric(), Cpu::from_env_or_detect(), meter)
    }

    /// Returns the results so far; one per census if the survey [is complete](Self::is_complete).
    pub fn results(&self) -> Vec<CensusResult> {
        let mut results: Vec<CensusResult> = Vec::new();
        for (found, (number, _)) in self.done.iter().zip(&self.searches) {
            let multiplicity = self.specs[*number].boards_per_state();
            let board = |text: &String| {
                parse_board(text, None).expect("boards are read back as they were written")
            };
            let result = CensusResult {
                levels: found.levels.iter().map(|states| states / multiplicity).collect(),
                farthest: found.farthest.iter().map(board).collect(),
            };
            match results.get_mut(*number) {
                Some(other) => other.add(result, self.limit),
                None => results.push(result),
            }
        }
        results
    }

    /// Returns the progress of the survey.
    pub fn checkpoint(&self) -> Checkpoint {
        let levels = self.running.as_ref().map(|census| census.counts().to_vec());
        Checkpoint { done: self.done.clone(), levels: levels.unwrap_or_default() }
    }

    /// Writes the levels from which the current search can be resumed. Writes nothing if no search is running.
    ///
    /// # Errors
    /// Returns an error if the output fails.
    pub fn write_blocks(&self, out: &mut impl Write) -> io::Result<()> {
        self.running.iter().try_for_each(|census| blocks::write(out, census.saved_blocks()))
    }

    /// Resumes from a checkpoint, reading its blocks, if any, from `input`.
    ///
    /// # Errors
    /// Returns an error if the blocks cannot be read or do not match the checkpoint, or if a limit is reached.
    pub fn resume(
        &mut self,
        checkpoint: Checkpoint,
        input: &mut impl Read,
        meter: &mut Meter<'_>,
    ) -> Result<(), ResumeError> {
        let is_board = |text: &String| parse_board(text, None).is_ok();
        let is_valid =
            |found: &SearchResult| found.farthest.iter().all(is_board) && !found.levels.is_empty();
        if checkpoint.done.len() > self.searches.len() || !checkpoint.done.iter().all(is_valid) {
            return Err(ResumeError::Counts);
        }
        let has_blocks = checkpoint.has_blocks();
        self.done = checkpoint.done;
        if !has_blocks {
            return Ok(());
        }
        if self.is_complete() {
            return Err(ResumeError::Counts);
        }
        let mut census = self.start_search(meter)?;
        let matches_counts =
            census.resume(checkpoint.levels, |block| blocks::read(input, block))?;
        if !matches_counts || input.read(&mut [0])? > 0 {
            return Err(ResumeError::Counts);
        }
        self.running = Some(census);
        Ok(())
    }
}
