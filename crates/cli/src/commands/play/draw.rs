//! The screen: a line above, the board, a panel beside or below it, and keys at the foot.

use std::time::Duration;

use loyd::board::Cell;
use loyd::goal::GOALS;
use loyd::{Board, Move, Problem};
use loyd_play::Push;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::app::{App, Hinting, View};
use super::theme::Theme;
use super::tray::{Marks, Tray};
use super::words::wrap;
use super::{help, keys, panel};

/// What a panel takes beside the board, the gap included, and below it.
const BESIDE: u16 = 34;
const BELOW: u16 = 3;

/// The widest panel.
const WIDEST: u16 = 60;

/// Below this nothing can be shown.
const LEAST: (u16, u16) = (20, 7);

/// From this on there is room for margins.
const ROOMY: (u16, u16) = (60, 18);

/// Draws everything, and notes where the board is.
pub fn draw(frame: &mut Frame<'_>, app: &mut App, now: Duration) {
    let (area, theme) = (frame.area(), app.theme);
    let to = frame.buffer_mut();
    (app.tray, app.slider) = (None, None);
    to.set_style(area, theme.page());
    if area.width < LEAST.0 || area.height < LEAST.1 {
        let text = format!("Too small: at least {}x{}.", LEAST.0, LEAST.1);
        let lines = wrap(&text, area.width.into()).into_iter().map(Line::from).collect();
        put(lines, area, to);
        return;
    }
    let margin = if area.width >= ROOMY.0 { 2 } else { 0 };
    let gap = u16::from(area.height >= ROOMY.1);
    let inner = Rect { x: area.x + margin, width: area.width - 2 * margin, ..area };
    header(app, Rect { height: 1, ..inner }, to);
    let body = Rect { y: area.y + 1 + gap, height: area.height - 2 - 2 * gap, ..inner };
    match app.help {
        Some(first) => put(help_page(app, first, body), body, to),
        None => view(app, body, now, to),
    }
    footer(app, Rect { y: area.bottom() - 1, height: 1, ..inner }, to);
}

/// The help from a line on, as far as there is room; notes where the next page begins.
fn help_page(app: &mut App, first: usize, body: Rect) -> Vec<Line<'static>> {
    let watches = matches!(app.view, View::Watch(_));
    let lines = help::lines(app.theme, body.width.into(), watches);
    let next = first + usize::from(body.height);
    app.help_goes_on = (next < lines.len()).then_some(next);
    lines.into_iter().skip(first).collect()
}

/// The board and its panel.
fn view(app: &mut App, mut body: Rect, now: Duration, to: &mut Buffer) {
    let (theme, game) = (app.theme, &app.game);
    if let View::Watch(watch) = &app.view {
        let slider = Rect { y: body.bottom() - 1, height: 1, ..body };
        body.height -= if body.height >= ROOMY.1 { 2 } else { 1 };
        app.slider = Some(panel::slider(watch, slider, theme, to));
    }
    let board = shown(app);
    let (tray, is_beside) = Tray::fit(board.size(), board.blank(), body, BESIDE, BELOW);
    tray.draw(board, game.homes(), marks(app), theme, to);
    let panel = match is_beside {
        true => {
            let x = tray.area.right() + 3;
            Rect { x, width: (body.right() - x).min(WIDEST), ..body }
        }
        false => {
            let y = tray.area.bottom();
            Rect { y, height: body.bottom().saturating_sub(y), ..body }
        }
    };
    let lines = panel::lines(app, &tray, (panel.width.into(), panel.height.into()), is_beside, now);
    put(lines, panel, to);
    app.tray = Some(tray);
}

/// The board that is looked at.
fn shown(app: &App) -> &Board {
    match &app.view {
        View::Play => app.game.board(),
        View::Watch(watch) => watch.playback.board(),
        View::Review(review) => review.playback.board(),
    }
}

