//! The laboratory: what one does with solvers besides solving. Searches are compared, plotted and traced, state spaces
//! are counted, and boards get exact labels.
#![forbid(unsafe_code)]

pub mod arrays;
pub mod census;
pub mod compare;
pub mod dataset;
pub mod environments;
pub mod experiment;
pub mod header;
pub mod perft;
pub mod plot;
mod quartiles;
mod shell;
pub mod trace;
