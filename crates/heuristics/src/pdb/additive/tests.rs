//! Tests of partitions, and of the choice of a set for a board.

use std::collections::BTreeSet;

use loyd_search::{CancelToken, Cost, Limits, Meter, Stop};
use loyd_tiles::{CellGraph, CellSet, Random, Size};

use super::board_specific::covers;
use super::candidates::{Tables, grown};
use super::*;
use crate::pdb::MAX_CELLS;

fn fifteen() -> Size {
    Size::new(4, 4).unwrap()
}

#[test]
fn names_are_parsed_and_printed() {
    let cells = |name, blank| Partition::named(name, fifteen(), blank).unwrap().to_string();
    assert_eq!(cells("7-8", 0), "1,4,5,8,9,12,13/2,3,6,7,10,11,14,15");
    assert_eq!(cells("7-7-1", 0), "1,2,3,4,5,6,7/8,9,10,12,13,14,15/11");
    assert_eq!(cells("6-6-3", 0), "1,4,5,8,9,12/2,3,6,7,10,11/13,14,15");
    assert_eq!(cells("5-5-5", 0), "1,4,5,8,9/2,3,6,7,11/10,12,13,14,15");
    assert_eq!(cells("6-6-3", 5), "0,1,4,8,9,12/2,3,6,7,10,11/13,14,15");
    for (size, blank, names) in [
        ("4x4", 0, 4),
        ("4x4", 1, 4),
        ("4x4", 5, 4),
        ("5x5", 0, 2),
        ("5x5", 6, 1),
        ("5x5", 3, 0),
        ("4x5", 0, 1),
    ] {
        let size = size.parse().unwrap();
        // The name `catalogue` is used for several sizes.
        let all: BTreeSet<&str> = NAMED_PARTITIONS.iter().map(|row| row.name).collect();
        let named: Vec<_> = all
            .into_iter()
            .filter_map(|name| Some((name, Partition::named(name, size, blank)?)))
            .collect();
        assert_eq!(named.len(), names, "{size} {blank}");
        for (name, partition) in named {
            assert_eq!(partition.name(), name);
            let again = Partition::parse(&partition.to_string(), size, blank);
            assert_eq!(again, Ok(partition));
        }
    }
    let sums = |name| Partition::named(name, "5x5".parse().unwrap(), 0).unwrap().sums().len();
    assert_eq!((sums("6-6-6-6"), sums("catalogue")), (1, 6));
}

#[test]
fn named_sets_have_few_patterns_for_each_tile() {
    for blank in [0, 1, 2, 6, 7, 12] {
        let size = "5x5".parse().unwrap();
        let set = Partition::named("catalogue", size, blank).unwrap();
        let transpose = |&cell: &u8| 5 * (cell % 5) + cell / 5;
        let cells = |pattern: &Pattern| -> Vec<u8> { pattern.cells().to_vec() };
        let mut patterns: BTreeSet<Vec<u8>> = set.patterns().iter().map(cells).collect();
        if transpose(&blank) == blank {
            let transposed = patterns.iter().map(|cells| {
                let mut cells: Vec<u8> = cells.iter().map(transpose).collect();
                cells.sort_unstable();
                cells
            });
            patterns = transposed.chain(patterns.clone()).collect();
        }
        let of = |tile: u8| patterns.iter().filter(|cells| cells.contains(&tile)).count();
        // Limits of the kernel for these boards.
        assert!(patterns.len() < 32 && (0..25).all(|tile| of(tile) <= 8), "{blank}");
        assert!(set.table_bytes() < 250_000_000, "{blank}");
    }
}

#[test]
fn sizes_match_the_summaries() {
    let megabytes = |name| {
        let partition = Partition::named(name, fifteen(), 0).unwrap();
        partition.table_bytes() as f64 / 1e6
    };
    assert!((197.0..200.0).contains(&megabytes("7-8")));
    assert!((35.0..36.5).contains(&megabytes("7-7-1")));
    assert!((2.5..3.5).contains(&megabytes("6-6-3")));
}

#[test]
fn errors_describe_the_problem() {
    let error = |text| Partition::parse(text, fifteen(), 0).unwrap_err().to_string();
    assert!(error("7-8+7-7-1").starts_with("4x4 boards have single partitions only"));
    assert!(error("7-8/1").starts_with("`7-8` names a whole partition, or a set of them, and"));
    assert!(error("7-9").starts_with("`7-9` is neither the name of a partition (5-5-5, 6-6-3"));
    assert!(error("1,2,3/0").starts_with("there is no tile for cell 0; goal cells of a 4x4"));
    assert!(error("1,16").starts_with("there is no tile for cell 16"));
    assert!(error("1,2/2,3").starts_with("cell 2 appears twice"));
    assert_eq!(error("1,2,3,4,5"), "cell 6 is in no pattern; each tile belongs to one");
    assert!(error("").starts_with("a goal cell is missing"));
    assert!(error("1,2,3,4,5,6,7,8,9,10,11/12,13,14,15").starts_with("a pattern of 11 tiles"));
    let ones: Vec<String> = (1..16).map(|cell| cell.to_string()).collect();
    assert!(error(&ones.join("/")).starts_with("15 patterns; at most 8"));
}

