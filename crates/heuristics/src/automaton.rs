//! Automata that prune duplicates, by boards and metric.

mod filed;
mod key;

pub use key::AutomatonKey;
