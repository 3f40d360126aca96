//! Reads one row per line.
//!
//! A board ends at a blank line, or as soon as it is complete: when it has as many rows as `size`
//! requires or, without a size, when its rows make a square and no taller board that extends to the
//! next blank line. The width is that of most rows, so that one row with a tile too
//! many or too few does not affect other boards.

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::io::{self, BufRead};
use std::ops::Range;

use super::error::{Flaw, NotationError};
use super::input::{LONGEST, Line, Lines};
use super::reading::{BoardText, Case, Hints};
use super::scan::Scanner;
use super::signs::is_words;
use super::table::Table;
use super::{board, line_formats, symbols};
use crate::board::Board;
use crate::size::Size;

/// Maximum number of boards that are read before the first of them is returned.
const MOST_AHEAD: usize = 64;

/// The progress in a block of rows, which ends at a blank line or a heading.
///
/// If the rows of a block do not make boards, a row may be missing or too many, and a board that is read may have rows of
/// two. So all boards of a block are refused if one is faulty, or all that were not returned yet if the block is large or
/// the size is given.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    /// Whether boards are returned before the block has been read.
    one_by_one: bool,
    /// Whether there are more boards in the block than are read ahead.
    is_large: bool,
    /// The size of the previous board.
    last: Option<Size>,
    /// Whether the next board is in the same block.
    is_within: bool,
    ready: VecDeque<Case>,
}

impl Rows {
    /// Creates the progress before the first block, whose boards are read before the first of them is returned if
    /// `reads_ahead`.
    pub(super) fn new(reads_ahead: bool) -> Self {
        Self { one_by_one: !reads_ahead, ..Self::default() }
    }

    /// Returns each board before the next one is read.
    pub(super) fn one_by_one(&mut self) {
        self.one_by_one = true;
    }

    /// Returns whether boards were read that were not returned yet.
    pub(super) fn is_waiting(&self) -> bool {
        !self.ready.is_empty()
    }

    /// Notices the end of the block. Call this before blank lines are skipped.
    pub(super) fn end_block<R: BufRead>(&mut self, lines: &mut Lines<R>) -> io::Result<()> {
        if self.is_within && ends_block(lines)? {
            (self.is_within, self.is_large) = (false, false);
        }
        Ok(())
    }

    /// Reads the next board.
    pub(super) fn next<R: BufRead>(
        &mut self,
        lines: &mut Lines<R>,
        hints: Hints<'_>,
    ) -> io::Result<Option<Case>> {
        if let Some(case) = self.ready.pop_front() {
            return Ok(Some(case));
        }
        let most =
            if self.one_by_one || self.is_large || hints.size.is_some() { 1 } else { MOST_AHEAD };
        let mut boards: VecDeque<Case> = VecDeque::new();
        while boards.len() < most {
            self.end_block(lines)?;
            if !(boards.is_empty() || self.is_within) {
                break;
            }
            let Some((mut case, is_list)) = one(lines, hints, self.last, self.is_within)? else {
                break;
            };
            self.last = case.board.as_ref().ok().map(Board::size);
            self.is_within = case.board.is_ok() && !is_list;
            if let Err(error) = &mut case.board {
                if skip_block(lines)? || !boards.is_empty() {
                    error.help = Some(BLANK_LINES.to_owned());
                }
                case.line = boards.front().map_or(case.line, |first| first.line);
                boards.clear();
                self.is_large = false;
            }
            boards.push_back(case);
            if !self.is_within {
                break;
            }
        }
        self.is_large |= self.is_within && boards.len() == MOST_AHEAD;
        self.ready = boards;
        Ok(self.ready.pop_front())
    }
}

/// Help for rows that do not make boards.
pub(super) const BLANK_LINES: &str = "no board is read up to the next blank line, because rows may be missing: write blank lines between boards";

/// Skips the rows up to the next blank line, heading or frame; returns whether there are any.
pub(super) fn skip_block<R: BufRead>(lines: &mut Lines<R>) -> io::Result<bool> {
    let mut any = false;
    while !ends_block(lines)? {
        lines.next()?;
        any = true;
    }
    Ok(any)
}

/// Returns whether the next line belongs to no block, or to the next one, whose first line may be the number of a step.
/// Skips the lower edge of a frame.
fn ends_block<R: BufRead>(lines: &mut Lines<R>) -> io::Result<bool> {
    while let Some(line) = lines.peek(0)? {
        if line.is_blank() || line.begins_frame() {
            return Ok(true);
        }
        if !line.is_rule() {
            return is_step_next(lines);
        }
        lines.next()?;
    }
    Ok(true)
}

