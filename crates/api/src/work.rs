//! A request that is being answered.

use std::time::Duration;

use loyd::board::Size;
use loyd::moves::Metric;
use loyd::notation::NotationError;
use loyd::search::{Limits, Prune};
use loyd::{CancelToken, Config, Solver};
use serde::Serialize;

use crate::fault::Fault;
use crate::progress::{Listener, Watcher};
use crate::request::Request;

/// The most that one request may ask for.
#[derive(Clone, Copy, Debug)]
pub struct Most {
    /// Boards to draw or to compare on.
    pub boards: usize,
    /// Ways to search that are compared.
    pub rows: usize,
    /// Events of a trace.
    pub events: u64,
    /// Shortest solutions.
    pub solutions: u32,
    /// Moves of a solution or of a random walk.
    pub moves: usize,
    /// Moves in a word of an automaton, beyond those by default, where each tile counts.
    pub more_steps: u32,
    /// The same where slides count, of which there are more.
    pub more_slides: u32,
    /// Cells of a board of which a census is taken.
    pub census_cells: usize,
}

impl Default for Most {
    fn default() -> Self {
        Self {
            boards: 100,
            rows: 24,
            events: 20_000,
            solutions: 10_000,
            moves: 100_000,
            more_steps: 2,
            more_slides: 1,
            census_cells: 10,
        }
    }
}

/// A request and what it is answered with.
pub struct Work<'a> {
    /// Whose tables all solvers share, and whose configuration holds where the request says nothing.
    pub tables: &'a Solver,
    pub most: &'a Most,
    /// Draws any number.
    pub random: fn() -> u64,
    pub request: Request,
    pub cancel: &'a CancelToken,
}

impl Work<'_> {
    /// How to search.
    pub fn config(&self) -> Result<Config, Fault> {
        self.request.config(self.tables.config())
    }

    /// How to search on boards of a size. An automaton takes more time and memory with each move of its words, and is made
    /// to its end even if nobody waits for it any more: so words may have few moves more than by default.
    pub fn config_on(&self, size: Size) -> Result<Config, Fault> {
        let config = self.config()?;
        self.check_prune(config.prune, size, config.metric)?;
        Ok(config)
    }

    /// Refuses automata of longer words than that.
    pub fn check_prune(
        &self,
        prune: Option<Prune>,
        size: Size,
        metric: Metric,
    ) -> Result<(), Fault> {
        if let Some(Prune::Automaton { words: Some(words) }) = prune {
            let more = match metric {
                Metric::SingleTile => self.most.more_steps,
                Metric::MultiTile => self.most.more_slides,
            };
            let most = Prune::default_words(size, metric) + more;
            if words > most {
                let what = format!("words of an automaton for {size} boards in {metric}");
                let error =
                    format!("{what} have at most {most} moves here, and these have {words}");
                return Err(Fault::of("prune", error));
            }
        }
        Ok(())
    }

    /// What searches as the request says.
    pub fn solver(&self) -> Result<Solver, Fault> {
        self.solver_with(self.config()?)
    }

    /// What searches as `config` says.
    pub fn solver_with(&self, config: Config) -> Result<Solver, Fault> {
        Ok(self.tables.sharing(config)?)
    }

    /// What searches as the request says, with so many searches in the time of one.
    pub fn solver_of(&self, config: Config, searches: u32) -> Result<Solver, Fault> {
        let limits = config.limits;
        let share = |time: Duration| time / searches.max(1);
        let limits = Limits { max_time: limits.max_time.map(share), ..limits };
        self.solver_with(Config { limits, ..config })
    }

    /// Tells `listener` of a search.
    pub fn watcher<'b>(&self, listener: Listener<'b>) -> Watcher<'b> {
        Watcher::new(listener, self.tables.config().clock)
    }

    /// What tells where in a field's text a fault is.
    pub fn fault_in<'b>(&'b self, field: &'b str) -> impl Fn(NotationError) -> Fault + 'b {
        let text = match field {
            "moves" => &self.request.moves,
            _ => &self.request.text,
        };
        Fault::in_text(field, text.as_deref().unwrap_or_default())
    }

    /// A number of a request, if it is not more than is allowed.
    pub fn at_most<T: Copy + PartialOrd + std::fmt::Display>(
        field: &str,
        asked: T,
        most: T,
    ) -> Result<T, Fault> {
        if asked > most {
            return Err(Fault::of(
                field,
                format!("{field} is at most {most}, and this is {asked}"),
            ));
        }
        Ok(asked)
    }
}

/// An answer as JSON.
pub fn json(answer: &impl Serialize) -> Result<String, Fault> {
    Ok(serde_json::to_string(answer).expect("nothing in an answer is foreign to JSON"))
}
