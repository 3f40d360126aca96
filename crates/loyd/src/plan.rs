//! Making the choices that a configuration leaves open, for the boards of one goal.
//!
//! What is chosen is described at [`Config::algorithm`] and [`Config::heuristic`].

use std::ops::RangeInclusive;
use std::sync::OnceLock;

use loyd_heuristics::AutomatonKey;
use loyd_heuristics::file::Contents;
use loyd_heuristics::pdb::{DENSE_CELLS, Database};
use loyd_kernels::LargestSumSearch;
use loyd_search::{Closed, Cost, Direction, Limits};
use loyd_tiles::{Metric, Size};

use crate::algorithms::{ASTAR, Algorithm, BIBFS, Back, Begun, Fit, IDASTAR, Plan, TABLE, WASTAR};
use crate::choices::{Prune, TableChoice, Weight};
use crate::config::Config;
use crate::error::Error;
use crate::heuristics::exact::{self, LARGEST_ARRAY, too_many_states};
use crate::heuristics::{
    EXACT, HEURISTICS, HeuristicRow, LINE_CROSSINGS, LINEAR_CONFLICT, MANHATTAN, PDB, PDB_MAX,
    Setting, Stage, TILE_CLASSES, ZERO, catalogue, classes, fit_together, is_admissible,
    partition_for, pdb_max,
};
use crate::problem::Problem;
use crate::space::AnySpace;
use crate::store::Build;

/// A ranked closed list is the default up to this many bytes, four a state.
const RANKED_BYTES: u64 = 64 << 20;
const RANKED_STATE_BYTES: u64 = 4;

/// Boards for which pattern databases are the default unless an exact table pays: larger ones have other
/// tables, and smaller ones are solved before tables are built.
const PATTERN_CELLS: RangeInclusive<usize> = 10..=16;

/// Larger boards for which pattern databases are the default.
const LARGE_CELLS: RangeInclusive<usize> = 17..=25;

/// Up to so many cells an exact table is built at once: 181,440 states.
const EXACT_CELLS: usize = 9;

/// No 3x3 board is farther from its goal; slides and partial goals take no more moves.
const EIGHT_DEPTH: Cost = 31;

/// The most moves in words of which an automaton is made in a few milliseconds on 4x4 boards.
const FIFTEEN_WORDS: u32 = 10;

/// The most moves in words for boards of 17 to 25 cells with the last of several tables: the automaton takes most of a second
/// to make.
const HARD_WORDS: u32 = 14;

/// For partial goals, tables of so many states are built in a second.
const PARTIAL_STATES: u64 = 1_000_000;

/// The plan for problems like this one.
///
/// # Errors
/// What cannot work on boards of that size.
pub(crate) fn plan(config: &Config, problem: &Problem) -> Result<Plan, Error> {
    let space = AnySpace::new(problem, config.metric);
    let setting = Setting { space: &space, config };
    let (algorithm, heuristic) = choose(&setting)?;
    let uses_tables = algorithm.uses_heuristic && heuristic.name == PDB.name;
    if config.tables != TableChoice::Default && !uses_tables {
        let user = if algorithm.uses_heuristic { heuristic.name } else { algorithm.name };
        return Err(Error::TablesUnused(user));
    }
    check_heuristic(heuristic, &setting)?;
    let limits = limits(algorithm, &setting)?;
    if algorithm.uses_table {
        (EXACT.check)(&setting)?;
    }
    if config.closed == Some(Closed::Ranked) && !space.fits(RANKED_STATE_BYTES, LARGEST_ARRAY) {
        return Err(too_many_states(&space, "`ranked`", "`hashed` does not"));
    }
    let default = match space.fits(RANKED_STATE_BYTES, RANKED_BYTES) {
        true => Closed::Ranked,
        false => Closed::Hashed,
    };
    let leading = if algorithm.uses_table { &EXACT } else { heuristic };
    let mut stages = match algorithm.uses_heuristic || algorithm.uses_table {
        true => (leading.stages)(leading, &setting)?,
        false => Vec::new(),
    };
    if let Some(what) = config.needs_large_kernel()
        && !has_large_kernel(algorithm, &space, stages.last())
    {
        return Err(Error::NotPutAside {
            what,
            instead: match is_large(algorithm, &space, stages.last()) {
                true => {
                    "tables of at most 8 GiB, with at most eight tiles in a pattern and eight patterns for a tile"
                }
                false => "the algorithm idastar with the heuristic pdb",
            },
        });
    }
    let takes_long = |words| words > Prune::default_words(space.size(), space.metric());
    match config.prune {
        None => prune_by_default(algorithm, &mut stages, &space),
        Some(Prune::Automaton { words: Some(words) }) if takes_long(words) => {
            // It is for hard boards alone, and is made while those that are not are solved.
            prune_by_default(algorithm, &mut stages, &space);
            if let Some((last, before)) = stages.split_last_mut() {
                before.iter_mut().for_each(|stage| _ = stage.prune.get_or_insert(Prune::Undo));
                last.prune = None;
            }
        }
        Some(_) => {}
    }
    // Of many boards each has a thread of its own.
    let threads = if config.boards.unwrap_or(1) > 1 { 1 } else { config.threads.max(1) };
    Ok(Plan {
        algorithm,
        heuristic: stages.last().map_or(&ZERO, |stage| stage.heuristic),
        // A shard does not see the rest.
        admissible: is_admissible(heuristic, &setting) && config.shard.is_none(),
        stages,
        weight: config.weight.unwrap_or(Weight::DEFAULT),
        closed: config.closed.unwrap_or(default),
        prune: prune(algorithm, &setting)?,
        open: config.open,
        limits,
        threads,
        space,
    })
}

