//! `pdb`.

use std::sync::Arc;

use loyd_heuristics::file::Contents;
use loyd_heuristics::pdb::{
    Coordinates, DENSE_CELLS, Database, LargestSum, MAX_CELLS, Orientation, Partition, Pattern,
    PatternSum,
};
use loyd_search::Stop;
use loyd_tiles::{PartialGoal, Size, Tile};

use super::linear_conflict::LINEAR_CONFLICT;
use super::row::{Boards, HeuristicRow, Setting, Stage};
use super::zero::ZERO;
use crate::choices::TableChoice;
use crate::config::Config;
use crate::error::Error;
use crate::space::AnySpace;

pub(crate) static PDB: HeuristicRow = HeuristicRow {
    name: "pdb",
    summary: "pattern databases: exact distances of sets of tiles, added up (up to 36 cells)",
    partial_goals: true,
    solvable_only: true,
    memory: "0.3 to 198 MB for 4x4, 45 to 315 MB for 5x5",
    source: "Korf and Felner 2002",
    boards: Boards {
        words: "boards of at most 36 cells",
        contains: |size| size.cells() <= MAX_CELLS,
    },
    stages,
    make: |setting, stage, tables, meter| {
        let space = setting.space;
        match &stage.tables {
            Some(Contents::Patterns(partition)) => {
                let (database, labels) = (tables.get(partition, meter)?, space.relabelling());
                Ok(match partition.is_set() {
                    true => Arc::new(LargestSum::new(database, labels)).into(),
                    false => Arc::new(PatternSum::new(database, labels)).into(),
                })
            }
            _ => Err(Stop::Memory),
        }
    },
    ..HeuristicRow::PLAIN
};

/// Whether boards are so large that linear conflict comes before their tables, which take long to build.
fn is_large(size: Size) -> bool {
    size.cells() > DENSE_CELLS
}

/// Tables for 4x4 boards: 0.3, 3, 36 and 198 MB.
const TINY: &str = "5-5-5";
const SMALL: &str = "6-6-3";
const MEDIUM: &str = "7-7-1";
const LARGE: &str = "7-8";

/// A random board takes some 100,000 expansions with small tables, one in a thousand more than this;
/// the medium ones take about as long to build.
const FIRST_EXPANSIONS: u64 = 4_000_000;

/// Of so few boards of more than 16 cells, those that linear conflict solves in so many expansions, a second
/// and a half, need not wait for tables.
const FEW_LARGE: u64 = 20;
const LARGE_EXPANSIONS: u64 = 3_000_000;

/// The set of partitions for hard boards of 3x6, 3x7, 4x5, 4x6 and 5x5.
const CATALOGUE: &str = "catalogue";

/// The expansions with a single partition before [`CATALOGUE`] on 5x5 boards; on smaller ones the catalogue is built
/// in one second or two, and comes at once. The kernel makes some seven million a second there, and building the catalogue
/// takes some four seconds of one core. So whoever waits in vain for the first has lost no more than the second costs,
/// and boards that are nearly solved need no more tables.
const CATALOGUE_AFTER: u64 = 10_000_000;

/// More than a search takes beside its tables.
pub(crate) const SEARCH_BYTES: u64 = 6 << 20;

/// From so many boards on, waiting for the medium tables pays, and from so many on for the large ones.
const MANY: u64 = 100;
const THOUSANDS: u64 = 8_000;

fn stages(row: &'static HeuristicRow, setting: &Setting<'_>) -> Result<Vec<Stage>, Error> {
    let (space, config) = (setting.space, setting.config);
    if is_large(space.size()) {
        return large_stages(row, setting);
    }
    let stages = match fitting_tables(setting) {
        // Tables that are asked for by name and do not fit into memory stop the search.
        Err(Error::BlankCutOff) if !config.names_heuristic() => Vec::new(),
        tables => tables?,
    };
    let constrains_no_tile =
        |partial: &PartialGoal| partial.dont_care_tiles().len() == partial.size().tiles();
    if stages.is_empty() {
        return Ok(vec![match space.partial_goal() {
            Some(partial) if constrains_no_tile(partial) => Stage::last(&ZERO, None),
            _ if config.names_heuristic() => Stage::last(row, None),
            _ => Stage::last(&LINEAR_CONFLICT, None),
        }]);
    }
    let last = stages.len() - 1;
    let stage = |(place, partition)| {
        let tables = Some(Contents::Patterns(partition));
        match place == last {
            true => Stage::last(row, tables),
            false => Stage::limited(row, tables, FIRST_EXPANSIONS),
        }
    };
    Ok(stages.into_iter().enumerate().map(stage).collect())
}

