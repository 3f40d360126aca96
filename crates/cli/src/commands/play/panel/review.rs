//! What stands beside the board while one looks where moves were lost.

use loyd::Move;
use loyd::study::Segment;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::super::app::App;
use super::super::review::Reviewing;
use super::super::theme::Tone;
use super::super::words::{bounds, gap, lost, run, sentence, wrap};
use super::Page;

/// The columns of labels, and the most lines that moves take.
const LABEL: usize = 9;
const MOVES: usize = 3;

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
        let text = format!("{:<16} lost {}", numbers(segment), segment.lost());
        let is_chosen = number == view.segment();
        page.line(text, if is_chosen { app.theme.chosen() } else { app.theme.muted() });
    }
}

/// Moves, fewest moves and lost moves, in both metrics.
fn table(view: &Reviewing, app: &App, page: &mut Page) {
    let row = |cells: [&str; 4]| {
        let [name, you, shortest, lost] = cells;
        format!("{name:<12}{you:>5}{shortest:>15}{lost:>9}")
    };
    page.line(row(["Count", "You", "Shortest", "Lost"]), app.theme.muted());
    for (number, review) in app.reviews.there.iter().enumerate() {
        let name = ["Single tiles", "Slides"][number];
        let (you, shortest) = (review.length.to_string(), gap(review.shortest));
        let style = if number == view.metric() { app.theme.strong() } else { Style::new() };
        page.line(row([name, &you, &shortest, &bounds(review.lost())]), style);
    }
}

fn numbers(segment: &Segment) -> String {
    match segment.played.len() {
        1 => format!("Move {}", segment.number),
        moves => format!("Moves {} to {}", segment.number, segment.number + moves - 1),
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
