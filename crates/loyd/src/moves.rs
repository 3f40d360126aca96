//! Moves of the blank, and what counts as one.
//!
//! ```
//! use loyd::Move::{Left, Right, Up};
//! use loyd::moves::{Metric, invert, moves_in, simplify};
//!
//! let moves = [Up, Up, Right];
//! assert_eq!(moves_in(Metric::MultiTile, &moves), [vec![Up, Up], vec![Right]]);
//! assert_eq!(Metric::MultiTile.length(&moves), 2);
//! assert_eq!(invert(&moves)[0], Left);
//! assert_eq!(simplify(&[Up, Left, Right]), [Up]);
//! ```

pub use loyd_tiles::{Metric, MetricError, Move, invert, runs, simplify};

pub use crate::windows::moves_in;
