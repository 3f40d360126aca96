//! The state of a game on one board.

use std::cmp::Ordering;
use std::time::Duration;

use loyd::board::{Cell, Solvability, Tile};
use loyd::moves::Metric;
use loyd::{Board, Move, Problem};

use crate::homes::Homes;
use crate::stopwatch::Stopwatch;

/// A push: the blank moves several cells in a line, and as many tiles move the other way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Push {
    /// Direction in which the blank moves.
    pub direction: Move,
    /// Number of tiles that move.
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

/// A board, the pushes made on it, and the time they took.
#[derive(Clone, Debug)]
pub struct Game {
    problem: Problem,
    homes: Homes,
    solvability: Solvability,
    board: Board,
    done: Vec<Push>,
    /// The time of each push, since the first one.
    times: Vec<Duration>,
    undone: Vec<Push>,
    last_push: Option<Push>,
    stopwatch: Stopwatch,
    /// Number of pushes undone.
    pub undos: usize,
    /// Number of hints given.
    pub hints: usize,
    /// Whether the player watched a solution.
    pub watched: bool,
    /// Whether the caller paused its clock during the game.
    pub was_paused: bool,
}

impl Game {
    /// Creates a game at the start of `problem`.
    pub fn new(problem: Problem) -> Self {
        Self {
            homes: Homes::new(&problem),
            solvability: Solvability::new(problem.start(), problem.goal()),
            board: problem.start().clone(),
            done: Vec::new(),
            times: Vec::new(),
            undone: Vec::new(),
            last_push: None,
            stopwatch: Stopwatch::default(),
            undos: 0,
            hints: 0,
            watched: false,
            was_paused: false,
            problem,
        }
    }

    /// Restarts the game on the same board.
    pub fn restart(&mut self) {
        *self = Self::new(self.problem.clone());
    }

    /// Returns the start and the goal.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Returns the current board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns whether the goal can be reached, and why not.
    pub fn solvability(&self) -> &Solvability {
        &self.solvability
    }

    /// Returns the remaining problem: from the current board to the goal.
    pub fn remaining_problem(&self) -> Problem {
        problem_from(&self.problem, self.board.clone())
    }

    /// Returns an unsolvable game's problem with two tiles swapped to make it solvable; `None` if no single swap does.
    pub fn repaired(&self) -> Option<Problem> {
        let (one, other) = self.solvability.repair_swap?;
        let start = self.problem.start();
        let exchanged = |tile: Tile| match tile {
            tile if tile == one => other,
            tile if tile == other => one,
            tile => tile,
        };
        let numbers: Vec<u32> =
            start.tiles().iter().map(|&tile| exchanged(tile).number().into()).collect();
        Some(problem_from(&self.problem, Board::new(start.size(), &numbers).ok()?))
    }

    /// Returns the goal cells of the tiles.
    pub fn homes(&self) -> &Homes {
        &self.homes
    }

    /// Returns whether the goal has been reached. Then no more pushes are possible.
    pub fn is_over(&self) -> bool {
        matches!(self.stopwatch, Stopwatch::Stopped { .. })
    }

    /// Returns whether the stopwatch is running.
    pub fn is_running(&self) -> bool {
        self.stopwatch.is_running()
    }

    /// Returns whether no push has been made.
    pub fn is_new(&self) -> bool {
        self.stopwatch == Stopwatch::Ready
    }

    /// Returns the time since the first push, or from the first push to the last if the game is over.
    pub fn elapsed(&self, now: Duration) -> Duration {
        self.stopwatch.elapsed(now)
    }

    /// Moves the blank by `tiles` cells, and the tiles between in the opposite direction. The first push starts the
    /// stopwatch, and reaching the goal stops it. Returns whether the push was possible.
    pub fn push(&mut self, direction: Move, tiles: usize, now: Duration) -> bool {
        let push = Push { direction, tiles };
        if self.is_over() || tiles == 0 || !self.apply(push) {
            return false;
        }
        self.undone.clear();
        self.finish(push, now);
        true
    }

    /// Pushes the tile on `cell` and all tiles between it and the blank. Returns `false` if the blank is not in the
    /// same row or column.
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

    /// Pushes all tiles on one side of the blank. Returns whether there were any.
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

