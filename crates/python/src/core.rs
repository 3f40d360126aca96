//! Core of a solver: its configuration, its goal, its sources of labels, and the tables kept between batches.

use std::fmt::Display;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::Duration;

use loyd::engine::Meter;
use loyd::goal::Goal;
use loyd::moves::Metric;
use loyd::search::{Limits, Stop, TableChoice};
use loyd::{Board, CancelToken, Config, Problem, Size};
use loyd_api::replace_options;
use loyd_arrays::{Parity, RankTable};
use loyd_cli::library::{GoalText, Message, SolveOptions};
use loyd_lab::dataset::{self, DatasetError, ExactLabels, LabelOptions};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::{PyErr, PyResult};

use crate::interrupt;

/// Creates a `ValueError` with the message of `error`, which names arguments as Python does.
pub fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(replace_options(&error.to_string(), |name| {
        // `from` is a keyword of Python.
        if name == "from" { "source=".to_owned() } else { format!("{}=", name.replace('-', "_")) }
    }))
}

/// A solver and the goal of its boards.
pub struct Core {
    /// Solver with the given options; its quality is `auto` if the options do not determine the search.
    pub solver: loyd::Solver,
    /// Solver with the same options that proves its solutions if the options do not determine the quality. Both share
    /// their tables.
    pub proving: loyd::Solver,
    /// Goal as it was given.
    pub goal_text: GoalText,
    /// Size of the goal, if it is a board.
    pub size: Option<Size>,
    /// Distance tables built for batches.
    pub label_tables: LabelTables,
    /// Goal, if it has a name.
    named: Option<Goal>,
}

impl Core {
    /// Creates a solver for the goal of `options`.
    ///
    /// # Errors
    /// Fails if options conflict.
    pub fn new(options: SolveOptions) -> Result<Self, Message> {
        let SolveOptions { config, all, goal } = options;
        let solver = loyd::Solver::new(config)?;
        // The requested quality may not prove its solutions. Then only the calls that need a proof fail.
        let proving = solver.sharing(all)?;
        let goal_text = GoalText::new(goal.as_deref().unwrap_or("blank-last"));
        let named = goal_text.named();
        let size = match (&named, goal_text.is_partial()) {
            (Some(_), _) => None,
            (None, true) => goal_text.partial(None)?.map(|goal| goal.size()),
            (None, false) => Some(goal_text.board(None)?.size()),
        };
        Ok(Self { solver, proving, goal_text, size, label_tables: LabelTables::default(), named })
    }

    /// Creates a solver with the default options of the command line and this goal.
    ///
    /// # Errors
    /// Fails like [`new`](Self::new).
    pub fn with_goal(goal: Option<String>) -> Result<Self, Message> {
        Self::new(SolveOptions { goal, ..SolveOptions::read(Vec::new())? })
    }

    /// Returns the problem of bringing `board` to the goal.
    ///
    /// # Errors
    /// Fails if the goal is not possible for boards of the size of `board`.
    pub fn problem(&self, board: Board) -> Result<Problem, Message> {
        match &self.named {
            Some(goal) => {
                Problem::new(board, goal).map_err(|error| loyd::Error::from(error).into())
            }
            None => self.goal_text.problem(board),
        }
    }
}

/// Checks that the tiles of boards of this size fit in bytes.
///
/// # Errors
/// `ValueError` if boards of `size` have more than 256 cells.
pub fn check_size(size: Size) -> PyResult<()> {
    match size.is_searchable() {
        true => Ok(()),
        false => {
            let (cells, most) = (size.cells(), Size::MAX_SEARCH_CELLS);
            Err(value_error(format!(
                "arrays hold boards of at most {most} cells, a byte each; a {size} board has {cells}"
            )))
        }
    }
}

/// Source of the labels of boards of one size.
#[derive(Clone)]
pub enum Labeller {
    /// Lookup in a table with a number for each board.
    Numbers(Arc<RankTable>),
    /// Walk through a table with one bit per board.
    Exact(Arc<ExactLabels>, Parity),
    /// Search.
    Searched(dataset::Labeller),
}

/// Distance tables built for the batches of a solver, by size.
#[derive(Default)]
pub struct LabelTables(Mutex<Vec<(Size, Slot)>>);

/// Table of one size.
enum Slot {
    /// A call of the process with this number builds it. The lock is free meanwhile, so that waiting calls can be
    /// interrupted, and can notice that the builder is a thread of their parent before `fork`.
    Building(u32),
    Ready(Labeller),
}

/// The build of the table of a size, which ends when this is dropped.
struct Build<'a>(&'a LabelTables, Size);

impl Drop for Build<'_> {
    fn drop(&mut self) {
        let is_this =
            |(size, slot): &(Size, Slot)| *size == self.1 && matches!(slot, Slot::Building(_));
        self.0.lock().retain(|slot| !is_this(slot));
    }
}

