//! Bidirectional A* that meets in the middle.

mod estimates;
mod open;
mod telling;

use crate::closed::{ClosedList, Insertion, NodeId};
use crate::direction::Direction;
use crate::frontier::Frontier;
use crate::heuristic::IncrementalHeuristic;
use crate::meter::Meter;
use crate::nodes::{Node, Nodes};
use crate::outcome::Outcome;
use crate::space::{ActionSet, Cost, Goals, Reversible};
use crate::stop::Stop;
use crate::trace::NodeEvent::{self, End, Generating, Reopening, Source, Updating};
use crate::trace::{Tracer, Untraced, tell, tell_expanding};
use estimates::{Estimates, Memos};
use open::{Least, Open};

/// No action costs less.
const CHEAPEST: Cost = 1;

/// What one of the two searches of [`mm`] works with.
pub struct Half<'a, C, F> {
    /// An empty closed list.
    pub closed: &'a mut C,
    /// An empty open list.
    pub frontier: F,
}

/// Searches from the start and from the goals at once, and expands no node whose g is more than half of
/// the cost of a solution.
///
/// A node's priority is max(g + h, 2g); the search with the smaller least priority expands a node. The
/// cheapest path known is optimal as soon as it costs no more than any of four lower bounds: the least
/// priority, the least g + h of either search, and the sum of the least g of both plus one action.
///
/// `to_goals` estimates the cost that remains to the goals, for the search from the start; `to_start` that to the
/// start, for the search from the goals. Optimal if both heuristics are admissible; they need not be consistent,
/// because a closed node is opened again if a cheaper way to it is found. Actions and their inverses must cost the
/// same.
///
/// Cost: a node, an entry of a closed list and one of an open list for each state met, on either side.
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
    (to_goals, forward): (&HF, Half<'_, C, F>),
    (to_start, backward): (&HB, Half<'_, C, F>),
    meter: &mut Meter<'_>,
) -> Outcome<S::Action>
where
    S: Reversible + Goals,
    HF: IncrementalHeuristic<S>,
    HB: IncrementalHeuristic<S>,
    C: ClosedList<S>,
    F: Frontier,
{
    mm_traced(space, start, (to_goals, forward), (to_start, backward), (meter, Untraced))
}

/// [`mm`], which tells `tracer` of each node: f is its priority.
///
/// # Panics
/// If a closed list is not empty.
pub fn mm_traced<S, HF, HB, C, F, T>(
    space: &S,
    start: &S::State,
    (to_goals, forward): (&HF, Half<'_, C, F>),
    (to_start, backward): (&HB, Half<'_, C, F>),
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
    from_start.begin(space, vec![start.clone()], meter, tracer)?;
    from_goals.begin(space, space.goals(), meter, tracer)?;
    let mut best: Option<Meeting> = None;
    while let (Some(ours), Some(theirs)) = (from_start.open.least(), from_goals.open.least()) {
        let bound = lower_bound(ours, theirs);
        if let Some(meeting) = best.filter(|best| best.cost <= bound.min(meter.limits().depth())) {
            return solved(space, from_start, from_goals, meeting, tracer);
        }
        if bound > meter.limits().depth() {
            return Err(Stop::Depth);
        }
        // The smaller open list where priorities are equal: it may be exhausted sooner.
        let forward =
            (ours.priority, from_start.open.count) <= (theirs.priority, from_goals.open.count);
        let met = match forward {
            true => from_start.expand(space, from_goals, meter, tracer)?,
            false => from_goals.expand(space, from_start, meter, tracer)?.map(Meeting::turned),
        };
        let cheaper = |met: &Meeting| best.is_none_or(|best| met.cost < best.cost);
        best = met.filter(cheaper).or(best);
    }
    // One side has seen all that it can reach, so the cheapest path, if there is one, is known.
    match best {
        Some(meeting) if meeting.cost <= meter.limits().depth() => {
            solved(space, from_start, from_goals, meeting, tracer)
        }
        Some(_) => Err(Stop::Depth),
        None => Ok(Outcome::Exhausted),
    }
}

/// A path that is not known yet costs at least this.
fn lower_bound(ours: Least, theirs: Least) -> Cost {
    let through_both = ours.g.saturating_add(theirs.g).saturating_add(CHEAPEST);
    ours.priority.min(theirs.priority).max(ours.f).max(theirs.f).max(through_both)
}

/// The path through the two nodes of a meeting.
fn solved<S: Reversible, C: ClosedList<S>, F: Frontier>(
    space: &S,
    from_start: &Side<'_, S, C, F>,
    from_goals: &Side<'_, S, C, F>,
    meeting: Meeting,
    tracer: &mut impl Tracer<S>,
) -> Result<Outcome<S::Action>, Stop> {
    from_start.tell(meeting.here, End, tracer)?;
    from_goals.tell(meeting.there, End, tracer)?;
    let mut path = from_start.nodes.path(meeting.here);
    let back = from_goals.nodes.path(meeting.there).into_iter().rev();
    path.extend(back.map(|action| space.inverse(action)));
    Ok(Outcome::Solved { path, cost: meeting.cost })
}

/// A path: nodes of both sides with the same state.
#[derive(Clone, Copy)]
struct Meeting {
    here: NodeId,
    there: NodeId,
    cost: Cost,
}

impl Meeting {
    /// The same seen from the other side.
    fn turned(self) -> Self {
        Self { here: self.there, there: self.here, cost: self.cost }
    }
}

/// What a side adds to a node.
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
        Half { closed, frontier }: Half<'a, C, F>,
        direction: Direction,
    ) -> Self {
        let (nodes, open) = (Nodes::empty(), Open::default());
        Self { nodes, estimates, closed, frontier, open, direction }
    }

    /// Opens the nodes where the search begins.
    fn begin(
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
                self.tell(id, Source, tracer)?;
            }
        }
        Ok(())
    }

    /// Expands the most urgent node; returns the cheapest path through one of its children, if the other
    /// side has met one.
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
        tell_expanding(tracer, space, actions, || self.traced(id))?;
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
                    (new, Generating)
                }
                Insertion::Known(known) => {
                    meter.duplicate();
                    let Some(event) = self.improve(known, id, action, g, meter) else {
                        tell(tracer, || self.duplicate(known, (id, action), &child, g))?;
                        continue;
                    };
                    (known, event)
                }
            };
            self.open(here, &mut held, meter)?;
            self.tell(here, event, tracer)?;
            let meeting = self.meeting(here, space, other);
            met = meeting.filter(|new| met.is_none_or(|met| new.cost < met.cost)).or(met);
        }
        Ok(met)
    }

    /// Takes the next node from the open list.
    fn next(&mut self) -> NodeId {
        loop {
            let (id, g) = self.frontier.pop().expect("a node is open");
            let node = self.nodes.get(id);
            // Entries of nodes that were improved since, or expanded already, are stale.
            if !node.extra.closed && node.g == g {
                return id;
            }
        }
    }

    /// Takes the way to the node `known` over `parent` if that is cheaper, and returns what happens to the node
    /// then: it has to be opened.
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
            Reopening
        } else {
            self.close(known);
            Updating
        };
        let node = self.nodes.get_mut(known);
        (node.g, node.parent, node.via, node.extra.closed) = (g, parent, Some(via), false);
        Some(event)
    }

    /// The path through a node, if the other side has met its state.
    fn meeting(&self, here: NodeId, space: &S, other: &Side<'_, S, C, F>) -> Option<Meeting> {
        let node = self.nodes.get(here);
        let there = other.closed.find(space, &node.state)?;
        let counterpart = other.nodes.get(there);
        // Ranks of states on either side of an unsolvable start may collide: compare.
        (counterpart.state == node.state).then(|| Meeting {
            here,
            there,
            cost: node.g.saturating_add(counterpart.g),
        })
    }

    /// Puts a node into the open list, which may come to hold more than `held` for it.
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

    fn key(&self, id: NodeId) -> Least {
        let node = self.nodes.get(id);
        Least::of(node.g, node.extra.h)
    }

    /// Bytes held once `children` more states have been met and opened.
    fn bytes(&self, children: u64) -> u64 {
        let lists = self.nodes.bytes_with(self.closed, children);
        let memos = self.estimates.bytes(children);
        lists + memos + self.frontier.bytes(children as usize) + self.open.bytes()
    }
}

#[cfg(test)]
mod tests;
