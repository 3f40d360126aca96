//! Divides an iteration among machines that do not communicate. Each expands the top of the tree by itself, in the same
//! order, and searches below every `count`-th node of the dividing level.

use std::ops::ControlFlow;

use loyd_search::{Meter, Stop};

use super::engine::{BATCH, Engine};
use super::node::Node;
use super::pool::IterationState;
use super::runner::Runner;
use crate::move_rows::MoveRows;

/// Minimum number of nodes of the level at which an iteration is divided: enough to spread even large subtrees evenly
/// over hundreds of shards.
const NODES: usize = 4096;

/// The number of a shard. It searches below the nodes of the dividing level whose position is congruent to `index`
/// modulo `count`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShardId {
    /// Number of the shard, from 0.
    pub index: u32,
    /// Number of shards.
    pub count: u32,
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
    engine.clear();
    let divided = divide(runner, rows, (root, bound), engine);
    let counts = (engine.expanded, engine.generated);
    engine.clear();
    let (expanded, generated) = if shard.index == 0 { counts } else { (0, 0) };
    if expanded > meter.remaining_expansions() {
        return Err(Stop::Expanded);
    }
    meter.expand_many(expanded);
    meter.generate(generated);
    Ok(divided.map_continue(|nodes| {
        let own = nodes.into_iter().skip(shard.index as usize).step_by(shard.count as usize);
        IterationState { nodes: own.collect(), expanded, generated, ..IterationState::default() }
    }))
}

/// Returns the nodes of the first level with at least [`NODES`] nodes within the bound; no nodes if there is no such
/// level; or the goal if a level above has it.
fn divide(
    runner: &Runner,
    rows: &MoveRows,
    (root, bound): (&Node, u8),
    engine: &mut Engine,
) -> ControlFlow<Box<Node>, Vec<Node>> {
    let mut layer = vec![root.clone()];
    while !layer.is_empty() && layer.len() < NODES {
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
