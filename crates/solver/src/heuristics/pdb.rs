//! `pdb`: additive pattern databases. Selects the partitions and the stages of a search by the goal, the number of
//! boards and the memory limit.

use std::sync::Arc;

use loyd_heuristics::file::AnyTableKey;
use loyd_heuristics::pdb::{
    Coordinates, DENSE_CELLS, Database, LargestSum, MAX_CELLS, Orientation, Partition, Pattern,
    PatternSum,
};
use loyd_search::Stop;
use loyd_tiles::{Cell, PartialGoal, Size};

use super::row::{Boards, HeuristicRow, Setting, Stage};
use super::simple_heuristics::{LINEAR_CONFLICT, ZERO};
use crate::choices::TableChoice;
use crate::config::Config;
use crate::error::Error;
use crate::space::AnySpace;

pub(crate) static PDB: HeuristicRow = HeuristicRow {
    name: "pdb",
    summary: "additive pattern databases: sum of the exact distances of sets of tiles (up to 36 cells)",
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
            Some(AnyTableKey::Patterns(partition)) => {
                let (database, labels) = (tables.get(partition, meter)?, space.relabelling());
                Ok(match partition.is_set() {
                    true => Arc::new(LargestSum::new(database, labels)).into(),
                    false => Arc::new(PatternSum::new(database, labels)).into(),
                })
            }
            _ => Err(Stop::Memory),
        }
    },
    ..HeuristicRow::DEFAULT
};

/// Partitions for 4x4 boards, with tables of 0.3, 3, 36 and 198 MB.
const TINY: &str = "5-5-5";
const SMALL: &str = "6-6-3";
const MEDIUM: &str = "7-7-1";
const LARGE: &str = "7-8";

/// Expansion limit of the stage with small tables. A random board takes some 100,000 expansions with them, and one in a
/// thousand more than this limit; building the medium tables takes about as long.
const FIRST_EXPANSIONS: u64 = 4_000_000;

/// Expansion limit of the stage with medium tables. One in 20,000 random boards needs more than a tenth of it. Building
/// the large tables takes a few seconds; the hardest board tried needs a tenth of the expansions with them.
const MEDIUM_EXPANSIONS: u64 = 10_000_000;

/// Up to this number of boards of more than 16 cells, a search with linear conflict precedes the tables: boards that it
/// solves within [`LARGE_EXPANSIONS`], in some 50 ms, need not wait for the tables.
const FEW_LARGE: u64 = 20;
const LARGE_EXPANSIONS: u64 = 300_000;

/// Name of the set of partitions for hard boards of 3x6, 3x7, 4x5, 4x6 and 5x5.
const CATALOGUE: &str = "catalogue";

/// Expansion limit of the stage with a single partition, which precedes [`CATALOGUE`] on 5x5 boards. The kernel expands
/// some seven million nodes a second there, and building the catalogue takes some 4 s of one core. So a search that
/// reaches the limit has lost no more time than the catalogue costs, and boards that are nearly solved by then need no
/// catalogue. On smaller boards the catalogue takes 1 to 2 s to build and is used immediately.
const CATALOGUE_AFTER: u64 = 10_000_000;

/// Upper bound for the bytes that a search takes in addition to its tables.
pub(crate) const SEARCH_BYTES: u64 = 6 << 20;

/// Number of boards from which waiting for the medium tables pays off.
const MANY: u64 = 100;
/// Number of boards from which waiting for the large tables pays off.
const THOUSANDS: u64 = 8_000;

