use loyd_search::{CancelToken, Limits};
use loyd_tiles::Size;

use super::*;
use crate::pdb::Plain;

fn partition(text: &str) -> Partition {
    Partition::parse(text, Size::EIGHT, 0).unwrap()
}

fn database(text: &str) -> Database {
    Database::build::<Plain>(partition(text), &mut Meter::default()).unwrap()
}

fn bytes(database: &Database) -> Vec<u8> {
    let mut bytes = Vec::new();
    database.write(&mut bytes).unwrap();
    bytes
}

fn read(text: &str, mut bytes: &[u8]) -> Result<Database, FileError> {
    Database::read(&partition(text), &mut bytes, &mut Meter::default())
}

/// As the reader that keeps nothing sees it.
fn skim(mut bytes: &[u8]) -> Result<Vec<u64>, FileError> {
    let mut words = Vec::new();
    let header = Header::read(&mut bytes)?;
    header.read_words(&mut bytes, &mut Meter::default(), |piece| words.extend_from_slice(piece))?;
    Ok(words)
}

#[test]
fn what_is_written_is_read() {
    for text in ["default", "1,2,3,4/5,6,7,8", "1/2/3/4/5/6/7/8"] {
        let written = database(text);
        let bytes = bytes(&written);
        let again = read(text, &bytes).unwrap();
        assert_eq!(again.partition(), written.partition());
        assert!(again.words() == written.words() && again.words().iter().any(|&word| word != 0));
        assert!(
            again
                .parts()
                .iter()
                .map(|part| part.census())
                .eq(written.parts().iter().map(|part| part.census()))
        );
        assert!(skim(&bytes).unwrap() == written.words());
    }
}

#[test]
fn the_form_is_the_one_that_is_documented() {
    let database = database("1,2,3,4/5,6,7,8");
    let bytes = bytes(&database);
    let u32_at = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    assert_eq!(&bytes[..8], b"LOYD-PDB");
    assert_eq!((u32_at(8), u32_at(12)), (FORMAT_VERSION, 4096));
    assert_eq!(bytes[16..20], [3, 3, 0, 2]);
    assert_eq!(u32_at(20) as usize, database.words().len());
    assert_eq!(u32_at(28), crc32fast::hash(&bytes[4096..]));
    assert_eq!(bytes[32..37], [4, 1, 2, 3, 4]);
    let levels = usize::from(u16::from_le_bytes([bytes[37], bytes[38]]));
    assert_eq!(levels, database.parts()[0].census().len());
    assert_eq!((bytes[39], bytes[39 + 8 * levels]), (1, 4));
    assert_eq!(u32_at(4092), crc32fast::hash(&bytes[..4092]));
    assert_eq!(bytes.len(), 4096 + 8 * database.words().len());
    assert_eq!(bytes[4096..4104], database.words()[0].to_le_bytes());
}

#[test]
fn every_flipped_bit_is_found() {
    let text = "1,2/3,4/5,6/7,8";
    let mut bytes = bytes(&database(text));
    for bit in 0..8 * bytes.len() {
        bytes[bit / 8] ^= 1 << (bit % 8);
        let error = read(text, &bytes).map(|_| ()).unwrap_err();
        match bit / 8 {
            0..8 => assert!(matches!(error, FileError::NotATable), "{bit}: {error}"),
            8..12 => assert!(matches!(error, FileError::Version(_)), "{bit}: {error}"),
            12..16 => {}
            16..4096 => assert!(matches!(error, FileError::Checksum("header")), "{bit}: {error}"),
            _ => assert!(matches!(error, FileError::Checksum("tables")), "{bit}: {error}"),
        }
        assert!(skim(&bytes).is_err(), "{bit}");
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
    assert!(read(text, &bytes).is_ok());
}

#[test]
fn every_other_length_is_found() {
    let text = "1,2/3,4/5,6/7,8";
    let mut bytes = bytes(&database(text));
    for length in 0..bytes.len() {
        let error = read(text, &bytes[..length]).map(|_| ()).unwrap_err();
        assert!(matches!(error, FileError::CutShort), "{length}: {error}");
        assert!(matches!(skim(&bytes[..length]), Err(FileError::CutShort)), "{length}");
    }
    bytes.push(0);
    assert!(matches!(read(text, &bytes), Err(FileError::TooLong)));
    assert!(matches!(read(text, b"something else"), Err(FileError::NotATable)));
}

#[test]
fn other_tables_are_refused() {
    let bytes = bytes(&database("1,2,3,4/5,6,7,8"));
    let error = read("1,2,3,5/4,6,7,8", &bytes).unwrap_err().to_string();
    assert_eq!(error, "it holds 1,2,3,4/5,6,7,8 of 3x3 boards with goal cell 0 of the blank");
}

/// What a header with a fitting checksum may still get wrong.
#[test]
fn nonsense_is_refused() {
    let sound = bytes(&database("1,2,3,4/5,6,7,8"));
    for (at, value, reason) in [
        (16, 0, "the size of the board"),
        (16, 200, "the size of the board"),
        (18, 9, "the size of the board"),
        (18, 1, "cell 1 appears twice"),
        (20, 1, "the number of words"),
        (32, 0, "the cells of a pattern"),
        (33, 9, "the cells of a pattern"),
        (33, 2, "cell 2 appears twice"),
        (19, 1, "the number of words"),
        (38, 255, "more than it can hold"),
    ] {
        let mut bytes = sound.clone();
        bytes[at] = value;
        let checksum = crc32fast::hash(&bytes[..4092]);
        bytes[4092..4096].copy_from_slice(&checksum.to_le_bytes());
        let error = match Header::read(&mut &bytes[..]) {
            Err(error) => error,
            Ok(header) => Database::read(&header.partition, &mut &bytes[..], &mut Meter::default())
                .unwrap_err(),
        };
        assert!(error.to_string().contains(reason), "{at}: {error}");
    }
}

#[test]
fn reading_keeps_within_limits() {
    let bytes = bytes(&database("default"));
    let read = |limits, cancel| {
        let mut meter = Meter::new(limits, cancel);
        Database::read(&partition("default"), &mut &bytes[..], &mut meter).map(|_| ()).unwrap_err()
    };
    let little = Limits { max_bytes: Some(1000), ..Limits::default() };
    let error = read(little, CancelToken::new());
    assert!(matches!(error, FileError::Stopped(Stop::Memory)), "{error}");
    let cancel = CancelToken::new();
    cancel.cancel();
    let error = read(Limits::default(), cancel);
    assert!(matches!(error, FileError::Stopped(Stop::Cancelled)), "{error}");
}
