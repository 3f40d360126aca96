//! Tests the kernels' tables of six-tile patterns on boards of more than 16 cells: samples against their neighbours,
//! and every entry against the generic search of the abstract space.

use loyd_heuristics::pdb::{Database, Part, Partition, PatternSpace, PatternState};
use loyd_kernels::{Cpu, build_patterns};
use loyd_search::{Meter, Rankable, StateSpace, retrograde};
use loyd_tiles::{Random, Size};

fn size(text: &str) -> Size {
    text.parse().unwrap()
}

fn build(partition: Partition, cpu: Cpu) -> Database {
    build_patterns(partition, cpu, &mut Meter::default()).unwrap()
}

/// Returns the distance of a state modulo 4, from its table bit and its parity.
fn modulo_4(database: &Database, (number, part): (usize, &Part), rank: u64) -> u32 {
    let layouts = part.coordinates().layouts();
    let (rank, q) = (rank / layouts.len() as u64, rank % layouts.len() as u64);
    2 * database.bit(number, rank as u32, q as u32) + part.parity(layouts[q as usize].tiles)
}

/// Checks for samples that every neighbour is one move nearer to the goal or farther from it, and that every state but
/// the goal has a nearer one. If all bits have this property, they belong to the true distances.
#[test]
fn samples_are_consistent_with_their_neighbours() {
    for (boards, name) in [("5x5", "catalogue"), ("5x5", "6-6-6-6"), ("4x5", "catalogue")] {
        let partition = Partition::named(name, size(boards), 0).unwrap();
        check_neighbours(&partition);
    }
}

fn check_neighbours(partition: &Partition) {
    const SAMPLES: u64 = 1_000_000;
    let database = build(partition.clone(), Cpu::Avx512);
    for places in partition.sharing() {
        let (number, part) = (places[0], &database.parts()[places[0]]);
        let space = PatternSpace::new(partition.size(), part.pattern());
        let (states, mut random) = (space.state_count().unwrap(), Random::new(number as u64));
        for _ in 0..SAMPLES {
            let rank = random.below(states);
            let state = space.unrank(rank);
            let own = modulo_4(&database, (number, part), rank);
            let nearer = |next: &PatternState| {
                let steps = modulo_4(&database, (number, part), space.rank(next)) + 4 - own;
                assert!(steps % 2 == 1, "{:?}: {state:?} and {next:?}", part.pattern());
                steps % 4 == 3
            };
            let mut neighbours =
                space.actions(&state).map(|action| space.successor(&state, action));
            let is_nearer = neighbours.any(|next| nearer(&next));
            assert!(is_nearer || space.is_goal(&state), "{:?}: {state:?}", part.pattern());
        }
    }
}

#[test]
#[ignore = "takes minutes and half a gigabyte: `cargo xtask tables` runs it"]
fn every_entry_equals_the_generic_search() {
    for (text, cells) in [("4x5", vec![1, 4, 5, 8, 9, 13]), ("5x5", vec![1, 5, 6, 10, 11, 12])] {
        let partition = Partition::of_some_tiles(size(text), 0, vec![cells.clone()]).unwrap();
        let databases = Cpu::available().map(|cpu| build(partition.clone(), cpu));
        let databases: Vec<_> = databases.collect();
        let part = &databases[0].parts()[0];
        let space = PatternSpace::new(partition.size(), part.pattern());
        let plain = retrograde(&space, &mut Meter::default()).unwrap();
        for database in &databases {
            assert_eq!(database.parts()[0].census(), plain.census(), "{text} {cells:?}");
            for (rank, distance) in plain.distances().enumerate() {
                let found = modulo_4(database, (0, &database.parts()[0]), rank as u64);
                assert_eq!(found, distance % 4, "{text} {cells:?}: {rank}");
            }
        }
        println!(
            "{text} {cells:?}: {} states, {} builds",
            part.census().iter().sum::<u64>(),
            databases.len()
        );
    }
}