#[test]
fn every_board_has_a_default() {
    for (width, height) in [(1, 2), (2, 2), (3, 3), (3, 4), (2, 8), (3, 5), (1, 16)] {
        let size = Size::new(width, height).unwrap();
        let partition = Partition::default_for(size, 0);
        assert!(partition.patterns().iter().all(|pattern| pattern.tiles() <= 7));
        assert_eq!(Partition::parse("default", size, 0), Ok(partition));
    }
}

#[test]
fn sets_of_partitions_are_parsed_or_rejected() {
    let size = |text: &str| text.parse::<Size>().unwrap();
    let (rows, columns) =
        ("1,2/3,4,5/6,7,8/9,10,11/12,13,14/15,16,17", "1,4,7/3,6,9/2,5,8/10,13,16/11,12/14,15,17");
    let parse = |text: &str| Partition::parse(text, size("3x6"), 0);
    let error = |text: &str| parse(text).unwrap_err().to_string();
    let both = parse(&format!("{rows}+{columns}")).unwrap();
    assert!(both.is_set() && both.sums().len() == 2);
    assert_eq!(parse(&both.to_string()), Ok(both.clone()));
    // The order of partitions is kept, the order of patterns within each is not, and duplicates are removed.
    let (first, rest) = rows.split_once('/').unwrap();
    assert_eq!(parse(&format!("{rest}/{first} + {columns}+{rows}")), Ok(both.clone()));
    assert_ne!(parse(&format!("{columns}+{rows}")), Ok(both));
    assert_eq!(parse(&format!("{rows}+{rows}")), parse(rows));
    assert!(!parse(rows).unwrap().is_set());
    let nine = [rows; 9].join("+");
    assert_eq!(error(&nine), "9 partitions; a set has at most 8");
    assert_eq!(
        error(&format!("{rows}+1,2")),
        "partition 2 of the set: cell 3 is in no pattern; each tile belongs to one"
    );
    assert!(error("1,,2").starts_with("a goal cell is missing"));
    let second = |text: &str| {
        let error = error(&format!("{rows}+{text}"));
        error.strip_prefix("partition 2 of the set: ").unwrap().to_owned()
    };
    assert!(second("").starts_with("a goal cell is missing"));
    assert!(second("default").starts_with("`default` names a whole partition"));
    let none = "3x3 boards have single partitions only; boards of 17 to 25 cells may have sets";
    let small = Partition::parse("1,2,3,4/5,6,7,8+1,2,3,5/4,6,7,8", Size::EIGHT, 0);
    assert_eq!(small.unwrap_err().to_string(), none);
    let [runs, other] = [[5, 5, 5, 5, 5, 5, 5], [4, 6, 5, 5, 5, 5, 5]]
        .map(|tiles| Partition::of_runs(size("6x6"), 0, &tiles));
    assert_eq!(
        Partition::largest_of(vec![runs.clone(), other]),
        Err(PartitionError::NoSets(size("6x6")))
    );
    assert_eq!(Partition::largest_of(vec![runs.clone()]), Ok(runs));
}

/// Returns a set of two partitions of 4x5 boards into small patterns, with the blank's goal cell in a corner.
fn set() -> Partition {
    let rows = "1,2,3/4,5,6,7/8,9,10,11/12,13,14,15/16,17,18,19";
    let blocks = "1,4,5/2,3,6,7/8,9,12,13/10,11,14,15/16,17,18,19";
    Partition::parse(&format!("{rows}+{blocks}"), "4x5".parse().unwrap(), 0).unwrap()
}

fn build(partition: Partition) -> Result<Database, Stop> {
    Database::build::<Plain>(partition, &mut Meter::default())
}

/// Returns random permutations of the board, each with a random number of moves left.
fn samples(size: Size, count: usize) -> Vec<Sample> {
    let mut random = Random::new(7);
    let sample = |_| {
        let mut cells: Vec<u8> = (0..size.cells() as u8).collect();
        random.shuffle(&mut cells);
        let mut position = [0; MAX_CELLS];
        position[..cells.len()].copy_from_slice(&cells);
        Sample { position, moves_left: 50 + random.below(8) as Cost }
    };
    (0..count).map(sample).collect()
}

const LIMITS: SetLimits = SetLimits { patterns: 20, patterns_per_tile: 5, sums: 4, bytes: 1 << 20 };

/// Returns the number of samples that the largest sum does not prune.
fn unpruned(partition: &Partition, samples: &[Sample]) -> usize {
    let database = build(partition.clone()).unwrap();
    let is_unpruned = |sample: &&Sample| {
        let parts = 0..database.parts().len();
        let starts: Vec<_> = parts.map(|part| (part, &sample.position)).collect();
        let distances = database.distances(&starts, |_| {}).unwrap();
        let sum = |places: &Vec<usize>| places.iter().map(|&place| distances[place]).sum::<Cost>();
        partition.sums().iter().map(sum).all(|sum| sum <= sample.moves_left)
    };
    samples.iter().filter(is_unpruned).count()
}

