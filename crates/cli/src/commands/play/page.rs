//! The lines of a panel: text, lists of moves with the current one highlighted, and large digits.

use loyd::Move;
use loyd::moves::runs;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::theme::{Theme, Tone};
use super::words::{run, wrap};
use crate::args::Arrows;

/// Collects the lines of a panel.
pub struct Page {
    pub theme: Theme,
    pub arrows: Arrows,
    pub width: usize,
    pub height: usize,
    pub is_high: bool,
    pub lines: Vec<Line<'static>>,
}

impl Page {
    pub fn gap(&mut self) {
        if self.is_high {
            self.lines.push(Line::default());
        }
    }

    pub fn line(&mut self, text: impl Into<String>, style: Style) {
        self.lines.push(Line::styled(text.into(), style));
    }

    /// Adds the most important number of the view, in large digits if they fit.
    pub fn headline(&mut self, text: &str, style: Style) {
        let narrow = text.replace(' ', "");
        let fits = |text: &&str| self.is_high && digits_width(text) <= self.width;
        match [text, &narrow].into_iter().find(fits) {
            Some(text) => {
                self.lines.extend(digit_rows(text).map(|row| Line::styled(row, style)));
            }
            None => self.line(text, style.patch(self.theme.strong())),
        }
    }

    /// Adds a wrapped text with a background color.
    pub fn notice(&mut self, tone: Tone, text: &str) {
        let width = self.width.saturating_sub(2).max(1);
        for line in wrap(text, width) {
            let text = match tone {
                Tone::Plain => line,
                _ => format!(" {line:<width$} "),
            };
            self.line(text, self.theme.notice(tone));
        }
    }

    /// Adds a wrapped text of at most `most` lines.
    pub fn text(&mut self, text: &str, style: Style, most: usize) {
        for line in wrap(text, self.width).into_iter().take(most) {
            self.line(line, style);
        }
    }

    /// Adds a list of moves in which the one that led to step `at` is visible.
    pub fn moves(&mut self, moves: &[Move], at: usize) {
        let left = self.height.saturating_sub(self.lines.len());
        self.lines.extend(chips(moves, at, (self.width, left), self.arrows, self.theme));
    }
}

/// Returns the moves in lines of `width` columns, with runs combined. The move that led to step `at` is highlighted; if
/// there are more than `most` lines, those around it are returned.
fn chips(
    moves: &[Move],
    at: usize,
    (width, most): (usize, usize),
    arrows: Arrows,
    theme: Theme,
) -> Vec<Line<'static>> {
    let (mut lines, mut used, mut done, mut current) = (vec![Vec::new()], 0, 0, 0);
    for steps in runs(moves) {
        let text = run(steps, arrows);
        let columns = text.chars().count();
        if used > 0 && used + 1 + columns > width {
            lines.push(Vec::new());
            used = 0;
        }
        if used > 0 {
            lines.last_mut().expect("there is a line").push(Span::raw(" "));
            used += 1;
        }
        let is_current = at > done && at <= done + steps.len();
        if is_current {
            current = lines.len() - 1;
        }
        let style = match () {
            () if is_current => theme.chosen(),
            () if done >= at => theme.muted(),
            () => theme.page(),
        };
        lines.last_mut().expect("there is a line").push(Span::styled(text, style));
        used += columns;
        done += steps.len();
    }
    let first =
        (current + 1).saturating_sub(most.div_ceil(2)).min(lines.len().saturating_sub(most));
    lines.into_iter().skip(first).take(most).map(Line::from).collect()
}

/// Height of a text in rows.
const DIGIT_HEIGHT: usize = 3;

/// Five rows of three bits each, the most significant on the left.
const GLYPHS: [(char, [u8; 5]); 16] = [
    ('0', [7, 5, 5, 5, 7]),
    ('1', [2, 6, 2, 2, 7]),
    ('2', [7, 1, 7, 4, 7]),
    ('3', [7, 1, 7, 1, 7]),
    ('4', [5, 5, 7, 1, 1]),
    ('5', [7, 4, 7, 1, 7]),
    ('6', [7, 4, 7, 5, 7]),
    ('7', [7, 1, 1, 1, 1]),
    ('8', [7, 5, 7, 5, 7]),
    ('9', [7, 5, 7, 1, 7]),
    (':', [0, 2, 0, 2, 0]),
    ('.', [0, 0, 0, 0, 2]),
    ('?', [7, 1, 3, 0, 2]),
    ('≤', [1, 2, 1, 0, 3]),
    ('*', [0, 5, 2, 5, 0]),
    (' ', [0, 0, 0, 0, 0]),
];

/// Returns the width of a text in columns.
pub fn digits_width(text: &str) -> usize {
    text.chars().map(glyph_columns).sum()
}

/// Colons, points and spaces are narrow.
fn glyph_columns(letter: char) -> usize {
    if matches!(letter, ':' | '.' | ' ') { 2 } else { 4 }
}

/// Returns the rows of a text of digits, `:`, `.`, `?`, `≤`, `*` and spaces.
pub fn digit_rows(text: &str) -> [String; DIGIT_HEIGHT] {
    let mut rows: [String; DIGIT_HEIGHT] = Default::default();
    for letter in text.chars() {
        let glyph = GLYPHS.iter().find(|(known, _)| *known == letter);
        let glyph = glyph.map_or([0; 5], |(_, glyph)| *glyph);
        let narrow = glyph_columns(letter) == 2;
        for (row, text) in rows.iter_mut().enumerate() {
            let bits = |line: usize| glyph.get(line).copied().unwrap_or(0);
            let (upper, lower) = (bits(2 * row), bits(2 * row + 1));
            let places = if narrow { 1..2 } else { 0..3 };
            for place in places {
                let is_on = |bits: u8| bits >> (2 - place) & 1 == 1;
                text.push(match (is_on(upper), is_on(lower)) {
                    (true, true) => '█',
                    (true, false) => '▀',
                    (false, true) => '▄',
                    (false, false) => ' ',
                });
            }
            text.push(' ');
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use loyd::notation::parse_moves;
    use ratatui::style::Modifier;

    use crate::commands::play::theme::Depth;

    use super::*;

    #[test]
    fn current_move_is_visible() {
        let theme = Theme { depth: Depth::None, dark: true };
        let moves = parse_moves(&"ulddr".repeat(20)).unwrap();
        let text = |at, size| {
            let lines = chips(&moves, at, size, Arrows::Blank, theme);
            lines.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(text(0, (7, 2)), ["u l d2", "r u l"]);
        let lines = chips(&moves, 99, (7, 3), Arrows::Blank, theme);
        let is_chosen = |span: &Span<'_>| span.style.add_modifier.contains(Modifier::REVERSED);
        let chosen: Vec<_> =
            lines.iter().flat_map(|line| &line.spans).filter(|span| is_chosen(span)).collect();
        assert_eq!((lines.len(), chosen.len(), chosen[0].content.as_ref()), (3, 1, "d2"));
        assert!(chips(&[], 0, (7, 2), Arrows::Tile, theme)[0].spans.is_empty());
    }

    #[test]
    fn digits_are_drawn() {
        assert_eq!(digit_rows("12:4").join("\n"), "▄█  ▀▀█ ▄ █ █ \n █  █▀▀ ▄ ▀▀█ \n▀▀▀ ▀▀▀     ▀ ");
        assert!(
            digit_rows("0:59.1").iter().all(|row| row.chars().count() == digits_width("0:59.1"))
        );
    }
}
