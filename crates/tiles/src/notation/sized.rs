//! Reads boards that follow a line with their size: `3`, `3x3`, or width and height in either order.
//!
//! The tiles follow in rows, or, in the format of the search code of Ethan Burns, by positions: `starting positions for each
//! tile:` and the cells of the blank and of each tile, `goal positions:` and the same for the goal.

use std::io::{self, BufRead};

use super::error::{Flaw, NotationError};
use super::grid::{BLANK_LINES, Block, skip_block};
use super::input::{Line, Lines};
use super::reading::{BoardText, Case, Hints};
use crate::board::Board;
use crate::size::Size;

/// The content of a line with a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sides {
    /// A complete size.
    Size(Size),
    /// Two sides whose order the rows decide.
    EitherWay(Size),
}

impl Sides {
    /// Returns the size on `line` if the line contains nothing else.
    pub(super) fn of(line: &Line) -> Option<Self> {
        let (text, from) = line.checked().ok()?;
        let mut words =
            unlabelled(&text[from..]).split(|letter: char| letter.is_whitespace() || letter == ',');
        let mut words = words.by_ref().filter(|word| !word.is_empty());
        let side = |word: &str| {
            word.parse::<u32>().ok().filter(|_| word.bytes().all(|b| b.is_ascii_digit()))
        };
        match (words.next()?, words.next(), words.next()) {
            (word, None, _) => match side(word) {
                Some(side) => Some(Self::Size(Size::new(side, side).ok()?)),
                None => Some(Self::Size(word.parse().ok()?)),
            },
            (width, Some(height), None) => {
                let (width, height) = (side(width)?, side(height)?);
                let size = Size::new(width, height).ok()?;
                Some(if width == height { Self::Size(size) } else { Self::EitherWay(size) })
            }
            _ => None,
        }
    }

    /// Returns the sides of a known size.
    pub(super) fn of_size(size: Size) -> Self {
        Self::Size(size)
    }

    /// Returns the size, with the sides in the order given.
    pub(super) fn size(self) -> Size {
        match self {
            Self::Size(size) | Self::EitherWay(size) => size,
        }
    }
}

/// Words of labels of sizes.
const LABELS: [&str; 17] = [
    "size",
    "sizes",
    "width",
    "height",
    "rows",
    "row",
    "columns",
    "column",
    "cols",
    "col",
    "dimension",
    "dimensions",
    "dim",
    "n",
    "m",
    "w",
    "h",
];

/// Words that may accompany them.
const NEUTRAL: [&str; 9] = ["board", "puzzle", "grid", "of", "the", "and", "x", "by", "side"];

/// Returns the text after a label of a size, such as `size:` or `N =`.
fn unlabelled(text: &str) -> &str {
    let label_end = text.find(|letter: char| !letter.is_alphabetic() && !" _,".contains(letter));
    let (label, rest) = text.split_at(label_end.unwrap_or(text.len()));
    let label = label.to_lowercase();
    let words = || label.split([' ', '_', ',']).filter(|word| !word.is_empty());
    let is_size = words().any(|word| LABELS.contains(&word))
        && words().all(|word| LABELS.contains(&word) || NEUTRAL.contains(&word));
    rest.strip_prefix([':', '=']).filter(|_| is_size).unwrap_or(text)
}

/// Returns the sides on a line, or the fault of a line that has none.
pub(super) fn sides(line: &Line, hints: Hints<'_>) -> Result<Sides, NotationError> {
    let (text, from) = line.checked()?;
    let span = from..text.trim_end().len().max(from);
    let sides = Sides::of(line).ok_or_else(|| {
        let flaw = Flaw::new(span.clone(), "the size of the next board is expected here");
        line.locate(flaw.with_help("write the number of rows, or width and height"))
    })?;
    match hints.size {
        Some(size) if size != sides.size() && size.transposed() != sides.size() => {
            let message =
                format!("the file has boards of {}, and {size} is expected", sides.size());
            Err(line.locate(Flaw::new(span, message)))
        }
        Some(size) => Ok(Sides::Size(size)),
        None => Ok(sides),
    }
}

