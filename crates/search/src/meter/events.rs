//! Events that a meter sends to its observer.

use std::ops::ControlFlow;

use super::Meter;
use crate::observer::Event;
use crate::outcome::Stop;
use crate::space::Cost;

impl Meter<'_> {
    /// Sets whether the bounds of iterations are lower bounds from now on, which requires an admissible heuristic.
    pub fn set_bounds_are_proven(&mut self, bounds_are_proven: bool) {
        self.bounds_are_proven = bounds_are_proven;
    }

    /// Starts an iteration with `bound`: no solution was within the bound of the previous one.
    ///
    /// # Errors
    /// [`Stop::Cancelled`] if the observer stops the search.
    pub(crate) fn begin_iteration(&mut self, bound: Cost) -> Result<(), Stop> {
        if self.bounds_are_proven { self.raise_lower_bound(bound) } else { Ok(()) }
    }

    /// Reports that no solution costs less than `bound`, if this is a better lower bound than before.
    ///
    /// # Errors
    /// [`Stop::Cancelled`] if the observer stops the search.
    pub fn raise_lower_bound(&mut self, bound: Cost) -> Result<(), Stop> {
        if bound <= self.least {
            return Ok(());
        }
        self.least = bound;
        self.notify(Event::LowerBound(bound))
    }

    /// Returns the greatest lower bound reported, with or without an observer.
    pub fn lower_bound(&self) -> Cost {
        self.least
    }

    /// Reports a solution if it costs less than all before it. `text` is called only if there is an observer.
    ///
    /// # Errors
    /// [`Stop::Cancelled`] if the observer stops the search.
    pub fn report_incumbent(
        &mut self,
        cost: Cost,
        text: impl FnOnce() -> String,
    ) -> Result<(), Stop> {
        if cost >= self.best || self.observer.is_none() {
            return Ok(());
        }
        self.best = cost;
        self.notify(Event::Incumbent { cost, solution: &text() })
    }

    /// Reports that the search enters the stage `name`, with this heuristic or algorithm, unless it is in that stage.
    ///
    /// # Errors
    /// [`Stop::Cancelled`] if the observer stops the search.
    pub fn enter_stage(
        &mut self,
        name: &'static str,
        with: Option<&'static str>,
    ) -> Result<(), Stop> {
        if self.stage == (name, with) {
            return Ok(());
        }
        self.stage = (name, with);
        self.notify(Event::Stage { name, with })
    }

    /// Returns the stage reported last, and its heuristic or algorithm.
    pub fn current_stage(&self) -> (&'static str, Option<&'static str>) {
        self.stage
    }

    /// Sends any other event to the observer.
    ///
    /// # Errors
    /// [`Stop::Cancelled`] if the observer stops the search.
    pub fn notify(&mut self, event: Event<'_>) -> Result<(), Stop> {
        match self.observer.as_mut().map(|observer| observer.event(event)) {
            Some(ControlFlow::Break(())) => Err(Stop::Cancelled),
            _ => Ok(()),
        }
    }
}
