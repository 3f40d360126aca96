//! Default searches: the algorithm and the heuristic where a configuration leaves them open, and checks of costs by
//! tile, which only some searches support.

use std::ops::RangeInclusive;

use loyd_heuristics::pdb::{DENSE_CELLS, Database};
use loyd_tiles::Metric;

use crate::algorithms::{ASTAR, Algorithm, BIBFS, IDASTAR, TABLE, WASTAR};
use crate::choices::{Prune, TableChoice};
use crate::config::Config;
use crate::costs::ScaledCosts;
use crate::error::Error;
use crate::heuristics::{
    HeuristicRow, LINE_CROSSINGS, LINEAR_CONFLICT, MANHATTAN, PDB, PDB_MAX, Setting, TILE_CLASSES,
    ZERO, classes, exact, partition_for, subset_bytes,
};
use crate::store::Build;

/// An algorithm and a heuristic.
type Choice = (&'static Algorithm, &'static HeuristicRow);

/// Numbers of cells for which pattern databases are the default unless an exact table pays off. Larger boards have
/// other tables, and smaller ones are solved before tables could be built.
const PATTERN_CELLS: RangeInclusive<usize> = 10..=16;

/// Numbers of cells of the larger boards for which pattern databases are the default.
pub(crate) const LARGE_CELLS: RangeInclusive<usize> = 17..=25;

/// Maximum number of cells of boards whose exact table is built immediately (181,440 states).
const EXACT_CELLS: usize = 9;

/// Maximum number of states of exact tables for partial goals, which are built in a second.
const PARTIAL_STATES: u64 = 1_000_000;

