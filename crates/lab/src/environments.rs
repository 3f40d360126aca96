//! Environments for reinforcement learning: many boards that are moved together, one action each.
//!
//! ```
//! use loyd::board::Size;
//! use loyd::goal::Goal;
//! use loyd_lab::environments::{Environments, Rules, Starts};
//!
//! let goal = Goal::BlankLast.board(Size::FIFTEEN)?;
//! let mut environments = Environments::new(2, Rules::new(goal.clone()), Starts::uniform(&goal))?;
//! environments.reset(0, Some(7));
//! environments.reset(1, Some(8));
//! environments.step(&[0, 3])?;
//! assert_eq!(environments.rewards(), [-1.0, -1.0]);
//! assert_eq!(environments.boards().len(), 2 * 16);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Actions are moves of the blank, 0 to 3 for up, left, right and down, as [`Move::index`] numbers them. A move that would
//! leave the board leaves the board as it is, counts as a step, and is told by the mask of actions.
//!
//! Each environment has a seed of its own, and the start of each episode is a function of that seed and of the number
//! of the episode: it does not depend on how many environments there are or on what they do.

mod advance;
mod rules;
mod starts;
mod table;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use loyd::Move;
use loyd::scramble::Random;

use advance::{Judging, Moving, judge};
use table::Table;

pub use rules::{EnvironmentError, Restart, Reward, Rules};
pub use starts::{Scramble, Starts, StartsError};

/// The environments that ended in the last step and began anew in it, in ascending order.
#[derive(Clone, Debug, Default)]
pub struct Ended {
    /// Their numbers.
    pub environments: Vec<usize>,
    /// The last boards of their episodes, one after the other.
    pub boards: Vec<u8>,
    /// Which actions these boards allow, 1 or 0.
    pub masks: Vec<[i8; 4]>,
}

impl Ended {
    fn clear(&mut self) {
        self.environments.clear();
        self.boards.clear();
        self.masks.clear();
    }
}

/// Boards of one size that are moved together.
///
/// Shapes: for `n` environments of boards of `c` cells, `n * c` bytes of boards in reading order, and `n` of
/// everything else. A step allocates nothing unless starts are random walks.
#[derive(Clone, Debug)]
pub struct Environments {
    rules: Rules,
    table: Arc<Table>,
    starts: Arc<Starts>,
    boards: Vec<u8>,
    blanks: Vec<u8>,
    misplaced: Vec<u8>,
    steps: Vec<u32>,
    /// The seed of each, and the number of the episode that begins next.
    seeds: Vec<(u64, u64)>,
    rewards: Vec<f32>,
    terminated: Vec<bool>,
    truncated: Vec<bool>,
    masks: Vec<[i8; 4]>,
    /// The environments whose episodes have ended and that have not begun anew, in ascending order.
    over: Vec<usize>,
    ended: Ended,
}

