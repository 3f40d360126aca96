//! Reading and writing boards and moves.
//!
//! [`read_board`], or [`parse_board`] for short, reads one board, and [`Cases`] reads a file of boards.
//! [`read_moves`] reads moves in any of the [`NOTATIONS`], [`parse_moves`] in the judges' notation only, and
//! [`TextLines`] splits a file of moves into lines. Every fault is a [`NotationError`] with its position. Boards are
//! written in any of the [`FORMS`], moves in any [`Style`], and walks by [`grids`] and [`steps`].
//!
//! # How a text is read
//! First its words and rows are found (`scan`, `table`), then the words are decoded as tiles (`symbols`), and last
//! the board is checked. A file is first split into boards (`auto` detects its layout). A reading that makes an
//! assumption leaves a note, and a text with two possible readings is rejected with both.
//!
//! * The blank is `x`, `X`, `0`, `_`, `.`, `*`, `-`, `-1`, `#`, `b`, `B`, `None`, `null`, an empty string in quotes, an
//!   empty cell between commas or bars, a box such as `□`, the number of cells, a gap between columns, or the word
//!   that the caller specifies.
//! * Tiles are decimal numbers from 1, or from 0 if another sign is the blank; hexadecimal digits or letters if
//!   no other reading fits. Up to ten tiles may be written without separators, `23415x768`, and more as letters.
//! * White space, commas, bars and `&` separate tiles. Rows end at `/`, `;`, `\\\\`, at the end of a line, or at a
//!   bracket: `[[2,3,4],[1,5,0],[7,6,8]]`. Within brackets, `[]`, `()` or `{}`, a line break is white space.
//! * Lists may be copied from source code: `board = [[…]];`, `np.array([[…]])`, `int b[3][3] = {{…}};`.
//! * Frames and rules of drawn boards and of tables in Markdown and LaTeX are skipped.
//! * A closing `/` is allowed. It distinguishes a row, `1 2 3 x/`, from a list, `1 2 3 x`, which is square.
//! * Lines that start with `#` are comments, and so is the text after a `#` at the end of a line, unless it is tiles.
//! * Windows line ends, a byte order mark and a missing last line end are accepted.
//!
//! Input is untrusted. A line of boards holds at most 256 KiB, unless line ends have no meaning
//! ([`Format::Tokens`]), a board at most 10,000 cells, a text at most [`MAX_MOVES`] moves. Anything larger
//! is a fault of its line and does not stop the reader.

mod auto;
mod board;
mod cases;
mod columns;
mod described;
mod doubts;
mod error;
mod fields;
mod form;
mod format;
mod grid;
mod heading;
mod holes;
mod input;
mod layout;
mod line_formats;
mod moves;
mod named;
mod names;
mod naming;
mod pairs;
mod pddl;
mod reading;
mod records;
mod scan;
mod signs;
mod sized;
mod strict_json;
mod surroundings;
mod symbols;
mod table;
mod text;
mod text_lines;
mod tokens;
mod write;

pub use cases::Cases;
pub use error::NotationError;
pub use fields::board_of_json;
pub use form::{FORMS, Form, FormRow, UnknownForm, UnwritableBoard, korf_line};
pub use format::{FORMATS, Format, FormatRow, UnknownFormat};
pub use heading::names_board;
pub use moves::{
    MAX_MOVES, MoveText, NOTATIONS, Notation, NotationRow, Style, UnknownNotation, UnwritableMoves,
    parse_moves, read_moves, read_moves_prefix, read_moves_to,
};
pub use names::{BOARD_FIELDS, is_goal_field};
pub use reading::{BoardText, Case, Hints};
pub use records::case_of_json;
pub use strict_json::StrictJson;
pub use symbols::is_cell;
pub use text::{parse_board, parse_numbers, parse_partial_goal, read_board};
pub use text_lines::TextLines;
pub use write::{Grid, Grids, Slashes, Steps, grid, grids, moves_to_string, slashes, steps};
pub(crate) use write::{ends_with_slash, in_rows};