/// What is left out of a depth-first search, with the length of words.
fn prune(algorithm: &Algorithm, setting: &Setting<'_>) -> Result<Option<Prune>, Error> {
    let prune = setting.config.prune;
    algorithm.check_prune(prune)?;
    if !algorithm.is_depth_first {
        return Ok(None);
    }
    let Some(Prune::Automaton { words }) = prune else { return Ok(Some(Prune::Undo)) };
    let (size, metric) = (setting.space.size(), setting.space.metric());
    let most = AutomatonKey::longest_words(size, metric);
    let key = setting.space.automaton(words).ok_or(Error::LongWords { size, metric, most })?;
    Ok(Some(Prune::Automaton { words: Some(key.words()) }))
}

/// Lets an automaton prune where there is a kernel for it: it spares a sixth to a third of the expansions, and is made in
/// about three milliseconds on 4x4, and in about a tenth of a second on larger boards. The stages before the last on 4x4,
/// and the one before the tables elsewhere, do without, so that easy boards wait for nothing. The last of several tables
/// for larger boards are for hard ones, so longer words pay.
fn prune_by_default(algorithm: &Algorithm, stages: &mut [Stage], space: &AnySpace) {
    let prune = |words| {
        let key = space.automaton(words);
        key.map(|key| Prune::Automaton { words: Some(key.words()) })
    };
    let mut with_tables: Vec<&mut Stage> =
        stages.iter_mut().filter(|stage| stage.tables.is_some()).collect();
    let Some((last, before)) = with_tables.split_last_mut() else { return };
    if is_large(algorithm, space, Some(last)) {
        last.prune = prune((!before.is_empty()).then_some(HARD_WORDS));
        before.iter_mut().for_each(|stage| stage.prune = prune(None));
    } else if matches!(space, AnySpace::Fifteen(_))
        && algorithm.name == IDASTAR.name
        && space.partial_goal().is_none()
    {
        last.prune = prune(Some(FIFTEEN_WORDS));
    }
}

/// Whether there is a kernel for this search on boards of more than 16 cells and for the tables of its last stage.
pub(crate) fn has_large_kernel(
    algorithm: &Algorithm,
    space: &AnySpace,
    last: Option<&Stage>,
) -> bool {
    let takes = |stage: &Stage| match &stage.tables {
        Some(Contents::Patterns(partition)) => LargestSumSearch::takes(partition),
        _ => false,
    };
    is_large(algorithm, space, last) && last.is_some_and(takes)
}

/// Whether this is a search with pattern databases on boards of more than 16 cells, for which there is a kernel unless the
/// tables are unusual.
fn is_large(algorithm: &Algorithm, space: &AnySpace, last: Option<&Stage>) -> bool {
    let size = space.size();
    algorithm.name == IDASTAR.name
        && space.metric() == Metric::SingleTile
        && space.partial_goal().is_none()
        && LARGE_CELLS.contains(&size.cells())
        && (2..=12).contains(&size.width())
        && (2..=12).contains(&size.height())
        && last.is_some_and(|stage| stage.heuristic.name == PDB.name)
}

