//! Labels: distances, first moves, values of heuristics, solutions.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;

use loyd::batch::in_order;
use loyd::engine::{MoveSet, Observer};
use loyd::notation::moves_to_string;
use loyd::search::{Status, Stop};
use loyd::study::Estimates;
use loyd::{Board, CancelToken, Config, Error, Move, Problem, Solver};

use super::exact::Exact;
use super::part::{Part, Wanted};

/// Why boards have no labels.
#[derive(Debug, thiserror::Error)]
pub enum DatasetError {
    /// The configuration does not fit the boards.
    #[error(transparent)]
    Config(#[from] Error),
    /// A limit was reached while tables were built.
    #[error("while tables were built: {0}")]
    Stopped(Stop),
}

impl From<Stop> for DatasetError {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

/// Labels boards that lead to one goal.
#[derive(Clone, Debug)]
pub struct Labels {
    goal: Board,
    wanted: Wanted,
    /// A table of all distances, for boards that are small enough for one.
    exact: Option<Arc<Exact>>,
    solver: Arc<Solver>,
    estimates: Option<Arc<Estimates>>,
}

impl Labels {
    /// Labels for boards that lead to `goal`, which are solved as `config` says: a table of all distances is used for
    /// single tiles on up to 12 cells, and made here.
    ///
    /// # Errors
    /// When a heuristic is none for such boards, when solutions would not be shortest, and when a limit is reached while
    /// tables are built.
    pub fn new(
        goal: &Board,
        wanted: Wanted,
        config: Config,
        cancel: &CancelToken,
        observer: Option<&mut dyn Observer>,
    ) -> Result<Self, DatasetError> {
        let solver = Solver::new(Config { quality: None, ..config })?;
        Self::with_solver(goal, wanted, solver, cancel, observer)
    }

    /// The same with a solver that proves its solutions to be shortest.
    ///
    /// # Errors
    /// As those of [`new`](Self::new).
    pub fn with_solver(
        goal: &Board,
        wanted: Wanted,
        solver: Solver,
        cancel: &CancelToken,
        mut observer: Option<&mut dyn Observer>,
    ) -> Result<Self, DatasetError> {
        let exact = Exact::new(goal, &wanted, solver.config(), cancel)?.map(Arc::new);
        let solver = Arc::new(solver);
        let names = &wanted.heuristics;
        let estimates = match names.is_empty() {
            true => None,
            false => {
                let observer = observer.as_mut().map(|observer| &mut **observer as _);
                Some(Arc::new(solver.estimates(goal, names, cancel, observer)??))
            }
        };
        Ok(Self { goal: goal.clone(), wanted, exact, solver, estimates })
    }

    /// The goal.
    pub fn goal(&self) -> &Board {
        &self.goal
    }

    /// The table of all distances, if there is one, so that no board is searched for.
    pub fn exact(&self) -> Option<&Arc<Exact>> {
        self.exact.as_ref()
    }

    /// Labels with first moves or without them, and with neither solutions nor values of heuristics. The tables are
    /// those of these labels.
    #[must_use]
    pub fn first_moves(&self, first_moves: bool) -> Self {
        Self {
            wanted: Wanted { first_moves, ..Wanted::default() },
            estimates: None,
            ..self.clone()
        }
    }

    /// A part that has no rows yet.
    pub fn part(&self) -> Part {
        Part::new(self.goal.size(), &self.wanted)
    }

    /// How many boards are labelled together.
    fn together(&self) -> usize {
        if self.exact.is_some() { 256 } else { 1 }
    }

    /// The labels of some boards, all of which can reach the goal.
    fn label(&self, boards: &[Board], cancel: &CancelToken) -> Labelled {
        let (mut part, mut left_out) = (self.part(), Vec::new());
        match &self.exact {
            Some(exact) => self.look_up(exact, boards, &mut part),
            None => {
                for (number, board) in boards.iter().enumerate() {
                    if let Err(why) = self.solve(board, &mut part, cancel) {
                        left_out.push((number as u64, why));
                    }
                }
            }
        }
        Labelled { boards: boards.len() as u64, part, left_out }
    }

    fn look_up(&self, exact: &Exact, boards: &[Board], part: &mut Part) {
        for (board, found) in boards.iter().zip(exact.look_up(boards, &self.wanted)) {
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
        if self.wanted.first_moves && report.optimal {
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
                    if self.wanted.solutions { moves_to_string(moves) } else { String::new() };
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
        part.boards.extend(board.numbers());
        part.distances.push(distance as u16);
        if let Some(moves) = first_moves {
            let mask = Move::ALL.into_iter().filter(|&m| moves.contains(m));
            part.first_moves.push(mask.map(|m| 1 << m.index()).sum());
        }
        if let Some(estimates) = &self.estimates {
            part.estimates.extend(estimates.of(board).map(|value| value as u16));
        }
        if self.wanted.solutions {
            part.solutions.push(solution);
        }
    }
}

/// Some boards that follow each other, with their labels.
#[derive(Debug)]
pub struct Labelled {
    /// How many boards.
    pub boards: u64,
    /// A row for each that has labels.
    pub part: Part,
    /// The numbers of the others among these boards, from 0, and what is wrong with each.
    pub left_out: Vec<(u64, String)>,
}

/// How work is shared out.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The threads that work.
    pub threads: NonZeroUsize,
    /// No [`Labelled`] has boards of two parts of so many.
    pub part_rows: u64,
}

/// Labels all `boards`, from the first of a part on, on several threads. `deliver` gets them in order, some at a time,
/// the same on any number of threads, until it breaks off.
///
/// Memory: that for some thousand boards for each thread.
pub fn label_all(
    labels: &Labels,
    boards: impl Iterator<Item = Board> + Send,
    shape: Shape,
    cancel: &CancelToken,
    mut deliver: impl FnMut(Labelled) -> ControlFlow<()> + Send,
) {
    /// Boards that may be in flight for each thread: a hard one holds up all threads once so many behind it are done.
    const WINDOW: usize = 4096;
    let (mut boards, mut left_of_part) = (boards.fuse(), shape.part_rows);
    let mut group = || {
        let most = (labels.together() as u64).min(left_of_part);
        let group: Vec<Board> = boards.by_ref().take(most as usize).collect();
        left_of_part -= group.len() as u64;
        if left_of_part == 0 {
            left_of_part = shape.part_rows;
        }
        (!group.is_empty()).then_some(group)
    };
    in_order(
        shape.threads,
        WINDOW / labels.together(),
        |at_most| std::iter::from_fn(&mut group).take(at_most).collect(),
        |group: Vec<Board>, labelled: &mut Vec<_>| labelled.push(labels.label(&group, cancel)),
        |labelled| labelled.into_iter().try_for_each(&mut deliver),
    );
}
