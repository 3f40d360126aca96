//! Splits a text in one notation into steps, decoded as far as possible without a board.
//!
//! First quotes and brackets become spaces: `['r', 'd']`, `["Left", "Up"]`, `(6, 8, 5)`. Then signs of directions (letters,
//! words and arrows, each optionally followed by a count), numbers of tiles, or coordinates are read.

use std::borrow::Cow;
use std::ops::Range;
use std::str::FromStr;

use super::notations::{Mover, Notation};
use super::{MAX_MOVES, Span, Step, What, too_many_moves};
use crate::moves::Move;
use crate::notation::error::Flaw;
use crate::notation::signs::separates;
use crate::quote::quote;
use crate::size::{Size, Tile};

/// Reads the words of `text` as `notation`.
pub(super) fn read(text: &str, notation: Notation) -> Result<Vec<Step>, Flaw> {
    let text = &*unframed(text, notation)?;
    match notation {
        Notation::Numbers => numbers(text),
        Notation::Coordinates => coordinates(text),
        _ => signs(text, notation),
    }
}

/// Reads numbers of tiles, separated by white space and commas.
fn numbers(text: &str) -> Result<Vec<Step>, Flaw> {
    let mut steps = Vec::new();
    let mut at = 0;
    while let Some(length) = text[at..].find(|letter| !separates(letter)) {
        let start = at + length;
        at = text[start..].find(separates).map_or(text.len(), |length| start + length);
        let word = &text[start..at];
        let tile = number(word).filter(|&tile: &u16| usize::from(tile) < Size::MAX_CELLS);
        let tile = tile.ok_or_else(|| {
            let flaw = Flaw::new(start..at, format!("{} is not the number of a tile", quote(word)));
            match word {
                "0" => flaw.with_help("name the tile that moves, not the blank"),
                _ => flaw.with_help("tiles are numbered from 1, up to 9999"),
            }
        })?;
        push(&mut steps, start..at, What::Tile(Tile::new(tile)))?;
    }
    Ok(steps)
}

/// Reads pairs of numbers, `2,3` or `(2, 3)`, separated by white space or semicolons; pairs in brackets by commas too.
fn coordinates(text: &str) -> Result<Vec<Step>, Flaw> {
    let between = |letter: char| letter.is_whitespace() || letter == ';';
    let (mut steps, mut at) = (Vec::new(), 0);
    while let Some(length) = text[at..].find(|letter| !between(letter) && letter != ',') {
        let start = at + length;
        let (pair, end) = pair(text, start).ok_or_else(|| {
            let end = text[start..].find(between).map_or(text.len(), |length| start + length);
            let word = start..end;
            let message = format!("{} is not a row and a column", quote(&text[word.clone()]));
            Flaw::new(word, message).with_help("write 2,3 or (2, 3) for row 2 and column 3")
        })?;
        at = end;
        push(&mut steps, start..end, What::At(pair.0, pair.1))?;
    }
    Ok(steps)
}

/// Returns the pair that starts at `start`, and its end.
fn pair(text: &str, start: usize) -> Option<((u16, u16), usize)> {
    let framed = text[start..].starts_with('(');
    let skip = |at: usize| match framed {
        true => text.len() - text[at..].trim_start().len(),
        false => at,
    };
    let row = digits(text, skip(start + usize::from(framed)));
    let comma = skip(row.end);
    text[comma..].starts_with(',').then_some(())?;
    let column = digits(text, skip(comma + 1));
    let mut end = column.end;
    if framed {
        end = skip(end);
        text[end..].starts_with(')').then_some(())?;
        end += 1;
    }
    let ended = |letter: char| {
        letter.is_whitespace() || matches!(letter, ';' | '(') || framed && letter == ','
    };
    text[end..].chars().next().is_none_or(ended).then_some(())?;
    Some(((number(&text[row])?, number(&text[column])?), end))
}

/// Returns `text` with spaces in place of quotes around words and of brackets around the whole text, so that every word
/// keeps its position. Bracketed pairs, which are coordinates within a list, get parentheses.
///
/// Two numbers in parentheses are a row and a column, not a list of tiles.
///
/// # Errors
/// Returns an error for a list that is never closed: it may have been cut off.
pub(super) fn unframed(text: &str, notation: Notation) -> Result<Cow<'_, str>, Flaw> {
    if !text.contains(['[', ']', '(', ')', '{', '}', '\'', '"']) {
        return Ok(text.into());
    }
    let mut bytes = text.as_bytes().to_vec();
    let quoted = blank_quotes(text, &mut bytes);
    let start = text.len() - text.trim_start().len();
    let are_pairs = notation == Notation::Coordinates;
    if text[start..].starts_with(['[', '(', '{']) {
        match closing(&bytes, start) {
            Some(end) if !text[end + 1..].trim().is_empty() => {}
            Some(end) => {
                let inner = &text[start + 1..end];
                let is_nested = quoted || inner.contains(['[', '(']);
                let is_list = bytes[start] != b'(' || is_nested;
                let is_pair = are_pairs || notation == Notation::Numbers && has_two_words(inner);
                if is_list || !is_pair {
                    (bytes[start], bytes[end]) = (b' ', b' ');
                }
                if are_pairs && is_list {
                    bytes.iter_mut().for_each(|byte| *byte = parenthesis(*byte));
                }
            }
            None if are_pairs => {}
            None => {
                let message = format!("{} is never closed", quote(&text[start..=start]));
                return Err(Flaw::new(start..start + 1, message));
            }
        }
    }
    Ok(String::from_utf8(bytes).expect("only ASCII bytes are replaced, by ASCII bytes").into())
}

