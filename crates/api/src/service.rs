//! What answers.

use std::hash::{BuildHasher, RandomState};

use loyd::scramble::Scrambler;
use loyd::tables::Warning;
use loyd::{CancelToken, Config, Error, Goal, Problem, Size, Solver};

use crate::calls::{self, Call};
use crate::fault::Fault;
use crate::progress::Listener;
use crate::request::Request;
use crate::work::{Most, Work};

/// Answers [calls](crate::CALLS). It keeps its tables, and can be shared between threads.
#[derive(Debug)]
pub struct Service {
    /// Whose tables all solvers share.
    solver: Solver,
    most: Most,
    random: fn() -> u64,
}

impl Service {
    /// A service whose searches go by `config` where a request says nothing, and never beyond its limits. Its time is
    /// for a whole request.
    ///
    /// # Errors
    /// When choices of `config` do not go together.
    pub fn new(config: Config) -> Result<Self, Error> {
        let random = || RandomState::new().hash_one(0);
        Ok(Self { solver: Solver::new(config)?, most: Most::default(), random })
    }

    /// The same with other limits.
    #[must_use]
    pub fn with(self, most: Most) -> Self {
        Self { most, ..self }
    }

    /// The same with another source of random seeds. Where WebAssembly runs without a system, the default one draws the
    /// same seeds again and again.
    #[must_use]
    pub fn with_random(self, random: fn() -> u64) -> Self {
        Self { random, ..self }
    }

    /// The most that a request may ask for.
    pub fn most(&self) -> &Most {
        &self.most
    }

    /// The configuration of searches of which a request says nothing.
    pub fn config(&self) -> &Config {
        self.solver.config()
    }

    /// Answers a call: `json` is its request, an object. Returns a JSON object.
    ///
    /// # Errors
    /// When there is no such call, and when there is no answer.
    pub fn call(
        &self,
        name: &str,
        json: &[u8],
        cancel: &CancelToken,
        listener: Listener<'_>,
    ) -> Result<String, Fault> {
        let call = calls::call_named(name)?;
        self.answer(call, json, cancel, listener)
    }

    /// Answers `call`, as [`call`](Self::call) does.
    ///
    /// # Errors
    /// When there is no answer.
    pub fn answer(
        &self,
        call: &Call,
        json: &[u8],
        cancel: &CancelToken,
        listener: Listener<'_>,
    ) -> Result<String, Fault> {
        let request = Request::read(json, call.name, call.fields())?;
        let Self { solver, most, random } = self;
        (call.run)(&Work { tables: solver, most, random: *random, request, cancel }, listener)
    }

    /// The bytes that are held between calls: tables, above all.
    pub fn held_bytes(&self) -> u64 {
        self.solver.held_bytes()
    }

    /// Makes the tables that solve boards of this size, if they are not there yet, by solving one that is near its goal.
    ///
    /// # Errors
    /// When there is no such board, or the configuration does not fit it.
    pub fn warm(&self, size: Size, cancel: &CancelToken) -> Result<(), Error> {
        const MOVES: usize = 20;
        let goal = Goal::BlankLast.board(size)?;
        let mut boards = Scrambler::new(goal.clone(), 0, self.config().clone())?;
        let start = boards.by_moves(MOVES).map_or_else(|_| boards.any(), |(start, _)| start);
        self.solver.solve_watched(&Problem::between(start, goal)?, cancel, None).map(|_| ())
    }

    /// The warnings about files of tables since the last call; answers do not depend on them.
    pub fn take_warnings(&self) -> Vec<Warning> {
        self.solver.take_warnings()
    }
}
