//! What stands beside a solution that is watched.

use loyd::search::Stop;
use loyd::study::Bounds;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::super::app::App;
use super::super::theme::{Theme, Tone};
use super::super::watch::Watch;
use super::super::words::{gap, sentence};
use super::Page;
use crate::units::counted;

/// The most lines about a search.
const ABOUT: usize = 4;

pub fn write(watch: &Watch, app: &App, page: &mut Page) {
    let theme = app.theme;
    if let Some(error) = &watch.failed {
        page.notice(Tone::Warn, &sentence(error));
    }
    match watch.bounds() {
        None if watch.is_searching() => page.loud("?", theme.accent()),
        None => page.notice(Tone::Warn, "No solution was found."),
        Some(bounds) => {
            // Where there is little room, the words say it alone.
            if page.is_high || watch.stopped.is_some() {
                page.loud(&gap(bounds), theme.accent());
                page.gap();
            }
            page.text(&verdict(watch, bounds), Style::new(), ABOUT);
            let first = watch.first_bounds().filter(|first| first.proved().is_none());
            if let Some(first) = first.filter(|_| page.is_high) {
                page.lines.push(bar(first, bounds, page.width, theme));
            }
        }
    }
    if watch.is_searching() {
        page.gap();
        let most = if page.is_high { ABOUT } else { 1 };
        page.text(&sentence(watch.doing()), theme.muted(), most);
    }
    if let Some(length) = watch.better() {
        page.notice(
            Tone::Accent,
            &format!("A solution of {length} has been found. Press Home to watch it."),
        );
    }
    page.gap();
    page.moves(watch.playback.moves(), watch.playback.at(), app);
}

/// What is known of the distance, in words.
fn verdict(watch: &Watch, bounds: Bounds) -> String {
    let best = counted(watch.metric(), bounds.upper);
    let so_far = format!("The best solution so far has {best}.");
    match (bounds.proved(), watch.stopped) {
        (Some(_), _) => format!("{best}, proved to be as few as can be."),
        (None, Some(Stop::Cancelled)) => format!("Stopped. {so_far}"),
        (None, Some(stop)) => format!("{} {so_far}", sentence(&stop.to_string())),
        (None, None) => format!("{best} found, at least {} needed.", bounds.lower),
    }
}

/// The gap between the bounds, as far as it was open at first.
fn bar(first: Bounds, now: Bounds, width: usize, theme: Theme) -> Line<'static> {
    /// Wider ones say no more.
    const WIDEST: usize = 40;
    let (left, right) = (format!("{} ", first.lower), format!(" {}", first.upper));
    let room = width.saturating_sub(left.len() + right.len()).min(WIDEST);
    let span = (first.upper - first.lower).max(1);
    let columns = |moves: usize| (moves * room).div_ceil(span).min(room);
    let below = columns(now.lower.saturating_sub(first.lower));
    let above = columns(first.upper.saturating_sub(now.upper)).min(room - below);
    Line::from(vec![
        Span::styled(left, theme.muted()),
        Span::styled("█".repeat(below), theme.accent()),
        Span::styled("░".repeat(room - below - above), theme.muted()),
        Span::styled("█".repeat(above), theme.accent()),
        Span::styled(right, theme.muted()),
    ])
}

/// Draws how far the playback is; returns where a click goes to a move.
pub fn slider(watch: &Watch, area: Rect, theme: Theme, to: &mut Buffer) -> Rect {
    let (playback, all) = (&watch.playback, watch.playback.moves().len());
    let state = if playback.is_playing() { "▶" } else { "‖" };
    let label = format!("  {} of {all}  {state} {}x", playback.at(), playback.speed());
    let columns = area.width.saturating_sub(label.chars().count() as u16).max(2);
    let at = (playback.at() * usize::from(columns - 1)).checked_div(all).unwrap_or(0);
    let line = Line::from(vec![
        Span::styled("━".repeat(at), theme.accent()),
        Span::styled("●", theme.accent()),
        Span::styled("─".repeat(usize::from(columns) - 1 - at), theme.muted()),
        Span::styled(label, theme.page()),
    ]);
    to.set_line(area.x, area.y, &line, area.width);
    Rect { width: columns, ..area }
}
