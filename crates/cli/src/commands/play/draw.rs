//! The screen: a title line, the board, a panel to its right or below, and the keys in the last line.

use std::time::Duration;

use loyd::board::Cell;
use loyd::moves::{Metric, runs};
use loyd::{Board, Move, Problem};
use loyd_play::Push;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::app::{App, HintState, View};
use super::layout::{Areas, Layout, is_tiny, too_small};
use super::messages::notice;
use super::page::Page;
use super::session::Session;
use super::theme::Theme;
use super::tray::Marks;
use super::words::{quantity, shorten, time, wrap};
use super::{keys, review, watch};

/// Draws the screen, and stores the position of the board in `app`.
pub fn draw(frame: &mut Frame<'_>, app: &mut App, now: Duration) {
    let screen = frame.area();
    let to = frame.buffer_mut();
    (app.tray, app.slider) = (None, None);
    to.set_style(screen, app.theme.page());
    let has_slider = matches!(app.view, View::Watch(_)) && app.help.is_none();
    if is_tiny(screen) {
        let text = too_small(screen, app.game.board().size(), has_slider);
        put(wrap(&text, screen.width.into()).into_iter().map(Line::from).collect(), screen, to);
        return;
    }
    let areas = match app.help {
        Some(first) => {
            let areas = Areas::new(screen, has_slider);
            put(help_page(app, first, areas.body), areas.body, to);
            areas
        }
        None => view(app, screen, now, to),
    };
    header(app, areas.title, to);
    footer(app, areas.keys, to);
}

/// Returns the page of the help that starts at line `first`, and stores where the next page starts.
fn help_page(app: &mut App, first: usize, body: Rect) -> Vec<Line<'static>> {
    let watches = matches!(app.view, View::Watch(_));
    let lines = keys::help_lines(app.theme, body.width.into(), watches);
    let next = first + usize::from(body.height);
    app.next_help_page = (next < lines.len()).then_some(next);
    lines.into_iter().skip(first).collect()
}

/// Draws the board, its panel, and the slider.
fn view(app: &mut App, screen: Rect, now: Duration, to: &mut Buffer) -> Areas {
    let (theme, game, board) = (app.theme, &app.game, current_board(app));
    let has_slider = matches!(app.view, View::Watch(_));
    let layout = Layout::new(screen, board.size(), board.blank(), has_slider);
    match app.shows_goal {
        true => layout.tray.draw_goal(game.problem(), theme, to),
        false => layout.tray.draw(board, game.homes(), marks(app), theme, to),
    }
    let mut lines = panel_lines(app, &layout, now);
    if let Some(part) = layout.tray.part() {
        let need = too_small(screen, board.size(), has_slider);
        let (width, height) = (layout.panel.width.into(), usize::from(layout.panel.height));
        let mut text = wrap(&format!("{need} Enlarge it, or go on with {part}."), width);
        if text.len() >= height {
            text = wrap(&need, width);
        }
        lines.truncate(height.saturating_sub(text.len()).max(1));
        lines.extend(text.into_iter().map(|line| Line::styled(line, theme.muted())));
    }
    put(lines, layout.panel, to);
    if let (View::Watch(watch), Some(area)) = (&app.view, layout.areas.slider) {
        app.slider = Some(watch::slider(watch, area, theme, to));
    }
    app.tray = Some(layout.tray);
    layout.areas
}

/// Returns the board of the current view.
fn current_board(app: &App) -> &Board {
    match &app.view {
        View::Play => app.game.board(),
        View::Watch(watch) => watch.playback.board(),
        View::Review(review) => review.playback.board(),
    }
}

/// Returns the marks on the board.
fn marks(app: &App) -> Marks {
    let of_playback =
        |moved: Option<Move>| Marks { moved: moved.map(|step| (step, 1)), ..Marks::default() };
    match &app.view {
        View::Watch(watch) => of_playback(watch.playback.last_move()),
        View::Review(review) => of_playback(review.playback.last_move()),
        View::Play => {
            let hint = match &app.hint {
                HintState::Found(hint) => hint.best.first().map(|steps| (steps[0], steps.len())),
                HintState::Searching(job) => {
                    runs(&job.moves()).next().map(|steps| (steps[0], steps.len()))
                }
                HintState::None => None,
            };
            let moved = app.game.last_push().map(|Push { direction, tiles }| (direction, tiles));
            Marks { moved, hint, exchange: exchange(app) }
        }
    }
}

/// Returns the two tiles whose exchange makes the board solvable.
fn exchange(app: &App) -> Option<(Cell, Cell)> {
    let (one, other) = app.game.solvability().repair_swap?;
    let board = app.game.board();
    Some((board.find(one)?, board.find(other)?))
}

/// Writes lines into an area, from its top and as many as fit.
pub fn put(lines: Vec<Line<'_>>, area: Rect, to: &mut Buffer) {
    for (line, y) in lines.into_iter().zip(area.y..area.bottom()) {
        to.set_line(area.x, y, &line, area.width);
    }
}

