//! A sliding-tile game without a user interface: it tracks pushes, time and goal cells, plays solutions back, and
//! averages times. The caller draws the board and passes the current time, measured from any fixed moment.
//!
//! ```
//! use std::time::Duration;
//!
//! use loyd::Move;
//! use loyd_play::Game;
//!
//! let mut game = Game::new("1 2 3/4 x 5/7 8 6".parse()?);
//! let seconds = Duration::from_secs;
//! assert!(game.push(Move::Right, 1, seconds(10)) && game.push(Move::Down, 1, seconds(12)));
//! assert!(game.is_over());
//! assert_eq!(game.elapsed(seconds(60)), seconds(2));
//! # Ok::<(), loyd::Error>(())
//! ```
#![forbid(unsafe_code)]

mod average;
mod game;
mod homes;
mod playback;
mod stopwatch;

pub use average::{Average, best, mean, trimmed_average};
pub use game::{Game, Push};
pub use homes::{Homes, TileStatus};
pub use playback::{Playback, SPEEDS};
pub use stopwatch::Stopwatch;
