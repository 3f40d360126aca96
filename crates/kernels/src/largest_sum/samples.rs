//! Samples of the nodes of an iteration, from which board-specific tables are chosen.

use loyd_heuristics::pdb::{MAX_CELLS, Sample, SetLimits};
use loyd_search::{Cost, Meter, Stop};

use super::LargestSumSearch;
use super::engine::{BATCH, Engine};
use super::node::{LANES, Node, SUMS};

impl LargestSumSearch {
    /// Returns the limits of a set of partitions that this kernel supports, with at most `bytes` of tables.
    pub fn table_limits(bytes: u64) -> SetLimits {
        SetLimits { patterns: LANES - 1, patterns_per_tile: 8, sums: SUMS, bytes }
    }

    /// Returns samples of the nodes that a search from `start` expands within the bound `bound + 2`, each with the
    /// number of moves that `bound` leaves at that node. The samples are evenly spaced in the order of expansion: at
    /// least `count`, if there are as many nodes, and at most `2 * count`. Returns no samples if the tables are wrong.
    ///
    /// The samples include nodes past `bound`, which a search with other tables may expand.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn samples(
        &mut self,
        start: &[u8],
        bound: Cost,
        count: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Sample>, Stop> {
        let Some((root, sums)) = self.runner.tables.root(start) else { return Ok(Vec::new()) };
        if sums.iter().any(|&sum| sum > bound + 2) {
            return Ok(Vec::new());
        }
        let mut stack: Vec<Node> =
            self.root_with_slack(&root, &sums, bound + 2).into_iter().collect();
        let mut sampler = Sampler { samples: Vec::new(), stride: 1, seen: 0 };
        let mut engine = Engine::new();
        while !stack.is_empty() {
            meter.check()?;
            let batch = stack.split_off(stack.len().saturating_sub(BATCH));
            for node in &batch {
                sampler.offer(node, bound, count);
            }
            self.runner.expand_batch(&mut engine, &self.rows, &batch, &mut |node| {
                stack.push(node.clone());
            });
            meter.expand_many(batch.len() as u64);
            meter.generate(std::mem::take(&mut engine.generated));
        }
        Ok(sampler.samples)
    }
}

/// Systematic sampling: keeps every `stride`-th node, and drops every other sample when they become too many.
struct Sampler {
    samples: Vec<Sample>,
    /// Distance between two samples in nodes, a power of 2.
    stride: u64,
    /// Number of nodes so far.
    seen: u64,
}

impl Sampler {
    /// Counts a node and keeps it if it is the next sample.
    fn offer(&mut self, node: &Node, bound: Cost, count: usize) {
        if self.seen.is_multiple_of(self.stride) {
            if self.samples.len() == 2 * count {
                let mut place = 0;
                self.samples.retain(|_| {
                    place += 1;
                    place % 2 == 1
                });
                self.stride *= 2;
            }
            let mut position = [0; MAX_CELLS];
            let cells = node.board.len().min(MAX_CELLS);
            position[..cells].copy_from_slice(&node.board[..cells]);
            self.samples
                .push(Sample { position, moves_left: bound.saturating_sub(node.depth.into()) });
        }
        self.seen += 1;
    }
}

#[cfg(test)]
mod tests {
    use loyd_search::{Automaton, Iteration};

    use super::Sample;
    use crate::largest_sum::tests::{by_kernel, rows_of, scrambled, search, size, space, square};
    use crate::largest_sum::*;

    const MANY: usize = 1 << 20;

    #[test]
    fn samples_are_the_nodes_of_an_iteration() {
        let size = size("5x5");
        let automaton = Automaton::generate(&space(size), 10, &mut Meter::default()).unwrap();
        let rows = rows_of(&automaton, size);
        let start = scrambled(size, &mut 17, 300);
        let mut search = search(square(), &rows, Cpu::detect(), 1);
        let (_, iterations) = by_kernel(&mut search, &start);
        let iteration = iterations.iter().rfind(|iteration| iteration.expanded < 100_000).unwrap();
        assert!(iteration.expanded > 1000, "{iteration:?}");
        let bound = iteration.bound - 2;
        let mut meter = Meter::default();
        let all = search.samples(&start, bound, MANY, &mut meter).unwrap();
        assert_eq!(all.len() as u64, iteration.expanded);
        assert_eq!(
            (meter.expanded(), meter.generated()),
            (iteration.expanded, iteration.generated)
        );
        // The samples whose sums are within the bound are exactly the nodes of the previous iteration.
        let before = iterations.iter().find(|iteration| iteration.bound == bound).unwrap();
        let tables = &search.runner.tables;
        let is_within = |sample: &&Sample| {
            let (_, sums) = tables.root(&sample.position[..size.cells()]).unwrap();
            sums.into_iter().all(|sum| sum <= sample.moves_left)
        };
        assert_eq!(all.iter().filter(is_within).count() as u64, before.expanded);
        let some = search.samples(&start, bound, 300, &mut Meter::default()).unwrap();
        assert!((300..=600).contains(&some.len()), "{}", some.len());
        let stride = all.len().div_ceil(some.len());
        let every: Vec<_> = all.iter().step_by(stride.next_power_of_two()).collect();
        assert_eq!(every.len(), some.len());
        assert!(
            every
                .iter()
                .zip(&some)
                .all(|(a, b)| (a.position, a.moves_left) == (b.position, b.moves_left))
        );
    }

    #[test]
    fn no_iteration_starts_after_the_given_expansions() {
        let size = size("5x5");
        let rows = Arc::new(MoveRows::no_undo(size));
        let start = scrambled(size, &mut 17, 300);
        let mut whole = search(square(), &rows, Cpu::detect(), 2);
        let (_, iterations) = by_kernel(&mut whole, &start);
        let until: u64 = iterations[..4].iter().map(|iteration| iteration.expanded).sum();
        for (until, expected) in [(until, 4), (until + 1, 5), (0, 0)] {
            let mut search =
                search(square(), &rows, Cpu::detect(), 2).with_iterations_until(Some(until));
            let (mut progress, mut meter) = (Progress::default(), Meter::default());
            let outcome = search.resume(&start, &mut progress, &mut meter, &mut |_| {});
            assert_eq!(outcome, Outcome::Stopped(Stop::Expanded));
            assert_eq!((progress.iterations.len(), progress.pending.len()), (expected, 0));
            // The progress can be resumed.
            let outcome = whole.resume(&start, &mut progress, &mut meter, &mut |_| {});
            assert!(matches!(outcome, Outcome::Solved { .. }));
            let same =
                |iteration: &Iteration| (iteration.bound, iteration.expanded, iteration.generated);
            assert!(progress.iterations.iter().copied().eq(iterations.iter().map(same)));
        }
    }
}
