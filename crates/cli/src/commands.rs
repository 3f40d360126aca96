//! One module a command.

pub mod about;
pub mod advice;
pub mod explain;
pub mod judge;
pub mod list;
pub mod pdb;
pub mod rank;
pub mod realms;
pub mod solve;
pub mod verify;
