//! Nodes of a round, to choose tables by.

use loyd_heuristics::pdb::{MAX_CELLS, Room, Sample};
use loyd_search::{Cost, Meter, Stop};

use super::LargestSumSearch;
use super::engine::{BATCH, Engine};
use super::node::{LANES, Node, SUMS};

impl LargestSumSearch {
    /// How much a set of partitions may be for which there is a kernel, with so many bytes of tables.
    pub fn room(bytes: u64) -> Room {
        Room { patterns: LANES - 1, of_tile: 8, sums: SUMS, bytes }
    }

    /// Nodes that a search from `start` expands within two moves more than `bound`, evenly drawn from all of them, at least
    /// `count` if there are so many and less than twice as many; each with the moves that `bound` leaves there. None if
    /// the tables are wrong.
    ///
    /// Nodes beyond the bound are among them because other tables may let a search expand these.
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
        let mut stack: Vec<Node> = self.within(&root, &sums, bound + 2).into_iter().collect();
        let mut drawn = Drawn { samples: Vec::new(), stride: 1, met: 0 };
        let mut engine = Engine::new();
        while !stack.is_empty() {
            meter.check()?;
            let batch = stack.split_off(stack.len().saturating_sub(BATCH));
            for node in &batch {
                drawn.meet(node, bound, count);
            }
            self.runner.expand_batch(&mut engine, &self.rows, &batch, &mut |node| {
                stack.push(node.clone());
            });
            meter.expand_many(batch.len() as u64);
            meter.generate(std::mem::take(&mut engine.generated));
        }
        Ok(drawn.samples)
    }
}

/// Every node of those that were met whose number is a multiple of the stride.
struct Drawn {
    samples: Vec<Sample>,
    stride: u64,
    met: u64,
}

impl Drawn {
    fn meet(&mut self, node: &Node, bound: Cost, count: usize) {
        if self.met.is_multiple_of(self.stride) {
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
            self.samples.push(Sample { position, left: bound.saturating_sub(node.depth.into()) });
        }
        self.met += 1;
    }
}
