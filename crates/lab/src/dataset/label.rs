//! Labels: distances, first moves, heuristic values and solutions.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;

use loyd::batch::process_ordered;
use loyd::engine::{MoveSet, Observer};
use loyd::notation::moves_to_string;
use loyd::search::{Status, Stop};
use loyd::study::Estimates;
use loyd::{Board, CancelToken, Config, Error, Move, Problem, Solver};

use super::exact::ExactLabels;
use super::part::{LabelOptions, Part};

/// Reason why boards cannot be labelled.
#[derive(Debug, thiserror::Error)]
pub enum DatasetError {
    /// The configuration does not fit the boards.
    #[error(transparent)]
    Config(#[from] Error),
    /// A limit was reached while tables were built.
    #[error("building the tables: {0}")]
    Stopped(Stop),
}

impl From<Stop> for DatasetError {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

/// Labels boards for one goal.
#[derive(Clone, Debug)]
pub struct Labeller {
    goal: Board,
    options: LabelOptions,
    /// Table of all distances, for boards small enough to have one.
    exact: Option<Arc<ExactLabels>>,
    solver: Arc<Solver>,
    estimates: Option<Arc<Estimates>>,
}

impl Labeller {
    /// Prepares labels for `goal`, solving boards with `config`. For single-tile moves on up to 12 cells, a table of
    /// all distances is built here and used instead of searches.
    ///
    /// # Errors
    /// Returns an error if a heuristic does not support such boards, if solutions would not be optimal, or if a limit
    /// is reached while tables are built.
    pub fn new(
        goal: &Board,
        options: LabelOptions,
        config: Config,
        cancel: &CancelToken,
        observer: Option<&mut dyn Observer>,
    ) -> Result<Self, DatasetError> {
        let solver = Solver::new(Config { quality: None, ..config })?;
        Self::with_solver(goal, options, solver, cancel, observer)
    }

    /// Like [`new`](Self::new), with a solver that proves its solutions optimal.
    ///
    /// # Errors
    /// See [`new`](Self::new).
    pub fn with_solver(
        goal: &Board,
        options: LabelOptions,
        solver: Solver,
        cancel: &CancelToken,
        mut observer: Option<&mut dyn Observer>,
    ) -> Result<Self, DatasetError> {
        let exact = ExactLabels::new(goal, &options, solver.config(), cancel)?.map(Arc::new);
        let solver = Arc::new(solver);
        let names = &options.heuristics;
        let estimates = match names.is_empty() {
            true => None,
            false => {
                let observer = observer.as_mut().map(|observer| &mut **observer as _);
                Some(Arc::new(solver.estimates(goal, names, cancel, observer)??))
            }
        };
        Ok(Self { goal: goal.clone(), options, exact, solver, estimates })
    }

    /// Returns the goal.
    pub fn goal(&self) -> &Board {
        &self.goal
    }

    /// Returns the table of all distances, if there is one; then no board needs a search.
    pub fn exact(&self) -> Option<&Arc<ExactLabels>> {
        self.exact.as_ref()
    }

    /// Returns labels that share the tables of these, with or without first moves, and without solutions and heuristic
    /// values.
    #[must_use]
    pub fn with_first_moves(&self, first_moves: bool) -> Self {
        Self {
            options: LabelOptions { first_moves, ..LabelOptions::default() },
            estimates: None,
            ..self.clone()
        }
    }

    /// Returns a part without rows.
    pub fn part(&self) -> Part {
        Part::new(self.goal.size(), &self.options)
    }

    /// Returns the number of boards labelled as one group.
    fn group_size(&self) -> usize {
        if self.exact.is_some() { 256 } else { 1 }
    }

    /// Labels boards, all of which must be solvable. The labels of a board do not depend on the others.
    pub fn label(&self, boards: &[Board], cancel: &CancelToken) -> LabelledBoards {
        let (mut part, mut skipped) = (self.part(), Vec::new());
        match &self.exact {
            Some(exact) => self.look_up(exact, boards, &mut part),
            None => {
                for (number, board) in boards.iter().enumerate() {
                    if let Err(why) = self.solve(board, &mut part, cancel) {
                        skipped.push((number as u64, why));
                    }
                }
            }
        }
        LabelledBoards { boards: boards.len() as u64, part, skipped }
    }

