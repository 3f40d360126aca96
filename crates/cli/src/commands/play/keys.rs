//! What keys mean, and how they are named.

use loyd::Move;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Where a key points, and whether it means all tiles on that side.
pub fn direction(key: &KeyEvent) -> Option<(Move, bool)> {
    if is_held(key, KeyModifiers::CONTROL | KeyModifiers::ALT) {
        return None;
    }
    let shift = key.modifiers.contains(KeyModifiers::SHIFT);
    let (direction, all) = match key.code {
        KeyCode::Up => (Move::Up, shift),
        KeyCode::Down => (Move::Down, shift),
        KeyCode::Left => (Move::Left, shift),
        KeyCode::Right => (Move::Right, shift),
        KeyCode::Char(letter) => {
            let direction = match letter.to_ascii_lowercase() {
                'w' | 'k' => Move::Up,
                's' | 'j' => Move::Down,
                'a' | 'h' => Move::Left,
                'd' | 'l' => Move::Right,
                _ => return None,
            };
            (direction, letter.is_ascii_uppercase())
        }
        _ => return None,
    };
    Some((direction, all))
}

/// Whether one of these keys is held.
pub fn is_held(key: &KeyEvent, modifiers: KeyModifiers) -> bool {
    key.modifiers.intersects(modifiers)
}

/// Whether Control and this letter are pressed.
pub fn is_control(key: &KeyEvent, letter: char) -> bool {
    is_held(key, KeyModifiers::CONTROL) && key.code == KeyCode::Char(letter)
}

/// A key and what it does.
pub type Row = (&'static str, &'static str);

/// The most useful keys of a game, the first ones first.
pub const PLAY: &[Row] = &[
    ("arrows", "slide"),
    ("n", "new"),
    ("i", "hint"),
    ("u", "undo"),
    ("p", "watch"),
    ("r", "restart"),
    ("b", "arrows: tile or blank"),
];

/// Those of a game that is over.
pub const OVER: &[Row] =
    &[("n", "new"), ("v", "review"), ("p", "watch the best"), ("r", "start again")];

/// Those of a board that cannot be solved.
pub const UNSOLVABLE: &[Row] =
    &[("x", "exchange"), ("arrows", "slide"), ("n", "new"), ("u", "undo"), ("r", "restart")];

/// What plays a solution, and what it does while that is played.
pub const SPACE: Row = ("space", "play");
pub const PAUSE: Row = ("space", "pause");

/// Those of watching.
pub const WATCH: &[Row] =
    &[SPACE, ("← →", "step"), ("↑ ↓", "speed"), ("Home", "start"), ("0–9", "jump")];

/// Those of watching while the search goes on.
pub const SEARCH: &[Row] = &[
    SPACE,
    ("s", "stop searching"),
    ("← →", "step"),
    ("↑ ↓", "speed"),
    ("Home", "start"),
    ("0–9", "jump"),
];

/// Those of the review.
pub const REVIEW: &[Row] =
    &[("↑ ↓", "choose"), ("← →", "step"), ("Tab", "moves, slides"), ("p", "watch the best")];

/// All keys, as the help shows them.
pub const ALL: &[(&str, &[Row]); 3] = &[
    (
        "Play",
        &[
            ("arrows, wasd, hjkl", "slide a tile"),
            ("with Shift", "slide a whole line"),
            ("click", "slide up to there"),
            ("u, Backspace", "undo"),
            ("y, Ctrl-R", "redo"),
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
            ("b", "tile or blank"),
            ("c", "light or dark"),
            ("Esc, q", "back"),
            ("Ctrl-Z", "suspend"),
            ("q in play, Ctrl-C", "leave"),
        ],
    ),
];
