//! Words of a command, as a shell takes them.

/// The word in quotes, if a POSIX shell would take it for more than a word.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./=,:+@%".contains(&byte);
    if !word.is_empty() && word.bytes().all(is_plain) {
        return word.to_owned();
    }
    // Nothing between quotes means anything else, and they end at the next one.
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_what_they_are_in_a_shell() {
        assert_eq!(quoted("--lengths=10,20-30"), "--lengths=10,20-30");
        for word in ["", "*", "a b", "1;2", "$HOME", "~", "#", "it's", "\"", "\\", "`ls`", "a\nb"] {
            let quoted = quoted(word);
            let inner = quoted.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')).unwrap();
            assert_eq!(inner.replace(r"'\''", "'"), word);
        }
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}
