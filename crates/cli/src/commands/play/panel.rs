//! What stands beside the board, or below it.

mod review;
mod watch;

use std::time::Duration;

use loyd::Move;
use loyd::moves::Metric;
use loyd::study::{Bounds, Hint};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::app::{App, Hinting, View};
use super::chips::chips;
use super::theme::{Theme, Tone};
use super::tray::Tray;
use super::words::{counted, lost, sentence, time};
use super::{figures, words};
use crate::commands::hint::tiles;
use crate::units;
pub use watch::slider;

/// From so many rows on, there are large figures.
const HIGH: usize = 12;

/// The lines of the panel, which has so many columns and rows.
pub fn lines(
    app: &App,
    tray: &Tray,
    (width, height): (usize, usize),
    is_beside: bool,
    now: Duration,
) -> Vec<Line<'static>> {
    let is_high = is_beside && height >= HIGH;
    let mut page = Page { theme: app.theme, width, height, is_high, lines: Vec::new() };
    match &app.view {
        View::Play => play(app, now, &mut page),
        View::Watch(watch) => watch::write(watch, app, &mut page),
        View::Review(review) => review::write(review, app, &mut page),
    }
    if let Some(part) = tray.part() {
        page.lines.truncate(height.saturating_sub(1));
        page.lines.push(Line::styled(part, app.theme.muted()));
    }
    page.lines
}

/// Lines that are written one after the other.
pub struct Page {
    theme: Theme,
    width: usize,
    height: usize,
    is_high: bool,
    lines: Vec<Line<'static>>,
}

impl Page {
    fn gap(&mut self) {
        if self.is_high {
            self.lines.push(Line::default());
        }
    }

    fn line(&mut self, text: impl Into<String>, style: Style) {
        self.lines.push(Line::styled(text.into(), style));
    }

    /// The loudest figure of the view, as large as there is room for.
    fn loud(&mut self, text: &str, style: Style) {
        let narrow = text.replace(' ', "");
        let fits = |text: &&str| self.is_high && figures::width(text) <= self.width;
        match [text, &narrow].into_iter().find(fits) {
            Some(text) => {
                self.lines.extend(figures::rows(text).map(|row| Line::styled(row, style)));
            }
            None => self.line(text, style.patch(self.theme.strong())),
        }
    }

    /// A text of several lines, on a ground of its own.
    fn notice(&mut self, tone: Tone, text: &str) {
        let width = self.width.saturating_sub(2).max(1);
        for line in words::wrap(text, width) {
            let text = match tone {
                Tone::Plain => line,
                _ => format!(" {line:<width$} "),
            };
            self.line(text, self.theme.notice(tone));
        }
    }

    /// A text in as many lines as it takes, or so many.
    fn text(&mut self, text: &str, style: Style, most: usize) {
        for line in words::wrap(text, self.width).into_iter().take(most) {
            self.line(line, style);
        }
    }

    /// Moves, with that which led to step `at` in sight.
    fn moves(&mut self, moves: &[Move], at: usize, app: &App) {
        let left = self.height.saturating_sub(self.lines.len());
        self.lines.extend(chips(moves, at, (self.width, left), app.arrows, self.theme));
    }
}

fn play(app: &App, now: Duration, page: &mut Page) {
    let (game, theme) = (&app.game, app.theme);
    let shown = time(game.elapsed(now), game.is_running());
    let [moves, slides] = Metric::ALL.map(|metric| game.count(metric));
    let pace = game.moves_a_second(now).map_or("–".to_owned(), |pace| format!("{pace:.2}"));
    if page.is_high {
        page.loud(&shown, Style::new());
        page.gap();
        let figures = [("Moves", moves.to_string()), ("Slides", slides.to_string())];
        let lines = figures.into_iter().chain([("Per second", pace)]);
        page.lines.extend(lines.map(|(label, figure)| labelled(label, &figure, theme)));
    } else {
        let rest = format!("  {}  {}  {pace}/s", counted(moves, "move"), counted(slides, "slide"));
        page.lines.push(Line::from(vec![Span::styled(shown, theme.strong()), Span::raw(rest)]));
    }
    if let Some((tone, text)) = notice(app, now) {
        page.gap();
        page.notice(tone, &text);
    }
    let steps = game.steps();
    if !steps.is_empty() {
        page.gap();
        if page.is_high {
            page.line("Your moves", theme.strong());
        }
        page.moves(&steps, steps.len(), app);
    }
}

