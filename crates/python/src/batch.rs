//! Arrays of boards: labels, moves and numbers of many at a time.
//!
//! What takes nanoseconds a board is done on the rows themselves, see [`loyd_lab::arrays`]; what is searched for goes
//! through the solver, on threads that have boards of their own.

mod call;
mod draw;
mod input;
mod labeller;
mod labels;
mod moves;
mod output;
mod share;
mod solutions;

pub use labeller::Kept;