impl LabelTables {
    /// Returns the labeller for this size, if it exists. Does not wait for a table under construction, because the
    /// caller holds the GIL.
    fn find(&self, size: Size) -> Option<Labeller> {
        let tables = match self.0.try_lock() {
            Ok(tables) => tables,
            Err(TryLockError::Poisoned(tables)) => tables.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        find(&tables, size)
    }

    /// Returns the memory of these tables in bytes.
    pub fn bytes(&self) -> u64 {
        let bytes = |labeller: &Labeller| match labeller {
            Labeller::Numbers(table) => table.bytes(),
            Labeller::Exact(exact, _) => exact.bytes(),
            Labeller::Searched(_) => 0,
        };
        self.lock().iter().filter_map(|(_, slot)| ready(slot)).map(bytes).sum()
    }

    /// Waits for the table of this size if it is being built, and returns it, or else the right to build it.
    ///
    /// # Errors
    /// Fails if the wait is cancelled.
    fn begin(&self, size: Size, cancel: &CancelToken) -> Result<Result<Labeller, Build<'_>>, Stop> {
        const INTERVAL: Duration = Duration::from_millis(5);
        let own = std::process::id();
        loop {
            let mut tables = self.lock();
            match tables.iter_mut().find(|(of, _)| *of == size).map(|(_, slot)| slot) {
                Some(Slot::Ready(labeller)) => return Ok(Ok(labeller.clone())),
                Some(Slot::Building(process)) if *process == own => {}
                // After `fork`, the builder exists only in the parent.
                Some(slot) => {
                    *slot = Slot::Building(own);
                    return Ok(Err(Build(self, size)));
                }
                None => {
                    tables.push((size, Slot::Building(own)));
                    return Ok(Err(Build(self, size)));
                }
            }
            drop(tables);
            if cancel.is_cancelled() {
                return Err(Stop::Cancelled);
            }
            thread::sleep(INTERVAL);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(Size, Slot)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn ready(slot: &Slot) -> Option<&Labeller> {
    match slot {
        Slot::Ready(labeller) => Some(labeller),
        Slot::Building(_) => None,
    }
}

fn find(tables: &[(Size, Slot)], size: Size) -> Option<Labeller> {
    tables.iter().find(|(of, _)| *of == size).and_then(|(_, slot)| ready(slot)).cloned()
}

impl Core {
    /// Returns a labeller for `boards` boards of this size, after building its tables if necessary.
    ///
    /// # Errors
    /// `ValueError` if the goal does not allow it or a limit is reached, or any exception raised by a signal handler.
    pub fn labeller(&self, py: Python<'_>, size: Size, boards: usize) -> PyResult<Labeller> {
        if let Some(labeller) = self.label_tables.find(size) {
            return Ok(labeller);
        }
        interrupt::run(py, |cancel| self.make_labeller(size, boards, cancel))?.map_err(value_error)
    }

    fn make_labeller(
        &self,
        size: Size,
        boards: usize,
        cancel: &CancelToken,
    ) -> Result<Labeller, Message> {
        let begun = self.label_tables.begin(size, cancel);
        let _build = match begun.map_err(DatasetError::from).map_err(Message::new)? {
            Ok(labeller) => return Ok(labeller),
            Err(build) => build,
        };
        let goal = self.goal_text.board(Some(size))?;
        let config = self.labelling(size, boards);
        let is_small = size.cells() <= RankTable::MAX_CELLS;
        let labeller = if is_small {
            let limits = Limits { max_expanded: None, ..config.limits };
            let mut meter = Meter::with_clock(config.clock, limits, cancel.clone());
            let table = RankTable::new(&goal, config.metric, &mut meter);
            Labeller::Numbers(Arc::new(table.map_err(DatasetError::from).map_err(Message::new)?))
        } else {
            let solver = self.proving.sharing(config)?;
            let labels = dataset::Labeller::with_solver(
                &goal,
                LabelOptions::default(),
                solver,
                cancel,
                None,
            );
            let labels = labels.map_err(Message::new)?;
            match labels.exact() {
                Some(exact) => Labeller::Exact(Arc::clone(exact), Parity::new(&goal)),
                // The choice of tables depends on the number of boards, so it is made again for each batch.
                None => return Ok(Labeller::Searched(labels)),
            }
        };
        let mut tables = self.label_tables.lock();
        tables.retain(|(of, _)| *of != size);
        tables.push((size, Slot::Ready(labeller.clone())));
        Ok(labeller)
    }

    /// Returns the configuration for labelling `boards` boards: as in `loyd dataset`, unless the options of the solver
    /// determine the search.
    pub fn labelling(&self, size: Size, boards: usize) -> Config {
        let mut config = self.proving.config().clone();
        let is_fifteen = size == Size::FIFTEEN && config.metric == Metric::SingleTile;
        let is_open = config.algorithm.is_none() && config.heuristic.is_none();
        if is_fifteen && is_open && config.tables == TableChoice::Default {
            config.tables = TableChoice::Auto;
        }
        // Each thread works on its own boards.
        config.boards = Some(boards.max(2) as u64);
        config
    }
}
