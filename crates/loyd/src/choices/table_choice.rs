//! Which pattern databases a solver uses.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

/// Which pattern databases a solver uses.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum TableChoice {
    /// For a few 4x4 boards small tables, made at once, and larger ones for those that are hard; for
    /// many boards the larger ones from the start. On other sizes one partition.
    #[default]
    Default,
    /// As by default, and the largest tables for thousands of boards: whatever is quickest in all.
    Auto,
    /// These, by name (`7-8`) or by goal cells: see [`Partition::parse`](loyd_heuristics::pdb::Partition::parse).
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
