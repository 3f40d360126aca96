//! Progress of a search, in the form in which it is suspended and resumed.

use std::time::Duration;

use loyd_search::Cost;
use loyd_tiles::{Cell, Move};

use super::engine::{Engine, PathLimit};
use super::node::{MAX_MOVES, Node};
use super::pool::IterationState;
use super::runner::Runner;
use super::tables::Tables;
use crate::move_rows::MoveRows;

/// Lookahead of the first iteration in moves from the goal.
pub const LOOKAHEAD: u32 = 20;

/// Inverse of the fraction of an iteration's nodes that it should expand past its bound, in addition: a compromise
/// between the cost of the iterations that find nothing there and the saving if one finds the solution of the next.
const LOOKAHEAD_FRACTION: u64 = 10;

/// Progress of a search: the complete iterations, and the rest of the current one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Bound of the current iteration; 0 before the first one.
    pub bound: Cost,
    /// Per complete iteration: its bound, and the numbers of nodes expanded and generated.
    pub iterations: Vec<(Cost, u64, u64)>,
    /// Roots of the subtrees of the current iteration that are still to be searched; empty between iterations.
    pub pending: Vec<PendingNode>,
    /// Number of nodes expanded in the current iteration so far.
    pub expanded: u64,
    /// Number of nodes generated in the current iteration so far.
    pub generated: u64,
    /// Numbers of nodes expanded and generated past the bound in the current iteration so far, in addition to the
    /// above.
    pub past_bound: (u64, u64),
    /// Lookahead: number of moves at the end of a path in which it may exceed the bound by two; 0 for no lookahead.
    pub lookahead: u32,
    /// A solution found by lookahead: two moves longer than the bound of the iteration that found it. It is proved
    /// shortest when that iteration is complete.
    pub solution: Option<Vec<Move>>,
    /// Numbers of nodes expanded and generated outside of all iterations: by beams, and past the bounds of complete
    /// iterations.
    pub outside_iterations: (u64, u64),
}

/// A node to be expanded, as the path to it in canonical orientation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingNode {
    /// The moves from the start.
    pub moves: Vec<Move>,
    /// The state of the move automaton.
    pub automaton: u32,
}

impl Progress {
    /// Default for the maximum time between two calls of `save` by
    /// [`resume`](crate::LargestSumSearch::resume).
    pub const DEFAULT_SAVE_INTERVAL: Duration = Duration::from_secs(30);

    /// Sets the first bound, `h`, and the lookahead, unless the search is resumed.
    pub(super) fn initialize(&mut self, h: Cost, lookahead: u32) {
        if self.bound < h {
            (self.bound, self.lookahead) = (h, lookahead);
        }
    }

    /// Returns whether the solution found by lookahead, if any, leads from `start` to the goal and has as many moves as
    /// the bound, or two more if the iteration is not complete.
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

    /// Resets the counts for a new iteration.
    pub(super) fn start_iteration(&mut self) {
        (self.expanded, self.generated, self.past_bound) = (0, 0, (0, 0));
    }

    /// Returns the path limit of the current iteration. It does not depend on a solution found by lookahead, so that
    /// the counts do not depend on the time at which that was found.
    pub(super) fn limit(&self) -> PathLimit {
        let bound = self.bound as u8;
        let longest = self.bound + 2;
        if self.lookahead == 0 || longest >= MAX_MOVES {
            return PathLimit::without_lookahead(bound);
        }
        PathLimit { bound, lookahead_depth: longest.saturating_sub(self.lookahead) as u16 }
    }

    /// Returns the state of the current iteration; `None` if a pending path is impossible from `root` within the bound,
    /// or does not fit its automaton state.
    pub(super) fn resume(
        &self,
        runner: &Runner,
        rows: &MoveRows,
        root: &Node,
        engine: &mut Engine,
    ) -> Option<IterationState> {
        let single = Move::ALL.map(MoveRows::single);
        let node = |pending: &PendingNode| pending.node(runner, &single, root, engine);
        let nodes: Option<Vec<Node>> = self.pending.iter().map(node).collect();
        let nodes = nodes?;
        let is_sound = nodes.iter().all(|node| rows.has(node.automaton, node.blank));
        let (expanded, generated, past_bound) = (self.expanded, self.generated, self.past_bound);
        is_sound.then_some(IterationState {
            nodes,
            expanded,
            generated,
            past_bound,
            lookahead_goal: None,
        })
    }

    /// Returns whether the complete iterations and the bound are possible for a start with estimate `h`: bounds `h`,
    /// `h + 2` and so on without gaps.
    pub(super) fn fits(&self, h: Cost) -> bool {
        let bounds = (h..).step_by(2);
        let is_new =
            *self == Self { outside_iterations: self.outside_iterations, ..Self::default() };
        is_new
            || self
                .iterations
                .iter()
                .map(|iteration| iteration.0)
                .eq(bounds.take(self.iterations.len()))
                && u64::from(self.bound) == u64::from(h) + 2 * self.iterations.len() as u64
    }

