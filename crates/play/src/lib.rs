//! A game of sliding tiles, without a screen: what was played and for how long, where tiles belong, and solutions
//! played back. The caller draws it, and tells the time: how long ago some fixed moment was.
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

mod game;
mod homes;
mod playback;
mod stopwatch;

pub use game::{Game, Push};
pub use homes::{Homes, Place};
pub use playback::{Playback, SPEEDS};
pub use stopwatch::Stopwatch;
