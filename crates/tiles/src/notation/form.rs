//! Written forms of a board.

use std::fmt;

use super::named::named;
use super::write::{ends_with_slash, grid, in_rows, slashes};
use crate::board::Board;
use crate::goal::Goal;
use crate::parity::Solvability;
use crate::size::Size;

/// A written form of a board.
///
/// [`parse_board`](super::parse_board) reads the forms up to [`Grid`](Self::Grid). It needs the size of non-square
/// boards for [`Tokens`](Self::Tokens), and of a single row for forms of several lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Form {
    /// One line with the shape of the board: `2 3 4/1 5 0/7 6 8`.
    #[default]
    Slashes,
    /// The tiles alone, as judges write them: `2 3 4 1 5 x 7 6 8`.
    Tokens,
    /// Tiles without separators; rows are separated if the board is not square: `23415x768`, `123/45x`. At most
    /// ten cells.
    Compact,
    /// Nested lists: `[[2,3,4],[1,5,0],[7,6,8]]`.
    List,
    /// One row per line.
    Rows,
    /// Drawn with a frame.
    Grid,
    /// One hexadecimal digit per cell; rows are separated if the board is not square: `123456789ABCDEF0`. At most 16
    /// cells.
    Hex,
    /// Tiles as letters from `A`, with `_` for the blank; rows are separated if the board is not square: `BCDAE_GFH`.
    /// At most 27 cells.
    Letters,
    /// The edge length on a line, then one row per line, in columns, as in the course at Princeton. Square boards only.
    Princeton,
    /// [`Princeton`](Self::Princeton) after a comment that states whether the spiral can be reached, as at the schools
    /// of 42. Square boards only.
    FortyTwo,
    /// A game of Simon Tatham's puzzle collection: `3x3:2,3,4,1,5,0,7,6,8`.
    Tatham,
    /// A line of Korf's instances: a number, the length of a shortest solution if it is known, and the tiles.
    Korf,
}

/// A row of the table of forms.
#[derive(Clone, Copy, Debug)]
pub struct FormRow {
    /// The form.
    pub form: Form,
    /// The name used in options.
    pub name: &'static str,
    /// A one-line description for help texts.
    pub summary: &'static str,
    /// Whether a board takes several lines.
    pub several_lines: bool,
}

/// All forms of boards: the single place where their names are defined.
pub const FORMS: &[FormRow] = &[
    FormRow {
        form: Form::Slashes,
        name: "slashes",
        summary: "rows separated by slashes, 0 for the blank: 2 3 4/1 5 0/7 6 8",
        several_lines: false,
    },
    FormRow {
        form: Form::Tokens,
        name: "tokens",
        summary: "the tiles in a line, x for the blank, as for judges: 2 3 4 1 5 x 7 6 8",
        several_lines: false,
    },
    FormRow {
        form: Form::Compact,
        name: "compact",
        summary: "without separators, up to 10 cells: 23415x768, 123/45x",
        several_lines: false,
    },
    FormRow {
        form: Form::List,
        name: "list",
        summary: "nested lists, 0 for the blank: [[2,3,4],[1,5,0],[7,6,8]]",
        several_lines: false,
    },
    FormRow {
        form: Form::Rows,
        name: "rows",
        summary: "one row per line, 0 for the blank",
        several_lines: true,
    },
    FormRow { form: Form::Grid, name: "grid", summary: "drawn with a frame", several_lines: true },
    FormRow {
        form: Form::Hex,
        name: "hex",
        summary: "one hexadecimal digit per cell, 0 for the blank, up to 16 cells: 234150768",
        several_lines: false,
    },
    FormRow {
        form: Form::Letters,
        name: "letters",
        summary: "one letter per cell, _ for the blank, up to 27 cells: BCDAE_GFH",
        several_lines: false,
    },
    FormRow {
        form: Form::Princeton,
        name: "princeton",
        summary: "the edge length of a square board, then one row per line, 0 for the blank (Princeton)",
        several_lines: true,
    },
    FormRow {
        form: Form::FortyTwo,
        name: "42",
        summary: "as princeton, after a comment that states whether the spiral can be reached (42)",
        several_lines: true,
    },
    FormRow {
        form: Form::Tatham,
        name: "tatham",
        summary: "a game of Simon Tatham's collection: 3x3:2,3,4,1,5,0,7,6,8",
        several_lines: false,
    },
    FormRow {
        form: Form::Korf,
        name: "korf",
        summary: "a number, the length of a shortest solution if it is known, and the tiles",
        several_lines: false,
    },
];

named!(Form, "a form of boards", FORMS: FormRow { form }, UnknownForm);

/// The reason why a board cannot be written in a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnwritableBoard {
    /// The board has too many cells.
    #[error(
        "a board of {cells} cells cannot be written as {form}: at most {most} tiles have one sign each"
    )]
    TooManyCells {
        /// The form.
        form: Form,
        /// The number of cells of the board.
        cells: usize,
        /// The maximum number of cells for which the form has signs.
        most: usize,
    },
    /// The board is not square.
    #[error("a {size} board cannot be written as {form}: these boards are square")]
    NotSquare {
        /// The form.
        form: Form,
        /// The size of the board.
        size: Size,
    },
}

