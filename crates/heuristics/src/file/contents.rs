//! What there is in files of tables.

use std::fmt;

use loyd_tiles::{CellSet, Metric, Size};

use crate::automaton::AutomatonKey;
use crate::pdb::tile_classes::TileClasses;
use crate::pdb::{DENSE_CELLS, MAX_CELLS, Partition, PartitionError};

/// The longest name of a partition that is part of the name of a file, in bytes: systems allow 255 for all of it.
const LONGEST_NAME: usize = 120;

/// What stands between the number of partitions and the checksum in the name of a file.
const SHORTENED: &str = "-partitions-";

/// What a file of tables is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Contents {
    /// Additive pattern databases.
    Patterns(Partition),
    /// Distances in slides if tiles of a class are indistinguishable.
    TileClasses(TileClasses),
    /// An automaton that prunes duplicates.
    Automaton(AutomatonKey),
}

/// The goal cells of some tiles and, where it takes saying, cells on which the blank may end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Group {
    pub cells: Vec<u8>,
    pub ends: Vec<u8>,
}

/// Why groups of cells in a header stand for nothing.
#[derive(Debug)]
pub(super) enum Senseless {
    /// What cannot be.
    Header(&'static str),
    /// The patterns are no partition.
    Partition(PartitionError),
}

impl From<PartitionError> for Senseless {
    fn from(error: PartitionError) -> Self {
        Self::Partition(error)
    }
}

impl Contents {
    /// What files begin with, by kind.
    pub(super) const MAGICS: [&[u8; 8]; 3] = [b"LOYD-PDB", b"LOYD-ALK", b"LOYD-AUT"];

    /// The same of kinds that are no longer written: boards of more than 16 cells had one of their own.
    const EARLIER: [&[u8; 8]; 1] = [b"LOYD-WID"];

    /// The place of the kind in `MAGICS`.
    pub(super) fn place(&self) -> usize {
        match self {
            Self::Patterns(_) => 0,
            Self::TileClasses(_) => 1,
            Self::Automaton(_) => 2,
        }
    }

    /// Whether the group of cells at this place has a census, in files of a kind.
    pub(super) fn has_census(kind: usize, group: usize) -> bool {
        kind != 1 || group == 0
    }

    /// The size of the boards, in canonical orientation.
    pub fn size(&self) -> Size {
        match self {
            Self::Patterns(partition) => partition.size(),
            Self::TileClasses(classes) => classes.size(),
            Self::Automaton(key) => key.size(),
        }
    }

    /// The goal cell of the blank; none of automata, which hold for every goal.
    pub fn blank(&self) -> Option<u8> {
        match self {
            Self::Patterns(partition) => Some(partition.blank()),
            Self::TileClasses(classes) => Some(classes.blank()),
            Self::Automaton(_) => None,
        }
    }

    /// A word for the kind: `patterns`, `tile-classes` or `automaton`.
    pub fn kind(&self) -> &'static str {
        ["patterns", "tile-classes", "automaton"][self.place()]
    }

    /// The goal cells of each group, as in `1,2,3/4,5,6,7/…`; none of automata.
    pub fn groups_text(&self) -> Option<String> {
        match self {
            Self::Patterns(partition) => Some(partition.to_string()),
            Self::TileClasses(classes) => Some(classes.to_string()),
            Self::Automaton(_) => None,
        }
    }

    /// The name of a partition that has one, as in `7-7-1`, or of an automaton, as in `automaton=14`; else the goal
    /// cells of each group.
    pub fn name(&self) -> String {
        match self {
            Self::Patterns(partition) => partition.name(),
            Self::TileClasses(classes) => classes.to_string(),
            Self::Automaton(key) => format!("automaton={}", key.words()),
        }
    }

    /// How the name of the file begins: `4x4-blank0-7-7-1`, or `3x3-blank0-1,2,3,4_5,6,7,8`. Where that would be
    /// long, as for sets of partitions, the number of partitions and a checksum stand for the cells, as in
    /// `5x5-blank0-3-partitions-0123abcd`: what such a file is about is told by its header alone.
    pub fn stem(&self) -> String {
        let (size, name) = (self.size(), self.name().replace('/', "_"));
        match self {
            Self::Patterns(partition) if name.len() > LONGEST_NAME => {
                let (count, sum) = (partition.sums().len(), crc32fast::hash(name.as_bytes()));
                format!("{size}-blank{}-{count}{SHORTENED}{sum:08x}", partition.blank())
            }
            Self::Patterns(partition) => format!("{size}-blank{}-{name}", partition.blank()),
            Self::TileClasses(classes) => {
                format!("{size}-blank{}-tile-classes-{name}", classes.blank())
            }
            Self::Automaton(key) => {
                format!("{size}-{AUTOMATON}{}{}", key.words(), ending(key.metric()))
            }
        }
    }

