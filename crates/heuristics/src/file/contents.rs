//! The keys of tables: the trait that identifies a table and its file, the keys that files may have, and the file names
//! derived from them.

use std::borrow::Cow;
use std::fmt;
use std::hash::Hash;

use loyd_tiles::{CellSet, Metric, Size};

use crate::automaton::AutomatonKey;
use crate::pdb::tile_classes::TileClasses;
use crate::pdb::{DENSE_CELLS, MAX_CELLS, Partition, PartitionError, Words};

/// The parameters of a table: enough to name its file, to compute its size, and to read it.
pub trait TableKey: Clone + Eq + Hash + fmt::Debug + Send + Sync + 'static {
    /// The table that the key identifies.
    type Table: fmt::Debug + Send + Sync + 'static;

    /// Returns the key in the form that is common to all files.
    fn contents(&self) -> AnyTableKey;

    /// Returns whether the table is worth a file, because building it takes long.
    fn is_worth_storing(&self) -> bool {
        true
    }

    /// Returns the length in words of each piece of memory of a table with these censuses.
    fn piece_lengths(&self, censuses: &[Vec<u64>]) -> Vec<u64>;

    /// Assembles a table from its pieces and censuses. The pieces have the lengths that
    /// [`piece_lengths`](Self::piece_lengths) returns; there is a census for each group of the [`AnyTableKey`] that has
    /// distances. Returns `None` if no table has these pieces and censuses.
    fn restore(&self, pieces: Vec<Words>, censuses: Vec<Vec<u64>>) -> Option<Self::Table>;

    /// Returns the pieces of memory of a table.
    fn pieces(table: &Self::Table) -> Vec<Cow<'_, [u64]>>;

    /// Returns the number of states at each distance, by group of cells; for an automaton, the number of states by the
    /// number of moves they remember.
    fn censuses(table: &Self::Table) -> Vec<Vec<u64>>;

    /// Returns the bytes of memory that the table holds.
    fn bytes(table: &Self::Table) -> u64;
}

/// Maximum length in bytes of a partition's name in a file name. Systems allow 255 bytes for the whole file name.
const LONGEST_NAME: usize = 120;

/// Separates the number of partitions from the checksum in a shortened file name.
const PARTITIONS_INFIX: &str = "-partitions-";

/// The key of the table in a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AnyTableKey {
    /// Additive pattern databases.
    Patterns(Partition),
    /// Distances in slides for boards whose tiles of the same class are indistinguishable.
    TileClasses(TileClasses),
    /// An automaton that prunes duplicates.
    Automaton(AutomatonKey),
}

/// A group of cells in a header: the goal cells of some tiles and, if that is not just the blank's goal cell, the cells
/// on which the blank may end (else empty).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Group {
    pub cells: Vec<u8>,
    pub ends: Vec<u8>,
}

/// The reason why the groups of cells in a header are no key.
#[derive(Debug)]
pub(super) enum InvalidGroups {
    /// This field of the header is invalid.
    Header(&'static str),
    /// The patterns do not form a partition.
    Partition(PartitionError),
}

impl From<PartitionError> for InvalidGroups {
    fn from(error: PartitionError) -> Self {
        Self::Partition(error)
    }
}

impl AnyTableKey {
    /// The first eight bytes of a file, by kind.
    pub(super) const MAGICS: [&[u8; 8]; 3] = [b"LOYD-PDB", b"LOYD-ALK", b"LOYD-AUT"];

    /// Magics of earlier versions: boards of more than 16 cells used to have a separate kind.
    const FORMER_MAGICS: [&[u8; 8]; 1] = [b"LOYD-WID"];

    /// Returns the index of the kind in `MAGICS`.
    pub(super) fn kind_index(&self) -> usize {
        match self {
            Self::Patterns(_) => 0,
            Self::TileClasses(_) => 1,
            Self::Automaton(_) => 2,
        }
    }

    /// Returns whether the group with index `group` has a census, in files of this kind.
    pub(super) fn has_census(kind: usize, group: usize) -> bool {
        kind != 1 || group == 0
    }

    /// Returns the size of the boards, in canonical orientation.
    pub fn size(&self) -> Size {
        match self {
            Self::Patterns(partition) => partition.size(),
            Self::TileClasses(classes) => classes.size(),
            Self::Automaton(key) => key.size(),
        }
    }

