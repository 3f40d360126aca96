//! What stands beside the board while one looks where moves were lost.

use loyd::Move;
use loyd::moves::Metric;
use loyd::study::Segment;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::super::app::App;
use super::super::review::Reviewing;
use super::super::theme::Tone;
use super::super::words::{bounds, lost, run, sentence, wrap};
use super::Page;

/// The columns of labels, and the most lines that moves take.
const LABEL: usize = 9;
const MOVES: usize = 3;

/// The most columns between those of the table.
const BETWEEN: usize = 5;

pub fn write(view: &Reviewing, app: &App, page: &mut Page) {
    let review = &app.reviews.there[view.metric()];
    page.text(&sentence(&lost(review)), app.theme.strong(), 1);
    page.gap();
    if page.is_high {
        table(view, app, page);
        page.gap();
    }
    let Some(segment) = review.segments.get(view.segment()) else {
        let text = match review.lost().upper {
            0 => "No move was lost.",
            _ => "Where moves were lost is not known.",
        };
        page.notice(Tone::Plain, text);
        page.gap();
        page.moves(view.playback.moves(), view.playback.at(), app);
        return;
    };
    place(segment, app, page);
    page.gap();
    let left = page.height.saturating_sub(page.lines.len());
    let first = (view.segment() + 1).saturating_sub(left);
    for (number, segment) in review.segments.iter().enumerate().skip(first).take(left) {
        let text = format!("{:<16} lost {}", numbers(segment, review.metric), segment.lost());
        let is_chosen = number == view.segment();
        page.line(text, if is_chosen { app.theme.chosen() } else { app.theme.muted() });
    }
}

/// Moves, fewest moves and lost moves, in both metrics.
fn table(view: &Reviewing, app: &App, page: &mut Page) {
    let mut rows = vec![["", "You", "Shortest", "Lost"].map(str::to_owned)];
    rows.extend(app.reviews.there.iter().map(|review| {
        let (shortest, lost) = (bounds(review.shortest), bounds(review.lost()));
        [format!("{}s", word(review.metric)), review.length.to_string(), shortest, lost]
    }));
    let widths = [0, 1, 2, 3]
        .map(|column| rows.iter().map(|row| row[column].len()).max().unwrap_or_default());
    let free = page.width.saturating_sub(widths.iter().sum());
    let between = (free / (widths.len() - 1)).clamp(1, BETWEEN);
    for (number, [name, figures @ ..]) in rows.iter().enumerate() {
        let style = match number {
            0 => app.theme.muted(),
            _ if number - 1 == view.metric() => app.theme.strong(),
            _ => Style::new(),
        };
        let columns = figures.iter().zip(&widths[1..]);
        let figures = columns.map(|(figure, width)| format!("{figure:>0$}", between + width));
        page.line(format!("{name:<0$}", widths[0]) + &figures.collect::<String>(), style);
    }
}

/// What counts as one, with a capital.
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

/// What was played in a place, and what would have been better.
fn place(segment: &Segment, app: &App, page: &mut Page) {
    let letters = |moves: &[Vec<Move>], between: &str| {
        let runs: Vec<String> = moves.iter().map(|steps| run(steps, app.arrows)).collect();
        runs.join(between)
    };
    let instead = match &segment.shortcut {
        Some(way) => letters(way, " "),
        None => letters(&segment.instead, " or "),
    };
    let away = format!("{} → {}", bounds(segment.before), bounds(segment.after));
    let rows = [("You", letters(&segment.played, " ")), ("Instead", instead), ("To go", away)];
    for (label, text) in rows {
        let width = page.width.saturating_sub(LABEL).max(1);
        for (number, line) in wrap(&text, width).into_iter().take(MOVES).enumerate() {
            let label = if number == 0 { label } else { "" };
            page.lines.push(Line::from(vec![
                Span::styled(format!("{label:<LABEL$}"), app.theme.muted()),
                Span::raw(line),
            ]));
        }
    }
}
