//! Symbols: decodes the words of cells as tiles or the blank.
//!
//! A text is read as decimal numbers first. The other readings are tried only if these make no board, and each of
//! them leaves a note: the largest number as the blank, tiles numbered from 0, hexadecimal digits, letters.

use std::ops::Range;

use super::error::Flaw;
use crate::quote::quote;
use crate::size::Size;

/// Words that mean the blank if they fill a cell.
const BLANK_WORDS: &[&str] = &[
    "x", "X", "_", "__", "___", ".", "·", "*", "-", "–", "—", "-1", "#", "b", "B", "□", "⬜", "⬛",
    "◻", "▢", "☐", "␣", "None", "none", "null", "NULL", "nil", "NaN", "nan", "Nothing", "blank",
    "empty",
];

/// The allowed names of tiles and of the blank, for messages.
pub(super) const ALLOWED: &str = "tiles are numbers, the blank is x, X, 0, _ or .";

/// Returns whether `word` means the blank, except for `0`.
pub(super) fn is_blank_word(word: &str) -> bool {
    word.trim().is_empty() || BLANK_WORDS.contains(&word)
}

/// Returns whether a word is the content of a cell in decimal notation: a number or a usual name of the blank.
///
/// # Examples
/// ```
/// use loyd_tiles::notation::is_cell;
/// assert!(is_cell("15") && is_cell("x") && is_cell("None") && !is_cell("solve"));
/// ```
pub fn is_cell(word: &str) -> bool {
    !word.trim().is_empty() && is_tile_like(word)
}

/// Returns whether `word` may be the content of a cell in decimal notation, or of an empty cell.
pub(super) fn is_tile_like(word: &str) -> bool {
    is_blank_word(word) || whole(word).bytes().all(|byte| byte.is_ascii_digit())
}

/// Tile numbers in reading order, with the assumption made to get them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) numbers: Vec<u32>,
    /// The assumption of a reading that is not plain, as a message for the user.
    pub(super) note: Option<String>,
}

impl Numbers {
    fn plain(numbers: Vec<u32>) -> Self {
        Self { numbers, note: None }
    }

    fn with_note(numbers: Vec<u32>, note: String) -> Self {
        Self { numbers, note: Some(note) }
    }
}

/// The content of a cell in decimal notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Symbol {
    Number(u32),
    Blank,
}

/// Returns the number of the tile at `word`, 0 for the blank; `blank` is the word that the user declared as the blank.
///
/// # Errors
/// Returns an error if the word is neither a number nor a name of the blank.
pub(super) fn number(text: &str, word: &Range<usize>, blank: Option<&str>) -> Result<u32, Flaw> {
    Ok(match symbol(text, word, blank)? {
        Symbol::Number(number) => number,
        Symbol::Blank => 0,
    })
}

fn symbol(text: &str, word: &Range<usize>, blank: Option<&str>) -> Result<Symbol, Flaw> {
    let token = &text[word.clone()];
    let flaw = |allowed: &str| {
        Flaw::new(word.clone(), format!("{} is not a tile: {allowed}", quote(token)))
    };
    if token.is_empty() {
        return Ok(Symbol::Blank);
    }
    if blank.is_some_and(|blank| means_the_same(blank, token)) {
        return Ok(Symbol::Blank);
    }
    let token = whole(token);
    if token.bytes().all(|byte| byte.is_ascii_digit()) {
        let largest = format!("the largest that any board has is {}", Size::MAX_CELLS - 1);
        return token.parse().map(Symbol::Number).map_err(|_| flaw(&largest));
    }
    match blank {
        None if is_blank_word(token) => Ok(Symbol::Blank),
        None => Err(flaw(ALLOWED)),
        Some(blank) => Err(flaw(&format!("tiles are numbers, the blank is {blank}"))),
    }
}

/// Returns the digits of a whole number that is written as `7.` or `7.0`, as programs print arrays of real numbers.
fn whole(token: &str) -> &str {
    match token.split_once('.') {
        Some((digits, rest))
            if !digits.is_empty()
                && digits.bytes().all(|byte| byte.is_ascii_digit())
                && rest.bytes().all(|byte| byte == b'0') =>
        {
            digits
        }
        _ => token,
    }
}

/// Returns whether `token` is the declared blank: the same letters or the same number.
fn means_the_same(blank: &str, token: &str) -> bool {
    let number = |word: &str| word.parse::<u32>().ok();
    blank == token || number(blank).is_some_and(|value| number(token) == Some(value))
}