/// Replaces quotes around words by spaces; returns whether there are any.
fn blank_quotes(text: &str, bytes: &mut [u8]) -> bool {
    let is_edge = |letter: Option<char>| {
        letter.is_none_or(|letter| separates(letter) || "[](){};".contains(letter))
    };
    let mut opened: Option<(usize, u8)> = None;
    let mut quoted = false;
    for at in 0..text.len() {
        let byte = text.as_bytes()[at];
        if !matches!(byte, b'\'' | b'"') {
            continue;
        }
        match opened {
            Some((start, same)) if same == byte && is_edge(text[at + 1..].chars().next()) => {
                (bytes[start], bytes[at]) = (b' ', b' ');
                (opened, quoted) = (None, true);
            }
            None if is_edge(text[..at].chars().next_back()) => opened = Some((at, byte)),
            _ => {}
        }
    }
    quoted
}

/// Returns the index of the bracket that closes the one at `start`.
fn closing(bytes: &[u8], start: usize) -> Option<usize> {
    let mut open = Vec::new();
    for (at, &byte) in bytes.iter().enumerate().skip(start) {
        match byte {
            b'[' => open.push(b']'),
            b'(' => open.push(b')'),
            b'{' => open.push(b'}'),
            b']' | b')' | b'}' if open.pop() != Some(byte) => return None,
            b']' | b')' | b'}' if open.is_empty() => return Some(at),
            _ => {}
        }
    }
    None
}

/// Returns whether `inner` has exactly two words.
fn has_two_words(inner: &str) -> bool {
    inner.split(separates).filter(|word| !word.is_empty()).count() == 2
}

fn parenthesis(byte: u8) -> u8 {
    match byte {
        b'[' => b'(',
        b']' => b')',
        byte => byte,
    }
}

/// Reads the signs in `text`, which has no brackets or quotes.
pub(super) fn signs(text: &str, notation: Notation) -> Result<Vec<Step>, Flaw> {
    let (mut steps, mut at) = (Vec::new(), 0);
    while let Some(letter) = text[at..].chars().next() {
        let start = at;
        if separates(letter) {
            at += letter.len_utf8();
            continue;
        }
        let Some((direction, end)) = sign(text, start, notation) else {
            return Err(not_a_move(text, start, notation));
        };
        let m = match notation.mover() {
            Some(Mover::Tile) => direction.inverse(),
            _ => direction,
        };
        let digits = digits(text, count_start(text, end, notation));
        let count = if digits.is_empty() { Some(1) } else { number(&text[digits.clone()]) };
        at = if digits.is_empty() { end } else { digits.end };
        let count = count.ok_or_else(|| {
            let message = format!("{} is not a number of moves", quote(&text[digits.clone()]));
            Flaw::new(digits, message).with_help("1 to 255 are, as in R3")
        })?;
        push(&mut steps, start..at, What::Run(m, count))?;
    }
    Ok(steps)
}

/// Returns the direction of the sign at `start` and the end of the sign.
fn sign(text: &str, start: usize, notation: Notation) -> Option<(Move, usize)> {
    let letter = text[start..].chars().next()?;
    let end = start + letter.len_utf8();
    match notation {
        Notation::Words | Notation::TileWords => {
            let end = start + word(&text[start..]).len();
            let word = text[start..end].to_ascii_lowercase();
            let row = WORDS.iter().find(|(name, _)| *name == word)?;
            Some((row.1, end))
        }
        Notation::Arrows | Notation::TileArrows => {
            let row = ARROWS.iter().find(|(arrows, _)| arrows.contains(&letter))?;
            let selector = text[end..].chars().next().filter(|letter| SELECTORS.contains(letter));
            Some((row.1, end + selector.map_or(0, char::len_utf8)))
        }
        Notation::Tile | Notation::Capitals if !letter.is_ascii_uppercase() => None,
        Notation::Tile | Notation::Capitals => {
            Some((Move::from_letter(letter.to_ascii_lowercase())?, end))
        }
        _ => Some((Move::from_letter(letter)?, end)),
    }
}

const WORDS: [(&str, Move); 4] =
    [("up", Move::Up), ("left", Move::Left), ("right", Move::Right), ("down", Move::Down)];

