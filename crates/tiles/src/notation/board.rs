//! Reads one board in any form.

use std::borrow::Cow;
use std::ops::Range;

use super::error::{Flaw, NotationError};
use super::holes;
use super::reading::{BoardText, Hints, brief, square};
use super::scan::Scanner;
use super::symbols::{ALLOWED, Numbers, decimal, in_letters, is_tile_like};
use super::table::Table;
use crate::board::{Board, BoardError, Fault};
use crate::quote::quote;
use crate::size::{Size, count};

/// Returns the length of the byte order mark at the start of `text`, or 0.
pub(super) fn mark(text: &str) -> usize {
    if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
}

/// Reads the board in `text` from the byte `from`.
pub(super) fn read(
    text: &str,
    from: usize,
    first_line: usize,
    hints: Hints<'_>,
) -> Result<BoardText, NotationError> {
    if let Some(board) = plain(&text[from..], hints) {
        return Ok(BoardText { board, notes: Vec::new() });
    }
    let read = || {
        let (scanner, size) = scanned(text, from, hints.size)?;
        board(&scanner, text, Hints { size, ..hints })
    };
    read().map_err(|flaw| flaw.locate(text, first_line))
}

/// Reads the board that `scanner` has found in `text`.
pub(super) fn finish(
    scanner: &Scanner,
    text: &str,
    first_line: usize,
    hints: Hints<'_>,
) -> Result<BoardText, NotationError> {
    let read = || {
        let size = checked_size(scanner, text, 0, hints.size)?;
        board(scanner, text, Hints { size, ..hints })
    };
    read().map_err(|flaw| flaw.locate(text, first_line))
}

/// Reads decimal numbers in one row, or in rows that end at `/`, by far the most common forms, without trying any other.
fn plain(text: &str, hints: Hints<'_>) -> Option<Board> {
    if hints.blank.is_some() {
        return None;
    }
    let mut numbers = Vec::with_capacity(16);
    let (mut rows, mut width) = (0, 0);
    for row in text.split('/') {
        let start = numbers.len();
        for word in row.split([' ', '\t', '\r']).filter(|word| !word.is_empty()) {
            numbers.push(match word.as_bytes() {
                [b'x'] => 0,
                [digit @ b'0'..=b'9'] => u32::from(digit - b'0'),
                [tens @ b'0'..=b'9', ones @ b'0'..=b'9'] => {
                    u32::from(tens - b'0') * 10 + u32::from(ones - b'0')
                }
                _ => return None,
            });
        }
        rows += 1;
        let length = numbers.len() - start;
        width = if rows == 1 { length } else { width };
        // One number is a column or a row of joined tiles.
        if length != width || length < 2 {
            return None;
        }
    }
    let size = match rows {
        1 => hints.size.or_else(|| square(numbers.len()))?,
        _ => Size::new(width as u32, rows).ok()?,
    };
    hints.size.is_none_or(|expected| expected == size).then(|| Board::new(size, &numbers).ok())?
}

/// Returns the words of a text and its size: the size written before the tiles, `4x4:1,2,…`, or `size`.
pub(super) fn scanned(
    text: &str,
    from: usize,
    size: Option<Size>,
) -> Result<(Scanner, Option<Size>), Flaw> {
    let (from, size) = match text[from..].split_once(':') {
        Some((prefix, _)) => match prefix.trim().parse::<Size>() {
            Ok(own) if size.is_some_and(|size| size != own) => {
                let message =
                    format!("the board is {own}, where a {} one is expected", size.unwrap_or(own));
                return Err(Flaw::new(from..from + prefix.len(), message));
            }
            Ok(own) => (from + prefix.len() + 1, Some(own)),
            Err(_) => (from, size),
        },
        None => (from, size),
    };
    let scanner = Scanner::of(text, from);
    let size = checked_size(&scanner, text, from, size)?;
    Ok((scanner, size))
}

/// Checks what was scanned from the byte `from`; returns the size in the declaration of the list, or else `size`.
fn checked_size(
    scanner: &Scanner,
    text: &str,
    from: usize,
    size: Option<Size>,
) -> Result<Option<Size>, Flaw> {
    scanner.check()?;
    match declared_size(&text[from..]) {
        Some(own) if size.is_some_and(|size| size != own) => {
            let message = format!("the list is declared as {own}, where another size is expected");
            Err(Flaw::new(from..text.len(), message))
        }
        own => Ok(own.or(size)),
    }
}