/// Reads the cells of a board as decimal numbers, 0 for the blank. The numbers need not make a board.
///
/// # Errors
/// Returns the first cell that holds neither a tile nor the blank.
pub(super) fn decimal(
    text: &str,
    cells: &[Range<usize>],
    blank: Option<&str>,
) -> Result<Numbers, Flaw> {
    let symbols: Vec<Symbol> =
        cells.iter().map(|cell| symbol(text, cell, blank)).collect::<Result<_, _>>()?;
    let number = |symbol: &Symbol| match symbol {
        Symbol::Number(number) => *number,
        Symbol::Blank => 0,
    };
    let numbers: Vec<u32> = symbols.iter().map(number).collect();
    let blanks = symbols.iter().filter(|&&symbol| symbol == Symbol::Blank).count();
    let tiles = || symbols.iter().filter(|&&symbol| symbol != Symbol::Blank).map(number);
    let count = cells.len() as u32;
    if let Some(word) = blank.filter(|_| blanks == 0) {
        let end = cells.last().map_or(0, |cell| cell.end);
        return Err(Flaw::new(
            end..end,
            format!("{} is the blank, and no cell shows it", quote(word)),
        ));
    }
    if blanks == 1 && count > 2 && is_range(tiles(), 0) {
        let numbers = symbols.iter().map(|symbol| match symbol {
            Symbol::Number(number) => number + 1,
            Symbol::Blank => 0,
        });
        let note =
            format!("read with tiles numbered from 0 to {}: tile 0 is shown as 1", count - 2);
        return Ok(Numbers::with_note(numbers.collect(), note));
    }
    if blanks == 0 && blank.is_none() && count > 2 && is_range(numbers.iter().copied(), 1) {
        let without_largest = |&number: &u32| if number == count { 0 } else { number };
        let note = format!("read {count} as the blank: it is the number of cells");
        return Ok(Numbers::with_note(numbers.iter().map(without_largest).collect(), note));
    }
    Ok(Numbers::plain(numbers))
}

/// Returns whether `numbers` are `first`, `first` + 1, …, each once, in any order.
fn is_range(numbers: impl Iterator<Item = u32>, first: u32) -> bool {
    let mut numbers: Vec<u32> = numbers.collect();
    numbers.sort_unstable();
    numbers.into_iter().zip(first..).all(|(number, expected)| number == expected)
}

/// Reads the cells as single letters: as digits of base 36 (including hexadecimal), and as positions in the alphabet.
/// Returns only readings that use each tile once.
pub(super) fn in_letters(text: &str, cells: &[Range<usize>], blank: Option<&str>) -> Vec<Numbers> {
    let mut letters = Vec::with_capacity(cells.len());
    for cell in cells {
        let mut content = text[cell.clone()].chars();
        match (content.next(), content.next()) {
            (letter, None) => letters.push(letter.unwrap_or(' ')),
            _ => return Vec::new(),
        }
    }
    if !letters.iter().any(|letter| letter.is_ascii_alphabetic()) {
        return Vec::new();
    }
    let base = if cells.len() <= 16 { "hexadecimal digits" } else { "digits of base 36" };
    let digit = |letter: char| letter.to_digit(36);
    let place = |letter: char| letter.is_ascii_alphabetic().then(|| letter.to_digit(36)).flatten();
    let place = |letter: char| place(letter).map(|value| value - 9);
    let readings = [
        one_alphabet(&letters, digit, blank, base),
        one_alphabet(&letters, place, blank, "letters, A for tile 1"),
    ];
    readings.into_iter().flatten().collect()
}

/// Returns the letters as numbers by `value` if these make a board.
fn one_alphabet(
    letters: &[char],
    value: impl Fn(char) -> Option<u32>,
    blank: Option<&str>,
    name: &str,
) -> Option<Numbers> {
    let values: Vec<Option<u32>> = letters.iter().map(|&letter| value(letter)).collect();
    let cell = blank_letter(letters, &values, blank)?;
    let tiles = || values.iter().enumerate().filter(|&(at, _)| at != cell).map(|(_, &v)| v);
    let tiles: Vec<u32> = tiles().collect::<Option<_>>()?;
    let first = tiles.iter().copied().min().filter(|&first| first <= 1)?;
    if !is_range(tiles.iter().copied(), first) {
        return None;
    }
    let shift = 1 - first;
    let mut numbers: Vec<u32> = tiles.iter().map(|tile| tile + shift).collect();
    numbers.insert(cell, 0);
    let shown = match letters[cell] {
        ' ' => "the empty cell".to_owned(),
        letter => quote(letter.encode_utf8(&mut [0; 4])),
    };
    let renumbered = if shift == 1 { "; tile 0 is shown as 1" } else { "" };
    let note = format!("read as {name}; {shown} is the blank{renumbered}");
    Some(Numbers::with_note(numbers, note))
}