impl Form {
    /// Formats `board`, without a line end.
    ///
    /// # Errors
    /// Returns an error if the board has too many cells for the form, or is not square although the form requires it.
    ///
    /// # Examples
    /// ```
    /// use loyd_tiles::notation::{Form, parse_board};
    /// let board = parse_board("2 3 4/1 5 x/7 6 8", None)?;
    /// assert_eq!(Form::Compact.write(&board).unwrap(), "23415x768");
    /// assert_eq!(Form::List.write(&board).unwrap(), "[[2,3,4],[1,5,0],[7,6,8]]");
    /// # Ok::<(), loyd_tiles::notation::NotationError>(())
    /// ```
    pub fn write(self, board: &Board) -> Result<String, UnwritableBoard> {
        let size = board.size();
        Ok(match self {
            Self::Slashes => slashes(board).to_string(),
            Self::Tokens => board.to_string(),
            Self::Compact => self.run_together(board, 10, |number| match number {
                0 => 'x',
                _ => char::from_digit(number, 10).unwrap_or('?'),
            })?,
            Self::List => format!("[[{}]]", rows(board, ",", "],[")),
            Self::Rows => rows(board, " ", "\n"),
            Self::Grid => grid(board).to_string().trim_end().to_owned(),
            Self::Hex => self.run_together(board, 16, |number| {
                char::from_digit(number, 16).unwrap_or('?').to_ascii_uppercase()
            })?,
            Self::Letters => self.run_together(board, 27, |number| match number {
                0 => '_',
                _ => char::from_u32(u32::from('A') - 1 + number).unwrap_or('?'),
            })?,
            Self::Princeton => self.with_edge(board)?,
            Self::FortyTwo => {
                let rows = self.with_edge(board)?;
                format!("# This puzzle is {}\n{rows}", spiral_verdict(board))
            }
            Self::Tatham => format!("{size}:{}", rows(board, ",", ",")),
            Self::Korf => korf_line(board, "1", None),
        })
    }

    /// Writes one sign per cell; rows are separated if the board is not square.
    fn run_together(
        self,
        board: &Board,
        most: usize,
        sign: impl Fn(u32) -> char,
    ) -> Result<String, UnwritableBoard> {
        let (size, cells) = (board.size(), board.size().cells());
        if cells > most {
            return Err(UnwritableBoard::TooManyCells { form: self, cells, most });
        }
        let between = if size.width() == size.height() { "" } else { "/" };
        let end = if ends_with_slash(size) { "/" } else { "" };
        let signs = board.numbers().map(|number| sign(number.into()));
        Ok(in_columns(board, signs, ["", between]) + end)
    }

    /// Writes the edge length and the rows in columns.
    fn with_edge(self, board: &Board) -> Result<String, UnwritableBoard> {
        let size = board.size();
        if size.width() != size.height() {
            return Err(UnwritableBoard::NotSquare { form: self, size });
        }
        let width = (size.cells() - 1).to_string().len().max(2);
        let numbers = board.numbers().map(|number| format!("{number:>width$}"));
        Ok(format!("{}\n{}", size.width(), in_columns(board, numbers, [" ", "\n"])))
    }
}

/// Formats `board` as a line of Korf's instances; the `name` is usually a number.
///
/// # Examples
/// ```
/// use loyd_tiles::notation::{korf_line, parse_board};
/// let board = parse_board("2 3 4/1 5 x/7 6 8", None)?;
/// assert_eq!(korf_line(&board, "7", Some(19)), "7 19 2 3 4 1 5 0 7 6 8");
/// assert_eq!(korf_line(&board, "7", None), "7 2 3 4 1 5 0 7 6 8");
/// # Ok::<(), loyd_tiles::notation::NotationError>(())
/// ```
pub fn korf_line(board: &Board, name: &str, length: Option<u32>) -> String {
    let length = length.map(|length| format!("{length} ")).unwrap_or_default();
    format!("{name} {length}{}", rows(board, " ", " "))
}

/// Returns `solvable` or `unsolvable`, depending on whether the board can reach the spiral.
fn spiral_verdict(board: &Board) -> &'static str {
    let spiral = Goal::Spiral.board(board.size()).expect("a named goal has every size");
    match Solvability::new(board, &spiral).is_solvable() {
        true => "solvable",
        false => "unsolvable",
    }
}

/// Returns the numbers separated by `between`, and by `after` at the end of each row but the last.
fn rows(board: &Board, between: &str, after: &str) -> String {
    in_columns(board, board.numbers(), [between, after])
}

/// Writes `words` in place of the numbers, with separators as in [`rows`].
fn in_columns<T: fmt::Display>(
    board: &Board,
    words: impl Iterator<Item = T>,
    separators: [&str; 2],
) -> String {
    let mut text = String::new();
    in_rows(&mut text, board.size().width(), words, separators)
        .expect("writing to a string cannot fail");
    text
}
