//! Which tiles go together.

use std::fmt;

use loyd_tiles::Size;

use super::{Coordinates, MAX_CELLS};

/// The goal cells of some tiles in canonical [`Orientation`](super::Orientation), in ascending order. The tile whose goal is
/// the l-th of them has the label l.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pattern(Vec<u8>);

impl Pattern {
    /// The most tiles of a pattern: with one more, a table would take more than a terabit.
    pub const MAX_TILES: usize = 10;

    /// The goal cells, ascending.
    pub fn cells(&self) -> &[u8] {
        &self.0
    }

    /// The number of tiles.
    pub fn tiles(&self) -> usize {
        self.0.len()
    }

    /// The goal cells as a set, a bit a cell.
    pub fn mask(&self) -> u16 {
        self.0.iter().fold(0, |mask, &cell| mask | 1 << cell)
    }
}

/// All tiles of a board, or some of them, each in one pattern.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Partition {
    size: Size,
    blank: u8,
    patterns: Vec<Pattern>,
}

/// Why a text is no partition of a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartitionError {
    /// Neither a name nor a list of cells.
    #[error("`{word}` is neither the name of a partition ({names}) nor a goal cell; {}", allowed(*.size, *.blank))]
    Word {
        /// The word.
        word: String,
        /// The names that there are for such boards.
        names: String,
        /// The size of the boards, as it is seen in canonical orientation.
        size: Size,
        /// The goal cell of the blank.
        blank: u8,
    },
    /// A cell that the board does not have, or the blank's.
    #[error("there is no tile for cell {cell}; {}", allowed(*.size, *.blank))]
    Cell {
        /// The cell.
        cell: u32,
        /// The size of the boards.
        size: Size,
        /// The goal cell of the blank.
        blank: u8,
    },
    /// A cell in two patterns, or twice in one.
    #[error("cell {0} appears twice; patterns share no tile, or their distances would not add up")]
    Repeated(u8),
    /// A cell that is in no pattern.
    #[error("cell {0} is in no pattern; each tile belongs to one")]
    Missing(u8),
    /// More patterns, or larger ones, than the sum can carry.
    #[error("{0}; at most {most} patterns of at most {tiles} tiles are allowed", most = Partition::MAX_PATTERNS, tiles = Pattern::MAX_TILES)]
    TooMuch(String),
}

fn allowed(size: Size, blank: u8) -> String {
    let last = size.cells() - 1;
    format!(
        "goal cells of a {size} board are 0 to {last} but {blank}, where the blank belongs, with \
         commas between them and slashes between patterns"
    )
}

/// A partition that has a name.
#[derive(Clone, Copy, Debug)]
pub struct NamedPartition {
    /// The name: how many tiles each pattern has.
    pub name: &'static str,
    /// What it is for, in a line.
    pub summary: &'static str,
    /// The pattern that each goal cell belongs to, in canonical orientation; the blank is left out of its own.
    groups: &'static [u8; MAX_CELLS],
}

/// The partitions of 4x4 boards that have names, smallest tables first.
pub const NAMED_PARTITIONS: &[NamedPartition] = &[
    NamedPartition {
        name: "5-5-5",
        summary: "0.3 MB; for memories of hardly anything",
        groups: b"0011001100212222",
    },
    NamedPartition {
        name: "6-6-3",
        summary: "3 MB, made in a blink; good for a few boards",
        groups: b"0011001100110222",
    },
    NamedPartition { name: "7-7-1", summary: "36 MB; the default", groups: b"0000000011121111" },
    NamedPartition {
        name: "7-8",
        summary: "198 MB, made in seconds; for thousands of boards, or the hardest",
        groups: b"0011001100110011",
    },
];

impl Partition {
    /// The most patterns of a partition.
    pub const MAX_PATTERNS: usize = 8;