/// Returns the cell of the blank among letters with these values: the declared one, the only sign outside the
/// alphabet, 0, an `x` beyond the other letters, or the last letter if there is a letter for every cell.
fn blank_letter(letters: &[char], values: &[Option<u32>], blank: Option<&str>) -> Option<usize> {
    let only = |is_blank: &dyn Fn(usize) -> bool| {
        let mut found = (0..letters.len()).filter(|&at| is_blank(at));
        found.next().filter(|_| found.next().is_none())
    };
    if let Some(blank) = blank {
        return only(&|at| {
            let letter = letters[at].encode_utf8(&mut [0; 4]).to_owned();
            letter.eq_ignore_ascii_case(blank) || (letter == " " && is_blank_word(blank))
        });
    }
    let is_outside = |at: usize| {
        let word = letters[at].to_string();
        values[at].is_none() && (is_blank_word(&word) || letters[at] == '0')
    };
    let is_beyond = |at: usize| {
        letters[at].eq_ignore_ascii_case(&'x')
            && values[at].is_some_and(|value| value as usize > letters.len())
    };
    let cells = letters.len() as u32;
    let all_letters = || is_range(values.iter().map(|value| value.unwrap_or(0)), 1);
    only(&is_outside)
        .or_else(|| only(&|at| values[at] == Some(0)))
        .or_else(|| only(&is_beyond))
        .or_else(|| only(&|at| values[at] == Some(cells)).filter(|_| all_letters()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(text: &str) -> Vec<Range<usize>> {
        text.char_indices().map(|(at, letter)| at..at + letter.len_utf8()).collect()
    }

    fn letters(text: &str, blank: Option<&str>) -> Vec<String> {
        let readings = in_letters(text, &cells(text), blank);
        let shown = |read: &Numbers| {
            let numbers: Vec<String> = read.numbers.iter().map(u32::to_string).collect();
            format!("{}: {}", numbers.join(" "), read.note.as_deref().unwrap_or_default())
        };
        readings.iter().map(shown).collect()
    }

    #[test]
    fn letters_are_read_if_each_tile_appears_once() {
        assert_eq!(
            letters("FE169B4C0A73D852", None),
            ["15 14 1 6 9 11 4 12 0 10 7 3 13 8 5 2: read as hexadecimal digits; `0` is the blank"]
        );
        assert_eq!(
            letters("0FD1C3B648952A7E", Some("F")),
            [
                "1 0 14 2 13 4 12 7 5 9 10 6 3 11 8 15: read as hexadecimal digits; `F` is the blank; \
              tile 0 is shown as 1"
            ]
        );
        for (text, read) in [
            ("AB_C", "1 2 0 3: read as letters, A for tile 1; `_` is the blank"),
            ("ab0c", "1 2 0 3: read as letters, A for tile 1; `0` is the blank"),
            ("ABXC", "1 2 0 3: read as letters, A for tile 1; `X` is the blank"),
            ("ABDC", "1 2 0 3: read as letters, A for tile 1; `D` is the blank"),
        ] {
            assert_eq!(letters(text, None), [read]);
        }
        for text in ["1230", "ABCE", "AAB_", "AB__", "12_A"] {
            assert_eq!(letters(text, None), [""; 0], "{text}");
        }
    }

    #[test]
    fn numbers_are_shifted_only_if_that_makes_a_board() {
        let read = |text: &str, blank: Option<&str>| decimal(text, &cells(text), blank);
        let numbers = |text: &str, blank| read(text, blank).unwrap().numbers;
        assert_eq!(numbers("12x3", None), [1, 2, 0, 3]);
        assert_eq!(numbers("01x2", None), [1, 2, 0, 3]);
        assert_eq!(numbers("1243", None), [1, 2, 0, 3]);
        assert_eq!(numbers("1143", None), [1, 1, 4, 3]);
        assert_eq!(numbers("0132", Some("3")), [1, 2, 0, 3]);
        assert!(read("1204", Some("3")).is_err());
        assert!(read("12q4", None).unwrap_err().message.contains("`q` is not a tile"));
    }
}
