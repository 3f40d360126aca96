//! Best-first search: one engine for uniform-cost search, greedy search, A* and weighted A*.

use crate::closed::{ClosedList, Insertion, NodeId};
use crate::frontier::Frontier;
use crate::heuristic::IncrementalHeuristic;
use crate::meter::Meter;
use crate::nodes::{Node, Nodes};
use crate::outcome::{Outcome, Stop};
use crate::space::{ActionSet, Cost, Reversible, StateSpace};
use crate::trace::NodeEvent::{
    self, Duplicate, Generated, Pruned, Reopened, Root, Solution, Updated,
};
use crate::trace::{NoTracer, Pruning, TracedNode, Tracer, emit, emit_expansion};

/// The evaluation function `g_weight · g + h_weight · h`; the node with the least value is expanded first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// The weight of the cost so far.
    pub g_weight: u32,
    /// The weight of the estimate of the remaining cost.
    pub h_weight: u32,
}

impl Evaluation {
    /// `g`: uniform-cost search (Dijkstra 1959).
    pub const UNIFORM_COST: Self = Self { g_weight: 1, h_weight: 0 };
    /// `h`: greedy best-first search.
    pub const GREEDY: Self = Self { g_weight: 0, h_weight: 1 };
    /// `g + h`: A* (Hart, Nilsson and Raphael 1968).
    pub const A_STAR: Self = Self { g_weight: 1, h_weight: 1 };

    /// Returns `g + w·h` for w = `numerator`/`denominator`: weighted A* (Pohl 1970).
    pub const fn weighted(numerator: u32, denominator: u32) -> Self {
        Self { g_weight: denominator, h_weight: numerator }
    }

    fn priority(self, g: Cost, h: Cost) -> u64 {
        u64::from(self.g_weight) * u64::from(g) + u64::from(self.h_weight) * u64::from(h)
    }

