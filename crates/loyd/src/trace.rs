//! A search that tells what happens to each node.

use std::ops::ControlFlow;

use loyd_search::{CancelToken, Observer};

use crate::attempt::{attempt_by, meter, report};
use crate::error::Error;
use crate::problem::Problem;
use crate::report::Report;
use crate::solver::Solver;
use crate::trace_event::TraceEvent;

impl Solver {
    /// Solves `problem` by the algorithm of the configuration, whose quality says nothing here, and calls `watch` with
    /// everything that happens to a node, until it breaks off.
    ///
    /// The search meets the same nodes in the same order as [`solve`](Self::solve), and counts the same. Where `watch`
    /// has broken off, the report says that it was cancelled. There are no events for boards that are solved, or that
    /// parity forbids to solve.
    ///
    /// Cost: a search in the plainest form that there is, for boards of any size: tens of times the time.
    ///
    /// # Errors
    /// When the configuration does not fit the board.
    ///
    /// # Examples
    /// ```
    /// use std::ops::ControlFlow;
    /// use loyd::study::TraceKind;
    /// use loyd::{CancelToken, Config, Solver};
    /// let solver = Solver::new(Config { algorithm: Some("astar"), ..Config::default() })?;
    /// let mut expanded = 0;
    /// let report = solver.trace(&"1 2 3/4 x 5/7 8 6".parse()?, &CancelToken::new(), None, &mut |event| {
    ///     expanded += u64::from(event.kind == TraceKind::Expanding);
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!((report.stats.expanded, expanded), (2, 2));
    /// # Ok::<(), loyd::Error>(())
    /// ```
    pub fn trace(
        &self,
        problem: &Problem,
        cancel: &CancelToken,
        observer: Option<&mut dyn Observer>,
        watch: &mut dyn FnMut(&TraceEvent<'_>) -> ControlFlow<()>,
    ) -> Result<Report, Error> {
        let plan = self.plan(problem)?;
        let run = self.run(problem, &plan);
        let mut meter = meter(self.config(), plan.within(self.config().limits), cancel, observer);
        let attempt =
            attempt_by(&run, &mut meter, |meter| (plan.algorithm.trace)(&run, meter, watch));
        Ok(report(problem, &plan, attempt, meter.finish()))
    }
}