    /// The partition of the boards in canonical orientation into the patterns of a text: a name of
    /// [`NAMED_PARTITIONS`], `default`, or goal cells such as `1,4,5,8,9,12/2,3,6,7,10,11/13,14,15`.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(text: &str, size: Size, blank: u8) -> Result<Self, PartitionError> {
        if text == "default" {
            return Ok(Self::default_for(size, blank));
        }
        if let Some(partition) = Self::named(text, size, blank) {
            return Ok(partition);
        }
        let mut patterns = Vec::new();
        for part in text.split('/') {
            let mut cells = Vec::new();
            for word in part.split(',').map(str::trim) {
                let number = word.parse::<u32>().map_err(|_| PartitionError::Word {
                    word: word.to_owned(),
                    names: Self::names(size).collect::<Vec<_>>().join(", "),
                    size,
                    blank,
                })?;
                let cell = u8::try_from(number).ok().filter(|&cell| cell != blank);
                let cell = cell.filter(|&cell| usize::from(cell) < size.cells());
                cells.push(cell.ok_or(PartitionError::Cell { cell: number, size, blank })?);
            }
            patterns.push(cells);
        }
        Self::new(size, blank, patterns)
    }

    /// The partition into these sets of goal cells.
    ///
    /// # Errors
    /// When they are no partition of all tiles, or one that is too large.
    ///
    /// # Panics
    /// If a cell is not on the board.
    pub fn new(size: Size, blank: u8, patterns: Vec<Vec<u8>>) -> Result<Self, PartitionError> {
        let partition = Self::of_some(size, blank, patterns)?;
        let seen = partition.covered() | 1 << blank;
        match (0..size.cells() as u8).find(|cell| seen >> cell & 1 == 0) {
            Some(missing) => Err(PartitionError::Missing(missing)),
            None => Ok(partition),
        }
    }

    /// The same for some of the tiles: the others count for nothing.
    ///
    /// # Errors
    /// When the sets are not disjoint, or too large.
    ///
    /// # Panics
    /// If a cell is not on the board.
    pub fn of_some(
        size: Size,
        blank: u8,
        mut patterns: Vec<Vec<u8>>,
    ) -> Result<Self, PartitionError> {
        patterns.retain(|cells| !cells.is_empty());
        let mut seen = 1_u16 << blank;
        for &cell in patterns.iter().flatten() {
            assert!(usize::from(cell) < size.cells(), "cell {cell} is not on a {size} board");
            if seen >> cell & 1 == 1 {
                return Err(PartitionError::Repeated(cell));
            }
            seen |= 1 << cell;
        }
        if patterns.len() > Self::MAX_PATTERNS {
            return Err(PartitionError::TooMuch(format!("{} patterns", patterns.len())));
        }
        if let Some(large) = patterns.iter().find(|cells| cells.len() > Pattern::MAX_TILES) {
            return Err(PartitionError::TooMuch(format!("a pattern of {} tiles", large.len())));
        }
        let mut patterns: Vec<Pattern> = patterns
            .into_iter()
            .map(|mut cells| {
                cells.sort_unstable();
                Pattern(cells)
            })
            .collect();
        patterns.sort_unstable_by_key(|pattern| pattern.0[0]);
        Ok(Self { size, blank, patterns })
    }

    /// The partition of this name for boards in canonical orientation, if it is for their size.
    pub fn named(name: &str, size: Size, blank: u8) -> Option<Self> {
        if size != Size::FIFTEEN {
            return None;
        }
        let row = NAMED_PARTITIONS.iter().find(|row| row.name == name)?;
        let mut patterns = vec![Vec::new(); 3];
        for cell in (0..MAX_CELLS as u8).filter(|&cell| cell != blank) {
            patterns[usize::from(row.groups[usize::from(cell)] - b'0')].push(cell);
        }
        patterns.retain(|cells| !cells.is_empty());
        Some(Self::new(size, blank, patterns).expect("the groups are a partition"))
    }

    /// The names for boards of `size`.
    pub fn names(size: Size) -> impl Iterator<Item = &'static str> {
        let named = NAMED_PARTITIONS.iter().filter(move |_| size == Size::FIFTEEN);
        let named = named.map(|row| row.name);
        named.chain(["default"])
    }

    /// What is used when nothing is said: `7-7-1` on 4x4 boards; on others, patterns of at most seven
    /// tiles whose goal cells follow each other in reading order. Of fifteen tiles the middle one is alone:
    /// on 2x8 boards that takes a thirtieth of the expansions that it takes with the last one alone.
    pub fn default_for(size: Size, blank: u8) -> Self {
        Self::named("7-7-1", size, blank).unwrap_or_else(|| match size.tiles() {
            15 => Self::in_runs(size, blank, &[7, 1, 7]),
            _ => Self::in_runs(size, blank, &[7, 7]),
        })
    }

    /// Patterns of so many tiles each, whose goal cells follow each other in reading order; the last ones
    /// are smaller if there are fewer tiles.
    ///
    /// # Panics
    /// If there are more tiles, or a pattern is too large.
    pub fn in_runs(size: Size, blank: u8, tiles: &[usize]) -> Self {
        let mut cells = (0..size.cells() as u8).filter(|&cell| cell != blank);
        let run = |&tiles: &usize| cells.by_ref().take(tiles).collect();
        let patterns: Vec<Vec<u8>> = tiles.iter().map(run).collect();
        let patterns = patterns.into_iter().filter(|cells| !cells.is_empty()).collect();
        Self::new(size, blank, patterns).expect("runs of all tiles are a partition")
    }

    /// The size of the boards in canonical orientation.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The goal cell of the blank in canonical orientation.
    pub fn blank(&self) -> u8 {
        self.blank
    }

    /// The goal cells of all patterns, a bit a cell.
    pub fn covered(&self) -> u16 {
        self.patterns.iter().fold(0, |all, pattern| all | pattern.mask())
    }

    /// The patterns, in the order of their first cells.
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// The bytes of the one-bit tables of all patterns.
    pub fn table_bytes(&self) -> u64 {
        let bytes = |pattern: &Pattern| {
            let coordinates = Coordinates::of(self.size, pattern.tiles());
            coordinates.permutations() * coordinates.stride() / 8
        };
        self.patterns.iter().map(bytes).sum()
    }

    /// The name, where there is one, else the lists of cells.
    pub fn name(&self) -> String {
        let named = NAMED_PARTITIONS
            .iter()
            .find(|row| Self::named(row.name, self.size, self.blank).as_ref() == Some(self));
        named.map_or_else(|| self.to_string(), |row| row.name.to_owned())
    }
}

