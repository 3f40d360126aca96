//! Partitions of the tiles into patterns.

use std::fmt;

use loyd_tiles::{CellGraph, CellSet, PartialGoal, Relabelling, Size};

use super::coordinates::Coordinates;
use super::named;
use super::pattern::Pattern;
use crate::pdb::{DENSE_CELLS, Orientation};

/// A division of all or some tiles of a board into disjoint patterns, or a set of such divisions, of which the one with
/// the largest sum is used.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Partition {
    size: Size,
    blank: u8,
    /// All patterns, without duplicates.
    patterns: Vec<Pattern>,
    /// Indices of the patterns of each division.
    sums: Vec<Vec<usize>>,
}

/// An error in a partition, or in its text form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartitionError {
    /// A word is neither the name of a partition nor a number.
    #[error("`{word}` is neither the name of a partition ({names}) nor a goal cell; {}", allowed(*.size, *.blank))]
    UnknownWord {
        /// The word.
        word: String,
        /// The names of partitions for such boards, separated by commas.
        names: String,
        /// The size of the boards in canonical orientation.
        size: Size,
        /// The goal cell of the blank.
        blank: u8,
    },
    /// A goal cell is missing between two separators, or before the first or after the last one.
    #[error("a goal cell is missing at the start, at the end or between two separators; {}", allowed(*.size, *.blank))]
    MissingCell {
        /// The size of the boards in canonical orientation.
        size: Size,
        /// The goal cell of the blank.
        blank: u8,
    },
    /// An error in one partition of a set.
    #[error("partition {number} of the set: {error}")]
    OfSet {
        /// The number of the partition, from 1.
        number: usize,
        /// The error.
        error: Box<Self>,
    },
    /// A name is combined with goal cells or with another name.
    #[error(
        "`{0}` names a whole partition, or a set of them, and cannot be combined; list its goal cells instead"
    )]
    NameCombined(String),
    /// The cell is not on the board, or is the goal cell of the blank.
    #[error("there is no tile for cell {cell}; {}", allowed(*.size, *.blank))]
    NoTile {
        /// The cell.
        cell: u32,
        /// The size of the boards.
        size: Size,
        /// The goal cell of the blank.
        blank: u8,
    },
    /// A cell is in two patterns, or twice in the same pattern.
    #[error("cell {0} appears twice; patterns share no tile, or their distances would not add up")]
    Repeated(u8),
    /// A cell is in no pattern.
    #[error("cell {0} is in no pattern; each tile belongs to one")]
    Missing(u8),
    /// There are too many patterns, or a pattern has too many tiles.
    #[error("{what}; at most {most} patterns of at most {tiles} tiles are allowed", most = Partition::MAX_PATTERNS)]
    TooLarge {
        /// The number of patterns, or of tiles of the pattern.
        what: String,
        /// Maximum number of tiles of a pattern on such boards.
        tiles: usize,
    },
    /// A set has too many partitions.
    #[error("{0} partitions; a set has at most {most}", most = Partition::MAX_SUMS)]
    TooManyPartitions(usize),
    /// Boards of this size do not support sets of partitions.
    #[error("{0} boards have single partitions only; boards of {few} to {many} cells may have sets", few = DENSE_CELLS + 1, many = Partition::MAX_SET_CELLS)]
    NoSets(Size),
}

/// Returns the error for a word that is not a number.
fn word_error(word: &str, size: Size, blank: u8) -> PartitionError {
    if word.is_empty() {
        return PartitionError::MissingCell { size, blank };
    }
    let names: Vec<_> = named::names(size, blank).collect();
    if names.contains(&word) {
        return PartitionError::NameCombined(word.to_owned());
    }
    PartitionError::UnknownWord { word: word.to_owned(), names: names.join(", "), size, blank }
}

/// Returns the part of an error message that describes valid goal cells and their separators.
fn allowed(size: Size, blank: u8) -> String {
    let last = size.cells() - 1;
    let separators = match has_sets(size) {
        true => "separate cells with commas, patterns with slashes and partitions with plus signs",
        false => "separate cells with commas and patterns with slashes",
    };
    format!(
        "goal cells of a {size} board are 0 to {last} except {blank}, the goal cell of the blank; {separators}"
    )
}

/// Returns whether boards of this size may have sets of partitions.
pub(super) fn has_sets(size: Size) -> bool {
    (DENSE_CELLS + 1..=Partition::MAX_SET_CELLS).contains(&size.cells())
}

impl Partition {
    /// Maximum number of patterns of a partition.
    pub const MAX_PATTERNS: usize = 8;

    /// Maximum number of partitions of a set. If the goal is symmetric, the transposed board is looked up too, which
    /// doubles the number of sums.
    pub const MAX_SUMS: usize = 8;

    /// Maximum number of cells of boards that may have sets of partitions.
    pub const MAX_SET_CELLS: usize = 25;

