//! The boards of a seed, one after the other.

use loyd::goal::PartialGoal;
use loyd::scramble::Scrambler;
use loyd::search::Observer;
use loyd::{Board, CancelToken, Config, Problem};

use crate::failure::Failure;

/// The goal of boards that are drawn. If it is a partial one, the board is an example.
pub type Aim = (Board, Option<PartialGoal>);

/// A board that was drawn, and what it is called.
pub struct Drawn {
    pub problem: Problem,
    pub name: String,
}

/// Draws the boards that `loyd scramble` draws with the same seed, in the same order.
pub struct Series {
    goal: Aim,
    seed: u64,
    /// The length of shortest solutions, if it was chosen.
    length: Option<u32>,
    config: Config,
    scrambler: Scrambler,
    /// How many boards were drawn.
    drawn: u64,
}

impl Series {
    /// # Errors
    /// When there are no such boards.
    pub fn new(goal: Aim, seed: u64, length: Option<u32>, config: Config) -> Result<Self, Failure> {
        let scrambler = match &goal.1 {
            Some(partial) => Scrambler::to_partial(partial, seed, config.clone())?,
            None => Scrambler::new(goal.0.clone(), seed, config.clone())?,
        };
        if let Some(length) = length {
            scrambler.check_length(length)?;
        }
        Ok(Self { goal, seed, length, config, scrambler, drawn: 0 })
    }

    /// Draws the next board that is not solved yet, as far as there is one.
    ///
    /// # Errors
    /// When none was found within the limits, or before `cancel` was set. How far the search came depends on the
    /// machine then, and so would the boards after it; that is why the next seed follows.
    pub fn next(
        &mut self,
        cancel: &CancelToken,
        observer: &mut dyn Observer,
    ) -> Result<Drawn, String> {
        /// One in twelve 2x2 boards is solved, and one in two on a line of two cells.
        const TRIES: u32 = 100;
        let (mut drawn, mut tries) = (self.draw(cancel, observer)?, 1);
        let is_solved = |problem: &Problem| problem.is_solved_by(problem.start());
        while is_solved(&drawn.problem) && self.length != Some(0) && tries < TRIES {
            drawn = self.draw(cancel, observer)?;
            tries += 1;
        }
        Ok(drawn)
    }

    fn draw(&mut self, cancel: &CancelToken, observer: &mut dyn Observer) -> Result<Drawn, String> {
        let board = match self.length {
            None => self.scrambler.any(),
            Some(length) => match self.scrambler.of_length(length, cancel, Some(observer)) {
                Ok(drawn) => drawn.board,
                Err(error) => {
                    self.begin_next_seed();
                    return Err(error.to_string());
                }
            },
        };
        self.drawn += 1;
        let name = format!("seed {}, board {}", self.seed, self.drawn);
        Ok(Drawn { problem: to_goal(board, &self.goal), name })
    }

    fn begin_next_seed(&mut self) {
        let seed = self.seed.wrapping_add(1);
        let next = Self::new(self.goal.clone(), seed, self.length, self.config.clone());
        *self = next.unwrap_or_else(|_| unreachable!("the seed before was taken"));
    }
}

/// The problem of a board and a goal of the same size.
pub fn to_goal(board: Board, (goal, partial): &Aim) -> Problem {
    match partial {
        Some(partial) => Problem::to_partial(board, partial),
        None => Problem::between(board, goal.clone()),
    }
    .expect("boards are drawn of the size of the goal")
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use loyd::search::Event;
    use loyd::{Goal, Size};

    use super::*;

    fn series(seed: u64, length: Option<u32>) -> Series {
        let goal = Goal::BlankLast.board(Size::new(4, 4).unwrap()).unwrap();
        Series::new((goal, None), seed, length, Config::default()).unwrap_or_else(|_| panic!())
    }

    fn next(series: &mut Series, cancel: &CancelToken) -> Result<Drawn, String> {
        series.next(cancel, &mut |_: Event<'_>| ControlFlow::Continue(()))
    }

    #[test]
    fn after_a_draw_that_was_cancelled_the_next_seed_begins() {
        let (on, off) = (CancelToken::new(), CancelToken::new());
        off.cancel();
        let mut one = series(7, Some(40));
        assert_eq!(next(&mut one, &on).unwrap().name, "seed 7, board 1");
        assert!(next(&mut one, &off).is_err());
        let drawn = next(&mut one, &on).unwrap();
        let other = next(&mut series(8, Some(40)), &on).unwrap();
        assert_eq!((drawn.name, drawn.problem.start()), (other.name, other.problem.start()));
    }
}