    fn look_up(&self, exact: &ExactLabels, boards: &[Board], part: &mut Part) {
        for (board, found) in boards.iter().zip(exact.look_up(boards, &self.options)) {
            let text = found.solution.map_or(String::new(), |moves| moves_to_string(&moves));
            self.add(part, board, (found.distance, found.first_moves), text);
        }
    }

    fn solve(&self, board: &Board, part: &mut Part, cancel: &CancelToken) -> Result<(), String> {
        let problem = Problem::between(board.clone(), self.goal.clone());
        let problem = problem.expect("the boards have the size of the goal");
        let report = self.solver.solve_watched(&problem, cancel, None);
        let mut report = report.map_err(|error| error.to_string())?;
        let mut first_moves = None;
        if self.options.first_moves && report.optimal {
            let hint = self.solver.hint_after(report, cancel).map_err(|error| error.to_string())?;
            if let Some(stop) = hint.stopped {
                return Err(stop.to_string());
            }
            first_moves = Some(hint.best.iter().map(|steps| steps[0]).collect());
            report = hint.report;
        }
        match (report.status, &report.moves) {
            (Status::Solved, Some(moves)) if report.optimal => {
                let text =
                    if self.options.solutions { moves_to_string(moves) } else { String::new() };
                let length = report.metric.length(moves);
                self.add(part, board, (length, first_moves), text);
                Ok(())
            }
            (Status::Stopped(stop), _) => Err(stop.to_string()),
            _ => Err("no solution was proved to be shortest".to_owned()),
        }
    }

    fn add(
        &self,
        part: &mut Part,
        board: &Board,
        (distance, first_moves): (usize, Option<MoveSet>),
        solution: String,
    ) {
        part.boards.extend(board.bytes());
        part.distances.push(distance as u16);
        if let Some(moves) = first_moves {
            let mask = Move::ALL.into_iter().filter(|&m| moves.contains(m));
            part.first_moves.push(mask.map(|m| 1 << m.index()).sum());
        }
        if let Some(estimates) = &self.estimates {
            part.estimates.extend(estimates.of(board).map(|value| value as u16));
        }
        if self.options.solutions {
            part.solutions.push(solution);
        }
    }
}

/// Consecutive boards with their labels.
#[derive(Debug)]
pub struct LabelledBoards {
    /// Number of boards.
    pub boards: u64,
    /// Rows of the boards that have labels.
    pub part: Part,
    /// Indices of the other boards in this group, from 0, and the reason for each.
    pub skipped: Vec<(u64, String)>,
}

/// Division of the work.
#[derive(Clone, Copy, Debug)]
pub struct WorkLayout {
    /// Number of threads.
    pub threads: NonZeroUsize,
    /// Number of rows per part; no [`LabelledBoards`] crosses the boundary between two parts.
    pub part_rows: u64,
}

/// Labels all `boards` on several threads, starting at the first row of a part. `deliver` receives the labels in
/// groups, in order and independent of the number of threads, until it returns `Break`.
///
/// Memory: proportional to some thousand boards per thread.
pub fn label_all(
    labels: &Labeller,
    boards: impl Iterator<Item = Board> + Send,
    shape: WorkLayout,
    cancel: &CancelToken,
    mut deliver: impl FnMut(LabelledBoards) -> ControlFlow<()> + Send,
) {
    /// Maximum number of boards in flight per thread. A hard board blocks all threads once the window is used up.
    const WINDOW: usize = 4096;
    let (mut boards, mut left_of_part) = (boards.fuse(), shape.part_rows);
    let mut group = || {
        let most = (labels.group_size() as u64).min(left_of_part);
        let group: Vec<Board> = boards.by_ref().take(most as usize).collect();
        left_of_part -= group.len() as u64;
        if left_of_part == 0 {
            left_of_part = shape.part_rows;
        }
        (!group.is_empty()).then_some(group)
    };
    process_ordered(
        shape.threads,
        WINDOW / labels.group_size(),
        |at_most| std::iter::from_fn(&mut group).take(at_most).collect(),
        |group: Vec<Board>, labelled: &mut Vec<_>| labelled.push(labels.label(&group, cancel)),
        |labelled| labelled.into_iter().try_for_each(&mut deliver),
    );
}