    /// Parses a partition of boards in canonical orientation: a name of
    /// [`NAMED_PARTITIONS`](named::NAMED_PARTITIONS), `default`, or goal cells such as
    /// `1,4,5,8,9,12/2,3,6,7,10,11/13,14,15`. Several partitions separated by `+` form a set, of which the largest
    /// sum is used.
    ///
    /// # Errors
    /// Returns the first error of the text.
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

    /// Parses a single partition given by goal cells.
    fn parse_one(text: &str, size: Size, blank: u8) -> Result<Self, PartitionError> {
        let mut patterns = Vec::new();
        for part in text.split('/') {
            let mut cells = Vec::new();
            for word in part.split(',').map(str::trim) {
                let number = word.parse::<u32>().map_err(|_| word_error(word, size, blank))?;
                let cell = u8::try_from(number).ok().filter(|&cell| cell != blank);
                let cell = cell.filter(|&cell| usize::from(cell) < size.cells());
                cells.push(cell.ok_or(PartitionError::NoTile { cell: number, size, blank })?);
            }
            patterns.push(cells);
        }
        Self::new(size, blank, patterns)
    }

    /// Creates the partition of all tiles into these sets of goal cells.
    ///
    /// # Errors
    /// Returns an error if a tile is missing or in two patterns, or if there are too many patterns or tiles in a
    /// pattern.
    ///
    /// # Panics
    /// Panics if a cell is not on the board.
    pub fn new(size: Size, blank: u8, patterns: Vec<Vec<u8>>) -> Result<Self, PartitionError> {
        let partition = Self::of_some_tiles(size, blank, patterns)?;
        let missing = CellSet::all(size).without(partition.covered() | CellSet::of(blank));
        match missing.first() {
            Some(missing) => Err(PartitionError::Missing(missing)),
            None => Ok(partition),
        }
    }

    /// Creates a partition of some of the tiles. The others are ignored.
    ///
    /// # Errors
    /// Returns an error if the sets are not disjoint, or if there are too many patterns or tiles in a pattern.
    ///
    /// # Panics
    /// Panics if a cell is not on the board.
    pub fn of_some_tiles(
        size: Size,
        blank: u8,
        patterns: Vec<Vec<u8>>,
    ) -> Result<Self, PartitionError> {
        let parts = patterns.into_iter().map(|cells| (cells, CellSet::of(blank)));
        Self::with_blank_cells(size, blank, parts.collect())
    }

    /// Creates a partition of some of the tiles, where each set has the cells on which the blank may end (all cells
    /// that a partial goal allows, or one of them in each region). At least one of them must not be in the set itself.
    ///
    /// # Errors
    /// Returns an error if the sets are not disjoint, or if there are too many patterns or tiles in a pattern.
    ///
    /// # Panics
    /// Panics if a cell is not on the board, or if a set leaves no cell on which the blank can end.
    pub fn with_blank_cells(
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
        let tiles = Pattern::max_tiles(size);
        let too_large = |what| Err(PartitionError::TooLarge { what, tiles });
        if patterns.len() > Self::MAX_PATTERNS {
            return too_large(format!("{} patterns", patterns.len()));
        }
        if let Some((large, _)) = patterns.iter().find(|(cells, _)| cells.len() > tiles) {
            return too_large(format!("a pattern of {} tiles", large.len()));
        }
        let graph = CellGraph::new(size);
        let pattern = |(cells, ends)| Pattern::new(&graph, cells, ends);
        let mut patterns: Vec<Pattern> = patterns.into_iter().map(pattern).collect();
        assert!(
            patterns.iter().all(|pattern| !pattern.blank_cells().is_empty()),
            "a pattern covers all cells on which the blank may end"
        );
        patterns.sort_unstable_by_key(|pattern| pattern.cells()[0]);
        let sums = vec![(0..patterns.len()).collect()];
        Ok(Self { size, blank, patterns, sums })
    }