    /// Records the state of the current iteration.
    pub(super) fn record(&mut self, state: &IterationState) {
        (self.expanded, self.generated) = (state.expanded, state.generated);
        self.past_bound = state.past_bound;
        if let Some(goal) = &state.lookahead_goal {
            self.solution.get_or_insert_with(|| goal.moves());
        }
        self.pending.clear();
        let pending = |node: &Node| PendingNode { moves: node.moves(), automaton: node.automaton };
        self.pending.extend(state.nodes.iter().map(pending));
    }

    /// Returns the part of the current iteration below the pending nodes with these indices, as a search of its own.
    ///
    /// # Panics
    /// If there are fewer pending nodes.
    #[must_use]
    pub fn part(&self, nodes: &[usize]) -> Self {
        Self {
            bound: self.bound,
            iterations: self.iterations.clone(),
            pending: nodes.iter().map(|&index| self.pending[index].clone()).collect(),
            lookahead: self.lookahead,
            ..Self::default()
        }
    }

    /// Adds the counts and the solution of a complete [`part`](Self::part) to the current iteration. The nodes of the
    /// part remain pending, unless it has a solution as long as the bound, which ends the iteration. Returns false, and
    /// adds nothing, if `part` is not a complete part of this iteration.
    pub fn add(&mut self, part: &Self) -> bool {
        let length = part.solution.as_ref().map(Vec::len);
        let is_same = part.iterations == self.iterations && part.bound == self.bound;
        if is_same && part.pending.is_empty() && length == Some(self.bound as usize) {
            self.solution.clone_from(&part.solution);
            self.pending.clear();
            return true;
        }
        let count = self.iterations.len();
        let own = part.iterations.split_at_checked(count);
        let Some((before, &[(bound, expanded, generated)])) = own else { return false };
        if before != self.iterations || bound != self.bound || !part.pending.is_empty() {
            return false;
        }
        self.expanded += expanded;
        self.generated += generated;
        self.past_bound.0 += part.outside_iterations.0;
        self.past_bound.1 += part.outside_iterations.1;
        if self.solution.is_none() {
            self.solution.clone_from(&part.solution);
        }
        true
    }

    /// Records that the current iteration is complete, and moves on to the next bound.
    pub fn finish_iteration(&mut self) {
        self.iterations.push((self.bound, self.expanded, self.generated));
        self.bound += 2;
        self.outside_iterations.0 += self.past_bound.0;
        self.outside_iterations.1 += self.past_bound.1;
        self.adapt_lookahead();
        self.past_bound = (0, 0);
    }

    /// Adapts the lookahead of the next iteration by up to five moves, so that about one node in [`LOOKAHEAD_FRACTION`]
    /// is past the bound. The number of those nodes is assumed to grow by a half with each move of lookahead; in fact
    /// it grows by at least that.
    fn adapt_lookahead(&mut self) {
        if self.lookahead == 0 {
            return;
        }
        // Scaled by 16, for the precision of small counts.
        let wanted = 16 * (self.expanded / LOOKAHEAD_FRACTION).max(1);
        let (mut expected, mut steps) = (16 * self.past_bound.0.max(1), 0);
        while steps < 5 && expected * 3 / 2 <= wanted {
            (expected, steps) = (expected * 3 / 2, steps + 1);
        }
        while steps > -5 && expected > wanted {
            (expected, steps) = (expected * 2 / 3, steps - 1);
        }
        self.lookahead = self.lookahead.saturating_add_signed(steps).clamp(1, MAX_MOVES);
    }
}

