//! What is to be solved.

use std::str::FromStr;

use loyd_tiles::notation::{parse_board, slashes};
use loyd_tiles::{Board, Goal, GoalMismatch, PartialGoal};

use crate::error::Error;

/// A start and a goal of the same size. The goal may be a [`PartialGoal`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    start: Board,
    goal: Board,
    partial: Option<PartialGoal>,
}

impl Problem {
    /// The problem of bringing `start` to `goal`.
    ///
    /// # Errors
    /// When the goal is a board of another size.
    pub fn new(start: Board, goal: &Goal) -> Result<Self, GoalMismatch> {
        let goal = goal.board(start.size())?;
        Self::between(start, goal)
    }

    /// The problem of bringing `start` to the board `goal`.
    ///
    /// # Errors
    /// When they differ in size.
    pub fn between(start: Board, goal: Board) -> Result<Self, GoalMismatch> {
        if start.size() != goal.size() {
            return Err(GoalMismatch { start: start.size(), goal: goal.size() });
        }
        Ok(Self { start, goal, partial: None })
    }

    /// The problem that is solved from the start.
    pub(crate) fn to_itself(goal: &Board) -> Self {
        Self { start: goal.clone(), goal: goal.clone(), partial: None }
    }

    /// The problem of bringing `goal`, which meets `partial` if there is one, to itself.
    pub(crate) fn to_goal_of(goal: &Board, partial: Option<&PartialGoal>) -> Self {
        Self { partial: partial.cloned(), ..Self::to_itself(goal) }
    }

    /// The problem of bringing `start` to any board that meets `goal`.
    ///
    /// # Errors
    /// When they differ in size.
    ///
    /// # Examples
    /// ```
    /// use loyd::{Problem, Solver, notation::{parse_board, parse_partial_goal}};
    /// let (start, first_row) =
    ///     (parse_board("4 1 3/x 2 5/7 8 6", None)?, parse_partial_goal("1 2 3/* * */* * *", None)?);
    /// let problem = Problem::to_partial(start, &first_row).unwrap();
    /// assert_eq!(Solver::default().solve(&problem).unwrap().length(), Some(3));
    /// # Ok::<(), loyd::notation::NotationError>(())
    /// ```
    pub fn to_partial(start: Board, goal: &PartialGoal) -> Result<Self, GoalMismatch> {
        if start.size() != goal.size() {
            return Err(GoalMismatch { start: start.size(), goal: goal.size() });
        }
        let board = goal.reachable(&start).unwrap_or_else(|| goal.example());
        Ok(Self { start, goal: board, partial: Some(goal.clone()) })
    }

    /// The same goal from another board of the same half, such as one on the way.
    pub(crate) fn from(&self, start: Board) -> Self {
        Self { start, ..self.clone() }
    }

    /// The position to begin with.
    pub fn start(&self) -> &Board {
        &self.start
    }

    /// The position to reach; for a partial goal, one of the positions that meet it.
    pub fn goal(&self) -> &Board {
        &self.goal
    }

    /// The goal, if only some cells matter.
    pub fn partial_goal(&self) -> Option<&PartialGoal> {
        self.partial.as_ref()
    }

    /// Whether `board` is the goal, or meets it.
    pub fn is_solved_by(&self, board: &Board) -> bool {
        match &self.partial {
            Some(partial) => partial.is_met_by(board),
            None => *board == self.goal,
        }
    }

    /// The problem of bringing the goal to the start. Tiles that lie anywhere in the goal may do so in the start.
    pub(crate) fn exchanged(&self) -> Self {
        let (start, goal) = (self.start.clone(), self.goal.clone());
        let exchanged = match &self.partial {
            None => Self::between(goal, start),
            Some(partial) => Self::to_partial(goal, &without(&start, partial)),
        };
        exchanged.expect("start and goal have the same size")
    }

    /// The goal in a line, as in reports: rows separated by `/`.
    pub fn goal_text(&self) -> String {
        match &self.partial {
            Some(partial) => partial.to_string(),
            None => slashes(&self.goal).to_string(),
        }
    }
}

/// The goal of having the tiles that `partial` constrains, and the blank, where they are on `board`.
fn without(board: &Board, partial: &PartialGoal) -> PartialGoal {
    let dont_care = partial.dont_care_tiles();
    let number = |tile: &_| (!dont_care.contains(tile)).then(|| u32::from(tile.number()));
    let numbers: Vec<Option<u32>> = board.tiles().iter().map(number).collect();
    PartialGoal::new(board.size(), &numbers).expect("some tiles of a board are a partial goal")
}

/// Reads a board in any notation; the goal is the tiles in order with the blank last.
impl FromStr for Problem {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Ok(Self::new(parse_board(text, None)?, &Goal::BlankLast)?)
    }
}
