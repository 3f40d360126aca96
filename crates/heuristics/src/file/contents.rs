//! What there is in files of tables.

use std::fmt;

use loyd_tiles::Size;

use super::FileError;
use crate::pdb::tile_classes::TileClasses;
use crate::pdb::{MAX_CELLS, MAX_WIDE_CELLS, Partition, WidePattern, WideSet};

/// What a file of tables is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Contents {
    /// Pattern databases of boards of at most 16 cells.
    Patterns(Partition),
    /// Distances in slides where tiles of a class are indistinguishable.
    TileClasses(TileClasses),
    /// Pattern databases of larger boards.
    Wide(WideSet),
}

impl Contents {
    /// What files begin with, by kind.
    pub(super) const MAGICS: [&[u8; 8]; 3] = [b"LOYD-PDB", b"LOYD-ALK", b"LOYD-WID"];

    /// The place of the kind in `MAGICS`.
    pub(super) fn place(&self) -> usize {
        match self {
            Self::Patterns(_) => 0,
            Self::TileClasses(_) => 1,
            Self::Wide(_) => 2,
        }
    }

    /// Whether the group of cells at this place has a census, in files of a kind.
    pub(super) fn has_census(kind: usize, group: usize) -> bool {
        match kind {
            0 => true,
            1 => group == 0,
            _ => group.is_multiple_of(2),
        }
    }

    /// The size of the boards, in canonical orientation.
    pub fn size(&self) -> Size {
        match self {
            Self::Patterns(partition) => partition.size(),
            Self::TileClasses(classes) => classes.size(),
            Self::Wide(set) => set.size(),
        }
    }

    /// The goal cell of the blank, if there is one for all tables.
    pub fn blank(&self) -> Option<u8> {
        match self {
            Self::Patterns(partition) => Some(partition.blank()),
            Self::TileClasses(classes) => Some(classes.blank()),
            Self::Wide(_) => None,
        }
    }

    /// A word for the kind: `patterns`, `alike` or `wide`.
    pub fn kind(&self) -> &'static str {
        ["patterns", "alike", "wide"][self.place()]
    }

    /// The goal cells of each group, as in `1,2,3/4,5,6,7/…`; those of wide patterns are followed by where
    /// the blank may end: `1,2,3,6,7@0/…`.
    pub fn groups_text(&self) -> String {
        match self {
            Self::Patterns(partition) => partition.to_string(),
            Self::TileClasses(classes) => classes.to_string(),
            Self::Wide(set) => set.to_string(),
        }
    }

    /// The name of a partition that has one, as in `7-7-1`; else the goal cells of each group.
    pub fn name(&self) -> String {
        match self {
            Self::Patterns(partition) => partition.name(),
            _ => self.groups_text(),
        }
    }

    /// How the name of the file begins: `4x4-blank0-7-7-1`, or `3x3-blank0-1,2,3,4_5,6,7,8`.
    pub fn stem(&self) -> String {
        let (size, name) = (self.size(), self.name().replace('/', "_"));
        match self {
            Self::Patterns(partition) => format!("{size}-blank{}-{name}", partition.blank()),
            Self::TileClasses(classes) => format!("{size}-blank{}-alike-{name}", classes.blank()),
            Self::Wide(_) => format!("{size}-wide-{name}"),
        }
    }

    /// What the file is about whose name begins so; `None` if no file of tables is called that. The name
    /// has to be just as [`stem`](Self::stem) writes it.
    pub fn of_stem(stem: &str) -> Option<Self> {
        let (size, rest) = stem.split_once('-')?;
        let size: Size = size.parse().ok()?;
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

    /// Whether a file that begins with these bytes is one of tables, sound or not.
    pub fn is_start(bytes: &[u8]) -> bool {
        Self::MAGICS.iter().any(|&magic| bytes.starts_with(magic))
    }

    /// The groups of cells in the header.
    pub(super) fn groups(&self) -> Vec<Vec<u8>> {
        match self {
            Self::Patterns(p) => p.patterns().iter().map(|p| p.cells().to_vec()).collect(),
            Self::TileClasses(classes) => classes.groups(),
            Self::Wide(set) => {
                let groups = |p: &WidePattern| [p.cells().to_vec(), cells_of(p.blanks()).collect()];
                set.patterns().iter().flat_map(groups).collect()
            }
        }
    }

    /// What groups of cells stand for in a file of a kind.
    pub(super) fn of_groups(
        kind: usize,
        [width, height, blank]: [u8; 3],
        groups: Vec<Vec<u8>>,
    ) -> Result<Self, FileError> {
        let most = if kind == 2 { MAX_WIDE_CELLS } else { MAX_CELLS };
        let size = Size::new(width.into(), height.into()).ok();
        let size = size.filter(|size| size.cells() <= most && usize::from(blank) < size.cells());
        let size = size.ok_or(FileError::Header("the size of the board"))?;
        let is_cell = |&cell: &u8| usize::from(cell) < size.cells();
        if !groups.iter().flatten().all(is_cell) {
            return Err(FileError::Header("the cells of a pattern"));
        }
        Ok(match kind {
            0 => Self::Patterns(Partition::of_some(size, blank, groups)?),
            1 => Self::TileClasses(
                TileClasses::of_groups(size, blank, &groups).map_err(FileError::Header)?,
            ),
            _ => {
                let pattern = |pair: &[Vec<u8>]| match pair {
                    [cells, blanks] => {
                        let blanks = blanks.iter().fold(0, |set, cell| set | 1 << cell);
                        WidePattern::checked(size, cells.clone(), blanks)
                    }
                    _ => Err("the number of groups"),
                };
                let patterns: Result<Vec<_>, _> = groups.chunks(2).map(pattern).collect();
                let set = patterns.and_then(|patterns| match blank {
                    // The order is that of the tables.
                    0 if !patterns.is_sorted_by(|a, b| a < b) => Err("the order of patterns"),
                    0 => WideSet::new(patterns).ok_or("the number of groups"),
                    _ => Err("the goal cell of the blank"),
                });
                Self::Wide(set.map_err(FileError::Header)?)
            }
        })
    }
}

/// `7-7-1 of 4x4 boards with goal cell 0 of the blank`.
impl fmt::Display for Contents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !matches!(self, Self::Patterns(_)) {
            write!(f, "{} ", self.kind())?;
        }
        write!(f, "{} of {} boards", self.name(), self.size())?;
        match self.blank() {
            Some(blank) => write!(f, " with goal cell {blank} of the blank"),
            None => Ok(()),
        }
    }
}

/// The kind, the goal cell of the blank and the groups in what follows the size in the name of a file.
fn kind_in(name: &str) -> Option<(usize, u8, &str)> {
    if let Some(groups) = name.strip_prefix("wide-") {
        return Some((2, 0, groups));
    }
    let (blank, groups) = name.strip_prefix("blank")?.split_once('-')?;
    let blank = blank.parse().ok()?;
    Some(match groups.strip_prefix("alike-") {
        Some(groups) => (1, blank, groups),
        None => (0, blank, groups),
    })
}

/// The groups of cells in the name of a file, as in `1,2,3,4_5,6,7,8` or `1,2,4@0_7,8@0`.
fn groups_in(name: &str) -> Option<Vec<Vec<u8>>> {
    let cells = |group: &str| group.split(',').map(|cell| cell.parse().ok()).collect();
    name.split(['_', '@']).map(cells).collect()
}

/// The elements of a set of cells.
fn cells_of(set: u64) -> impl Iterator<Item = u8> {
    (0..64).filter(move |cell| set >> cell & 1 == 1)
}
