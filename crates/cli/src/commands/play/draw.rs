//! The screen: a title line, the board, a panel to its right or below, and the keys in the last line.

use std::time::Duration;

use loyd::board::Cell;
use loyd::moves::{Metric, runs};
use loyd::study::{Bounds, Hint};
use loyd::{Board, Move, Problem};
use loyd_play::Push;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::app::{App, HintState, View};
use super::page::Page;
use super::session::named_goal;
use super::theme::{Theme, Tone};
use super::tray::{Marks, Tray};
use super::watch::{self, Job};
use super::words::{self, quantity, review_line, sentence, time, wrap};
use super::{keys, review};
use crate::commands::advice::tiles;
use crate::units;

/// Columns that a panel takes to the right of the board, including the gap, and rows that it takes below.
const RIGHT_COLUMNS: u16 = 34;
const BELOW_ROWS: u16 = 3;

/// Maximum width of the panel.
const MAX_WIDTH: u16 = 60;

/// Minimum size of the screen.
const MIN_SIZE: (u16, u16) = (20, 7);

/// Columns and rows around a board that fills the screen: the title, a panel, the keys, and the gaps between them.
const AROUND: (usize, usize) = (4, 6);

/// Minimum size for margins.
const ROOMY: (u16, u16) = (60, 18);