/// Linear conflict, and then the tables for boards of more than 16 cells; at last what hard boards need, if it fits
/// into the memory limit.
fn large_stages(row: &'static HeuristicRow, setting: &Setting<'_>) -> Result<Vec<Stage>, Error> {
    let config = setting.config;
    if let TableChoice::Partition(text) = &config.tables {
        let partition = chosen(text, setting)?;
        return Ok(vec![Stage::last(row, Some(Contents::Patterns(partition)))]);
    }
    let Some(partition) = partition_for(setting.space) else {
        return Ok(vec![Stage::last(&ZERO, None)]);
    };
    let first = Stage::limited(&LINEAR_CONFLICT, None, LARGE_EXPANSIONS);
    let first = Some(first).filter(|_| config.is_for_few(FEW_LARGE));
    let catalogue = catalogue_after(&partition, setting);
    let tables = Some(Contents::Patterns(partition));
    let then = match catalogue {
        None => vec![Stage::last(row, tables)],
        Some(catalogue) => {
            let before = comes_late(setting.space.size())
                .then(|| Stage::limited(row, tables, CATALOGUE_AFTER));
            let last = Stage::last(row, Some(Contents::Patterns(catalogue)));
            before.into_iter().chain([last]).collect()
        }
    };
    Ok(first.into_iter().chain(then).collect())
}

/// Whether [`CATALOGUE`] takes so long to build on boards of this size that another partition comes before it.
fn comes_late(size: Size) -> bool {
    size.cells() == 25
}

/// The set of partitions that follows the tables of `partition`, or comes in place of them, if neither a heuristic nor tables are
/// asked for: none for partial goals and boards that have no such set, and none if memory has no room for both.
fn catalogue_after(partition: &Partition, setting: &Setting<'_>) -> Option<Partition> {
    let Setting { space, config } = *setting;
    if config.names_heuristic() || space.partial_goal().is_some() {
        return None;
    }
    let catalogue = Partition::named(CATALOGUE, partition.size(), partition.blank())?;
    fit_together(partition, &catalogue, config).then_some(catalogue)
}

/// Whether memory has room for the tables of `before` while those of `next` are built.
pub(crate) fn fit_together(before: &Partition, next: &Partition, config: &Config) -> bool {
    before.table_bytes() + Database::build_bytes(next) + SEARCH_BYTES <= config.max_bytes()
}

/// The set of partitions for hard boards, if `stage` is led by it.
pub(crate) fn catalogue(stage: Option<&Stage>) -> Option<&Partition> {
    match stage?.tables.as_ref()? {
        Contents::Patterns(partition) if partition.name() == CATALOGUE => Some(partition),
        _ => None,
    }
}

/// The partition, or the set of them, that is asked for by this text.
fn chosen(text: &str, setting: &Setting<'_>) -> Result<Partition, Error> {
    let space = setting.space;
    let orientation = Orientation::new(space.relabelling());
    let orientation = orientation.ok_or_else(|| size_error(space.size()))?;
    if space.partial_goal().is_some() {
        return Err(Error::TablesForPartialGoal);
    }
    Partition::parse(text, orientation.size(), orientation.blank())
        .map_err(|reason| Error::Partition { size: space.size(), reason })
}

fn size_error(size: Size) -> Error {
    let (heuristic, boards) = (PDB.name, PDB.boards.words);
    Error::HeuristicSize { heuristic, boards, size, instead: LINEAR_CONFLICT.name }
}

