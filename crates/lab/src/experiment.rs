//! Experiments that test claims about the 8-puzzle.
//!
//! ```
//! use loyd::CancelToken;
//! use loyd_lab::experiment::{Experiment, Verdict};
//!
//! let experiment = Experiment::named("blank-in-parity")?;
//! let findings = experiment.run(&CancelToken::new())?;
//! assert_eq!(findings.verdict, Verdict::Holds);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Some claims are about faults of old programs. The module `textbook` reimplements these programs, for experiments
//! only.

mod accuracy;
mod classics;
mod comparisons;
mod engines;
mod faults;
mod findings;
mod programs;
mod textbook;

pub use findings::{Experiment, Findings, Plot, Table, Verdict, index, page, plot_name};

use accuracy::INFORMED;
use classics::CLASSICS;
use comparisons::{ASTAR_AND_BIBFS, FIVEFOLD, IDASTAR_AND_HASHING};
use faults::{
    BLANK_IN_PARITY, BOUND_BY_LEAST_H, BOUND_BY_ONE, CLOSING_AT_GENERATION, LIST_SEARCH, TEN_H,
};

/// All experiments.
pub static EXPERIMENTS: &[&Experiment] = &[
    &LIST_SEARCH,
    &ASTAR_AND_BIBFS,
    &FIVEFOLD,
    &IDASTAR_AND_HASHING,
    &INFORMED,
    &CLOSING_AT_GENERATION,
    &BOUND_BY_LEAST_H,
    &BOUND_BY_ONE,
    &BLANK_IN_PARITY,
    &TEN_H,
    &CLASSICS,
];

/// Error of an unknown experiment name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown experiment `{0}`; known experiments: {known}", known = names())]
pub struct UnknownExperiment(pub String);

fn names() -> String {
    EXPERIMENTS.iter().map(|experiment| experiment.name).collect::<Vec<_>>().join(", ")
}

impl Experiment {
    /// Returns the experiment with this name.
    ///
    /// # Errors
    /// Returns an error if the name is unknown.
    pub fn named(name: &str) -> Result<&'static Self, UnknownExperiment> {
        let mut all = EXPERIMENTS.iter().copied();
        all.find(|row| row.name == name).ok_or_else(|| UnknownExperiment(name.to_owned()))
    }
}
