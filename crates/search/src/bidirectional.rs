//! Bidirectional breadth-first search.

use crate::closed::{ClosedList, Insertion, NodeId};
use crate::meter::Meter;
use crate::nodes::{Node, Nodes};
use crate::outcome::{Direction, Outcome, Path, Stop};
use crate::space::{ActionSet, Goals, Reversible};
use crate::trace::NodeEvent::{self, Duplicate, Generated, Root, Solution};
use crate::trace::{NoTracer, TracedNode, Tracer, emit, emit_expansion};

/// Finds a path with the fewest actions by searching from the start and from the goals at once. Every action must cost
/// 1.
///
/// Always expands the entire outermost layer of the side whose layer is smaller. If the layers at distance `a` from the
/// start and `b` from the goals are complete and have not met, the solution is longer than `a + b`. So any meeting in
/// the next layer gives a path of length `a + b + 1`, which is shortest. (This requires whole layers: if nodes of the
/// two sides were expanded alternately, the first path found could be longer by one.)
///
/// Cost: about twice the square root of the number of states that a one-sided search would meet.
///
/// # Panics
/// If `forward` or `backward` is not empty.
///
/// # References
/// Pohl (1971), "Bi-directional search", Machine Intelligence 6.
pub fn bidirectional<S: Reversible + Goals, C: ClosedList<S>>(
    space: &S,
    start: &S::State,
    forward: &mut C,
    backward: &mut C,
    meter: &mut Meter<'_>,
) -> Outcome<S::Action> {
    bidirectional_traced(space, start, forward, backward, (meter, NoTracer))
}

/// Like [`bidirectional`], but reports each node to `tracer`.
///
/// # Panics
/// If `forward` or `backward` is not empty.
pub fn bidirectional_traced<S: Reversible + Goals, C: ClosedList<S>, T: Tracer<S>>(
    space: &S,
    start: &S::State,
    forward: &mut C,
    backward: &mut C,
    (meter, mut tracer): (&mut Meter<'_>, T),
) -> Outcome<S::Action> {
    if space.is_goal(start) {
        return Outcome::at_goal();
    }
    let mut from_start = Side::new(space, [start.clone()], forward, Direction::Forward);
    let mut from_goal = Side::new(space, space.goals(), backward, Direction::Backward);
    Outcome::from_result(meet(space, &mut from_start, &mut from_goal, meter, &mut tracer))
}

/// One of the two searches.
struct Side<'d, S: Reversible, C> {
    nodes: Nodes<S, ()>,
    closed: &'d mut C,
    /// The first node of the outermost layer, and the distance of that layer from the roots of this side.
    layer: NodeId,
    depth: u32,
    direction: Direction,
}

impl<'d, S: Reversible, C: ClosedList<S>> Side<'d, S, C> {
    fn new(
        space: &S,
        roots: impl IntoIterator<Item = S::State>,
        closed: &'d mut C,
        direction: Direction,
    ) -> Self {
        let mut nodes = Nodes::empty();
        for state in roots {
            if let Insertion::New(id) = closed.insert(space, &state) {
                assert_eq!(id, nodes.len(), "the closed lists must be empty");
                nodes.push(Node::root(state, ())).expect("there are fewer roots than node numbers");
            }
        }
        Self { nodes, closed, layer: 0, depth: 0, direction }
    }

    fn layer_size(&self) -> NodeId {
        self.nodes.len() - self.layer
    }

    /// Expands the outermost layer. Returns the two nodes, of this and of the other side, at which the sides meet.
    fn grow(
        &mut self,
        space: &S,
        other: &Self,
        meter: &mut Meter<'_>,
        tracer: &mut impl Tracer<S>,
    ) -> Result<Option<(NodeId, NodeId)>, Stop> {
        let layer = self.layer..self.nodes.len();
        (self.layer, self.depth) = (layer.end, self.depth + 1);
        for parent in layer {
            let node = self.nodes.get(parent);
            let (state, g) = (node.state.clone(), node.g + 1);
            let undo = node.via.map(|via| space.inverse(via));
            let actions = space.actions(&state).without(undo);
            let children = actions.count();
            meter.reserve(self.bytes(children) + other.bytes(0))?;
            meter.expand()?;
            meter.generate(children);
            emit_expansion(tracer, space, actions, || self.traced(parent))?;
            for action in actions {
                let child = space.successor(&state, action);
                if let Insertion::Known(known) = self.closed.insert(space, &child) {
                    meter.duplicate();
                    emit(tracer, || {
                        let event = Duplicate { known, g: self.nodes.get(known).g };
                        let child = TracedNode::child(parent, action, &child, g);
                        (event, TracedNode { direction: self.direction, ..child })
                    })?;
                    continue;
                }
                // If no goal is reachable from the start, states of the two sides may share a rank: compare them.
                let met = other.closed.find(space, &child);
                let met = met.filter(|&id| other.nodes.get(id).state == child);
                self.nodes.push(Node { state: child, g, parent, via: Some(action), extra: () })?;
                let new = self.nodes.len() - 1;
                self.emit(new, Generated, tracer)?;
                if let Some(id) = met {
                    self.emit(new, Solution, tracer)?;
                    other.emit(id, Solution, tracer)?;
                    return Ok(Some((new, id)));
                }
            }
        }
        Ok(None)
    }

    fn bytes(&self, extra: u64) -> u64 {
        self.nodes.bytes_with(self.closed, extra)
    }

    fn traced(&self, id: NodeId) -> TracedNode<'_, S> {
        TracedNode { direction: self.direction, ..TracedNode::of(id, self.nodes.get(id)) }
    }

    fn emit(&self, id: NodeId, event: NodeEvent, tracer: &mut impl Tracer<S>) -> Result<(), Stop> {
        emit(tracer, || (event, self.traced(id)))
    }
}

fn meet<'d, S: Reversible, C: ClosedList<S>>(
    space: &S,
    from_start: &mut Side<'d, S, C>,
    from_goal: &mut Side<'d, S, C>,
    meter: &mut Meter<'_>,
    tracer: &mut impl Tracer<S>,
) -> Result<Outcome<S::Action>, Stop> {
    for side in [&*from_start, &*from_goal] {
        (0..side.nodes.len()).try_for_each(|id| side.emit(id, Root, tracer))?;
    }
    while from_start.layer_size() > 0 && from_goal.layer_size() > 0 {
        if from_start.depth + from_goal.depth >= meter.limits().depth() {
            return Err(Stop::Depth);
        }
        let meeting = if from_start.layer_size() <= from_goal.layer_size() {
            from_start.grow(space, from_goal, meter, tracer)?
        } else {
            from_goal.grow(space, from_start, meter, tracer)?.map(|(there, here)| (here, there))
        };
        if let Some((here, there)) = meeting {
            let mut path = from_start.nodes.path(here);
            let back: Path<S::Action> = from_goal.nodes.path(there);
            path.extend(back.into_iter().rev().map(|action| space.inverse(action)));
            let cost = path.len() as u32;
            return Ok(Outcome::Solved { path, cost });
        }
    }
    Ok(Outcome::Exhausted)
}
