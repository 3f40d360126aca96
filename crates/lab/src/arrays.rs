//! Boards as rows of bytes, as arrays of other languages hold them: checked, moved, numbered and labelled many at a
//! time, without a [`Board`](loyd::Board) for each.
//!
//! A row has the tile numbers of a board in reading order, 0 for the blank. Directions 0 to 3 are the blank's moves up,
//! left, right and down, in the order of [`Move::index`](loyd::Move::index).

mod label;
mod moves;
mod number_table;
mod parity;
mod ranks;
mod rows;
#[cfg(test)]
mod tests;

pub use label::{Answer, label_rows};
pub use moves::{apply, neighbours};
pub use number_table::NumberTable;
pub use parity::Parity;
pub use ranks::{rank, unrank};
pub use rows::{Fault, Invalid, Rows, Wrong};
