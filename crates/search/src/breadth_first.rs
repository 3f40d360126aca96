//! Breadth-first search.

use crate::closed::{ClosedList, Insertion, NodeId};
use crate::meter::Meter;
use crate::nodes::{Node, Nodes};
use crate::outcome::Outcome;
use crate::space::{ActionSet, Reversible};
use crate::stop::Stop;
use crate::trace::NodeEvent::{Duplicate, End, Generating, Pruned, Source};
use crate::trace::{Pruning, TracedNode, Tracer, Untraced, tell, tell_expanding};

/// Finds a path with the fewest actions, layer by layer; actions must cost 1 each.
///
/// A goal is recognised when it is generated. The nodes themselves, in the order in which they were
/// met, are the queue.
///
/// Cost: a node and an entry of `closed` for each state met.
///
/// # Panics
/// If `closed` is not empty.
///
/// # References
/// Moore (1959), "The shortest path through a maze".
pub fn breadth_first<S: Reversible, C: ClosedList<S>>(
    space: &S,
    start: &S::State,
    closed: &mut C,
    meter: &mut Meter<'_>,
) -> Outcome<S::Action> {
    breadth_first_traced(space, start, closed, (meter, Untraced))
}

/// [`breadth_first`], which tells `tracer` of each node.
///
/// # Panics
/// If `closed` is not empty.
pub fn breadth_first_traced<S: Reversible, C: ClosedList<S>, T: Tracer<S>>(
    space: &S,
    start: &S::State,
    closed: &mut C,
    (meter, mut tracer): (&mut Meter<'_>, T),
) -> Outcome<S::Action> {
    Outcome::from_result(search(space, start, closed, meter, &mut tracer))
}

fn search<S: Reversible, C: ClosedList<S>, T: Tracer<S>>(
    space: &S,
    start: &S::State,
    closed: &mut C,
    meter: &mut Meter<'_>,
    tracer: &mut T,
) -> Result<Outcome<S::Action>, Stop> {
    if space.is_goal(start) {
        return Ok(Outcome::at_goal());
    }
    let max_depth = meter.limits().depth();
    let mut nodes: Nodes<S, ()> = Nodes::with_root(start.clone(), ());
    assert_eq!(closed.insert(space, start), Insertion::New(0), "the closed list must be empty");
    tell(tracer, || (Source, TracedNode::of(0, nodes.get(0))))?;
    let mut next = 0;
    while next < nodes.len() {
        let (parent, id) = (nodes.get(next), next);
        if parent.g >= max_depth {
            return exhausted_within_limit(space, next, &nodes, closed, meter, tracer);
        }
        let (state, g) = (parent.state.clone(), parent.g + 1);
        let undo = parent.via.map(|via| space.inverse(via));
        next += 1;
        let actions = space.actions(&state).without(undo);
        let children = actions.count();
        meter.reserve(nodes.bytes_with(closed, children))?;
        meter.expand()?;
        meter.generate(children);
        tell_expanding(tracer, space, actions, || TracedNode::of(id, nodes.get(id)))?;
        for action in actions {
            let child = space.successor(&state, action);
            if let Insertion::Known(known) = closed.insert(space, &child) {
                meter.duplicate();
                tell(tracer, || {
                    let event = Duplicate { known, g: nodes.get(known).g };
                    (event, TracedNode::child(id, action, &child, g))
                })?;
                continue;
            }
            let is_goal = space.is_goal(&child);
            nodes.push(Node { state: child, g, parent: id, via: Some(action), extra: () })?;
            let new = nodes.len() - 1;
            tell(tracer, || (Generating, TracedNode::of(new, nodes.get(new))))?;
            if is_goal {
                tell(tracer, || (End, TracedNode::of(new, nodes.get(new))))?;
                return Ok(Outcome::Solved { path: nodes.path(new), cost: g });
            }
        }
    }
    Ok(Outcome::Exhausted)
}

/// Whether the nodes from `first`, all those at the depth limit, lead nowhere new: then there is
/// nothing beyond the limit either.
fn exhausted_within_limit<S: Reversible, C: ClosedList<S>, T: Tracer<S>>(
    space: &S,
    first: NodeId,
    nodes: &Nodes<S, ()>,
    closed: &C,
    meter: &mut Meter<'_>,
    tracer: &mut T,
) -> Result<Outcome<S::Action>, Stop> {
    for id in first..nodes.len() {
        let node = nodes.get(id);
        meter.expand()?;
        let actions = space.actions(&node.state).without(node.via.map(|via| space.inverse(via)));
        meter.generate(actions.count());
        tell_expanding(tracer, space, actions, || TracedNode::of(id, node))?;
        for action in actions {
            let child = space.successor(&node.state, action);
            let traced = || TracedNode::child(id, action, &child, node.g + 1);
            let Some(known) = closed.find(space, &child) else {
                tell(tracer, || (Pruned(Pruning::Depth), traced()))?;
                return Err(Stop::Depth);
            };
            meter.duplicate();
            tell(tracer, || (Duplicate { known, g: nodes.get(known).g }, traced()))?;
        }
    }
    Ok(Outcome::Exhausted)
}
