//! The choice of partitions.

use loyd_tiles::{Cell, CellSet, Symmetry};

use super::cover::covers;
use super::given::{Room, Sample};
use super::tables::Tables;
use crate::pdb::additive::partition::Partition;

/// How often each partition of a set may be exchanged.
const EXCHANGES: usize = 4;

/// What can be chosen from.
pub struct Choice {
    /// All patterns, and for each its table.
    patterns: Vec<(CellSet, usize)>,
    /// For each table its bytes.
    bytes: Vec<u64>,
    candidates: Vec<Candidate>,
}

/// A way to divide the tiles into patterns.
struct Candidate {
    /// The places of its patterns, and those of the transposed ones where these count too.
    patterns: Vec<usize>,
    transposed: Vec<usize>,
    /// Which samples it leaves, a bit each.
    leaves: Vec<u64>,
}

impl Choice {
    /// All partitions into the patterns of `tables`, in which the samples have these distances.
    pub fn new(
        of: &Partition,
        tables: &Tables<'_>,
        samples: &[Sample],
        distances: &[Vec<Vec<u8>>],
    ) -> Self {
        let patterns = tables.numbered();
        let distances: Vec<&[u8]> = distances.iter().flatten().map(Vec::as_slice).collect();
        let twins = twins(of, &patterns);
        // More and smaller ones than before would tell less.
        let most = of.sums().iter().map(Vec::len).max().unwrap_or(0);
        let candidates = covers(of.covered(), &patterns, most).into_iter().filter_map(|cover| {
            let mut transposed = Vec::new();
            if let Some(twins) = &twins {
                transposed.extend(cover.iter().map(|&place| twins[place]));
                transposed.sort_unstable_by_key(|&place| patterns[place].0.first());
                if transposed < cover {
                    return None;
                }
            }
            let mut leaves = vec![u64::MAX; samples.len().div_ceil(64)];
            for patterns in [&cover, &transposed].into_iter().filter(|sum| !sum.is_empty()) {
                prune(&mut leaves, patterns, samples, &distances);
            }
            Some(Candidate { patterns: cover, transposed, leaves })
        });
        let candidates = candidates.collect();
        let bytes = (0..tables.patterns.len()).map(|table| tables.bytes(table)).collect();
        Self { patterns, bytes, candidates }
    }

    /// The set that leaves the fewest samples, as far as that is found; `of` if none leaves fewer than that.
    pub fn best(&self, of: &Partition, room: Room) -> Partition {
        let mut set: Vec<usize> = Vec::new();
        while let Some(next) = self.next(&set, room) {
            set.push(next);
        }
        for _ in 0..EXCHANGES {
            for place in 0..set.len() {
                let last = set.remove(place);
                let next = self.next(&set, room).unwrap_or(last);
                set.insert(place, next);
            }
        }
        let known = of.sums().iter().map(|sum| {
            let cells = |&place: &usize| of.patterns()[place].set();
            let sum: Vec<CellSet> = sum.iter().map(cells).collect();
            self.candidates.iter().position(|candidate| {
                [&candidate.patterns, &candidate.transposed].into_iter().any(|own| {
                    own.len() == sum.len() && own.iter().all(|&p| sum.contains(&self.patterns[p].0))
                })
            })
        });
        let known: Vec<usize> = known.flatten().collect();
        match set.is_empty() || self.left(&known) <= self.left(&set) {
            true => of.clone(),
            false => self.partition(of, &set),
        }
    }

    /// The candidate that leaves the fewest of the samples that `set` leaves, if there is room for it, and it leaves
    /// fewer.
    fn next(&self, set: &[usize], room: Room) -> Option<usize> {
        let leaves = self.leaves(set);
        let now: u32 = leaves.iter().map(|word| word.count_ones()).sum();
        let with = |candidate: &Candidate| {
            let both = leaves.iter().zip(&candidate.leaves).map(|(a, b)| (a & b).count_ones());
            both.sum::<u32>()
        };
        let lefts = self.candidates.iter().map(with).enumerate();
        let mut better: Vec<(u32, usize)> =
            lefts.filter(|&(_, left)| left < now).map(|(place, left)| (left, place)).collect();
        better.sort_unstable();
        let fits = |&(_, place): &(u32, usize)| {
            let mut with = set.to_vec();
            with.push(place);
            self.fits(&with, room)
        };
        better.into_iter().find(fits).map(|(_, place)| place)
    }