/// The problem of `plan` from the other end, if the search is to begin there, or has `begun` there, or may: on hard boards
/// with a set of partitions for both ends, if memory has room for both.
///
/// # Errors
/// When the configuration does not fit the problem from the other end.
pub(crate) fn back(
    config: &Config,
    problem: &Problem,
    plan: &Plan,
    begun: Option<&Begun>,
) -> Result<Option<Back>, Error> {
    let last = plan.stages.last();
    let has_begun = begun.is_some_and(|begun| {
        begun.direction == Some(Direction::Backward) || begun.fit != Fit::NotTried
    });
    let may_be = match config.direction {
        Some(direction) => direction == Direction::Backward,
        None if has_begun => true,
        None => {
            config.shard.is_none() && config.boards.unwrap_or(1) <= 1 && catalogue(last).is_some()
        }
    };
    if !may_be || !has_large_kernel(plan.algorithm, &plan.space, last) {
        return Ok(None);
    }
    let problem = problem.exchanged();
    let back =
        self::plan(config, &problem).map(|plan| Back { problem, plan, fitted: OnceLock::new() });
    if config.direction.is_some() || has_begun {
        return back.map(Some).map_err(|error| Error::FromGoal(Box::new(error)));
    }
    let fits = |back: &Back| match (catalogue(last), catalogue(back.plan.stages.last())) {
        (Some(forward), Some(backward)) => {
            forward == backward || fit_together(forward, backward, config)
        }
        _ => false,
    };
    Ok(back.ok().filter(fits))
}

/// The limits, with the depth that a search cannot do without.
fn limits(algorithm: &Algorithm, setting: &Setting<'_>) -> Result<Limits, Error> {
    let (mut limits, size) = (setting.config.limits, setting.space.size());
    if algorithm.needs_depth && limits.max_depth.is_none() {
        if size != Size::EIGHT {
            return Err(Error::DepthNeeded { algorithm: algorithm.name, size });
        }
        limits.max_depth = Some(EIGHT_DEPTH);
    }
    Ok(limits)
}

/// Refuses a heuristic that does not hold for such boards, or has no tables for them.
pub(crate) fn check_heuristic(row: &HeuristicRow, setting: &Setting<'_>) -> Result<(), Error> {
    let (space, heuristic) = (setting.space, row.name);
    let instead =
        || HEURISTICS.iter().filter(|row| row.is_for(setting)).map(|row| row.name).collect();
    if !row.holds_for(space.metric()) {
        return Err(match space.metric() {
            Metric::SingleTile => Error::OnlyForSlides(heuristic),
            Metric::MultiTile => Error::NotForSlides { heuristic, instead: instead() },
        });
    }
    if space.partial_goal().is_some() && !row.partial_goals {
        return Err(Error::NotForPartialGoals { heuristic, instead: instead() });
    }
    if !row.fits(space.size()) {
        let instead = match space.metric() {
            Metric::SingleTile => &LINEAR_CONFLICT,
            Metric::MultiTile => &LINE_CROSSINGS,
        };
        let instead = instead.name;
        let (boards, size) = (row.boards.words, space.size());
        return Err(Error::HeuristicSize { heuristic, boards, size, instead });
    }
    (row.check)(setting)
}

/// An algorithm and a heuristic.
type Choice = (&'static Algorithm, &'static HeuristicRow);

/// The algorithm and the heuristic; where none is named, what the other choices ask for.
fn choose(setting: &Setting<'_>) -> Result<Choice, Error> {
    let config = setting.config;
    let (default, heuristic) = match setting.space.metric() {
        Metric::SingleTile => default_for_steps(setting),
        Metric::MultiTile => default_for_slides(setting),
    };
    let (algorithm, heuristic) = match config.algorithm {
        None => (default, heuristic),
        Some(name) => {
            let heuristic = match setting.space.metric() {
                Metric::MultiTile => heuristic,
                Metric::SingleTile if config.tables != TableChoice::Default => &PDB,
                Metric::SingleTile => &MANHATTAN,
            };
            (Algorithm::named(name)?, heuristic)
        }
    };
    match &config.heuristic {
        Some(choice) if algorithm.uses_heuristic => Ok((algorithm, HeuristicRow::chosen(choice)?)),
        _ => Ok((algorithm, heuristic)),
    }
}

/// Whether it is left open how to search.
fn is_only_the_board(config: &Config) -> bool {
    config.heuristic.is_none() && config.closed.is_none() && config.prune.is_none()
}

