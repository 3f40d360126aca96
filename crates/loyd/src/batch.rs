//! Many problems at once, with their reports in order, and the records that are written about them.
//!
//! ```
//! use std::ops::ControlFlow;
//! use std::thread::available_parallelism;
//!
//! use loyd::{CancelToken, Problem, Solver};
//!
//! let problems = ["12345678x", "1234567x8"].map(|board| board.parse::<Problem>());
//! let problems = problems.into_iter().flatten();
//! let mut lengths = Vec::new();
//! Solver::default().solve_all(problems, available_parallelism()?, &CancelToken::new(), |report| {
//!     lengths.push(report.unwrap().length());
//!     ControlFlow::Continue(())
//! });
//! assert_eq!(lengths, [Some(0), Some(1)]);
//! # Ok::<(), std::io::Error>(())
//! ```

#[cfg(feature = "parallel")]
mod in_order;
#[cfg(not(feature = "parallel"))]
mod in_turn;

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use loyd_search::CancelToken;

use crate::error::Error;
use crate::problem::Problem;
use crate::report::Report;
use crate::solver::Solver;

pub use crate::record::{Record, Round, Written};
#[cfg(feature = "parallel")]
pub use in_order::in_order;
#[cfg(not(feature = "parallel"))]
pub use in_turn::in_order;

/// Problems that may be in flight for each thread: a hard one holds up all workers once so many behind it are
/// done.
const WINDOW: usize = 4096;

impl Solver {
    /// Solves many problems on `threads` threads; `deliver` gets the solutions in the order of the
    /// problems, each as soon as possible, until it breaks off.
    ///
    /// The limits hold for each problem by itself, so the memory limit holds once a thread. Cost: at
    /// most some thousand problems a thread are in memory, however many there are.
    pub fn solve_all(
        &self,
        problems: impl Iterator<Item = Problem> + Send,
        threads: NonZeroUsize,
        cancel: &CancelToken,
        mut deliver: impl FnMut(Result<Report, Error>) -> ControlFlow<()> + Send,
    ) {
        let mut problems = problems.fuse();
        in_order(
            threads,
            WINDOW,
            |at_most| problems.by_ref().take(at_most).collect(),
            |problem, reports: &mut Vec<_>| {
                reports.push(self.solve_watched(&problem, cancel, None));
            },
            |reports| reports.into_iter().try_for_each(&mut deliver),
        );
    }
}
