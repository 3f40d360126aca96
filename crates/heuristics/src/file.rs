//! Tables in files.
//!
//! A file holds the table of one [`TableKey`]: additive pattern databases, distances in a tile-class abstraction, or
//! the rows of an automaton. Numbers are little endian:
//!
//! | offset | bytes | what |
//! |---|---|---|
//! | 0 | 8 | what kind of table: `LOYD-PDB`, `LOYD-ALK` or `LOYD-AUT` |
//! | 8 | 4 | the version of this format, [`FORMAT_VERSION`] |
//! | 12 | 4 | H, the bytes of the header: a multiple of 4096 |
//! | 16 | 4 | width, height, goal cell of the blank, number of groups of cells; a byte each |
//! | 20 | 8 | W, the number of words |
//! | 28 | 4 | CRC-32 of the words |
//! | 32 | | for each group: the number of its cells and they themselves, a byte each; 2 bytes for the number of distances, and 8 for the number of states at each |
//! | … | | zeros |
//! | H − 4 | 4 | CRC-32 of the H − 4 bytes before |
//! | H | 8 W | the words |
//!
//! Groups are the goal cells of patterns, or of tile classes: then the first group has the distances,
//! and the others have none. Where the blank may end in other regions than that of its goal cell, as in
//! partial goals, the number of a pattern's cells has 128 added, and the cells are followed by another byte
//! and so many cells, the first of each region. Automata have in place of the goal cell of the blank 0 for moves of a
//! single tile and 1 for slides, and one group, of one cell: the most moves in a word. For distances they have the
//! numbers of states that remember so many moves.
//!
//! The CRC is that of Ethernet and zip. It finds every change of up to 32 neighbouring bits, and other
//! damage all but once in four thousand million times. That the tables were right when they were
//! written is for whoever builds them again and compares.

mod body;
mod contents;
mod error;
mod header;
mod key;
#[cfg(test)]
mod tests;

pub use body::{read, write};
pub use contents::Contents;
pub use error::{FORMAT_VERSION, FileError};
pub use header::Header;
pub use key::TableKey;
