//! What a meter tells the observer.

use std::ops::ControlFlow;

use super::Meter;
use crate::observer::Event;
use crate::space::Cost;
use crate::stop::Stop;

impl Meter<'_> {
    /// Says whether the bounds of rounds are lower bounds from now on: the heuristic is admissible.
    pub fn proving(&mut self, proves: bool) {
        self.proves = proves;
    }

    /// Says that a round with `bound` begins because no solution is within the bound of the one before.
    ///
    /// # Errors
    /// [`Stop::Cancelled`] if the observer asks for it.
    pub(crate) fn begin_round(&mut self, bound: Cost) -> Result<(), Stop> {
        if self.proves { self.at_least(bound) } else { Ok(()) }
    }

    /// Tells the observer that no solution costs less than `bound`, unless it knows that.
    ///
    /// # Errors
    /// [`Stop::Cancelled`] if the observer asks for it.
    pub fn at_least(&mut self, bound: Cost) -> Result<(), Stop> {
        if bound <= self.least {
            return Ok(());
        }
        self.least = bound;
        self.tell(Event::LowerBound(bound))
    }

    /// The greatest lower bound that the observer was told, or would have been if there were one.
    pub fn lower_bound(&self) -> Cost {
        self.least
    }

    /// Tells the observer of a solution if it is the best so far.
    ///
    /// # Errors
    /// [`Stop::Cancelled`] if the observer asks for it.
    pub fn incumbent(&mut self, cost: Cost, text: impl FnOnce() -> String) -> Result<(), Stop> {
        if cost >= self.best || self.observer.is_none() {
            return Ok(());
        }
        self.best = cost;
        self.tell(Event::Incumbent { cost, solution: &text() })
    }

    /// Tells the observer what the search does from now on, and with which heuristic or algorithm, unless it does
    /// that already.
    ///
    /// # Errors
    /// [`Stop::Cancelled`] if the observer asks for it.
    pub fn stage(&mut self, name: &'static str, with: Option<&'static str>) -> Result<(), Stop> {
        if self.stage == (name, with) {
            return Ok(());
        }
        self.stage = (name, with);
        self.tell(Event::Stage { name, with })
    }

    /// What the search does, and with what, as the observer was told last.
    pub fn current_stage(&self) -> (&'static str, Option<&'static str>) {
        self.stage
    }

    /// Tells the observer of an event: what else there is to tell has methods of its own.
    ///
    /// # Errors
    /// [`Stop::Cancelled`] if the observer asks for it.
    pub fn tell(&mut self, event: Event<'_>) -> Result<(), Stop> {
        match self.observer.as_mut().map(|observer| observer.event(event)) {
            Some(ControlFlow::Break(())) => Err(Stop::Cancelled),
            _ => Ok(()),
        }
    }
}
