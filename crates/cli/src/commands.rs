//! One module a command.

pub mod about;
mod answers;
pub mod apply;
pub mod census;
pub mod convert;
mod each;
pub mod explain;
pub mod filter_optimal;
pub mod hint;
pub mod invert;
pub mod judge;
pub mod list;
pub mod optimize;
pub mod pdb;
pub mod rank;
pub mod realms;
pub mod review;
pub mod scramble;
pub mod simplify;
pub mod solve;
pub mod verify;
