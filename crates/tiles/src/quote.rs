//! Words of the input in messages.

/// Formats a word of the input for messages: in back quotes, short, and free of control characters.
pub(crate) fn quote(word: &str) -> String {
    const SHOWN: usize = 24;
    let mut quoted = String::from("`");
    for letter in word.chars().take(SHOWN) {
        match letter {
            '\'' | '"' | '\\' => quoted.push(letter),
            _ => quoted.extend(letter.escape_debug()),
        }
    }
    if word.chars().nth(SHOWN).is_some() {
        quoted.push('…');
    }
    quoted + "`"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_short_and_printable() {
        assert_eq!(quote("\0a'\u{200b}"), "`\\0a'\\u{200b}`");
        assert_eq!(quote(&"é".repeat(25)), format!("`{}…`", "é".repeat(24)));
    }
}
