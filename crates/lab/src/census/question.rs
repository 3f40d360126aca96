//! What a census counts.

use loyd::goal::PartialGoal;
use loyd::moves::Metric;
use loyd::{Board, Size};
use loyd_kernels::Census;
use loyd_tiles::{Cell, Symmetry};

/// A goal and a metric: how many states are at each distance?
///
/// States are those of the search: don't-care tiles of a partial goal are not told apart.
#[derive(Clone, Debug)]
pub struct Question {
    goal: PartialGoal,
    metric: Metric,
    /// How many goals have the same answer, this one among them, where all of a size are asked for.
    alike: u64,
}

/// Why there is no census.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QuestionError {
    /// The board is too large.
    #[error("a {0} board has {cells} cells; a census is of boards of at most {most}", cells = .0.cells(), most = Census::MAX_CELLS)]
    Size(Size),
    /// A partial goal on a single line.
    #[error(
        "on a {0} board no move changes the order of the tiles: the goal needs a tile on every cell"
    )]
    Line(Size),
}

impl Question {
    /// The census of a goal that may leave cells open.
    ///
    /// # Errors
    /// When the board is too large, or a line with open cells.
    pub fn new(goal: PartialGoal, metric: Metric) -> Result<Self, QuestionError> {
        let size = goal.size();
        if size.cells() > Census::MAX_CELLS {
            return Err(QuestionError::Size(size));
        }
        if size.is_line() && size.iter_cells().any(|cell| goal.required(cell).is_none()) {
            return Err(QuestionError::Line(size));
        }
        Ok(Self { goal, metric, alike: 1 })
    }

    /// The census of a goal that is a board.
    ///
    /// # Errors
    /// When the board is too large.
    pub fn to_board(goal: &Board, metric: Metric) -> Result<Self, QuestionError> {
        let numbers: Vec<_> = goal.tiles().iter().map(|tile| Some(tile.number().into())).collect();
        let goal = PartialGoal::new(goal.size(), &numbers).expect("a board is a goal");
        Self::new(goal, metric)
    }

    /// The goal.
    pub fn goal(&self) -> &PartialGoal {
        &self.goal
    }

    /// What counts as a move.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// How many goals this one stands for: 1, but see [`all_goals`].
    pub fn alike(&self) -> u64 {
        self.alike
    }

    /// The bytes that its census takes.
    pub fn bytes(&self) -> u64 {
        Census::bytes(&self.goal, self.metric)
    }

    /// The number of states that can reach the goal.
    pub fn states(&self) -> u64 {
        let all = Census::states(self.goal.size()) * self.examples().len() as u64;
        all / self.boards_of_a_state()
    }

    /// How many boards of each half are one state, because they differ in don't-care tiles only.
    pub(super) fn boards_of_a_state(&self) -> u64 {
        (3..=self.goal.dont_care_tiles().len() as u64).product()
    }

    /// A board that meets the goal, or two if those that do lie in both halves of all boards and one half does not
    /// say what is in the other.
    pub(super) fn examples(&self) -> Vec<Board> {
        let example = self.goal.example();
        // Where two don't-care tiles can be exchanged, the halves are alike.
        if self.goal.dont_care_tiles().len() != 1 || example.size().tiles() < 2 {
            return vec![example];
        }
        let numbers = example.tiles().iter().map(|tile| match tile.number() {
            1 => 2,
            2 => 1,
            number => number.into(),
        });
        let other = Board::new(example.size(), &numbers.collect::<Vec<u32>>());
        let other = self.goal.reachable(&other.expect("every tile is there once"));
        [Some(example), other].into_iter().flatten().collect()
    }
}

/// A question for each kind of goal on boards of `size`, each standing for all goals that turning and mirroring make
/// the same: which tile is which does not matter, only the cell of the blank does.
///
/// # Errors
/// When the boards are too large.
pub fn all_goals(size: Size, metric: Metric) -> Result<Vec<Question>, QuestionError> {
    let image = |cell: Cell| {
        let same = Symmetry::all().filter(|symmetry| symmetry.size(size) == size);
        same.map(|symmetry| symmetry.cell(size, cell)).min().unwrap_or(cell)
    };
    let firsts = size.iter_cells().filter(|&cell| image(cell) == cell);
    let question = |first: Cell| {
        let mut numbers: Vec<u32> = (1..size.cells() as u32).collect();
        numbers.insert(first.index(), 0);
        let goal = Board::new(size, &numbers).expect("every tile is there once");
        let alike = size.iter_cells().filter(|&cell| image(cell) == first).count() as u64;
        Ok(Question { alike, ..Question::to_board(&goal, metric)? })
    };
    firsts.map(question).collect()
}
