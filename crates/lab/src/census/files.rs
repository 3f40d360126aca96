//! Files of blocks: the states at one distance in one block of a census on disk.
//!
//! | part | content |
//! |---|---|
//! | a line of text | the census, the level and the block |
//! | states, 8 bytes | number of states |
//! | 12 bytes for each cell | of the slice with the blank there: length in bytes, 0 if it has no states (8 bytes), and CRC-32 (4 bytes) |
//! | 4 bytes | CRC-32 of all that precedes |
//! | the slices | [packed](PackedSlice), by cell |
//!
//! All numbers are little endian. A file is written under another name, flushed to the disk, and then renamed, so a file
//! that is there is complete, even after a power failure.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use loyd_kernels::PackedSlice;

/// Extension of a file that is being written.
const NEW: &str = "new";

/// Size of the number of states, and of the checksum of the header.
const STATES: usize = 8;
const CHECKSUM: usize = 4;

/// Size of the entry of a cell.
const ENTRY: usize = 12;

/// A block's file that is being read.
pub struct BlockReader {
    path: PathBuf,
    file: File,
    states: u64,
    /// By cell: offset, length and checksum of the slice.
    slices: Vec<(u64, u64, u32)>,
}

/// A block's file that is being written.
pub struct BlockWriter {
    path: PathBuf,
    file: File,
    header: Vec<u8>,
    title: usize,
}

impl BlockReader {
    /// Opens the file of a block, with this first line, on a board with this many cells.
    ///
    /// # Errors
    /// Returns an error that names the file if it cannot be read, is one of another block, or is damaged.
    pub fn open(path: &Path, title: &str, cells: usize) -> io::Result<Self> {
        named(path, Self::open_unnamed(path, title, cells))
    }

    fn open_unnamed(path: &Path, title: &str, cells: usize) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let mut header = vec![0; title.len() + STATES + cells * ENTRY + CHECKSUM];
        file.read_exact(&mut header).map_err(|_| damaged("header"))?;
        let (found, _) = header.split_at(title.len());
        if found != title.as_bytes() {
            let title = title.trim_end();
            let what =
                format!("the file is damaged or of another block: it does not start `{title}`");
            return Err(io::Error::new(ErrorKind::InvalidData, what));
        }
        let (content, checksum) = header.split_at(header.len() - CHECKSUM);
        if crc32fast::hash(content).to_le_bytes() != checksum {
            return Err(damaged("header"));
        }
        let numbers = &content[title.len()..];
        let (states, entries) = numbers.split_first_chunk().expect("the header has this length");
        let mut offset = header.len() as u64;
        let slices = entries.chunks_exact(ENTRY).map(|entry| {
            let (length, checksum) = entry.split_first_chunk().expect("an entry has this length");
            let length = u64::from_le_bytes(*length);
            let slice =
                (offset, length, u32::from_le_bytes(checksum.try_into().expect("four bytes")));
            offset += length;
            slice
        });
        let slices = slices.collect();
        if file.metadata()?.len() != offset {
            return Err(damaged("length"));
        }
        Ok(Self { path: path.to_owned(), file, states: u64::from_le_bytes(*states), slices })
    }

    /// Returns the number of states.
    pub fn states(&self) -> u64 {
        self.states
    }

    /// Returns whether there are states with the blank on this cell.
    pub fn has(&self, blank: u8) -> bool {
        self.slices[usize::from(blank)].1 > 0
    }

    /// Reads the states with the blank on this cell, of which there are some.
    ///
    /// # Errors
    /// Returns an error that names the file if it cannot be read or is damaged.
    pub fn read(&self, blank: u8, slice: &mut PackedSlice) -> io::Result<()> {
        let (offset, length, checksum) = self.slices[usize::from(blank)];
        let read = (|| {
            let length = usize::try_from(length).unwrap_or(usize::MAX);
            let packed = slice.reset(length).ok_or_else(|| damaged("slice"))?;
            (&self.file).seek(SeekFrom::Start(offset))?;
            (&self.file).read_exact(packed)?;
            if crc32fast::hash(packed) == checksum { Ok(()) } else { Err(damaged("slice")) }
        })();
        named(&self.path, read)
    }

    /// Returns the error that a slice with the right checksum is malformed.
    pub fn malformed(&self) -> io::Error {
        let malformed: io::Result<()> = named(&self.path, Err(damaged("slice")));
        malformed.expect_err("it is an error")
    }
}

impl BlockWriter {
    /// Starts to write the file of a block, under another name. It overwrites the file `spare`, if there is one, so that
    /// neither memory nor space on the disk has to be allocated.
    ///
    /// # Errors
    /// Returns an error that names the file if it cannot be created.
    pub fn create(
        path: &Path,
        spare: Option<&Path>,
        title: &str,
        cells: usize,
    ) -> io::Result<Self> {
        let mut header = title.as_bytes().to_vec();
        header.resize(title.len() + STATES + cells * ENTRY + CHECKSUM, 0);
        let new = path.with_extension(NEW);
        let created = (|| {
            let mut file = match spare {
                Some(spare) => {
                    fs::rename(spare, &new)?;
                    File::options().write(true).open(&new)?
                }
                None => File::create(&new)?,
            };
            file.write_all(&header)?;
            Ok(file)
        })();
        let file = named(path, created)?;
        Ok(Self { path: path.to_owned(), file, header, title: title.len() })
    }

    /// Writes the states with the blank on this cell. The cells must come in order.
    ///
    /// # Errors
    /// Returns an error that names the file if it cannot be written.
    pub fn write(&mut self, blank: u8, slice: &PackedSlice) -> io::Result<()> {
        let packed = slice.as_bytes();
        let entry = self.title + STATES + usize::from(blank) * ENTRY;
        self.header[entry..][..8].copy_from_slice(&(packed.len() as u64).to_le_bytes());
        self.header[entry + 8..][..4].copy_from_slice(&crc32fast::hash(packed).to_le_bytes());
        named(&self.path, self.file.write_all(packed))
    }

    /// Ends the file with the number of its states and gives it its name.
    ///
    /// # Errors
    /// Returns an error that names the file if it cannot be written.
    pub fn finish(mut self, states: u64) -> io::Result<()> {
        let end = self.header.len() - CHECKSUM;
        self.header[self.title..][..STATES].copy_from_slice(&states.to_le_bytes());
        let checksum = crc32fast::hash(&self.header[..end]).to_le_bytes();
        self.header[end..].copy_from_slice(&checksum);
        let finished = (|| {
            // A spare file may have been longer.
            let length = self.file.stream_position()?;
            self.file.set_len(length)?;
            self.file.seek(SeekFrom::Start(0))?;
            self.file.write_all(&self.header)?;
            self.file.sync_all()?;
            fs::rename(self.path.with_extension(NEW), &self.path)?;
            sync_folder(&self.path)
        })();
        named(&self.path, finished)
    }
}

/// Flushes the name of a file to the disk, where the system can.
fn sync_folder(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) if cfg!(unix) => File::open(folder)?.sync_all(),
        _ => Ok(()),
    }
}

fn damaged(part: &str) -> io::Error {
    let what = format!("the file is damaged: its {part} is not as it was written");
    io::Error::new(ErrorKind::InvalidData, what)
}

/// Adds the name of the file to an error.
fn named<T>(path: &Path, result: io::Result<T>) -> io::Result<T> {
    result.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
}
