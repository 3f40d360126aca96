//! Definition of a census.

use loyd::goal::PartialGoal;
use loyd::moves::Metric;
use loyd::{Board, Size};
use loyd_kernels::Census;
use loyd_tiles::{Cell, Symmetry};

/// A goal and a metric, for which a census counts the states at each distance.
///
/// States are counted as a search sees them: the don't-care tiles of a partial goal are indistinguishable.
#[derive(Clone, Debug)]
pub struct CensusSpec {
    goal: PartialGoal,
    metric: Metric,
    /// Number of goals with the same result, including this one, in a census of all goals of a size.
    multiplicity: u64,
}

/// Reason why there is no census.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CensusError {
    /// The board is too large.
    #[error("a {0} board has {cells} cells; a census supports at most {most}", cells = .0.cells(), most = Census::MAX_CELLS)]
    Size(Size),
    /// A partial goal on a line.
    #[error(
        "on a {0} board no move changes the order of the tiles: the goal needs a tile on every cell"
    )]
    Line(Size),
    /// The goal has equal tiles.
    #[error("a census needs distinct tiles, and this goal has equal ones")]
    EqualTiles,
}

impl CensusSpec {
    /// Creates the census of a goal that may leave cells open.
    ///
    /// # Errors
    /// Returns an error if the board is too large, is a line with open cells, or has equal tiles.
    pub fn new(goal: PartialGoal, metric: Metric) -> Result<Self, CensusError> {
        let size = goal.size();
        if size.cells() > Census::MAX_CELLS {
            return Err(CensusError::Size(size));
        }
        if size.is_line() && size.iter_cells().any(|cell| goal.required(cell).is_none()) {
            return Err(CensusError::Line(size));
        }
        if goal.equal_tiles().is_some() {
            return Err(CensusError::EqualTiles);
        }
        Ok(Self { goal, metric, multiplicity: 1 })
    }

    /// Creates the census of a complete goal.
    ///
    /// # Errors
    /// Returns an error if the board is too large.
    pub fn to_board(goal: &Board, metric: Metric) -> Result<Self, CensusError> {
        let numbers: Vec<_> = goal.tiles().iter().map(|tile| Some(tile.number().into())).collect();
        let goal = PartialGoal::new(goal.size(), &numbers).expect("a board is a goal");
        Self::new(goal, metric)
    }

    /// Returns the goal.
    pub fn goal(&self) -> &PartialGoal {
        &self.goal
    }

    /// Returns the metric.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// Returns the number of goals that this one represents: 1, except for censuses from [`all_goals`].
    pub fn multiplicity(&self) -> u64 {
        self.multiplicity
    }

    /// Returns the memory of the census in bytes.
    pub fn bytes(&self) -> u64 {
        Census::bytes(&self.goal, self.metric)
    }

    /// Returns the number of states from which the goal can be reached.
    pub fn state_count(&self) -> u64 {
        let all = Census::state_count(self.goal.size()) * self.examples().len() as u64;
        all / self.boards_per_state()
    }

    /// Returns the number of boards of one parity that form a single state because they differ only in don't-care
    /// tiles.
    pub(super) fn boards_per_state(&self) -> u64 {
        (3..=self.goal.dont_care_tiles().len() as u64).product()
    }

    /// Returns a board that meets the goal, or one of each parity if boards of both parities meet it and their counts
    /// may differ.
    pub(super) fn examples(&self) -> Vec<Board> {
        let example = self.goal.example();
        // Swapping two don't-care tiles maps one parity onto the other.
        if self.goal.dont_care_tiles().len() != 1 || example.size().tiles() < 2 {
            return vec![example];
        }
        let numbers = example.tiles().iter().map(|tile| match tile.number() {
            1 => 2,
            2 => 1,
            number => number.into(),
        });
        let other = Board::new(example.size(), &numbers.collect::<Vec<u32>>());
        let other = self.goal.reachable(&other.expect("every tile occurs once"));
        [Some(example), other].into_iter().flatten().collect()
    }
}

/// Returns one census for each class of goals on boards of `size` that are equivalent under rotation and reflection.
/// Renaming tiles does not change the counts, so a class is determined by the cell of the blank.
///
/// # Errors
/// Returns an error if the boards are too large.
pub fn all_goals(size: Size, metric: Metric) -> Result<Vec<CensusSpec>, CensusError> {
    let image = |cell: Cell| {
        let same = Symmetry::all().filter(|symmetry| symmetry.size(size) == size);
        same.map(|symmetry| symmetry.cell(size, cell)).min().unwrap_or(cell)
    };
    let firsts = size.iter_cells().filter(|&cell| image(cell) == cell);
    let spec = |first: Cell| {
        let mut numbers: Vec<u32> = (1..size.cells() as u32).collect();
        numbers.insert(first.index(), 0);
        let goal = Board::new(size, &numbers).expect("every tile occurs once");
        let multiplicity = size.iter_cells().filter(|&cell| image(cell) == first).count() as u64;
        Ok(CensusSpec { multiplicity, ..CensusSpec::to_board(&goal, metric)? })
    };
    firsts.map(spec).collect()
}