    /// Returns the goal cell of the blank, or `None` for automata, which are valid for every goal.
    pub fn blank(&self) -> Option<u8> {
        match self {
            Self::Patterns(partition) => Some(partition.blank()),
            Self::TileClasses(classes) => Some(classes.blank()),
            Self::Automaton(_) => None,
        }
    }

    /// Returns the name of the kind: `patterns`, `tile-classes` or `automaton`.
    pub fn kind(&self) -> &'static str {
        ["patterns", "tile-classes", "automaton"][self.kind_index()]
    }

    /// Returns the goal cells of each group, as in `1,2,3/4,5,6,7/…`, or `None` for automata.
    pub fn groups_text(&self) -> Option<String> {
        match self {
            Self::Patterns(partition) => Some(partition.to_string()),
            Self::TileClasses(classes) => Some(classes.to_string()),
            Self::Automaton(_) => None,
        }
    }

    /// Returns the name of a named partition, as in `7-7-1`, or of an automaton, as in `automaton=14`; otherwise the
    /// goal cells of each group.
    pub fn name(&self) -> String {
        match self {
            Self::Patterns(partition) => partition.name(),
            Self::TileClasses(classes) => classes.to_string(),
            Self::Automaton(key) => format!("automaton={}", key.max_word_length()),
        }
    }

    /// Returns the file name without its extension: `4x4-blank0-7-7-1`, or `3x3-blank0-1,2,3,4_5,6,7,8`. If the
    /// name would be long, as for sets of partitions, it has the number of partitions and a checksum in place of the
    /// cells, as in `5x5-blank0-3-partitions-0123abcd`; the key of such a file is only in its header.
    pub fn stem(&self) -> String {
        let (size, name) = (self.size(), self.name().replace('/', "_"));
        match self {
            Self::Patterns(partition) if name.len() > LONGEST_NAME => {
                let (count, sum) = (partition.sums().len(), crc32fast::hash(name.as_bytes()));
                format!("{size}-blank{}-{count}{PARTITIONS_INFIX}{sum:08x}", partition.blank())
            }
            Self::Patterns(partition) => format!("{size}-blank{}-{name}", partition.blank()),
            Self::TileClasses(classes) => {
                format!("{size}-blank{}-tile-classes-{name}", classes.blank())
            }
            Self::Automaton(key) => {
                format!(
                    "{size}-{AUTOMATON}{}{}",
                    key.max_word_length(),
                    metric_suffix(key.metric())
                )
            }
        }
    }

    /// Returns whether `stem` is a valid stem of a table file, as [`stem`](Self::stem) writes it.
    pub fn is_stem(stem: &str) -> bool {
        Self::of_stem(stem).is_some() || is_shortened(stem).is_some_and(|is_one| is_one)
    }

    /// Parses a stem, which must be exactly as [`stem`](Self::stem) writes it. Returns `None` if it is not the stem
    /// of a table file, or if it has a checksum in place of the cells.
    pub fn of_stem(stem: &str) -> Option<Self> {
        let (size, rest) = stem.split_once('-')?;
        let size: Size = size.parse().ok()?;
        if let Some(key) = automaton_in(rest, size) {
            return Some(Self::Automaton(key)).filter(|contents| contents.stem() == stem);
        }
        let (kind, blank, name) = kind_in(rest)?;
        let named = match kind {
            0 if usize::from(blank) < size.cells() => Partition::named(name, size, blank),
            _ => None,
        };
        let of_groups = || {
            let [width, height] = [size.width(), size.height()].map(|side| u8::try_from(side).ok());
            Self::of_groups(kind, [width?, height?, blank], groups_in(name)?).ok()
        };
        let contents = named.map(Self::Patterns).or_else(of_groups);
        contents.filter(|contents| contents.stem() == stem)
    }

    /// Returns whether these are the first bytes of a table file, intact or not, of this or an earlier version.
    pub fn has_known_magic(bytes: &[u8]) -> bool {
        Self::MAGICS.into_iter().chain(Self::FORMER_MAGICS).any(|magic| bytes.starts_with(magic))
    }