/// The lists of goal cells, as [`Partition::parse`] reads them.
impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, pattern) in self.patterns.iter().enumerate() {
            let cells: Vec<String> = pattern.0.iter().map(u8::to_string).collect();
            write!(f, "{}{}", if index == 0 { "" } else { "/" }, cells.join(","))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fifteen() -> Size {
        Size::new(4, 4).unwrap()
    }

    #[test]
    fn names_stand_for_their_cells() {
        let cells = |name, blank| Partition::named(name, fifteen(), blank).unwrap().to_string();
        assert_eq!(cells("7-8", 0), "1,4,5,8,9,12,13/2,3,6,7,10,11,14,15");
        assert_eq!(cells("7-7-1", 0), "1,2,3,4,5,6,7/8,9,10,12,13,14,15/11");
        assert_eq!(cells("6-6-3", 0), "1,4,5,8,9,12/2,3,6,7,10,11/13,14,15");
        assert_eq!(cells("5-5-5", 0), "1,4,5,8,9/2,3,6,7,11/10,12,13,14,15");
        assert_eq!(cells("6-6-3", 5), "0,1,4,8,9,12/2,3,6,7,10,11/13,14,15");
        for row in NAMED_PARTITIONS {
            for blank in [0, 1, 5] {
                let partition = Partition::named(row.name, fifteen(), blank).unwrap();
                assert_eq!(partition.name(), row.name);
                let again = Partition::parse(&partition.to_string(), fifteen(), blank);
                assert_eq!(again, Ok(partition));
            }
        }
    }

    #[test]
    fn sizes_are_as_promised() {
        let megabytes = |name| {
            let partition = Partition::named(name, fifteen(), 0).unwrap();
            partition.table_bytes() as f64 / 1e6
        };
        assert!((197.0..200.0).contains(&megabytes("7-8")));
        assert!((35.0..36.5).contains(&megabytes("7-7-1")));
        assert!((2.5..3.5).contains(&megabytes("6-6-3")));
    }

    #[test]
    fn says_what_is_wrong() {
        let error = |text| Partition::parse(text, fifteen(), 0).unwrap_err().to_string();
        assert!(error("7-9").starts_with("`7-9` is neither the name of a partition (5-5-5, 6-6-3"));
        assert!(error("1,2,3/0").starts_with("there is no tile for cell 0; goal cells of a 4x4"));
        assert!(error("1,16").starts_with("there is no tile for cell 16"));
        assert!(error("1,2/2,3").starts_with("cell 2 appears twice"));
        assert_eq!(error("1,2,3,4,5"), "cell 6 is in no pattern; each tile belongs to one");
        assert!(error("").starts_with("`` is neither"));
        assert!(error("1,2,3,4,5,6,7,8,9,10,11/12,13,14,15").starts_with("a pattern of 11 tiles"));
        let ones: Vec<String> = (1..16).map(|cell| cell.to_string()).collect();
        assert!(error(&ones.join("/")).starts_with("15 patterns; at most 8"));
    }

    #[test]
    fn every_board_has_a_default() {
        for (width, height) in [(1, 2), (2, 2), (3, 3), (3, 4), (2, 8), (3, 5), (1, 16)] {
            let size = Size::new(width, height).unwrap();
            let partition = Partition::default_for(size, 0);
            assert!(partition.patterns().iter().all(|pattern| pattern.tiles() <= 7));
            assert_eq!(Partition::parse("default", size, 0), Ok(partition));
        }
    }
}