/// The tables for boards of at most 16 cells, in the order in which they are used: those that fit into the
/// memory limit together, so perhaps none; those that are asked for by name in any case.
fn fitting_tables(setting: &Setting<'_>) -> Result<Vec<Partition>, Error> {
    let (space, config) = (setting.space, setting.config);
    let orientation = Orientation::new(space.relabelling());
    let orientation = orientation.ok_or_else(|| size_error(space.size()))?;
    let (size, blank) = (orientation.size(), orientation.blank());
    if let TableChoice::Partition(text) = &config.tables {
        return Ok(vec![chosen(text, setting)?]);
    }
    let named = |name: &&str| Partition::named(name, size, blank).expect("4x4 boards have these");
    let (wanted, spare) = match space.partial_goal() {
        Some(partial) => (of_partial_goal(partial, &orientation)?, Vec::new()),
        None if size == Size::FIFTEEN => (
            fifteen_names(config).iter().map(named).collect(),
            [SMALL, TINY].iter().map(named).collect(),
        ),
        None if size.tiles() == 15 => (two_by_eight(config, size, blank), Vec::new()),
        None => (vec![Partition::default_for(size, blank)], Vec::new()),
    };
    let mut left = config.max_bytes().saturating_sub(SEARCH_BYTES);
    let mut fits = |partition: &Partition| {
        let fits = Database::build_bytes(partition) <= left;
        left -= if fits { partition.table_bytes() } else { 0 };
        fits
    };
    let mut fitting: Vec<Partition> = wanted.into_iter().filter(&mut fits).collect();
    if fitting.is_empty() {
        fitting.extend(spare.into_iter().find(fits));
    }
    Ok(fitting)
}

/// Patterns of the tiles that a partial goal constrains, smaller ones first: none if it constrains no tile,
/// and an error if the tiles of each would cut the blank off from some of the cells on which it may end.
fn of_partial_goal(
    partial: &PartialGoal,
    orientation: &Orientation,
) -> Result<Vec<Partition>, Error> {
    /// The tiles of a pattern that makes a small table, and of the largest that is built unasked.
    const FEW: usize = 5;
    const MOST: usize = 8;
    let tiles =
        partial.size().iter_cells().filter(|&cell| partial.required(cell).is_some_and(is_tile));
    let mut cells: Vec<u8> = tiles.map(|cell| orientation.cell(cell)).collect();
    cells.sort_unstable();
    if cells.is_empty() {
        return Ok(Vec::new());
    }
    let blanks: Vec<u8> =
        partial.blank_cells().iter().map(|&cell| orientation.cell(cell)).collect();
    let partition = |most: usize| {
        let patterns = cells.len().div_ceil(most).max(1);
        let patterns = cells.chunks(cells.len().div_ceil(patterns).max(1)).map(<[u8]>::to_vec);
        Partition::of_some(orientation.size(), orientation.blank(), patterns.collect()).ok()
    };
    let lets_pass = |pattern: &Pattern| {
        let coordinates = Coordinates::of(orientation.size(), pattern.tiles());
        let q = |&blank: &u8| coordinates.q(pattern.set(), blank);
        blanks.iter().map(q).all(|other| other == q(&blanks[0]))
    };
    let mut partitions: Vec<Partition> = [FEW, MOST].into_iter().filter_map(partition).collect();
    partitions.dedup();
    partitions.retain(|partition| partition.patterns().iter().all(lets_pass));
    if partitions.is_empty() { Err(Error::BlankCutOff) } else { Ok(partitions) }
}

fn is_tile(tile: Tile) -> bool {
    !tile.is_blank()
}

/// The tables for 2x8 boards, smallest first: 42 MB built in half a second, with which a random board takes
/// 15 ms and some take seconds; and 225 MB built in five seconds, with which it takes 1 ms.
fn two_by_eight(config: &Config, size: Size, blank: u8) -> Vec<Partition> {
    const MANY: u64 = 300;
    let large = Partition::in_runs(size, blank, &[7, 8]);
    match config.boards.unwrap_or(1) {
        MANY.. => vec![large],
        _ => vec![Partition::default_for(size, blank), large],
    }
}

/// The names of the tables for 4x4 boards, smallest first.
fn fifteen_names(config: &Config) -> &'static [&'static str] {
    match config.boards.unwrap_or(1) {
        THOUSANDS.. if config.tables == TableChoice::Auto => &[LARGE],
        MANY.. => &[MEDIUM],
        _ => &[SMALL, MEDIUM],
    }
}

/// The patterns for the goal of `space`; none if it constrains no tile.
pub(crate) fn partition_for(space: &AnySpace) -> Option<Partition> {
    Partition::for_goal(space.relabelling(), space.partial_goal())
}

#[cfg(test)]
mod tests;
