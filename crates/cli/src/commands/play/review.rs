//! The review: where moves were lost.

use loyd::Move;
use loyd::moves::{Metric, moves_in};
use loyd::study::{Review, Segment};
use loyd_play::{Game, Playback};
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::page::Page;
use super::theme::Tone;
use super::watch::Job;
use super::words::{bounds, review_line, run, sentence, wrap};

/// Width of the labels, and maximum number of lines of moves.
const LABEL: usize = 9;
const MOVES: usize = 3;

/// Maximum space between the columns of the table.
const BETWEEN: usize = 5;

/// Reviews of the game, one per metric.
#[derive(Default)]
pub struct Reviews {
    pub finished: Vec<Review>,
    pub job: Option<Job<Review>>,
    pub failed: Option<String>,
}

/// A place where moves were lost, with the board there.
pub struct ReviewView {
    /// The game that was played.
    pub playback: Playback,
    metric: usize,
    segment: usize,
}

impl ReviewView {
    /// Starts with the first place in the single-tile metric.
    pub fn new(game: &Game, reviews: &[Review]) -> Self {
        let mut playback = Playback::new(game.problem().start().clone());
        playback.replace_moves(&game.steps());
        let mut reviewing = Self { playback, metric: 0, segment: 0 };
        reviewing.show(reviews);
        reviewing
    }

    /// Returns the index of the current review.
    pub fn metric(&self) -> usize {
        self.metric
    }

    /// Returns the index of the current place.
    pub fn segment(&self) -> usize {
        self.segment
    }

    /// Handles a key.
    pub fn key(&mut self, key: &KeyEvent, reviews: &[Review]) {
        let places = reviews[self.metric].segments.len();
        match key.code {
            KeyCode::Right | KeyCode::Char('l' | 'd') => return self.playback.step(),
            KeyCode::Left | KeyCode::Char('h' | 'a') => return self.playback.step_back(),
            KeyCode::Home => return self.playback.seek(0),
            KeyCode::End => return self.playback.seek(usize::MAX),
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

    /// Shows the board before the moves of the current place.
    fn show(&mut self, reviews: &[Review]) {
        let review = &reviews[self.metric];
        let Some(Segment { number, .. }) = review.segments.get(self.segment) else { return };
        let moves = moves_in(review.metric, self.playback.moves());
        self.playback.seek(moves[..number - 1].iter().map(Vec::len).sum());
    }
}

/// Writes the panel of the review.
pub fn write_panel(view: &ReviewView, reviews: &[Review], page: &mut Page) {
    let review = &reviews[view.metric()];
    page.text(&sentence(&review_line(review)), page.theme.strong(), 1);
    page.gap();
    if page.is_high {
        table(view, reviews, page);
        page.gap();
    }
    let Some(segment) = review.segments.get(view.segment()) else {
        let text = match review.lost().upper {
            0 => "No move was lost.",
            _ => "Where moves were lost is not known.",
        };
        page.notice(Tone::Plain, text);
        page.gap();
        page.moves(view.playback.moves(), view.playback.position());
        return;
    };
    place(segment, page);
    page.gap();
    let left = page.height.saturating_sub(page.lines.len());
    let first = (view.segment() + 1).saturating_sub(left);
    for (number, segment) in review.segments.iter().enumerate().skip(first).take(left) {
        let text = format!("{:<16} lost {}", numbers(segment, review.metric), segment.lost());
        let is_chosen = number == view.segment();
        page.line(text, if is_chosen { page.theme.chosen() } else { page.theme.muted() });
    }
}

/// Adds the table of moves, fewest moves and lost moves in both metrics.
fn table(view: &ReviewView, reviews: &[Review], page: &mut Page) {
    let mut rows = vec![["", "You", "Shortest", "Lost"].map(str::to_owned)];
    rows.extend(reviews.iter().map(|review| {
        let (shortest, lost) = (bounds(review.shortest), bounds(review.lost()));
        [format!("{}s", word(review.metric)), review.length.to_string(), shortest, lost]
    }));
    let widths = [0, 1, 2, 3]
        .map(|column| rows.iter().map(|row| row[column].len()).max().unwrap_or_default());
    let free = page.width.saturating_sub(widths.iter().sum());
    let between = (free / (widths.len() - 1)).clamp(1, BETWEEN);
    for (number, [name, figures @ ..]) in rows.iter().enumerate() {
        let style = match number {
            0 => page.theme.muted(),
            _ if number - 1 == view.metric() => page.theme.strong(),
            _ => Style::new(),
        };
        let columns = figures.iter().zip(&widths[1..]);
        let figures = columns.map(|(figure, width)| format!("{figure:>0$}", between + width));
        page.line(format!("{name:<0$}", widths[0]) + &figures.collect::<String>(), style);
    }
}

/// Returns the capitalized word for one move in the metric.
fn word(metric: Metric) -> &'static str {
    match metric {
        Metric::SingleTile => "Move",
        Metric::MultiTile => "Slide",
    }
}

fn numbers(segment: &Segment, metric: Metric) -> String {
    let (word, first) = (word(metric), segment.number);
    match segment.played.len() {
        1 => format!("{word} {first}"),
        moves => format!("{word}s {first} to {}", first + moves - 1),
    }
}

/// Adds what was played at a place, and what would have been better.
fn place(segment: &Segment, page: &mut Page) {
    let letters = |moves: &[Vec<Move>], between: &str| {
        let runs: Vec<String> = moves.iter().map(|steps| run(steps, page.arrows)).collect();
        runs.join(between)
    };
    let instead = match &segment.shortcut {
        Some(way) => letters(way, " "),
        None => letters(&segment.better_moves, " or "),
    };
    let away = format!("{} → {}", bounds(segment.before), bounds(segment.after));
    let rows = [("You", letters(&segment.played, " ")), ("Instead", instead), ("To go", away)];
    for (label, text) in rows {
        let width = page.width.saturating_sub(LABEL).max(1);
        for (number, line) in wrap(&text, width).into_iter().take(MOVES).enumerate() {
            let label = if number == 0 { label } else { "" };
            page.lines.push(Line::from(vec![
                Span::styled(format!("{label:<LABEL$}"), page.theme.muted()),
                Span::raw(line),
            ]));
        }
    }
}
