//! How far a search is, in a form that can be put aside.

use std::time::Duration;

use loyd_search::Cost;
use loyd_tiles::{Cell, Move};

use super::engine::{Engine, Within};
use super::node::{LONGEST, Node};
use super::pool::Rest;
use super::runner::Runner;
use super::tables::Tables;
use crate::move_rows::MoveRows;

/// How far from the goal the first round goes beyond its bound.
pub const AHEAD: u32 = 20;

/// A round is to expand this part of its nodes beyond its bound: a compromise between the rounds that find nothing there
/// and the last one, which need not be searched if the one before finds a solution.
const AHEAD_SHARE: u64 = 10;

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
    /// Nodes expanded and generated beyond the bound in the round so far, which are no part of it.
    pub beyond: (u64, u64),
    /// Within so many moves of the goal the round goes two moves beyond its bound.
    pub ahead: u32,
    /// A solution of two moves more than the bound of the round in which it was found.
    pub solution: Option<Vec<Move>>,
    /// Nodes expanded and generated for beams, and beyond the bounds of complete rounds, which are no part of a round.
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

    /// Begins with the bound `h`, and looks so far ahead, if nothing has been done.
    pub(super) fn begin(&mut self, h: Cost, ahead: u32) {
        if self.bound < h {
            (self.bound, self.ahead) = (h, ahead);
        }
    }

    /// Whether the solution that is known, if one is, leads from `start` to the goal, in as many moves as the bound, or in
    /// two more if the round is not complete.
    pub(super) fn has_sound_solution(&self, tables: &Tables, start: &[u8]) -> bool {
        let Some(path) = &self.solution else { return true };
        let (size, bound) = (tables.size, self.bound as usize);
        let mut board = start.to_vec();
        let mut blank = start.iter().position(|&goal| goal == tables.blank());
        for &m in path {
            let to = blank.and_then(|at| size.neighbour(Cell::new(at), m));
            if let (Some(at), Some(to)) = (blank, to) {
                board.swap(at, to.index());
            }
            blank = to.map(Cell::index);
        }
        let is_at_goal = blank.is_some() && (0..).zip(&board).all(|(cell, &goal)| goal == cell);
        let longest = if self.pending.is_empty() { bound } else { bound + 2 };
        is_at_goal && [bound, longest].contains(&path.len())
    }

    /// Begins a round.
    pub(super) fn start_round(&mut self) {
        (self.expanded, self.generated, self.beyond) = (0, 0, (0, 0));
    }

    /// What the round is searched within. That a solution is known changes nothing, so that counts do not depend on when
    /// it was found.
    pub(super) fn within(&self) -> Within {
        let bound = self.bound as u8;
        let longest = self.bound + 2;
        if self.ahead == 0 || longest >= LONGEST {
            return Within::bound(bound);
        }
        Within { bound, ahead: longest.saturating_sub(self.ahead) as u16 }
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
        let (expanded, generated, beyond) = (self.expanded, self.generated, self.beyond);
        is_sound.then_some(Rest { nodes, expanded, generated, beyond, ahead: None })
    }

    /// The complete rounds are those that a search from a start with this estimate begins with.
    pub(super) fn is_of(&self, h: Cost) -> bool {
        let bounds = (h..).step_by(2);
        let begins = *self == Self { beside: self.beside, ..Self::default() };
        begins
            || self.rounds.iter().map(|round| round.0).eq(bounds.take(self.rounds.len()))
                && u64::from(self.bound) == u64::from(h) + 2 * self.rounds.len() as u64
    }

    /// Notes what is left.
    pub(super) fn take(&mut self, rest: &Rest) {
        (self.expanded, self.generated) = (rest.expanded, rest.generated);
        self.beyond = rest.beyond;
        if let Some(goal) = &rest.ahead {
            self.solution.get_or_insert_with(|| goal.moves());
        }
        self.pending.clear();
        let pending = |node: &Node| Pending { moves: node.moves(), automaton: node.automaton };
        self.pending.extend(rest.nodes.iter().map(pending));
    }

    /// Notes that nothing is left.
    pub(super) fn end_round(&mut self) {
        self.rounds.push((self.bound, self.expanded, self.generated));
        self.bound += 2;
        self.beside.0 += self.beyond.0;
        self.beside.1 += self.beyond.1;
        self.look_further();
        self.beyond = (0, 0);
    }

    /// Looks further ahead in the next round if little was beyond the bound, and less far if much was: what is there
    /// grows by half or more with each move.
    fn look_further(&mut self) {
        if self.ahead == 0 {
            return;
        }
        let wanted = 16 * (self.expanded / AHEAD_SHARE).max(1);
        let (mut expected, mut steps) = (16 * self.beyond.0.max(1), 0);
        while steps < 5 && expected * 3 / 2 <= wanted {
            (expected, steps) = (expected * 3 / 2, steps + 1);
        }
        while steps > -5 && expected > wanted {
            (expected, steps) = (expected * 2 / 3, steps - 1);
        }
        self.ahead = self.ahead.saturating_add_signed(steps).clamp(1, LONGEST);
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
        // Room for what is beyond the bound.
        let count = runner.tables.sums.len();
        let mut node = root.clone();
        node.slack[..count].iter_mut().for_each(|slack| *slack += 1);
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
        node.slack[..count].iter_mut().for_each(|slack| *slack -= 1);
        Some(Node { automaton: self.automaton, ..node })
    }
}
