//! The sliding-tile puzzle domain: boards of any size, moves, goals, solvability, ranks,
//! notations, and the packed states used by the searches.
//!
//! Conventions used throughout:
//!
//! * a [`Move`] is the direction in which **the blank** moves, as in the judges' `u d l r`;
//! * cells are numbered from 0 in reading order; tile 0 is the blank, written `x` in judges' files;
//! * the goal is always passed as a value (a [`Board`]); no goal is built in.
#![forbid(unsafe_code)]

mod board;
mod cell_set;
mod equal_tiles;
mod goal;
mod moves;
pub mod notation;
mod parity;
mod partial_goal;
mod quote;
mod ranking;
mod scramble;
mod size;
mod slide;
mod spaces;
mod symmetry;

pub use board::{Board, BoardError, Fault, IllegalMove, Relabelling};
pub use cell_set::{CellGraph, CellIndices, CellSet};
pub use equal_tiles::{Difference, EqualTiles, EqualTilesError};
pub use goal::{GOALS, Goal, GoalMismatch, NamedGoal};
pub use moves::{Metric, MetricError, Move, MoveSet, invert, runs, simplify};
pub use parity::{Solvability, Verdict};
pub use partial_goal::PartialGoal;
pub use ranking::{CantorTerm, RankError, StateRanking, cantor_rank, cantor_terms, cantor_unrank};
pub use scramble::{
    Random, WalkTooLong, random_board, random_board_to, random_goal, random_walk, walk_randomly,
};
pub use size::{Cell, MoveTable, Size, SizeError, Tile};
pub use slide::{Slide, SlideSet, SlideSetIter};
pub use spaces::{
    ArraySpace, ArrayState, BoardSpace, Costed, Packed3x3, Packed4x4, Slides, State4x4, StepSpace,
};
pub use symmetry::Symmetry;