    /// Returns the groups of cells in the header.
    pub(super) fn groups(&self) -> Vec<Group> {
        match self {
            Self::Patterns(partition) => {
                let groups = partition.groups().into_iter().flatten();
                groups.map(|(cells, ends)| Group { cells, ends }).collect()
            }
            Self::TileClasses(classes) => {
                let groups = classes.groups().into_iter();
                groups.map(|cells| Group { cells, ends: Vec::new() }).collect()
            }
            Self::Automaton(key) => {
                vec![Group { cells: vec![key.max_word_length() as u8], ends: Vec::new() }]
            }
        }
    }

    /// Returns the byte that follows the size in the header: the goal cell of the blank or, for automata, 1 if slides
    /// count as single moves and 0 if not.
    pub(super) fn blank_or_metric(&self) -> u8 {
        let slides = matches!(self, Self::Automaton(key) if key.metric() == Metric::MultiTile);
        self.blank().unwrap_or(slides.into())
    }

    /// Decodes the groups of cells in a header of this kind.
    pub(super) fn of_groups(
        kind: usize,
        [width, height, blank]: [u8; 3],
        groups: Vec<Group>,
    ) -> Result<Self, InvalidGroups> {
        if kind == 2 {
            let size = Size::new(width.into(), height.into()).ok();
            return Ok(Self::Automaton(automaton(size, blank, &groups)?));
        }
        let most = if kind == 0 { MAX_CELLS } else { DENSE_CELLS };
        let size = Size::new(width.into(), height.into()).ok();
        let size = size.filter(|size| size.cells() <= most && usize::from(blank) < size.cells());
        let size = size.ok_or(InvalidGroups::Header("the size of the board"))?;
        let is_cell = |&cell: &u8| usize::from(cell) < size.cells();
        if !groups.iter().all(|group| group.cells.iter().chain(&group.ends).all(is_cell)) {
            return Err(InvalidGroups::Header("the cells of a pattern"));
        }
        match kind {
            0 => patterns(size, blank, groups),
            _ if groups.iter().any(|group| !group.ends.is_empty()) => {
                Err(InvalidGroups::Header("the cells of a class"))
            }
            _ => {
                let groups: Vec<_> = groups.into_iter().map(|group| group.cells).collect();
                let classes = TileClasses::of_groups(size, blank, &groups);
                Ok(Self::TileClasses(classes.map_err(InvalidGroups::Header)?))
            }
        }
    }
}

/// Decodes the groups of pattern databases. In a set of partitions, each partition ends with the group that completes
/// the tiles.
fn patterns(size: Size, blank: u8, groups: Vec<Group>) -> Result<AnyTableKey, InvalidGroups> {
    let all = CellSet::all(size).without(CellSet::of(blank));
    let (mut partitions, mut covered) = (vec![Vec::new()], CellSet::EMPTY);
    for group in &groups {
        if covered == all {
            partitions.push(Vec::new());
            covered = CellSet::EMPTY;
        }
        covered |= group.cells.iter().copied().collect();
        partitions.last_mut().expect("the list starts with one element").push(group);
    }
    if partitions.len() > 1 && covered != all {
        return Err(InvalidGroups::Header("the last partition of a set"));
    }
    let partitions = partitions.into_iter().map(|groups| partition(size, blank, &groups));
    let partition = Partition::largest_of(partitions.collect::<Result<_, _>>()?)?;
    let written = partition.groups().into_iter().flatten();
    match written.map(|(cells, ends)| Group { cells, ends }).eq(groups) {
        true => Ok(AnyTableKey::Patterns(partition)),
        false => Err(InvalidGroups::Header("the order in which patterns are written")),
    }
}

/// Decodes the groups of a single partition.
fn partition(size: Size, blank: u8, groups: &[&Group]) -> Result<Partition, InvalidGroups> {
    let pattern = |Group { cells, ends }: &Group| {
        let ends = if ends.is_empty() { &[blank][..] } else { &ends[..] };
        let ends: CellSet = ends.iter().copied().collect();
        (cells.clone(), ends.without(cells.iter().copied().collect()))
    };
    let patterns: Vec<_> = groups.iter().map(|group| pattern(group)).collect();
    // Tiles may not belong on cells where the blank ends. (A pattern with the blank's goal cell is an error of the
    // partition itself.)
    let is_shut_out = |(group, (_, ends)): (&&Group, &(_, CellSet))| {
        !group.ends.is_empty() && ends.len() < group.ends.len()
    };
    if groups.iter().zip(&patterns).any(is_shut_out) {
        return Err(InvalidGroups::Header("where the blank may end"));
    }
    Ok(Partition::with_blank_cells(size, blank, patterns)?)
}

