//! What is played on one board.

use std::cmp::Ordering;
use std::time::Duration;

use loyd::board::{Cell, Solvability, Tile};
use loyd::moves::Metric;
use loyd::{Board, Move, Problem};

use crate::homes::Homes;
use crate::stopwatch::Stopwatch;

/// A push: the blank goes some cells in a line, and so many tiles go the other way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Push {
    /// Where the blank goes.
    pub direction: Move,
    /// How many tiles move.
    pub tiles: usize,
}

impl Push {
    fn inverse(self) -> Self {
        Self { direction: self.direction.inverse(), ..self }
    }

    fn steps(self) -> impl Iterator<Item = Move> {
        std::iter::repeat_n(self.direction, self.tiles)
    }
}

/// A board, what was played on it, and how long that took.
#[derive(Clone, Debug)]
pub struct Game {
    problem: Problem,
    homes: Homes,
    solvability: Solvability,
    board: Board,
    done: Vec<Push>,
    undone: Vec<Push>,
    moved: Option<Push>,
    stopwatch: Stopwatch,
    /// How many pushes were taken back.
    pub undos: usize,
    /// How many hints were given.
    pub hints: usize,
    /// Whether a solution was watched.
    pub watched: bool,
}

impl Game {
    /// A game that begins on the start of `problem`.
    pub fn new(problem: Problem) -> Self {
        Self {
            homes: Homes::new(&problem),
            solvability: Solvability::new(problem.start(), problem.goal()),
            board: problem.start().clone(),
            done: Vec::new(),
            undone: Vec::new(),
            moved: None,
            stopwatch: Stopwatch::default(),
            undos: 0,
            hints: 0,
            watched: false,
            problem,
        }
    }

    /// The same board from its start.
    pub fn restart(&mut self) {
        *self = Self::new(self.problem.clone());
    }

    /// Where it began, and where it should end.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The board as it is now.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Whether the goal can be reached, and why not.
    pub fn solvability(&self) -> &Solvability {
        &self.solvability
    }

    /// What is left: the same goal from the board as it is now.
    pub fn rest(&self) -> Problem {
        from(&self.problem, self.board.clone())
    }

    /// The board of an unsolvable game with the two tiles exchanged that make it solvable, where one exchange does.
    pub fn mended(&self) -> Option<Problem> {
        let (one, other) = self.solvability.mend?;
        let start = self.problem.start();
        let exchanged = |tile: Tile| match tile {
            tile if tile == one => other,
            tile if tile == other => one,
            tile => tile,
        };
        let numbers: Vec<u32> =
            start.tiles().iter().map(|&tile| exchanged(tile).number().into()).collect();
        Some(from(&self.problem, Board::new(start.size(), &numbers).ok()?))
    }

    /// Where tiles belong.
    pub fn homes(&self) -> &Homes {
        &self.homes
    }

    /// Whether the goal was reached by playing. Nothing moves any more.
    pub fn is_over(&self) -> bool {
        matches!(self.stopwatch, Stopwatch::Stopped { .. })
    }

    /// Whether the time runs.
    pub fn is_running(&self) -> bool {
        self.stopwatch.is_running()
    }

    /// Whether nothing has been played.
    pub fn is_new(&self) -> bool {
        self.stopwatch == Stopwatch::Ready
    }

    /// The time since the first move, or from it to the last.
    pub fn elapsed(&self, now: Duration) -> Duration {
        self.stopwatch.elapsed(now)
    }

    /// Moves the blank by so many cells, and the tiles between the other way; starts the time with the first move, and
    /// stops it when the goal is reached. Returns whether that could be done.
    pub fn push(&mut self, direction: Move, tiles: usize, now: Duration) -> bool {
        let push = Push { direction, tiles };
        if self.is_over() || tiles == 0 || !self.make(push) {
            return false;
        }
        self.done.push(push);
        self.undone.clear();
        self.has_moved(now);
        true
    }

    /// Pushes the tile on `cell` and those between it and the blank, which stands in its row or column.
    pub fn push_cell(&mut self, cell: Cell, now: Duration) -> bool {
        let (size, blank) = (self.board.size(), self.board.blank());
        let rows = size.row(cell).cmp(&size.row(blank));
        let columns = size.column(cell).cmp(&size.column(blank));
        let direction = match (rows, columns) {
            (Ordering::Equal, Ordering::Less) => Move::Left,
            (Ordering::Equal, Ordering::Greater) => Move::Right,
            (Ordering::Less, Ordering::Equal) => Move::Up,
            (Ordering::Greater, Ordering::Equal) => Move::Down,
            _ => return false,
        };
        self.push(direction, size.distance(cell, blank) as usize, now)
    }

    /// Pushes all tiles on that side of the blank.
    pub fn push_line(&mut self, direction: Move, now: Duration) -> bool {
        let (size, blank) = (self.board.size(), self.board.blank());
        let tiles = match direction {
            Move::Up => size.row(blank),
            Move::Down => size.height() - 1 - size.row(blank),
            Move::Left => size.column(blank),
            Move::Right => size.width() - 1 - size.column(blank),
        };
        self.push(direction, tiles, now)
    }

    /// Takes the last push back. Returns whether there was one.
    pub fn undo(&mut self) -> bool {
        if self.is_over() {
            return false;
        }
        let Some(push) = self.done.pop() else { return false };
        self.make(push.inverse());
        self.undone.push(push);
        self.undos += 1;
        true
    }

    /// Makes the push again that was taken back last. Returns whether there was one.
    pub fn redo(&mut self, now: Duration) -> bool {
        let Some(push) = self.undone.pop() else { return false };
        self.make(push);
        self.done.push(push);
        self.has_moved(now);
        true
    }

    /// The push that changed the board last; one that was taken back goes the other way.
    pub fn moved(&self) -> Option<Push> {
        self.moved
    }

    /// All that was played, as the steps of the blank.
    pub fn steps(&self) -> Vec<Move> {
        self.done.iter().flat_map(|push| push.steps()).collect()
    }

    /// How many moves that makes.
    pub fn count(&self, metric: Metric) -> usize {
        metric.length(&self.steps())
    }

    /// Single-tile moves a second, once enough time has passed for that to mean something.
    pub fn moves_a_second(&self, now: Duration) -> Option<f64> {
        const LEAST: Duration = Duration::from_millis(100);
        let elapsed = self.elapsed(now);
        (elapsed >= LEAST).then(|| self.count(Metric::SingleTile) as f64 / elapsed.as_secs_f64())
    }

    fn has_moved(&mut self, now: Duration) {
        self.stopwatch.start(now);
        if self.problem.is_solved_by(&self.board) {
            self.stopwatch.stop(now);
            self.undone.clear();
        }
    }

    /// Makes a push, if the blank stays on the board.
    fn make(&mut self, push: Push) -> bool {
        let mut board = self.board.clone();
        let could = push.steps().all(|step| board.apply(step).is_ok());
        if could {
            self.board = board;
            self.moved = Some(push);
        }
        could
    }
}

/// The goal of `problem` from another board of the same size.
fn from(problem: &Problem, start: Board) -> Problem {
    match problem.partial_goal() {
        Some(goal) => Problem::to_partial(start, goal),
        None => Problem::between(start, problem.goal().clone()),
    }
    .expect("the board has the size of the goal")
}

#[cfg(test)]
mod tests;
