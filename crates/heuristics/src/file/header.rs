//! What a file says of itself before the tables begin.

use std::io::Read;

use super::contents::{Contents, Group};
use super::error::{FORMAT_VERSION, FileError};
use super::key::TableKey;

/// The kind, version and length: what has to be known to read the rest.
const START: usize = 16;
const MAGIC: usize = 8;

/// The header takes a multiple of so many bytes, so that the words begin on a page of their own.
const PAGE: usize = 4096;

/// All patterns of a board with hundreds of distances take less.
const MAX_BYTES: usize = 1 << 20;

/// Set in the number of cells of a group that is followed by where the blank may end.
const HAS_ENDS: u8 = 1 << 7;

/// The header of a file: what its tables are about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The key of the tables.
    pub contents: Contents,
    /// For each table, how many states there are at each distance.
    pub censuses: Vec<Vec<u64>>,
    /// The number of words that follow.
    pub words: u64,
    /// The CRC-32 of the words.
    pub checksum: u32,
}

impl Header {
    /// Reads the header at the beginning of a file.
    ///
    /// # Errors
    /// Why the file is not used.
    pub fn read(from: &mut impl Read) -> Result<Self, FileError> {
        let mut bytes = Vec::new();
        from.take(START as u64).read_to_end(&mut bytes)?;
        let magic = &bytes[..bytes.len().min(MAGIC)];
        let kind = Contents::MAGICS.iter().position(|known| known.starts_with(magic));
        let kind = kind.ok_or(FileError::NotATable)?;
        let mut fields = Fields(bytes.get(MAGIC..START).ok_or(FileError::CutShort)?);
        let version = fields.u32()?;
        if version != FORMAT_VERSION {
            return Err(FileError::Version(version));
        }
        let length = fields.u32()? as usize;
        if !(PAGE..=MAX_BYTES).contains(&length) || !length.is_multiple_of(PAGE) {
            return Err(FileError::Header("its own length"));
        }
        bytes.resize(length, 0);
        from.read_exact(&mut bytes[START..])?;
        let (body, checksum) = bytes.split_at(length - size_of::<u32>());
        if crc32fast::hash(body) != Fields(checksum).u32()? {
            return Err(FileError::Checksum("header"));
        }
        Self::from_fields(kind, Fields(&body[START..]))
    }

    /// Reads the header at the beginning of a file, which has to be about `key`.
    ///
    /// # Errors
    /// Why the file is not used.
    pub fn read_for(key: &impl TableKey, from: &mut impl Read) -> Result<Self, FileError> {
        let header = Self::read(from)?;
        match header.contents == key.contents() {
            true => Ok(header),
            false => Err(FileError::Other(Box::new(header.contents))),
        }
    }

    /// The bytes of the words.
    pub fn word_bytes(&self) -> u64 {
        self.words.saturating_mul(size_of::<u64>() as u64)
    }

    /// Checks that the tables have as many words as the header says.
    ///
    /// # Errors
    /// [`FileError::Header`] if not.
    pub fn expect_words(&self, words: u64) -> Result<(), FileError> {
        match self.words == words {
            true => Ok(()),
            false => Err(FileError::Header("the number of words")),
        }
    }

    fn from_fields(kind: usize, mut fields: Fields<'_>) -> Result<Self, FileError> {
        let [width, height, mark, count] = fields.array()?;
        let (words, checksum) = (fields.u64()?, fields.u32()?);
        let (mut groups, mut censuses) = (Vec::new(), Vec::new());
        for place in 0..count.into() {
            groups.push(fields.group()?);
            let levels = u16::from_le_bytes(fields.array()?);
            let census = (0..levels).map(|_| fields.u64());
            let census = census.collect::<Result<Vec<_>, _>>()?;
            match Contents::has_census(kind, place) {
                true => censuses.push(census),
                false if census.is_empty() => {}
                false => return Err(FileError::Header("the number of distances")),
            }
        }
        let contents = Contents::of_groups(kind, [width, height, mark], groups)?;
        Ok(Self { contents, censuses, words, checksum })
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let (size, kind, groups) =
            (self.contents.size(), self.contents.place(), self.contents.groups());
        let mark = self.contents.mark();
        let mut body = vec![size.width() as u8, size.height() as u8, mark, groups.len() as u8];
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
            let census = Some(place).filter(|&place| Contents::has_census(kind, place));
            let census = census.and_then(|_| censuses.next()).map_or(&[][..], Vec::as_slice);
            body.extend((census.len() as u16).to_le_bytes());
            body.extend(census.iter().flat_map(|states| states.to_le_bytes()));
        }
        let length = (START + body.len() + size_of::<u32>()).next_multiple_of(PAGE);
        let mut bytes = Contents::MAGICS[kind].to_vec();
        bytes.extend(FORMAT_VERSION.to_le_bytes());
        bytes.extend((length as u32).to_le_bytes());
        bytes.extend(body);
        bytes.resize(length - size_of::<u32>(), 0);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }
}

/// Bytes from which numbers are taken, one after the other.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn take(&mut self, bytes: usize) -> Result<&'a [u8], FileError> {
        let (taken, rest) =
            self.0.split_at_checked(bytes).ok_or(FileError::Header("more than it can hold"))?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], FileError> {
        Ok(self.take(N)?.try_into().expect("as many bytes were taken"))
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
