//! MM: bidirectional A* that meets in the middle.

mod estimates;
mod open;

use crate::closed::{ClosedList, Insertion, NodeId};
use crate::frontier::Frontier;
use crate::heuristic::IncrementalHeuristic;
use crate::meter::Meter;
use crate::nodes::{Node, Nodes};
use crate::outcome::{Direction, Outcome, Stop};
use crate::space::{ActionSet, Cost, Goals, Reversible};
use crate::trace::NodeEvent::{self, Duplicate, Generated, Reopened, Root, Solution, Updated};
use crate::trace::{NoTracer, TracedNode, Tracer, emit, emit_expansion};
use estimates::{Estimates, Memos};
use open::{Key, Open};

/// Every action costs at least this.
const CHEAPEST: Cost = 1;

/// The lists of one of the two searches of [`mm`].
pub struct SideLists<'a, C, F> {
    /// An empty closed list.
    pub closed: &'a mut C,
    /// An empty open list.
    pub frontier: F,
}

/// Searches from the start and from the goals at once, and expands no node whose g exceeds half the cost of a solution.
///
/// The priority of a node is max(g + h, 2g). The search with the smaller least priority expands a node. The incumbent,
/// the cheapest path known, is optimal once it costs no more than any of four lower bounds: the least priority of both
/// searches, the least g + h of either, and the sum of both least g plus the cost of one action.
///
/// `to_goals` estimates the cost to the goals, for the search from the start; `to_start` that to the start, for the
/// search from the goals. Optimal if both heuristics are admissible. They need not be consistent, because a closed node
/// is opened again when a cheaper path to it is found. An action and its inverse must cost the same.
///
/// Cost: a node, an entry in a closed list and one in an open list for each state generated, on each side.
///
/// # Panics
/// If a closed list is not empty.
///
/// # References
/// Holte, Felner, Sharon and Sturtevant (2016), "Bidirectional search that is guaranteed to meet in the
/// middle", AAAI.
pub fn mm<S, HF, HB, C, F>(
    space: &S,
    start: &S::State,
    (to_goals, forward): (&HF, SideLists<'_, C, F>),
    (to_start, backward): (&HB, SideLists<'_, C, F>),
    meter: &mut Meter<'_>,
) -> Outcome<S::Action>
where
    S: Reversible + Goals,
    HF: IncrementalHeuristic<S>,
    HB: IncrementalHeuristic<S>,
    C: ClosedList<S>,
    F: Frontier,
{
    mm_traced(space, start, (to_goals, forward), (to_start, backward), (meter, NoTracer))
}

/// Like [`mm`], but reports each node to `tracer`; f is its priority.
///
/// # Panics
/// If a closed list is not empty.
pub fn mm_traced<S, HF, HB, C, F, T>(
    space: &S,
    start: &S::State,
    (to_goals, forward): (&HF, SideLists<'_, C, F>),
    (to_start, backward): (&HB, SideLists<'_, C, F>),
    (meter, mut tracer): (&mut Meter<'_>, T),
) -> Outcome<S::Action>
where
    S: Reversible + Goals,
    HF: IncrementalHeuristic<S>,
    HB: IncrementalHeuristic<S>,
    C: ClosedList<S>,
    F: Frontier,
    T: Tracer<S>,
{
    if space.is_goal(start) {
        return Outcome::at_goal();
    }
    let (mut to_goals, mut to_start) = (Memos::of(to_goals), Memos::of(to_start));
    let mut from_start = Side::new(&mut to_goals, forward, Direction::Forward);
    let mut from_goals = Side::new(&mut to_start, backward, Direction::Backward);
    let tracer = &mut tracer;
    Outcome::from_result(search(space, start, &mut from_start, &mut from_goals, (meter, tracer)))
}

fn search<S, C, F, T>(
    space: &S,
    start: &S::State,
    from_start: &mut Side<'_, S, C, F>,
    from_goals: &mut Side<'_, S, C, F>,
    (meter, tracer): (&mut Meter<'_>, &mut T),
) -> Result<Outcome<S::Action>, Stop>
where
    S: Reversible + Goals,
    C: ClosedList<S>,
    F: Frontier,
    T: Tracer<S>,
{
    from_start.open_roots(space, vec![start.clone()], meter, tracer)?;
    from_goals.open_roots(space, space.goals(), meter, tracer)?;
    let mut best: Option<Meeting> = None;
    while let (Some(ours), Some(theirs)) = (from_start.open.minimum(), from_goals.open.minimum()) {
        let bound = lower_bound(ours, theirs);
        if let Some(meeting) = best.filter(|best| best.cost <= bound.min(meter.limits().depth())) {
            return solved(space, from_start, from_goals, meeting, tracer);
        }
        if bound > meter.limits().depth() {
            return Err(Stop::Depth);
        }
        // If priorities are equal, take the smaller open list, which may be exhausted sooner.
        let forward =
            (ours.priority, from_start.open.count) <= (theirs.priority, from_goals.open.count);
        let met = match forward {
            true => from_start.expand(space, from_goals, meter, tracer)?,
            false => from_goals.expand(space, from_start, meter, tracer)?.map(Meeting::swapped),
        };
        let cheaper = |met: &Meeting| best.is_none_or(|best| met.cost < best.cost);
        best = met.filter(cheaper).or(best);
    }
    // One side has met all states that it can reach, so the cheapest path is known, if there is one.
    match best {
        Some(meeting) if meeting.cost <= meter.limits().depth() => {
            solved(space, from_start, from_goals, meeting, tracer)
        }
        Some(_) => Err(Stop::Depth),
        None => Ok(Outcome::Exhausted),
    }
}

/// Returns a lower bound on the cost of any path not known yet, given the minima of both open lists.
fn lower_bound(ours: Key, theirs: Key) -> Cost {
    let through_both = ours.g.saturating_add(theirs.g).saturating_add(CHEAPEST);
    ours.priority.min(theirs.priority).max(ours.f).max(theirs.f).max(through_both)
}

/// Returns the path through the two nodes of a meeting.
fn solved<S: Reversible, C: ClosedList<S>, F: Frontier>(
    space: &S,
    from_start: &Side<'_, S, C, F>,
    from_goals: &Side<'_, S, C, F>,
    meeting: Meeting,
    tracer: &mut impl Tracer<S>,
) -> Result<Outcome<S::Action>, Stop> {
    from_start.emit(meeting.here, Solution, tracer)?;
    from_goals.emit(meeting.there, Solution, tracer)?;
    let mut path = from_start.nodes.path(meeting.here);
    let back = from_goals.nodes.path(meeting.there).into_iter().rev();
    path.extend(back.map(|action| space.inverse(action)));
    Ok(Outcome::Solved { path, cost: meeting.cost })
}

/// A path, through a node of each side with the same state.
#[derive(Clone, Copy)]
struct Meeting {
    here: NodeId,
    there: NodeId,
    cost: Cost,
}

impl Meeting {
    /// Returns the meeting from the point of view of the other side.
    fn swapped(self) -> Self {
        Self { here: self.there, there: self.here, cost: self.cost }
    }
}

/// Data of MM in a node.
struct Extra {
    h: Cost,
    closed: bool,
}

/// One of the two searches.
struct Side<'a, S: Reversible, C, F> {
    nodes: Nodes<S, Extra>,
    estimates: &'a mut dyn Estimates<S>,
    closed: &'a mut C,
    frontier: F,
    open: Open,
    direction: Direction,
}

impl<'a, S: Reversible, C: ClosedList<S>, F: Frontier> Side<'a, S, C, F> {
    fn new(
        estimates: &'a mut dyn Estimates<S>,
        SideLists { closed, frontier }: SideLists<'a, C, F>,
        direction: Direction,
    ) -> Self {
        let (nodes, open) = (Nodes::empty(), Open::default());
        Self { nodes, estimates, closed, frontier, open, direction }
    }

    /// Opens the roots.
    fn open_roots(
        &mut self,
        space: &S,
        roots: Vec<S::State>,
        meter: &mut Meter<'_>,
        tracer: &mut impl Tracer<S>,
    ) -> Result<(), Stop> {
        for state in roots {
            if let Insertion::New(id) = self.closed.insert(space, &state) {
                assert_eq!(id, self.nodes.len(), "the closed lists must be empty");
                let h = self.estimates.add_root(space, &state);
                self.nodes.push(Node::root(state, Extra { h, closed: false }))?;
                self.open(id, &mut 0, meter)?;
                self.emit(id, Root, tracer)?;
            }
        }
        Ok(())
    }

    /// Expands the node with the least priority. Returns the cheapest path through one of its children that the other
    /// side has met.
    fn expand(
        &mut self,
        space: &S,
        other: &Side<'_, S, C, F>,
        meter: &mut Meter<'_>,
        tracer: &mut impl Tracer<S>,
    ) -> Result<Option<Meeting>, Stop> {
        let id = self.next();
        let node = self.nodes.get(id);
        let (state, g) = (node.state.clone(), node.g);
        let undo = node.via.map(|via| space.inverse(via));
        let actions = space.actions(&state).without(undo);
        let children = actions.count();
        let mut held = self.bytes(children) + other.bytes(0);
        meter.reserve(held)?;
        meter.expand()?;
        meter.generate(children);
        emit_expansion(tracer, space, actions, || self.traced(id))?;
        self.close(id);
        let mut met: Option<Meeting> = None;
        for action in actions {
            let (child, via) = (space.successor(&state, action), Some(action));
            let g = g.saturating_add(space.action_cost(&state, action));
            let (here, event) = match self.closed.insert(space, &child) {
                Insertion::New(new) => {
                    let h = self.estimates.add_child(space, id, &state, action, &child);
                    let extra = Extra { h, closed: false };
                    self.nodes.push(Node { state: child, g, parent: id, via, extra })?;
                    (new, Generated)
                }
                Insertion::Known(known) => {
                    meter.duplicate();
                    let Some(event) = self.improve(known, id, action, g, meter) else {
                        emit(tracer, || self.duplicate(known, (id, action), &child, g))?;
                        continue;
                    };
                    (known, event)
                }
            };
            self.open(here, &mut held, meter)?;
            self.emit(here, event, tracer)?;
            let meeting = self.meeting(here, space, other);
            met = meeting.filter(|new| met.is_none_or(|met| new.cost < met.cost)).or(met);
        }
        Ok(met)
    }

    /// Pops the next node that is not stale.
    fn next(&mut self) -> NodeId {
        loop {
            let (id, g) = self.frontier.pop().expect("the caller checked that a node is open");
            let node = self.nodes.get(id);
            // Entries of nodes that have been improved or expanded since are stale.
            if !node.extra.closed && node.g == g {
                return id;
            }
        }
    }

    /// Replaces the path to the node `known` by the one through `parent` if that is cheaper. Returns the event for it
    /// then; the caller must open the node.
    fn improve(
        &mut self,
        known: NodeId,
        parent: NodeId,
        via: S::Action,
        g: Cost,
        meter: &mut Meter<'_>,
    ) -> Option<NodeEvent> {
        let node = self.nodes.get(known);
        if g >= node.g {
            return None;
        }
        let event = if node.extra.closed {
            meter.reopen();
            Reopened
        } else {
            self.close(known);
            Updated
        };
        let node = self.nodes.get_mut(known);
        (node.g, node.parent, node.via, node.extra.closed) = (g, parent, Some(via), false);
        Some(event)
    }

    /// Returns the path through a node, if the other side has met its state.
    fn meeting(&self, here: NodeId, space: &S, other: &Side<'_, S, C, F>) -> Option<Meeting> {
        let node = self.nodes.get(here);
        let there = other.closed.find(space, &node.state)?;
        let counterpart = other.nodes.get(there);
        // If no goal is reachable from the start, states of the two sides may share a rank: compare them.
        (counterpart.state == node.state).then(|| Meeting {
            here,
            there,
            cost: node.g.saturating_add(counterpart.g),
        })
    }

    /// Adds a node to the open list. `held` is the memory reserved, which grows if the list needs more.
    fn open(&mut self, id: NodeId, held: &mut u64, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let (g, key) = (self.nodes.get(id).g, self.key(id));
        self.open.add(key);
        self.frontier.push(key.priority.into(), g, id, |bytes| {
            *held = held.saturating_add(bytes);
            meter.reserve(*held)
        })
    }

    /// Marks an open node as closed; its entry in the open list becomes stale.
    fn close(&mut self, id: NodeId) {
        let key = self.key(id);
        self.open.remove(key);
        self.nodes.get_mut(id).extra.closed = true;
    }

    fn key(&self, id: NodeId) -> Key {
        let node = self.nodes.get(id);
        Key::of(node.g, node.extra.h)
    }

    /// Returns the bytes held once `children` more states have been met and opened.
    fn bytes(&self, children: u64) -> u64 {
        let lists = self.nodes.bytes_with(self.closed, children);
        let memos = self.estimates.bytes(children);
        lists + memos + self.frontier.bytes(children as usize) + self.open.bytes()
    }
}

impl<S: Reversible, C, F> Side<'_, S, C, F> {
    /// Returns the node `id`.
    fn traced(&self, id: NodeId) -> TracedNode<'_, S> {
        let node = self.nodes.get(id);
        self.estimated(TracedNode::of(id, node), node.extra.h)
    }

    /// Returns the event for a child whose state is that of the node `known`.
    fn duplicate<'c>(
        &self,
        known: NodeId,
        (parent, via): (NodeId, S::Action),
        child: &'c S::State,
        g: Cost,
    ) -> (NodeEvent, TracedNode<'c, S>) {
        let node = self.nodes.get(known);
        let child = TracedNode::child(parent, via, child, g);
        (Duplicate { known, g: node.g }, self.estimated(child, node.extra.h))
    }

    fn estimated<'c>(&self, node: TracedNode<'c, S>, h: Cost) -> TracedNode<'c, S> {
        let f = Some(Key::of(node.g, h).priority.into());
        TracedNode { h: Some(h), f, direction: self.direction, ..node }
    }

    /// Sends an event for the node `id`.
    fn emit(&self, id: NodeId, event: NodeEvent, tracer: &mut impl Tracer<S>) -> Result<(), Stop> {
        emit(tracer, || (event, self.traced(id)))
    }
}

#[cfg(test)]
mod tests;
