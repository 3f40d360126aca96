//! Choosing, checking and running an algorithm.

use loyd_search::{CancelToken, Limits, Meter, Observer, Outcome, Stats};
use loyd_tiles::{BoardSpace, Relabelling, Size, Solvability};

use crate::algorithms::{ALGORITHMS, ASTAR, Algorithm, DFS, Guarantee, IDASTAR, TABLE, WASTAR};
use crate::config::{Closed, Config, OpenList, Weight};
use crate::dispatch::{SolvedSpace, SpaceVisitor, with_space};
use crate::error::Error;
use crate::heuristics::{Guide, Kind};
use crate::problem::Problem;
use crate::report::{Report, Status};
use crate::tables::{Tables, fits};

/// The depth limit of `dfs` on 3x3 boards: no two solvable boards are farther apart.
const DIAMETER_3X3: u32 = 31;

/// Duplicate detection by rank is the default up to this many bytes.
const RANKED_BYTES: u64 = 64 << 20;

/// Solves problems; keeps its tables between them and can be shared between threads.
///
/// # Examples
/// ```
/// use loyd::{Algorithm, Config, Guide, Problem, Solver};
/// let config = Config {
///     algorithm: Some(Algorithm::named("astar")?),
///     heuristic: Some(Guide::named("linear-conflict")?),
///     ..Config::default()
/// };
/// let report = Solver::new(config)?.solve(&"8 6 7/2 5 4/3 x 1".parse()?)?;
/// assert_eq!(report.length(), Some(31));
/// # Ok::<(), loyd::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Solver {
    config: Config,
    tables: Tables,
}

/// A problem with every choice made: what a row of [`ALGORITHMS`] works on.
pub(crate) struct Run<'a> {
    pub problem: &'a Problem,
    pub guide: Guide,
    pub weight: Weight,
    pub closed: Closed,
    pub open: OpenList,
    pub limits: Limits,
    pub tables: &'a Tables,
    pub cancel: &'a CancelToken,
}

impl Solver {
    /// A solver that works as `config` says.
    ///
    /// # Errors
    /// When choices do not go together, whatever the board.
    pub fn new(config: Config) -> Result<Self, Error> {
        if let Some(algorithm) = config.algorithm {
            if config.heuristic.is_some() && !algorithm.uses_heuristic {
                let users = ALGORITHMS.iter().filter(|row| row.uses_heuristic);
                let instead = users.map(|row| row.name).collect();
                return Err(Error::HeuristicUnused { algorithm: algorithm.name, instead });
            }
            if let Some(closed) = config.closed.filter(|_| !algorithm.uses_closed) {
                return Err(Error::ClosedUnused { algorithm: algorithm.name, closed });
            }
            if config.weight.is_some() && !algorithm.is(&WASTAR) {
                return Err(Error::WeightUnused(algorithm.name));
            }
            if !config.parity_check && algorithm.is(&TABLE) {
                return Err(Error::TableNeedsParity(algorithm.name));
            }
        }
        let exact = config.heuristic.as_ref().filter(|guide| guide.is_kind(Kind::Exact));
        if let Some(exact) = exact.filter(|_| !config.parity_check) {
            return Err(Error::TableNeedsParity(exact.name()));
        }
        Ok(Self { config, tables: Tables::default() })
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    pub(crate) fn tables(&self) -> &Tables {
        &self.tables
    }

    /// Solves `problem`.
    ///
    /// # Errors
    /// When the configuration does not fit the board.
    pub fn solve(&self, problem: &Problem) -> Result<Report, Error> {
        self.solve_watched(problem, &CancelToken::new(), None)
    }

    /// Solves `problem`, stops when `cancel` is set, and tells `observer` how far it is.
    ///
    /// # Errors
    /// When the configuration does not fit the board.
    pub fn solve_watched(
        &self,
        problem: &Problem,
        cancel: &CancelToken,
        observer: Option<&mut dyn Observer>,
    ) -> Result<Report, Error> {
        let size = problem.goal().size();
        let algorithm = self.config.algorithm.unwrap_or_else(|| self.default_algorithm(size));
        let guide = self.guide(algorithm);
        let limits = self.limits(algorithm, size)?;
        let closed = with_space(
            problem.goal(),
            CheckStates { algorithm, guide: &guide, config: &self.config },
        )?;
        if let Guide::Matrix(matrix) = &guide
            && matrix.cells() != size.cells()
        {
            return Err(Error::MatrixSize { matrix: matrix.cells(), size });
        }
        let weight = self.config.weight.unwrap_or(Weight::DEFAULT);
        let open = self.config.open;
        let tables = &self.tables;
        let run = Run { problem, guide, weight, closed, open, limits, tables, cancel };
        let (status, moves, stats) = self.attempt(algorithm, &run, observer);
        let admissible = run.guide.is_admissible(size);
        let proved = match algorithm.guarantee {
            Guarantee::Optimal => true,
            Guarantee::OptimalIfAdmissible => admissible,
            Guarantee::WithinWeight => admissible && weight.is_one(),
            Guarantee::Nothing => false,
        };
        Ok(Report {
            problem: problem.clone(),
            status,
            optimal: moves.as_ref().is_some_and(|moves| proved || moves.is_empty()),
            moves,
            algorithm: algorithm.name,
            heuristic: algorithm.uses_heuristic.then(|| run.guide.name()),
            weight: algorithm.is(&WASTAR).then_some(weight),
            closed: algorithm.uses_closed.then_some(closed),
            stats,
        })
    }

    /// Tests parity, then runs the algorithm.
    fn attempt(
        &self,
        algorithm: &Algorithm,
        run: &Run<'_>,
        observer: Option<&mut dyn Observer>,
    ) -> (Status, Option<Vec<loyd_tiles::Move>>, Stats) {
        let mut meter = Meter::new(run.limits, run.cancel.clone());
        if let Some(observer) = observer {
            meter = meter.observed_by(observer);
        }
        let goal = Relabelling::new(run.problem.goal());
        if self.config.parity_check && !Solvability::test(run.problem.start(), &goal) {
            return (Status::Unsolvable, None, meter.finish());
        }
        let outcome = (algorithm.run)(run, &mut meter);
        let stats = meter.finish();
        match outcome {
            Outcome::Solved { path, .. } => (Status::Solved, Some(path), stats),
            Outcome::Exhausted => (Status::Exhausted, None, stats),
            Outcome::Stopped(stop) => (Status::Stopped(stop), None, stats),
        }
    }

    /// What runs when no algorithm is named: whatever the other choices ask for.
    fn default_algorithm(&self, size: Size) -> &'static Algorithm {
        let choice = &self.config;
        let wanted = match size {
            _ if choice.weight.is_some() => &WASTAR,
            // IDA* never learns that a board cannot be solved.
            _ if choice.closed.is_some() || !choice.parity_check => &ASTAR,
            Size::EIGHT if choice.heuristic.is_none() => &TABLE,
            _ => &IDASTAR,
        };
        Algorithm::named(wanted.name).expect("the row is in the table")
    }