/// A word and its figure.
fn labelled(label: &str, figure: &str, theme: Theme) -> Line<'static> {
    Line::from(vec![
        Span::styled(format!("{label:<11}"), theme.muted()),
        Span::styled(format!("{figure:>7}"), theme.strong()),
    ])
}

/// What has to be said now.
fn notice(app: &App, now: Duration) -> Option<(Tone, String)> {
    let game = &app.game;
    if let Some(job) = &app.drawing {
        let doing = || sentence(&job.doing(now));
        let text = match app.setup.length {
            Some(length) => {
                format!("Looking for a board of {length} moves. Esc stops that. {}", doing())
            }
            None => "Drawing a board.".to_owned(),
        };
        return Some((Tone::Accent, text));
    }
    if let Some(key) = app.asks {
        let to_do = match key {
            'n' => "for a new board",
            'r' => "to start again",
            _ => "to leave",
        };
        return Some((Tone::Warn, format!("Press {key} again {to_do}: the clock runs.")));
    }
    if let Some(notice) = &app.notice {
        return Some((Tone::Warn, sentence(notice)));
    }
    match &app.hint {
        _ if game.is_over() => Some((Tone::Good, result(app, now))),
        _ if !app.is_solvable() => Some((Tone::Warn, words::unsolvable(game.solvability()))),
        Hinting::Asked(job) => {
            Some((Tone::Accent, format!("Looking for a hint: {}.", job.doing(now))))
        }
        Hinting::There(hint) => Some((Tone::Accent, in_words(app, hint))),
        Hinting::None if game.is_new() && game.problem().is_solved_by(game.board()) => {
            Some((Tone::Good, "This board is solved. Press n for one that is not.".to_owned()))
        }
        Hinting::None if game.is_new() => {
            Some((Tone::Plain, "No moves yet. Slide a tile to start the clock.".to_owned()))
        }
        Hinting::None => None,
    }
}

fn in_words(app: &App, hint: &Hint) -> String {
    let (Some(first), Some(bounds)) = (hint.best.first(), Bounds::of(&hint.report)) else {
        return "No hint was found in time.".to_owned();
    };
    let others = match hint.best.len() {
        1 => "",
        2 => " Another move is as good.",
        _ => " Others are as good.",
    };
    let go = sentence(&tiles(app.game.board(), first));
    match bounds.proved() {
        Some(length) => format!("{go} {} to go from there.{others}", units::moves(length - 1)),
        None => format!(
            "{go} The best known way has {}; a shortest one has at least {}.",
            units::moves(bounds.upper),
            bounds.lower
        ),
    }
}

/// How the game went.
fn result(app: &App, now: Duration) -> String {
    let game = &app.game;
    let mut text = format!("Solved in {}", time(game.elapsed(now), false));
    let mut helped = Vec::new();
    if game.hints > 0 {
        helped.push(counted(game.hints, "hint"));
    }
    if game.undos > 0 {
        helped.push(counted(game.undos, "undo"));
    }
    if game.watched {
        helped.push("the solution watched".to_owned());
    }
    if !helped.is_empty() {
        text += &format!(", with {}", helped.join(" and "));
    }
    text += ". ";
    text += &match (app.reviews.there.first(), &app.reviews.failed) {
        (Some(review), _) if review.lost().upper == 0 => sentence(&lost(review)),
        (Some(review), _) => format!("{} Press v to see where.", sentence(&lost(review))),
        (None, Some(error)) => format!("There is no review: {error}."),
        (None, None) => "Looking where moves were lost.".to_owned(),
    };
    text
}
