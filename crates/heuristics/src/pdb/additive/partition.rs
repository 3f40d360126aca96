//! Which tiles go together.

use std::fmt;

use loyd_tiles::{CellGraph, CellSet, Size};

use super::coordinates::Coordinates;
use super::named;
use super::pattern::Pattern;
use crate::pdb::DENSE_CELLS;

/// All tiles of a board, or some of them, each in one pattern; or several such divisions, of which the one with
/// the largest sum counts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Partition {
    size: Size,
    blank: u8,
    /// All patterns, each once.
    patterns: Vec<Pattern>,
    /// For each division the places of its patterns.
    sums: Vec<Vec<usize>>,
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
    /// Nothing between two separators.
    #[error("a goal cell is missing at the beginning, the end or between two separators; {}", allowed(*.size, *.blank))]
    Nothing {
        /// The size of the boards, as it is seen in canonical orientation.
        size: Size,
        /// The goal cell of the blank.
        blank: u8,
    },
    /// A fault of one partition of a set.
    #[error("partition {number} of the set: {error}")]
    OfSet {
        /// Which one, from 1.
        number: usize,
        /// What is wrong with it.
        error: Box<Self>,
    },
    /// A name beside goal cells, or beside another name.
    #[error(
        "`{0}` names a whole partition, or a set of them, and stands alone; write the goal cells of what a set is to have"
    )]
    NotAlone(String),
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
    #[error("{what}; at most {most} patterns of at most {tiles} tiles are allowed", most = Partition::MAX_PATTERNS)]
    TooMuch {
        /// What is too much.
        what: String,
        /// The most tiles of a pattern on such boards.
        tiles: usize,
    },
    /// More partitions than a set of them may have.
    #[error("{0} partitions; a set of them has at most {most}", most = Partition::MAX_SUMS)]
    TooMany(usize),
    /// A set of partitions of a board for which there are none.
    #[error("{0} boards have single partitions only; those of {few} to {many} cells may have sets of them", few = DENSE_CELLS + 1, many = Partition::MAX_SET_CELLS)]
    NoSets(Size),
}

/// What is wrong with a word that is no number.
fn no_cell(word: &str, size: Size, blank: u8) -> PartitionError {
    if word.is_empty() {
        return PartitionError::Nothing { size, blank };
    }
    let names: Vec<_> = named::names(size, blank).collect();
    if names.contains(&word) {
        return PartitionError::NotAlone(word.to_owned());
    }
    PartitionError::Word { word: word.to_owned(), names: names.join(", "), size, blank }
}

fn allowed(size: Size, blank: u8) -> String {
    let last = size.cells() - 1;
    let between = match has_sets(size) {
        true => "commas between them, slashes between patterns and plus signs between partitions",
        false => "commas between them and slashes between patterns",
    };
    format!(
        "goal cells of a {size} board are 0 to {last} but {blank}, where the blank belongs, with {between}"
    )
}

/// Whether boards of this size may have sets of partitions.
pub(super) fn has_sets(size: Size) -> bool {
    (DENSE_CELLS + 1..=Partition::MAX_SET_CELLS).contains(&size.cells())
}

impl Partition {
    /// The most patterns of a partition.
    pub const MAX_PATTERNS: usize = 8;

    /// The most partitions of a set. The transposes of the boards are looked at too where the goal allows it, so
    /// that there are twice as many sums.
    pub const MAX_SUMS: usize = 8;

    /// The most cells of boards that have sets of partitions.
    pub const MAX_SET_CELLS: usize = 25;

