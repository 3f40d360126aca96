//! Writes boards, moves and walks for people and programs.

use std::fmt;

use crate::board::{Board, IllegalMove};
use crate::moves::{Metric, Move};
use crate::size::Size;

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

/// Formats `board` as one line that [`parse_board`](super::parse_board) reads without a size.
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

/// A board in rows separated by `/`, with 0 for the blank. A slash also ends a single row, and a column with as many
/// cells as a square board.
#[derive(Clone, Copy, Debug)]
pub struct Slashes<'a>(&'a Board);

impl fmt::Display for Slashes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.size();
        let mut text = String::with_capacity(5 * size.cells());
        for row in self.0.tiles().chunks(size.width()) {
            for tile in row {
                push_number(&mut text, tile.number());
                text.push(' ');
            }
            // Replaces the last space.
            text.pop();
            text.push('/');
        }
        if !ends_with_slash(size) {
            text.pop();
        }
        f.write_str(&text)
    }
}

/// Returns whether a slash is needed after the last row, to distinguish a single row from a list, and a column from
/// a square board with one tile per line.
pub(crate) fn ends_with_slash(size: Size) -> bool {
    let side = size.cells().isqrt();
    size.height() == 1 || size.width() == 1 && side * side == size.cells()
}

/// Appends the digits of `number`. Every record of a batch has two boards, and formatting through [`fmt::Display`]
/// takes ten times as long.
fn push_number(text: &mut String, number: u16) {
    let digit = |value: u16| char::from(b'0' + (value % 10) as u8);
    for place in [1000, 100, 10] {
        if number >= place {
            text.push(digit(number / place));
        }
    }
    text.push(digit(number));
}

/// Formats `board` as a framed grid of several lines, with a dot for the blank.
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

/// A board drawn with a frame; see [`grid`].
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

/// Formats every board from `start` along `path` as a grid under its step number and the letters of the
/// step's moves: several for a slide of several tiles if `metric` counts it as one.
///
/// # Errors
/// Returns the first move that leaves the board.
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

/// The boards of a walk as grids; see [`grids`].
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

/// Formats every board from `start` along `path` on a separate line: step number, tab, tiles, with 0 for the blank.
/// A step counts as one move in `metric`.
///
/// # Errors
/// Returns the first move that leaves the board.
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

/// The boards of a walk, one per line; see [`steps`].
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

/// A path that has been checked to stay on the board.
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

/// Writes moves as the judges' letters.
///
/// # Examples
/// ```
/// use loyd_tiles::{Move, notation::moves_to_string};
/// assert_eq!(moves_to_string(&[Move::Up, Move::Left]), "ul");
/// ```
pub fn moves_to_string(moves: &[Move]) -> String {
    moves.iter().map(|m| m.letter()).collect()
}
