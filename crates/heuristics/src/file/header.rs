//! The header of a file, and the reasons why a file cannot be used.

use std::io::{self, Read};

use loyd_search::Stop;

use super::contents::{AnyTableKey, Group, InvalidGroups, TableKey};
use crate::pdb::PartitionError;

/// The version of the file format. Files of other versions are rejected.
pub const FORMAT_VERSION: u32 = 1;

/// The reason why a file cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file does not start with the magic of a table file.
    #[error("it is not a table file")]
    NotATable,
    /// An older or newer version of the program wrote the file.
    #[error("it has version {0} of the format, and this program reads version {FORMAT_VERSION}")]
    Version(u32),
    /// The file holds tables of another key.
    #[error("it holds {0}")]
    OtherKey(Box<AnyTableKey>),
    /// The file ends too early.
    #[error("it is truncated")]
    Truncated,
    /// The file continues past its last word.
    #[error("it is longer than it should be")]
    TooLong,
    /// A checksum does not match: bits have changed.
    #[error("it is damaged: the checksum of its {0} is wrong")]
    Checksum(&'static str),
    /// A field of the header is invalid, although the checksum matches.
    #[error("its header is invalid: {0}")]
    Header(&'static str),
    /// The patterns in the header do not form a partition, although the checksum matches.
    #[error("its patterns do not form a partition: {0}")]
    Partition(#[from] PartitionError),
    /// Reading failed.
    #[error("it cannot be read: {0}")]
    Io(io::Error),
    /// A limit was reached while reading; the file may be intact.
    #[error(transparent)]
    Stopped(#[from] Stop),
}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::Truncated,
            _ => Self::Io(error),
        }
    }
}

impl From<InvalidGroups> for FileError {
    fn from(reason: InvalidGroups) -> Self {
        match reason {
            InvalidGroups::Header(what) => Self::Header(what),
            InvalidGroups::Partition(error) => Self::Partition(error),
        }
    }
}

/// Bytes of the fixed part: kind, version and header length, which are needed to read the rest.
const PREFIX_BYTES: usize = 16;
const MAGIC: usize = 8;

/// The header is padded to a multiple of this, so that the words are aligned to a page.
const PAGE: usize = 4096;

/// Maximum length of a header. The patterns of any board, with hundreds of distances each, need less.
const MAX_BYTES: usize = 1 << 20;

/// Flag in the number of cells of a group: the list of cells on which the blank may end follows the cells.
const HAS_ENDS: u8 = 1 << 7;

/// The header of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The key of the tables.
    pub contents: AnyTableKey,
    /// The number of states at each distance, for each group of cells that has distances.
    pub censuses: Vec<Vec<u64>>,
    /// The number of words that follow.
    pub words: u64,
    /// The CRC-32 of the words.
    pub checksum: u32,
}

impl Header {
    /// Reads the header at the start of a file.
    ///
    /// # Errors
    /// Returns the reason why the file cannot be used.
    pub fn read(from: &mut impl Read) -> Result<Self, FileError> {
        let mut bytes = Vec::new();
        from.take(PREFIX_BYTES as u64).read_to_end(&mut bytes)?;
        let magic = &bytes[..bytes.len().min(MAGIC)];
        let kind = AnyTableKey::MAGICS.iter().position(|known| known.starts_with(magic));
        let kind = kind.ok_or(FileError::NotATable)?;
        let mut fields = Fields(bytes.get(MAGIC..PREFIX_BYTES).ok_or(FileError::Truncated)?);
        let version = fields.u32()?;
        if version != FORMAT_VERSION {
            return Err(FileError::Version(version));
        }
        let length = fields.u32()? as usize;
        if !(PAGE..=MAX_BYTES).contains(&length) || !length.is_multiple_of(PAGE) {
            return Err(FileError::Header("its own length"));
        }
        bytes.resize(length, 0);
        from.read_exact(&mut bytes[PREFIX_BYTES..])?;
        let (body, checksum) = bytes.split_at(length - size_of::<u32>());
        if crc32fast::hash(body) != Fields(checksum).u32()? {
            return Err(FileError::Checksum("header"));
        }
        Self::from_fields(kind, Fields(&body[PREFIX_BYTES..]))
    }

