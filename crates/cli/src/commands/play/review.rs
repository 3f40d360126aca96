//! Looking at where moves were lost.

use loyd::moves::moves_in;
use loyd::study::{Review, Segment};
use loyd_play::{Game, Playback};
use ratatui::crossterm::event::{KeyCode, KeyEvent};

/// One of the places where moves were lost, with the board there.
pub struct Reviewing {
    /// What was played.
    pub playback: Playback,
    metric: usize,
    segment: usize,
}

impl Reviewing {
    /// Begins with the first place in single tiles.
    pub fn new(game: &Game, reviews: &[Review]) -> Self {
        let mut playback = Playback::new(game.problem().start().clone());
        playback.offer(&game.steps());
        let mut reviewing = Self { playback, metric: 0, segment: 0 };
        reviewing.show(reviews);
        reviewing
    }

    /// The number of the review that is looked at.
    pub fn metric(&self) -> usize {
        self.metric
    }

    /// The number of the place, from 0.
    pub fn segment(&self) -> usize {
        self.segment
    }

    /// Does what a key asks for.
    pub fn key(&mut self, key: &KeyEvent, reviews: &[Review]) {
        let places = reviews[self.metric].segments.len();
        match key.code {
            KeyCode::Right | KeyCode::Char('l' | 'd') => return self.playback.step(),
            KeyCode::Left | KeyCode::Char('h' | 'a') => return self.playback.step_back(),
            KeyCode::Down | KeyCode::Char('j' | 's') if self.segment + 1 < places => {
                self.segment += 1;
            }
            KeyCode::Up | KeyCode::Char('k' | 'w') => self.segment = self.segment.saturating_sub(1),
            KeyCode::Tab | KeyCode::BackTab => {
                (self.metric, self.segment) = ((self.metric + 1) % reviews.len(), 0);
            }
            _ => return,
        }
        self.show(reviews);
    }

    /// Shows the board on which the moves of the place begin.
    fn show(&mut self, reviews: &[Review]) {
        let review = &reviews[self.metric];
        let Some(Segment { number, .. }) = review.segments.get(self.segment) else { return };
        let moves = moves_in(review.metric, self.playback.moves());
        self.playback.seek(moves[..number - 1].iter().map(Vec::len).sum());
    }
}