    fn guide(&self, algorithm: &Algorithm) -> Guide {
        let default = match self.config.algorithm {
            None => Kind::LinearConflict,
            Some(_) => Kind::Manhattan,
        };
        match &self.config.heuristic {
            Some(guide) if algorithm.uses_heuristic => guide.clone(),
            _ => Guide::of_kind(default),
        }
    }

    /// The limits, with the depth limit that depth-first search cannot do without.
    fn limits(&self, algorithm: &Algorithm, size: Size) -> Result<Limits, Error> {
        let mut limits = self.config.limits;
        if limits.max_depth.is_none() && algorithm.is(&DFS) {
            if size != Size::EIGHT {
                return Err(Error::DepthNeeded { algorithm: algorithm.name, size });
            }
            limits.max_depth = Some(DIAMETER_3X3);
        }
        Ok(limits)
    }
}

/// Refuses what needs a place a state where there are too many, and chooses duplicate detection.
struct CheckStates<'a> {
    algorithm: &'static Algorithm,
    guide: &'a Guide,
    config: &'a Config,
}

impl SpaceVisitor for CheckStates<'_> {
    type Output = Result<Closed, Error>;

    fn visit<S: SolvedSpace>(self, space: &S) -> Result<Closed, Error> {
        let Self { algorithm, guide, config } = self;
        let limits = &config.limits;
        let size = BoardSpace::size(space);
        let refuse = |what, instead| {
            let states = match space.state_count() {
                Some(states) => format!("{states} states"),
                None => "more states than 64 bits can number".to_owned(),
            };
            Err(Error::TooManyStates { what, size, states, instead })
        };
        let exact = algorithm.uses_heuristic && guide.is_kind(Kind::Exact);
        if (algorithm.is(&TABLE) || exact) && size != Size::EIGHT && !fits(space, 2, limits) {
            return refuse("an exact table", "use `idastar` with `linear-conflict`");
        }
        let ranked = Limits { max_bytes: Some(RANKED_BYTES), ..*limits };
        match config.closed {
            Some(Closed::Ranked) if !fits(space, 4, limits) => {
                refuse("`ranked`", "use `hashed`, or more --max-memory")
            }
            Some(closed) => Ok(closed),
            None if fits(space, 4, &ranked) => Ok(Closed::Ranked),
            None => Ok(Closed::Hashed),
        }
    }
}