    /// Undoes the last push. Returns whether there was one.
    pub fn undo(&mut self) -> bool {
        if self.is_over() {
            return false;
        }
        let Some(push) = self.done.pop() else { return false };
        self.times.pop();
        self.apply(push.inverse());
        self.undone.push(push);
        self.undos += 1;
        true
    }

    /// Repeats the push that was undone last. Returns whether there was one.
    pub fn redo(&mut self, now: Duration) -> bool {
        let Some(push) = self.undone.pop() else { return false };
        self.apply(push);
        self.finish(push, now);
        true
    }

    /// Returns the last change of the board; an undone push appears in the opposite direction.
    pub fn last_push(&self) -> Option<Push> {
        self.last_push
    }

    /// Returns all pushes as single steps of the blank.
    pub fn steps(&self) -> Vec<Move> {
        self.done.iter().flat_map(|push| push.steps()).collect()
    }

    /// Returns the time of each step of [`Game::steps`], since the first push.
    pub fn step_times(&self) -> Vec<Duration> {
        let times = |(push, &time): (&Push, _)| std::iter::repeat_n(time, push.tiles);
        self.done.iter().zip(&self.times).flat_map(times).collect()
    }

    /// Returns the number of moves in `metric`.
    pub fn count(&self, metric: Metric) -> usize {
        metric.length(&self.steps())
    }

    /// Returns single-tile moves per second; `None` when the rate is meaningless: during the first 100 ms, and for a
    /// single move, which starts the stopwatch.
    pub fn moves_a_second(&self, now: Duration) -> Option<f64> {
        const MIN_TIME: Duration = Duration::from_millis(100);
        let (elapsed, moves) = (self.elapsed(now), self.count(Metric::SingleTile));
        (elapsed >= MIN_TIME && moves > 1).then(|| moves as f64 / elapsed.as_secs_f64())
    }

    /// Records a push and updates the stopwatch.
    fn finish(&mut self, push: Push, now: Duration) {
        self.stopwatch.start(now);
        self.done.push(push);
        self.times.push(self.stopwatch.elapsed(now));
        if self.problem.is_solved_by(&self.board) {
            self.stopwatch.stop(now);
            self.undone.clear();
        }
    }

    /// Makes a push and returns `true`, unless the blank would leave the board.
    fn apply(&mut self, push: Push) -> bool {
        let mut board = self.board.clone();
        let is_possible = push.steps().all(|step| board.apply(step).is_ok());
        if is_possible {
            self.board = board;
            self.last_push = Some(push);
        }
        is_possible
    }
}

/// Returns the problem from `start` to the goal of `problem`; the boards must have the same size.
fn problem_from(problem: &Problem, start: Board) -> Problem {
    match problem.partial_goal() {
        Some(goal) => Problem::with_partial_goal(start, goal),
        None => Problem::between(start, problem.goal().clone()),
    }
    .expect("the board has the size of the goal")
}

#[cfg(test)]
mod tests {
    use loyd::notation::{moves_to_string, parse_board, parse_partial_goal};

    use super::*;

    fn game(board: &str) -> Game {
        Game::new(board.parse().unwrap())
    }

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    const NOW: Duration = Duration::ZERO;

    #[test]
    fn stopwatch_runs_from_first_to_last_push() {
        let mut game = game("1 2 3/4 x 5/7 8 6");
        assert!(
            game.is_new() && !game.push(Move::Up, 2, seconds(1)),
            "the blank would leave the board"
        );
        assert_eq!((game.is_new(), game.elapsed(seconds(9))), (true, NOW));
        assert!(game.push(Move::Right, 1, seconds(10)));
        assert!(game.is_running() && !game.is_over());
        assert_eq!(game.moves_a_second(seconds(14)), None, "one move has no rate");
        assert!(game.push(Move::Down, 1, seconds(14)));
        assert_eq!(game.moves_a_second(seconds(99)), Some(0.5));
        assert!(game.is_over() && !game.is_running());
        assert_eq!((game.elapsed(seconds(99)), game.count(Metric::SingleTile)), (seconds(4), 2));
        assert!(!game.push(Move::Up, 1, seconds(100)) && !game.undo(), "the game is over");
        assert!(game.problem().is_solved_by(game.board()));
    }