    /// Whether a file of tables may have a name that begins so: see [`stem`](Self::stem).
    pub fn is_stem(stem: &str) -> bool {
        Self::of_stem(stem).is_some() || is_shortened(stem).is_some_and(|is_one| is_one)
    }

    /// What the file is about whose name begins so; `None` if no file of tables is called that, or if the name has
    /// a checksum in place of the cells. It has to be just as [`stem`](Self::stem) writes it.
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

    /// Whether a file that begins with these bytes is one of tables, sound or not, perhaps of an earlier
    /// version.
    pub fn is_start(bytes: &[u8]) -> bool {
        Self::MAGICS.into_iter().chain(Self::EARLIER).any(|magic| bytes.starts_with(magic))
    }

    /// The groups of cells in the header.
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
                vec![Group { cells: vec![key.words() as u8], ends: Vec::new() }]
            }
        }
    }

    /// What follows the size in the header: the goal cell of the blank, or what counts as a move.
    pub(super) fn mark(&self) -> u8 {
        let slides = matches!(self, Self::Automaton(key) if key.metric() == Metric::MultiTile);
        self.blank().unwrap_or(slides.into())
    }

    /// What groups of cells stand for in a file of a kind.
    pub(super) fn of_groups(
        kind: usize,
        [width, height, blank]: [u8; 3],
        groups: Vec<Group>,
    ) -> Result<Self, Senseless> {
        if kind == 2 {
            let size = Size::new(width.into(), height.into()).ok();
            return Ok(Self::Automaton(automaton(size, blank, &groups)?));
        }
        let most = if kind == 0 { MAX_CELLS } else { DENSE_CELLS };
        let size = Size::new(width.into(), height.into()).ok();
        let size = size.filter(|size| size.cells() <= most && usize::from(blank) < size.cells());
        let size = size.ok_or(Senseless::Header("the size of the board"))?;
        let is_cell = |&cell: &u8| usize::from(cell) < size.cells();
        if !groups.iter().all(|group| group.cells.iter().chain(&group.ends).all(is_cell)) {
            return Err(Senseless::Header("the cells of a pattern"));
        }
        match kind {
            0 => patterns(size, blank, groups),
            _ if groups.iter().any(|group| !group.ends.is_empty()) => {
                Err(Senseless::Header("the cells of a class"))
            }
            _ => {
                let groups: Vec<_> = groups.into_iter().map(|group| group.cells).collect();
                let classes = TileClasses::of_groups(size, blank, &groups);
                Ok(Self::TileClasses(classes.map_err(Senseless::Header)?))
            }
        }
    }
}

/// The patterns that groups of cells stand for: in a set of partitions, one ends where it has all tiles.
fn patterns(size: Size, blank: u8, groups: Vec<Group>) -> Result<Contents, Senseless> {
    let all = CellSet::all(size).without(CellSet::of(blank));
    let (mut partitions, mut covered) = (vec![Vec::new()], CellSet::EMPTY);
    for group in &groups {
        if covered == all {
            partitions.push(Vec::new());
            covered = CellSet::EMPTY;
        }
        covered |= group.cells.iter().copied().collect();
        partitions.last_mut().expect("there is one").push(group);
    }
    if partitions.len() > 1 && covered != all {
        return Err(Senseless::Header("the last partition of a set"));
    }
    let partitions = partitions.into_iter().map(|groups| partition(size, blank, &groups));
    let partition = Partition::largest_of(partitions.collect::<Result<_, _>>()?)?;
    let written = partition.groups().into_iter().flatten();
    match written.map(|(cells, ends)| Group { cells, ends }).eq(groups) {
        true => Ok(Contents::Patterns(partition)),
        false => Err(Senseless::Header("the order in which patterns are written")),
    }
}

