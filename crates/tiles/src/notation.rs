//! Reading and writing boards and answers.
//!
//! One board is read by [`parse_board`], a file of them by [`Cases`], an answer by
//! [`parse_moves`]. Every fault is a [`NotationError`], which knows its place. Writing is the other
//! way about: [`slashes`], [`grid`], [`grids`], [`steps`] and [`moves_to_string`].
//!
//! # Leniencies
//! * The blank is `x`, `X`, `0`, `_` or `.`; tiles are decimal numbers.
//! * White space and commas separate tiles. Up to ten tiles may be run together: `23415x768`.
//! * Rows end at `/`, at the end of a line, or at a bracket: `[[2,3,4],[1,5,0],[7,6,8]]`. Within
//!   brackets, which may be `[]`, `()` or `{}`, a line break is white space.
//! * A closing `/` is allowed. It tells a row, `1 2 3 x/`, from a list, `1 2 3 x`, which is square.
//! * Line ends of Windows, a byte order mark and a missing last line end are read over.
//!
//! Nothing here trusts its input: a line holds at most 64 KiB, unless line ends mean nothing
//! ([`Format::Tokens`]), a board at most 256 cells, and what is beyond is a fault of its line and
//! never a reason to stop.

mod auto;
mod board;
mod cases;
mod eight;
mod error;
mod format;
mod grid;
mod input;
mod korf;
mod lines;
mod part;
mod path;
mod scan;
mod tokens;
mod write;

pub use board::parse_board;
pub use cases::{Case, Cases};
pub use error::NotationError;
pub use format::{FORMATS, Format, FormatRow, UnknownFormat};
pub use part::parse_part_goal;
pub use path::{MovesDisplay, moves_to_string, parse_moves};
pub use write::{Grid, Grids, Slashes, Steps, grid, grids, slashes, steps};