    #[test]
    fn pushing_a_cell_moves_all_tiles_up_to_the_blank() {
        let mut game = game("1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 x");
        assert!(!game.push_cell(Cell::new(15), NOW), "the blank itself");
        assert!(!game.push_cell(Cell::new(0), NOW), "neither in its row nor in its column");
        assert!(game.push_cell(Cell::new(12), NOW));
        assert_eq!(game.board().to_string(), "1 2 3 4 5 6 7 8 9 10 11 12 x 13 14 15");
        assert_eq!(game.last_push(), Some(Push { direction: Move::Left, tiles: 3 }));
        assert!(game.push_cell(Cell::new(4), NOW));
        assert_eq!(game.board().to_string(), "1 2 3 4 x 6 7 8 5 10 11 12 9 13 14 15");
        assert_eq!(moves_to_string(&game.steps()), "llluu");
        assert_eq!(
            [Metric::SingleTile, Metric::MultiTile].map(|metric| game.count(metric)),
            [5, 2]
        );
        assert!(game.push_line(Move::Right, NOW) && game.push_line(Move::Down, NOW));
        assert_eq!(moves_to_string(&game.steps()), "llluurrrdd");
        assert!(!game.push_line(Move::Down, NOW), "no tile is on that side");
        assert_eq!(game.board().blank(), Cell::new(15));
    }

    #[test]
    fn steps_have_the_times_of_their_pushes() {
        let mut game = game("1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 x");
        game.push(Move::Left, 2, seconds(5));
        game.push(Move::Up, 1, seconds(7));
        game.undo();
        game.push(Move::Right, 1, seconds(10));
        assert_eq!(moves_to_string(&game.steps()), "llr");
        assert_eq!(game.step_times(), [0, 0, 5].map(seconds));
    }

    #[test]
    fn undone_pushes_can_be_repeated() {
        let mut game = game("1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 x");
        let start = game.board().clone();
        assert_eq!((game.undo(), game.redo(NOW)), (false, false));
        game.push(Move::Left, 2, NOW);
        let after = game.board().clone();
        game.push(Move::Up, 1, NOW);
        assert!(game.undo());
        assert_eq!(game.board(), &after);
        assert_eq!(game.last_push(), Some(Push { direction: Move::Down, tiles: 1 }));
        assert!(game.undo());
        assert_eq!(
            (game.board(), game.undos),
            (&start, 2),
            "the goal itself does not end the game"
        );
        assert!(!game.is_over());
        assert!(game.redo(NOW));
        assert_eq!((game.board(), game.count(Metric::SingleTile)), (&after, 2));
        game.push(Move::Up, 1, NOW);
        assert!(!game.redo(NOW), "a new push clears the undone ones");
    }

    #[test]
    fn restart_resets_everything_but_the_problem() {
        let mut game = game("1 2 3/4 x 5/7 8 6");
        game.push(Move::Up, 1, seconds(3));
        (game.hints, game.watched) = (1, true);
        game.undo();
        game.restart();
        assert!(game.is_new() && game.steps().is_empty() && !game.watched);
        assert_eq!((game.hints, game.undos, game.last_push()), (0, 0, None));
        assert_eq!(game.board(), game.problem().start());
    }

    #[test]
    fn unsolvable_board_is_repaired_by_a_swap() {
        let swapped = game("1 2 3/4 5 6/8 7 x");
        assert!(!swapped.solvability().is_solvable());
        let repaired = Game::new(swapped.repaired().unwrap());
        assert!(repaired.solvability().is_solvable());
        assert_eq!(repaired.board().to_string(), "1 2 3 4 5 6 7 8 x");
        assert_eq!(game("1 2 3/4 x 5/7 8 6").repaired(), None);
    }

    #[test]
    fn game_ends_on_any_board_that_meets_a_partial_goal() {
        let board = parse_board("1 2 3/4 5 6/8 7 x", None).unwrap();
        let goal = parse_partial_goal("1 2 3/* * */* * *", None).unwrap();
        let mut game = Game::new(Problem::with_partial_goal(board, &goal).unwrap());
        assert!(game.solvability().is_solvable() && !game.is_over());
        for direction in [Move::Up, Move::Up, Move::Down] {
            assert!(game.push(direction, 1, NOW));
            assert_eq!(game.remaining_problem().start(), game.board());
            if game.is_over() {
                break;
            }
        }
        assert_eq!(moves_to_string(&game.steps()), "u", "one move completes the partial goal");
    }
}