/// Returns the size in the declaration of a list without rows: `int b[2][8] = {1, 2, …};` has two rows.
fn declared_size(text: &str) -> Option<Size> {
    let (name, list) = text.split_once('=')?;
    if list.matches(['{', '[', '(']).count() != 1 {
        return None;
    }
    let (_, sides) = name.trim_end().strip_suffix(']')?.split_once('[')?;
    let (rows, columns) = sides.split_once("][").or_else(|| sides.split_once(','))?;
    let side = |digits: &str| digits.trim().parse().ok();
    Size::new(side(columns)?, side(rows)?).ok()
}

/// Returns the most likely table of a text, with joined tiles split.
pub(super) fn first_table(scanner: &Scanner, text: &str) -> Table {
    let table = scanner.tables().swap_remove(0);
    table.split_rows(text).unwrap_or(table)
}

/// A possible board of a table, and the assumptions made.
type Candidate = (Board, Vec<Cow<'static, str>>);

fn board(scanner: &Scanner, text: &str, hints: Hints<'_>) -> Result<BoardText, Flaw> {
    if scanner.words().is_empty() {
        return Err(Flaw::new(0..0, "there is no tile, so no board"));
    }
    let first = first_table(scanner, text);
    let flaw = match in_decimal(&first, text, hints) {
        Ok((board, notes)) => {
            if hints.size.is_none() {
                check_row(&first, text, board.size())?;
            }
            return Ok(BoardText { board, notes });
        }
        Err(flaw) => not_a_word(scanner, text).unwrap_or(flaw),
    };
    let mut found: Vec<Candidate> = Vec::new();
    for table in tables(scanner, text) {
        let letters = in_letters(text, table.cells(), hints.blank).into_iter();
        let letters = letters.filter_map(|read| checked(&table, text, hints.size, read).ok());
        for candidate in in_decimal(&table, text, hints).into_iter().chain(letters) {
            if found.iter().all(|(board, _)| *board != candidate.0) {
                found.push(candidate);
            }
        }
    }
    match found.as_slice() {
        [(board, notes)] => Ok(BoardText { board: board.clone(), notes: notes.clone() }),
        [] => holes::fill(&first, text, hints).unwrap_or(Err(explained(flaw, &first, text))),
        [one, other, ..] => Err(ambiguity(&first, one, other)),
    }
}

/// Returns the flaw of a text that starts with a word of letters that is not a board without separators.
fn not_a_word(scanner: &Scanner, text: &str) -> Option<Flaw> {
    let word = scanner.words().first()?.clone();
    let shown = &text[word.clone()];
    let is_word = shown.chars().count() > 1 && shown.chars().all(char::is_alphabetic);
    let is_tile = |letter: char| is_tile_like(letter.encode_utf8(&mut [0; 4]));
    (is_word && !is_tile_like(shown) && !shown.chars().all(is_tile))
        .then(|| Flaw::new(word, format!("{} is not a tile: {ALLOWED}", quote(shown))))
}

/// Returns all possible tables of the text.
pub(super) fn tables(scanner: &Scanner, text: &str) -> Vec<Table> {
    let mut all = Vec::new();
    for table in scanner.tables() {
        all.extend(table.split_rows(text));
        all.extend(table.split_words(text));
        all.push(table);
    }
    all
}

fn in_decimal(table: &Table, text: &str, hints: Hints<'_>) -> Result<Candidate, Flaw> {
    const MOST_TOGETHER: usize = 10;
    let is_together = |word: &Range<usize>| table.cells().len() > MOST_TOGETHER && word.len() == 1;
    let touches = |pair: &[Range<usize>]| pair[0].end == pair[1].start;
    if table.cells().iter().all(is_together) && table.cells().windows(2).any(touches) {
        let word = table.cells()[0].start..table.cells()[table.cells().len() - 1].end;
        let shown = quote(text[word.clone()].split_whitespace().next().unwrap_or_default());
        return Err(Flaw::new(
            word,
            format!("{shown} runs on: at most {MOST_TOGETHER} tiles may be run together"),
        )
        .with_help(
            "separate the tiles by spaces, or write them as hexadecimal digits or letters",
        ));
    }
    let numbers = decimal(text, table.cells(), hints.blank)?;
    checked(table, text, hints.size, numbers)
}

/// Returns the board of a table whose cells have these numbers.
fn checked(
    table: &Table,
    text: &str,
    size: Option<Size>,
    read: Numbers,
) -> Result<Candidate, Flaw> {
    let mut notes: Vec<Cow<'static, str>> = read.note.into_iter().map(Cow::from).collect();
    let (table, size) = with_shape(table, size)?;
    let board = Board::new(size, &read.numbers).map_err(|error| fault(&error, &table, text))?;
    if let Some(cell) = table.cells().iter().position(Range::is_empty) {
        let (row, column) = (cell / size.width() + 1, cell % size.width() + 1);
        notes.push(
            format!("read the empty place in row {row}, column {column} as the blank").into(),
        );
    }
    Ok((board, notes))
}

/// Returns the shape of a table, and the table without its rows if each line has one tile of a board of several rows.
pub(super) fn with_shape(
    table: &Table,
    size: Option<Size>,
) -> Result<(Cow<'_, Table>, Size), Flaw> {
    match shape(table, size) {
        Ok(column) if size.is_none() && table.is_column() && !table.closed => {
            Ok((Cow::Borrowed(table), certain_column(table, column)?))
        }
        Ok(size) => Ok((Cow::Borrowed(table), size)),
        Err(flaw) if table.is_column() => {
            let flat = table.flat();
            let size = shape(&flat, size).map_err(|_| flaw)?;
            Ok((Cow::Owned(flat), size))
        }
        Err(flaw) => Err(flaw),
    }
}

/// Returns the size of a column, or the flaw if its cells may also be a square board with one tile per line.
fn certain_column(table: &Table, column: Size) -> Result<Size, Flaw> {
    let Some(square) = square(table.cells().len()) else { return Ok(column) };
    let message = format!("this may be a {square} board with one tile on each line, or a column");
    let span = table.cells()[0].start..end(table.cells()).end;
    Err(Flaw::new(span, message).with_help(format!("give --size {square} or --size {column}")))
}

/// Returns the flaw of a list with a single list, `[[1, 2, 3, 0]]`, that may be a row or a square board.
fn check_row(table: &Table, text: &str, size: Size) -> Result<(), Flaw> {
    let cells = table.cells();
    let is_row = size.height() == 1
        && size.width() > 1
        && !text[end(cells).end..].trim_start().starts_with('/');
    let Some(square) = square(cells.len()).filter(|_| is_row) else { return Ok(()) };
    let message = format!("this may be a {square} board in one list, or a single row");
    let span = cells[0].start..end(cells).end;
    Err(Flaw::new(span, message).with_help(format!("give --size {square} or --size {size}")))
}

/// Describes the faulty tiles of a board, at the first of them.
fn fault(error: &BoardError, table: &Table, _text: &str) -> Flaw {
    Flaw::new(span(error, table.cells()), error.to_string())
}

/// Returns the word with the first fault of a board.
pub(super) fn span(error: &BoardError, words: &[Range<usize>]) -> Range<usize> {
    let index = match error.faults.first() {
        Some(Fault::Count { expected, .. }) => *expected,
        Some(Fault::Range { cell, .. } | Fault::Repeated { second: cell, .. }) => cell.index(),
        Some(Fault::Missing(_)) | None => words.len(),
    };
    words.get(index).cloned().unwrap_or_else(|| end(words))
}

/// Returns the empty span after the last word.
pub(super) fn end(words: &[Range<usize>]) -> Range<usize> {
    let end = words.last().map_or(0, |word| word.end);
    end..end
}

/// Adds help to the flaw if the board has all tiles but no blank.
fn explained(flaw: Flaw, table: &Table, text: &str) -> Flaw {
    match (flaw.help.is_none(), holes::is_without_blank(table, text)) {
        (true, true) => flaw.with_help("the blank is missing: write 0 in its place"),
        _ => flaw,
    }
}

fn ambiguity(table: &Table, (one, how): &Candidate, (other, otherwise): &Candidate) -> Flaw {
    let shown = |board: &Board, notes: &[Cow<'_, str>]| match notes {
        [] => brief(board),
        notes => format!("{} ({})", brief(board), notes.join(", ")),
    };
    let message = format!(
        "this can be read in two ways: {} and {}",
        shown(one, how),
        shown(other, otherwise)
    );
    let span = table.cells()[0].start..end(table.cells()).end;
    Flaw::new(span, message).with_help("write the tiles as numbers, or name the blank with --blank")
}

pub(super) fn shape(table: &Table, size: Option<Size>) -> Result<Size, Flaw> {
    let cells = table.cells();
    match size {
        _ if cells.is_empty() => Err(Flaw::new(0..0, "there is no tile, so no board")),
        _ if table.has_rows() => shape_of_rows(table, size),
        Some(size) => Ok(size),
        None => square(cells.len()).ok_or_else(|| unclear(cells)),
    }
}

fn shape_of_rows(table: &Table, size: Option<Size>) -> Result<Size, Flaw> {
    let first = table.rows().next().map_or(0, <[_]>::len);
    let width = size.map_or(first, Size::width);
    for (row, words) in (1..).zip(table.rows()) {
        if words.len() != width {
            let wanted = match size {
                Some(size) => format!("a {size} board has {width}"),
                None => format!("row 1 has {width}"),
            };
            let span = words.get(width).cloned().unwrap_or_else(|| end(words));
            let found = count(words.len(), "tile");
            return Err(Flaw::new(span, format!("row {row} has {found} where {wanted}")));
        }
    }
    let height = table.rows().len();
    match size {
        Some(size) if size.height() != height => {
            let surplus = table.rows().nth(size.height()).map(|words| words[0].clone());
            let span = surplus.unwrap_or_else(|| end(table.cells()));
            let found = count(height, "row");
            Err(Flaw::new(span, format!("{found} where a {size} board has {}", size.height())))
        }
        Some(size) => Ok(size),
        None => Size::new(width as u32, height as u32)
            .map_err(|error| Flaw::new(table.cells()[0].clone(), error.to_string())),
    }
}

fn unclear(words: &[Range<usize>]) -> Flaw {
    let cells = words.len();
    let flaw = Flaw::new(end(words), format!("{}: the shape is not clear", count(cells, "cell")));
    let height =
        (1..=cells.isqrt()).rev().find(|&height| cells.is_multiple_of(height)).unwrap_or(1);
    let rows = match height {
        1 => "end a single row with /",
        _ => "separate the rows by /",
    };
    let rows = format!("{rows} or give --size {}x{height}", cells / height);
    // A long list that fills only a narrow strip probably has too few or too many tiles.
    if cells > 16 && cells / height > 4 * height {
        let side = cells.isqrt();
        let squares = [side, side + 1].map(|side| format!("{side}x{side} has {}", side * side));
        return flaw.with_help(format!("of square boards {}", squares.join(", ")));
    }
    match [cells + 1, cells - 1].into_iter().find_map(square) {
        _ if cells == 1 => flaw.with_help("a board has 2 to 10,000 cells"),
        Some(size) => flaw.with_help(format!(
            "a {size} board has {} cells; for another shape {rows}",
            size.cells()
        )),
        None => flaw.with_help(rows),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Texts of the tiles of a board, with separators that may mark rows.
    fn texts() -> impl Strategy<Value = String> {
        let tiles = (2_usize..=16)
            .prop_flat_map(|cells| Just((0..cells).collect::<Vec<usize>>()).prop_shuffle());
        let separators = prop::collection::vec(0_usize..12, 17);
        (tiles, separators, 2_usize..5, any::<bool>()).prop_map(|(tiles, separators, width, x)| {
            let mut text = String::new();
            for (index, tile) in tiles.into_iter().enumerate() {
                let at_row = index > 0 && index % width == 0;
                text += match separators[index] {
                    0 => "/",
                    1 => "  ",
                    2 => "\t",
                    3..8 if at_row => "/",
                    8 if at_row => " / ",
                    _ => " ",
                };
                text += &if x && tile == 0 { "x".to_owned() } else { tile.to_string() };
            }
            text
        })
    }

    proptest! {
        #[test]
        fn plain_boards_are_read_as_by_the_scanner(text in texts(), side in 1_u32..5) {
            for size in [None, Size::new(side, side + 1).ok(), Size::new(side, side).ok()] {
                let hints = Hints { size, blank: None };
                let scanner = Scanner::of(&text, 0);
                let read = scanner.check().and_then(|()| board(&scanner, &text, hints));
                if let Some(board) = plain(&text, hints) {
                    prop_assert_eq!(read, Ok(BoardText { board, notes: Vec::new() }));
                }
            }
        }
    }

    #[test]
    fn usual_forms_are_plain() {
        for text in ["1 2 3/4 x 5/7 8 6", "1 2 3 4 5 6 7 8 0", "10 1 2 3 / 4 5 6 7 / 8 9 11 0"] {
            assert!(plain(text, Hints::default()).is_some(), "{text}");
        }
        for text in ["1/2/0", "123/456/780", "1 2 3/", "1 2 3/4 5 6/7 8", "1 2 3/4 5 6/7 8 8"] {
            assert!(plain(text, Hints::default()).is_none(), "{text}");
        }
    }
}
