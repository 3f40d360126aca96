//! Board-specific sets of partitions.
//!
//! Which patterns give the best estimates differs from board to board. On hard 5x5 boards, a set chosen for a single
//! board needs a third to two thirds of the nodes that a set chosen for all boards needs. So the set is chosen on a
//! sample of nodes that a search of the board has expanded: the sums should prune as many of them as possible.
//!
//! # Stages
//! 1. [`Tables::of`]: collects candidate patterns from the given set and from random partitions, whose patterns are
//!    [grown](super::candidates::grown) cell by cell. A table serves all images of its pattern, so the images are
//!    candidates too.
//! 2. [`Tables::distances`]: builds each table, looks up the distances of all samples, and drops the table, so that
//!    only one is held at a time.
//! 3. [`Choice::new`]: enumerates all partitions of the tiles into candidate patterns ([`covers`]), and computes the
//!    set of samples that each one does not prune, as a bit set.
//! 4. [`Choice::best`]: builds the set greedily, adding the partition that leaves the fewest samples unpruned. Then
//!    each partition of the set is replaced by a better one if there is one, several times over.
//!
//! The result is deterministic: it depends only on the samples and the parameters.
//!
//! Clausecker and Reinefeld (2019) choose sets by experiment for all boards; Holte, Felner, Newton, Meshulam and Furcy
//! (2006), "Maximizing over multiple pattern databases speeds up heuristic search", Artificial Intelligence 170,
//! explain why the largest of many sums is worth more than a better single one.
//!
//! # Sets of samples
//! These are bit sets: sample s is bit s % 64 of word s / 64. A sample is *unpruned* by a partition if the sum of the
//! distances of its patterns does not exceed the moves left there; a set prunes a sample if one of its partitions does,
//! so the unpruned samples of a set are the intersection (AND) over its partitions.

use loyd_search::{Meter, Stop};
use loyd_tiles::{Cell, CellSet, Symmetry};

use super::candidates::{Sample, Tables};
use super::database::Database;
use super::partition::{Partition, has_sets};

/// The limits of a set of partitions. If the goal is symmetric, patterns and sums of the transposed board count too.
#[derive(Clone, Copy, Debug)]
pub struct SetLimits {
    /// Maximum number of patterns.
    pub patterns: usize,
    /// Maximum number of patterns with the same tile.
    pub patterns_per_tile: usize,
    /// Maximum number of sums.
    pub sums: usize,
    /// Maximum size of all tables in bytes.
    pub bytes: u64,
}

impl Partition {
    /// Searches for a set of partitions that leaves as few of `samples` unpruned as possible, with patterns of this
    /// set and others, in `tables` tables altogether. Returns a copy of this set if none better is found, or if these
    /// boards do not support sets.
    ///
    /// `build` builds tables. Cost: the time for that and, for each sample, some microseconds per image of each
    /// pattern, on all [threads](crate::threads::thread_count) of the current pool. Memory: a byte per sample and
    /// image.
    ///
    /// # Errors
    /// Returns the limit of `meter` that was reached, or the error of `build`.
    pub fn chosen_for_samples(
        &self,
        samples: &[Sample],
        tables: usize,
        limits: SetLimits,
        build: &mut dyn FnMut(Self) -> Result<Database, Stop>,
        meter: &mut Meter<'_>,
    ) -> Result<Self, Stop> {
        let is_whole = self.covered().len() + 1 == self.size().cells();
        if !(is_whole && has_sets(self.size())) {
            return Ok(self.clone());
        }
        let tables = Tables::of(self, tables);
        let distances = tables.distances(samples, build, meter)?;
        let choice = Choice::new(self, &tables, samples, &distances);
        Ok(choice.best(self, limits))
    }
}

/// Number of passes in which each partition of a set may be replaced.
const EXCHANGES: usize = 4;

/// The candidates for a set.
struct Choice {
    /// Goal cells and index of the table, for each pattern.
    patterns: Vec<(CellSet, usize)>,
    /// Size in bytes of each table.
    bytes: Vec<u64>,
    candidates: Vec<Candidate>,
}