fn header(app: &App, area: Rect, to: &mut Buffer) {
    let theme = app.theme;
    let view = match &app.view {
        _ if app.help.is_some() => "Help",
        _ if app.shows_goal => "Goal",
        View::Play => "Play",
        View::Watch(_) => "Watch",
        View::Review(_) => "Review",
    };
    let right = usize::from(area.width).saturating_sub(view.len());
    let problem = app.game.problem();
    let text = format!("{}{}, {}", problem.start().size(), goal(problem), app.name);
    // The size and the goal are more important than the name of the program.
    let name = if text.chars().count() + 7 <= right { "Loyd  " } else { "" };
    let text = shorten(&text, right.saturating_sub(name.len() + 1));
    let line =
        Line::from(vec![Span::styled(name, theme.strong()), Span::styled(text, theme.muted())]);
    to.set_line(area.x, area.y, &line, area.width);
    to.set_string(area.x + right as u16, area.y, view, theme.strong());
}

/// Describes the goal, unless it is the usual one.
fn goal(problem: &Problem) -> String {
    match problem.goal_name() {
        Some("blank-last") => String::new(),
        Some(name) => format!(" to {name}"),
        None => format!(" to {}", problem.goal_text()),
    }
}

/// Draws as many keys as fit, always including those for help and for leaving.
fn footer(app: &App, area: Rect, to: &mut Buffer) {
    let is_play = matches!(app.view, View::Play);
    let last: &[keys::Row] = match (app.help, app.next_help_page) {
        (Some(_), Some(_)) => &[("any key", "more"), ("q", "back")],
        (Some(_), None) => &[("any key", "back")],
        (None, _) => &[("?", "help"), ("q", if is_play { "leave" } else { "back" })],
    };
    let is_playing = matches!(&app.view, View::Watch(watch) if watch.playback.is_playing());
    let has_usual_goal = app.game.problem().goal_name() == Some("blank-last");
    let goal: &[keys::Row] =
        if has_usual_goal || app.help.is_some() || app.shows_goal { &[] } else { &[keys::GOAL] };
    let rows: &[keys::Row] = match &app.view {
        _ if app.help.is_some() => &[],
        _ if app.shows_goal => &[("g", "back to the board")],
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
    for row in goal.iter().chain(rows) {
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

/// Minimum number of rows for large digits.
const HIGH: usize = 12;

/// Returns the lines of the panel.
fn panel_lines(app: &App, layout: &Layout, now: Duration) -> Vec<Line<'static>> {
    let (width, height) = (layout.panel.width.into(), layout.panel.height.into());
    let is_high = layout.is_beside && height >= HIGH;
    let mut page =
        Page { theme: app.theme, arrows: app.arrows, width, height, is_high, lines: Vec::new() };
    match &app.view {
        View::Play => play(app, now, &mut page),
        View::Watch(watch) => watch::write_panel(watch, &mut page),
        View::Review(review) => review::write_panel(review, &app.reviews.finished, &mut page),
    }
    page.lines
}

fn play(app: &App, now: Duration, page: &mut Page) {
    let (game, theme) = (&app.game, app.theme);
    let shown = time(game.elapsed(now));
    let [moves, slides] = Metric::ALL.map(|metric| game.count(metric));
    let pace = game.moves_a_second(now).map_or("–".to_owned(), |pace| format!("{pace:.2}"));
    if page.is_high {
        page.headline(&shown, Style::new());
        page.gap();
        let figures = [("Moves", moves.to_string()), ("Slides", slides.to_string())];
        let lines = figures.into_iter().chain([("Per second", pace)]);
        page.lines.extend(lines.map(|(label, figure)| label_line(label, &figure, theme)));
    } else {
        let counts = [quantity(moves, "move"), quantity(slides, "slide"), format!("{pace}/s")];
        let rest = fitting(&counts, page.width.saturating_sub(shown.len()));
        page.lines.push(Line::from(vec![Span::styled(shown, theme.strong()), Span::raw(rest)]));
    }
    let session = app.setup.session.as_ref().map_or(&[][..], Session::rows);
    if page.is_high {
        session_rows(session, page);
    }
    if let Some((tone, text)) = notice(app, now) {
        page.gap();
        page.notice(tone, &text);
    }
    if !page.is_high {
        session_text(session, page);
    }
    let steps = game.steps();
    if !steps.is_empty() {
        page.gap();
        if page.is_high {
            page.line("Your moves", theme.strong());
        }
        page.moves(&steps, steps.len());
    }
}

/// Joins as many counts as fit into `width` columns, each after two spaces.
fn fitting(counts: &[String], width: usize) -> String {
    counts.iter().fold(String::new(), |line, count| {
        let longer = format!("{line}  {count}");
        if longer.chars().count() <= width { longer } else { line }
    })
}

/// Writes a row for each of the statistics of a session.
fn session_rows(rows: &[(&str, String)], page: &mut Page) {
    let theme = page.theme;
    if !rows.is_empty() {
        page.gap();
        page.lines.extend(rows.iter().map(|(label, figure)| label_line(label, figure, theme)));
    }
}

/// Writes the statistics of a session in at most two lines.
fn session_text(rows: &[(&str, String)], page: &mut Page) {
    if !rows.is_empty() {
        // A label and its value stay on one line.
        let words: Vec<_> =
            rows.iter().map(|(label, figure)| format!("{label}\u{a0}{figure}")).collect();
        page.text(&words.join("  "), page.theme.muted(), 2);
    }
}

/// Formats a label and its number.
fn label_line(label: &str, figure: &str, theme: Theme) -> Line<'static> {
    Line::from(vec![
        Span::styled(format!("{label:<11}"), theme.muted()),
        Span::styled(format!("{figure:>7}"), theme.strong()),
    ])
}
