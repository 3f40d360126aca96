//! Sets of partitions: their largest sums along walks, and their files.

use std::sync::Arc;

use loyd_heuristics::file::{self, AnyTableKey, FileError, Header, TableKey};
use loyd_heuristics::pdb::{Database, LargestSum, Partition, PatternSum, Plain};
use loyd_search::{Cost, Heuristic, IncrementalHeuristic, Meter, StateSpace};
use loyd_tiles::{ArraySpace, BoardSpace, Goal, Random, Size, random_walk};

type Space = ArraySpace<64>;

/// Partitions of 5x5 boards into small patterns, some of which they share.
const OF_5X5: [&str; 3] = [
    "1,2,3/4,9,14/5,10,15/6,7,8/11,12,13/16,17,18/19,23,24/20,21,22",
    "1,5,6/2,3,7/4,9,14/8,12,13/10,11,15/16,17,18/19,23,24/20,21,22",
    "1,6,11/2,7,12/3,8,13/4,9,14/5,10,15/16,20,21/17,18,22/19,23,24",
];

const OF_4X5: [&str; 2] = [
    "1,2,3/4,5,6,7/8,9,10,11/12,13,14,15/16,17,18,19",
    "4,8,12,16/1,5,9,13/2,6,10,14/3,7,11,15/17,18,19",
];

fn size(text: &str) -> Size {
    text.parse().unwrap()
}

fn set(size: Size, partitions: &[&str]) -> Partition {
    Partition::parse(&partitions.join("+"), size, 0).unwrap()
}

fn build(partition: &Partition) -> Arc<Database> {
    Arc::new(Database::build::<Plain>(partition.clone(), &mut Meter::default()).unwrap())
}

/// Along walks from the goal, the incremental value equals that from scratch and the maximum over the single partitions
/// (whose heuristics include the transpose), and it is at most the number of moves made.
#[test]
fn largest_sum_is_incremental_and_admissible_along_walks() {
    for (text, partitions, goal) in [
        ("5x5", &OF_5X5[..], Goal::BlankLast),
        ("5x5", &OF_5X5[..2], Goal::BlankFirst),
        ("4x5", &OF_4X5[..], Goal::BlankLast),
        ("5x4", &OF_4X5[..], Goal::BlankFirst),
    ] {
        let goal = goal.board(size(text)).unwrap();
        let space = Space::new(&goal);
        let labels = space.relabelling();
        let canonical = size(if text == "5x5" { "5x5" } else { "4x5" });
        let partition = set(canonical, partitions);
        assert_eq!(partition.sums().len(), partitions.len());
        let largest = LargestSum::new(build(&partition), labels);
        let single = |text: &&str| PatternSum::new(build(&set(canonical, &[text])), labels);
        let singles: Vec<PatternSum> = partitions.iter().map(single).collect();
        let mut wins = vec![0; singles.len()];
        for seed in 0..3 {
            let (mut state, mut moves) = (space.encode(&goal), 0);
            let mut memo = IncrementalHeuristic::<Space>::memo(&largest, &space, &state);
            for m in random_walk(&goal, 150, &mut Random::new(seed)).unwrap() {
                let next = space.successor(&state, m);
                memo = largest.update(&space, memo, &state, m, &next);
                (state, moves) = (next, moves + 1);
                let h = IncrementalHeuristic::<Space>::value(&largest, &memo);
                assert_eq!(memo, largest.memo(&space, &state), "{text}, {moves} moves");
                let sums: Vec<Cost> = singles.iter().map(|sum| sum.h(&space, &state)).collect();
                assert_eq!(Some(&h), sums.iter().max(), "{text}, {moves} moves: {sums:?}");
                assert!(h <= moves && h % 2 == moves % 2, "{text}: {h} after {moves} moves");
                wins.iter_mut().zip(&sums).for_each(|(wins, &sum)| *wins += u32::from(sum == h));
            }
        }
        // Otherwise the test could not distinguish the largest sum from that of a single partition.
        assert!(wins.iter().all(|&wins| (1..450).contains(&wins)), "{text}: {wins:?}");
    }
}

#[test]
fn catalogue_is_a_set_with_a_name() {
    let catalogue = Partition::named("catalogue", size("5x5"), 0).unwrap();
    let again = Partition::parse(&catalogue.to_string(), size("5x5"), 0).unwrap();
    assert_eq!((&again, again.name().as_str()), (&catalogue, "catalogue"));
    let sharing = catalogue.sharing();
    assert_eq!((catalogue.sums().len(), sharing.len()), (6, 9));
    assert_eq!(catalogue.table_bytes(), 204_042_240);
    let mut places = sharing.concat();
    places.sort_unstable();
    assert!(places.into_iter().eq(0..catalogue.patterns().len()));
    assert!(catalogue.patterns().iter().all(|pattern| pattern.tiles() == 6));
}

#[test]
fn catalogues_of_other_sizes_have_few_patterns_per_tile() {
    for (board, sums, bytes) in [
        ("3x6", 2, 144_000_000),
        ("3x7", 3, 80_000_000),
        ("4x5", 3, 30_200_000),
        ("4x6", 3, 148_000_000),
    ] {
        let catalogue = Partition::named("catalogue", size(board), 0).unwrap();
        assert_eq!(catalogue.sums().len(), sums, "{board}");
        assert_eq!(catalogue.name(), "catalogue", "{board}");
        assert!(catalogue.table_bytes().abs_diff(bytes) < bytes / 100, "{board}");
        assert_eq!(catalogue.covered().len(), size(board).tiles(), "{board}");
    }
    assert!(Partition::named("catalogue", size("2x9"), 0).is_none());
}

