//! Problems: a start and a goal.

use std::str::FromStr;

use loyd_tiles::notation::{parse_board, slashes};
use loyd_tiles::{
    Board, Cell, EqualTilesError, GOALS, Goal, GoalMismatch, Move, PartialGoal, Size, Solvability,
};

use crate::error::Error;

/// A start and a goal of the same size. The goal may be a [`PartialGoal`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    start: Board,
    goal: Board,
    partial: Option<PartialGoal>,
}

impl Problem {
    /// Returns the problem of reaching `goal` from `start`.
    ///
    /// # Errors
    /// Returns an error if the goal is a board of another size.
    pub fn new(start: Board, goal: &Goal) -> Result<Self, GoalMismatch> {
        let goal = goal.board(start.size())?;
        Self::between(start, goal)
    }

    /// Returns the problem of reaching the board `goal` from `start`.
    ///
    /// # Errors
    /// Returns an error if start and goal differ in size.
    pub fn between(start: Board, goal: Board) -> Result<Self, GoalMismatch> {
        if start.size() != goal.size() {
            return Err(GoalMismatch { start: start.size(), goal: goal.size() });
        }
        Ok(Self { start, goal, partial: None })
    }

    /// Checks that the boards are small enough for `what`, which needs a search or a heuristic.
    ///
    /// # Errors
    /// Returns an error if they have more than [`Size::MAX_SEARCH_CELLS`] cells.
    pub(crate) fn check_searchable(&self, what: &str) -> Result<(), Error> {
        self.check_size(what.to_owned(), false)
    }

    /// Like [`check_searchable`](Self::check_searchable); `solves` is whether `what` solves boards, so that the
    /// quality `fast` is an alternative.
    pub(crate) fn check_size(&self, what: String, solves: bool) -> Result<(), Error> {
        let size = self.goal.size();
        match size.is_searchable() {
            true => Ok(()),
            false => Err(Error::TooManyCells { what, size, solves }),
        }
    }

    /// Returns the problem whose start is its goal.
    pub(crate) fn to_itself(goal: &Board) -> Self {
        Self { start: goal.clone(), goal: goal.clone(), partial: None }
    }

    /// Returns the problem whose start is `goal`, with the partial goal `partial`, if any, that `goal` meets.
    pub(crate) fn to_goal_of(goal: &Board, partial: Option<&PartialGoal>) -> Self {
        Self { partial: partial.cloned(), ..Self::to_itself(goal) }
    }

    /// Returns the problem of reaching any board that meets `goal` from `start`.
    ///
    /// # Errors
    /// Returns an error if start and goal differ in size.
    ///
    /// # Examples
    /// ```
    /// use loyd::{Problem, Solver, notation::{parse_board, parse_partial_goal}};
    /// let (start, first_row) =
    ///     (parse_board("4 1 3/x 2 5/7 8 6", None)?, parse_partial_goal("1 2 3/* * */* * *", None)?);
    /// let problem = Problem::with_partial_goal(start, &first_row).unwrap();
    /// assert_eq!(Solver::default().solve(&problem).unwrap().length(), Some(3));
    /// # Ok::<(), loyd::notation::NotationError>(())
    /// ```
    pub fn with_partial_goal(start: Board, goal: &PartialGoal) -> Result<Self, GoalMismatch> {
        if start.size() != goal.size() {
            return Err(GoalMismatch { start: start.size(), goal: goal.size() });
        }
        let board = goal.reachable(&start).unwrap_or_else(|| goal.example());
        Ok(Self { start, goal: board, partial: Some(goal.clone()) })
    }