/// Decodes the key of an automaton: its only group has the maximum number of moves in a word as its only cell.
fn automaton(
    size: Option<Size>,
    slides: u8,
    groups: &[Group],
) -> Result<AutomatonKey, InvalidGroups> {
    let size = size.ok_or(InvalidGroups::Header("the size of the board"))?;
    let metric = match slides {
        0 => Metric::SingleTile,
        1 => Metric::MultiTile,
        _ => return Err(InvalidGroups::Header("what counts as a move")),
    };
    let key = match groups {
        [Group { cells, ends }] if cells.len() == 1 && ends.is_empty() => {
            AutomatonKey::new(size, metric, cells[0].into())
        }
        _ => None,
    };
    key.ok_or(InvalidGroups::Header("the number of moves in words"))
}

/// Prints `7-7-1 of 4x4 boards with goal cell 0 of the blank`, or `automaton=14 of 4x4 boards`.
impl fmt::Display for AnyTableKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::TileClasses(_) = self {
            f.write_str("tile-classes ")?;
        }
        f.write_str(&format!("{} of {} boards", self.name(), self.size()))?;
        match self {
            Self::Automaton(key) if key.metric() == Metric::MultiTile => {
                f.write_str(", for slides")
            }
            _ => self.blank().map_or(Ok(()), |blank| {
                f.write_str(&format!(" with goal cell {blank} of the blank"))
            }),
        }
    }
}

/// Precedes the number of moves in words in the stem of an automaton.
const AUTOMATON: &str = "automaton-";

/// Returns the end of an automaton's stem.
fn metric_suffix(metric: Metric) -> &'static str {
    match metric {
        Metric::SingleTile => "",
        Metric::MultiTile => "-slides",
    }
}

/// Parses the stem of an automaton after the size.
fn automaton_in(name: &str, size: Size) -> Option<AutomatonKey> {
    let words = name.strip_prefix(AUTOMATON)?;
    let (words, metric) = match words.strip_suffix(metric_suffix(Metric::MultiTile)) {
        Some(words) => (words, Metric::MultiTile),
        None => (words, Metric::SingleTile),
    };
    AutomatonKey::new(size, metric, words.parse().ok()?)
}

/// Returns whether a stem has a valid checksum in place of the cells, or `None` if a part of it cannot be parsed.
fn is_shortened(stem: &str) -> Option<bool> {
    let (size, rest) = stem.split_once('-')?;
    let size: Size = size.parse().ok()?;
    let (kind, blank, name) = kind_in(rest)?;
    let (count, sum) = name.split_once(PARTITIONS_INFIX)?;
    let (count, sum) = (count.parse().ok()?, u32::from_str_radix(sum, 16).ok()?);
    let written = format!("{size}-blank{blank}-{count}{PARTITIONS_INFIX}{sum:08x}");
    let can_be = kind == 0 && usize::from(blank) < size.cells() && size.cells() <= MAX_CELLS;
    Some(can_be && (1..=Partition::MAX_SUMS).contains(&count) && written == stem)
}

/// Splits a stem after the size into the kind, the goal cell of the blank, and the groups.
fn kind_in(name: &str) -> Option<(usize, u8, &str)> {
    let (blank, groups) = name.strip_prefix("blank")?.split_once('-')?;
    let blank = blank.parse().ok()?;
    Some(match groups.strip_prefix("tile-classes-") {
        Some(groups) => (1, blank, groups),
        None => (0, blank, groups),
    })
}

/// Parses the groups of cells in a stem, as in `1,2,3,4_5,6,7,8` or `1,3@0,2_4,5`.
fn groups_in(name: &str) -> Option<Vec<Group>> {
    let list =
        |text: &str| -> Option<Vec<u8>> { text.split(',').map(|cell| cell.parse().ok()).collect() };
    let group = |text: &str| match text.split_once('@') {
        Some((cells, ends)) => Some(Group { cells: list(cells)?, ends: list(ends)? }),
        None => Some(Group { cells: list(text)?, ends: Vec::new() }),
    };
    name.split(['_', '+']).map(group).collect()
}
