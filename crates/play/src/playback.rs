//! A solution, played back.

use std::time::Duration;

use loyd::{Board, Move};

/// How many times as fast as at first moves can be shown.
pub const SPEEDS: [f64; 8] = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0];

/// The place of 1 among them.
const NORMAL: usize = 2;

/// The time between two moves at that speed.
const PACE: Duration = Duration::from_millis(300);

/// Moves from a board, shown one after the other.
#[derive(Clone, Debug)]
pub struct Playback {
    board: Board,
    moves: Vec<Move>,
    at: usize,
    moved: Option<Move>,
    speed: usize,
    /// When the next move is due; `None` while it pauses.
    due: Option<Duration>,
}

impl Playback {
    /// No moves yet from `start`.
    pub fn new(start: Board) -> Self {
        Self { board: start, moves: Vec::new(), at: 0, moved: None, speed: NORMAL, due: None }
    }

    /// Takes other moves from the start, if none is shown yet: whoever watches a solution sees that one through.
    /// Returns whether it took them.
    pub fn offer(&mut self, moves: &[Move]) -> bool {
        let takes = self.at == 0;
        if takes && self.moves != moves {
            self.moves = moves.to_vec();
        }
        takes
    }

    /// The board after the moves that were shown.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// All moves.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// How many moves were shown.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The step of the blank that changed the board last.
    pub fn moved(&self) -> Option<Move> {
        self.moved
    }

    /// How many times as fast as at first it goes.
    pub fn speed(&self) -> f64 {
        SPEEDS[self.speed]
    }

    /// Whether it goes on by itself.
    pub fn is_playing(&self) -> bool {
        self.due.is_some()
    }

    /// Goes on if it pauses, from the start if it is at its end, and pauses if it goes on.
    pub fn toggle(&mut self, now: Duration) {
        match self.due {
            Some(_) => self.pause(),
            None => {
                if self.at == self.moves.len() {
                    self.seek(0);
                }
                self.due = (!self.moves.is_empty()).then(|| now + self.pace());
            }
        }
    }

    /// Stays where it is.
    pub fn pause(&mut self) {
        self.due = None;
    }

    /// Shows the board after so many moves, or after all of them.
    pub fn seek(&mut self, at: usize) {
        let at = at.min(self.moves.len());
        while self.at < at {
            self.forward();
        }
        while self.at > at {
            self.at -= 1;
            self.go(self.moves[self.at].inverse());
        }
    }

    /// Pauses, and shows the next move.
    pub fn step(&mut self) {
        self.pause();
        self.seek(self.at + 1);
    }

    /// Pauses, and takes the last move back.
    pub fn step_back(&mut self) {
        self.pause();
        self.seek(self.at.saturating_sub(1));
    }

    /// Goes twice as fast, or half as fast, as far as there are speeds.
    pub fn change_speed(&mut self, faster: bool) {
        self.speed = match faster {
            true => (self.speed + 1).min(SPEEDS.len() - 1),
            false => self.speed.saturating_sub(1),
        };
    }

    /// Shows the moves that are due by now. Returns whether there were any.
    pub fn tick(&mut self, now: Duration) -> bool {
        let before = self.at;
        while let Some(due) = self.due.filter(|&due| due <= now) {
            self.forward();
            self.due = (self.at < self.moves.len()).then(|| due + self.pace());
        }
        self.at > before
    }

    fn pace(&self) -> Duration {
        PACE.div_f64(self.speed())
    }

    fn forward(&mut self) {
        self.go(self.moves[self.at]);
        self.at += 1;
    }

    fn go(&mut self, step: Move) {
        self.board.apply(step).expect("the moves stay on the board");
        self.moved = Some(step);
    }
}

#[cfg(test)]
mod tests {
    use loyd::notation::{parse_board, parse_moves};

    use super::*;

    fn playback() -> Playback {
        let mut playback = Playback::new(parse_board("1 2 3/4 x 5/7 8 6", None).unwrap());
        assert!(playback.offer(&parse_moves("ulddrruld").unwrap()));
        playback
    }

    fn milliseconds(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn it_goes_at_its_speed_and_stops_at_the_end() {
        let mut playback = playback();
        assert!(!playback.tick(milliseconds(10_000)), "it pauses");
        playback.toggle(milliseconds(1000));
        assert!(!playback.tick(milliseconds(1299)) && playback.tick(milliseconds(1300)));
        assert_eq!(playback.at(), 1);
        playback.change_speed(true);
        assert!(playback.tick(milliseconds(1900)));
        assert_eq!(playback.at(), 4, "at 1600, and at 1750 and 1900");
        playback.toggle(milliseconds(1900));
        assert!(!playback.tick(milliseconds(9000)) && !playback.is_playing());
        playback.toggle(milliseconds(9000));
        playback.tick(milliseconds(20_000));
        assert_eq!((playback.at(), playback.is_playing()), (9, false));
        playback.toggle(milliseconds(20_000));
        assert_eq!((playback.at(), playback.is_playing()), (0, true), "from the start");
    }

    #[test]
    fn stepping_and_seeking_lead_to_the_same_boards() {
        let (mut one, mut other) = (playback(), playback());
        let mut boards = vec![one.board().clone()];
        for at in 1..=9 {
            one.step();
            assert_eq!((one.at(), one.moved()), (at, Some(one.moves()[at - 1])));
            boards.push(one.board().clone());
        }
        one.step();
        assert_eq!(one.at(), 9, "there is no more");
        for at in [4, 9, 0, 100, 1, 3] {
            other.seek(at);
            assert_eq!(other.board(), &boards[at.min(9)]);
        }
        other.step_back();
        assert_eq!((other.at(), other.board()), (2, &boards[2]));
        assert_eq!(other.moved(), Some(other.moves()[2].inverse()));
        other.seek(0);
        other.step_back();
        assert_eq!(other.at(), 0);
    }

    #[test]
    fn a_better_solution_is_taken_at_the_start_only() {
        let mut playback = playback();
        playback.step();
        let better = parse_moves("rd").unwrap();
        assert!(!playback.offer(&better));
        assert_eq!(playback.moves().len(), 9);
        playback.seek(0);
        assert!(playback.offer(&better));
        playback.seek(9);
        assert_eq!((playback.at(), playback.board().to_string()), (2, "1 2 3 4 5 6 7 8 x".into()));
    }

    #[test]
    fn speeds_have_ends() {
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
