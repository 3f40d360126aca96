//! The meaning of keys, their names in the footer, and the help, which lists all of them.

use loyd::Move;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::text::{Line, Span};

use super::theme::Theme;

/// Returns a key with its letter in lower case, so that Caps Lock and Shift do not change its meaning. A terminal sends
/// capital letters for both, which are read as letters with Shift.
pub fn without_case(key: &KeyEvent) -> KeyEvent {
    match key.code {
        KeyCode::Char(letter) => {
            KeyEvent { code: KeyCode::Char(letter.to_ascii_lowercase()), ..*key }
        }
        _ => *key,
    }
}

/// Returns the direction of a key, and whether it applies to all tiles on that side.
pub fn direction(key: &KeyEvent) -> Option<(Move, bool)> {
    if is_held(key, KeyModifiers::CONTROL | KeyModifiers::ALT) {
        return None;
    }
    let direction = match key.code {
        KeyCode::Up | KeyCode::Char('w' | 'k') => Move::Up,
        KeyCode::Down | KeyCode::Char('s' | 'j') => Move::Down,
        KeyCode::Left | KeyCode::Char('a' | 'h') => Move::Left,
        KeyCode::Right | KeyCode::Char('d' | 'l') => Move::Right,
        _ => return None,
    };
    Some((direction, is_held(key, KeyModifiers::SHIFT)))
}

/// Returns whether any of these modifiers is held.
pub fn is_held(key: &KeyEvent, modifiers: KeyModifiers) -> bool {
    key.modifiers.intersects(modifiers)
}

/// Returns whether the key is Control with this letter.
pub fn is_control(key: &KeyEvent, letter: char) -> bool {
    is_held(key, KeyModifiers::CONTROL) && key.code == KeyCode::Char(letter)
}

/// A key and its action.
pub type Row = (&'static str, &'static str);

/// The keys during a game, most useful first.
pub const PLAY: &[Row] = &[
    ("arrows", "slide"),
    ("n", "new"),
    ("i", "hint"),
    ("u", "undo"),
    ("p", "watch"),
    ("r", "restart"),
    ("b", "arrows: tile or blank"),
];

/// The key that shows the goal, for games whose goal is not the usual one.
pub const GOAL: Row = ("g", "goal");

/// The keys after a game.
pub const OVER: &[Row] =
    &[("n", "new"), ("v", "review"), ("p", "watch the best"), ("r", "start again")];

/// The keys for a board that cannot be solved.
pub const UNSOLVABLE: &[Row] =
    &[("x", "exchange"), ("arrows", "slide"), ("n", "new"), ("u", "undo"), ("r", "restart")];

/// The key that plays a solution, and its meaning during playback.
pub const SPACE: Row = ("space", "play");
pub const PAUSE: Row = ("space", "pause");

/// The keys while watching.
pub const WATCH: &[Row] =
    &[SPACE, ("← →", "step"), ("↑ ↓", "speed"), ("Home", "start"), ("0–9", "jump")];

/// The keys while watching a running search.
pub const SEARCH: &[Row] = &[
    SPACE,
    ("s", "stop searching"),
    ("← →", "step"),
    ("↑ ↓", "speed"),
    ("Home", "start"),
    ("0–9", "jump"),
];

/// The keys of the review.
pub const REVIEW: &[Row] =
    &[("↑ ↓", "choose"), ("← →", "step"), ("Tab", "moves, slides"), ("p", "watch the best")];

/// All keys, as in the help.
pub const ALL: &[(&str, &[Row]); 3] = &[
    (
        "Play",
        &[
            ("arrows, wasd, hjkl", "slide a tile"),
            ("with Shift", "slide a whole line"),
            ("click", "slide up to there"),
            ("u, Backspace", "undo"),
            ("y, Ctrl-Y, Ctrl-R", "redo"),
            ("i", "hint"),
            ("p", "watch the solution"),
            ("v", "review"),
            ("x", "exchange two tiles"),
            ("r", "start again"),
            ("n", "new board"),
        ],
    ),
    (
        "Watch",
        &[
            ("space", "play, pause"),
            ("← →", "step back, step"),
            ("↑ ↓", "faster, slower"),
            ("Home, End, 0–9", "jump, or click"),
            ("s", "stop searching"),
        ],
    ),
    (
        "Everywhere",
        &[
            ("g", "show the goal"),
            ("b", "tile or blank"),
            ("c", "light or dark"),
            ("Esc, q", "back"),
            ("Ctrl-Z", "suspend"),
            ("q in play, Ctrl-C", "leave"),
        ],
    ),
];

/// Minimum width for all keys in two columns.
const TWO_COLUMNS: usize = 76;

/// Minimum width for a key and its action on the same line.
const ONE_LINE: usize = 38;

/// Width of the column of key names.
const KEY_WIDTH: usize = 19;

/// Returns the help for a screen of `width` columns. Narrow screens only show the keys of the current view, where
/// `watches` is whether a solution is being watched.
pub fn help_lines(theme: Theme, width: usize, watches: bool) -> Vec<Line<'static>> {
    let [play, watch, everywhere] = ALL;
    let keys = |rows: &[Row]| -> Vec<_> {
        rows.iter().flat_map(|row| of_key(row, width, theme)).collect()
    };
    if width < TWO_COLUMNS {
        let view = if watches { watch } else { play };
        return [keys(view.1), keys(everywhere.1)].concat();
    }
    let titled = |(title, rows): &(&'static str, &[Row])| {
        [vec![Line::styled(*title, theme.strong())], keys(rows)].concat()
    };
    let right = [titled(watch), vec![Line::default()], titled(everywhere)].concat();
    side_by_side(titled(play), right, width.div_ceil(2) + 2)
}

/// Formats a key on one line, or on two if the screen is narrow.
fn of_key((key, word): &Row, width: usize, theme: Theme) -> Vec<Line<'static>> {
    if width < ONE_LINE {
        let word = Line::styled(format!("  {word}"), theme.muted());
        return vec![Line::styled(*key, theme.accent()), word];
    }
    let padding = " ".repeat(KEY_WIDTH.saturating_sub(key.chars().count()));
    let word = Span::styled(format!("{padding}{word}"), theme.muted());
    vec![Line::from(vec![Span::styled(*key, theme.accent()), word])]
}

/// Joins lines side by side; the right ones start at `column`.
fn side_by_side(
    left: Vec<Line<'static>>,
    right: Vec<Line<'static>>,
    column: usize,
) -> Vec<Line<'static>> {
    let rows = left.len().max(right.len());
    let mut columns = [left.into_iter(), right.into_iter()];
    let row = |_| {
        let [left, right] = columns.each_mut().map(|column| column.next().unwrap_or_default());
        let padding = Span::raw(" ".repeat(column.saturating_sub(left.width())));
        let spans = [left, Line::from(padding), right].into_iter().flat_map(|line| {
            let style = line.style;
            line.spans.into_iter().map(move |span| Span { style: style.patch(span.style), ..span })
        });
        Line::from(spans.collect::<Vec<_>>())
    };
    (0..rows).map(row).collect()
}
