//! Reads files in which each board is on one line.
//!
//! * One board per line.
//! * Korf's published instances: name, length of a shortest solution, tiles. The length may come last or be omitted.
//! * The old three-line file: start, index of the blank, goal.

use std::io::{self, BufRead};
use std::ops::Range;

use super::board;
use super::error::{Flaw, NotationError};
use super::input::{Line, Lines};
use super::reading::{BoardText, Case, Hints};
use super::scan::Scanner;
use super::table::Table;
use crate::board::Board;
use crate::quote::quote;
use crate::size::Size;

/// Reads the board on `line`.
pub(super) fn read_line(line: &Line, hints: Hints<'_>) -> Case {
    let read = line.checked();
    Case::new(
        line.number,
        read.and_then(|(text, from)| board::read(text, from, line.number, hints)),
    )
}

/// Number of cells of the smallest board that is no row.
const FOUR: usize = 4;

/// Message for a board of four tiles in doubt.
pub(super) const DOUBTFUL: &str = "this may be a 2x2 board among others, or no board";

/// Returns whether a case is a board of four tiles that are not in rows.
pub(super) fn is_four_tiles(line: &Line, case: &Case) -> bool {
    case.board.as_ref().is_ok_and(|board| board.size().cells() == FOUR)
        && line
            .checked()
            .is_ok_and(|(text, from)| may_be_no_board(&text[from..], &Scanner::of(text, from)))
}

/// Returns whether four tiles are in one row, or as short as a date.
pub(super) fn may_be_no_board(text: &str, scanner: &Scanner) -> bool {
    may_be_date(text) || !scanner.has_rows()
}

/// Returns whether a text is as short as a date, `12/03`.
pub(super) fn may_be_date(text: &str) -> bool {
    text.trim().len() <= "12/03".len()
}

/// Returns whether a board of four tiles without rows stands next to boards of another size, the `last` one or the next
/// one of the lines `ahead`: it may be a number, as in a title, or another list of a program.
pub(super) fn is_doubtful(board: &Board, last: Option<Size>, ahead: &[Line]) -> bool {
    board.size().cells() == FOUR
        && match last {
            Some(last) => last != board.size(),
            None => {
                let next = ahead.iter().find(|next| !next.is_blank());
                next.is_some_and(|next| cells(next) != FOUR)
            }
        }
}

/// Returns the number of cells on a line.
pub(super) fn cells(line: &Line) -> usize {
    let Ok((text, from)) = line.checked() else { return 0 };
    let table = Scanner::of(text, from).tables().swap_remove(0);
    table.rows().map(|row| Table::width(row, text)).sum()
}

/// The order of the fields on a line: whether it starts with a name, and whether a length comes before or after the
/// tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KorfOrder {
    name: bool,
    length_first: bool,
    length_last: bool,
}

/// The orders to try, the published one first.
const ORDERS: [KorfOrder; 4] = [
    KorfOrder { name: true, length_first: true, length_last: false },
    KorfOrder { name: true, length_first: false, length_last: true },
    KorfOrder { name: true, length_first: false, length_last: false },
    KorfOrder { name: false, length_first: false, length_last: true },
];

/// Reads the instance on `line`. A line that fits only one order sets the `order` of later lines that fit several.
pub(super) fn read_korf(line: &Line, hints: Hints<'_>, order: &mut Option<KorfOrder>) -> Case {
    match fields(line, hints, order) {
        Ok(case) => case,
        Err(error) => Case::new(line.number, Err(error)),
    }
}

fn fields(
    line: &Line,
    hints: Hints<'_>,
    usual: &mut Option<KorfOrder>,
) -> Result<Case, NotationError> {
    let (text, from) = line.checked()?;
    let scanner = Scanner::of(text, from);
    let words = scanner.words();
    let read = |&order: &KorfOrder| Some((order, instance(line, text, words, order, hints)?));
    let is_plain = |(_, case): &(KorfOrder, Case)| case.board.is_ok() && case.notes.is_empty();
    let mut found: Vec<(KorfOrder, Case)> =
        ORDERS.iter().filter_map(read).filter(is_plain).collect();
    if found.len() > 1 && found.iter().any(|(order, _)| Some(*order) == *usual) {
        found.retain(|(order, _)| Some(*order) == *usual);
    }
    match found.len() {
        0 => published(line, text, words, hints),
        1 => {
            let (order, case) = found.swap_remove(0);
            *usual = usual.or(Some(order));
            Ok(case)
        }
        _ => {
            let span = words[0].start..words[words.len() - 1].end;
            let flaw = Flaw::new(span, "the length may be the second word or the last one");
            Err(flaw.with_help("write name, length and tiles").locate(text, line.number))
        }
    }
}