/// A partition of the tiles into candidate patterns.
struct Candidate {
    /// Indices of the patterns.
    patterns: Vec<usize>,
    /// Indices of the transposed patterns, if the goal is symmetric; else empty.
    transposed: Vec<usize>,
    /// The unpruned samples.
    unpruned: Vec<u64>,
}

impl Choice {
    /// Enumerates all partitions into the patterns of `tables`. `distances` is the result of [`Tables::distances`].
    fn new(
        of: &Partition,
        tables: &Tables<'_>,
        samples: &[Sample],
        distances: &[Vec<Vec<u8>>],
    ) -> Self {
        let patterns = tables.numbered();
        let distances: Vec<&[u8]> = distances.iter().flatten().map(Vec::as_slice).collect();
        let transposes = transposes(of, &patterns);
        // More patterns would be smaller ones, with weaker estimates.
        let most = of.sums().iter().map(Vec::len).max().unwrap_or(0);
        let candidates = covers(of.covered(), &patterns, most).into_iter().filter_map(|cover| {
            let mut transposed = Vec::new();
            if let Some(transposes) = &transposes {
                transposed.extend(cover.iter().map(|&place| transposes[place]));
                transposed.sort_unstable_by_key(|&place| patterns[place].0.first());
                // A partition and its transpose are the same candidate; keep the smaller one.
                if transposed < cover {
                    return None;
                }
            }
            let mut unpruned = vec![u64::MAX; samples.len().div_ceil(64)];
            for patterns in [&cover, &transposed].into_iter().filter(|sum| !sum.is_empty()) {
                prune(&mut unpruned, patterns, samples, &distances);
            }
            Some(Candidate { patterns: cover, transposed, unpruned })
        });
        let candidates = candidates.collect();
        let bytes = (0..tables.patterns.len()).map(|table| tables.bytes(table)).collect();
        Self { patterns, bytes, candidates }
    }

    /// Returns the best set found within `limits`, or `of` if that leaves no more samples unpruned.
    fn best(&self, of: &Partition, limits: SetLimits) -> Partition {
        let mut set: Vec<usize> = Vec::new();
        while let Some(next) = self.best_addition(&set, limits) {
            set.push(next);
        }
        for _ in 0..EXCHANGES {
            for place in 0..set.len() {
                let last = set.remove(place);
                let next = self.best_addition(&set, limits).unwrap_or(last);
                set.insert(place, next);
            }
        }
        // The partitions of `of`, as candidates.
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
        match set.is_empty() || self.unpruned_count(&known) <= self.unpruned_count(&set) {
            true => of.clone(),
            false => self.partition(of, &set),
        }
    }

    /// Returns the candidate that leaves the fewest samples unpruned when added to `set`, if it prunes further samples.
    /// Candidates that do not fit in `limits` are skipped. Ties go to the first candidate.
    fn best_addition(&self, set: &[usize], limits: SetLimits) -> Option<usize> {
        let unpruned = self.unpruned(set);
        let now: u32 = unpruned.iter().map(|word| word.count_ones()).sum();
        let with = |candidate: &Candidate| {
            let both = unpruned.iter().zip(&candidate.unpruned).map(|(a, b)| (a & b).count_ones());
            both.sum::<u32>()
        };
        let counts = self.candidates.iter().map(with).enumerate();
        let mut better: Vec<(u32, usize)> =
            counts.filter(|&(_, count)| count < now).map(|(place, count)| (count, place)).collect();
        better.sort_unstable();
        let fits = |&(_, place): &(u32, usize)| {
            let mut with = set.to_vec();
            with.push(place);
            self.fits(&with, limits)
        };
        better.into_iter().find(fits).map(|(_, place)| place)
    }

    /// Returns the samples that a set does not prune.
    fn unpruned(&self, set: &[usize]) -> Vec<u64> {
        let words = self.candidates.first().map_or(0, |candidate| candidate.unpruned.len());
        set.iter().fold(vec![u64::MAX; words], |mut unpruned, &place| {
            let own = &self.candidates[place].unpruned;
            unpruned.iter_mut().zip(own).for_each(|(all, own)| *all &= own);
            unpruned
        })
    }