/// Draws the screen, and stores the position of the board in `app`.
pub fn draw(frame: &mut Frame<'_>, app: &mut App, now: Duration) {
    let (area, theme) = (frame.area(), app.theme);
    let to = frame.buffer_mut();
    (app.tray, app.slider) = (None, None);
    to.set_style(area, theme.page());
    if area.width < MIN_SIZE.0 || area.height < MIN_SIZE.1 {
        let (width, height) = MIN_SIZE;
        let text =
            format!("Too small: {}x{}; the game needs {width}x{height}.", area.width, area.height);
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

/// Returns the page of the help that starts at line `first`, and stores where the next page starts.
fn help_page(app: &mut App, first: usize, body: Rect) -> Vec<Line<'static>> {
    let watches = matches!(app.view, View::Watch(_));
    let lines = keys::help_lines(app.theme, body.width.into(), watches);
    let next = first + usize::from(body.height);
    app.next_help_page = (next < lines.len()).then_some(next);
    lines.into_iter().skip(first).collect()
}

/// Draws the board and its panel.
fn view(app: &mut App, mut body: Rect, now: Duration, to: &mut Buffer) {
    let (theme, game) = (app.theme, &app.game);
    if let View::Watch(watch) = &app.view {
        let slider = Rect { y: body.bottom() - 1, height: 1, ..body };
        body.height -= if body.height >= ROOMY.1 { 2 } else { 1 };
        app.slider = Some(watch::slider(watch, slider, theme, to));
    }
    let board = current_board(app);
    let (tray, is_beside) = Tray::fit(board.size(), board.blank(), body, RIGHT_COLUMNS, BELOW_ROWS);
    tray.draw(board, game.homes(), marks(app), theme, to);
    let panel = match is_beside {
        true => {
            let x = tray.area.right() + 3;
            Rect { x, width: (body.right() - x).min(MAX_WIDTH), ..body }
        }
        false => {
            let y = tray.area.bottom();
            Rect { y, height: body.bottom().saturating_sub(y), ..body }
        }
    };
    let lines = panel_lines(app, &tray, (panel.width.into(), panel.height.into()), is_beside, now);
    put(lines, panel, to);
    app.tray = Some(tray);
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

/// Describes the goal, unless it is the usual one.
fn goal(problem: &Problem) -> String {
    match named_goal(problem) {
        Some(row) if row.name == "blank-last" => String::new(),
        Some(row) => format!(" to {}", row.name),
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

/// Minimum number of rows for large digits.
const HIGH: usize = 12;

/// Returns the lines of a panel of `width` columns and `height` rows.
fn panel_lines(
    app: &App,
    tray: &Tray,
    (width, height): (usize, usize),
    is_beside: bool,
    now: Duration,
) -> Vec<Line<'static>> {
    let is_high = is_beside && height >= HIGH;
    let mut page =
        Page { theme: app.theme, arrows: app.arrows, width, height, is_high, lines: Vec::new() };
    match &app.view {
        View::Play => play(app, now, &mut page),
        View::Watch(watch) => watch::write_panel(watch, &mut page),
        View::Review(review) => review::write_panel(review, &app.reviews.finished, &mut page),
    }
    if let Some(part) = tray.part() {
        let (columns, rows) = tray.least_extent();
        let (columns, rows) = (columns + AROUND.0, rows + AROUND.1);
        let lines = wrap(&format!("{part}; all need {columns}x{rows}"), width);
        page.lines.truncate(height.saturating_sub(lines.len()));
        page.lines.extend(lines.into_iter().map(|line| Line::styled(line, app.theme.muted())));
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
        let rest =
            format!("  {}  {}  {pace}/s", quantity(moves, "move"), quantity(slides, "slide"));
        page.lines.push(Line::from(vec![Span::styled(shown, theme.strong()), Span::raw(rest)]));
    }
    if let Some(session) = &app.setup.session {
        session_lines(&session.statistics(game.problem()), page);
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
        page.moves(&steps, steps.len());
    }
}

/// Writes the statistics of a session: a row for each, or all of them in one line if the screen is low.
fn session_lines(rows: &[(&str, String)], page: &mut Page) {
    let theme = page.theme;
    if page.is_high {
        page.gap();
        page.lines.extend(rows.iter().map(|(label, figure)| label_line(label, figure, theme)));
    } else {
        let words: Vec<_> =
            rows.iter().map(|(label, figure)| format!("{label} {figure}")).collect();
        page.text(&words.join("  "), theme.muted(), 1);
    }
}

/// Formats a label and its number.
fn label_line(label: &str, figure: &str, theme: Theme) -> Line<'static> {
    Line::from(vec![
        Span::styled(format!("{label:<11}"), theme.muted()),
        Span::styled(format!("{figure:>7}"), theme.strong()),
    ])
}

/// Returns the current message.
fn notice(app: &App, now: Duration) -> Option<(Tone, String)> {
    let game = &app.game;
    if let Some(job) = &app.drawing {
        let status = || sentence(&job.description(now));
        let text = match app.setup.length {
            Some(length) => {
                format!("Searching for a board of length {length}. Esc cancels. {}", status())
            }
            None => "Drawing a board.".to_owned(),
        };
        return Some((Tone::Accent, text));
    }
    if let Some(key) = app.pending_key {
        let to_do = match key {
            'n' => "for a new board",
            'r' => "to start again",
            _ => "to leave",
        };
        return Some((Tone::Warn, format!("Press {key} again {to_do}: the clock is running.")));
    }
    if let Some(notice) = &app.notice {
        return Some((Tone::Warn, sentence(notice)));
    }
    match &app.hint {
        _ if game.is_over() => Some((Tone::Good, result(app, now))),
        _ if !app.is_solvable() => Some((Tone::Warn, words::unsolvable(game.solvability()))),
        HintState::Searching(job) => Some((Tone::Accent, first_hint(app, job, now))),
        HintState::Found(hint) => Some((Tone::Accent, hint_text(app, hint))),
        HintState::None if game.is_new() && game.problem().is_solved_by(game.board()) => {
            Some((Tone::Good, "This board is solved. Press n for one that is not.".to_owned()))
        }
        HintState::None if game.is_new() => {
            Some((Tone::Plain, "No moves yet. Slide a tile to start the clock.".to_owned()))
        }
        HintState::None => None,
    }
}

/// Describes the first move of the best solution so far, while the search for a better one runs.
fn first_hint(app: &App, job: &Job<Hint>, now: Duration) -> String {
    let moves = job.moves();
    match runs(&moves).next() {
        Some(first) => format!(
            "{} {} to go so far. Searching for fewer.",
            sentence(&tiles(app.game.board(), first)),
            units::moves(moves.len())
        ),
        None => format!("Searching for a hint: {}.", job.description(now)),
    }
}

fn hint_text(app: &App, hint: &Hint) -> String {
    let (Some(first), Some(bounds)) = (hint.best.first(), Bounds::of(&hint.report)) else {
        return "No hint was found in time.".to_owned();
    };
    let others = match hint.best.len() {
        1 => "",
        2 => " Another move is as good.",
        _ => " Other moves are as good.",
    };
    let go = sentence(&tiles(app.game.board(), first));
    match bounds.exact_value() {
        Some(length) => format!("{go} {} to go from there.{others}", units::moves(length - 1)),
        None => format!(
            "{go} The best known solution has {}; at least {} are needed.",
            units::moves(bounds.upper),
            bounds.lower
        ),
    }
}

/// Describes how the game went.
fn result(app: &App, now: Duration) -> String {
    let game = &app.game;
    let mut text = format!("Solved in {}", time(game.elapsed(now)));
    let mut helped = Vec::new();
    if game.hints > 0 {
        helped.push(quantity(game.hints, "hint"));
    }
    if game.undos > 0 {
        helped.push(quantity(game.undos, "undo"));
    }
    if game.watched {
        helped.push("the solution watched".to_owned());
    }
    if !helped.is_empty() {
        text += &format!(", with {}", helped.join(" and "));
    }
    text += ". ";
    text += &match (app.reviews.finished.first(), &app.reviews.failed) {
        (Some(review), _) if review.lost().upper == 0 => sentence(&review_line(review)),
        (Some(review), _) => format!("{} Press v to see where.", sentence(&review_line(review))),
        (None, Some(error)) => format!("There is no review: {error}."),
        (None, None) => "Reviewing the moves.".to_owned(),
    };
    text
}