/// Returns whether a line that is not a board is likely to be an instance: it has a name and a length, or at least
/// as many tiles as published instances.
pub(super) fn is_likely_korf(line: &Line, hints: Hints<'_>) -> bool {
    const FEWEST: usize = 16;
    // Matrices of programs may have as many words.
    if line.text.contains(['[', '(', '{', '=', ';']) {
        return false;
    }
    let case = read_korf(line, hints, &mut None);
    let is_complete = case.id.is_some() && case.expected.is_some();
    case.board.is_ok_and(|board| is_complete || board.size().cells() >= FEWEST)
}

/// Returns the flaw of a line with two numbers before the tiles if these may be the name and the length of an instance, or
/// the size of the board: `2 8 1 2 …`.
pub(super) fn size_or_instance(line: &Line, hints: Hints<'_>) -> Option<Flaw> {
    let text = line.checked().ok()?.0;
    let case = read_korf(line, hints, &mut None);
    let mut words = text[line.from..].split_whitespace();
    let front = [words.next()?, words.next()?];
    let [width, height] = front.map(|word| word.parse::<usize>().ok());
    let cells = words.count();
    if case.board.ok()?.size().cells() != cells || width?.checked_mul(height?) != Some(cells) {
        return None;
    }
    let message = format!(
        "{} and {} may be the size of the board, or the name and length of a published instance",
        front[0], front[1]
    );
    let flaw = Flaw::new(line.from..text.trim_end().len(), message);
    Some(flaw.with_help("write the size on a line before the tiles, or give --input korf"))
}

/// Maximum number of digits of the length of a solution.
const LONGEST_LENGTH: usize = 4;

/// Returns the instance if the words come in this order and the number of tiles fits some board.
fn instance(
    line: &Line,
    text: &str,
    words: &[Range<usize>],
    order: KorfOrder,
    hints: Hints<'_>,
) -> Option<Case> {
    let front = usize::from(order.name) + usize::from(order.length_first);
    let tiles = words.get(front..words.len().checked_sub(usize::from(order.length_last))?)?;
    if tiles.len() < 4 {
        return None;
    }
    let length = match order {
        KorfOrder { length_first: true, .. } => Some(&words[1]),
        KorfOrder { length_last: true, .. } => words.last(),
        _ => None,
    };
    let expected = match length {
        // A longer number may be a board.
        Some(word) if word.len() > LONGEST_LENGTH => return None,
        Some(word) => Some(text[word.clone()].parse().ok()?),
        None => None,
    };
    let end = tiles.last()?.end;
    let board = board::read(&text[..end], tiles[0].start, line.number, hints);
    let id = order.name.then(|| text[words[0].clone()].to_owned());
    Some(Case { expected, id, ..Case::new(line.number, board) })
}

/// Returns the instance in the published order, or its fault.
fn published(
    line: &Line,
    text: &str,
    words: &[Range<usize>],
    hints: Hints<'_>,
) -> Result<Case, NotationError> {
    let [id, length, _, ..] = words else {
        let end = text.trim_end().len();
        let flaw = Flaw::new(end..end, "the line ends before the tiles");
        return Err(flaw.with_help("name, length and tiles are needed").locate(text, line.number));
    };
    let word = &text[length.clone()];
    let length_of = |word: &str| word.parse().ok().filter(|_| word.len() <= LONGEST_LENGTH);
    let expected = length_of(word).ok_or_else(|| {
        let message = format!("{} is not the length of a solution", quote(word));
        Flaw::new(length.clone(), message)
            .with_help("the second word is a number of moves")
            .locate(text, line.number)
    });
    let board: Result<BoardText, NotationError> = board::read(text, length.end, line.number, hints);
    let (expected, board) = match expected {
        Ok(expected) => (Some(expected), board),
        Err(error) => (None, Err(error)),
    };
    let id = Some(text[id.clone()].to_owned());
    Ok(Case { expected, id, ..Case::new(line.number, board) })
}