impl Environments {
    /// `count` environments, all on the goal: [`reset`](Self::reset) has to be called for each.
    ///
    /// # Errors
    /// When there is none, and when episodes have no step.
    ///
    /// # Panics
    /// If `starts` are boards of another size than the goal.
    pub fn new(count: usize, rules: Rules, starts: Starts) -> Result<Self, EnvironmentError> {
        if count == 0 {
            return Err(EnvironmentError::None);
        }
        if rules.max_steps == Some(0) {
            return Err(EnvironmentError::NoSteps);
        }
        assert_eq!(starts.size(), rules.goal.size(), "starts and goal must have the same size");
        let table = Table::new(&rules.goal);
        let goal: Vec<u8> = rules.goal.numbers().collect();
        let blank = rules.goal.blank().index() as u8;
        Ok(Self {
            boards: goal.repeat(count),
            blanks: vec![blank; count],
            misplaced: vec![0; count],
            steps: vec![0; count],
            seeds: vec![(0, 0); count],
            rewards: vec![0.0; count],
            terminated: vec![false; count],
            truncated: vec![false; count],
            masks: vec![table.masks[usize::from(blank)]; count],
            over: Vec::with_capacity(count),
            ended: Ended::default(),
            table: Arc::new(table),
            starts: Arc::new(starts),
            rules,
        })
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.blanks.len()
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Changes where episodes start from now on.
    ///
    /// # Panics
    /// If they are boards of another size.
    pub fn set_starts(&mut self, starts: Starts) {
        assert_eq!(starts.size(), self.rules.goal.size(), "starts must have the size of the goal");
        self.starts = Arc::new(starts);
    }

    /// The boards, one after the other, in reading order with 0 for the blank.
    pub fn boards(&self) -> &[u8] {
        &self.boards
    }

    /// What the last step was worth.
    pub fn rewards(&self) -> &[f32] {
        &self.rewards
    }

    /// Whether the last step reached the goal.
    pub fn terminated(&self) -> &[bool] {
        &self.terminated
    }

    /// Whether the last step was the last that is allowed, at the goal or not.
    pub fn truncated(&self) -> &[bool] {
        &self.truncated
    }

    /// Which actions the boards allow, 1 or 0.
    pub fn masks(&self) -> &[[i8; 4]] {
        &self.masks
    }

    /// How many tiles are not on their goal cells.
    pub fn misplaced(&self) -> &[u8] {
        &self.misplaced
    }

    /// What ended in the last step, with [`Restart::SameStep`].
    pub fn ended(&self) -> &Ended {
        &self.ended
    }

    /// Begins an episode: the first of `seed`, or the next of the seed that it has.
    ///
    /// # Panics
    /// If there is no such environment.
    pub fn reset(&mut self, environment: usize, seed: Option<u64>) {
        if let Some(seed) = seed {
            self.seeds[environment] = (seed, 0);
        }
        self.begin(environment);
        self.quiet(environment);
        self.over.retain(|&other| other != environment);
    }

    /// Begins an episode on `board`, which takes no number of an episode.
    ///
    /// # Errors
    /// When the board cannot become the goal.
    ///
    /// # Panics
    /// If there is no such environment.
    pub fn reset_to(&mut self, environment: usize, board: &[u8]) -> Result<(), EnvironmentError> {
        self.starts.check(board).map_err(EnvironmentError::Board)?;
        let cells = self.cells();
        self.boards[environment * cells..][..cells].copy_from_slice(board);
        self.take_in(environment);
        self.quiet(environment);
        self.over.retain(|&other| other != environment);
        Ok(())
    }

    /// Carries out one action in each environment.
    ///
    /// Cost: some ten machine instructions and 16 bytes of results an environment.
    ///
    /// # Errors
    /// When there is not one action from 0 to 3 for each, when one is refused, and with [`Restart::Never`] when an
    /// episode has ended. Then nothing has changed.
    pub fn step(&mut self, actions: &[u8]) -> Result<(), EnvironmentError> {
        self.check(actions)?;
        let table = &*self.table;
        Moving {
            boards: &mut self.boards,
            blanks: &mut self.blanks,
            misplaced: &mut self.misplaced,
            masks: &mut self.masks,
            rewards: &mut self.rewards,
        }
        .carry_out(table, self.rules.reward, actions);
        let any_over = judge(
            self.rules.reward,
            self.rules.max_steps,
            Judging {
                misplaced: &self.misplaced,
                steps: &mut self.steps,
                rewards: &mut self.rewards,
                terminated: &mut self.terminated,
                truncated: &mut self.truncated,
            },
        );
        self.ended.clear();
        if any_over || !self.over.is_empty() {
            self.begin_again();
        }
        Ok(())
    }

    /// Begins the episodes that are due, and notes those that have ended.
    fn begin_again(&mut self) {
        let mut over = std::mem::take(&mut self.over);
        for &environment in &over {
            self.begin(environment);
            self.quiet(environment);
        }
        over.clear();
        let both = self.terminated.iter().zip(&self.truncated);
        over.extend(both.enumerate().filter(|(_, (won, late))| **won || **late).map(|(i, _)| i));
        if self.rules.restart == Restart::SameStep {
            let cells = self.cells();
            for &environment in &over {
                self.ended.environments.push(environment);
                self.ended.boards.extend_from_slice(&self.boards[environment * cells..][..cells]);
                self.ended.masks.push(self.masks[environment]);
                self.begin(environment);
            }
            over.clear();
        }
        self.over = over;
    }

    fn check(&self, actions: &[u8]) -> Result<(), EnvironmentError> {
        let (found, expected) = (actions.len(), self.count());
        if found != expected {
            return Err(EnvironmentError::Count { found, expected });
        }
        if actions.iter().fold(0, |all, action| all | action) > 3 {
            let environment = actions.iter().position(|&action| action > 3).unwrap_or(0);
            let action = actions[environment].into();
            return Err(EnvironmentError::Action { environment, action });
        }
        if let (Restart::Never, Some(&environment)) = (self.rules.restart, self.over.first()) {
            return Err(EnvironmentError::Over { environment });
        }
        if self.rules.refuse_illegal { self.refuse_illegal(actions) } else { Ok(()) }
    }

    fn refuse_illegal(&self, actions: &[u8]) -> Result<(), EnvironmentError> {
        for (environment, (mask, &action)) in self.masks.iter().zip(actions).enumerate() {
            let action = usize::from(action);
            if mask[action] == 0 && self.over.binary_search(&environment).is_err() {
                let (cell, direction) = (self.blanks[environment], Move::ALL[action]);
                return Err(EnvironmentError::Illegal { environment, cell, direction });
            }
        }
        Ok(())
    }

    fn cells(&self) -> usize {
        self.rules.goal.size().cells()
    }

    /// Begins the next episode of an environment.
    fn begin(&mut self, environment: usize) {
        let (seed, episode) = &mut self.seeds[environment];
        let mut random = stream(*seed, *episode);
        *episode = episode.wrapping_add(1);
        let cells = self.cells();
        self.starts.draw(&mut random, &mut self.boards[environment * cells..][..cells]);
        self.take_in(environment);
    }

    /// Takes over what follows from the board of an environment whose episode begins.
    fn take_in(&mut self, environment: usize) {
        let cells = self.cells();
        let board = &self.boards[environment * cells..][..cells];
        let blank = board.iter().position(|&tile| tile == 0).expect("a board has a blank");
        self.blanks[environment] = blank as u8;
        self.misplaced[environment] = self.table.misplaced(board);
        self.masks[environment] = self.table.masks[blank];
        self.steps[environment] = 0;
    }

    /// Nothing is told of a step that did not take place.
    fn quiet(&mut self, environment: usize) {
        self.rewards[environment] = 0.0;
        self.terminated[environment] = false;
        self.truncated[environment] = false;
    }
}

/// The random numbers of an episode. Seeds and episodes that follow each other have nothing in common, and the
/// two do not play the same part: episode 2 of seed 3 is not episode 3 of seed 2.
fn stream(seed: u64, episode: u64) -> Random {
    let first = Random::new(seed).next_u64();
    Random::new(Random::new(first.wrapping_add(episode)).next_u64())
}
