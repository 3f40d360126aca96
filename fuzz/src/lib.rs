//! Fuzz targets for all readers of Loyd.
//!
//! A [`Target`] passes bytes to its reader and asserts properties that hold for every input: errors have a location in
//! the text, what is read, written and read again is unchanged, two ways of reading agree. Targets whose reader needs a
//! parameter, such as a size or a format, take it from the first line, so that seeds (one folder per target in
//! `fuzz/seeds`) can be written by hand.
//!
//! Two programs generate inputs: `guided`, which uses libFuzzer and is guided by coverage, and `loyd-fuzz`, which
//! mutates seeds blindly and only needs stable Rust.
#![forbid(unsafe_code)]

mod laws;
pub mod mutate;
mod targets;

// The command line is not a library, so its readers are included as source files. They use no other part of it.
#[path = "../../crates/cli/src/pddl.rs"]
pub mod pddl;
#[path = "../../crates/cli/src/input/records.rs"]
pub mod records;
#[path = "../../crates/cli/src/replay.rs"]
pub mod replay;

pub use targets::{TARGETS, Target};
