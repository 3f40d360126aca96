//! The forms in which a board is written.

use super::named::named;
use super::write::{grid, in_rows, slashes};
use crate::board::Board;

/// How a board is written.
///
/// [`parse_board`](super::parse_board) reads every form; it has to be told the size of boards that are
/// not square for [`Tokens`](Self::Tokens), and of a single row in any form of several lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Form {
    /// One line that tells its shape: `2 3 4/1 5 0/7 6 8`.
    #[default]
    Slashes,
    /// The tiles alone, as judges write them: `2 3 4 1 5 x 7 6 8`.
    Tokens,
    /// Run together, rows separated where the board is not square: `23415x768`, `123/45x`. At most
    /// ten cells.
    Compact,
    /// Nested lists: `[[2,3,4],[1,5,0],[7,6,8]]`.
    List,
    /// A row a line.
    Rows,
    /// Drawn with a frame.
    Grid,
}

/// What there is to say about a form.
#[derive(Clone, Copy, Debug)]
pub struct FormRow {
    /// The form.
    pub form: Form,
    /// Its name, as options have it.
    pub name: &'static str,
    /// One line for help texts.
    pub summary: &'static str,
    /// Whether a board takes several lines.
    pub several_lines: bool,
}

/// All forms of boards: the one place where they are named.
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
        summary: "run together, up to 10 cells: 23415x768, 123/45x",
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
        summary: "a row a line, 0 for the blank",
        several_lines: true,
    },
    FormRow { form: Form::Grid, name: "grid", summary: "drawn with a frame", several_lines: true },
];

named!(Form, "a form of boards", FORMS: FormRow { form }, UnknownForm);

/// A board with too many tiles to be run together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a board of {0} cells cannot be run together: at most {MOST_COMPACT} tiles have one digit")]
pub struct TooManyTiles(pub usize);

/// The most cells of a board whose tiles have one digit each.
const MOST_COMPACT: usize = 10;

impl Form {
    /// The text for `board`, without an end of line.
    ///
    /// # Errors
    /// When a compact board has more than ten cells.
    ///
    /// # Examples
    /// ```
    /// use loyd_tiles::notation::{Form, parse_board};
    /// let board = parse_board("2 3 4/1 5 x/7 6 8", None)?;
    /// assert_eq!(Form::Compact.write(&board).unwrap(), "23415x768");
    /// assert_eq!(Form::List.write(&board).unwrap(), "[[2,3,4],[1,5,0],[7,6,8]]");
    /// # Ok::<(), loyd_tiles::notation::NotationError>(())
    /// ```
    pub fn write(self, board: &Board) -> Result<String, TooManyTiles> {
        let size = board.size();
        Ok(match self {
            Self::Slashes => slashes(board).to_string(),
            Self::Tokens => board.to_string(),
            Self::Compact if size.cells() > MOST_COMPACT => return Err(TooManyTiles(size.cells())),
            Self::Compact if size.width() == size.height() => {
                rows(board, "", "").replacen('0', "x", 1)
            }
            Self::Compact => {
                let end = if size.height() == 1 { "/" } else { "" };
                rows(board, "", "/").replacen('0', "x", 1) + end
            }
            Self::List => format!("[[{}]]", rows(board, ",", "],[")),
            Self::Rows => rows(board, " ", "\n"),
            Self::Grid => grid(board).to_string().trim_end().to_owned(),
        })
    }
}

/// The numbers with `between` them, and `after` each row but the last.
fn rows(board: &Board, between: &str, after: &str) -> String {
    let mut text = String::new();
    in_rows(&mut text, board.size().width(), board.numbers(), [between, after])
        .expect("a string takes everything");
    text
}
