//! Divides an iteration among machines that do not communicate. Each expands the top of the tree by itself, in the same
//! order, and searches below every `count`-th node of the dividing level.

use std::ops::ControlFlow;

use loyd_search::{Meter, Stop};

use super::engine::{BATCH, Engine};
use super::node::Node;
use super::pool::IterationState;
use super::runner::Runner;
use crate::move_rows::MoveRows;

/// Minimum number of nodes of the level at which an iteration is divided among at most [`FEW_SHARDS`] shards.
const NODES: usize = 4096;

/// The minimum for more shards. It takes each of them a tenth of a second per iteration.
const NODES_OF_MANY: usize = 65_536;

/// Maximum number of shards with [`NODES`]. In measurements with that many nodes, the largest share of an iteration was
/// 1.3 times the mean with 8 shards, 1.7 times with 16, 2.9 times with 32 and 5.7 times with 128. With
/// [`NODES_OF_MANY`] it was 1.2 times the mean with 16 shards, 1.4 times with 32 and 1.8 times with 128.
const FEW_SHARDS: u32 = 16;

/// The number of a shard. It searches below the nodes of the dividing level whose position is congruent to `index`
/// modulo `count`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShardId {
    /// Number of the shard, from 0.
    pub index: u32,
    /// Number of shards.
    pub count: u32,
}

impl ShardId {
    /// Returns the minimum number of nodes of the dividing level. It depends on the number of shards only, so that all
    /// shards divide alike.
    fn nodes(self) -> usize {
        if self.count <= FEW_SHARDS { NODES } else { NODES_OF_MANY }
    }
}

/// Returns the shard of the iteration from `root`, or the goal if it is above the dividing level. The expansions above
/// that level count in shard 0 only, so that all shards add up to the whole iteration.
///
/// # Errors
/// [`Stop::Expanded`] if the expansions above that level exceed the limit.
pub fn start(
    runner: &Runner,
    rows: &MoveRows,
    (root, bound): (&Node, u8),
    shard: ShardId,
    engine: &mut Engine,
    meter: &mut Meter<'_>,
) -> Result<ControlFlow<Box<Node>, IterationState>, Stop> {
    let mut unmetered = Meter::default();
    let counter = if shard.index == 0 { meter } else { &mut unmetered };
    let top = top(runner, rows, (root, bound), shard.nodes(), engine, counter)?;
    Ok(top.map_continue(|state| {
        let (index, count) = (shard.index as usize, shard.count as usize);
        let nodes = state.nodes.into_iter().skip(index).step_by(count).collect();
        match index {
            0 => IterationState { nodes, ..state },
            _ => IterationState { nodes, ..IterationState::default() },
        }
    }))
}

/// Returns the iteration from `root` after the expansion of the levels above the first one with at least `nodes` nodes,
/// or the goal if it is above that level.
///
/// # Errors
/// [`Stop::Expanded`] if these expansions exceed the limit.
pub fn top(
    runner: &Runner,
    rows: &MoveRows,
    (root, bound): (&Node, u8),
    nodes: usize,
    engine: &mut Engine,
    meter: &mut Meter<'_>,
) -> Result<ControlFlow<Box<Node>, IterationState>, Stop> {
    engine.clear();
    let divided = divide(runner, rows, (root, bound), nodes, engine);
    let (expanded, generated) = (engine.expanded, engine.generated);
    engine.clear();
    if expanded > meter.remaining_expansions() {
        return Err(Stop::Expanded);
    }
    meter.expand_many(expanded);
    meter.generate(generated);
    Ok(divided.map_continue(|nodes| IterationState {
        nodes,
        expanded,
        generated,
        ..IterationState::default()
    }))
}

/// Returns the nodes of the first level with at least `nodes` nodes within the bound; no nodes if there is no such
/// level; or the goal if a level above has it.
fn divide(
    runner: &Runner,
    rows: &MoveRows,
    (root, bound): (&Node, u8),
    nodes: usize,
    engine: &mut Engine,
) -> ControlFlow<Box<Node>, Vec<Node>> {
    let mut layer = vec![root.clone()];
    while !layer.is_empty() && layer.len() < nodes {
        let (mut next, mut goal) = (Vec::with_capacity(2 * layer.len()), None);
        for batch in layer.chunks(BATCH) {
            runner.expand_batch(engine, rows, batch, &mut |node| {
                if node.depth == bound && goal.is_none() {
                    goal = Some(Box::new(node.clone()));
                }
                next.push(node.clone());
            });
        }
        if let Some(goal) = goal {
            return ControlFlow::Break(goal);
        }
        layer = next;
    }
    ControlFlow::Continue(layer)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::LargestSumSearch;
    use super::super::engine::PathLimit;
    use super::super::pool;
    use super::super::tests::{by_kernel, scrambled, search, size, square};
    use super::*;
    use crate::Cpu;

    /// Returns the number of nodes expanded below these nodes.
    fn expanded(search: &mut LargestSumSearch, bound: u8, nodes: Vec<Node>) -> u64 {
        let (limit, mut meter) = (PathLimit::without_lookahead(bound), Meter::default());
        let mut state = IterationState { nodes, ..IterationState::default() };
        let LargestSumSearch { runner, rows, engines, .. } = search;
        let found =
            pool::search(runner, rows, limit, engines, &mut state, &mut meter, &mut || false);
        assert!(matches!(found, Ok(None)));
        state.expanded
    }

    /// The largest share decides how long the whole takes.
    #[test]
    fn shares_of_many_shards_are_nearly_equal() {
        const COUNT: u32 = 128;
        let rows = Arc::new(MoveRows::no_undo(size("5x5")));
        let start = scrambled(size("5x5"), &mut 6, 250);
        let mut search = search(square(), &rows, Cpu::detect(), 1);
        let iterations = by_kernel(&mut search, &start).1;
        let last = iterations.last().unwrap();
        let (root, sums) = search.runner.tables.root(&start).unwrap();
        let root = search.root_with_slack(&root, &sums, last.bound).unwrap();
        let root = (&root, last.bound as u8);
        let mut engine = Engine::new();
        let mut share = |nodes: usize| {
            engine.clear();
            let divided = divide(&search.runner, &rows, root, nodes, &mut engine);
            let nodes = divided.continue_value().unwrap();
            let own = |index| nodes.iter().skip(index).step_by(COUNT as usize).cloned().collect();
            let shares: Vec<u64> = (0..COUNT as usize)
                .map(|index| expanded(&mut search, root.1, own(index)))
                .collect();
            assert_eq!(engine.expanded + shares.iter().sum::<u64>(), last.expanded);
            let mean = shares.iter().sum::<u64>() as f64 / shares.len() as f64;
            (*shares.iter().max().unwrap() as f64 / mean, shares)
        };
        let nodes = ShardId { index: 0, count: COUNT }.nodes();
        let ((largest, shares), (coarse, _)) = (share(nodes), share(NODES));
        println!("the largest of {COUNT} shares is {largest:.2} times the mean, not {coarse:.2}");
        assert!(largest < 2.0 && largest < coarse / 2.0, "{largest}, {coarse}");
        for index in [0, 1, COUNT - 1] {
            let (shard, mut meter) = (ShardId { index, count: COUNT }, Meter::default());
            let state = super::start(&search.runner, &rows, root, shard, &mut engine, &mut meter);
            let state = state.unwrap().continue_value().unwrap();
            let own = shares[index as usize];
            assert_eq!(expanded(&mut search, root.1, state.nodes), own, "{index}");
        }
    }
}
