//! Reads boards whose blank is not written: a gap between columns, or a row that ends early.

use std::ops::Range;

use super::error::Flaw;
use super::reading::{BoardText, Hints, square};
use super::signs::is_space;
use super::symbols::is_blank_word;
use super::table::Table;
use crate::board::Board;
use crate::size::{Size, count};

/// Returns whether the cells are the tiles of a board from 1 on, each once, and one cell fewer than a square board or
/// a board whose rows are known.
pub(super) fn is_without_blank(table: &Table, text: &str) -> bool {
    numbers(table, text).is_some_and(|numbers| square(numbers.len() + 1).is_some())
}

/// Returns the numbers of all cells if they are 1 to the number of cells, each once.
fn numbers(table: &Table, text: &str) -> Option<Vec<u32>> {
    let number = |cell: &Range<usize>| {
        let word = &text[cell.clone()];
        word.parse::<u32>().ok().filter(|_| !is_blank_word(word))
    };
    let numbers: Vec<u32> = table.cells().iter().map(number).collect::<Option<_>>()?;
    let mut sorted = numbers.clone();
    sorted.sort_unstable();
    sorted.into_iter().eq(1..=numbers.len() as u32).then_some(numbers)
}

/// Reads a board that has all its tiles and a gap for the blank. Returns `None` if the table is not of this kind.
///
/// # Errors
/// Returns an error that names the places if there are several for the blank.
pub(super) fn fill(table: &Table, text: &str, hints: Hints<'_>) -> Option<Result<BoardText, Flaw>> {
    let numbers = numbers(table, text).filter(|_| hints.blank.is_none())?;
    let size = size(table, hints.size).filter(|size| size.cells() == numbers.len() + 1)?;
    let (short, cells) = short_row(table, size)?;
    let full: Vec<&[Range<usize>]> = table.rows().filter(|row| row.len() == size.width()).collect();
    let column = match table.has_rows() {
        true => {
            agreed(gap_by_separators(text, cells, size.width()), gap_by_columns(text, cells, &full))
        }
        false => gap_by_separators(text, cells, size.cells()),
    };
    let Some(column) = column else {
        let last = cells.last().map_or(0, |cell| cell.end);
        let places = if table.has_rows() { size.width() } else { size.cells() };
        let row = if table.has_rows() { format!("row {} has ", short + 1) } else { String::new() };
        let message = format!(
            "{row}{} and no blank, which may be in any of {places} places",
            count(cells.len(), "tile")
        );
        return Some(Err(Flaw::new(last..last, message).with_help("write 0 where the blank is")));
    };
    let cell = if table.has_rows() { short * size.width() + column } else { column };
    let mut numbers = numbers;
    numbers.insert(cell, 0);
    let board = Board::new(size, &numbers).ok()?;
    let (row, column) = (cell / size.width() + 1, cell % size.width() + 1);
    let note = format!("read the gap in row {row}, column {column} as the blank");
    Some(Ok(BoardText { board, notes: vec![note.into()] }))
}

/// Returns the size of a board that lacks one cell.
fn size(table: &Table, known: Option<Size>) -> Option<Size> {
    if known.is_some() {
        return known;
    }
    match table.has_rows() {
        true => {
            let width = table.rows().map(<[_]>::len).max()?;
            Size::new(width as u32, table.rows().len() as u32).ok()
        }
        false => square(table.cells().len() + 1),
    }
}

/// Returns the only row that lacks a cell if all others are full, or all cells if there are no rows.
fn short_row(table: &Table, size: Size) -> Option<(usize, &[Range<usize>])> {
    if !table.has_rows() {
        return Some((0, table.cells()));
    }
    let mut short = table.rows().enumerate().filter(|(_, row)| row.len() != size.width());
    let found = short.next().filter(|(_, row)| row.len() + 1 == size.width());
    found.filter(|_| short.next().is_none() && table.rows().len() == size.height())
}

/// Returns the line of the text with these cells, and where it starts.
fn line<'a>(text: &'a str, cells: &[Range<usize>]) -> (usize, &'a str) {
    let (first, last) = (cells[0].start, cells[cells.len() - 1].end);
    let start = text[..first].rfind('\n').map_or(0, |at| at + 1);
    let end = text[last..].find('\n').map_or(text.len(), |length| last + length);
    (start, text[start..end].trim_end_matches('\r'))
}

