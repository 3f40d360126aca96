//! Character classes and words: separators of cells, frames, signs that are words by themselves, and names of goals.

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

/// Words that name a goal.
const GOALS: [&str; 7] = ["goal", "final", "target", "destination", "end", "finish", "desired"];

/// Returns whether `letter` decorates headings.
pub(super) fn is_ornament(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '=' | '-' | '*' | '#' | '/' | '%')
}

/// Returns whether one of the words of a heading names a goal.
pub(super) fn names_goal(name: &str) -> bool {
    let mut spaced = String::with_capacity(name.len());
    for letter in name.chars() {
        // `goalState`
        let begins_word = letter.is_uppercase() && spaced.ends_with(char::is_lowercase);
        spaced.extend(begins_word.then_some(' '));
        spaced.push(letter);
    }
    let lower = spaced.to_lowercase();
    lower.split(|letter: char| !letter.is_alphabetic()).any(|word| GOALS.contains(&word))
}

/// Returns whether a comment is nothing but the heading of a goal: `## Goal`, `// goal state`.
pub(super) fn is_goal_comment(comment: &str) -> bool {
    const MOST_WORDS: usize = 2;
    let text = comment.trim_matches(is_ornament).trim_end_matches([':', ' ']);
    let is_words = text.chars().all(|letter| letter.is_alphabetic() || letter == ' ');
    is_words && text.split(' ').count() <= MOST_WORDS && names_goal(text)
}
