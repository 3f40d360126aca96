//! Text around boards: comments, code fences, quotation marks of messages, and the source code around a list.

use super::naming::of_comment;
use super::signs::{is_mark, is_space};
use super::symbols::is_tile_like;

/// Returns whether line `number`, which starts with these bytes, is a comment. Among boards, comments of programs, fences
/// of code, the ends of tables in LaTeX and the separator of a spreadsheet, `sep=;`, count too, but what may be the heading of a goal is no comment.
pub(super) fn begins_comment(bytes: &[u8], number: usize, among_boards: bool) -> bool {
    let mark = bytes.strip_prefix("\u{feff}".as_bytes()).filter(|_| number == 1);
    let text = mark.unwrap_or(bytes).trim_ascii_start();
    let starts = |start: &&[u8]| text.starts_with(start);
    let is_comment = text.starts_with(b"#")
        || among_boards && [&b"//"[..], b"%", b"```", b"\\end{"].iter().any(starts)
        || among_boards
            && number == 1
            && matches!(text.trim_ascii_end(), b"sep=" | [b's', b'e', b'p', b'=', _]);
    is_comment
        && !(among_boards && str::from_utf8(text).is_ok_and(|text| of_comment(text).is_some()))
}

/// Returns the length of the prefix of a quoted line of a message or of an interpreter session: `> `, `>>> `.
pub(super) fn quotation(text: &str) -> usize {
    let marks = text.trim_start();
    let rest = marks.trim_start_matches('>');
    if rest.len() < marks.len() { text.len() - rest.trim_start().len() } else { 0 }
}

/// Finds comments after boards. It remembers the last word of a line that is not a cell, so that a line with many signs
/// is searched once.
#[derive(Clone, Debug, Default)]
pub(super) struct CommentFinder {
    /// The bytes up to this one were searched.
    searched: usize,
    /// Where the last word before `searched` that is not a cell begins.
    last_word: Option<usize>,
}

impl CommentFinder {
    /// Returns whether the sign at `start`, one of `#`, `%`, `//` and `--`, starts a comment instead of being a cell or
    /// the end of a row: the rest of the line has a word that is not a cell, and the sign is separated from cells.
    ///
    /// `start` rises from call to call in the same text.
    pub(super) fn is_comment(&mut self, text: &str, start: usize) -> bool {
        let is_apart = |letter: char| {
            is_space(letter) || matches!(letter, ';' | ',' | '}' | ']' | ')' | '\u{feff}')
        };
        if !text[..start].chars().next_back().is_none_or(is_apart) {
            return false;
        }
        let signs = ["#", "%", "//", "--"];
        let Some(sign) = signs.iter().find(|sign| text[start..].starts_with(**sign)) else {
            return false;
        };
        let first = start + sign.len();
        let separates = |letter: char| is_space(letter) || is_mark(letter);
        let first_end = text[first..].find(separates).map_or(text.len(), |length| first + length);
        let glued = &text[first..first_end];
        if !glued.is_empty() && (*sign == "#" || !is_tile_like(glued)) {
            return true;
        }
        if self.searched < first_end {
            let end = line_end(text, first_end);
            let rest = &text[first_end..end];
            let mut words =
                rest.split(separates).filter(|word| !word.is_empty() && !is_tile_like(word));
            self.last_word =
                words.next_back().map(|word| word.as_ptr() as usize - text.as_ptr() as usize);
            self.searched = end;
        }
        self.last_word.is_some_and(|word| word >= first_end)
    }
}

/// Returns the end of the line that contains the byte `start`.
pub(super) fn line_end(text: &str, start: usize) -> usize {
    text[start..].find('\n').map_or(text.len(), |length| start + length)
}

/// Returns whether only white space follows the byte `start` on its line.
pub(super) fn ends_line(text: &str, start: usize) -> bool {
    text[start..].chars().take_while(|&letter| letter != '\n').all(is_space)
}

/// Returns the start of the list in a line of source code, after `board =`, `int b[3][3] =` or `np.array(`, and the
/// number of brackets before it.
pub(super) fn list_start(text: &str, from: usize) -> (usize, usize) {
    let is_name = |letter: char| letter.is_alphanumeric() || "_.:<>$".contains(letter);
    let from = from + array_type(&text[from..]);
    let line = text[from..].find('\n').map_or(text.len(), |at| from + at);
    let begins_with_name = |at: usize| {
        let letters = text[at..line].trim_start().chars().take_while(|&letter| is_name(letter));
        let word: String = letters.collect();
        word.chars().filter(|letter| letter.is_alphabetic()).count() >= 2
            || word.starts_with(char::is_alphabetic) && text[at..line].contains('=')
    };
    let (mut at, mut calls) = (from, 0);
    let is_declaration = |name: &str| {
        let sizes = name.find('[').map_or("", |at| &name[at..]);
        !name.contains(['(', '{']) && (!name.contains(',') || sizes.contains(','))
    };
    if let Some(sign) = text[from..line].find('=')
        && begins_with_name(from)
        && is_declaration(&text[from..from + sign])
    {
        at = from + sign + 1;
    }
    loop {
        let rest = text[at..line].trim_start();
        let word: usize = rest.find(|letter| !is_name(letter)).unwrap_or(rest.len());
        let after = rest[word..].trim_start();
        let next = text[..line].len() - after.len();
        match after.chars().next() {
            _ if word == 0 || !begins_with_name(at) => return (at, calls),
            Some('(') if text[next + 1..].trim_start().starts_with(['[', '(', '{']) => {
                (at, calls) = (next + 1, calls + 1);
            }
            // The type of an array: `int[][] {{…}}`, `int[3,3] {`.
            Some('[') if after.trim_start_matches(is_part_of_type).starts_with('{') => {
                at = next + after.find('{').unwrap_or(0);
            }
            Some('[' | '{' | '(') => return (next, calls),
            // `new int`, `std::vector row{…}`
            Some(letter) if letter.is_alphabetic() => at = next,
            _ => return (at, calls),
        }
    }
}

/// Returns whether `letter` may be in the brackets of the type of an array.
fn is_part_of_type(letter: char) -> bool {
    letter.is_ascii_digit() || "[], ".contains(letter)
}

/// Returns the length of the brackets before the element type: `[3][3]int{{…}}`.
fn array_type(text: &str) -> usize {
    let rest = text.trim_start();
    let behind = rest.trim_start_matches(is_part_of_type);
    let is_type = rest.starts_with('[') && behind.starts_with(char::is_alphabetic);
    let name = behind.trim_start_matches(char::is_alphanumeric);
    if is_type && name.trim_start().starts_with('{') { text.len() - behind.len() } else { 0 }
}

/// Returns whether a word constructs a list from the brackets after it, such as `vec!` in `vec![1, 2]`, or a cell from
/// the number after it, such as `Just` in Haskell.
pub(super) fn is_constructor(word: &str, rest: &str) -> bool {
    if word == "Just" {
        return rest.trim_start().starts_with(|letter: char| letter.is_ascii_digit());
    }
    let letters = word.chars().filter(|letter| letter.is_alphabetic()).count();
    rest.starts_with(['[', '(', '{'])
        && letters >= 2
        && word.chars().all(|letter| letter.is_alphabetic() || "!._:<>".contains(letter))
}
