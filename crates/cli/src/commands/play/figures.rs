//! Large figures, three rows high.

/// The height of a text in rows.
pub const HEIGHT: usize = 3;

/// Rows of three bits, the highest on the left.
const GLYPHS: [(char, [u8; 5]); 15] = [
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
    (' ', [0, 0, 0, 0, 0]),
];

/// The width of a text in columns.
pub fn width(text: &str) -> usize {
    text.chars().map(columns).sum()
}

/// Points and blanks are narrow.
fn columns(letter: char) -> usize {
    if matches!(letter, ':' | '.' | ' ') { 2 } else { 4 }
}

/// The rows of a text of digits, `:`, `.`, `?`, `≤` and blanks.
pub fn rows(text: &str) -> [String; HEIGHT] {
    let mut rows: [String; HEIGHT] = Default::default();
    for letter in text.chars() {
        let glyph = GLYPHS.iter().find(|(known, _)| *known == letter);
        let glyph = glyph.map_or([0; 5], |(_, glyph)| *glyph);
        let narrow = columns(letter) == 2;
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
    use super::*;

    #[test]
    fn figures_are_drawn() {
        assert_eq!(rows("12:4").join("\n"), "▄█  ▀▀█ ▄ █ █ \n █  █▀▀ ▄ ▀▀█ \n▀▀▀ ▀▀▀     ▀ ");
        assert!(rows("0:59.1").iter().all(|row| row.chars().count() == width("0:59.1")));
    }
}
