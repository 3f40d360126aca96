//! One round on machines that know nothing of each other: each takes its share of the same nodes.

use std::ops::ControlFlow;

use loyd_search::{Meter, Stop};

use super::engine::{BATCH, Engine};
use super::node::Node;
use super::pool::Rest;
use super::runner::Runner;
use crate::move_rows::MoveRows;

/// A round is divided at the first level with so many nodes: enough that even large trees are spread evenly over
/// hundreds of shares.
const NODES: usize = 4096;

/// The share of a round that is searched: the nodes of the level at which it is divided belong to `count` shares in
/// turn, and this is the one with the number `index`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Its number, from 0.
    pub index: u32,
    /// How many there are.
    pub count: u32,
}

/// The share of the round below `root`, or the goal if it is above. What is expanded above is counted in the first
/// share alone, so that all shares together count as much as the round.
pub fn begin(
    runner: &Runner,
    rows: &MoveRows,
    (root, bound): (&Node, u8),
    share: Share,
    engine: &mut Engine,
    meter: &mut Meter<'_>,
) -> Result<ControlFlow<Box<Node>, Rest>, Stop> {
    engine.clear();
    let divided = divide(runner, rows, (root, bound), engine);
    let counts = (engine.expanded, engine.generated);
    engine.clear();
    let (expanded, generated) = if share.index == 0 { counts } else { (0, 0) };
    if expanded > meter.left_to_expand() {
        return Err(Stop::Expanded);
    }
    meter.expand_many(expanded);
    meter.generate(generated);
    Ok(divided.map_continue(|nodes| {
        let own = nodes.into_iter().skip(share.index as usize).step_by(share.count as usize);
        Rest { nodes: own.collect(), expanded, generated, ..Rest::default() }
    }))
}

/// All nodes of the first level within the bound that has enough of them, or none if no level has; or the goal, if it is
/// met before.
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
