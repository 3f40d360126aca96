//! Making the choices that a configuration leaves open, for one size of board.

use std::ops::RangeInclusive;
use std::sync::Arc;

use loyd_heuristics::pdb::maximum::tile_subsets;
use loyd_heuristics::pdb::{MAX_CELLS, WideSet};
use loyd_search::{Cost, Limits};
use loyd_tiles::{BoardSpace, Metric, Relabelling, Size};

use crate::algorithms::{ASTAR, Algorithm, BIBFS, IDASTAR, TABLE, WASTAR};
use crate::config::{Closed, Config, OpenList, Weight};
use crate::dispatch::{SolvedSpace, SpaceVisitor, with_space};
use crate::error::Error;
use crate::exact;
use crate::heuristics::{Guide, HEURISTICS, Kind};
use crate::ladder::{Rung, classes, ladder};
use crate::patterns::TableChoice;
use crate::problem::Problem;
use crate::store::Build;
use crate::tables::{fits, subgoal_bytes};

/// Duplicate detection by rank is the default up to this many bytes.
const RANKED_BYTES: u64 = 64 << 20;

/// No array is larger: what would need more is refused, not tried.
const LARGEST_ARRAY: u64 = 1 << 40;

/// Boards for which pattern databases are the default unless an exact table [pays](exact::pays): larger
/// ones cannot have any, and smaller ones are solved before they are made.
const PATTERN_CELLS: RangeInclusive<usize> = 10..=16;

/// Larger boards for which other pattern databases are the default.
const FEWEST_WIDE: usize = 17;
const MOST_WIDE: usize = 25;

/// Up to so many cells an exact table is made in no time: 181,440 states.
const EXACT_CELLS: usize = 9;

/// No 3x3 board is farther from its goal; slides and part goals take no more moves.
const EIGHT_DEPTH: Cost = 31;

/// For part goals, tables of so many states are made in a second.
const PART_STATES: u64 = 1_000_000;

/// A configuration with every choice made.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub algorithm: &'static Algorithm,
    pub guide: Guide,
    pub metric: Metric,
    pub weight: Weight,
    pub closed: Closed,
    pub open: OpenList,
    pub limits: Limits,
    /// Threads that one search may use.
    pub threads: usize,
    /// The tables of the guide that are kept, and what leads a search before they are there.
    pub rungs: Arc<[Rung]>,
}

impl Plan {
    /// The plan for problems like this one.
    ///
    /// # Errors
    /// What cannot work on boards of that size.
    pub fn new(config: &Config, problem: &Problem) -> Result<Self, Error> {
        let mut plan = with_space(problem, config.metric, Choose(config))?;
        let Guide::Named(row) = plan.guide else { return Ok(plan) };
        match ladder(config, problem, row.kind) {
            Ok(rungs) if row.kind != Kind::Patterns || !rungs.is_empty() => {
                plan.rungs = rungs.into();
            }
            // The sum over no tiles.
            Ok(_) if wants_no_tile(problem) => plan.guide = Guide::of_kind(Kind::Zero),
            Ok(_) | Err(Error::BlankShutOut) if !config.names_guide() => {
                plan.guide = Guide::of_kind(Kind::LinearConflict);
            }
            // Tables that memory is too short for stop the search.
            rungs => plan.rungs = rungs?.into(),
        }
        Ok(plan)
    }
}

fn wants_no_tile(problem: &Problem) -> bool {
    problem.part().is_some_and(|part| part.dont_care_tiles().len() == part.size().tiles())
}

struct Choose<'a>(&'a Config);

