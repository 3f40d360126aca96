use std::str::FromStr;

use loyd_search::{Automaton, CancelToken, Limits, Meter, Stop};
use loyd_tiles::{CellSet, Metric, Size};

use super::*;
use crate::AutomatonKey;
use crate::pdb::tile_classes::{TileClassTable, TileClasses};
use crate::pdb::{Database, Partition, Plain};

fn partition(text: &str) -> Partition {
    Partition::parse(text, Size::EIGHT, 0).unwrap()
}

fn database(text: &str) -> Database {
    Database::build::<Plain>(partition(text), &mut Meter::default()).unwrap()
}

fn written<K: TableKey>(key: &K, table: &K::Table) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(key, table, &mut bytes).unwrap();
    bytes
}

fn bytes(database: &Database) -> Vec<u8> {
    written(database.partition(), database)
}

fn read_key<K: TableKey>(key: &K, mut bytes: &[u8]) -> Result<K::Table, FileError> {
    super::read(key, &mut bytes, &mut Meter::default())
}

fn read(text: &str, bytes: &[u8]) -> Result<Database, FileError> {
    read_key(&partition(text), bytes)
}

/// Returns tile classes of a small board, with their table.
fn classes() -> (TileClasses, TileClassTable) {
    let classes = TileClasses::new(Size::new(2, 4).unwrap(), 0, "aabbccdd");
    let table = TileClassTable::build(classes.clone(), &mut Meter::default()).unwrap();
    (classes, table)
}

/// Returns patterns of a larger board, with their tables. Some patterns share a table, and for one of them the blank
/// may end in two regions.
fn large() -> (Partition, Database) {
    let blanks: CellSet = [0, 6, 12].into_iter().collect();
    let groups = [&[1, 3][..], &[14, 16], &[4, 5], &[7]].map(|cells| (cells.to_vec(), blanks));
    let partition =
        Partition::with_blank_cells(Size::new(3, 6).unwrap(), 0, groups.to_vec()).unwrap();
    let database = Database::build::<Plain>(partition.clone(), &mut Meter::default()).unwrap();
    (partition, database)
}

/// Returns an automaton of a small board, with its key.
fn automaton(metric: Metric) -> (AutomatonKey, Automaton) {
    let key = AutomatonKey::new(Size::new(3, 2).unwrap(), metric, 9).unwrap();
    (key, key.build(&mut Meter::default()).unwrap())
}

#[test]
fn tables_of_all_kinds_survive_a_round_trip() {
    fn is_same<K: TableKey>(key: &K, table: &K::Table) {
        let bytes = written(key, table);
        let again = read_key(key, &bytes).unwrap();
        assert!(K::pieces(&again) == K::pieces(table) && !K::pieces(&again)[0].is_empty());
        assert_eq!(K::censuses(&again), K::censuses(table));
        assert!(K::censuses(&again).iter().all(|census| !census.is_empty()));
        assert_eq!(written(key, &again), bytes);
        assert_eq!(skim(&bytes).unwrap(), K::pieces(table).concat());
        // Changed and missing bytes are detected.
        for place in (0..bytes.len()).step_by(7) {
            let mut bytes = bytes.clone();
            bytes[place] ^= 4;
            assert!(read_key(key, &bytes).is_err(), "{place}");
            assert!(read_key(key, &bytes[..place]).is_err(), "{place}");
        }
    }
    let (classes, table) = classes();
    is_same(&classes, &table);
    let (partition, database) = large();
    is_same(&partition, &database);
    for metric in [Metric::SingleTile, Metric::MultiTile] {
        let (key, table) = automaton(metric);
        is_same(&key, &table);
        assert_eq!(read_key(&key, &written(&key, &table)).unwrap(), table);
        assert_eq!(table.census().iter().sum::<u64>(), table.state_count() as u64);
    }
    let header = Header::read(&mut &written(&partition, &database)[..]).unwrap();
    assert_eq!(header.contents, partition.contents());
    let name = "1,3@0,2/4,5/7/14,16";
    let described = format!("{name} of 3x6 boards with goal cell 0 of the blank");
    assert_eq!(header.contents.to_string(), described);
    assert_eq!(header.contents.stem(), format!("3x6-blank0-{}", name.replace('/', "_")));
    assert_eq!(classes.contents().stem(), "2x4-blank0-tile-classes-1_2,3_4,5_6,7");
    let error = read_key(&classes, &written(&partition, &database)).unwrap_err().to_string();
    assert_eq!(error, format!("it holds {described}"));
}