fn written(database: &Database) -> Vec<u8> {
    let mut bytes = Vec::new();
    file::write(database.partition(), database, &mut bytes).unwrap();
    bytes
}

fn read(key: &Partition, mut bytes: &[u8]) -> Result<Database, FileError> {
    file::read(key, &mut bytes, &mut Meter::default())
}

#[test]
fn files_of_sets_survive_a_round_trip() {
    for (text, partitions) in [("5x5", &OF_5X5[..]), ("4x5", &OF_4X5)] {
        let partition = set(size(text), partitions);
        let database = build(&partition);
        let bytes = written(&database);
        assert_eq!(Header::read(&mut &bytes[..]).unwrap().contents, partition.contents());
        let again = read(&partition, &bytes).unwrap();
        assert!(again.words() == database.words());
        assert!(again.parts().iter().all(|part| !part.census().is_empty()));
        assert_eq!(Partition::censuses(&again), Partition::censuses(&database));
        for place in (0..bytes.len()).step_by(1 + bytes.len() / 200) {
            let mut damaged = bytes.clone();
            damaged[place] ^= 16;
            assert!(read(&partition, &damaged).is_err(), "{place}");
            assert!(read(&partition, &bytes[..place]).is_err(), "{place}");
        }
        let other = read(&set(size(text), &partitions[..1]), &bytes).unwrap_err();
        assert!(matches!(other, FileError::OtherKey(_)), "{other}");
    }
}

/// Applies `change` to a header, corrects its checksum, and reads it.
fn forged(bytes: &[u8], change: impl FnOnce(&mut [u8])) -> Result<AnyTableKey, FileError> {
    let mut bytes = bytes.to_vec();
    change(&mut bytes);
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let checksum = crc32fast::hash(&bytes[..length - 4]);
    bytes[length - 4..length].copy_from_slice(&checksum.to_le_bytes());
    Header::read(&mut &bytes[..]).map(|header| header.contents)
}

#[test]
fn invalid_headers_of_sets_are_rejected() {
    let partition = set(size("4x5"), &OF_4X5);
    let bytes = written(&build(&partition));
    assert_eq!(forged(&bytes, |_| ()).unwrap(), AnyTableKey::Patterns(partition));
    let error = |change: fn(&mut [u8])| forged(&bytes, change).unwrap_err().to_string();
    assert_eq!((bytes[19], &bytes[32..36]), (10, &[3, 1, 2, 3][..]));
    // One group less: the last partition is incomplete.
    let fewer = error(|bytes| bytes[19] -= 1);
    assert!(fewer.contains("the last partition of a set"), "{fewer}");
    // The cells of a pattern are out of order.
    let order = error(|bytes| bytes.swap(33, 34));
    assert!(order.contains("the order in which patterns are written"), "{order}");
    // A tile is in two patterns of the first partition, which is therefore never complete.
    let twice = error(|bytes| bytes[33] = 4);
    assert!(twice.contains("appears twice") || twice.contains("partition"), "{twice}");
    // Boards of this size do not support sets.
    let small = error(|bytes| (bytes[16], bytes[17]) = (4, 9));
    assert!(!small.is_empty());
}

#[test]
fn long_file_names_are_shortened() {
    let long = AnyTableKey::Patterns(set(size("5x5"), &OF_5X5));
    let stem = long.stem();
    assert!(stem.starts_with("5x5-blank0-3-partitions-") && stem.len() == 32, "{stem}");
    assert_eq!((AnyTableKey::of_stem(&stem), AnyTableKey::is_stem(&stem)), (None, true));
    let other = AnyTableKey::Patterns(set(size("5x5"), &[OF_5X5[0], OF_5X5[2], OF_5X5[1]]));
    assert_ne!(other.stem(), stem);
    for name in ["catalogue", "6-6-6-6"] {
        let named = AnyTableKey::Patterns(Partition::named(name, size("5x5"), 0).unwrap());
        assert_eq!(named.stem(), format!("5x5-blank0-{name}"));
        assert_eq!(AnyTableKey::of_stem(&named.stem()), Some(named));
    }
    let short = AnyTableKey::Patterns(set(size("4x5"), &OF_4X5));
    assert!(short.stem().contains('+') && AnyTableKey::is_stem(&short.stem()));
    assert_eq!(AnyTableKey::of_stem(&short.stem()), Some(short));
    for other in [
        "5x5-blank0-3-partitions-",
        "5x5-blank0-0-partitions-0123abcd",
        "5x5-blank0-9-partitions-0123abcd",
        "5x5-blank25-3-partitions-0123abcd",
        "5x5-blank0-3-partitions-0123ABCD",
        "5x5-blank0-3-partitions-123abcd",
        "5x5-blank0-tile-classes-3-partitions-0123abcd",
        "7x7-blank0-3-partitions-0123abcd",
        "my-3-partitions-0123abcd",
    ] {
        assert!(!AnyTableKey::is_stem(other), "{other}");
    }
}