impl SpaceVisitor for Choose<'_> {
    type Output = Result<Plan, Error>;

    fn visit<S: SolvedSpace>(self, space: &S) -> Result<Plan, Error> {
        let Self(config) = self;
        let size = BoardSpace::size(space);
        let (algorithm, guide) = choose(config, space);
        let uses_tables = algorithm.uses_heuristic && guide.is_kind(Kind::Patterns);
        if config.tables != TableChoice::Default && !uses_tables {
            let user = if algorithm.uses_heuristic { guide.name() } else { algorithm.name };
            return Err(Error::TablesUnused(user));
        }
        check_guide(&guide, space)?;
        let mut limits = config.limits;
        if algorithm.needs_depth && limits.max_depth.is_none() {
            limits.max_depth = (size == Size::EIGHT).then_some(EIGHT_DEPTH);
            if limits.max_depth.is_none() {
                return Err(Error::DepthNeeded { algorithm: algorithm.name, size });
            }
        }
        let reads_table = algorithm.uses_table || guide.is_kind(Kind::Exact);
        if reads_table && !fits(space, S::EXACT_BYTES, LARGEST_ARRAY) {
            return Err(too_many(space, "an exact table", "idastar with linear-conflict does not"));
        }
        if config.closed == Some(Closed::Ranked) && !fits(space, 4, LARGEST_ARRAY) {
            return Err(too_many(space, "`ranked`", "`hashed` does not"));
        }
        let ranked = fits(space, 4, RANKED_BYTES);
        let closed = config.closed.unwrap_or(if ranked { Closed::Ranked } else { Closed::Hashed });
        let weight = config.weight.unwrap_or(Weight::DEFAULT);
        // Of many boards each has a thread of its own.
        let boards = config.boards.unwrap_or(1);
        let threads = if boards > 1 { 1 } else { config.threads.max(1) };
        Ok(Plan {
            algorithm,
            guide,
            metric: S::METRIC,
            weight,
            closed,
            open: config.open,
            limits,
            threads,
            rungs: [].into(),
        })
    }
}

/// Refuses a heuristic that does not hold for such boards, or has no tables for them.
fn check_guide<S: SolvedSpace>(guide: &Guide, space: &S) -> Result<(), Error> {
    let size = BoardSpace::size(space);
    if !guide.holds_for(S::METRIC) {
        if S::METRIC == Metric::SingleTile {
            return Err(Error::OfSlides(guide.name()));
        }
        return Err(Error::NotOfMetric { heuristic: guide.name(), hold: fitting(space) });
    }
    if space.part().is_some() && !guide.holds_for_parts() {
        return Err(Error::NotForPartialGoals { heuristic: guide.name(), hold: fitting(space) });
    }
    if let Guide::Matrix(matrix) = guide
        && matrix.cells() != size.cells()
    {
        return Err(Error::MatrixSize { matrix: matrix.cells(), size });
    }
    if let Guide::Named(row) = guide
        && !row.fits(size)
    {
        return Err(match row.kind {
            Kind::Patterns => Error::TooLarge(size),
            Kind::Alike => Error::AlikeSize(size),
            _ => Error::WalkingDistanceSize(size),
        });
    }
    Ok(())
}

/// The heuristics that hold for such boards, and have tables for them.
fn fitting<S: SolvedSpace>(space: &S) -> Vec<&'static str> {
    let has_table = fits(space, S::EXACT_BYTES, LARGEST_ARRAY);
    let rows = HEURISTICS.iter().filter(|row| {
        row.holds_for(S::METRIC)
            && (row.parts || space.part().is_none())
            && row.fits(BoardSpace::size(space))
            && (has_table || row.kind != Kind::Exact)
    });
    rows.map(|row| row.name).collect()
}

