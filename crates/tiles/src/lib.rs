//! The domain of sliding-tile puzzles: boards of any size, moves, goals, solvability, ranks,
//! notations, and the packed states that searches run on.
//!
//! Conventions, said once:
//!
//! * a [`Move`] is the direction in which **the blank** travels, as in the judges' `u d l r`;
//! * cells are numbered from 0 in reading order; tile 0 is the blank, written `x` in judge files;
//! * a goal is a value (a [`Board`]), never an assumption.
#![forbid(unsafe_code)]

mod board;
mod cell;
mod cell_set;
mod goal;
mod metric;
mod move_table;
mod moves;
pub mod notation;
mod parity;
mod partial_goal;
mod ranking;
mod scramble;
mod size;
mod slide;
mod spaces;
mod symmetry;
mod tile;
mod walk;

pub use board::{Board, BoardError, Fault, IllegalMove};
pub use cell::Cell;
pub use cell_set::{CellGraph, CellIndices, CellSet};
pub use goal::{GOALS, Goal, GoalMismatch, NamedGoal, Relabelling};
pub use metric::{Metric, MetricError};
pub use move_table::MoveTable;
pub use moves::{Move, MoveSet};
pub use parity::{Solvability, Verdict};
pub use partial_goal::PartialGoal;
pub use ranking::{CantorTerm, DenseRank, RankError, cantor_rank, cantor_terms, cantor_unrank};
pub use scramble::{Random, TurnsBack, random_board, random_board_to, random_goal, random_walk};
pub use size::{Size, SizeError};
pub use slide::{Slide, SlideSet, SlidesOf};
pub use spaces::{
    ArraySpace, ArrayState, BoardSpace, Packed3x3, Packed4x4, Slides, State4x4, StepSpace,
};
pub use symmetry::Symmetry;
pub use tile::Tile;
pub use walk::{invert, runs, simplify};