/// Returns the algorithm and the heuristic. Where none is named, the other choices decide.
pub(crate) fn choose(setting: &Setting<'_>) -> Result<Choice, Error> {
    let config = setting.config;
    let (default, heuristic) = match setting.space.metric() {
        _ if !config.costs.is_unit() => default_by_cost(setting),
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

/// Returns whether the configuration leaves the search open, so that the board decides.
fn leaves_search_open(config: &Config) -> bool {
    config.heuristic.is_none() && config.closed.is_none() && config.prune.is_none()
}

fn default_for_steps(setting: &Setting<'_>) -> Choice {
    let Setting { space, config, .. } = *setting;
    let size = space.size();
    let is_open = leaves_search_open(config);
    let has_patterns = match size.cells() {
        _ if size.is_line() => false,
        cells if LARGE_CELLS.contains(&cells) => has_room_for_patterns(setting),
        cells => PATTERN_CELLS.contains(&cells),
    };
    let is_partial = space.partial_goal().is_some();
    let has_equal_tiles = space.partial_goal().is_some_and(|goal| goal.equal_tiles().is_some());
    let is_small = is_partial && space.fits(1, PARTIAL_STATES);
    match config {
        _ if config.weight.is_some() => (&WASTAR, &MANHATTAN),
        // IDA* cannot prove that a board is unsolvable.
        _ if config.closed.is_some() || !config.parity_check => (&ASTAR, &MANHATTAN),
        _ if config.tables != TableChoice::Default => (&IDASTAR, &PDB),
        _ if is_open && (exact::is_built_in(space) || is_small) => (&TABLE, &ZERO),
        _ if is_open && !is_partial && exact::is_fastest(config, size) => (&TABLE, &ZERO),
        // Other heuristics count only tiles without an equal one.
        _ if has_equal_tiles => (&IDASTAR, &MANHATTAN),
        _ if is_partial && has_room_for_subsets(setting) => (&IDASTAR, &PDB_MAX),
        _ if has_patterns => (&IDASTAR, &PDB),
        _ => (&IDASTAR, &LINEAR_CONFLICT),
    }
}

fn default_for_slides(setting: &Setting<'_>) -> Choice {
    let Setting { space, config, .. } = *setting;
    let cells = space.size().cells();
    let is_open = leaves_search_open(config);
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
        ..=EXACT_CELLS if is_open && config.parity_check => (&TABLE, &ZERO),
        // As for single-tile moves.
        _ if config.heuristic.is_some() && (config.closed.is_some() || !config.parity_check) => {
            (&ASTAR, &ZERO)
        }
        _ if config.heuristic.is_some() => (&IDASTAR, &ZERO),
        // IDA* cannot prove that a board is unsolvable.
        _ if is_open && config.parity_check && (has_classes || has_subsets) => {
            (&IDASTAR, heuristic)
        }
        _ if config.prune.is_some() && config.closed.is_none() && config.parity_check => {
            (&IDASTAR, heuristic)
        }
        _ => (&BIBFS, heuristic),
    }
}

/// Returns whether the maximum of pattern databases fits into memory and few enough tiles are constrained (at most
/// three in four) that it is larger than a sum over pattern databases.
fn has_room_for_subsets(setting: &Setting<'_>) -> bool {
    let space = setting.space;
    let tiles = space.size().tiles();
    let constrained = (0..tiles).filter(|&label| space.is_constrained(label as u8)).count();
    let few = 4 * constrained <= 3 * tiles || space.metric() == Metric::MultiTile;
    few && constrained > 0 && subset_bytes(space) < setting.config.max_bytes()
}

/// Returns whether the pattern databases of boards of more than 16 cells fit into memory.
fn has_room_for_patterns(setting: &Setting<'_>) -> bool {
    let bytes =
        partition_for(setting.space).map_or(0, |partition| Database::build_bytes(&partition));
    bytes < setting.config.max_bytes() || setting.config.limits.max_bytes.is_none()
}

/// Memory of A* per state, in bytes: its node and its entries in the open and closed lists.
const STATE_BYTES: u64 = 100;

/// Returns the default search for a cheapest solution.
fn default_by_cost(setting: &Setting<'_>) -> Choice {
    let Setting { space, config, .. } = *setting;
    let needs_closed = config.closed.is_some() || !config.parity_check;
    let algorithm = match config {
        _ if config.weight.is_some() => &WASTAR,
        _ if needs_closed || space.fits(STATE_BYTES, config.max_bytes()) => &ASTAR,
        _ => &IDASTAR,
    };
    (algorithm, &MANHATTAN)
}

/// Returns the costs of the tiles, or `None` if each tile costs 1.
///
/// # Errors
/// Returns an error if the costs are not valid for the board, or if the search does not support costs.
pub(crate) fn scaled_costs(
    (algorithm, heuristic): Choice,
    setting: &Setting<'_>,
) -> Result<Option<ScaledCosts>, Error> {
    let Setting { space, config, .. } = *setting;
    let Some(costs) = ScaledCosts::new(&config.costs, space.size())? else { return Ok(None) };
    let takes_costs = [&ASTAR, &IDASTAR, &WASTAR].iter().any(|row| row.name == algorithm.name);
    let other = if space.metric() == Metric::MultiTile {
        Some("slides of several tiles")
    } else if let Some(partial) = space.partial_goal() {
        Some(if partial.equal_tiles().is_some() { "equal tiles" } else { "a partial goal" })
    } else if !takes_costs {
        Some(algorithm.name)
    } else if heuristic.name != MANHATTAN.name {
        Some(heuristic.name)
    } else {
        moves_only_choice(config)
    };
    match other {
        Some(what) => Err(Error::CostsUnsupported(what)),
        None if costs.has_free_tiles() && algorithm.name == IDASTAR.name => Err(Error::FreeTiles),
        None => Ok(Some(costs)),
    }
}

/// Returns a choice of the configuration that is only valid when moves are counted.
fn moves_only_choice(config: &Config) -> Option<&'static str> {
    let automaton = config.prune.filter(|prune| !matches!(prune, Prune::Undo));
    let depth = config.limits.max_depth.map(|_| "a limit on depth, which counts moves");
    depth.or_else(|| automaton.map(|_| "an automaton")).or_else(|| config.needs_large_kernel())
}