/// Returns whether the next line has the number of a step, and perhaps its moves, before a drawn board, as in the output
/// of `loyd solve --output grid`.
pub(super) fn is_step_next<R: BufRead>(lines: &mut Lines<R>) -> io::Result<bool> {
    let is_step = |line: &Line| {
        let (number, moves) = line.text.trim().split_once(' ').unwrap_or((line.text.trim(), ""));
        number.parse::<u32>().is_ok() && moves.chars().all(|letter| "udlr".contains(letter))
    };
    Ok(lines.peek(0)?.is_some_and(is_step) && lines.peek(1)?.is_some_and(Line::begins_frame))
}

/// Reads the next board; `last` is the size of the previous board, and `is_within` is whether it is in the same block.
/// Returns also whether it is a list, which ends with its bracket.
fn one<R: BufRead>(
    lines: &mut Lines<R>,
    hints: Hints<'_>,
    last: Option<Size>,
    is_within: bool,
) -> io::Result<Option<(Case, bool)>> {
    if !is_within && let Some(words) = words(lines)? {
        return Ok(Some((words, false)));
    }
    let Some(block) = Block::take(lines, hints.size)? else { return Ok(None) };
    let mut board = block.board(hints);
    if hints.size.is_none()
        && continues(lines, &board)?
        && let Some(taller) = taller(lines, &block, hints)?
    {
        return Ok(Some((Case::new(block.first_line, Ok(taller)), false)));
    }
    if board.is_ok()
        && let Some(last) = last
        && block.lines < last.height()
        && block.usual_width() == last.width()
    {
        // A blank line ends boards that are no squares.
        let message = match block.lines {
            1 => Some(format!("this may be a leftover row: the previous board is {last}")),
            rows if is_within => {
                Some(format!("this board has {rows} rows, and the previous one is {last}"))
            }
            _ => None,
        };
        if let Some(message) = message {
            board = Err(block.at_start(message));
        }
    }
    if hints.size.is_none()
        && block.lines == 1
        && line_formats::may_be_no_board(&block.text, &block.scanner)
        && board
            .as_ref()
            .is_ok_and(|read| line_formats::is_doubtful(&read.board, last, lines.ahead()))
    {
        board = Err(block.at_start(line_formats::DOUBTFUL.to_owned()));
    }
    let is_wide = |read: &BoardText| read.board.size().height() < read.board.size().width();
    if hints.size.is_none() && board.as_ref().is_ok_and(is_wide) && block.lacks_blank() {
        let message = "these rows show no blank, and may be the first ones of a larger board";
        board = Err(block.at_start(message.to_owned()));
    }
    Ok(Some((Case::new(block.first_line, board), block.scanner.is_one_list())))
}

/// Reads lines of words, which are no rows. Rows that follow at once are their fault, because a row may be missing.
fn words<R: BufRead>(lines: &mut Lines<R>) -> io::Result<Option<Case>> {
    while lines.peek(0)?.is_some_and(|line| line.is_blank() || line.is_rule()) {
        lines.next()?;
    }
    let mut first: Option<Line> = None;
    while let Some(line) = lines.peek(0)?.filter(|line| !line.is_blank()) {
        let is_words = line.checked().is_ok_and(|(text, from)| is_words(&text[from..]));
        let (start, end) = (line.from, line.text.trim_end().len());
        match &first {
            _ if is_words => {
                let line = lines.next()?;
                first = first.or(line);
            }
            None => return Ok(None),
            Some(first) => {
                let flaw = Flaw::new(
                    start..end,
                    "these rows follow a line of words, which may be part of a board",
                );
                let fault = line.locate(
                    flaw.with_help("write a blank line or a heading with a colon between them"),
                );
                return Ok(Some(Case::new(first.number, Err(fault))));
            }
        }
    }
    let fault = |line: Line| {
        let (start, end) = (line.from, line.text.trim_end().len());
        Case::fault(
            line.locate(Flaw::new(start..end, "this is a line of words, not a row of a board")),
        )
    };
    Ok(first.map(fault))
}

