//! Files of pattern databases. A change of any bit is found by checksums, behind which no fuzzer would
//! come; so the bytes are taken once as a file and once as what a file with right checksums holds: the
//! first one says how many belong to the header, the others are the words.

use loyd::pdb::{Database, FORMAT_VERSION, FileError, Header};
use loyd::{CancelToken, Limits, Meter};

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
    is_read_in_bounds(&file(fields, words));
}

/// A file with these fields and words, and the checksums that belong to them.
fn file(fields: &[u8], words: &[u8]) -> Vec<u8> {
    let mut file = b"LOYD-PDB".to_vec();
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
    assert_eq!(header.censuses.len(), header.partition.patterns().len());
    let mut words = Vec::new();
    let skimmed = header.read_words(&mut rest, &mut meter(), |piece| words.extend(piece));
    let read = Database::read(&header.partition, &mut &file[..], &mut meter());
    match read {
        Ok(database) => {
            assert!(skimmed.is_ok() && database.words() == words);
            is_written(&database, &header);
        }
        Err(FileError::Header(_) | FileError::Stopped(_)) => {}
        Err(error) => assert!(skimmed.is_err(), "{error}"),
    }
}

fn is_written(database: &Database, header: &Header) {
    let mut written = Vec::new();
    database.write(&mut written).expect("memory can be written");
    assert_eq!(&Header::read(&mut &written[..]).expect("it was written"), header);
    let again = Database::read(&header.partition, &mut &written[..], &mut meter());
    assert!(again.expect("it was written").words() == database.words());
}