/// What is marked on it.
fn marks(app: &App) -> Marks {
    let of_playback =
        |moved: Option<Move>| Marks { moved: moved.map(|step| (step, 1)), ..Marks::default() };
    match &app.view {
        View::Watch(watch) => of_playback(watch.playback.moved()),
        View::Review(review) => of_playback(review.playback.moved()),
        View::Play => {
            let hint = match &app.hint {
                Hinting::There(hint) => hint.best.first().map(|steps| (steps[0], steps.len())),
                _ => None,
            };
            let moved = app.game.moved().map(|Push { direction, tiles }| (direction, tiles));
            Marks { moved, hint, exchange: exchange(app) }
        }
    }
}

/// The tiles whose exchange would mend the board, as long as nothing else is shown.
fn exchange(app: &App) -> Option<(Cell, Cell)> {
    let (one, other) = app.game.solvability().mend?;
    let board = app.game.board();
    Some((board.find(one)?, board.find(other)?))
}

/// Writes lines from the top of an area, as far as it goes.
pub fn put(lines: Vec<Line<'_>>, area: Rect, to: &mut Buffer) {
    for (line, y) in lines.into_iter().zip(area.y..area.bottom()) {
        to.set_line(area.x, y, &line, area.width);
    }
}

fn header(app: &App, area: Rect, to: &mut Buffer) {
    let theme = app.theme;
    let view = match &app.view {
        _ if app.help.is_some() => "Help",
        View::Play => "Play",
        View::Watch(_) => "Watch",
        View::Review(_) => "Review",
    };
    let right = area.width.saturating_sub(view.len() as u16);
    let problem = app.game.problem();
    let text = format!("{}{}, {}", problem.start().size(), goal(problem), app.name);
    let line =
        Line::from(vec![Span::styled("Loyd  ", theme.strong()), Span::styled(text, theme.muted())]);
    to.set_line(area.x, area.y, &line, right.saturating_sub(1));
    to.set_string(area.x + right, area.y, view, theme.strong());
}

/// The goal, unless it is the one that everybody expects.
fn goal(problem: &Problem) -> String {
    let is_named = |row: &&loyd::goal::NamedGoal| {
        let board = row.goal.board(problem.goal().size());
        problem.partial_goal().is_none() && board.is_ok_and(|board| board == *problem.goal())
    };
    match GOALS.iter().find(is_named) {
        Some(row) if row.name == "blank-last" => String::new(),
        Some(row) => format!(" to {}", row.name),
        None => format!(" to {}", problem.goal_text()),
    }
}

/// Keys, as many as there is room for; those for help and for leaving always.
fn footer(app: &App, area: Rect, to: &mut Buffer) {
    let is_play = matches!(app.view, View::Play);
    let last: &[keys::Row] = match (app.help, app.help_goes_on) {
        (Some(_), Some(_)) => &[("any key", "more"), ("q", "back")],
        (Some(_), None) => &[("any key", "back")],
        (None, _) => &[("?", "help"), ("q", if is_play { "leave" } else { "back" })],
    };
    let is_playing = matches!(&app.view, View::Watch(watch) if watch.playback.is_playing());
    let rows: &[keys::Row] = match &app.view {
        _ if app.help.is_some() => &[],
        View::Play if !app.is_solvable() => keys::UNSOLVABLE,
        View::Play if app.game.is_over() => keys::OVER,
        View::Play => keys::PLAY,
        View::Watch(watch) if watch.is_searching() => keys::SEARCH,
        View::Watch(_) => keys::WATCH,
        View::Review(_) => keys::REVIEW,
    };
    let columns = |(key, word): &keys::Row| key.chars().count() + word.len() + 3;
    let mut left = usize::from(area.width + 2).saturating_sub(last.iter().map(columns).sum());
    let mut spans = Vec::new();
    for row in rows {
        left = match left.checked_sub(columns(row)) {
            Some(left) => left,
            None => break,
        };
        let row = if is_playing && row == &keys::SPACE { keys::PAUSE } else { *row };
        spans.extend(of_key(&row, app.theme));
    }
    spans.extend(last.iter().flat_map(|row| of_key(row, app.theme)));
    to.set_line(area.x, area.y, &Line::from(spans), area.width);
}

fn of_key((key, word): &keys::Row, theme: Theme) -> [Span<'static>; 2] {
    [Span::styled(*key, theme.accent()), Span::styled(format!(" {word}  "), theme.muted())]
}
