//! Experiments with solvers: comparing, plotting and tracing searches, counting state spaces, and labelling boards with
//! exact distances.
#![forbid(unsafe_code)]

pub mod census;
pub mod compare;
pub mod dataset;
pub mod experiment;
pub mod header;
pub mod perft;
pub mod plot;
pub mod trace;
