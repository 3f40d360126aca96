//! How far a search is, in a form that can be put aside.

use std::time::Duration;

use loyd_search::Cost;
use loyd_tiles::{Cell, Move};

use super::engine::Engine;
use super::node::{LONGEST, Node};
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
    /// Nodes expanded and generated for beams, which are no part of a round.
    pub beside: (u64, u64),
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

    /// What is left of the round that begins at `root`; `None` if a path is none there.
    pub(super) fn rest(
        &self,
        runner: &Runner,
        rows: &MoveRows,
        root: &Node,
        engine: &mut Engine,
    ) -> Option<Rest> {
        let single = Move::ALL.map(MoveRows::single);
        let node = |pending: &Pending| pending.node(runner, &single, root, engine);
        let nodes: Option<Vec<Node>> = self.pending.iter().map(node).collect();
        let nodes = nodes?;
        let is_sound = nodes.iter().all(|node| rows.has(node.automaton, node.blank));
        is_sound.then_some(Rest { nodes, expanded: self.expanded, generated: self.generated })
    }

    /// The complete rounds are those that a search from a start with this estimate begins with.
    pub(super) fn is_of(&self, h: Cost) -> bool {
        let bounds = (h..).step_by(2);
        let begun = *self == Self::default();
        begun
            || self.rounds.iter().map(|round| round.0).eq(bounds.take(self.rounds.len()))
                && u64::from(self.bound) == u64::from(h) + 2 * self.rounds.len() as u64
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
    /// The node after these moves; `None` if one of them leaves the board or the bound.
    fn node(
        &self,
        runner: &Runner,
        single: &[MoveRows; 4],
        root: &Node,
        engine: &mut Engine,
    ) -> Option<Node> {
        let mut node = root.clone();
        if self.moves.len() >= LONGEST as usize {
            return None;
        }
        for &m in &self.moves {
            runner.tables.size.neighbour(Cell::new(node.blank.into()), m)?;
            let before = [Node { automaton: 0, ..node }];
            let (mut after, rows) = (None, &single[m.index()]);
            runner.expand_batch(engine, rows, &before, &mut |node| after = Some(node.clone()));
            node = after?;
        }
        Some(Node { automaton: self.automaton, ..node })
    }
}