#[test]
fn only_stems_in_written_form_are_parsed() {
    let of_size = |size: &str| Size::from_str(size).unwrap();
    let mut all = vec![classes().0.contents(), large().0.contents()];
    for name in ["5-5-5", "6-6-3", "7-7-1", "7-8", "1,2,3/4,5,6,7,8/9,10,11,12,13,14,15"] {
        all.push(AnyTableKey::Patterns(Partition::parse(name, Size::FIFTEEN, 0).unwrap()));
    }
    for (size, blank) in [("3x3", 1), ("4x4", 5), ("2x8", 0), ("3x5", 4), ("1x12", 0), ("2x5", 0)] {
        all.push(AnyTableKey::Patterns(Partition::default_for(of_size(size), blank)));
        all.extend(TileClasses::default_for(of_size(size), blank).map(AnyTableKey::TileClasses));
    }
    let of_some = Partition::of_some_tiles(Size::FIFTEEN, 0, vec![vec![1, 2, 3], vec![5]]).unwrap();
    all.push(AnyTableKey::Patterns(of_some));
    for (size, metric) in [("5x5", Metric::SingleTile), ("4x6", Metric::MultiTile)] {
        all.extend(AutomatonKey::new(of_size(size), metric, 7).map(AnyTableKey::Automaton));
    }
    assert_eq!(all.last().unwrap().stem(), "4x6-automaton-7-slides");
    for contents in all {
        assert_eq!(AnyTableKey::of_stem(&contents.stem()), Some(contents));
    }
    for other in [
        "",
        "1abc",
        "my-blank-form",
        "x-wide-open",
        "4x4",
        "4x4-blank0",
        "4x4-blank0-",
        "4x4-blank0-backup",
        "4x4-blank0-default",
        "4x4-blank0-7-7-1.old",
        "4x4-blank00-7-7-1",
        "04x4-blank0-7-7-1",
        "4x4-blank16-7-7-1",
        "4x4-blank200-7-7-1",
        "3x3-blank0-7-7-1",
        "3x3-blank9-1,2,3,4_5,6,7,8",
        "3x3-blank0-1,2,3,4_5,6,7,9",
        "3x3-blank0-1,2,3,4_4,5,6,7,8",
        "3x3-blank0-4,1,2,3_5,6,7,8",
        "3x3-blank0-5,6,7,8_1,2,3,4",
        "3x3-blank0-1,2,3,4/5,6,7,8",
        "2x4-blank0-tile-classes-1,2",
        "2x4-blank0-tile-classes-1,2@0_3,4_5,6_7",
        "3x6-blank0-1,3@",
        "3x6-blank0-1,3@0",
        "3x6-blank0-1,3@2,0",
        "3x6-blank0-1,3@0,4",
        "3x6-blank0-1,3@0,1",
        "3x6-wide-1,3@0",
        "5x5-automaton-07",
        "5x5-automaton-32",
        "5x5-automaton-7-slide",
        "5x5-blank0-automaton=7",
        "256x1-blank0-1,2",
        "16x16-blank0-1",
    ] {
        assert_eq!(AnyTableKey::of_stem(other), None, "{other}");
    }
}

