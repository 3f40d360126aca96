//! Which pattern databases are used when.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use loyd_heuristics::file::Contents;
use loyd_heuristics::pdb::{Coordinates, Database, Orientation, Partition, Pattern};
use loyd_tiles::{PartialGoal, Relabelling, Size, Tile};

use crate::config::Config;
use crate::error::Error;
use crate::heuristics::Kind;
use crate::ladder::Rung;
use crate::problem::Problem;

/// Which pattern databases a solver uses.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum TableChoice {
    /// For a few 4x4 boards small tables, made at once, and larger ones for those that are hard; for
    /// many boards the larger ones from the start. On other sizes one partition.
    #[default]
    Default,
    /// As by default, and the largest tables for thousands of boards: whatever is quickest in all.
    Auto,
    /// These, by name (`7-8`) or by goal cells: see [`Partition::parse`].
    Partition(String),
}

/// Reads `default`, `auto`, or anything else as a partition, which is looked at when the size of the
/// board is known.
impl FromStr for TableChoice {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text {
            "default" => Self::Default,
            "auto" => Self::Auto,
            text => Self::Partition(text.to_owned()),
        })
    }
}

impl fmt::Display for TableChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Default => "default",
            Self::Auto => "auto",
            Self::Partition(text) => text,
        })
    }
}

/// Tables for 4x4 boards: 0.3, 3, 36 and 198 MB.
const TINY: &str = "5-5-5";
const SMALL: &str = "6-6-3";
const MEDIUM: &str = "7-7-1";
const LARGE: &str = "7-8";

/// A random board takes some 100,000 expansions with small tables, one in a thousand more than this;
/// the medium ones need about as long to be made.
const PATIENCE: u64 = 4_000_000;

/// More than a search takes beside its tables.
const SEARCH_BYTES: u64 = 6 << 20;

/// From so many boards on, waiting for the medium tables pays, and from so many on for the large ones.
const MANY: u64 = 100;
const THOUSANDS: u64 = 8_000;

/// The tables for boards with the goal of `problem`, in the order in which they are used: those that fit
/// into the memory limit together, so perhaps none; those that are asked for by name in any case.
pub(crate) fn ladder(config: &Config, problem: &Problem) -> Result<Vec<Rung>, Error> {
    let goal = problem.goal();
    let frame = Orientation::new(&Relabelling::new(goal)).ok_or(Error::TooLarge(goal.size()))?;
    let (size, blank) = (frame.size(), frame.blank());
    if let TableChoice::Partition(text) = &config.tables {
        if problem.part().is_some() {
            return Err(Error::TablesForPartialGoal);
        }
        let partition = Partition::parse(text, size, blank)
            .map_err(|reason| Error::Partition { size: goal.size(), reason })?;
        return Ok(vec![Rung::new(Kind::Patterns, Some(Contents::Patterns(partition)), None)]);
    }
    let named = |name: &&str| Partition::named(name, size, blank).expect("4x4 boards have these");
    let (wanted, spare) = match problem.part() {
        Some(part) => (of_part(part, &frame)?, Vec::new()),
        None if size == Size::FIFTEEN => {
            (climb(config).iter().map(named).collect(), [SMALL, TINY].iter().map(named).collect())
        }
        None if size.tiles() == 15 => (two_by_eight(config, size, blank), Vec::new()),
        None => (vec![Partition::default_for(size, blank)], Vec::new()),
    };
    let mut left = config.limits.max_bytes.unwrap_or(u64::MAX).saturating_sub(SEARCH_BYTES);
    let mut fits = |partition: &Partition| {
        let fits = Database::build_bytes(partition) <= left;
        left -= if fits { partition.table_bytes() } else { 0 };
        fits
    };
    let mut fitting: Vec<Partition> = wanted.into_iter().filter(&mut fits).collect();
    if fitting.is_empty() {
        fitting.extend(spare.into_iter().find(fits));
    }
    let last = fitting.len().saturating_sub(1);
    let patience = |place| (place < last).then_some(PATIENCE);
    let rung = |(place, partition)| {
        Rung::new(Kind::Patterns, Some(Contents::Patterns(partition)), patience(place))
    };
    Ok(fitting.into_iter().enumerate().map(rung).collect())
}

/// Patterns of the tiles that a part goal wants somewhere, smaller ones first; refused if the tiles of each
/// would keep the blank, which may end anywhere, from some of its cells, and none if it wants no tile.
fn of_part(part: &PartialGoal, frame: &Orientation) -> Result<Vec<Partition>, Error> {
    /// So many tiles of a pattern make small tables, and so many the largest that are made unasked.
    const FEW: usize = 5;
    const MOST: usize = 8;
    let tiles = part.size().iter_cells().filter(|&cell| part.wanted(cell).is_some_and(is_tile));
    let mut cells: Vec<u8> = tiles.map(|cell| frame.cell(cell)).collect();
    cells.sort_unstable();
    if cells.is_empty() {
        return Ok(Vec::new());
    }
    let blanks: Vec<u8> = part.blank_cells().iter().map(|&cell| frame.cell(cell)).collect();
    let partition = |most: usize| {
        let patterns = cells.len().div_ceil(most).max(1);
        let patterns = cells.chunks(cells.len().div_ceil(patterns).max(1)).map(<[u8]>::to_vec);
        Partition::of_some(frame.size(), frame.blank(), patterns.collect()).ok()
    };
    let lets_pass = |pattern: &Pattern| {
        let coordinates = Coordinates::of(frame.size(), pattern.tiles());
        let q = |&blank: &u8| coordinates.q(pattern.mask(), blank);
        blanks.iter().map(q).all(|other| other == q(&blanks[0]))
    };
    let mut partitions: Vec<Partition> = [FEW, MOST].into_iter().filter_map(partition).collect();
    partitions.dedup();
    partitions.retain(|partition| partition.patterns().iter().all(lets_pass));
    if partitions.is_empty() { Err(Error::BlankShutOut) } else { Ok(partitions) }
}