fn default_for_steps(setting: &Setting<'_>) -> Choice {
    let Setting { space, config, .. } = *setting;
    let size = space.size();
    let only_the_board = is_only_the_board(config);
    let has_patterns = match size.cells() {
        _ if size.is_line() => false,
        cells if LARGE_CELLS.contains(&cells) => has_room_for_patterns(setting),
        cells => PATTERN_CELLS.contains(&cells),
    };
    let is_partial = space.partial_goal().is_some();
    let is_small = is_partial && space.fits(1, PARTIAL_STATES);
    match config {
        _ if config.weight.is_some() => (&WASTAR, &MANHATTAN),
        // IDA* never learns that a board cannot be solved.
        _ if config.closed.is_some() || !config.parity_check => (&ASTAR, &MANHATTAN),
        _ if config.tables != TableChoice::Default => (&IDASTAR, &PDB),
        _ if only_the_board && (exact::is_built_in(space) || is_small) => (&TABLE, &ZERO),
        _ if only_the_board && !is_partial && exact::pays(config, size) => (&TABLE, &ZERO),
        _ if is_partial && has_room_for_subsets(setting) => (&IDASTAR, &PDB_MAX),
        _ if has_patterns => (&IDASTAR, &PDB),
        _ => (&IDASTAR, &LINEAR_CONFLICT),
    }
}

fn default_for_slides(setting: &Setting<'_>) -> Choice {
    let Setting { space, config, .. } = *setting;
    let cells = space.size().cells();
    let only_the_board = is_only_the_board(config);
    let is_partial = space.partial_goal().is_some();
    let has_classes = !is_partial
        && classes(space.relabelling())
            .and_then(|classes| classes.build_bytes())
            .is_some_and(|bytes| bytes < config.max_bytes());
    let has_subsets = has_room_for_subsets(setting) && (is_partial || cells > DENSE_CELLS);
    let heuristic = match (has_classes, has_subsets) {
        (true, _) => &TILE_CLASSES,
        (false, true) => &PDB_MAX,
        (false, false) => &LINE_CROSSINGS,
    };
    match cells {
        _ if config.weight.is_some() => (&WASTAR, heuristic),
        ..=EXACT_CELLS if only_the_board && config.parity_check => (&TABLE, &ZERO),
        // As for single tiles.
        _ if config.heuristic.is_some() && (config.closed.is_some() || !config.parity_check) => {
            (&ASTAR, &ZERO)
        }
        _ if config.heuristic.is_some() => (&IDASTAR, &ZERO),
        // IDA* never learns that a board cannot be solved.
        _ if only_the_board && config.parity_check && (has_classes || has_subsets) => {
            (&IDASTAR, heuristic)
        }
        _ if config.prune.is_some() && config.closed.is_none() && config.parity_check => {
            (&IDASTAR, heuristic)
        }
        _ => (&BIBFS, heuristic),
    }
}

/// Whether memory has room for the maximum of pattern databases, and so few tiles are constrained that it
/// tells more than a sum over pattern databases: three in four.
fn has_room_for_subsets(setting: &Setting<'_>) -> bool {
    let space = setting.space;
    let tiles = space.size().tiles();
    let constrained = (0..tiles).filter(|&label| space.is_constrained(label as u8)).count();
    let few = 4 * constrained <= 3 * tiles || space.metric() == Metric::MultiTile;
    few && constrained > 0 && pdb_max::build_bytes(space) < setting.config.max_bytes()
}

/// Whether memory has room for the pattern databases of boards of more than 16 cells.
fn has_room_for_patterns(setting: &Setting<'_>) -> bool {
    let bytes =
        partition_for(setting.space).map_or(0, |partition| Database::build_bytes(&partition));
    bytes < setting.config.max_bytes() || setting.config.limits.max_bytes.is_none()
}

#[cfg(test)]
mod tests {
    use loyd_tiles::{Goal, Move};

    use super::*;
    use crate::solver::Solver;

    /// The words of the automaton of each stage.
    fn words(size: &str, prune: Option<Prune>) -> Vec<Option<u32>> {
        let goal = Goal::BlankLast.board(size.parse().unwrap()).unwrap();
        let mut board = goal.clone();
        board.apply(Move::Up).unwrap();
        let problem = Problem::between(board, goal).unwrap();
        let config = Config { prune, ..Config::default() };
        let plan = Solver::new(config).unwrap().plan(&problem).unwrap();
        let of = |stage| plan.automaton(Some(stage)).map(|key| key.words());
        plan.stages.iter().map(of).collect()
    }

    #[test]
    fn the_words_of_automata_are_longer_where_boards_are_harder() {
        assert_eq!(words("5x5", None), [None, Some(12), Some(14)]);
        assert_eq!(words("4x5", None), [None, Some(12)]);
        assert_eq!(words("4x4", None).last(), Some(&Some(10)));
        assert_eq!(
            words("5x5", Some(Prune::Automaton { words: Some(16) })),
            [None, Some(12), Some(16)]
        );
        assert_eq!(words("5x5", Some(Prune::Undo)), [None, None, None]);
    }
}
