//! Table files. Checksums detect every changed bit, so random bytes would never get past them. The bytes are therefore
//! read in two ways: as a file, and, for each kind of table, as the contents of a file with correct checksums. In the
//! second case the first byte is the number of bytes that belong to the header, and the rest are the words.

use loyd::CancelToken;
use loyd::search::{Limits, Meter};
use loyd::tables::file::{self, AnyTableKey, FORMAT_VERSION, FileError, Header, TableKey};

const MAGICS: [&[u8; 8]; 3] = [b"LOYD-PDB", b"LOYD-ALK", b"LOYD-AUT"];

/// Length of the generated header in bytes.
const HEADER: usize = 4096;
/// Bytes of the header with the checksum of the words.
const CHECKSUM: std::ops::Range<usize> = 28..32;

/// Memory limit for reading, in bytes.
const MAX_BYTES: u64 = 1 << 20;

pub fn check(bytes: &[u8]) {
    is_read_in_bounds(bytes);
    let Some((&fields, rest)) = bytes.split_first() else { return };
    let (fields, words) = rest.split_at(usize::from(fields).min(rest.len()));
    for magic in MAGICS {
        is_read_in_bounds(&with_checksums(magic, fields, words));
    }
}

/// Returns a file with these fields and words and with correct checksums.
fn with_checksums(magic: &[u8], fields: &[u8], words: &[u8]) -> Vec<u8> {
    let mut file = magic.to_vec();
    file.extend(FORMAT_VERSION.to_le_bytes());
    file.extend((HEADER as u32).to_le_bytes());
    file.extend(fields);
    file.resize(HEADER - size_of::<u32>(), 0);
    file[CHECKSUM].copy_from_slice(&crc32fast::hash(words).to_le_bytes());
    file.extend(crc32fast::hash(&file).to_le_bytes());
    file.extend(words);
    file
}

fn meter() -> Meter<'static> {
    Meter::new(Limits { max_bytes: Some(MAX_BYTES), ..Limits::default() }, CancelToken::new())
}

fn is_read_in_bounds(file: &[u8]) {
    let mut rest = file;
    let header = match Header::read(&mut rest) {
        Err(error) => return assert!(!error.to_string().is_empty()),
        Ok(header) => header,
    };
    assert!(file.len() - rest.len() <= 1 << 20, "a header is not longer");
    let mut words = Vec::new();
    let skimmed = header.read_words(&mut rest, &mut meter(), |piece| words.extend(piece));
    let skimmed = skimmed.map(|()| words);
    match &header.contents {
        AnyTableKey::Patterns(key) => is_written(file, &header, key, skimmed),
        AnyTableKey::TileClasses(key) => is_written(file, &header, key, skimmed),
        AnyTableKey::Automaton(key) => is_written(file, &header, key, skimmed),
    }
}

/// Checks that the table is what was read piece by piece, and that it can be written and read back.
fn is_written<K: TableKey>(
    file: &[u8],
    header: &Header,
    key: &K,
    skimmed: Result<Vec<u64>, FileError>,
) {
    let table = match file::read(key, &mut &file[..], &mut meter()) {
        Ok(table) => table,
        Err(FileError::Header(_) | FileError::Stopped(_)) => return,
        Err(error) => return assert!(skimmed.is_err(), "{error}"),
    };
    let words = K::pieces(&table).concat();
    assert!(skimmed.expect("it was read") == words);
    let mut written = Vec::new();
    file::write(key, &table, &mut written).expect("memory can be written");
    assert_eq!(&Header::read(&mut &written[..]).expect("it was written"), header);
    let again = file::read(key, &mut &written[..], &mut meter()).expect("it was written");
    assert!(K::pieces(&again).concat() == words);
}
