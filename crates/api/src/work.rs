//! The context in which a request is answered.

use std::time::Duration;

use loyd::board::Size;
use loyd::moves::Metric;
use loyd::notation::NotationError;
use loyd::search::{Clock, Limits, Prune};
use loyd::{CancelToken, Config, Solver};
use serde::Serialize;

use crate::fault::Fault;
use crate::progress::{Listener, Watcher};
use crate::request::Request;

/// Limits on what a single request may ask for.
#[derive(Clone, Copy, Debug)]
pub struct RequestLimits {
    /// Boards drawn or compared on.
    pub boards: usize,
    /// Boards of a batch.
    pub batch: usize,
    /// Rows of a comparison.
    pub rows: usize,
    /// Events of a trace.
    pub events: u64,
    /// Shortest solutions.
    pub solutions: u32,
    /// Moves of a solution or of a random walk.
    pub moves: usize,
    /// Moves in a word of an automaton beyond the default, in single-tile moves.
    pub more_steps: u32,
    /// Moves in a word of an automaton beyond the default, in slides, of which there are more.
    pub more_slides: u32,
    /// Cells of the boards of a census.
    pub census_cells: usize,
}

impl Default for RequestLimits {
    fn default() -> Self {
        Self {
            boards: 100,
            batch: 10_000,
            rows: 24,
            events: 100_000,
            solutions: 10_000,
            moves: 100_000,
            more_steps: 2,
            more_slides: 1,
            census_cells: 10,
        }
    }
}

/// A request and the context in which it is answered.
pub struct Work<'a> {
    /// Solver whose tables all solvers share, and whose configuration is the default of requests.
    pub tables: &'a Solver,
    pub limits: &'a RequestLimits,
    /// Returns a random number.
    pub random: fn() -> u64,
    pub request: &'a Request,
    pub cancel: &'a CancelToken,
}

impl Work<'_> {
    /// Returns the configuration of the search.
    pub fn config(&self) -> Result<Config, Fault> {
        self.request.config(self.tables.config())
    }

    /// Returns the configuration of a search on boards of this size, after [checking](Self::check_prune) its
    /// pruning.
    pub fn config_on(&self, size: Size) -> Result<Config, Fault> {
        let config = self.config()?;
        self.check_prune(config.prune, size, config.metric)?;
        Ok(config)
    }

    /// Rejects automata whose words exceed the limit. The time and memory to build an automaton grow with each move
    /// of its words, and the building cannot be cancelled, so words may be only a few moves longer than the default.
    pub fn check_prune(
        &self,
        prune: Option<Prune>,
        size: Size,
        metric: Metric,
    ) -> Result<(), Fault> {
        if let Some(Prune::Automaton { words: Some(words) }) = prune {
            let more = match metric {
                Metric::SingleTile => self.limits.more_steps,
                Metric::MultiTile => self.limits.more_slides,
            };
            let most = Prune::default_words(size, metric) + more;
            if words > most {
                let error = format!(
                    "words of an automaton for {size} boards in {metric} have at most {most} moves \
                     here, not {words}"
                );
                return Err(Fault::of("prune", error));
            }
        }
        Ok(())
    }

    /// Returns a solver for the configuration of the request.
    pub fn solver(&self) -> Result<Solver, Fault> {
        self.solver_with(self.config()?)
    }

    /// Returns a solver for `config` that shares the tables.
    pub fn solver_with(&self, config: Config) -> Result<Solver, Fault> {
        Ok(self.tables.sharing(config)?)
    }

    /// Returns a solver for `config` whose time limit is divided by the number of `searches`.
    pub fn solver_of(&self, config: Config, searches: u32) -> Result<Solver, Fault> {
        let limits = config.limits;
        let share = |time: Duration| time / searches.max(1);
        let limits = Limits { max_time: limits.max_time.map(share), ..limits };
        self.solver_with(Config { limits, ..config })
    }

    /// Returns an observer of a search that reports to `listener`.
    pub fn watcher<'b>(&self, listener: Listener<'b>) -> Watcher<'b> {
        Watcher::new(listener, self.tables.config().clock)
    }

    /// Returns a function that converts errors in the text of a field, with their location.
    pub fn fault_in<'b>(&'b self, field: &'b str) -> impl Fn(NotationError) -> Fault + 'b {
        let text = match field {
            "moves" => &self.request.moves,
            _ => &self.request.text,
        };
        Fault::in_text(field, text.as_deref().unwrap_or_default())
    }

    /// Returns a number of a request if it does not exceed the limit.
    pub fn at_most<T: Copy + PartialOrd + std::fmt::Display>(
        field: &str,
        requested: T,
        limit: T,
    ) -> Result<T, Fault> {
        if requested > limit {
            let message = format!("{field} is at most {limit}, not {requested}");
            return Err(Fault::of(field, message));
        }
        Ok(requested)
    }
}

/// The limits of a request on time and memory, which its searches share.
pub struct Budget {
    limits: Limits,
    clock: Clock,
    /// Start of the request.
    start: Duration,
}

impl Budget {
    /// Starts the clock.
    pub fn start(config: &Config) -> Self {
        Self { limits: config.limits, clock: config.clock, start: config.clock.now() }
    }

    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// Returns the limits of the next searches, `at_once` of which run at the same time. There are `rounds` of them,
    /// one after the other; what one round does not use remains for the next.
    pub fn share(&self, rounds: usize, at_once: usize) -> Limits {
        let used = self.clock.now().saturating_sub(self.start);
        let part = |limit: Duration| limit.saturating_sub(used) / rounds.max(1) as u32;
        Limits {
            max_time: self.limits.max_time.map(part),
            max_bytes: self.limits.max_bytes.map(|bytes| bytes / at_once.max(1) as u64),
            ..self.limits
        }
    }
}

/// Converts an answer to JSON.
pub fn json(answer: &impl Serialize) -> Result<String, Fault> {
    Ok(serde_json::to_string(answer).expect("an answer has only JSON types"))
}