    /// Reads the header at the start of a file and checks that it has the key `key`.
    ///
    /// # Errors
    /// Returns the reason why the file cannot be used.
    pub fn read_for(key: &impl TableKey, from: &mut impl Read) -> Result<Self, FileError> {
        let header = Self::read(from)?;
        match header.contents == key.contents() {
            true => Ok(header),
            false => Err(FileError::OtherKey(Box::new(header.contents))),
        }
    }

    /// Returns the size of the words in bytes.
    pub fn word_bytes(&self) -> u64 {
        self.words.saturating_mul(size_of::<u64>() as u64)
    }

    /// Checks that the header specifies `words` words.
    ///
    /// # Errors
    /// [`FileError::Header`] if it does not.
    pub fn expect_words(&self, words: u64) -> Result<(), FileError> {
        match self.words == words {
            true => Ok(()),
            false => Err(FileError::Header("the number of words")),
        }
    }

    fn from_fields(kind: usize, mut fields: Fields<'_>) -> Result<Self, FileError> {
        let [width, height, blank_or_metric, count] = fields.array()?;
        let (words, checksum) = (fields.u64()?, fields.u32()?);
        let (mut groups, mut censuses) = (Vec::new(), Vec::new());
        for place in 0..count.into() {
            groups.push(fields.group()?);
            let levels = u16::from_le_bytes(fields.array()?);
            let census = (0..levels).map(|_| fields.u64());
            let census = census.collect::<Result<Vec<_>, _>>()?;
            match AnyTableKey::has_census(kind, place) {
                true => censuses.push(census),
                false if census.is_empty() => {}
                false => return Err(FileError::Header("the number of distances")),
            }
        }
        let contents = AnyTableKey::of_groups(kind, [width, height, blank_or_metric], groups)?;
        Ok(Self { contents, censuses, words, checksum })
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let (size, kind, groups) =
            (self.contents.size(), self.contents.kind_index(), self.contents.groups());
        let blank_or_metric = self.contents.blank_or_metric();
        let mut body =
            vec![size.width() as u8, size.height() as u8, blank_or_metric, groups.len() as u8];
        body.extend(self.words.to_le_bytes());
        body.extend(self.checksum.to_le_bytes());
        let mut censuses = self.censuses.iter();
        for (place, Group { cells, ends }) in groups.iter().enumerate() {
            let flag = if ends.is_empty() { 0 } else { HAS_ENDS };
            body.push(cells.len() as u8 | flag);
            body.extend(cells);
            if !ends.is_empty() {
                body.push(ends.len() as u8);
                body.extend(ends);
            }
            let census = Some(place).filter(|&place| AnyTableKey::has_census(kind, place));
            let census = census.and_then(|_| censuses.next()).map_or(&[][..], Vec::as_slice);
            body.extend((census.len() as u16).to_le_bytes());
            body.extend(census.iter().flat_map(|states| states.to_le_bytes()));
        }
        let length = (PREFIX_BYTES + body.len() + size_of::<u32>()).next_multiple_of(PAGE);
        let mut bytes = AnyTableKey::MAGICS[kind].to_vec();
        bytes.extend(FORMAT_VERSION.to_le_bytes());
        bytes.extend((length as u32).to_le_bytes());
        bytes.extend(body);
        bytes.resize(length - size_of::<u32>(), 0);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }
}

/// A cursor over the fields of a header.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn take(&mut self, bytes: usize) -> Result<&'a [u8], FileError> {
        let (taken, rest) =
            self.0.split_at_checked(bytes).ok_or(FileError::Header("a field past its end"))?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], FileError> {
        Ok(self.take(N)?.try_into().expect("`take` returns `N` bytes"))
    }

    fn group(&mut self) -> Result<Group, FileError> {
        let [count] = self.array()?;
        let cells = self.cells(count & !HAS_ENDS)?;
        let ends = match count & HAS_ENDS {
            0 => Vec::new(),
            _ => {
                let [count] = self.array()?;
                self.cells(count)?
            }
        };
        Ok(Group { cells, ends })
    }

    fn cells(&mut self, count: u8) -> Result<Vec<u8>, FileError> {
        match count {
            0 => Err(FileError::Header("the cells of a pattern")),
            _ => Ok(self.take(count.into())?.to_vec()),
        }
    }

    fn u32(&mut self) -> Result<u32, FileError> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, FileError> {
        self.array().map(u64::from_le_bytes)
    }
}