    /// Combines partitions for the same boards to a set, of which the one with the largest sum is used. Duplicates are
    /// removed. A single partition is returned unchanged.
    ///
    /// # Errors
    /// Returns an error if there are too many partitions, or if these boards do not support sets.
    ///
    /// # Panics
    /// Panics if `partitions` is empty, or if they are for different boards.
    pub fn largest_of(partitions: Vec<Self>) -> Result<Self, PartitionError> {
        let (size, blank) = (partitions[0].size, partitions[0].blank);
        assert!(partitions.iter().all(|other| (other.size, other.blank) == (size, blank)));
        if partitions.len() > Self::MAX_SUMS {
            return Err(PartitionError::TooManyPartitions(partitions.len()));
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

    /// Returns the partition with this name for boards in canonical orientation, or `None` if these boards have no
    /// partition of that name.
    pub fn named(name: &str, size: Size, blank: u8) -> Option<Self> {
        let partition = |groups| Self::new(size, blank, groups).expect("named groups are valid");
        let partitions: Vec<_> = named::groups(name, size, blank)?.map(partition).collect();
        Some(Self::largest_of(partitions).expect("named sets are small"))
    }

    /// Returns the default partition.
    pub fn default_for(size: Size, blank: u8) -> Self {
        let groups = named::default_groups(size, blank);
        Self::new(size, blank, groups).expect("default groups are valid")
    }

    /// Returns the default partition for the goal of `labels`: [`default_for`](Self::default_for), or for a partial
    /// goal [`compact`](named::compact) patterns of the constrained tiles. Returns `None` if no tile is constrained or
    /// the board has more than 36 cells.
    pub fn for_goal(labels: &Relabelling, partial: Option<&PartialGoal>) -> Option<Self> {
        let orientation = Orientation::new(labels)?;
        let (size, blank) = (orientation.size(), orientation.blank());
        let Some(partial) = partial else {
            return Some(Self::default_for(size, blank));
        };
        let constrained = partial.constrained(labels).into_iter();
        let goals: CellSet = constrained.map(|label| orientation.goal(label)).collect();
        let blanks = partial.blank_cells().into_iter().map(|cell| orientation.cell(cell));
        let blanks: CellSet = blanks.collect();
        let groups = named::compact(size, goals).into_iter().map(|cells| (cells, blanks)).collect();
        let partition =
            Self::with_blank_cells(size, blank, groups).expect("compact patterns are small");
        (!goals.is_empty()).then_some(partition)
    }

    /// Creates patterns of consecutive goal cells in reading order, with `tiles[i]` tiles in the i-th pattern. If the
    /// board has fewer tiles, the last patterns are smaller or omitted.
    ///
    /// # Panics
    /// Panics if the board has more tiles, or if a pattern is too large.
    pub fn of_runs(size: Size, blank: u8, tiles: &[usize]) -> Self {
        Self::new(size, blank, named::runs(size, blank, tiles))
            .expect("the runs must cover all tiles")
    }

    /// Returns the size of the boards in canonical orientation.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Returns the goal cell of the blank in canonical orientation.
    pub fn blank(&self) -> u8 {
        self.blank
    }

    /// Returns the goal cells of all patterns.
    pub fn covered(&self) -> CellSet {
        self.patterns.iter().fold(CellSet::EMPTY, |all, pattern| all | pattern.set())
    }

    /// Returns the patterns without duplicates. In a single partition they are in the order of their first cells.
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// Returns, for each partition of the set, the indices of its [patterns](Self::patterns), whose distances add up.
    pub fn sums(&self) -> &[Vec<usize>] {
        &self.sums
    }

    /// Returns whether this is a set of several partitions.
    pub fn is_set(&self) -> bool {
        self.sums.len() > 1
    }

    /// Returns the tables that these patterns need, without duplicates: see [`Pattern::representative`].
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

    /// Returns, for each table, the indices of the [patterns](Self::patterns) that share it: on boards of more than 16
    /// cells, patterns that are images of each other.
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

    /// Returns the size of the tables of all patterns in bytes.
    pub fn table_bytes(&self) -> u64 {
        let bits = |table: &Pattern| Coordinates::of(self.size, table.tiles()).table_bits();
        self.tables().iter().map(bits).sum::<u64>() / 8
    }

    /// Returns the name, or the lists of goal cells if the partition has no name.
    pub fn name(&self) -> String {
        let is_this = |name: &&str| Self::named(name, self.size, self.blank).as_ref() == Some(self);
        let names = named::names(self.size, self.blank);
        let named = names.filter(|&name| name != "default").find(is_this);
        named.map_or_else(|| self.to_string(), str::to_owned)
    }

    /// Returns whether the blank may end in regions of this pattern other than the one of its goal cell.
    fn has_other_ends(&self, pattern: &Pattern) -> bool {
        let ends = CellGraph::new(self.size).region(CellSet::of(self.blank), pattern.set());
        pattern.blank_cells() != ends
    }

    /// Returns, for each pattern of each partition, its goal cells and the first cells of the regions in which the
    /// blank may end. The latter list is empty if that is just the region of the blank's goal cell.
    pub fn groups(&self) -> Vec<Vec<(Vec<u8>, Vec<u8>)>> {
        let group = |&place: &usize| {
            let pattern = &self.patterns[place];
            let ends = if self.has_other_ends(pattern) {
                pattern.first_blank_cells(self.size)
            } else {
                Vec::new()
            };
            (pattern.cells().to_vec(), ends)
        };
        self.sums.iter().map(|sum| sum.iter().map(group).collect()).collect()
    }
}

/// Prints the lists of goal cells, as [`Partition::parse`] reads them. If the blank may end in regions other than the
/// one of its goal cell, a pattern is followed by `@` and the first cell of each region. The partitions of a set are
/// separated by plus signs.
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
