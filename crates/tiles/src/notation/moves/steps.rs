//! The words of a text in one notation, understood as far as that needs no board.

use std::ops::Range;
use std::str::FromStr;

use super::super::error::{Flaw, quote};
use super::super::input::separates;
use super::{MOST_MOVES, Notation, Step, What, too_many_moves};
use crate::moves::Move;
use crate::tile::Tile;

/// The words of `text`, read as `notation`.
pub(super) fn read(text: &str, notation: Notation) -> Result<Vec<Step>, Flaw> {
    match notation {
        Notation::Blank | Notation::Tile => letters(text, notation),
        Notation::Numbers => numbers(text),
        Notation::Coordinates => coordinates(text),
    }
}

/// Adds a word, which stands for at least a move.
fn push(steps: &mut Vec<Step>, span: Range<usize>, what: What) -> Result<(), Flaw> {
    if steps.len() == MOST_MOVES {
        return Err(too_many_moves(span));
    }
    steps.push(Step { span, what });
    Ok(())
}

/// Letters, each with a number behind it or none.
fn letters(text: &str, notation: Notation) -> Result<Vec<Step>, Flaw> {
    let (mut steps, mut at) = (Vec::new(), 0);
    while let Some(letter) = text[at..].chars().next() {
        let start = at;
        at += letter.len_utf8();
        if separates(letter) {
            continue;
        }
        let Some(m) = move_of(letter, notation) else {
            return Err(not_a_move(start, letter, notation));
        };
        let digits = digits(text, at);
        let count = if digits.is_empty() { Some(1) } else { number(&text[digits.clone()]) };
        at = digits.end;
        let count = count.ok_or_else(|| {
            let message = format!("{} is not a number of moves", quote(&text[digits.clone()]));
            Flaw::new(digits, message).with_help("1 to 255 are, as in R3")
        })?;
        push(&mut steps, start..at, What::Run(m, count))?;
    }
    Ok(steps)
}

fn move_of(letter: char, notation: Notation) -> Option<Move> {
    match notation {
        Notation::Tile if letter.is_ascii_uppercase() => {
            Move::from_letter(letter.to_ascii_lowercase()).map(Move::inverse)
        }
        Notation::Tile => None,
        _ => Move::from_letter(letter),
    }
}

fn not_a_move(at: usize, letter: char, notation: Notation) -> Flaw {
    let shown = quote(letter.encode_utf8(&mut [0; 4]));
    let allowed = match notation {
        Notation::Tile => "U, D, L and R are, the direction in which the tile travels",
        _ => "u, d, l and r are, the direction in which the blank travels",
    };
    let flaw = Flaw::new(at..at + letter.len_utf8(), format!("{shown} is not a move: {allowed}"));
    let same = letter.to_ascii_lowercase();
    let Some(opposite) = Move::from_letter(same).map(|m| m.inverse().letter()) else { return flaw };
    flaw.with_help(match notation {
        Notation::Tile => format!(
            "write {} if the tile goes there; write {} if the blank does",
            same.to_ascii_uppercase(),
            opposite.to_ascii_uppercase()
        ),
        _ => format!(
            "write {same} if the blank goes there; write {opposite} if this is speed-solvers' \
             notation, where the tile does"
        ),
    })
}

/// Numbers of tiles, separated by white space and commas.
fn numbers(text: &str) -> Result<Vec<Step>, Flaw> {
    let mut steps = Vec::new();
    let mut at = 0;
    while let Some(length) = text[at..].find(|letter| !separates(letter)) {
        let start = at + length;
        at = text[start..].find(separates).map_or(text.len(), |length| start + length);
        let word = &text[start..at];
        let tile = number(word).ok_or_else(|| {
            let flaw = Flaw::new(start..at, format!("{} is not the number of a tile", quote(word)));
            match word {
                "0" => flaw.with_help("name the tile that moves, not the blank"),
                _ => flaw.with_help("tiles are numbered from 1, up to 255"),
            }
        })?;
        push(&mut steps, start..at, What::Tile(Tile::new(tile)))?;
    }
    Ok(steps)
}

/// Pairs of numbers, `2,3` or `(2, 3)`, separated by white space or semicolons, framed ones by commas too.
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

/// The pair that begins at `start`, and where it ends.
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

/// The digits of `text` from the byte `at` on.
fn digits(text: &str, at: usize) -> Range<usize> {
    let length = text[at..].find(|letter: char| !letter.is_ascii_digit());
    at..length.map_or(text.len(), |length| at + length)
}

/// A number of at least 1 in decimal digits.
fn number<N: FromStr + Default + PartialEq>(digits: &str) -> Option<N> {
    let decimal = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|number| decimal && *number != N::default())
}
