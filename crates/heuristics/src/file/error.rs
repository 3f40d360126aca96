//! Why files are not used.

use std::io;

use loyd_search::Stop;

use super::contents::{Contents, Senseless};
use crate::pdb::PartitionError;

/// The version of the format that is written, and the only one that is read.
pub const FORMAT_VERSION: u32 = 1;

/// Why a file is not used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// It begins like something else.
    #[error("it is not a file of tables")]
    NotATable,
    /// It was written by an older or a newer program.
    #[error("it has version {0} of the format, and this program reads version {FORMAT_VERSION}")]
    Version(u32),
    /// It holds tables, but others than those wanted.
    #[error("it holds {0}")]
    Other(Box<Contents>),
    /// It ends too early.
    #[error("it is cut short")]
    CutShort,
    /// It goes on where it should end.
    #[error("it is longer than it should be")]
    TooLong,
    /// The checksum does not fit: bits have changed.
    #[error("it is damaged: the checksum of its {0} is wrong")]
    Checksum(&'static str),
    /// The header says what cannot be, though its checksum fits.
    #[error("its header makes no sense: {0}")]
    Header(&'static str),
    /// The patterns in the header are no partition, though its checksum fits.
    #[error("its patterns are no partition: {0}")]
    Partition(#[from] PartitionError),
    /// It cannot be read.
    #[error("it cannot be read: {0}")]
    Io(io::Error),
    /// A limit was reached first; that says nothing of the file.
    #[error(transparent)]
    Stopped(#[from] Stop),
}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::CutShort,
            _ => Self::Io(error),
        }
    }
}

impl From<Senseless> for FileError {
    fn from(reason: Senseless) -> Self {
        match reason {
            Senseless::Header(what) => Self::Header(what),
            Senseless::Partition(error) => Self::Partition(error),
        }
    }
}