    /// Adds h and the priority to a traced node.
    fn estimated<S: StateSpace>(self, node: TracedNode<'_, S>, h: Cost) -> TracedNode<'_, S> {
        TracedNode { h: Some(h), f: Some(self.priority(node.g, h)), ..node }
    }
}

/// Expands the node with the least evaluation first, among equal ones the one with the largest g, until a goal is
/// expanded.
///
/// A node is closed when it is expanded. The path to an open node is replaced by a cheaper one, and a closed node is
/// opened again if a cheaper path to it is found (which a consistent heuristic rules out, and which
/// [`Evaluation::GREEDY`] does not do). So the solution is optimal with [`Evaluation::A_STAR`] and an admissible
/// heuristic, costs at most w times the optimum with [`Evaluation::weighted`], and has no guarantee with
/// [`Evaluation::GREEDY`].
///
/// Cost: a node, an entry in `closed` and one in `frontier` for each state generated.
///
/// # Panics
/// If `closed` is not empty.
pub fn best_first<S, H, C, F>(
    space: &S,
    heuristic: &H,
    evaluation: Evaluation,
    start: &S::State,
    closed: &mut C,
    frontier: F,
    meter: &mut Meter<'_>,
) -> Outcome<S::Action>
where
    S: Reversible,
    H: IncrementalHeuristic<S>,
    C: ClosedList<S>,
    F: Frontier,
{
    best_first_traced(space, heuristic, evaluation, start, closed, frontier, (meter, NoTracer))
}

/// Like [`best_first`], but reports each node to `tracer`.
///
/// # Panics
/// If `closed` is not empty.
pub fn best_first_traced<S, H, C, F, T>(
    space: &S,
    heuristic: &H,
    evaluation: Evaluation,
    start: &S::State,
    closed: &mut C,
    frontier: F,
    (meter, tracer): (&mut Meter<'_>, T),
) -> Outcome<S::Action>
where
    S: Reversible,
    H: IncrementalHeuristic<S>,
    C: ClosedList<S>,
    F: Frontier,
    T: Tracer<S>,
{
    let memo = heuristic.memo(space, start);
    assert_eq!(closed.insert(space, start), Insertion::New(0), "the closed list must be empty");
    let nodes = Nodes::with_root(start.clone(), Extra { memo, closed: false });
    let mut search =
        BestFirst { space, heuristic, evaluation, nodes, closed, frontier, cut: false, tracer };
    let opened = search.open(0, &mut 0, meter).and_then(|()| search.emit(0, Root));
    Outcome::from_result(opened.and_then(|()| search.run(meter)))
}

struct Extra<M> {
    memo: M,
    closed: bool,
}

struct BestFirst<'a, S: Reversible, H: IncrementalHeuristic<S>, C, F, T> {
    space: &'a S,
    heuristic: &'a H,
    evaluation: Evaluation,
    nodes: Nodes<S, Extra<H::Memo>>,
    closed: &'a mut C,
    frontier: F,
    /// Whether the depth limit pruned a child whose state was not known at the time.
    cut: bool,
    tracer: T,
}

impl<S, H, C, F, T> BestFirst<'_, S, H, C, F, T>
where
    S: Reversible,
    H: IncrementalHeuristic<S>,
    C: ClosedList<S>,
    F: Frontier,
    T: Tracer<S>,
{
    fn run(&mut self, meter: &mut Meter<'_>) -> Result<Outcome<S::Action>, Stop> {
        while let Some((id, g)) = self.frontier.pop() {
            let node = self.nodes.get_mut(id);
            // Entries of nodes that have been improved or expanded since are stale.
            if node.extra.closed || node.g != g {
                continue;
            }
            if self.space.is_goal(&node.state) {
                self.emit(id, Solution)?;
                return Ok(Outcome::Solved { path: self.nodes.path(id), cost: g });
            }
            node.extra.closed = true;
            self.expand(id, meter)?;
        }
        if self.cut { Err(Stop::Depth) } else { Ok(Outcome::Exhausted) }
    }

    fn expand(&mut self, id: NodeId, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let node = self.nodes.get(id);
        let (state, memo, g) = (node.state.clone(), node.extra.memo, node.g);
        let undo = node.via.map(|via| self.space.inverse(via));
        let actions = self.space.actions(&state).without(undo);
        let children = actions.count();
        let mut held = self.bytes(children);
        meter.reserve(held)?;
        meter.expand()?;
        meter.generate(children);
        self.emit_expansion(id, actions)?;
        for action in actions {
            let child_g = g + self.space.action_cost(&state, action);
            let child = self.space.successor(&state, action);
            if child_g > meter.limits().depth() {
                self.cut |= self.closed.find(self.space, &child).is_none();
                let traced = || TracedNode::child(id, action, &child, child_g);
                emit(&mut self.tracer, || (Pruned(Pruning::Depth), traced()))?;
                continue;
            }
            match self.closed.insert(self.space, &child) {
                Insertion::Known(known) => {
                    meter.duplicate();
                    match self.improve(known, id, action, child_g, meter) {
                        Some(event) => {
                            self.open(known, &mut held, meter)?;
                            self.emit(known, event)?;
                        }
                        None => self.emit_duplicate(known, (id, action), &child, child_g)?,
                    }
                }
                Insertion::New(new) => {
                    let memo = self.heuristic.update(self.space, memo, &state, action, &child);
                    let extra = Extra { memo, closed: false };
                    let via = Some(action);
                    self.nodes.push(Node { state: child, g: child_g, parent: id, via, extra })?;
                    self.open(new, &mut held, meter)?;
                    self.emit(new, Generated)?;
                }
            }
        }
        Ok(())
    }

    /// Replaces the path to the node `known` by the one through `parent` if that is cheaper and the node is to be
    /// opened for it. Returns the event for it then.
    fn improve(
        &mut self,
        known: NodeId,
        parent: NodeId,
        via: S::Action,
        g: Cost,
        meter: &mut Meter<'_>,
    ) -> Option<NodeEvent> {
        let node = self.nodes.get_mut(known);
        // Greedy search ignores costs: opening closed nodes for cheaper paths would expand the same states over and
        // over.
        if g >= node.g || node.extra.closed && self.evaluation.g_weight == 0 {
            return None;
        }
        (node.g, node.parent, node.via) = (g, parent, Some(via));
        if node.extra.closed {
            node.extra.closed = false;
            meter.reopen();
            return Some(Reopened);
        }
        Some(Updated)
    }

    /// Adds the node `id` to the frontier. `held` is the memory reserved, which grows if the frontier needs more.
    #[inline]
    fn open(&mut self, id: NodeId, held: &mut u64, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let node = self.nodes.get(id);
        let priority = self.evaluation.priority(node.g, self.heuristic.value(&node.extra.memo));
        self.frontier.push(priority, node.g, id, |bytes| {
            *held = held.saturating_add(bytes);
            meter.reserve(*held)
        })
    }

    /// Returns the bytes held once `children` more states have been met and opened.
    fn bytes(&self, children: u64) -> u64 {
        self.nodes.bytes_with(self.closed, children) + self.frontier.bytes(children as usize)
    }

    /// Sends an event for the node `id`.
    fn emit(&mut self, id: NodeId, event: NodeEvent) -> Result<(), Stop> {
        let Self { nodes, heuristic, evaluation, tracer, .. } = self;
        emit(tracer, || {
            let node = nodes.get(id);
            let h = heuristic.value(&node.extra.memo);
            (event, evaluation.estimated(TracedNode::of(id, node), h))
        })
    }

    /// Sends the expansion of the node `id` by the actions `allowed`.
    fn emit_expansion(&mut self, id: NodeId, allowed: S::Actions) -> Result<(), Stop> {
        let Self { space, nodes, heuristic, evaluation, tracer, .. } = self;
        emit_expansion(tracer, space, allowed, || {
            let node = nodes.get(id);
            let h = heuristic.value(&node.extra.memo);
            evaluation.estimated(TracedNode::of(id, node), h)
        })
    }

    /// Sends the event for a child whose state is that of the node `known`.
    fn emit_duplicate(
        &mut self,
        known: NodeId,
        (parent, via): (NodeId, S::Action),
        child: &S::State,
        g: Cost,
    ) -> Result<(), Stop> {
        let Self { nodes, heuristic, evaluation, tracer, .. } = self;
        emit(tracer, || {
            let node = nodes.get(known);
            let h = heuristic.value(&node.extra.memo);
            let traced = TracedNode::child(parent, via, child, g);
            (Duplicate { known, g: node.g }, evaluation.estimated(traced, h))
        })
    }
}
