//! How far a search is, in a form that can be put aside.

use std::time::Duration;

use loyd_search::Cost;
use loyd_tiles::Move;

use super::engine::Engine;
use super::node::Node;
use super::pool::Rest;
use super::rows::MoveRows;
use super::runner::Runner;

/// How far a search is: the rounds that are complete, and what is left of the one that is not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The bound of the round that is being searched; 0 before the first.
    pub bound: Cost,
    /// For each complete round its bound, and the nodes expanded and generated.
    pub rounds: Vec<(Cost, u64, u64)>,
    /// The nodes below which the round is still to be searched; none between rounds.
    pub pending: Vec<Pending>,
    /// Nodes expanded and generated in the round so far.
    pub expanded: u64,
    /// See [`expanded`](Self::expanded).
    pub generated: u64,
}

/// A node that is still to be expanded: the moves to it, in canonical orientation, and the state of the automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pending {
    /// The moves from the start.
    pub moves: Vec<Move>,
    /// The state of the automaton.
    pub automaton: u32,
}

impl Progress {
    /// At the latest after this time a search tells how far it is.
    pub const INTERVAL: Duration = Duration::from_secs(30);

    /// Begins with the bound `h` if nothing has been done.
    pub(super) fn begin(&mut self, h: Cost) {
        self.bound = self.bound.max(h);
    }

    /// Begins a round.
    pub(super) fn start_round(&mut self) {
        (self.expanded, self.generated) = (0, 0);
    }

    /// What is left of the round.
    pub(super) fn rest(&self, runner: &Runner, root: &Node) -> Rest {
        let counts = (self.expanded, self.generated);
        let nodes = match self.pending.is_empty() {
            true => vec![root.clone()],
            false => self.pending.iter().map(|pending| pending.node(runner, root)).collect(),
        };
        Rest { nodes, expanded: counts.0, generated: counts.1 }
    }

    /// Notes what is left.
    pub(super) fn take(&mut self, rest: &Rest) {
        (self.expanded, self.generated) = (rest.expanded, rest.generated);
        self.pending.clear();
        let pending = |node: &Node| Pending { moves: node.moves(), automaton: node.automaton };
        self.pending.extend(rest.nodes.iter().map(pending));
    }

    /// Notes that nothing is left.
    pub(super) fn end_round(&mut self) {
        self.rounds.push((self.bound, self.expanded, self.generated));
        self.bound += 2;
    }
}

impl Pending {
    /// The node after these moves.
    fn node(&self, runner: &Runner, root: &Node) -> Node {
        let mut node = root.clone();
        for &m in &self.moves {
            node = runner.after(&node, m);
        }
        Node { automaton: self.automaton, ..node }
    }
}

impl Runner {
    /// The node after a move.
    fn after(&self, node: &Node, m: Move) -> Node {
        let rows = MoveRows::single(m);
        let mut engine = Engine::new();
        let mut after = None;
        let before = Node { automaton: 0, ..node.clone() };
        self.expand_batch(&mut engine, &rows, &[before], &mut |node| after = Some(node.clone()));
        after.expect("the moves stay within the bound")
    }
}
