//! Reading and writing boards and moves.
//!
//! One board is read by [`parse_board`], a file of them by [`Cases`]; moves by [`read_moves`] in
//! any of the [`NOTATIONS`], and by [`parse_moves`] in the judges' alone; a file of moves is cut into
//! [`TextLines`]. Every fault is a [`NotationError`], which knows its place. Writing is the other way about: a board in any of the
//! [`FORMS`], moves in any [`Style`], a walk by [`grids`] and [`steps`].
//!
//! # Leniencies
//! * The blank is `x`, `X`, `0`, `_` or `.`; tiles are decimal numbers.
//! * Boards that are drawn ([`grid`]) are read: frames are white space, and `·` is the blank.
//! * White space and commas separate tiles. Up to ten tiles may be run together: `23415x768`.
//! * Rows end at `/`, at the end of a line, or at a bracket: `[[2,3,4],[1,5,0],[7,6,8]]`. Within
//!   brackets, which may be `[]`, `()` or `{}`, a line break is white space.
//! * A closing `/` is allowed. It tells a row, `1 2 3 x/`, from a list, `1 2 3 x`, which is square.
//! * Lines of files that begin with `#` are comments, and skipped.
//! * Line ends of Windows, a byte order mark and a missing last line end are read over.
//!
//! Nothing here trusts its input: a line of boards holds at most 64 KiB, unless line ends mean nothing
//! ([`Format::Tokens`]), a board at most 256 cells, a text at most [`MOST_MOVES`] moves, and what is beyond
//! is a fault of its line and never a reason to stop.

mod auto;
mod board;
mod case;
mod cases;
mod eight;
mod error;
mod form;
mod format;
mod grid;
mod input;
mod korf;
mod lines;
mod moves;
mod named;
mod partial;
mod path;
mod scan;
mod text_lines;
mod tokens;
mod write;

pub use board::parse_board;
pub use case::Case;
pub use cases::Cases;
pub use error::NotationError;
pub use form::{FORMS, Form, FormRow, TooManyTiles, UnknownForm};
pub use format::{FORMATS, Format, FormatRow, UnknownFormat};
pub use moves::{
    MOST_MOVES, MoveText, NOTATIONS, Notation, NotationRow, Style, UnknownNotation,
    UnwritableMoves, parse_moves, read_moves, read_moves_as_far,
};
pub use partial::parse_partial_goal;
pub use path::moves_to_string;
pub use text_lines::TextLines;
pub(crate) use write::in_rows;
pub use write::{Grid, Grids, Slashes, Steps, grid, grids, slashes, steps};