    /// The samples that a set leaves.
    fn leaves(&self, set: &[usize]) -> Vec<u64> {
        let words = self.candidates.first().map_or(0, |candidate| candidate.leaves.len());
        set.iter().fold(vec![u64::MAX; words], |mut leaves, &place| {
            let own = &self.candidates[place].leaves;
            leaves.iter_mut().zip(own).for_each(|(all, own)| *all &= own);
            leaves
        })
    }

    /// How many samples a set leaves.
    fn left(&self, set: &[usize]) -> u32 {
        self.leaves(set).iter().map(|word| word.count_ones()).sum()
    }

    /// Whether there is room for a set.
    fn fits(&self, set: &[usize], room: Room) -> bool {
        let sums = set.iter().map(|&place| match self.candidates[place].transposed.is_empty() {
            true => 1,
            false => 2,
        });
        let both = |&place: &usize| {
            let candidate = &self.candidates[place];
            candidate.patterns.iter().chain(&candidate.transposed).copied()
        };
        let mut patterns: Vec<usize> = set.iter().flat_map(both).collect();
        patterns.sort_unstable();
        patterns.dedup();
        let mut tables: Vec<usize> = patterns.iter().map(|&place| self.patterns[place].1).collect();
        tables.sort_unstable();
        tables.dedup();
        let of_tile = |tile: u8| {
            patterns.iter().filter(|&&place| self.patterns[place].0.contains(tile)).count()
        };
        set.len() <= Partition::MAX_SUMS
            && sums.sum::<usize>() <= room.sums
            && patterns.len() <= room.patterns
            && (0..64).all(|tile| of_tile(tile) <= room.of_tile)
            && tables.iter().map(|&table| self.bytes[table]).sum::<u64>() <= room.bytes
    }

    /// The set as a partition.
    fn partition(&self, of: &Partition, set: &[usize]) -> Partition {
        let partition = |&place: &usize| {
            let cells = |&place: &usize| self.patterns[place].0.iter().collect();
            let groups = self.candidates[place].patterns.iter().map(cells).collect();
            Partition::new(of.size(), of.blank(), groups).expect("a cover has each tile once")
        };
        Partition::largest_of(set.iter().map(partition).collect()).expect("the set is small")
    }
}

/// For each pattern the place of its transpose, if the transpose of the board counts too.
fn twins(of: &Partition, patterns: &[(CellSet, usize)]) -> Option<Vec<usize>> {
    let size = of.size();
    let image = |cell: u8| Symmetry::TRANSPOSE.cell(size, Cell::new(cell.into()));
    let reflects =
        size.width() == size.height() && image(of.blank()).index() == usize::from(of.blank());
    let twin = |&(cells, _): &(CellSet, usize)| {
        let twin: CellSet = cells.iter().map(image).collect();
        patterns.iter().position(|&(other, _)| other == twin).expect("images come together")
    };
    reflects.then(|| patterns.iter().map(twin).collect())
}

/// Takes the samples out of `leaves` in which the distances of `patterns` add up to more moves than are left.
fn prune(leaves: &mut [u64], patterns: &[usize], samples: &[Sample], distances: &[&[u8]]) {
    for (word, samples) in samples.chunks(64).enumerate() {
        let mut left = 0;
        for (bit, sample) in samples.iter().enumerate() {
            let own = |&place: &usize| u32::from(distances[place][64 * word + bit]);
            let sum: u32 = patterns.iter().map(own).sum();
            left |= u64::from(sum <= sample.left) << bit;
        }
        leaves[word] &= left;
    }
}