impl PendingNode {
    /// Returns the node after these moves; `None` if a move leads off the board or past the bound by more than two
    /// moves.
    fn node(
        &self,
        runner: &Runner,
        single: &[MoveRows; 4],
        root: &Node,
        engine: &mut Engine,
    ) -> Option<Node> {
        // Nodes past the bound may be pending: a unit of slack is added on the way and removed at the end.
        let count = runner.tables.sums.len();
        let mut node = root.clone();
        node.slack[..count].iter_mut().for_each(|slack| *slack += 1);
        if self.moves.len() >= MAX_MOVES as usize {
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

#[cfg(test)]
mod tests {
    use loyd_heuristics::pdb::Plain;
    use loyd_tiles::Cell;

    use crate::largest_sum::tests::{
        accepts, by_kernel, checked, random, scrambled, search, size, square,
    };
    use crate::largest_sum::*;

    #[test]
    fn lookahead_preserves_lengths_and_complete_iterations() {
        let size = size("5x5");
        let rows = Arc::new(MoveRows::no_undo(size));
        let (mut seed, mut ended) = (7, [0, 0]);
        for board in 0..12 {
            let start = scrambled(size, &mut seed, 170 + 2 * board);
            let mut plain = search(square(), &rows, Cpu::detect(), 1);
            plain.lookahead = 0;
            let expected = by_kernel(&mut plain, &start);
            let counts = [1, 2].map(|threads| {
                let mut search = search(square(), &rows, Cpu::detect(), threads);
                let (mut meter, mut progress) = (Meter::default(), Progress::default());
                let outcome = search.resume(&start, &mut progress, &mut meter, &mut |_| {});
                let stats = meter.finish();
                let in_rounds: u64 =
                    stats.iterations.iter().map(|iteration| iteration.expanded).sum();
                let outside = progress.outside_iterations.0 + progress.past_bound.0;
                assert_eq!(stats.expanded, in_rounds + outside, "{start:?}");
                assert!(outside > 0, "{start:?}");
                assert_eq!(checked(size, &start, outcome, stats.iterations), expected);
                (stats.ended_by == Some("ahead"), stats.expanded)
            });
            // Only an iteration that ends with a solution within its bound depends on the order of expansion.
            assert!(!counts[0].0 || counts[0] == counts[1], "{start:?}: {counts:?}");
            ended[usize::from(counts[0].0)] += 1;
        }
        assert!(ended.iter().all(|&count| count > 0), "{ended:?}");
    }

    #[test]
    fn lookahead_solutions_are_saved_and_verified() {
        let size = size("5x5");
        let rows = Arc::new(MoveRows::no_undo(size));
        let mut seed = 7;
        let mut kept: Vec<(Vec<u8>, Progress)> = Vec::new();
        for board in 0..12 {
            let start = scrambled(size, &mut seed, 170 + 2 * board);
            let mut search = search(square(), &rows, Cpu::detect(), 1);
            let mut keep = |progress: &Progress| {
                if progress.solution.is_some() {
                    kept.push((start.clone(), progress.clone()));
                }
            };
            search.resume(&start, &mut Progress::default(), &mut Meter::default(), &mut keep);
        }
        assert!(!kept.is_empty());
        let mut search = search(square(), &rows, Cpu::detect(), 1);
        for (start, mut progress) in kept {
            assert!(accepts(&mut search, &start, &progress));
            let solution = progress.solution.clone().unwrap();
            for wrong in [&solution[1..], &solution[..solution.len() - 1], &[]] {
                let solution = Some(wrong.to_vec());
                let wrong = Progress { solution, ..progress.clone() };
                assert!(!accepts(&mut search, &start, &wrong));
            }
            // Not proved: the iteration that found it is not complete.
            let mut before = Progress { bound: progress.bound - 2, ..progress.clone() };
            before.iterations.pop();
            assert!(!accepts(&mut search, &start, &before));
            let (length, mut meter) = (solution.len() as Cost, Meter::default());
            let outcome = search.resume(&start, &mut progress, &mut meter, &mut |_| {});
            assert_eq!(outcome, Outcome::Solved { path: solution, cost: length });
            assert_eq!(meter.finish().ended_by, Some("ahead"));
        }
    }

    #[test]
    fn lookahead_solutions_are_verified_for_any_goal_cell_of_the_blank() {
        let (size, blank) = (size("5x5"), 12);
        let text = "0,1,5,6/2,3,4,7/8,9,13,14/10,11,15,16/17,18,19/20,21,22,23,24";
        let partition = Partition::parse(text, size, blank).unwrap();
        let database =
            Arc::new(Database::build::<Plain>(partition, &mut Meter::default()).unwrap());
        let mut search = search(&database, &Arc::new(MoveRows::no_undo(size)), Cpu::detect(), 1);
        let (mut seed, mut kept) = (7, 0);
        for _ in 0..12 {
            let mut start: Vec<u8> = (0..25).collect();
            for _ in 0..150 {
                let at = start.iter().position(|&goal| goal == blank).unwrap();
                let to = size.neighbour(Cell::new(at), Move::ALL[random(&mut seed, 4)]);
                start.swap(at, to.map_or(at, Cell::index));
            }
            let mut last = None;
            let mut keep = |progress: &Progress| last = Some(progress.clone());
            search.resume(&start, &mut Progress::default(), &mut Meter::default(), &mut keep);
            let Some(progress) = last.filter(|progress| progress.solution.is_some()) else {
                continue;
            };
            assert!(accepts(&mut search, &start, &progress), "{start:?}");
            kept += 1;
        }
        assert!(kept > 0);
    }
}
