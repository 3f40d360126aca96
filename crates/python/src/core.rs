//! Core of a solver: its configuration, its goal, its sources of labels, and the tables kept between batches.

use std::fmt::Display;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use loyd::engine::Meter;
use loyd::goal::Goal;
use loyd::moves::Metric;
use loyd::search::{Limits, TableChoice};
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
pub struct LabelTables(Mutex<Vec<(Size, Labeller)>>);

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
        self.lock().iter().map(|(_, labeller)| bytes(labeller)).sum()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(Size, Labeller)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn find(tables: &[(Size, Labeller)], size: Size) -> Option<Labeller> {
    tables.iter().find(|(of, _)| *of == size).map(|(_, labeller)| labeller.clone())
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
        // The lock is held while the table is built, so that other threads wait for it.
        let mut tables = self.label_tables.lock();
        if let Some(labeller) = find(&tables, size) {
            return Ok(labeller);
        }
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
        tables.push((size, labeller.clone()));
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