/// Help for a case that lacks a line.
const LINES: &str = "three lines are needed: start, index of the blank, goal";

/// Reads the next case; `first` is whether it is the first one of the file.
pub(super) fn next_three_lines<R: BufRead>(
    input: &mut Lines<R>,
    hints: Hints<'_>,
    first: bool,
) -> io::Result<Option<Case>> {
    let Some(start) = input.next_filled()? else { return Ok(None) };
    let Some(index) = input.next_filled()? else {
        return Ok(Some(Case::new(start.number, Err(lone(&start, first)))));
    };
    let mut case = read_line(&start, hints);
    let size = case.board.as_ref().map_or(hints.size, |board| Some(board.size()));
    let goal = match input.next_filled()? {
        Some(goal) => read_line(&goal, Hints { size, ..hints }).board,
        None => Err(at_end(&index, format!("the goal is missing: {LINES}"))),
    };
    case.board = case.board.and_then(|board| {
        check_index(&index, &board)?;
        goal.as_ref().map_err(Clone::clone)?;
        Ok(board)
    });
    case.goal = goal.ok();
    Ok(Some(case))
}

/// Returns the fault of a line that no line follows.
fn lone(line: &Line, first: bool) -> NotationError {
    if let Err(fault) = line.checked() {
        return fault;
    }
    if first {
        return at_end(line, format!("the index of the blank is missing: {LINES}"));
    }
    let start = line.text.len() - line.text.trim_start().len();
    let flaw = Flaw::new(start..line.text.trim_end().len(), "a line too many after the goal");
    line.locate(flaw.with_help(LINES))
}

fn at_end(line: &Line, message: String) -> NotationError {
    let end = line.text.len();
    line.locate(Flaw::new(end..end, message))
}

fn check_index(line: &Line, board: &Board) -> Result<(), NotationError> {
    let (text, _) = line.checked()?;
    let (blank, last) = (board.blank().index(), board.size().tiles());
    let start = text.len() - text.trim_start().len();
    let word = text.trim();
    let message = match word.parse::<i64>() {
        Ok(index) if index == blank as i64 => return Ok(()),
        Ok(index) if !(0..=last as i64).contains(&index) => {
            format!("index {index} is out of range: the blank is at {blank} of 0 to {last}")
        }
        Ok(index) => format!("the index of the blank is {blank}, not {index}"),
        Err(_) => format!("{} is not an index of the blank, here {blank}", quote(word)),
    };
    Err(line.locate(
        Flaw::new(start..start + word.len(), message)
            .with_help(format!("cells are counted from 0 here: 0 to {last}")),
    ))
}

/// Returns whether two lines can only be the start of such a case: a board of separate
/// tiles on one line and an index, possibly a wrong one, on the next.
pub(super) fn begins_three_lines(start: &Line, index: &Line, hints: Hints<'_>) -> bool {
    let Ok((text, from)) = start.checked() else { return false };
    let scanner = Scanner::of(text, from);
    scanner.words().len() >= FEWEST
        && !scanner.has_rows()
        && is_index(index)
        && read_line(start, hints).board.is_ok()
}

/// Returns whether three lines look like such a case: as many cells on the first line as on the third, and an index
/// between them.
pub(super) fn resembles_three_lines(start: usize, index: &Line, goal: usize) -> bool {
    start >= FEWEST && start == goal && is_index(index)
}

/// Lines with fewer cells could be rows as well.
const FEWEST: usize = 4;

/// Returns whether the line is one number, too short to be a board without separators.
pub(super) fn is_index(line: &Line) -> bool {
    const LONGEST: usize = 3;
    let word = line.text.trim();
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    (1..=LONGEST).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
}
