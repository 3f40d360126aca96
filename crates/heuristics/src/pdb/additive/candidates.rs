//! Candidate patterns for a board-specific set of partitions: the tables of a given set and of random partitions, and
//! the distances of the samples in them.

use loyd_search::{Cost, Meter, Stop};
use loyd_tiles::{Cell, CellGraph, CellSet, Random, Symmetry};

use super::coordinates::Coordinates;
use super::database::Database;
use super::partition::Partition;
use crate::pdb::Position;
use crate::threads::{self, sum_parallel};

/// A node that a search expanded.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The board in canonical orientation.
    pub position: Position,
    /// Number of moves left: the bound of the search minus the moves made.
    pub moves_left: Cost,
}

/// Seed of the random partitions.
const SEED: u64 = 24;
/// Number of random partitions drawn per requested table. Many are needed, since new patterns become rare.
const DRAWS_PER_TABLE: usize = 40;

/// Candidate patterns, by the table that serves them.
pub struct Tables<'a> {
    of: &'a Partition,
    /// Goal cells of all patterns served by each table.
    pub patterns: Vec<Vec<CellSet>>,
}

impl<'a> Tables<'a> {
    /// Collects the tables of a set of partitions and of random partitions, up to `most` tables altogether. The random
    /// partitions have patterns of the same sizes as the first partition of the set.
    pub fn of(partition: &'a Partition, most: usize) -> Self {
        let mut tables = Self { of: partition, patterns: Vec::new() };
        for pattern in partition.patterns() {
            tables.add(pattern.set());
        }
        let (size, first) = (partition.size(), &partition.sums()[0]);
        let sizes: Vec<usize> =
            first.iter().map(|&place| partition.patterns()[place].tiles()).collect();
        let (graph, mut random) = (CellGraph::new(size), Random::new(SEED));
        for _ in 0..DRAWS_PER_TABLE * most {
            let sets = grown(&graph, partition.covered(), &sizes, &mut random);
            for set in sets.into_iter().flatten() {
                if tables.patterns.len() < most {
                    tables.add(set);
                }
            }
        }
        tables
    }

    /// Returns all patterns, each with the index of its table.
    pub fn numbered(&self) -> Vec<(CellSet, usize)> {
        let numbered = self.patterns.iter().enumerate();
        numbered
            .flat_map(|(table, patterns)| patterns.iter().map(move |&cells| (cells, table)))
            .collect()
    }

    /// Adds the table for the pattern with these goal cells, with all patterns that it serves, unless there is one.
    fn add(&mut self, cells: CellSet) {
        if self.patterns.iter().flatten().any(|&known| known == cells) {
            return;
        }
        let (size, covered) = (self.of.size(), self.of.covered());
        let table = |cells: CellSet| {
            let pattern = self.pattern(cells);
            pattern.patterns()[0].representative(size).0
        };
        let mut images: Vec<CellSet> = Vec::new();
        for symmetry in Symmetry::all().filter(|symmetry| symmetry.size(size) == size) {
            let image = |cell: u8| symmetry.cell(size, Cell::new(cell.into()));
            let image: CellSet = cells.iter().map(image).collect();
            let is_new = !images.contains(&image) && image.without(covered).is_empty();
            if is_new && table(image) == table(cells) {
                images.push(image);
            }
        }
        self.patterns.push(images);
    }

    /// Returns a partition that has only the pattern with these goal cells.
    fn pattern(&self, cells: CellSet) -> Partition {
        let (size, blank) = (self.of.size(), self.of.blank());
        Partition::of_some_tiles(size, blank, vec![cells.iter().collect()])
            .expect("the pattern has the size of a pattern of the set")
    }

    /// Returns the size of a table in bytes.
    pub fn bytes(&self, table: usize) -> u64 {
        Coordinates::of(self.of.size(), self.patterns[table][0].len()).table_bits() / 8
    }

    /// Returns the distances of all samples, for each table and each of its patterns. Builds one table at a time.
    pub fn distances(
        &self,
        samples: &[Sample],
        build: &mut dyn FnMut(Partition) -> Result<Database, Stop>,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Vec<Vec<u8>>>, Stop> {
        let mut all = Vec::new();
        for (done, patterns) in self.patterns.iter().enumerate() {
            meter.progress(done as u64, self.patterns.len() as u64)?;
            let parts = patterns.iter().map(|&cells| self.pattern(cells)).collect();
            let set = Partition::largest_of(parts).expect("a pattern has at most eight images");
            all.push(distances(&build(set)?, samples).ok_or(Stop::Tables)?);
        }
        Ok(all)
    }
}

/// Returns the distances of all samples for each pattern of `database`, or `None` if the tables are damaged.
fn distances(database: &Database, samples: &[Sample]) -> Option<Vec<Vec<u8>>> {
    /// Number of interleaved descents: enough to overlap their cache misses.
    const BATCH: usize = 32;
    let parts = database.parts().len();
    let mut all = vec![vec![0; samples.len()]; parts];
    let chunk = samples.len().div_ceil(4 * threads::thread_count()).max(BATCH);
    let pieces = all.iter_mut().enumerate().flat_map(|(part, distances)| {
        let chunks = samples.chunks(chunk).zip(distances.chunks_mut(chunk));
        chunks.map(move |(samples, distances)| (part, samples, distances))
    });
    let walked = sum_parallel(pieces.collect(), |(part, samples, distances)| {
        let mut walked = 0;
        for (samples, distances) in samples.chunks(BATCH).zip(distances.chunks_mut(BATCH)) {
            let starts: Vec<_> = samples.iter().map(|sample| (part, &sample.position)).collect();
            for (to, from) in
                distances.iter_mut().zip(database.distances(&starts, |_| {}).unwrap_or_default())
            {
                *to = from as u8;
                walked += 1;
            }
        }
        walked
    });
    (walked == (parts * samples.len()) as u64).then_some(all)
}

/// Divides `free` at random into connected sets of `sizes` cells each, preferring compact ones. Returns `None` if a set
/// cannot be completed, or if cells are left over.
pub(super) fn grown(
    graph: &CellGraph,
    mut free: CellSet,
    sizes: &[usize],
    random: &mut Random,
) -> Option<Vec<CellSet>> {
    let mut all = Vec::new();
    for &size in sizes {
        // Start at a cell with the fewest free neighbours, such as a corner: later sets could not reach it.
        let lonely = |&cell: &u8, random: &mut Random| (near(graph, cell, free), random.below(100));
        let first = free.iter().min_by_key(|cell| lonely(cell, random))?;
        let mut set = CellSet::of(first);
        free = free.without(set);
        while set.len() < size {
            let beside = free.iter().filter(|&cell| near(graph, cell, set) > 0);
            // Prefer cells with many neighbours in the set and few free ones outside, with some randomness.
            let rank = |&cell: &u8| {
                let compact = 3 * near(graph, cell, set) + 2 * (4 - near(graph, cell, free));
                (compact as u64 + random.below(5), cell)
            };
            let next = CellSet::of(beside.max_by_key(rank)?);
            set |= next;
            free = free.without(next);
        }
        all.push(set);
    }
    free.is_empty().then_some(all)
}

/// Returns the number of neighbours of `cell` in `set`.
fn near(graph: &CellGraph, cell: u8, set: CellSet) -> usize {
    (graph.neighbours(cell) & set).len()
}
