use loyd_search::{CancelToken, Cost, Limits};
use loyd_tiles::{CellGraph, CellSet, Random, Size};

use super::cover::covers;
use super::grow::grown;
use super::*;
use crate::pdb::MAX_CELLS;
use crate::pdb::additive::permuter::Plain;

/// A set of two partitions of 4x5 boards, the blank in a corner, into small patterns.
fn set() -> Partition {
    let rows = "1,2,3/4,5,6,7/8,9,10,11/12,13,14,15/16,17,18,19";
    let blocks = "1,4,5/2,3,6,7/8,9,12,13/10,11,14,15/16,17,18,19";
    Partition::parse(&format!("{rows}+{blocks}"), "4x5".parse().unwrap(), 0).unwrap()
}

fn build(partition: Partition) -> Result<Database, Stop> {
    Database::build::<Plain>(partition, &mut Meter::default())
}

/// Boards in any order that tiles can take, and the moves that a search had left there.
fn samples(size: Size, count: usize) -> Vec<Sample> {
    let mut random = Random::new(7);
    let sample = |_| {
        let mut cells: Vec<u8> = (0..size.cells() as u8).collect();
        random.shuffle(&mut cells);
        let mut position = [0; MAX_CELLS];
        position[..cells.len()].copy_from_slice(&cells);
        Sample { position, left: 50 + random.below(8) as Cost }
    };
    (0..count).map(sample).collect()
}

const ROOM: Room = Room { patterns: 20, of_tile: 5, sums: 4, bytes: 1 << 20 };

/// How many samples the largest sum leaves.
fn left(partition: &Partition, samples: &[Sample]) -> usize {
    let database = build(partition.clone()).unwrap();
    let is_left = |sample: &&Sample| {
        let parts = 0..database.parts().len();
        let starts: Vec<_> = parts.map(|part| (part, &sample.position)).collect();
        let distances = database.distances(&starts, |_| {}).unwrap();
        let sum = |places: &Vec<usize>| places.iter().map(|&place| distances[place]).sum::<Cost>();
        partition.sums().iter().map(sum).all(|sum| sum <= sample.left)
    };
    samples.iter().filter(is_left).count()
}

fn fitted(tables: usize, room: Room) -> Partition {
    let samples = samples(set().size(), 500);
    set().fitted(&samples, tables, room, &mut build, &mut Meter::default()).unwrap()
}

#[test]
fn a_fitted_set_leaves_fewer_samples_and_has_room() {
    let samples = samples(set().size(), 500);
    let fitted = fitted(40, ROOM);
    let (before, after) = (left(&set(), &samples), left(&fitted, &samples));
    assert!(before > 100 && after * 10 < before * 9, "{after} of {before}");
    assert!(fitted.patterns().len() <= ROOM.patterns && fitted.sums().len() <= ROOM.sums);
    assert!(fitted.table_bytes() <= ROOM.bytes);
    let of_tile =
        |tile| fitted.patterns().iter().filter(|pattern| pattern.cells().contains(&tile)).count();
    assert!((1..20).all(|tile| (1..=ROOM.of_tile).contains(&of_tile(tile))));
    // It can be written down, and is the same each time.
    assert_eq!(Partition::parse(&fitted.to_string(), fitted.size(), 0), Ok(fitted.clone()));
    assert_eq!(self::fitted(40, ROOM), fitted);
}

#[test]
fn less_room_is_kept_to() {
    let room = Room { sums: 1, ..ROOM };
    assert_eq!(fitted(40, room).sums().len(), 1);
    let bytes = fitted(40, ROOM).table_bytes() / 2;
    assert!(fitted(40, Room { bytes, ..ROOM }).table_bytes() <= bytes);
}

#[test]
fn the_set_itself_is_kept_where_nothing_is_better() {
    assert_eq!(fitted(40, Room { sums: 0, ..ROOM }), set());
}

#[test]
fn what_stops_a_build_or_a_limit_stops_the_choice() {
    let samples = samples(set().size(), 10);
    let mut fails = |_| Err(Stop::Memory);
    let stopped = set().fitted(&samples, 10, ROOM, &mut fails, &mut Meter::default());
    assert_eq!(stopped, Err(Stop::Memory));
    let cancel = CancelToken::new();
    cancel.cancel();
    let mut meter = Meter::new(Limits::default(), cancel);
    assert_eq!(set().fitted(&samples, 10, ROOM, &mut build, &mut meter), Err(Stop::Cancelled));
}

#[test]
fn all_patterns_of_a_table_have_its_distances() {
    let (set, samples) = (set(), samples(set().size(), 50));
    let tables = Tables::of(&set, 30);
    let distances = tables.distances(&samples, &mut build, &mut Meter::default()).unwrap();
    assert_eq!((tables.patterns.len(), distances.len()), (30, 30));
    let mut images = 0;
    for (patterns, distances) in tables.patterns.iter().zip(&distances) {
        images += patterns.len();
        for (cells, distances) in patterns.iter().zip(distances) {
            let cells = cells.iter().collect();
            let alone = build(Partition::of_some(set.size(), 0, vec![cells]).unwrap()).unwrap();
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
fn covers_are_all_ways_to_divide_the_cells() {
    let sets = [[0, 1], [2, 3], [0, 2], [1, 3], [0, 3], [1, 2], [4, 5]];
    let patterns: Vec<_> = sets.iter().map(|set| (set.iter().copied().collect(), 0)).collect();
    let all = covers((0..6).collect(), &patterns, 3);
    assert_eq!(all, [[0, 1, 6], [2, 3, 6], [4, 5, 6]]);
    assert_eq!(covers((0..7).collect(), &patterns, 9), [[0; 3]; 0]);
    assert_eq!(covers((0..6).collect(), &patterns, 2), [[0; 3]; 0]);
}