#[test]
fn table_files_are_recognised_by_their_magic() {
    let (partition, database) = large();
    let bytes = written(&partition, &database);
    assert!(AnyTableKey::has_known_magic(&bytes) && AnyTableKey::has_known_magic(&bytes[..8]));
    assert!(AnyTableKey::has_known_magic(b"LOYD-WID of an earlier version"));
    assert!(!AnyTableKey::has_known_magic(&bytes[..7]) && !AnyTableKey::has_known_magic(b""));
    assert!(!AnyTableKey::has_known_magic(b"HEADER    HYDROLASE"));
}

/// Reads a file with the streaming reader.
fn skim(mut bytes: &[u8]) -> Result<Vec<u64>, FileError> {
    let mut words = Vec::new();
    let header = Header::read(&mut bytes)?;
    header.read_words(&mut bytes, &mut Meter::default(), |piece| words.extend_from_slice(piece))?;
    Ok(words)
}

#[test]
fn databases_survive_a_round_trip() {
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
fn layout_matches_the_documentation() {
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

/// The checksums were computed on x86-64. `cargo xtask platforms` compares them on a big-endian machine and on a 32-bit one.
#[test]
fn files_have_the_same_bytes_on_all_machines() {
    let (classes, classes_table) = classes();
    let (partition, database) = large();
    let (key, automaton) = automaton(Metric::SingleTile);
    let files = [
        bytes(&self::database("1,2,3,4/5,6,7,8")),
        written(&partition, &database),
        written(&classes, &classes_table),
        written(&key, &automaton),
    ];
    let checksums = [951_725_203, 3_651_593_782, 2_257_757_805, 2_497_022_453];
    assert_eq!(files.map(|file| crc32fast::hash(&file)), checksums);
}

#[test]
fn every_flipped_bit_is_detected() {
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
fn every_wrong_length_is_detected() {
    let text = "1,2/3,4/5,6/7,8";
    let mut bytes = bytes(&database(text));
    for length in 0..bytes.len() {
        let error = read(text, &bytes[..length]).map(|_| ()).unwrap_err();
        assert!(matches!(error, FileError::Truncated), "{length}: {error}");
        assert!(matches!(skim(&bytes[..length]), Err(FileError::Truncated)), "{length}");
    }
    bytes.push(0);
    assert!(matches!(read(text, &bytes), Err(FileError::TooLong)));
    assert!(matches!(read(text, b"something else"), Err(FileError::NotATable)));
}

#[test]
fn tables_of_another_key_are_rejected() {
    let bytes = bytes(&database("1,2,3,4/5,6,7,8"));
    let error = read("1,2,3,5/4,6,7,8", &bytes).unwrap_err().to_string();
    assert_eq!(error, "it holds 1,2,3,4/5,6,7,8 of 3x3 boards with goal cell 0 of the blank");
}

/// Overwrites bytes of the header, corrects its checksum, and returns the error of reading the file.
fn forged(bytes: &[u8], changes: &[(usize, u8)]) -> String {
    let mut bytes = bytes.to_vec();
    changes.iter().for_each(|&(at, value)| bytes[at] = value);
    let checksum = crc32fast::hash(&bytes[..4092]);
    bytes[4092..4096].copy_from_slice(&checksum.to_le_bytes());
    let read = Header::read(&mut &bytes[..]).and_then(|header| match &header.contents {
        AnyTableKey::Patterns(key) => read_key(key, &bytes).map(|_| ()),
        AnyTableKey::TileClasses(key) => read_key(key, &bytes).map(|_| ()),
        AnyTableKey::Automaton(key) => read_key(key, &bytes).map(|_| ()),
    });
    read.unwrap_err().to_string()
}

/// Headers may be invalid although their checksum matches.
#[test]
fn invalid_pattern_headers_are_rejected() {
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
        (38, 255, "a field past its end"),
    ] {
        let error = forged(&sound, &[(at, value)]);
        assert!(error.contains(reason), "{at}: {error}");
    }
}

#[test]
fn invalid_headers_of_other_kinds_are_rejected() {
    let (key, table) = classes();
    let sound = written(&key, &table);
    let levels = 8 * table.census().len();
    let second = 32 + 2 + 2 + levels;
    for (changes, reason) in [
        (&[(16, 17)][..], "the size of the board"),
        (&[(18, 1)], "the cells of a class"),
        (&[(19, 0)], "the number of classes"),
        (&[(19, 1)], "the cells of a class"),
        (&[(20, 1)], "the number of words"),
        (&[(33, 2)], "the cells of a class"),
        (&[(33, 9)], "the cells of a pattern"),
        (&[(second + 3, 1)], "the number of distances"),
    ] {
        let error = forged(&sound, changes);
        assert!(error.contains(reason), "{changes:?}: {error}");
    }
    let (key, table) = automaton(Metric::SingleTile);
    let sound = written(&key, &table);
    assert_eq!(sound[16..20], [3, 2, 0, 1]);
    assert_eq!(sound[32..36], [1, 9, table.census().len() as u8, 0]);
    for (changes, reason) in [
        (&[(16, 0)][..], "the size of the board"),
        (&[(18, 2)], "what counts as a move"),
        (&[(19, 0)], "the number of moves in words"),
        (&[(33, 32)], "the number of moves in words"),
        (&[(20, 1)], "the number of words"),
        (&[(36, 7)], "the number of words"),
        // The census moves one state from "remembers 0 moves" to "remembers 1 move"; the sum is unchanged.
        (&[(36, 5), (44, table.census()[1] as u8 + 1)], "the numbers of states"),
        (&[(16, 2)], "the numbers of states"),
    ] {
        let error = forged(&sound, changes);
        assert!(error.contains(reason), "{changes:?}: {error}");
    }
    let (key, database) = large();
    let sound = written(&key, &database);
    assert_eq!(sound[32..38], [2 | 128, 1, 3, 2, 0, 2]);
    for (changes, reason) in [
        (&[(16, 7), (17, 7)][..], "the size of the board"),
        (&[(16, 2)], "the cells of a pattern"),
        (&[(18, 1)], "cell 1 appears twice"),
        (&[(20, 1)], "the number of words"),
        (&[(33, 3), (34, 1)], "the order in which patterns are written"),
        (&[(34, 18)], "the cells of a pattern"),
        (&[(35, 0)], "the cells of a pattern"),
        (&[(36, 1)], "where the blank may end"),
        (&[(36, 2)], "where the blank may end"),
        (&[(37, 4)], "the order in which patterns are written"),
        (&[(37, 18)], "the cells of a pattern"),
        (&[(16, 6), (17, 6)], "the order in which patterns are written"),
    ] {
        let error = forged(&sound, changes);
        assert!(error.contains(reason), "{changes:?}: {error}");
    }
}

#[test]
fn classes_with_too_many_arrangements_are_rejected() {
    let pairs: Vec<Vec<u8>> = (0..8).map(|class| [2 * class, 2 * class + 1].into()).collect();
    let mut groups = pairs;
    groups[0].remove(0);
    let wrong = TileClasses::of_groups(Size::FIFTEEN, 0, &groups).unwrap_err();
    assert!(wrong.contains("32 bits"), "{wrong}");
}

#[test]
fn reading_stops_at_limits() {
    let bytes = bytes(&database("default"));
    let read = |limits, cancel| {
        let mut meter = Meter::new(limits, cancel);
        super::read(&partition("default"), &mut &bytes[..], &mut meter).map(|_| ()).unwrap_err()
    };
    let little = Limits { max_bytes: Some(1000), ..Limits::default() };
    let error = read(little, CancelToken::new());
    assert!(matches!(error, FileError::Stopped(Stop::Memory)), "{error}");
    let cancel = CancelToken::new();
    cancel.cancel();
    let error = read(Limits::default(), cancel);
    assert!(matches!(error, FileError::Stopped(Stop::Cancelled)), "{error}");
}