/// The algorithm and the heuristic; where none is named, what the other choices ask for.
fn choose<S: SolvedSpace>(config: &Config, space: &S) -> (&'static Algorithm, Guide) {
    let size = BoardSpace::size(space);
    let only_the_board = config.heuristic.is_none() && config.closed.is_none();
    let tables_asked_for = config.tables != TableChoice::Default;
    let has_patterns = match size.cells() {
        _ if size.is_line() => false,
        FEWEST_WIDE..=MOST_WIDE => has_room_for_wide(config, space),
        cells => PATTERN_CELLS.contains(&cells),
    };
    let is_small = |states| states <= PART_STATES;
    let has_table =
        S::EXACT_BYTES == 0 || space.part().is_some() && space.state_count().is_some_and(is_small);
    let (default, kind) = match config {
        _ if S::METRIC == Metric::MultiTile => slides(config, space),
        _ if config.weight.is_some() => (&WASTAR, Kind::Manhattan),
        // IDA* never learns that a board cannot be solved.
        _ if config.closed.is_some() || !config.parity_check => (&ASTAR, Kind::Manhattan),
        _ if tables_asked_for => (&IDASTAR, Kind::Patterns),
        _ if only_the_board && has_table => (&TABLE, Kind::Zero),
        _ if only_the_board && space.part().is_none() && exact::pays(config, size) => {
            (&TABLE, Kind::Zero)
        }
        _ if space.part().is_some() && has_room_for_subgoals(config, space) => {
            (&IDASTAR, Kind::Subgoals)
        }
        _ if has_patterns => (&IDASTAR, Kind::Patterns),
        _ => (&IDASTAR, Kind::LinearConflict),
    };
    let (algorithm, kind) = match config.algorithm {
        Some(algorithm) if S::METRIC == Metric::MultiTile => (algorithm, kind),
        Some(algorithm) if tables_asked_for => (algorithm, Kind::Patterns),
        Some(algorithm) => (algorithm, Kind::Manhattan),
        None => (Algorithm::named(default.name).expect("the row is in the table"), kind),
    };
    let named = config.heuristic.clone().filter(|_| algorithm.uses_heuristic);
    (algorithm, named.unwrap_or_else(|| Guide::of_kind(kind)))
}

/// The same where slides count.
fn slides<S: SolvedSpace>(config: &Config, space: &S) -> (&'static Algorithm, Kind) {
    let size = BoardSpace::size(space);
    let only_the_board = config.heuristic.is_none() && config.closed.is_none();
    let has_alike = space.part().is_none() && has_room_for_alike(config, space.relabelling());
    let has_parts = has_room_for_subgoals(config, space)
        && (space.part().is_some() || size.cells() > MAX_CELLS);
    let led = |kind| match (has_alike, has_parts) {
        (true, _) => Kind::Alike,
        (false, true) => Kind::Subgoals,
        (false, false) => kind,
    };
    match size.cells() {
        _ if config.weight.is_some() => (&WASTAR, led(Kind::Zero)),
        ..=EXACT_CELLS if only_the_board && config.parity_check => (&TABLE, Kind::Zero),
        _ if config.heuristic.is_some() => (&IDASTAR, Kind::Zero),
        // IDA* never learns that a board cannot be solved.
        _ if only_the_board && config.parity_check && (has_alike || has_parts) => {
            (&IDASTAR, led(Kind::Zero))
        }
        _ => (&BIBFS, led(Kind::Zero)),
    }
}

/// Whether memory has room for the tables of a few of the tiles, if so few are wanted that these tell more
/// than pattern databases: three in four.
fn has_room_for_subgoals<S: SolvedSpace>(config: &Config, space: &S) -> bool {
    let tiles = BoardSpace::size(space).tiles();
    let wanted = (0..tiles).filter(|&label| space.is_constrained(label as u8)).count();
    let few = 4 * wanted <= 3 * tiles || S::METRIC == Metric::MultiTile;
    let limit = config.limits.max_bytes.unwrap_or(u64::MAX);
    few && wanted > 0 && subgoal_bytes(&tile_subsets(space)) < limit
}

/// Whether there is a table of alike tiles for such boards that memory has room for.
fn has_room_for_alike(config: &Config, labels: &Relabelling) -> bool {
    let room = config.limits.max_bytes.unwrap_or(u64::MAX);
    classes(labels).is_some_and(|classes| classes.build_bytes() < room)
}

/// Whether memory has room for the tables of boards of more than 16 cells.
fn has_room_for_wide<S: SolvedSpace>(config: &Config, space: &S) -> bool {
    let bytes = WideSet::of(space).map_or(0, |set| set.build_bytes());
    config.limits.max_bytes.is_none_or(|limit| bytes < limit)
}

fn too_many<S: SolvedSpace>(space: &S, what: &'static str, instead: &'static str) -> Error {
    let states = match space.state_count() {
        Some(states) => format!("{states} states"),
        None => "more states than 64 bits can number".to_owned(),
    };
    Error::TooManyStates { what, size: BoardSpace::size(space), states, instead }
}