fn is_tile(tile: Tile) -> bool {
    !tile.is_blank()
}

/// The tables for 2x8 boards, smallest first: 42 MB made in half a second, with which a random board takes 15 ms
/// and some take seconds; and 225 MB made in five, with which it takes 1 ms.
fn two_by_eight(config: &Config, size: Size, blank: u8) -> Vec<Partition> {
    const MANY: u64 = 300;
    let large = Partition::in_runs(size, blank, &[7, 8]);
    match config.boards.unwrap_or(1) {
        MANY.. => vec![large],
        _ => vec![Partition::default_for(size, blank), large],
    }
}

/// The names of the tables for 4x4 boards, smallest first.
fn climb(config: &Config) -> &'static [&'static str] {
    match config.boards.unwrap_or(1) {
        THOUSANDS.. if config.tables == TableChoice::Auto => &[LARGE],
        MANY.. => &[MEDIUM],
        _ => &[SMALL, MEDIUM],
    }
}

#[cfg(test)]
mod tests {
    use loyd_search::Limits;
    use loyd_tiles::Goal;
    use loyd_tiles::notation::parse_partial_goal;

    use super::*;

    fn problem(size: &str) -> Problem {
        let goal = Goal::BlankLast.board(size.parse().unwrap()).unwrap();
        Problem::between(goal.clone(), goal).unwrap()
    }

    fn cells(rung: &Rung) -> String {
        match &rung.tables {
            Some(Contents::Patterns(partition)) => partition.to_string(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn patterns_of_part_goals_have_the_tiles_that_are_wanted() {
        let of = |text: &str| {
            let goal = parse_partial_goal(text, None).unwrap();
            let start = Goal::BlankLast.board(goal.size()).unwrap();
            let problem = Problem::to_partial(start, &goal).unwrap();
            let rungs = ladder(&Config::default(), &problem)?;
            Ok(rungs.iter().map(cells).collect::<Vec<_>>())
        };
        // The blank's goal cell comes first in the frame: here boards are upside down.
        assert_eq!(of("* * * */* * * */* * * */13 14 15 x").unwrap(), ["1,2,3"]);
        let rows = of("1 2 3 4/5 6 7 8/* * * */* * * *").unwrap();
        assert_eq!((rows[0].matches('/').count(), rows[1].matches('/').count()), (1, 0));
        // A wall of tiles: the blank may end on either side of it.
        assert_eq!(of("* * * */5 6 7 8/* * * */* * * *"), Err(Error::BlankShutOut));
        assert_eq!(of("* * * */5 6 7 8/* * * */* * * x").unwrap().len(), 1);
        assert!(of("* * * */* x * */* * * */* * * *").unwrap().is_empty());
    }

    fn names(config: &Config, size: &str) -> Vec<String> {
        let rungs = ladder(config, &problem(size)).unwrap();
        assert!(rungs.iter().rev().skip(1).all(|rung| rung.patience.is_some()));
        assert!(rungs.last().is_none_or(|rung| rung.patience.is_none()));
        rungs.into_iter().map(|rung| rung.tables.unwrap().name()).collect()
    }

    #[test]
    fn tables_are_chosen_by_the_work_to_be_done() {
        let with = |boards, tables| Config { boards, tables, ..Config::default() };
        for (boards, tables, expected) in [
            (None, TableChoice::Default, &["6-6-3", "7-7-1"][..]),
            (Some(99), TableChoice::Default, &["6-6-3", "7-7-1"]),
            (Some(100), TableChoice::Default, &["7-7-1"]),
            (Some(1_000_000), TableChoice::Default, &["7-7-1"]),
            (None, TableChoice::Auto, &["6-6-3", "7-7-1"]),
            (Some(1000), TableChoice::Auto, &["7-7-1"]),
            (Some(8000), TableChoice::Auto, &["7-8"]),
            (None, TableChoice::Partition("7-8".to_owned()), &["7-8"]),
        ] {
            assert_eq!(names(&with(boards, tables), "4x4"), expected);
        }
        assert_eq!(names(&Config::default(), "3x3"), ["1,2,3,4,5,6,7/8"]);
        let small = "1,2,3,4,5,6,7/8/9,10,11,12,13,14,15";
        let large = "1,2,3,4,5,6,7/8,9,10,11,12,13,14,15";
        assert_eq!(names(&Config::default(), "2x8"), [small, large]);
        assert_eq!(names(&with(Some(300), TableChoice::Default), "8x2"), [large]);
    }

    #[test]
    fn tables_are_chosen_to_fit() {
        let within = |bytes, boards| {
            let limits = Limits { max_bytes: Some(bytes), ..Limits::default() };
            names(&Config { limits, boards, ..Config::default() }, "4x4")
        };
        assert_eq!(within(100 << 20, None), ["6-6-3", "7-7-1"]);
        assert_eq!(within(20 << 20, None), ["6-6-3"]);
        assert_eq!(within(20 << 20, Some(1000)), ["6-6-3"]);
        assert_eq!(within(8 << 20, None), ["5-5-5"]);
        assert_eq!(within(1 << 20, None), [""; 0]);
    }

    #[test]
    fn what_has_no_tables_is_refused() {
        let choice = |text: &str| Config { tables: text.parse().unwrap(), ..Config::default() };
        let refused = |config, size| ladder(&config, &problem(size)).unwrap_err().to_string();
        assert!(refused(choice("default"), "5x5").contains("of 16 where they are chosen"));
        assert!(refused(choice("7-8"), "3x4").contains("`7-8` is neither"));
    }
}
