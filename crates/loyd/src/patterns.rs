//! Which pattern databases are used when.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use loyd_heuristics::pdb::{Database, Frame, Partition};
use loyd_tiles::{Board, Relabelling, Size};

use crate::config::Config;
use crate::error::Error;

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

/// Tables to search with, and when to take the next larger ones instead.
#[derive(Clone, Debug)]
pub(crate) struct Rung {
    pub partition: Partition,
    /// The expansions after which the search begins again on the next rung; none on the last.
    pub patience: Option<u64>,
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

/// The tables for boards that are to become `goal`, in the order in which they are used: those that fit
/// into the memory limit together, so perhaps none; those that are asked for by name in any case.
///
/// What a search does depends on the configuration and the kernel alone, so that its counts reproduce:
/// not on how fast tables are made, nor on which are there already.
pub(crate) fn ladder(config: &Config, goal: &Board) -> Result<Vec<Rung>, Error> {
    let frame = Frame::new(&Relabelling::new(goal)).ok_or(Error::TooLarge(goal.size()))?;
    let (size, blank) = (frame.size(), frame.blank());
    if let TableChoice::Partition(text) = &config.tables {
        let partition = Partition::parse(text, size, blank)
            .map_err(|reason| Error::Partition { size: goal.size(), reason })?;
        return Ok(vec![Rung { partition, patience: None }]);
    }
    let named = |name: &&str| Partition::named(name, size, blank).expect("4x4 boards have these");
    let (wanted, spare) = match size == Size::FIFTEEN {
        true => {
            (climb(config).iter().map(named).collect(), [SMALL, TINY].iter().map(named).collect())
        }
        false => (vec![Partition::default_for(size, blank)], Vec::new()),
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
    let rung = |(place, partition)| Rung { partition, patience: patience(place) };
    Ok(fitting.into_iter().enumerate().map(rung).collect())
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

    use super::*;

    fn names(config: &Config, size: &str) -> Vec<String> {
        let goal = Goal::BlankLast.board(size.parse().unwrap()).unwrap();
        let rungs = ladder(config, &goal).unwrap();
        assert!(rungs.iter().rev().skip(1).all(|rung| rung.patience.is_some()));
        assert!(rungs.last().is_none_or(|rung| rung.patience.is_none()));
        rungs.into_iter().map(|rung| rung.partition.name()).collect()
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
        let goal = |size: &str| Goal::BlankLast.board(size.parse().unwrap()).unwrap();
        let refused = |config, size| ladder(&config, &goal(size)).unwrap_err().to_string();
        assert!(refused(choice("default"), "5x5").contains("at most 16 cells"));
        assert!(refused(choice("7-8"), "3x4").contains("`7-8` is neither"));
    }
}