    /// Returns the number of samples that a set does not prune.
    fn unpruned_count(&self, set: &[usize]) -> u32 {
        self.unpruned(set).iter().map(|word| word.count_ones()).sum()
    }

    /// Returns whether a set fits in `limits`.
    fn fits(&self, set: &[usize], limits: SetLimits) -> bool {
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
        let patterns_per_tile = |tile: u8| {
            patterns.iter().filter(|&&place| self.patterns[place].0.contains(tile)).count()
        };
        set.len() <= Partition::MAX_SUMS
            && sums.sum::<usize>() <= limits.sums
            && patterns.len() <= limits.patterns
            && (0..64).all(|tile| patterns_per_tile(tile) <= limits.patterns_per_tile)
            && tables.iter().map(|&table| self.bytes[table]).sum::<u64>() <= limits.bytes
    }

    /// Converts a set of candidates to a [`Partition`].
    fn partition(&self, of: &Partition, set: &[usize]) -> Partition {
        let partition = |&place: &usize| {
            let cells = |&place: &usize| self.patterns[place].0.iter().collect();
            let groups = self.candidates[place].patterns.iter().map(cells).collect();
            Partition::new(of.size(), of.blank(), groups).expect("a cover has each tile once")
        };
        Partition::largest_of(set.iter().map(partition).collect()).expect("the set is small")
    }
}

/// Returns the index of the transpose of each pattern, or `None` if the goal is not symmetric.
fn transposes(of: &Partition, patterns: &[(CellSet, usize)]) -> Option<Vec<usize>> {
    let size = of.size();
    let image = |cell: u8| Symmetry::TRANSPOSE.cell(size, Cell::new(cell.into()));
    let reflects =
        size.width() == size.height() && image(of.blank()).index() == usize::from(of.blank());
    let twin = |&(cells, _): &(CellSet, usize)| {
        let twin: CellSet = cells.iter().map(image).collect();
        patterns.iter().position(|&(other, _)| other == twin).expect("all images are candidates")
    };
    reflects.then(|| patterns.iter().map(twin).collect())
}

/// Removes from `unpruned` the samples whose distances of `patterns` add up to more than the moves left.
fn prune(unpruned: &mut [u64], patterns: &[usize], samples: &[Sample], distances: &[&[u8]]) {
    for (word, samples) in samples.chunks(64).enumerate() {
        let mut left = 0;
        for (bit, sample) in samples.iter().enumerate() {
            let own = |&place: &usize| u32::from(distances[place][64 * word + bit]);
            let sum: u32 = patterns.iter().map(own).sum();
            left |= u64::from(sum <= sample.moves_left) << bit;
        }
        unpruned[word] &= left;
    }
}

/// Maximum number of partitions found.
const MAX_COVERS: usize = 20_000;

/// Returns all partitions of `tiles` into at most `most` of `patterns`, up to [`MAX_COVERS`]. A partition is the list
/// of the indices of its patterns, in the order of their first cells.
pub(super) fn covers(
    tiles: CellSet,
    patterns: &[(CellSet, usize)],
    most: usize,
) -> Vec<Vec<usize>> {
    let mut by_first = vec![Vec::new(); CellSet::MAX_CELLS];
    for (place, &(cells, _)) in patterns.iter().enumerate() {
        if let Some(first) = cells.first() {
            by_first[usize::from(first)].push((cells, place));
        }
    }
    let mut all = Vec::new();
    cover(&by_first, (tiles, most), &mut Vec::new(), &mut all);
    all
}

/// Extends `chosen` in all possible ways by patterns that cover `free`: the next pattern must start with the first free
/// cell, so each partition is found once.
fn cover(
    by_first: &[Vec<(CellSet, usize)>],
    (free, most): (CellSet, usize),
    chosen: &mut Vec<usize>,
    all: &mut Vec<Vec<usize>>,
) {
    let Some(first) = free.first() else {
        all.push(chosen.clone());
        return;
    };
    for &(cells, place) in &by_first[usize::from(first)] {
        if cells.without(free).is_empty() && most > 0 && all.len() < MAX_COVERS {
            chosen.push(place);
            cover(by_first, (free.without(cells), most - 1), chosen, all);
            chosen.pop();
        }
    }
}