/// Returns whether a square may be the top of a taller board: it is not a board itself, or the next line has a tile
/// that is too large for it, as every further row of a taller board has.
fn continues<R: BufRead>(
    lines: &mut Lines<R>,
    square: &Result<BoardText, NotationError>,
) -> io::Result<bool> {
    let Ok(square) = square else { return Ok(true) };
    let Some(line) = lines.peek(0)? else { return Ok(false) };
    let mut row = Block::default();
    row.add(line);
    Ok(row.numbers_from(square.board.size().cells()).1 > 0)
}

/// Returns the board of `square` and all lines up to the next blank one, if they make one.
fn taller<R: BufRead>(
    lines: &mut Lines<R>,
    square: &Block,
    hints: Hints<'_>,
) -> io::Result<Option<BoardText>> {
    let mut block = square.clone();
    let mut added = 0;
    let mut words = HashSet::new();
    while let Some(line) = lines.peek(added)?.filter(|line| !line.is_blank()) {
        // No word appears twice on a board, so the search ends soon if the lines are not a board.
        let new = block.words_from(words.len()).all(|word| words.insert(word));
        if block.fault.is_some() || block.is_too_large() || !new {
            return Ok(None);
        }
        block.add(line);
        added += 1;
    }
    if added == 0 {
        return Ok(None);
    }
    let board = block.board(hints).ok();
    for _ in 0..board.as_ref().map_or(0, |_| added) {
        lines.next()?;
    }
    Ok(board)
}

/// Lines that are assumed to be one board.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    first_line: usize,
    lines: usize,
    text: String,
    scanner: Scanner,
    unreadable: usize,
    too_long: bool,
    fault: Option<NotationError>,
}

impl Block {
    /// Takes the lines of the next board.
    pub(super) fn take<R: BufRead>(
        lines: &mut Lines<R>,
        size: Option<Size>,
    ) -> io::Result<Option<Self>> {
        let mut block = Self::default();
        while let Some(line) = lines.next()? {
            if line.is_rule() {
                if block.lines > 0 && line.begins_frame() {
                    lines.put_back(line);
                    break;
                }
                continue;
            }
            match (line.is_blank(), block.lines) {
                (true, 0) => continue,
                (true, _) => {
                    lines.put_back(line);
                    break;
                }
                (false, _) => block.add(&line),
            }
            if block.is_too_large() || block.is_complete(size) {
                break;
            }
        }
        Ok((block.lines > 0).then_some(block))
    }

    pub(super) fn add(&mut self, line: &Line) {
        if self.lines == 0 {
            self.first_line = line.number;
        } else {
            self.text.push('\n');
        }
        self.lines += 1;
        match line.checked() {
            Err(fault) => {
                self.unreadable += 1;
                self.fault.get_or_insert(fault);
            }
            Ok((text, _)) if self.text.len() + text.len() > LONGEST => {
                let flaw = Flaw::new(0..0, format!("a board on more than {} KiB", LONGEST / 1024));
                self.fault.get_or_insert(flaw.locate(text, line.number));
                self.too_long = true;
            }
            Ok((text, from)) => {
                let start = self.text.len().saturating_sub(1);
                self.text.push_str(&text[from..]);
                self.scanner.scan(&self.text, if self.lines > 1 { start } else { 0 });
            }
        }
    }

    pub(super) fn is_too_large(&self) -> bool {
        // The board with the most lines has each number and each bracket on a separate line.
        const MOST_LINES: usize = 4 * Size::MAX_CELLS;
        self.too_long || self.scanner.is_overfull() || self.lines > MOST_LINES
    }

    fn is_complete(&self, size: Option<Size>) -> bool {
        /// The most tiles that a row may have run together.
        const MOST_TOGETHER: usize = 36;
        let rows = self.scanner.row_count() + self.unreadable;
        let is_column =
            size.is_none() && rows > MOST_TOGETHER && self.scanner.words().len() < 2 * rows;
        // The time to measure the rows grows with their number, so it is done only where they may be enough.
        if self.scanner.is_open() || is_column || size.is_some_and(|size| rows < size.height()) {
            return false;
        }
        self.height() >= self.wanted_height(size)
    }

    /// Returns the number of rows so far.
    fn height(&self) -> usize {
        self.table().rows().len() + self.unreadable
    }

