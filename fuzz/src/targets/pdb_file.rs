//! Files of tables. A change of any bit is found by checksums, behind which no fuzzer would come; so the
//! bytes are taken once as a file and once, for each kind, as what a file with right checksums holds: the
//! first one says how many belong to the header, the others are the words.

use loyd::CancelToken;
use loyd::search::{Limits, Meter};
use loyd::tables::file::{self, Contents, FORMAT_VERSION, FileError, Header, TableKey};

const MAGICS: [&[u8; 8]; 3] = [b"LOYD-PDB", b"LOYD-ALK", b"LOYD-AUT"];

/// The bytes of the header that is made.
const HEADER: usize = 4096;
/// Where the checksum of the words is.
const CHECKSUM: std::ops::Range<usize> = 28..32;

/// What reading may hold.
const MOST: u64 = 1 << 20;

pub fn check(bytes: &[u8]) {
    is_read_in_bounds(bytes);
    let Some((&fields, rest)) = bytes.split_first() else { return };
    let (fields, words) = rest.split_at(usize::from(fields).min(rest.len()));
    for magic in MAGICS {
        is_read_in_bounds(&with_checksums(magic, fields, words));
    }
}

/// A file with these fields and words, and the checksums that belong to them.
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
    Meter::new(Limits { max_bytes: Some(MOST), ..Limits::default() }, CancelToken::new())
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
        Contents::Patterns(key) => is_written(file, &header, key, skimmed),
        Contents::TileClasses(key) => is_written(file, &header, key, skimmed),
        Contents::Automaton(key) => is_written(file, &header, key, skimmed),
    }
}

/// What can be read is what was skimmed, and is read again after it was written.
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
