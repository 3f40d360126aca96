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
        self.end_search(census.counts().to_vec(), farthest.collect());
        meter.release();
        Ok(!self.is_complete())
    }

    /// Returns the next search, with its number: what to count and the board to start from. `None` if all are done.
    pub(super) fn next_search(&self) -> Option<(usize, &CensusSpec, &Board)> {
        let number = self.done.len();
        let (spec, example) = self.searches.get(number)?;
        Some((number, &self.specs[*spec], example))
    }

    /// Adds the result of the next search.
    pub(super) fn end_search(&mut self, levels: Vec<u64>, farthest: Vec<String>) {
        self.done.push(SearchResult { levels, farthest });
    }

    /// Returns the maximum number of farthest boards to report.
    pub(super) fn limit(&self) -> usize {
        self.limit
    }

    fn start_search(&self, meter: &mut Meter<'_>) -> Result<Census, Stop> {
        let (number, spec, example) = self.next_search().expect("the survey is not complete");
        meter.notify(Event::Board { number: number as u64 + 1 })?;
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
        self.checkpoint_at(levels.unwrap_or_default())
    }

    /// Returns the progress of the survey when the current search has these counts.
    pub(super) fn checkpoint_at(&self, levels: Vec<u64>) -> Checkpoint {
        Checkpoint { done: self.done.clone(), levels }
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
        let counts = self.restore(checkpoint)?;
        if counts.is_empty() {
            return Ok(());
        }
        let mut census = self.start_search(meter)?;
        let matches_counts = census.resume(counts, |block| blocks::read(input, block))?;
        if !matches_counts || input.read(&mut [0])? > 0 {
            return Err(ResumeError::Counts);
        }
        self.running = Some(census);
        Ok(())
    }

    /// Restores the results of a checkpoint and returns the counts of its current search, empty if there is none.
    ///
    /// # Errors
    /// Returns an error if the checkpoint is not one of this survey.
    pub(super) fn restore(&mut self, checkpoint: Checkpoint) -> Result<Vec<u64>, ResumeError> {
        let is_board = |text: &String| parse_board(text, None).is_ok();
        let is_valid =
            |found: &SearchResult| found.farthest.iter().all(is_board) && !found.levels.is_empty();
        let searches = checkpoint.done.len() + usize::from(checkpoint.has_blocks());
        if searches > self.searches.len() || !checkpoint.done.iter().all(is_valid) {
            return Err(ResumeError::Counts);
        }
        self.done = checkpoint.done;
        Ok(checkpoint.levels)
    }
}