fn choose(tables: usize, limits: SetLimits) -> Partition {
    let samples = samples(set().size(), 500);
    set().chosen_for_samples(&samples, tables, limits, &mut build, &mut Meter::default()).unwrap()
}

#[test]
fn fitted_set_prunes_more_samples_within_limits() {
    let samples = samples(set().size(), 500);
    let chosen = choose(40, LIMITS);
    let (before, after) = (unpruned(&set(), &samples), unpruned(&chosen, &samples));
    assert!(before > 100 && after * 10 < before * 9, "{after} of {before}");
    assert!(chosen.patterns().len() <= LIMITS.patterns && chosen.sums().len() <= LIMITS.sums);
    assert!(chosen.table_bytes() <= LIMITS.bytes);
    let patterns_per_tile =
        |tile| chosen.patterns().iter().filter(|pattern| pattern.cells().contains(&tile)).count();
    assert!((1..20).all(|tile| (1..=LIMITS.patterns_per_tile).contains(&patterns_per_tile(tile))));
    // The set survives a round trip through text, and the choice is deterministic.
    assert_eq!(Partition::parse(&chosen.to_string(), chosen.size(), 0), Ok(chosen.clone()));
    assert_eq!(choose(40, LIMITS), chosen);
}

#[test]
fn smaller_limits_are_respected() {
    let limits = SetLimits { sums: 1, ..LIMITS };
    assert_eq!(choose(40, limits).sums().len(), 1);
    let bytes = choose(40, LIMITS).table_bytes() / 2;
    assert!(choose(40, SetLimits { bytes, ..LIMITS }).table_bytes() <= bytes);
}

#[test]
fn given_set_is_returned_if_none_is_better() {
    assert_eq!(choose(40, SetLimits { sums: 0, ..LIMITS }), set());
}

#[test]
fn build_errors_and_limits_stop_the_choice() {
    let samples = samples(set().size(), 10);
    let mut fails = |_| Err(Stop::Memory);
    let stopped = set().chosen_for_samples(&samples, 10, LIMITS, &mut fails, &mut Meter::default());
    assert_eq!(stopped, Err(Stop::Memory));
    let cancel = CancelToken::new();
    cancel.cancel();
    let mut meter = Meter::new(Limits::default(), cancel);
    assert_eq!(
        set().chosen_for_samples(&samples, 10, LIMITS, &mut build, &mut meter),
        Err(Stop::Cancelled)
    );
}

#[test]
fn patterns_of_a_shared_table_have_their_distances() {
    let (set, samples) = (set(), samples(set().size(), 50));
    let tables = Tables::of(&set, 30);
    let distances = tables.distances(&samples, &mut build, &mut Meter::default()).unwrap();
    assert_eq!((tables.patterns.len(), distances.len()), (30, 30));
    let mut images = 0;
    for (patterns, distances) in tables.patterns.iter().zip(&distances) {
        images += patterns.len();
        for (cells, distances) in patterns.iter().zip(distances) {
            let cells = cells.iter().collect();
            let alone =
                build(Partition::of_some_tiles(set.size(), 0, vec![cells]).unwrap()).unwrap();
            let starts: Vec<_> = samples.iter().map(|sample| (0, &sample.position)).collect();
            let expected = alone.distances(&starts, |_| {}).unwrap();
            assert!(distances.iter().map(|&d| Cost::from(d)).eq(expected));
        }
    }
    assert!(images > 60, "{images}");
}

#[test]
fn grown_sets_are_connected_and_divide_all_cells() {
    let size: Size = "5x5".parse().unwrap();
    let graph = CellGraph::new(size);
    let (mut random, mut whole) = (Random::new(3), 0);
    let free = CellSet::all(size).without(CellSet::of(7));
    for _ in 0..200 {
        let Some(sets) = grown(&graph, free, &[7, 6, 6, 5], &mut random) else { continue };
        whole += 1;
        assert!(sets.iter().map(|set| set.len()).eq([7, 6, 6, 5]));
        assert_eq!(sets.iter().fold(CellSet::EMPTY, |all, &set| all | set), free);
        for set in sets {
            let first = CellSet::of(set.first().unwrap());
            assert_eq!(graph.region(first, CellSet::all(size).without(set)), set);
        }
    }
    assert!(whole > 50, "{whole}");
}

#[test]
fn covers_are_all_partitions_into_given_patterns() {
    let sets = [[0, 1], [2, 3], [0, 2], [1, 3], [0, 3], [1, 2], [4, 5]];
    let patterns: Vec<_> = sets.iter().map(|set| (set.iter().copied().collect(), 0)).collect();
    let all = covers((0..6).collect(), &patterns, 3);
    assert_eq!(all, [[0, 1, 6], [2, 3, 6], [4, 5, 6]]);
    assert_eq!(covers((0..7).collect(), &patterns, 9), [[0; 3]; 0]);
    assert_eq!(covers((0..6).collect(), &patterns, 2), [[0; 3]; 0]);
}
