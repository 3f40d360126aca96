//! Boards as rows of bytes, the layout of arrays in other languages: checks, moves, ranks and labels many boards at
//! once without creating a [`Board`](loyd::Board) for each.
//!
//! A row holds the tile numbers of a board in reading order, 0 for the blank. Directions 0 to 3 are moves of the blank
//! up, left, right and down, in the order of [`Move::index`](loyd::Move::index).
#![forbid(unsafe_code)]

pub mod environments;
mod label;
mod rank_table;
mod ranks;
mod rows;
mod sums;
#[cfg(test)]
mod tests;

pub use label::{RowLabel, label_rows};
pub use rank_table::RankTable;
pub use ranks::{Parity, rank, unrank};
pub use rows::{InvalidRows, RowError, RowErrorKind, Rows, apply, neighbours};
pub use sums::TileSums;