    /// The partition of the boards in canonical orientation into the patterns of a text: a name of
    /// [`NAMED_PARTITIONS`](named::NAMED_PARTITIONS), `default`, or goal cells such as `1,4,5,8,9,12/2,3,6,7,10,11/13,14,15`.
    /// Several partitions, with `+` between them, make a set, of which the largest sum counts.
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
        if !text.contains('+') {
            return Self::parse_one(text, size, blank);
        }
        if !has_sets(size) {
            return Err(PartitionError::NoSets(size));
        }
        let partition = |(index, text)| {
            let of_set =
                |error| PartitionError::OfSet { number: index + 1, error: Box::new(error) };
            Self::parse_one(text, size, blank).map_err(of_set)
        };
        let partitions = text.split('+').enumerate().map(partition);
        Self::largest_of(partitions.collect::<Result<_, _>>()?)
    }

    /// The partition of a text that is no name.
    fn parse_one(text: &str, size: Size, blank: u8) -> Result<Self, PartitionError> {
        let mut patterns = Vec::new();
        for part in text.split('/') {
            let mut cells = Vec::new();
            for word in part.split(',').map(str::trim) {
                let number = word.parse::<u32>().map_err(|_| no_cell(word, size, blank))?;
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
        let missing = CellSet::all(size).without(partition.covered() | CellSet::of(blank));
        match missing.first() {
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
    pub fn of_some(size: Size, blank: u8, patterns: Vec<Vec<u8>>) -> Result<Self, PartitionError> {
        let parts = patterns.into_iter().map(|cells| (cells, CellSet::of(blank)));
        Self::with_ends(size, blank, parts.collect())
    }

    /// The same where each set comes with the cells on which the blank may end, one of which is none of its
    /// own: those of a partial goal, or one of each region that these are in.
    ///
    /// # Errors
    /// When the sets are not disjoint, or too large.
    ///
    /// # Panics
    /// If a cell is not on the board, or the blank can end nowhere.
    pub fn with_ends(
        size: Size,
        blank: u8,
        mut patterns: Vec<(Vec<u8>, CellSet)>,
    ) -> Result<Self, PartitionError> {
        patterns.retain(|(cells, _)| !cells.is_empty());
        let mut seen = CellSet::of(blank);
        for &cell in patterns.iter().flat_map(|(cells, _)| cells) {
            assert!(usize::from(cell) < size.cells(), "cell {cell} is not on a {size} board");
            if seen.contains(cell) {
                return Err(PartitionError::Repeated(cell));
            }
            seen |= CellSet::of(cell);
        }
        let tiles = Pattern::most_tiles(size);
        let too_much = |what| Err(PartitionError::TooMuch { what, tiles });
        if patterns.len() > Self::MAX_PATTERNS {
            return too_much(format!("{} patterns", patterns.len()));
        }
        if let Some((large, _)) = patterns.iter().find(|(cells, _)| cells.len() > tiles) {
            return too_much(format!("a pattern of {} tiles", large.len()));
        }
        let graph = CellGraph::new(size);
        let pattern = |(cells, ends)| Pattern::new(&graph, cells, ends);
        let mut patterns: Vec<Pattern> = patterns.into_iter().map(pattern).collect();
        assert!(
            patterns.iter().all(|pattern| !pattern.ends().is_empty()),
            "the blank ends nowhere"
        );
        patterns.sort_unstable_by_key(|pattern| pattern.cells()[0]);
        let sums = vec![(0..patterns.len()).collect()];
        Ok(Self { size, blank, patterns, sums })
    }

    /// The set of these partitions for the same boards, of which the one with the largest sum counts. A single one is
    /// itself.
    ///
    /// # Errors
    /// When they are too many, or for boards that have no sets of partitions.
    ///
    /// # Panics
    /// If there is none, or they are for different boards.
    pub fn largest_of(partitions: Vec<Self>) -> Result<Self, PartitionError> {
        let (size, blank) = (partitions[0].size, partitions[0].blank);
        assert!(partitions.iter().all(|other| (other.size, other.blank) == (size, blank)));
        if partitions.len() > Self::MAX_SUMS {
            return Err(PartitionError::TooMany(partitions.len()));
        }
        if partitions.len() > 1 && !has_sets(size) {
            return Err(PartitionError::NoSets(size));
        }
        let mut patterns: Vec<Pattern> = Vec::new();
        let mut sums: Vec<Vec<usize>> = Vec::new();
        for pattern in partitions.into_iter().map(|partition| partition.patterns) {
            let place = |pattern: Pattern| {
                let known = patterns.iter().position(|known| *known == pattern);
                known.unwrap_or_else(|| {
                    patterns.push(pattern);
                    patterns.len() - 1
                })
            };
            let sum: Vec<usize> = pattern.into_iter().map(place).collect();
            if !sums.contains(&sum) {
                sums.push(sum);
            }
        }
        Ok(Self { size, blank, patterns, sums })
    }

    /// The partition of this name for boards in canonical orientation, if it is for them.
    pub fn named(name: &str, size: Size, blank: u8) -> Option<Self> {
        let partition = |groups| Self::new(size, blank, groups).expect("these are a partition");
        let partitions: Vec<_> = named::groups(name, size, blank)?.map(partition).collect();
        Some(Self::largest_of(partitions).expect("named sets are small"))
    }

    /// What is used when nothing is said.
    pub fn default_for(size: Size, blank: u8) -> Self {
        let groups = named::default_groups(size, blank);
        Self::new(size, blank, groups).expect("the groups are a partition")
    }

    /// Patterns of so many tiles each, whose goal cells follow each other in reading order; the last ones
    /// are smaller if there are fewer tiles.
    ///
    /// # Panics
    /// If there are more tiles, or a pattern is too large.
    pub fn in_runs(size: Size, blank: u8, tiles: &[usize]) -> Self {
        Self::new(size, blank, named::runs(size, blank, tiles))
            .expect("runs of all tiles are a partition")
    }

    /// The size of the boards in canonical orientation.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The goal cell of the blank in canonical orientation.
    pub fn blank(&self) -> u8 {
        self.blank
    }

    /// The goal cells of all patterns.
    pub fn covered(&self) -> CellSet {
        self.patterns.iter().fold(CellSet::EMPTY, |all, pattern| all | pattern.set())
    }

    /// The patterns, each once: those of a single partition in the order of their first cells.
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// For each partition of the set the places of its [patterns](Self::patterns), whose distances add up.
    pub fn sums(&self) -> &[Vec<usize>] {
        &self.sums
    }

    /// Whether the largest of several sums counts.
    pub fn is_set(&self) -> bool {
        self.sums.len() > 1
    }

    /// The tables that these patterns need, each once: see [`Pattern::representative`].
    pub(super) fn tables(&self) -> Vec<Pattern> {
        let mut tables: Vec<Pattern> = Vec::new();
        for pattern in &self.patterns {
            let (table, _) = pattern.representative(self.size);
            if !tables.contains(&table) {
                tables.push(table);
            }
        }
        tables
    }

    /// For each table the places of the [patterns](Self::patterns) that share it: on boards of more than 16 cells,
    /// those that are images of each other.
    pub fn sharing(&self) -> Vec<Vec<usize>> {
        let tables = self.tables();
        let mut sharing = vec![Vec::new(); tables.len()];
        for (place, pattern) in self.patterns.iter().enumerate() {
            let (table, _) = pattern.representative(self.size);
            let found = tables.iter().position(|known| *known == table);
            sharing[found.expect("each pattern has a table")].push(place);
        }
        sharing
    }

    /// The bytes of the one-bit tables of all patterns.
    pub fn table_bytes(&self) -> u64 {
        let bits = |table: &Pattern| Coordinates::of(self.size, table.tiles()).table_bits();
        self.tables().iter().map(bits).sum::<u64>() / 8
    }

    /// The name, where there is one, else the lists of cells.
    pub fn name(&self) -> String {
        let is_this = |name: &&str| Self::named(name, self.size, self.blank).as_ref() == Some(self);
        let names = named::names(self.size, self.blank);
        let named = names.filter(|&name| name != "default").find(is_this);
        named.map_or_else(|| self.to_string(), str::to_owned)
    }

    /// Whether the blank may end where this pattern lets it, but away from its own goal cell.
    fn has_other_ends(&self, pattern: &Pattern) -> bool {
        let ends = CellGraph::new(self.size).region(CellSet::of(self.blank), pattern.set());
        pattern.ends() != ends
    }

    /// For each partition of the set, and for each of its patterns, its cells, and the first cells of the regions
    /// in which the blank may end, unless that is the region of its own goal cell alone.
    pub fn groups(&self) -> Vec<Vec<(Vec<u8>, Vec<u8>)>> {
        let group = |&place: &usize| {
            let pattern = &self.patterns[place];
            let ends = if self.has_other_ends(pattern) {
                pattern.first_ends(self.size)
            } else {
                Vec::new()
            };
            (pattern.cells().to_vec(), ends)
        };
        self.sums.iter().map(|sum| sum.iter().map(group).collect()).collect()
    }
}

/// The lists of goal cells, as [`Partition::parse`] reads them. Where the blank may end in other regions than that
/// of its goal cell, `@` and the first cell of each follow. There is a plus sign between the partitions of a set.
impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |cells: &[u8]| cells.iter().map(u8::to_string).collect::<Vec<_>>().join(",");
        let group = |(cells, ends): (Vec<u8>, Vec<u8>)| match ends.is_empty() {
            true => list(&cells),
            false => format!("{}@{}", list(&cells), list(&ends)),
        };
        let sum = |groups: Vec<_>| groups.into_iter().map(group).collect::<Vec<_>>().join("/");
        f.write_str(&self.groups().into_iter().map(sum).collect::<Vec<_>>().join("+"))
    }
}

#[cfg(test)]
mod tests;