/// The single partition that groups of cells stand for.
fn partition(size: Size, blank: u8, groups: &[&Group]) -> Result<Partition, Senseless> {
    let pattern = |Group { cells, ends }: &Group| {
        let ends = if ends.is_empty() { &[blank][..] } else { &ends[..] };
        let ends: CellSet = ends.iter().copied().collect();
        (cells.clone(), ends.without(cells.iter().copied().collect()))
    };
    let patterns: Vec<_> = groups.iter().map(|group| pattern(group)).collect();
    // A pattern on the blank's own cell is told by the partition.
    let is_shut_out = |(group, (_, ends)): (&&Group, &(_, CellSet))| {
        !group.ends.is_empty() && ends.len() < group.ends.len()
    };
    if groups.iter().zip(&patterns).any(is_shut_out) {
        return Err(Senseless::Header("where the blank may end"));
    }
    Ok(Partition::with_ends(size, blank, patterns)?)
}

/// The automaton that the number of moves in words, in place of the cells of a group, stands for.
fn automaton(size: Option<Size>, slides: u8, groups: &[Group]) -> Result<AutomatonKey, Senseless> {
    let size = size.ok_or(Senseless::Header("the size of the board"))?;
    let metric = match slides {
        0 => Metric::SingleTile,
        1 => Metric::MultiTile,
        _ => return Err(Senseless::Header("what counts as a move")),
    };
    let key = match groups {
        [Group { cells, ends }] if cells.len() == 1 && ends.is_empty() => {
            AutomatonKey::new(size, metric, cells[0].into())
        }
        _ => None,
    };
    key.ok_or(Senseless::Header("the number of moves in words"))
}

/// `7-7-1 of 4x4 boards with goal cell 0 of the blank`, or `automaton=14 of 4x4 boards`.
impl fmt::Display for Contents {
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

/// How the name of an automaton begins after the size, before the number of moves in words.
const AUTOMATON: &str = "automaton-";

/// How the name of an automaton ends.
fn ending(metric: Metric) -> &'static str {
    match metric {
        Metric::SingleTile => "",
        Metric::MultiTile => "-slides",
    }
}

/// The automaton whose name goes on so after the size.
fn automaton_in(name: &str, size: Size) -> Option<AutomatonKey> {
    let words = name.strip_prefix(AUTOMATON)?;
    let (words, metric) = match words.strip_suffix(ending(Metric::MultiTile)) {
        Some(words) => (words, Metric::MultiTile),
        None => (words, Metric::SingleTile),
    };
    AutomatonKey::new(size, metric, words.parse().ok()?)
}

/// Whether a name is one with a checksum in place of the cells.
fn is_shortened(stem: &str) -> Option<bool> {
    let (size, rest) = stem.split_once('-')?;
    let size: Size = size.parse().ok()?;
    let (kind, blank, name) = kind_in(rest)?;
    let (count, sum) = name.split_once(SHORTENED)?;
    let (count, sum) = (count.parse().ok()?, u32::from_str_radix(sum, 16).ok()?);
    let written = format!("{size}-blank{blank}-{count}{SHORTENED}{sum:08x}");
    let can_be = kind == 0 && usize::from(blank) < size.cells() && size.cells() <= MAX_CELLS;
    Some(can_be && (1..=Partition::MAX_SUMS).contains(&count) && written == stem)
}

/// The kind, the goal cell of the blank and the groups in what follows the size in the name of a file.
fn kind_in(name: &str) -> Option<(usize, u8, &str)> {
    let (blank, groups) = name.strip_prefix("blank")?.split_once('-')?;
    let blank = blank.parse().ok()?;
    Some(match groups.strip_prefix("tile-classes-") {
        Some(groups) => (1, blank, groups),
        None => (0, blank, groups),
    })
}

/// The groups of cells in the name of a file, as in `1,2,3,4_5,6,7,8` or `1,3@0,2_4,5`.
fn groups_in(name: &str) -> Option<Vec<Group>> {
    let list =
        |text: &str| -> Option<Vec<u8>> { text.split(',').map(|cell| cell.parse().ok()).collect() };
    let group = |text: &str| match text.split_once('@') {
        Some((cells, ends)) => Some(Group { cells: list(cells)?, ends: list(ends)? }),
        None => Some(Group { cells: list(text)?, ends: Vec::new() }),
    };
    name.split(['_', '+']).map(group).collect()
}