fn stages(row: &'static HeuristicRow, setting: &Setting<'_>) -> Result<Vec<Stage>, Error> {
    let (space, config) = (setting.space, setting.config);
    if space.size().cells() > DENSE_CELLS {
        return large_stages(row, setting);
    }
    let stages = match fitting_tables(setting) {
        // An explicit choice of tables that do not fit into memory stops the search.
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
    let stage = |(place, partition): (usize, Partition)| {
        let name = partition.name();
        let stage = Stage::last(row, Some(AnyTableKey::Patterns(partition)));
        match place == last {
            true if name == LARGE => stage.for_hard_boards().built_on_demand(),
            true => stage,
            false if name == MEDIUM => stage.limited_to(MEDIUM_EXPANSIONS),
            false => stage.limited_to(FIRST_EXPANSIONS),
        }
    };
    Ok(stages.into_iter().enumerate().map(stage).collect())
}

/// Returns the stages for boards of more than 16 cells: linear conflict, the tables of a partition, and the catalogue
/// for hard boards, if it fits into the memory limit.
fn large_stages(row: &'static HeuristicRow, setting: &Setting<'_>) -> Result<Vec<Stage>, Error> {
    let config = setting.config;
    if let TableChoice::Partition(text) = &config.tables {
        let partition = chosen(text, setting)?;
        return Ok(vec![Stage::last(row, Some(AnyTableKey::Patterns(partition)))]);
    }
    let Some(partition) = partition_for(setting.space) else {
        return Ok(vec![Stage::last(&ZERO, None)]);
    };
    let first = Stage::last(&LINEAR_CONFLICT, None).limited_to(LARGE_EXPANSIONS);
    let first = Some(first).filter(|_| config.is_for_few(FEW_LARGE));
    let catalogue = catalogue_after(&partition, setting);
    let tables = Some(AnyTableKey::Patterns(partition));
    let then = match catalogue {
        None => vec![Stage::last(row, tables)],
        Some(catalogue) => {
            let is_slow_to_build = setting.space.size().cells() == 25;
            let before =
                is_slow_to_build.then(|| Stage::last(row, tables).limited_to(CATALOGUE_AFTER));
            let last = Stage::last(row, Some(AnyTableKey::Patterns(catalogue))).for_hard_boards();
            before.into_iter().chain([last]).collect()
        }
    };
    Ok(first.into_iter().chain(then).collect())
}

/// Returns the set of partitions that follows the tables of `partition`, or replaces them. Returns `None` if the user
/// specified a heuristic or tables, for partial goals, for boards without such a set, and if memory has no room for
/// both.
fn catalogue_after(partition: &Partition, setting: &Setting<'_>) -> Option<Partition> {
    let Setting { space, config } = *setting;
    if config.names_heuristic() || space.partial_goal().is_some() {
        return None;
    }
    let catalogue = Partition::named(CATALOGUE, partition.size(), partition.blank())?;
    fit_together(partition, &catalogue, config).then_some(catalogue)
}

/// Returns whether memory has room to build the tables of `next` while the tables of `before` exist.
pub(crate) fn fit_together(before: &Partition, next: &Partition, config: &Config) -> bool {
    before.table_bytes() + Database::build_bytes(next) + SEARCH_BYTES <= config.max_bytes()
}

/// Returns the set of partitions for hard boards if `stage` uses it.
pub(crate) fn catalogue(stage: Option<&Stage>) -> Option<&Partition> {
    match stage?.tables.as_ref()? {
        AnyTableKey::Patterns(partition) if partition.name() == CATALOGUE => Some(partition),
        _ => None,
    }
}

/// Parses the partition, or the set of them, that the user specified.
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

/// Returns the partitions for boards of at most 16 cells, in the order of their use: all that fit into the memory limit
/// together, possibly none. A partition that the user specified is returned in any case.
fn fitting_tables(setting: &Setting<'_>) -> Result<Vec<Partition>, Error> {
    let (space, config) = (setting.space, setting.config);
    let orientation = Orientation::new(space.relabelling());
    let orientation = orientation.ok_or_else(|| size_error(space.size()))?;
    let (size, blank) = (orientation.size(), orientation.blank());
    if let TableChoice::Partition(text) = &config.tables {
        return Ok(vec![chosen(text, setting)?]);
    }
    let named = |name: &&str| {
        Partition::named(name, size, blank).expect("the name is defined for 4x4 boards")
    };
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

/// Returns partitions of the tiles that a partial goal constrains, smaller patterns first. Empty if it constrains no
/// tile.
///
/// # Errors
/// Returns [`Error::BlankCutOff`] if in each partition, the tiles of a pattern would cut the blank off from some of the
/// cells on which it may end.
fn of_partial_goal(
    partial: &PartialGoal,
    orientation: &Orientation,
) -> Result<Vec<Partition>, Error> {
    /// Maximum tiles of a pattern with a small table, and of the largest pattern built by default.
    const FEW: usize = 5;
    const MOST: usize = 8;
    let holds_tile = |&cell: &Cell| partial.required(cell).is_some_and(|tile| !tile.is_blank());
    let tiles = partial.size().iter_cells().filter(holds_tile);
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
        Partition::of_some_tiles(orientation.size(), orientation.blank(), patterns.collect()).ok()
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

/// Returns the partitions for 2x8 boards, smallest first:
///
/// | bytes | build | random board |
/// |---|---|---|
/// | 42 MB | 0.5 s | 15 ms, some boards seconds |
/// | 225 MB | 5 s | 1 ms |
fn two_by_eight(config: &Config, size: Size, blank: u8) -> Vec<Partition> {
    // Number of boards from which building the larger tables first pays off.
    const MANY: u64 = 300;
    let large = Partition::of_runs(size, blank, &[7, 8]);
    match config.boards.unwrap_or(1) {
        MANY.. => vec![large],
        _ => vec![Partition::default_for(size, blank), large],
    }
}

/// Returns the names of the partitions for 4x4 boards, smallest first. The large tables after the medium ones are for
/// hard boards, and only searches that run in stages use them.
fn fifteen_names(config: &Config) -> &'static [&'static str] {
    let names: &[_] = match config.boards.unwrap_or(1) {
        THOUSANDS.. if config.tables == TableChoice::Auto => return &[LARGE],
        MANY.. => &[MEDIUM, LARGE],
        _ => &[SMALL, MEDIUM, LARGE],
    };
    let runs_stages = match config.algorithm {
        Some(name) => name == "idastar",
        // With these options another algorithm is the default.
        None => config.closed.is_none() && config.weight.is_none() && config.parity_check,
    };
    if runs_stages { names } else { &names[..names.len() - 1] }
}

/// Returns whether `stage` comes first and precedes larger tables for 4x4 boards, so that easy boards need not wait.
pub(crate) fn is_for_easy_boards(stage: &Stage) -> bool {
    stage.expansion_limit == Some(FIRST_EXPANSIONS)
}

/// Returns the patterns for the goal of `space`; `None` if it constrains no tile.
pub(crate) fn partition_for(space: &AnySpace) -> Option<Partition> {
    Partition::for_goal(space.relabelling(), space.partial_goal())
}

#[cfg(test)]
mod tests {
    use loyd_search::{ClosedKind, Limits};
    use loyd_tiles::Goal;
    use loyd_tiles::notation::parse_partial_goal;

    use super::*;
    use crate::problem::Problem;

    /// Returns the stages for the goal of `problem`.
    fn stages_for(config: &Config, problem: &Problem) -> Result<Vec<Stage>, Error> {
        let space = AnySpace::new(problem, config.metric);
        (PDB.stages)(&PDB, &Setting { space: &space, config })
    }

    fn problem(size: &str) -> Problem {
        let goal = Goal::BlankLast.board(size.parse().unwrap()).unwrap();
        Problem::between(goal.clone(), goal).unwrap()
    }

    fn cells(stage: &Stage) -> String {
        match &stage.tables {
            Some(AnyTableKey::Patterns(partition)) => partition.to_string(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn patterns_contain_the_tiles_constrained_by_a_partial_goal() {
        let of = |text: &str| {
            let goal = parse_partial_goal(text, None).unwrap();
            let start = Goal::BlankLast.board(goal.size()).unwrap();
            let problem = Problem::with_partial_goal(start, &goal).unwrap();
            let config = Config { heuristic: Some("pdb".into()), ..Config::default() };
            let stages = stages_for(&config, &problem)?;
            Ok(stages.iter().filter(|stage| stage.tables.is_some()).map(cells).collect::<Vec<_>>())
        };
        // Canonical orientation puts the blank's goal cell first, so these boards are rotated by 180 degrees.
        assert_eq!(of("* * * */* * * */* * * */13 14 15 x").unwrap(), ["1,2,3"]);
        let rows = of("1 2 3 4/5 6 7 8/* * * */* * * *").unwrap();
        assert_eq!((rows[0].matches('/').count(), rows[1].matches('/').count()), (1, 0));
        // The tiles form a wall, and the blank may end on either side of it.
        assert_eq!(of("* * * */5 6 7 8/* * * */* * * *"), Err(Error::BlankCutOff));
        assert_eq!(of("* * * */5 6 7 8/* * * */* * * x").unwrap().len(), 1);
        assert!(of("* * * */* x * */* * * */* * * *").unwrap().is_empty());
    }

    fn names(config: &Config, size: &str) -> Vec<String> {
        let stages = stages_for(config, &problem(size)).unwrap();
        assert!(stages.iter().rev().skip(1).all(|stage| stage.expansion_limit.is_some()));
        assert!(stages.last().is_none_or(|stage| stage.expansion_limit.is_none()));
        stages.into_iter().filter_map(|stage| Some(stage.tables?.name())).collect()
    }

    #[test]
    fn tables_depend_on_number_of_boards() {
        let with = |boards, tables| Config { boards, tables, ..Config::default() };
        for (boards, tables, expected) in [
            (None, TableChoice::Default, &["6-6-3", "7-7-1", "7-8"][..]),
            (Some(99), TableChoice::Default, &["6-6-3", "7-7-1", "7-8"]),
            (Some(100), TableChoice::Default, &["7-7-1", "7-8"]),
            (Some(1_000_000), TableChoice::Default, &["7-7-1", "7-8"]),
            (None, TableChoice::Auto, &["6-6-3", "7-7-1", "7-8"]),
            (Some(1000), TableChoice::Auto, &["7-7-1", "7-8"]),
            (Some(8000), TableChoice::Auto, &["7-8"]),
            (None, TableChoice::Partition("7-8".to_owned()), &["7-8"]),
        ] {
            assert_eq!(names(&with(boards, tables), "4x4"), expected);
        }
        // Other algorithms use the last tables at once.
        for config in [
            Config { algorithm: Some("astar"), ..Config::default() },
            Config { closed: Some(ClosedKind::Hashed), ..Config::default() },
            Config { weight: Some("2".parse().unwrap()), ..Config::default() },
            Config { parity_check: false, ..Config::default() },
        ] {
            assert_eq!(names(&config, "4x4"), ["6-6-3", "7-7-1"]);
        }
        assert_eq!(names(&Config::default(), "3x3"), ["1,2,3,4,5,6,7/8"]);
        let small = "1,2,3,4,5,6,7/8/9,10,11,12,13,14,15";
        let large = "1,2,3,4,5,6,7/8,9,10,11,12,13,14,15";
        assert_eq!(names(&Config::default(), "2x8"), [small, large]);
        assert_eq!(names(&with(Some(300), TableChoice::Default), "8x2"), [large]);
    }

    #[test]
    fn tables_fit_memory_limit() {
        let within = |bytes, boards| {
            let limits = Limits { max_bytes: Some(bytes), ..Limits::default() };
            names(&Config { limits, boards, ..Config::default() }, "4x4")
        };
        assert_eq!(within(1 << 30, None), ["6-6-3", "7-7-1", "7-8"]);
        assert_eq!(within(100 << 20, None), ["6-6-3", "7-7-1"]);
        assert_eq!(within(20 << 20, None), ["6-6-3"]);
        assert_eq!(within(20 << 20, Some(1000)), ["6-6-3"]);
        assert_eq!(within(8 << 20, None), ["5-5-5"]);
        assert_eq!(within(1 << 20, None), [""; 0]);
    }

    #[test]
    fn unknown_partitions_are_refused() {
        let choice = |text: &str| Config { tables: text.parse().unwrap(), ..Config::default() };
        let refused = |config, size| stages_for(&config, &problem(size)).unwrap_err().to_string();
        assert!(
            refused(choice("7-8"), "5x5")
                .contains("`7-8` is neither the name of a partition (6-6-6-6, catalogue")
        );
        assert!(refused(choice("catalogue"), "2x9").contains("`catalogue` is neither"));
        assert!(refused(choice("7-8"), "3x4").contains("`7-8` is neither"));
    }

    #[test]
    fn large_boards_use_specified_tables() {
        let with = |text: &str| Config { tables: text.parse().unwrap(), ..Config::default() };
        for (text, size, name) in [
            ("catalogue", "5x5", "catalogue"),
            ("6-6-6-6", "5x5", "6-6-6-6"),
            (
                "1,2,3/4,5/6,7,8,9,10/11,12,13,14/15,16,17",
                "3x6",
                "1,2,3/4,5/6,7,8,9,10/11,12,13,14/15,16,17",
            ),
        ] {
            assert_eq!(names(&with(text), size), [name], "{text}");
        }
        let part =
            parse_partial_goal("1 2 3 * */* * * * */* * * * */* * * * */* * * * *", None).unwrap();
        let start = Goal::BlankLast.board(part.size()).unwrap();
        let problem = Problem::with_partial_goal(start, &part).unwrap();
        let refused = stages_for(&with("catalogue"), &problem).map(|_| ());
        assert_eq!(refused, Err(Error::TablesForPartialGoal));
    }

    #[test]
    fn catalogue_is_last_stage_if_memory_has_room() {
        let stages = |config: &Config, size: &str| {
            let problem = problem(size);
            let space = AnySpace::new(&problem, config.metric);
            let setting = Setting { space: &space, config };
            let stages = large_stages(&PDB, &setting).unwrap();
            let rating =
                Stage::rating_stage(&stages).unwrap().tables.as_ref().map(AnyTableKey::name);
            let name =
                |stage: &Stage| stage.tables.as_ref().map_or("-".to_owned(), AnyTableKey::name);
            let limits = stages.iter().map(|stage| stage.expansion_limit).collect::<Vec<_>>();
            (stages.iter().map(name).collect::<Vec<_>>().join(" "), limits, rating.unwrap())
        };
        let of_few = Config::default();
        let (names, limits, rating) = stages(&of_few, "5x5");
        assert_eq!((&*names, &*rating), ("- 6-6-6-6 catalogue", "6-6-6-6"));
        assert_eq!(limits, [Some(LARGE_EXPANSIONS), Some(CATALOGUE_AFTER), None]);
        let of_many = Config { boards: Some(1000), ..Config::default() };
        assert_eq!(stages(&of_many, "5x5").0, "6-6-6-6 catalogue");
        let little = Limits { max_bytes: Some(256 << 20), ..Limits::default() };
        assert_eq!(stages(&Config { limits: little, ..Config::default() }, "5x5").0, "- 6-6-6-6");
        let named = Config { heuristic: Some("pdb".into()), ..Config::default() };
        assert_eq!(stages(&named, "5x5").0, "6-6-6-6");
        for size in ["3x6", "6x3", "3x7", "4x5", "4x6"] {
            assert!(stages(&of_few, size).0.ends_with(" catalogue"), "{size}");
        }
        assert!(!stages(&of_few, "2x9").0.contains("catalogue"));
        let asked = Config { tables: "catalogue".parse().unwrap(), ..Config::default() };
        assert_eq!(
            stages(&asked, "5x5"),
            ("catalogue".to_owned(), vec![None], "catalogue".to_owned())
        );
    }
}