    /// Returns the problem of reaching the numbers `goal` from `start`, both in reading order with 0 for the blank.
    /// Several tiles may have the same number and are then interchangeable. Numbers need not be consecutive.
    ///
    /// The boards of the problem and of its reports have distinct tiles; [`numbers`](Self::numbers) returns the numbers
    /// on each of them.
    ///
    /// # Errors
    /// Returns an error if a board does not have one number per cell and one blank, or if start and goal have different
    /// numbers.
    ///
    /// # Examples
    /// ```
    /// use loyd::{Problem, Size, Solver};
    /// let (start, goal) = ([1, 1, 1, 2, 2, 2, 3, 3, 0], [3, 3, 2, 2, 2, 1, 1, 1, 0]);
    /// let problem = Problem::with_equal_tiles(Size::EIGHT, &start, &goal).unwrap();
    /// assert_eq!(problem.numbers(problem.start()), start);
    /// assert_eq!(Solver::default().solve(&problem)?.length(), Some(24));
    /// # Ok::<(), loyd::Error>(())
    /// ```
    pub fn with_equal_tiles(
        size: Size,
        start: &[u32],
        goal: &[u32],
    ) -> Result<Self, EqualTilesError> {
        let goal = PartialGoal::with_equal_tiles(size, goal)?;
        let tiles = goal.equal_tiles().expect("the goal was made of numbers");
        let start = tiles.board(start)?;
        Ok(Self::with_partial_goal(start, &goal).expect("start and goal have the same size"))
    }

    /// Returns a problem with the same goal and another start of the same parity class.
    pub(crate) fn from(&self, start: Board) -> Self {
        Self { start, ..self.clone() }
    }

    /// Returns the start.
    pub fn start(&self) -> &Board {
        &self.start
    }

    /// Returns the goal; for a partial goal, one of the boards that meet it.
    pub fn goal(&self) -> &Board {
        &self.goal
    }

    /// Returns the partial goal, if the goal is one.
    pub fn partial_goal(&self) -> Option<&PartialGoal> {
        self.partial.as_ref()
    }

    /// Returns whether `board` is the goal or meets the partial goal.
    pub fn is_solved_by(&self, board: &Board) -> bool {
        match &self.partial {
            Some(partial) => partial.is_met_by(board),
            None => *board == self.goal,
        }
    }

    /// Returns the number of `moves` from the start after which the goal is met first, or `None` if it never is. The
    /// moves must be legal.
    ///
    /// Cost: O(moves + cells); comparing the board after each move would be O(moves × cells).
    pub(crate) fn solved_after(&self, moves: &[Move]) -> Option<usize> {
        let mut board = self.start.clone();
        let is_wrong = |board: &Board, cell: Cell| match &self.partial {
            Some(partial) => !partial.admits(cell, board.tile(cell)),
            None => self.goal.tile(cell) != board.tile(cell),
        };
        let cells = board.size().iter_cells();
        let mut wrong = cells.filter(|&cell| is_wrong(&board, cell)).count();
        for (made, &m) in moves.iter().enumerate() {
            if wrong == 0 {
                return Some(made);
            }
            let from = board.blank();
            let to = board.size().neighbour(from, m)?;
            let both = |board: &Board| [from, to].map(|cell| usize::from(is_wrong(board, cell)));
            wrong -= both(&board).iter().sum::<usize>();
            board.apply(m).ok()?;
            wrong += both(&board).iter().sum::<usize>();
        }
        (wrong == 0).then_some(moves.len())
    }

    /// Returns the reverse problem, from the goal to the start. Tiles that may lie anywhere in the goal may do so in
    /// the start.
    pub(crate) fn reversed(&self) -> Self {
        let (start, goal) = (self.start.clone(), self.goal.clone());
        let exchanged = match &self.partial {
            None => Self::between(goal, start),
            Some(partial) => Self::with_partial_goal(goal, &partial.from_board(&start)),
        };
        exchanged.expect("start and goal have the same size")
    }

    /// Returns the numbers on `board` in reading order, 0 for the blank; equal tiles have the same number.
    ///
    /// # Panics
    /// Panics if the board has another size.
    pub fn numbers(&self, board: &Board) -> Vec<u32> {
        assert_eq!(board.size(), self.start.size(), "the board must be one of the problem");
        match self.partial.as_ref().and_then(PartialGoal::equal_tiles) {
            Some(tiles) => tiles.numbers(board).collect(),
            None => board.numbers().map(u32::from).collect(),
        }
    }

    /// Returns whether several tiles may have the same number.
    pub fn has_equal_tiles(&self) -> bool {
        self.partial.as_ref().is_some_and(|partial| partial.equal_tiles().is_some())
    }

    /// Returns the start on one line, as in reports: rows separated by `/`, 0 for the blank.
    pub fn start_text(&self) -> String {
        match &self.partial {
            Some(partial) if partial.equal_tiles().is_some() => {
                partial.from_board(&self.start).to_string()
            }
            _ => slashes(&self.start).to_string(),
        }
    }

