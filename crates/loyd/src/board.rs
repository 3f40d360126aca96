//! Boards, their sizes, cells and tiles; whether they can be solved, and their ranks.
//!
//! ```
//! use loyd::board::{Cell, Solvability, Tile, cantor_rank};
//! use loyd::notation::parse_board;
//! use loyd::{Goal, Size};
//!
//! let board = parse_board("2 3 4/1 5 x/7 6 8", None)?;
//! assert_eq!((board.size(), board.blank()), (Size::EIGHT, Cell::new(5)));
//! assert_eq!(board.find(Tile::new(8)), Some(Cell::new(8)));
//! let goal = Goal::BlankLast.board(board.size())?;
//! assert!(Solvability::new(&board, &goal).is_solvable());
//! let numbers: Vec<u8> = goal.numbers().collect();
//! assert_eq!(cantor_rank(&numbers)?, 46_233);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use loyd_tiles::{
    Board, BoardError, CantorTerm, Cell, IllegalMove, RankError, Size, SizeError, Solvability,
    Tile, Verdict, cantor_rank, cantor_terms, cantor_unrank,
};
