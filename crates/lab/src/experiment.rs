//! Claims about the 8-puzzle, put to the test.
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
//! Old programs had faults that claims are about. They stand in `textbook`, each in a plain program of its own, which
//! nothing but experiments uses.

mod boards;
mod bounds;
mod classics;
mod closing;
mod engines;
mod growth;
mod hashing;
mod informed;
mod list_search;
mod meeting;
mod page;
mod parity;
mod programs;
mod row;
mod ten_h;
mod textbook;

pub use page::{index, page, plot_name};
pub use row::{Experiment, Findings, Plot, Table, Verdict};

use bounds::{BOUND_BY_LEAST_H, BOUND_BY_ONE};
use classics::CLASSICS;
use closing::CLOSING_AT_GENERATION;
use growth::FIVEFOLD;
use hashing::IDASTAR_AND_HASHING;
use informed::INFORMED;
use list_search::LIST_SEARCH;
use meeting::ASTAR_AND_BIBFS;
use parity::BLANK_IN_PARITY;
use ten_h::TEN_H;

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

/// There is no experiment of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no experiment `{0}`; there are {known}", known = names())]
pub struct UnknownExperiment(pub String);

fn names() -> String {
    EXPERIMENTS.iter().map(|experiment| experiment.name).collect::<Vec<_>>().join(", ")
}

impl Experiment {
    /// The experiment of this name.
    ///
    /// # Errors
    /// When there is none.
    pub fn named(name: &str) -> Result<&'static Self, UnknownExperiment> {
        let mut all = EXPERIMENTS.iter().copied();
        all.find(|row| row.name == name).ok_or_else(|| UnknownExperiment(name.to_owned()))
    }
}