    /// Returns the name of the goal, if it has one; the first in [`GOALS`](crate::goal::GOALS) if it has several.
    pub fn goal_name(&self) -> Option<&'static str> {
        let is_it = |goal: &Goal| goal.board(self.start.size()).is_ok_and(|goal| goal == self.goal);
        let row = GOALS.iter().find(|row| is_it(&row.goal)).filter(|_| self.partial.is_none())?;
        Some(row.name)
    }

    /// Returns the names of the goals of [`GOALS`](crate::goal::GOALS) that the start can reach. Returns `None` if it
    /// can reach the goal, or if the goal is a partial one.
    ///
    /// # Examples
    /// ```
    /// use loyd::Problem;
    /// let problem: Problem = "1 2 3/4 5 6/8 7 x".parse()?;
    /// assert_eq!(problem.solvable_goals().unwrap(), ["columns", "snake", "spiral"]);
    /// assert_eq!("2 3 4/1 5 x/7 6 8".parse::<Problem>()?.solvable_goals(), None);
    /// # Ok::<(), loyd::Error>(())
    /// ```
    pub fn solvable_goals(&self) -> Option<Vec<&'static str>> {
        let reaches = |goal: &Board| Solvability::is_reachable(&self.start, goal);
        if self.partial.is_some() || reaches(&self.goal) {
            return None;
        }
        let size = self.start.size();
        let named =
            GOALS.iter().filter(|row| row.goal.board(size).is_ok_and(|goal| reaches(&goal)));
        Some(named.map(|row| row.name).collect())
    }

    /// Returns the goal on one line, as in reports: rows separated by `/`.
    pub fn goal_text(&self) -> String {
        match &self.partial {
            Some(partial) => partial.to_string(),
            None => slashes(&self.goal).to_string(),
        }
    }
}

/// Parses a board in any notation; the goal is the tiles in order with the blank last.
impl FromStr for Problem {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Ok(Self::new(parse_board(text, None)?, &Goal::BlankLast)?)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use loyd_tiles::{Move, Size};

    /// Returns all boards reachable from `start`, by a plain search.
    fn reachable(start: Board) -> HashSet<Board> {
        let (mut all, mut new) = (HashSet::from([start.clone()]), vec![start]);
        while let Some(board) = new.pop() {
            for m in Move::ALL {
                let mut next = board.clone();
                if next.apply(m).is_ok() && all.insert(next.clone()) {
                    new.push(next);
                }
            }
        }
        all
    }

    #[test]
    fn solvable_goals_match_a_plain_search() {
        for (width, height) in [(2, 2), (3, 2), (2, 3), (4, 1), (1, 5)] {
            let size = Size::new(width, height).unwrap();
            let goals: Vec<Board> = GOALS.iter().map(|row| row.goal.board(size).unwrap()).collect();
            let sets: Vec<_> = goals.iter().map(|goal| reachable(goal.clone())).collect();
            let mut numbers: Vec<u32> = (0..size.cells() as u32).collect();
            numbers.swap(1, 2);
            let other = Board::new(size, &numbers).unwrap();
            for start in sets[0].iter().cloned().chain(reachable(other)) {
                for (goal, set) in goals.iter().zip(&sets) {
                    let problem = Problem::between(start.clone(), goal.clone()).unwrap();
                    let expected = GOALS.iter().zip(&sets).filter(|(_, set)| set.contains(&start));
                    let expected: Vec<&str> = expected.map(|(row, _)| row.name).collect();
                    let expected = (!set.contains(&start)).then_some(expected);
                    assert_eq!(problem.solvable_goals(), expected, "{start} to {goal}");
                }
            }
        }
    }

    #[test]
    fn goal_name_is_the_first_of_several() {
        let problem = |goal: &Goal| {
            let start = Goal::BlankLast.board(Size::new(4, 1).unwrap()).unwrap();
            Problem::new(start, goal).unwrap().goal_name()
        };
        assert_eq!(problem(&Goal::Spiral), Some("blank-last"), "the same on a line");
        assert_eq!(problem(&Goal::BlankFirst), Some("blank-first"));
        let board = parse_board("3 2 1 x/", None).unwrap();
        assert_eq!(problem(&Goal::Board(board)), None);
    }
}
