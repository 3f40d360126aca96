//! Character classes: separators of cells, frames, ornaments, and signs that are words by themselves.

/// Returns whether this is white space or a frame character of a drawn board, which is treated as white space.
pub(super) fn is_space(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '\u{2500}'..='\u{257f}')
}

/// Returns whether this separates tiles.
pub(super) fn separates(letter: char) -> bool {
    is_space(letter) || letter == ','
}

/// Vertical lines of drawn frames.
pub(super) fn is_vertical(letter: char) -> bool {
    matches!(letter, '│' | '┃' | '║' | '¦')
}

/// Returns whether a line is a rule between rows: `+---+---+`, `|---|`, `=====`, `├──┼──┤`.
pub(super) fn is_rule(line: &str) -> bool {
    let drawn = |letter: char| matches!(letter, '\u{2500}'..='\u{257f}') && !is_vertical(letter);
    let is_part = |letter: char| "+-=|:~ \t\r".contains(letter) || is_vertical(letter);
    line.chars().all(|letter| is_part(letter) || drawn(letter))
        && (["--", "==", "-+", "+-", ":-", "-:"].iter().any(|part| line.contains(part))
            || line.chars().any(drawn))
}

/// Returns whether `letter` is a picture of the blank, which is a separate word even without spaces around it.
pub(super) fn is_blank_glyph(letter: char) -> bool {
    matches!(letter, '□' | '⬜' | '⬛' | '◻' | '▢' | '☐' | '␣')
}

/// Returns whether `letter` separates or frames cells or rows, so that it ends a word.
pub(super) fn is_mark(letter: char) -> bool {
    matches!(letter, ',' | '/' | ';' | '|' | '&' | '\\' | '[' | ']' | '(' | ')' | '{' | '}')
        || is_vertical(letter)
        || is_quote(letter)
        || is_blank_glyph(letter)
}

/// Returns whether `letter` is a quotation mark.
pub(super) fn is_quote(letter: char) -> bool {
    matches!(letter, '"' | '\'' | '`')
}

/// Returns whether `letter` decorates headings.
pub(super) fn is_ornament(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '=' | '-' | '*' | '#' | '/' | '%')
}

/// Returns whether a line has words and neither numbers nor brackets, so that it is neither a row nor a part of a board.
pub(super) fn is_words(line: &str) -> bool {
    let is_small =
        |word: &str| word.as_bytes().windows(2).any(|two| two.iter().all(u8::is_ascii_lowercase));
    line.split_whitespace().nth(1).is_some()
        && !line.contains(|letter: char| letter.is_ascii_digit() || "[](){}=|".contains(letter))
        && line.split_whitespace().any(is_small)
}
