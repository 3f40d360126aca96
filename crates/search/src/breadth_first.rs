//! Breadth-first search.

use crate::closed::{ClosedList, Insertion, NodeId};
use crate::meter::Meter;
use crate::nodes::{Node, Nodes};
use crate::outcome::{Outcome, Stop};
use crate::space::{ActionSet, Reversible};
use crate::trace::NodeEvent::{Duplicate, Generated, Pruned, Root, Solution};
use crate::trace::{NoTracer, Pruning, TracedNode, Tracer, emit, emit_expansion};

/// Finds a path with the fewest actions, layer by layer. Every action must cost 1.
///
/// Tests nodes for the goal when they are generated. The list of nodes, in the order in which they were met, is also
/// the queue.
///
/// Cost: a node and an entry in `closed` for each state generated.
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
    breadth_first_traced(space, start, closed, (meter, NoTracer))
}

/// Like [`breadth_first`], but reports each node to `tracer`.
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
    emit(tracer, || (Root, TracedNode::of(0, nodes.get(0))))?;
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
        emit_expansion(tracer, space, actions, || TracedNode::of(id, nodes.get(id)))?;
        for action in actions {
            let child = space.successor(&state, action);
            if let Insertion::Known(known) = closed.insert(space, &child) {
                meter.duplicate();
                emit(tracer, || {
                    let event = Duplicate { known, g: nodes.get(known).g };
                    (event, TracedNode::child(id, action, &child, g))
                })?;
                continue;
            }
            let is_goal = space.is_goal(&child);
            nodes.push(Node { state: child, g, parent: id, via: Some(action), extra: () })?;
            let new = nodes.len() - 1;
            emit(tracer, || (Generated, TracedNode::of(new, nodes.get(new))))?;
            if is_goal {
                emit(tracer, || (Solution, TracedNode::of(new, nodes.get(new))))?;
                return Ok(Outcome::Solved { path: nodes.path(new), cost: g });
            }
        }
    }
    Ok(Outcome::Exhausted)
}

/// Returns [`Outcome::Exhausted`] if the nodes from `first` on, which are all those at the depth limit, have no unknown
/// children: then there are no states beyond the limit.
///
/// # Errors
/// [`Stop::Depth`] at the first unknown child, or another limit that was reached.
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
        emit_expansion(tracer, space, actions, || TracedNode::of(id, node))?;
        for action in actions {
            let child = space.successor(&node.state, action);
            let traced = || TracedNode::child(id, action, &child, node.g + 1);
            let Some(known) = closed.find(space, &child) else {
                emit(tracer, || (Pruned(Pruning::Depth), traced()))?;
                return Err(Stop::Depth);
            };
            meter.duplicate();
            emit(tracer, || (Duplicate { known, g: nodes.get(known).g }, traced()))?;
        }
    }
    Ok(Outcome::Exhausted)
}
