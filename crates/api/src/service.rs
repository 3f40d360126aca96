//! The service that answers calls.

use std::hash::{BuildHasher, RandomState};
use std::ops::Range;

use loyd::scramble::Scrambler;
use loyd::tables::Warning;
use loyd::{CancelToken, Config, Error, Goal, Problem, Size, Solver};

use crate::calls::{self, BatchLimits};
use crate::fault::Fault;
use crate::progress::Listener;
use crate::question::Question;
use crate::request::Request;
use crate::work::{RequestLimits, Work};

/// Answers [calls](crate::CALLS). A service keeps its tables between calls and can be shared between threads.
#[derive(Debug)]
pub struct Service {
    /// Owner of the tables, which the solvers of all calls share.
    solver: Solver,
    limits: RequestLimits,
    random: fn() -> u64,
}

/// A question about many boards, which are solved in blocks, with the limits that these share.
#[derive(Debug)]
pub struct Batch {
    request: Request,
    limits: BatchLimits,
}

impl Batch {
    /// Returns how many blocks are solved at the same time at most.
    pub fn at_once(&self) -> usize {
        self.limits.at_once()
    }

    /// Returns block `index`: the numbers of consecutive boards that are solved one after the other. Blocks may be solved
    /// at the same time. The blocks after the last one are empty.
    pub fn block(&self, index: usize) -> Range<usize> {
        self.limits.block(index)
    }
}

impl Service {
    /// Creates a service. `config` is the default for requests, and its limits apply to all of them. Its time limit is
    /// for a whole request.
    ///
    /// # Errors
    /// Fails if options of `config` conflict.
    pub fn new(config: Config) -> Result<Self, Error> {
        let random = || RandomState::new().hash_one(0);
        Ok(Self { solver: Solver::new(config)?, limits: RequestLimits::default(), random })
    }

    /// Replaces the limits on requests.
    #[must_use]
    pub fn with_limits(self, limits: RequestLimits) -> Self {
        Self { limits, ..self }
    }

    /// Replaces the source of random seeds. On WebAssembly without an operating system, the default source always
    /// returns the same seeds.
    #[must_use]
    pub fn with_random(self, random: fn() -> u64) -> Self {
        Self { random, ..self }
    }

    /// Returns the limits on requests.
    pub fn limits(&self) -> &RequestLimits {
        &self.limits
    }

    /// Returns the default configuration of searches.
    pub fn config(&self) -> &Config {
        self.solver.config()
    }

    /// Answers the call `name`. `json` is its request, a JSON object. Returns a JSON object.
    ///
    /// # Errors
    /// Fails if there is no call `name`, if the request is invalid, or if the call has no answer.
    pub fn call(
        &self,
        name: &str,
        json: &[u8],
        cancel: &CancelToken,
        listener: Listener<'_>,
    ) -> Result<String, Fault> {
        let question = Question::read(calls::call_named(name)?, json)?;
        self.answer(question, cancel, listener)
    }

    /// Answers a question, like [`call`](Self::call).
    ///
    /// # Errors
    /// Fails if the request is invalid, or if the call has no answer.
    pub fn answer(
        &self,
        Question { call, request }: Question,
        cancel: &CancelToken,
        listener: Listener<'_>,
    ) -> Result<String, Fault> {
        (call.run)(&self.work(&request, cancel), listener)
    }

    /// Prepares a question with [records](crate::Call::has_records), of which up to `at_once` blocks are then
    /// [solved](Self::solve) at the same time, each within its share of the memory.
    ///
    /// # Errors
    /// Fails if the request is invalid.
    pub fn batch(&self, question: Question, at_once: usize) -> Result<Batch, Fault> {
        let request = question.request;
        let limits = BatchLimits::new(&self.work(&request, &CancelToken::new()), at_once)?;
        Ok(Batch { request, limits })
    }

    /// Solves the first boards of `rest`, which is a [block](Batch::block) or the rest of one, and removes them from it.
    /// Returns their records, one per line. It takes about a tenth of a second at most, unless one board takes longer.
    ///
    /// # Errors
    /// Fails if the request is invalid.
    pub fn solve(
        &self,
        batch: &Batch,
        rest: &mut Range<usize>,
        cancel: &CancelToken,
    ) -> Result<String, Fault> {
        batch.limits.solve(&self.work(&batch.request, cancel), rest)
    }

    fn work<'a>(&'a self, request: &'a Request, cancel: &'a CancelToken) -> Work<'a> {
        let Self { solver, limits, random } = self;
        Work { tables: solver, limits, random: *random, request, cancel }
    }

    /// Returns the memory held between calls in bytes, mainly tables.
    pub fn held_bytes(&self) -> u64 {
        self.solver.held_bytes()
    }

    /// Builds the tables for boards of this size, unless they exist already, by solving a board close to its goal.
    ///
    /// # Errors
    /// Fails if there is no goal of this size, or the configuration is not valid for it.
    pub fn warm(&self, size: Size, cancel: &CancelToken) -> Result<(), Error> {
        const MOVES: usize = 20;
        let goal = Goal::BlankLast.board(size)?;
        let mut boards = Scrambler::new(goal.clone(), 0, self.config().clone())?;
        let start = boards.by_moves(MOVES).map_or_else(|_| boards.uniform(), |(start, _)| start);
        self.solver.solve_watched(&Problem::between(start, goal)?, cancel, None).map(|_| ())
    }

    /// Returns the warnings about table files since the last call of this function. Answers do not depend on them.
    pub fn take_warnings(&self) -> Vec<Warning> {
        self.solver.take_warnings()
    }
}
