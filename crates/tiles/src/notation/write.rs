//! Boards and solutions as people and programs like to read them.

use std::fmt;

use super::path::moves_to_string;
use crate::board::{Board, IllegalMove};
use crate::metric::Metric;
use crate::moves::Move;

/// Writes `words` with the first of `separators` between them, and the second between rows.
pub(crate) fn in_rows<T: fmt::Display>(
    to: &mut impl fmt::Write,
    width: usize,
    words: impl Iterator<Item = T>,
    [between, after]: [&str; 2],
) -> fmt::Result {
    for (index, word) in words.enumerate() {
        let separator = match index {
            0 => "",
            _ if index.is_multiple_of(width) => after,
            _ => between,
        };
        write!(to, "{separator}{word}")?;
    }
    Ok(())
}

/// `board` as one line that [`parse_board`](super::parse_board) reads without being told a size.
///
/// # Examples
/// ```
/// use loyd_tiles::notation::{parse_board, slashes};
/// let board = parse_board("23415x768", None)?;
/// assert_eq!(slashes(&board).to_string(), "2 3 4/1 5 0/7 6 8");
/// # Ok::<(), loyd_tiles::notation::NotationError>(())
/// ```
pub fn slashes(board: &Board) -> Slashes<'_> {
    Slashes(board)
}

/// What [`slashes`] returns: rows separated by `/`, a single row closed by it, 0 for the blank.
#[derive(Clone, Copy, Debug)]
pub struct Slashes<'a>(&'a Board);

impl fmt::Display for Slashes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.size();
        let mut text = String::with_capacity(4 * size.cells());
        for row in self.0.tiles().chunks(size.width()) {
            for tile in row {
                push_number(&mut text, tile.number());
                text.push(' ');
            }
            // In place of the last space.
            text.pop();
            text.push('/');
        }
        if size.height() > 1 {
            text.pop();
        }
        f.write_str(&text)
    }
}

/// Appends the digits of `number`. Every record of a batch has two boards, and [`fmt::Display`] of numbers takes
/// ten times as long.
fn push_number(text: &mut String, number: u8) {
    let digit = |value: u8| char::from(b'0' + value % 10);
    if number >= 100 {
        text.push(digit(number / 100));
    }
    if number >= 10 {
        text.push(digit(number / 10));
    }
    text.push(digit(number));
}

/// `board` as a framed grid of several lines, the blank a dot.
///
/// # Examples
/// ```
/// use loyd_tiles::notation::{grid, parse_board};
/// let board = parse_board("3 x/1 2", None)?;
/// assert_eq!(grid(&board).to_string(), "┌─────┐\n│ 3 · │\n│ 1 2 │\n└─────┘\n");
/// # Ok::<(), loyd_tiles::notation::NotationError>(())
/// ```
pub fn grid(board: &Board) -> Grid<'_> {
    Grid(board)
}

/// What [`grid`] returns.
#[derive(Clone, Copy, Debug)]
pub struct Grid<'a>(&'a Board);

impl fmt::Display for Grid<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.size();
        let digits = size.tiles().to_string().len();
        let rule = "─".repeat(size.width() * (digits + 1) + 1);
        writeln!(f, "┌{rule}┐")?;
        for row in self.0.tiles().chunks(size.width()) {
            f.write_str("│")?;
            for tile in row {
                match tile.is_blank() {
                    true => write!(f, " {:>digits$}", '·')?,
                    false => write!(f, " {tile:>digits$}")?,
                }
            }
            f.write_str(" │\n")?;
        }
        writeln!(f, "└{rule}┘")
    }
}

/// Every board from `start` along `path` as a grid, each under its number and the letters of the
/// move that led to it: several for a slide of several tiles, if those count as one in `metric`.
///
/// # Errors
/// The first move that leaves the board.
///
/// # Examples
/// ```
/// use loyd_tiles::{Metric, notation::{grids, parse_board, parse_moves}};
/// let (start, path) = (parse_board("1 2/x 3", None)?, parse_moves("r")?);
/// let shown = grids(&start, &path, Metric::SingleTile)?.to_string();
/// assert!(shown.starts_with("0\n┌─────┐\n│ 1 2 │\n│ · 3 │\n"));
/// assert!(shown.ends_with("1 r\n┌─────┐\n│ 1 2 │\n│ 3 · │\n└─────┘\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn grids<'a>(
    start: &'a Board,
    path: &'a [Move],
    metric: Metric,
) -> Result<Grids<'a>, IllegalMove> {
    Walk::new(start, path, metric).map(Grids)
}

/// What [`grids`] returns.
#[derive(Clone, Copy, Debug)]
pub struct Grids<'a>(Walk<'a>);

impl fmt::Display for Grids<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.each(|step, came_by, board| {
            match came_by {
                [] => writeln!(f, "{step}")?,
                moves => writeln!(f, "{step} {}", moves_to_string(moves))?,
            }
            Grid(board).fmt(f)
        })
    }
}

/// Every board from `start` along `path` on a line of its own: number, tab, tiles, 0 for the blank. A move
/// is what counts as one in `metric`.
///
/// # Errors
/// The first move that leaves the board.
///
/// # Examples
/// ```
/// use loyd_tiles::{Metric, notation::{parse_board, parse_moves, steps}};
/// let (start, path) = (parse_board("1 2 3/4 5 6/x 7 8", None)?, parse_moves("rr")?);
/// let lines = |metric| steps(&start, &path, metric).map(|steps| steps.to_string());
/// assert_eq!(lines(Metric::SingleTile)?.lines().count(), 3);
/// let slides = lines(Metric::MultiTile)?;
/// assert_eq!(slides, "0\t1 2 3 4 5 6 0 7 8\n1\t1 2 3 4 5 6 7 8 0\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn steps<'a>(
    start: &'a Board,
    path: &'a [Move],
    metric: Metric,
) -> Result<Steps<'a>, IllegalMove> {
    Walk::new(start, path, metric).map(Steps)
}

/// What [`steps`] returns.
#[derive(Clone, Copy, Debug)]
pub struct Steps<'a>(Walk<'a>);

impl fmt::Display for Steps<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.each(|step, _, board| {
            write!(f, "{step}")?;
            for (index, number) in board.numbers().enumerate() {
                write!(f, "{}{number}", if index == 0 { '\t' } else { ' ' })?;
            }
            f.write_str("\n")
        })
    }
}

/// A path that is known to stay on the board.
#[derive(Clone, Copy, Debug)]
struct Walk<'a> {
    start: &'a Board,
    path: &'a [Move],
    metric: Metric,
}

impl<'a> Walk<'a> {
    fn new(start: &'a Board, path: &'a [Move], metric: Metric) -> Result<Self, IllegalMove> {
        start.clone().walk(path)?;
        Ok(Self { start, path, metric })
    }

    fn each(self, mut show: impl FnMut(usize, &[Move], &Board) -> fmt::Result) -> fmt::Result {
        let mut board = self.start.clone();
        show(0, &[], &board)?;
        let is_one = |a: &Move, b: &Move| self.metric == Metric::MultiTile && a == b;
        for (step, moves) in (1..).zip(self.path.chunk_by(is_one)) {
            board.walk(moves).map_err(|_| fmt::Error)?;
            show(step, moves, &board)?;
        }
        Ok(())
    }
}
