//! One module a command.

pub mod about;
pub mod advice;
mod answers;
pub mod apply;
pub mod convert;
mod each;
pub mod explain;
pub mod invert;
pub mod judge;
pub mod list;
pub mod pdb;
pub mod rank;
pub mod realms;
pub mod scramble;
pub mod simplify;
pub mod solve;
pub mod verify;