/// Returns the empty field of a row whose fields are separated by single tabs or by single spaces.
fn gap_by_separators(text: &str, cells: &[Range<usize>], width: usize) -> Option<usize> {
    let (_, line) = line(text, cells);
    ['\t', ' '].into_iter().find_map(|separator| {
        let fields: Vec<&str> = line.split(separator).collect();
        let empty = || fields.iter().enumerate().filter(|(_, field)| field.is_empty());
        let single = fields.len() == width && empty().count() == 1;
        let clean = fields.iter().all(|field| !field.contains(is_space));
        empty().next().filter(|_| single && clean).map(|(at, _)| at)
    })
}

/// Returns the column that a row lacks, if the cells of all full rows are aligned at their left or right ends.
fn gap_by_columns(text: &str, cells: &[Range<usize>], full: &[&[Range<usize>]]) -> Option<usize> {
    let column = |row: &[Range<usize>], byte: usize| {
        let (start, _) = line(text, row);
        text[start..byte].chars().count()
    };
    let by = |edge: fn(&Range<usize>) -> usize| {
        let columns = |row: &[Range<usize>]| -> Vec<usize> {
            row.iter().map(|cell| column(row, edge(cell))).collect()
        };
        let slots = columns(full.first()?);
        if slots.windows(2).any(|pair| pair[0] >= pair[1])
            || full.iter().any(|row| columns(row) != slots)
        {
            return None;
        }
        let own = columns(cells);
        let missing = (0..slots.len()).find(|&at| own.get(at) != Some(&slots[at]))?;
        let rest_fits = own.get(missing..) == slots.get(missing + 1..);
        rest_fits.then_some(missing)
    };
    agreed(by(|cell| cell.start), by(|cell| cell.end))
}

/// Combines the results of two methods to find the gap: returns the place found, or `None` if they differ.
fn agreed(one: Option<usize>, other: Option<usize>) -> Option<usize> {
    match (one, other) {
        (Some(one), Some(other)) if one != other => None,
        _ => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::super::board;
    use super::*;

    fn read(text: &str) -> Result<String, String> {
        match board::read(text, 0, 1, Hints::default()) {
            Ok(read) => {
                Ok(format!("{}: {}", super::super::slashes(&read.board), read.notes.join(", ")))
            }
            Err(error) => Err(error.message),
        }
    }

    #[test]
    fn gaps_are_the_blank_only_if_they_fit_one_place() {
        for (text, board) in [
            (
                " 1  2  3\n 4  5  6\n 7     8",
                "1 2 3/4 5 6/7 0 8: read the gap in row 3, column 2 as the blank",
            ),
            (
                "1 2 3\n4 5 6\n7   8",
                "1 2 3/4 5 6/7 0 8: read the gap in row 3, column 2 as the blank",
            ),
            (
                "1 2 3\n4 5 6\n7  8",
                "1 2 3/4 5 6/7 0 8: read the gap in row 3, column 2 as the blank",
            ),
            (
                "1 2 3\n4 5 6\n7 8",
                "1 2 3/4 5 6/7 8 0: read the gap in row 3, column 3 as the blank",
            ),
            (
                "1 2 3\n 4 5\n6 7 8",
                "1 2 3/0 4 5/6 7 8: read the gap in row 2, column 1 as the blank",
            ),
            (
                "1\t2\t3\n4\t\t5\n6\t7\t8",
                "1 2 3/4 0 5/6 7 8: read the gap in row 2, column 2 as the blank",
            ),
            ("1 2 3 4 5 6 7  8", "1 2 3/4 5 6/7 0 8: read the gap in row 3, column 2 as the blank"),
        ] {
            assert_eq!(read(text).as_deref(), Ok(board), "{text:?}");
        }
        for (text, message) in [
            ("1 2 3 4 5 6 7 8", "8 tiles and no blank, which may be in any of 9 places"),
            ("1 2 3/4 5/6 7 8", "row 2 has 2 tiles and no blank, which may be in any of 3 places"),
            (
                "1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15",
                "row 4 has 3 tiles and no blank, which may be in any of 4 places",
            ),
        ] {
            assert_eq!(read(text).unwrap_err(), message, "{text:?}");
        }
    }
}
