//! The tables that are tried, and the distances in them.

use loyd_search::{Meter, Stop};
use loyd_tiles::{Cell, CellGraph, CellSet, Random, Symmetry};

use super::given::Sample;
use super::grow::grown;
use crate::pdb::additive::coordinates::Coordinates;
use crate::pdb::additive::database::Database;
use crate::pdb::additive::partition::Partition;
use crate::threads::{self, share};

/// What the partitions are drawn by.
const SEED: u64 = 24;
/// So many partitions are drawn for each table that is wanted, at most: new patterns become rare.
const DRAWN: usize = 40;

/// Patterns, by the table that serves them.
pub struct Tables<'a> {
    of: &'a Partition,
    /// For each table the goal cells of the patterns that it serves.
    pub patterns: Vec<Vec<CellSet>>,
}

impl<'a> Tables<'a> {
    /// The tables of a set of partitions, and of partitions at random into patterns as large, up to so many in all.
    pub fn of(partition: &'a Partition, most: usize) -> Self {
        let mut tables = Self { of: partition, patterns: Vec::new() };
        for pattern in partition.patterns() {
            tables.add(pattern.set());
        }
        let (size, first) = (partition.size(), &partition.sums()[0]);
        let sizes: Vec<usize> =
            first.iter().map(|&place| partition.patterns()[place].tiles()).collect();
        let (graph, mut random) = (CellGraph::new(size), Random::new(SEED));
        for _ in 0..DRAWN * most {
            let sets = grown(&graph, partition.covered(), &sizes, &mut random);
            for set in sets.into_iter().flatten() {
                if tables.patterns.len() < most {
                    tables.add(set);
                }
            }
        }
        tables
    }

    /// All patterns, each with the number of its table.
    pub fn numbered(&self) -> Vec<(CellSet, usize)> {
        let numbered = self.patterns.iter().enumerate();
        numbered
            .flat_map(|(table, patterns)| patterns.iter().map(move |&cells| (cells, table)))
            .collect()
    }

    /// The table of these goal cells, with all patterns that it serves, unless it is there.
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

    /// The partition of these tiles alone into a single pattern.
    fn pattern(&self, cells: CellSet) -> Partition {
        let (size, blank) = (self.of.size(), self.of.blank());
        Partition::of_some(size, blank, vec![cells.iter().collect()])
            .expect("patterns are no larger than those of a partition")
    }

    /// The bytes of a table.
    pub fn bytes(&self, table: usize) -> u64 {
        Coordinates::of(self.of.size(), self.patterns[table][0].len()).table_bits() / 8
    }

    /// For each table and each of its patterns the distances of all samples.
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

/// For each pattern of `database` the distances of all samples; `None` if the tables are wrong.
fn distances(database: &Database, samples: &[Sample]) -> Option<Vec<Vec<u8>>> {
    /// Enough walks at once that they wait for memory together.
    const TOGETHER: usize = 32;
    let parts = database.parts().len();
    let mut all = vec![vec![0; samples.len()]; parts];
    let chunk = samples.len().div_ceil(4 * threads::count()).max(TOGETHER);
    let pieces = all.iter_mut().enumerate().flat_map(|(part, distances)| {
        let chunks = samples.chunks(chunk).zip(distances.chunks_mut(chunk));
        chunks.map(move |(samples, distances)| (part, samples, distances))
    });
    let walked = share(pieces.collect(), |(part, samples, distances)| {
        let mut walked = 0;
        for (samples, distances) in samples.chunks(TOGETHER).zip(distances.chunks_mut(TOGETHER)) {
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