    /// Returns whether there are at least as many cells as on a board of `size`.
    ///
    /// Usually a word is a cell. A word may also be a row without separators; the first word decides that: it is as
    /// long as a row, a column or the whole board.
    pub(super) fn has_cells(&self, size: Size) -> bool {
        let words = self.scanner.words().len();
        if words >= size.cells() {
            return true;
        }
        let runs_together = |row: &[Range<usize>]| {
            let width = Table::width(row, &self.text);
            row.len() == 1
                && width > 1
                && [size.width(), size.height(), size.cells()].contains(&width)
        };
        // Each line adds a row, so a large board would otherwise be measured once for each of its rows.
        words <= size.width().max(size.height())
            && self.table().rows().next().is_some_and(runs_together)
            && self.widths().iter().sum::<usize>() >= size.cells()
    }

    /// Returns whether a bracket is still open.
    pub(super) fn is_open(&self) -> bool {
        self.scanner.is_open()
    }

    /// Returns the number of the first line.
    pub(super) fn first_line(&self) -> usize {
        self.first_line
    }

    /// Returns the rows so far.
    fn table(&self) -> Table {
        self.scanner.tables().swap_remove(0)
    }

    fn wanted_height(&self, size: Option<Size>) -> usize {
        match size.map_or_else(|| self.usual_width(), Size::height) {
            // There is no 1x1 board, so only a blank line can end a column.
            0 | 1 if size.is_none() => usize::MAX,
            height => height,
        }
    }

    fn widths(&self) -> Vec<usize> {
        self.table().rows().map(|row| Table::width(row, &self.text)).collect()
    }

    /// Returns the most frequent row width, the greatest one if there are several.
    pub(super) fn usual_width(&self) -> usize {
        let widths = self.widths();
        let count = |&width: &usize| widths.iter().filter(|&&other| other == width).count();
        let distinct: BTreeSet<usize> = widths.iter().copied().collect();
        distinct.into_iter().max_by_key(|width| (count(width), *width)).unwrap_or(0)
    }

    /// Returns whether the lines look like a grid, even a faulty one: several rows, most of which are as
    /// wide as they should be.
    pub(super) fn resembles_grid(&self, size: Option<Size>) -> bool {
        let width = self.usual_width();
        let usual = self.widths().iter().filter(|&&other| other == width).count();
        self.lines > 1
            && usual > 1
            && self.height() == self.wanted_height(size)
            && size.is_none_or(|size| size.width() == width)
    }

    /// Returns the number of lines.
    pub(super) fn lines(&self) -> usize {
        self.lines
    }

    /// Returns the number of words, and the number of those that are numbers of at least `limit`.
    pub(super) fn numbers_from(&self, limit: usize) -> (usize, usize) {
        let words = self.scanner.words();
        let large = |number| number as usize >= limit;
        let count =
            words.iter().filter(|word| symbols::number(&self.text, word, None).is_ok_and(large));
        (words.len(), count.count())
    }

    /// Returns whether several rows have numbers from 1 only: the largest one may be a tile, or the blank.
    fn lacks_blank(&self) -> bool {
        let (words, numbers) = self.numbers_from(1);
        words == numbers && self.lines > 1
    }

    /// Returns the words from index `index` on.
    fn words_from(&self, index: usize) -> impl Iterator<Item = String> {
        self.scanner.words()[index..].iter().map(|word| self.text[word.clone()].to_owned())
    }

    /// Returns a fault of the block as a whole, at its start.
    pub(super) fn at_start(&self, message: String) -> NotationError {
        let end = self.text.find('\n').unwrap_or(self.text.len());
        let flaw = Flaw::new(0..end, message).with_help("give --size WxH");
        flaw.locate(&self.text, self.first_line)
    }

    /// Reads the board from all lines.
    pub(super) fn board(&self, hints: Hints<'_>) -> Result<BoardText, NotationError> {
        match &self.fault {
            Some(fault) => Err(fault.clone()),
            None => board::finish(&self.scanner, &self.text, self.first_line, hints),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_lines_are_bounded() {
        let text = format!("1 1\n1 1\n{}", "1 1\n".repeat(9999));
        let mut lines = Lines::new(text.as_bytes());
        assert!(one(&mut lines, Hints::default(), None, false).unwrap().unwrap().0.board.is_err());
        assert!(lines.ahead().len() <= Size::MAX_CELLS);
    }

    #[test]
    fn faulty_rows_are_not_joined_to_all_later_lines() {
        let text = "hello world foo\n".repeat(1000);
        let mut lines = Lines::new(text.as_bytes());
        assert!(one(&mut lines, Hints::default(), None, false).unwrap().unwrap().0.board.is_err());
        assert!(lines.ahead().len() <= 3, "{}", lines.ahead().len());
    }
}
