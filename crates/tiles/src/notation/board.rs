//! One board in any form.

use std::ops::Range;

use super::error::{Flaw, NotationError, quote};
use super::scan::Scanner;
use crate::board::{Board, BoardError, Fault};
use crate::size::{Size, count};

/// The board that `text` shows, in any form on one or many lines; the [module](super) lists what is
/// read.
///
/// Rows, if the text gives any, decide the shape and have to agree with `size`. A plain list of
/// tiles is square unless `size` says otherwise.
///
/// # Errors
/// All that is wrong with the tiles, or the first thing that is wrong with their arrangement.
///
/// # Examples
/// ```
/// use loyd_tiles::notation::parse_board;
/// let board = parse_board("23415x768", None)?;
/// for text in ["2 3 4 1 5 _ 7 6 8", "2 3 4/1 5 0/7 6 8", "[[2,3,4],[1,5,0],[7,6,8]]"] {
///     assert_eq!(parse_board(text, None)?, board);
/// }
/// assert!(parse_board("2 3 4/1 5/7 6 8", None).is_err());
/// # Ok::<(), loyd_tiles::notation::NotationError>(())
/// ```
pub fn parse_board(text: &str, size: Option<Size>) -> Result<Board, NotationError> {
    read(text, mark(text), 1, size)
}

/// The bytes of the byte order mark with which `text` begins, if it does.
pub(super) fn mark(text: &str) -> usize {
    if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
}

/// The board in `text` behind the byte `from`.
pub(super) fn read(
    text: &str,
    from: usize,
    first_line: usize,
    size: Option<Size>,
) -> Result<Board, NotationError> {
    finish(Scanner::of(text, from), text, first_line, size)
}

/// The board that `scanner` has found in `text`.
pub(super) fn finish(
    scanner: Scanner,
    text: &str,
    first_line: usize,
    size: Option<Size>,
) -> Result<Board, NotationError> {
    board(scanner, text, size).map_err(|flaw| flaw.locate(text, first_line))
}

fn board(scanner: Scanner, text: &str, size: Option<Size>) -> Result<Board, Flaw> {
    scanner.check()?;
    let scanner = scanner.split_compact(text)?;
    let mut numbers = Vec::with_capacity(scanner.words().len());
    for word in scanner.words() {
        numbers.push(number(text, word)?);
    }
    let size = shape(&scanner, size)?;
    Board::new(size, &numbers)
        .map_err(|error| Flaw::new(span(&error, scanner.words()), error.to_string()))
}

/// The number of the tile that stands at `word`.
pub(super) fn number(text: &str, word: &Range<usize>) -> Result<u32, Flaw> {
    let token = &text[word.clone()];
    let flaw = |allowed: &str| {
        Flaw::new(word.clone(), format!("{} is not a tile: {allowed}", quote(token)))
    };
    match token {
        "x" | "X" | "_" | "." | "·" => Ok(0),
        _ if token.bytes().all(|byte| byte.is_ascii_digit()) => {
            token.parse().map_err(|_| flaw("the largest that any board has is 255"))
        }
        _ => Err(flaw("tiles are numbers, the blank is x, X, 0, _ or .")),
    }
}

/// Where the first fault of a board stands among its words.
pub(super) fn span(error: &BoardError, words: &[Range<usize>]) -> Range<usize> {
    let index = match error.faults.first() {
        Some(Fault::Count { expected, .. }) => *expected,
        Some(Fault::Range { cell, .. } | Fault::Repeated { second: cell, .. }) => cell.index(),
        Some(Fault::Missing(_)) | None => words.len(),
    };
    words.get(index).cloned().unwrap_or_else(|| end(words))
}

/// The empty span behind the last word.
fn end(words: &[Range<usize>]) -> Range<usize> {
    let end = words.last().map_or(0, |word| word.end);
    end..end
}

pub(super) fn shape(scanner: &Scanner, size: Option<Size>) -> Result<Size, Flaw> {
    let words = scanner.words();
    match size {
        _ if words.is_empty() => Err(Flaw::new(0..0, "there is no tile, so no board")),
        _ if scanner.has_rows() => shape_of_rows(scanner, size),
        Some(size) => Ok(size),
        None => square(words.len()).ok_or_else(|| unclear(words)),
    }
}

fn shape_of_rows(scanner: &Scanner, size: Option<Size>) -> Result<Size, Flaw> {
    let first = scanner.rows().next().map_or(0, <[_]>::len);
    let width = size.map_or(first, Size::width);
    for (row, words) in (1..).zip(scanner.rows()) {
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
    let height = scanner.rows().len();
    match size {
        Some(size) if size.height() != height => {
            let surplus = scanner.rows().nth(size.height()).map(|words| words[0].clone());
            let span = surplus.unwrap_or_else(|| end(scanner.words()));
            let found = count(height, "row");
            Err(Flaw::new(span, format!("{found} where a {size} board has {}", size.height())))
        }
        Some(size) => Ok(size),
        None => Size::new(width as u32, height as u32)
            .map_err(|error| Flaw::new(scanner.words()[0].clone(), error.to_string())),
    }
}

/// The square board with so many cells.
pub(super) fn square(cells: usize) -> Option<Size> {
    let side = cells.isqrt() as u32;
    Size::new(side, side).ok().filter(|size| size.cells() == cells)
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
    match [cells + 1, cells - 1].into_iter().find_map(square) {
        _ if cells == 1 => flaw.with_help("a board has 2 to 256 cells"),
        Some(size) => flaw.with_help(format!(
            "a {size} board has {} cells; for another shape {rows}",
            size.cells()
        )),
        None => flaw.with_help(rows),
    }
}