/// Reads the tiles of a board with these sides: in rows, on one line, or one per line; blank lines are skipped. After a
/// faulty board in rows, a row may be missing, so the rest of its block is skipped unless each board has its size before
/// it (`sized_each`).
pub(super) fn body<R: BufRead>(
    lines: &mut Lines<R>,
    sides: Sides,
    sized_each: bool,
    hints: Hints<'_>,
) -> io::Result<Option<Case>> {
    let Some(first) = lines.next_filled()? else { return Ok(None) };
    let mut block = Block::default();
    let mut next = Some(first);
    while let Some(line) = next.take() {
        if line.heading.is_some() && !block.is_open() {
            lines.put_back(line);
            break;
        }
        if !line.is_rule() && !line.is_blank() {
            block.add(&line);
        }
        if block.is_too_large() || (block.has_cells(sides.size()) && !block.is_open()) {
            break;
        }
        next = lines.next()?;
    }
    let size = match sides {
        Sides::Size(size) => size,
        Sides::EitherWay(size) if block.usual_width() == size.width() => size,
        Sides::EitherWay(size) if block.usual_width() == size.height() => size.transposed(),
        Sides::EitherWay(size) => {
            let board = Err(block.at_start(format!(
                "the board may be {size} or {}: its rows do not decide that",
                size.transposed()
            )));
            return Ok(Some(Case::new(block.first_line(), board)));
        }
    };
    let mut board = block.board(Hints { size: Some(size), ..hints });
    if let Err(error) = &mut board
        && block.lines() > 1
        && !sized_each
        && skip_block(lines)?
    {
        error.help = Some(BLANK_LINES.to_owned());
    }
    Ok(Some(Case::new(block.first_line(), board)))
}

/// Returns whether a line is the label before the positions.
pub(super) fn is_positions_label(line: &Line) -> bool {
    line.text.trim_start().to_ascii_lowercase().starts_with("starting positions")
}

/// Note for the user on the interpretation of the numbers.
const NOTE: &str =
    "read as positions: the first number is the cell of the blank, the next one that of tile 1";

pub(super) fn next_positions<R: BufRead>(
    lines: &mut Lines<R>,
    hints: Hints<'_>,
) -> io::Result<Option<Case>> {
    let Some(first) = lines.next_filled()? else { return Ok(None) };
    let size = match sides(&first, hints) {
        Ok(sides) => sides.size(),
        Err(error) => return Ok(Some(Case::fault(error))),
    };
    let label = lines.next_filled()?;
    if !label.as_ref().is_some_and(is_positions_label) {
        let flaw =
            Flaw::new(0..0, "`starting positions for each tile:` is expected after the size");
        return Ok(Some(Case::fault(label.as_ref().unwrap_or(&first).locate(flaw))));
    }
    let start = board_by_positions(lines, size)?;
    let has_goal = |line: &Line| line.text.trim_start().to_ascii_lowercase().starts_with("goal");
    while lines.peek(0)?.is_some_and(|line| line.text.trim().is_empty()) {
        lines.next()?;
    }
    let goal = match lines.peek(0)?.is_some_and(has_goal) {
        true => {
            lines.next()?;
            Some(board_by_positions(lines, size)?)
        }
        false => None,
    };
    let read = start.map(|board| BoardText { board, notes: vec![NOTE.into()] });
    let mut case = Case::new(first.number, read);
    match goal.transpose() {
        Ok(goal) => case.goal = goal,
        Err(error) => case.board = case.board.and(Err(error)),
    }
    Ok(Some(case))
}

/// Reads the cell of each tile and returns the board.
fn board_by_positions<R: BufRead>(
    lines: &mut Lines<R>,
    size: Size,
) -> io::Result<Result<Board, NotationError>> {
    let mut numbers = vec![u32::MAX; size.cells()];
    let mut tile = 0;
    let mut last = None;
    while tile < size.cells() {
        let Some(line) = lines.next_filled()? else { break };
        let word = line.text.trim();
        let place = word.parse::<usize>().ok().filter(|&place| place < size.cells());
        match place.and_then(|place| numbers.get_mut(place)).filter(|cell| **cell == u32::MAX) {
            Some(cell) => *cell = tile as u32,
            None => {
                let message = format!(
                    "the position of tile {tile} is expected here, a cell from 0 to {} that no other tile has",
                    size.tiles()
                );
                return Ok(Err(line.locate(Flaw::new(0..line.text.len(), message))));
            }
        }
        tile += 1;
        last = Some(line);
    }
    Ok(Board::new(size, &numbers).map_err(|_| {
        let message = format!("the input ends after {tile} of {} positions", size.cells());
        let flaw = Flaw::new(usize::MAX..usize::MAX, message);
        last.map_or_else(|| flaw.clone().locate("", 1), |line| line.locate(flaw.clone()))
    }))
}