/// Ordinary, halfwidth and emoji arrows.
const ARROWS: [([char; 3], Move); 4] = [
    (['↑', '￪', '⬆'], Move::Up),
    (['←', '￩', '⬅'], Move::Left),
    (['→', '￫', '➡'], Move::Right),
    (['↓', '￬', '⬇'], Move::Down),
];

/// Variation selectors, which may follow an arrow.
const SELECTORS: [char; 2] = ['\u{fe0e}', '\u{fe0f}'];

/// Returns the leading letters of `text`.
fn word(text: &str) -> &str {
    let end = text.find(|letter: char| !letter.is_alphabetic());
    &text[..end.unwrap_or(text.len())]
}

/// Returns the start of the count after a sign that ends at `end`. Spaces may separate it from a word.
fn count_start(text: &str, end: usize, notation: Notation) -> usize {
    match notation {
        Notation::Words | Notation::TileWords => {
            let spaces = text[end..].len() - text[end..].trim_start_matches(' ').len();
            end + spaces
        }
        _ => end,
    }
}

fn not_a_move(text: &str, at: usize, notation: Notation) -> Flaw {
    let letter = text[at..].chars().next().unwrap_or_default();
    let mover = match notation.mover() {
        Some(Mover::Tile) => "tile",
        _ => "blank",
    };
    let (signs, word) = match notation {
        Notation::Words | Notation::TileWords => ("up, down, left and right", word(&text[at..])),
        Notation::Arrows | Notation::TileArrows => ("↑, ↓, ← and →", ""),
        Notation::Tile | Notation::Capitals => ("U, D, L and R", ""),
        _ => ("u, d, l and r", ""),
    };
    let length = word.len().max(letter.len_utf8());
    let shown = quote(&text[at..at + length]);
    let message =
        format!("{shown} is not a move: {signs} are, the direction in which the {mover} travels");
    let flaw = Flaw::new(at..at + length, message);
    match other_case(letter, notation) {
        Some(help) => flaw.with_help(help),
        None => flaw,
    }
}

/// Returns the help for a `letter` that is a move in the other case.
fn other_case(letter: char, notation: Notation) -> Option<String> {
    let same = letter.to_ascii_lowercase();
    let opposite = Move::from_letter(same).map(|m| m.inverse().letter())?;
    match notation {
        Notation::Tile => Some(format!(
            "write {} if the tile goes there; write {} if the blank does",
            same.to_ascii_uppercase(),
            opposite.to_ascii_uppercase()
        )),
        Notation::Blank => Some(format!(
            "write {same} if the blank goes there; write {opposite} if this is speed-solvers' \
             notation, where the tile does"
        )),
        _ => None,
    }
}

/// Adds a word, which gives at least one move.
pub(super) fn push(steps: &mut Vec<Step>, span: Range<usize>, what: What) -> Result<(), Flaw> {
    if steps.len() == MAX_MOVES {
        return Err(too_many_moves(span));
    }
    steps.push(Step { span: Span::new(span), what });
    Ok(())
}

/// Returns the range of the digits of `text` from the byte `at` on.
pub(super) fn digits(text: &str, at: usize) -> Range<usize> {
    let length = text[at..].find(|letter: char| !letter.is_ascii_digit());
    at..length.map_or(text.len(), |length| at + length)
}

/// Parses decimal digits as a number of at least 1.
pub(super) fn number<N: FromStr + Default + PartialEq>(digits: &str) -> Option<N> {
    let decimal = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|number| decimal && *number != N::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_quotes_become_spaces() {
        for (text, notation, plain) in [
            ("['r','d']", Notation::Blank, "  r , d  "),
            ("[\"Left\", 'Up']", Notation::Words, "  Left ,  Up  "),
            ("(r, d)", Notation::Blank, " r, d "),
            ("\"rd\"", Notation::Blank, " rd "),
            ("[6, 8, 5]", Notation::Numbers, " 6, 8, 5 "),
            ("(6, 8, 5)", Notation::Numbers, " 6, 8, 5 "),
            ("(6, 8)", Notation::Numbers, "(6, 8)"),
            ("(6, 8)", Notation::Coordinates, "(6, 8)"),
            ("(1,3),(1,1)", Notation::Coordinates, "(1,3),(1,1)"),
            ("[(1,3),(1,1)]", Notation::Coordinates, " (1,3),(1,1) "),
            ("[[1,3],[1,1]]", Notation::Coordinates, " (1,3),(1,1) "),
            ("R' D'", Notation::Tile, "R' D'"),
            ("'r'3", Notation::Blank, "'r'3"),
            ("[r] [d]", Notation::Blank, "[r] [d]"),
        ] {
            assert_eq!(unframed(text, notation).as_deref(), Ok(plain), "{text}");
        }
    }

    #[test]
    fn truncated_lists_are_rejected() {
        for text in ["['r','d'", "[r, d)", "(r, d", "[[r]"] {
            let flaw = unframed(text, Notation::Blank).unwrap_err();
            assert!(flaw.message.ends_with("is never closed"), "{text}");
        }
    }
}
