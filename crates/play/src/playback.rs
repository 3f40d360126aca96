//! Playback of solutions.

use std::time::Duration;

use loyd::{Board, Move};

/// Available playback speeds, relative to the initial one.
pub const SPEEDS: [f64; 8] = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0];

/// Index of the initial speed.
const NORMAL: usize = 2;

/// Time between two moves at the initial speed.
const PACE: Duration = Duration::from_millis(300);

/// Plays a sequence of moves from a board.
#[derive(Clone, Debug)]
pub struct Playback {
    board: Board,
    moves: Vec<Move>,
    position: usize,
    last_move: Option<Move>,
    speed: usize,
    /// When the next move is due; `None` while paused.
    due: Option<Duration>,
}

impl Playback {
    /// Creates a paused playback without moves.
    pub fn new(start: Board) -> Self {
        Self {
            board: start,
            moves: Vec::new(),
            position: 0,
            last_move: None,
            speed: NORMAL,
            due: None,
        }
    }

    /// Replaces the moves unless playback has left the start: a solution being watched is not exchanged. Returns
    /// whether the moves are now the given ones.
    pub fn replace_moves(&mut self, moves: &[Move]) -> bool {
        let is_at_start = self.position == 0;
        if is_at_start && self.moves != moves {
            self.moves = moves.to_vec();
        }
        is_at_start
    }

    /// Returns the current board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns all moves.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns the number of moves played.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Returns the step of the blank that last changed the board.
    pub fn last_move(&self) -> Option<Move> {
        self.last_move
    }

    /// Returns the speed relative to the initial one.
    pub fn speed(&self) -> f64 {
        SPEEDS[self.speed]
    }

    /// Returns whether moves are played automatically.
    pub fn is_playing(&self) -> bool {
        self.due.is_some()
    }

    /// Pauses if playing. Otherwise plays on, from the start if all moves have been played.
    pub fn toggle(&mut self, now: Duration) {
        match self.due {
            Some(_) => self.pause(),
            None => {
                if self.position == self.moves.len() {
                    self.seek(0);
                }
                self.due = (!self.moves.is_empty()).then(|| now + self.pace());
            }
        }
    }

    /// Pauses.
    pub fn pause(&mut self) {
        self.due = None;
    }

    /// Jumps to the board after `at` moves, or to the end.
    pub fn seek(&mut self, at: usize) {
        let at = at.min(self.moves.len());
        while self.position < at {
            self.forward();
        }
        while self.position > at {
            self.position -= 1;
            self.apply(self.moves[self.position].inverse());
        }
    }

    /// Pauses and plays the next move.
    pub fn step(&mut self) {
        self.pause();
        self.seek(self.position + 1);
    }

    /// Pauses and undoes the last move.
    pub fn step_back(&mut self) {
        self.pause();
        self.seek(self.position.saturating_sub(1));
    }

    /// Doubles or halves the speed, within the available speeds.
    pub fn change_speed(&mut self, faster: bool) {
        self.speed = match faster {
            true => (self.speed + 1).min(SPEEDS.len() - 1),
            false => self.speed.saturating_sub(1),
        };
    }

    /// Plays the moves that are due. Returns whether there were any.
    pub fn tick(&mut self, now: Duration) -> bool {
        let before = self.position;
        while let Some(due) = self.due.filter(|&due| due <= now) {
            self.forward();
            self.due = (self.position < self.moves.len()).then(|| due + self.pace());
        }
        self.position > before
    }

    fn pace(&self) -> Duration {
        PACE.div_f64(self.speed())
    }

    fn forward(&mut self) {
        self.apply(self.moves[self.position]);
        self.position += 1;
    }

    fn apply(&mut self, step: Move) {
        self.board.apply(step).expect("the moves stay on the board");
        self.last_move = Some(step);
    }
}

#[cfg(test)]
mod tests {
    use loyd::notation::{parse_board, parse_moves};

    use super::*;

    fn playback() -> Playback {
        let mut playback = Playback::new(parse_board("1 2 3/4 x 5/7 8 6", None).unwrap());
        assert!(playback.replace_moves(&parse_moves("ulddrruld").unwrap()));
        playback
    }

    fn milliseconds(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn playback_follows_its_speed_and_stops_at_the_end() {
        let mut playback = playback();
        assert!(!playback.tick(milliseconds(10_000)), "it is paused");
        playback.toggle(milliseconds(1000));
        assert!(!playback.tick(milliseconds(1299)) && playback.tick(milliseconds(1300)));
        assert_eq!(playback.position(), 1);
        playback.change_speed(true);
        assert!(playback.tick(milliseconds(1900)));
        assert_eq!(playback.position(), 4, "at 1600, and at 1750 and 1900");
        playback.toggle(milliseconds(1900));
        assert!(!playback.tick(milliseconds(9000)) && !playback.is_playing());
        playback.toggle(milliseconds(9000));
        playback.tick(milliseconds(20_000));
        assert_eq!((playback.position(), playback.is_playing()), (9, false));
        playback.toggle(milliseconds(20_000));
        assert_eq!((playback.position(), playback.is_playing()), (0, true), "from the start");
    }

    #[test]
    fn stepping_and_seeking_lead_to_the_same_boards() {
        let (mut one, mut other) = (playback(), playback());
        let mut boards = vec![one.board().clone()];
        for at in 1..=9 {
            one.step();
            assert_eq!((one.position(), one.last_move()), (at, Some(one.moves()[at - 1])));
            boards.push(one.board().clone());
        }
        one.step();
        assert_eq!(one.position(), 9, "the end stays the end");
        for at in [4, 9, 0, 100, 1, 3] {
            other.seek(at);
            assert_eq!(other.board(), &boards[at.min(9)]);
        }
        other.step_back();
        assert_eq!((other.position(), other.board()), (2, &boards[2]));
        assert_eq!(other.last_move(), Some(other.moves()[2].inverse()));
        other.seek(0);
        other.step_back();
        assert_eq!(other.position(), 0);
    }

    #[test]
    fn moves_are_replaced_only_at_the_start() {
        let mut playback = playback();
        playback.step();
        let better = parse_moves("rd").unwrap();
        assert!(!playback.replace_moves(&better));
        assert_eq!(playback.moves().len(), 9);
        playback.seek(0);
        assert!(playback.replace_moves(&better));
        playback.seek(9);
        assert_eq!(
            (playback.position(), playback.board().to_string()),
            (2, "1 2 3 4 5 6 7 8 x".into())
        );
    }

    #[test]
    fn speed_is_limited() {
        let mut playback = playback();
        (0..20).for_each(|_| playback.change_speed(true));
        assert_eq!(playback.speed(), 32.0);
        (0..20).for_each(|_| playback.change_speed(false));
        assert_eq!(playback.speed(), 0.25);
        let mut empty = Playback::new(playback.board().clone());
        empty.toggle(Duration::ZERO);
        assert!(!empty.is_playing() && !empty.tick(Duration::from_secs(9)));
    }
}
