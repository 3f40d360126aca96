//! Where labels come from, and what is kept of that between batches.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use loyd::engine::Meter;
use loyd::moves::Metric;
use loyd::search::{Limits, TableChoice};
use loyd::{CancelToken, Config, Size};
use loyd_cli::library::Message;
use loyd_lab::arrays::{NumberTable, Parity};
use loyd_lab::dataset::{DatasetError, Exact, Labels, Wanted};
use pyo3::prelude::*;

use crate::core::{Core, value_error};
use crate::interrupt;

/// How boards of one size get their labels.
#[derive(Clone)]
pub enum Labeller {
    /// By a look into a table with a number for each board.
    Numbers(Arc<NumberTable>),
    /// By a walk through a table with a bit for each.
    Exact(Arc<Exact>, Parity),
    /// By a search.
    Searched(Labels),
}

/// The tables of distances that batches of a solver made, by size.
#[derive(Default)]
pub struct Kept(Mutex<Vec<(Size, Labeller)>>);

impl Kept {
    /// How boards of this size get their labels, if that is known. Whoever holds the GIL does not wait for a table that
    /// is being made.
    fn find(&self, size: Size) -> Option<Labeller> {
        let kept = match self.0.try_lock() {
            Ok(kept) => kept,
            Err(TryLockError::Poisoned(kept)) => kept.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        find(&kept, size)
    }

    /// The bytes of these tables.
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

fn find(kept: &[(Size, Labeller)], size: Size) -> Option<Labeller> {
    kept.iter().find(|(of, _)| *of == size).map(|(_, labeller)| labeller.clone())
}

impl Core {
    /// How `boards` boards of this size get their labels; tables are made if they are not there.
    ///
    /// # Errors
    /// `ValueError` when there are none, and what the handler of a signal raises.
    pub fn labeller(&self, py: Python<'_>, size: Size, boards: usize) -> PyResult<Labeller> {
        if let Some(labeller) = self.kept.find(size) {
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
        // Others wait for what is made here.
        let mut kept = self.kept.lock();
        if let Some(labeller) = find(&kept, size) {
            return Ok(labeller);
        }
        let goal = self.goal_text.board(Some(size))?;
        let config = self.labelling(size, boards);
        let is_small = size.cells() <= NumberTable::MAX_CELLS;
        let labeller = if is_small {
            let limits = Limits { max_expanded: None, ..config.limits };
            let mut meter = Meter::timed_by(config.clock, limits, cancel.clone());
            let table = NumberTable::new(&goal, config.metric, &mut meter);
            Labeller::Numbers(Arc::new(table.map_err(DatasetError::from).map_err(Message::new)?))
        } else {
            let solver = self.proving.sharing(config)?;
            let labels = Labels::with_solver(&goal, Wanted::default(), solver, cancel, None);
            let labels = labels.map_err(Message::new)?;
            match labels.exact() {
                Some(exact) => Labeller::Exact(Arc::clone(exact), Parity::new(&goal)),
                // Which tables it has follows from the number of boards, so that it is planned anew for each batch.
                None => return Ok(Labeller::Searched(labels)),
            }
        };
        kept.push((size, labeller.clone()));
        Ok(labeller)
    }

    /// How so many boards are searched for: as `loyd dataset` does it, unless the solver was told how.
    pub fn labelling(&self, size: Size, boards: usize) -> Config {
        let mut config = self.proving.config().clone();
        let is_fifteen = size == Size::FIFTEEN && config.metric == Metric::SingleTile;
        let is_open = config.algorithm.is_none() && config.heuristic.is_none();
        if is_fifteen && is_open && config.tables == TableChoice::Default {
            config.tables = TableChoice::Auto;
        }
        // Threads have boards of their own.
        config.boards = Some(boards.max(2) as u64);
        config
    }
}
