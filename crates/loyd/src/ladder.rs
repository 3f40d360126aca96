//! What leads a search, and when something better takes its place.
//!
//! Tables that take long to make are not waited for: a search begins with what is there at once, and they
//! are made beside it. What a search does depends on the configuration and the kernel alone, so that its
//! counts reproduce: not on how fast tables are made, nor on which are there already.

use loyd_heuristics::file::Contents;
use loyd_heuristics::pdb::tile_classes::TileClasses;
use loyd_heuristics::pdb::{MAX_WIDE_CELLS, Orientation, Partition, WideSet};
use loyd_tiles::{Board, Metric, Relabelling};

use crate::config::Config;
use crate::dispatch::{SolvedSpace, SpaceVisitor, with_space};
use crate::error::Error;
use crate::heuristics::{Guide, Kind};
use crate::patterns::{self, TableChoice};
use crate::problem::Problem;
use crate::wide::is_wide;

/// A heuristic to search with, and when to take the next one instead.
#[derive(Clone, Debug)]
pub(crate) struct Rung {
    pub guide: Guide,
    /// Its tables, if it has any that are kept.
    pub tables: Option<Contents>,
    /// The expansions after which the search begins again on the next rung; none on the last.
    pub patience: Option<u64>,
}

/// Of so few wide boards, those that linear conflict solves in so many expansions, a second and a half,
/// need not wait for tables.
const FEW_WIDE: u64 = 20;
const WIDE_PATIENCE: u64 = 3_000_000;

/// For so many boards, those that are solved without a table of alike tiles in so many expansions, up to some
/// ten slides, need not wait for it.
const FEW_SLIDES: u64 = 100;
const SLIDES_PATIENCE: u64 = 200_000;

/// The same for the tables of a few of the tiles, which are made in a second or two.
const FEW_PARTS: u64 = 20;
const PARTS_PATIENCE: u64 = 100_000;

/// The rungs for boards with the goal of `problem` that end with a heuristic of `kind`: none if there is
/// nothing to choose, or no table for such boards that memory has room for.
///
/// # Errors
/// When the tables that are asked for cannot be.
pub(crate) fn ladder(config: &Config, problem: &Problem, kind: Kind) -> Result<Vec<Rung>, Error> {
    let few = |boards| !config.names_guide() && config.boards.unwrap_or(1) <= boards;
    let rungs = |easy: Option<(Kind, u64)>, tables: Option<Contents>| {
        let easy = easy.map(|(kind, patience)| Rung::new(kind, None, Some(patience)));
        easy.into_iter().chain([Rung::new(kind, tables, None)]).collect()
    };
    let with_tables = |easy, tables: Option<Contents>| match tables {
        Some(tables) => rungs(easy, Some(tables)),
        None => Vec::new(),
    };
    match kind {
        Kind::Patterns if is_wide(problem.goal().size()) => {
            if let TableChoice::Partition(_) = config.tables {
                return Err(Error::TooLarge(problem.goal().size()));
            }
            let easy = few(FEW_WIDE).then_some((Kind::LinearConflict, WIDE_PATIENCE));
            Ok(with_tables(easy, wide_set(problem).map(Contents::Wide)))
        }
        Kind::Patterns => patterns::ladder(config, problem),
        Kind::Alike => {
            let easy = few(FEW_SLIDES).then_some((Kind::Zero, SLIDES_PATIENCE));
            Ok(with_tables(
                easy,
                classes(&Relabelling::new(problem.goal())).map(Contents::TileClasses),
            ))
        }
        Kind::Subgoals => {
            let easy = match config.metric {
                Metric::SingleTile => Kind::LinearConflict,
                Metric::MultiTile => Kind::Zero,
            };
            Ok(rungs(few(FEW_PARTS).then_some((easy, PARTS_PATIENCE)), None))
        }
        _ => Ok(Vec::new()),
    }
}

/// The tables that are made for boards with this goal where `metric` counts and nothing else is asked for;
/// `None` if there are none for such boards.
pub fn default_tables(goal: &Board, metric: Metric) -> Option<Contents> {
    let labels = Relabelling::new(goal);
    match (metric, Orientation::new(&labels)) {
        (Metric::MultiTile, _) => classes(&labels).map(Contents::TileClasses),
        (Metric::SingleTile, Some(frame)) => {
            let partition = Partition::default_for(frame.size(), frame.blank());
            Some(Contents::Patterns(partition))
        }
        (Metric::SingleTile, None) => {
            let problem = Problem::between(goal.clone(), goal.clone()).ok()?;
            let fits = goal.size().cells() <= MAX_WIDE_CELLS;
            if fits { wide_set(&problem).map(Contents::Wide) } else { None }
        }
    }
}

impl Rung {
    pub fn new(kind: Kind, tables: Option<Contents>, patience: Option<u64>) -> Self {
        Self { guide: Guide::of_kind(kind), tables, patience }
    }
}

/// The classes of alike tiles for the goal of `labels`, if there are any for such boards.
pub(crate) fn classes(labels: &Relabelling) -> Option<TileClasses> {
    Orientation::new(labels).and_then(|frame| TileClasses::default_for(frame.size(), frame.blank()))
}

/// The tables for the goal of `problem`, whose board has more than 16 cells; none if it wants no tile.
pub(crate) fn wide_set(problem: &Problem) -> Option<WideSet> {
    struct Set;

    impl SpaceVisitor for Set {
        type Output = Option<WideSet>;

        fn visit<S: SolvedSpace>(self, space: &S) -> Option<WideSet> {
            WideSet::of(space)
        }
    }

    with_space(problem, Metric::SingleTile, Set)
}
