//! Beam search: breadth-first search within a bound that keeps only the boards with the highest scores in each layer. A
//! beam that fails proves nothing, but a solution as long as the bound of an iteration saves that iteration.

use loyd_search::{Meter, Stop};

use super::engine::{BATCH, Engine};
use super::layer::{Layer, PackedNode};
use super::node::Node;
use super::runner::Runner;

/// Number of nodes expanded between two limit checks.
const SLICE: usize = 256 * BATCH;

/// The two layers of a beam, whose memory is reused by the next one.
#[derive(Debug, Default)]
pub struct Beam {
    layer: Vec<PackedNode>,
    next: Layer,
}

impl Beam {
    /// Returns the memory in bytes of a beam of `width` nodes per layer.
    pub fn bytes(width: usize) -> u64 {
        Layer::bytes(width)
    }

    /// Returns the maximum width of a beam that takes at most `bytes`.
    pub fn max_width(bytes: u64) -> usize {
        usize::try_from(bytes).unwrap_or(usize::MAX) / Layer::MAX_BYTES_PER_NODE
    }

    /// Returns the allocated memory in bytes.
    pub fn held_bytes(&self) -> u64 {
        (self.layer.capacity() * size_of::<PackedNode>()) as u64 + self.next.held_bytes()
    }

    /// Returns whether a beam can search for paths of `bound` moves.
    pub fn supports(bound: u8) -> bool {
        u32::from(bound) <= PackedNode::MAX_MOVES
    }

    /// Searches for a solution of `bound` moves from `root`, with `width` nodes per layer. Returns its last node.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn search(
        &mut self,
        runner: &Runner,
        root: &Node,
        (bound, width): (u8, usize),
        engine: &mut Engine,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Box<Node>>, Stop> {
        let rows = &runner.beam_rows;
        self.layer.clear();
        let root = Node { automaton: rows.start(root.blank), ..root.clone() };
        self.layer.push(PackedNode::of(&root));
        let mut goal = None;
        while !self.layer.is_empty() {
            self.next.clear(self.layer.len(), width);
            for slice in self.layer.chunks(SLICE) {
                for batch in slice.chunks(BATCH) {
                    let next = &mut self.next;
                    runner.expand_batch(engine, rows, batch, &mut |node| {
                        if node.depth == bound && goal.is_none() {
                            goal = Some(Box::new(node.clone()));
                        }
                        next.add(node);
                    });
                    if goal.is_some() {
                        break;
                    }
                    next.flush();
                }
                let counted = count(engine, meter);
                if goal.is_some() {
                    engine.clear();
                    return Ok(goal);
                }
                counted?;
            }
            self.next.finish(&mut self.layer);
        }
        engine.clear();
        Ok(None)
    }
}

/// Moves the counts of `engine` to `meter`, as nodes outside of the iteration, and checks the limits.
fn count(engine: &mut Engine, meter: &mut Meter<'_>) -> Result<(), Stop> {
    let expanded = std::mem::take(&mut engine.expanded).min(meter.remaining_expansions());
    let generated = std::mem::take(&mut engine.generated);
    meter.expand_many(expanded);
    meter.generate(generated);
    meter.exclude_from_iteration(expanded, generated);
    meter.check()?;
    if meter.remaining_expansions() == 0 { Err(Stop::Expanded) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use loyd_search::{CancelToken, Event, Limits};

    use super::PackedNode;
    use crate::largest_sum::engine::BATCH;
    use crate::largest_sum::tests::{by_kernel, checked, scrambled, search, size, square};
    use crate::largest_sum::*;

    /// Returns the children of all nodes of a layer, in order.
    fn children(search: &mut LargestSumSearch, layer: &[Node]) -> Vec<Node> {
        let (runner, mut children) = (&search.runner, Vec::new());
        for batch in layer.chunks(BATCH) {
            let each = &mut |node: &Node| children.push(node.clone());
            runner.expand_batch(&mut search.engines[0], &runner.beam_rows, batch, each);
        }
        children
    }

    #[test]
    fn layers_keep_the_boards_with_the_highest_scores() {
        let size = size("5x5");
        let mut search = search(square(), &Arc::new(MoveRows::no_undo(size)), Cpu::detect(), 1);
        let start = scrambled(size, &mut 5, 300);
        let (root, sums) = search.runner.tables.root(&start).unwrap();
        let mut root = search.root_with_slack(&root, &sums, 90).unwrap();
        root.automaton = search.runner.beam_rows.start(root.blank);
        let mut nodes = vec![root];
        for _ in 0..12 {
            nodes = children(&mut search, &nodes);
        }
        let mut seen = HashSet::new();
        let mut expected: Vec<&Node> =
            nodes.iter().filter(|node| seen.insert(node.board)).collect();
        assert!(expected.len() > 5000 && nodes.len() > expected.len() + 1000, "{}", nodes.len());
        expected.sort_by_key(|node| std::cmp::Reverse(PackedNode::score(&node.slack)));
        for width in [1, 10, 1000, 2000, 4000, 100_000] {
            let (mut layer, mut kept) = (Layer::default(), Vec::new());
            for _ in 0..2 {
                layer.clear(nodes.len(), width);
                for batch in nodes.chunks(40) {
                    batch.iter().for_each(|node| layer.add(node));
                    layer.flush();
                }
                layer.finish(&mut kept);
                let kept: HashSet<_> = kept.iter().map(|kept| kept.board).collect();
                let expected = expected.iter().take(width).map(|node| node.board);
                assert!(kept == expected.collect(), "{width}");
            }
            // A board with two parents forbids the moves back to both.
            for kept in &kept {
                let alike = nodes.iter().filter(|node| node.board == kept.board);
                let all = alike.fold(0, |all, node| all | node.automaton);
                assert!(width < expected.len() || kept.automaton == all, "{width}");
            }
        }
    }

    #[test]
    fn beam_width_respects_the_memory_limit() {
        for bytes in [0, 100_000, 1 << 20, 100 << 20, 300 << 20] {
            let width = LargestSumSearch::max_beam_width(bytes);
            assert!(bytes < 100_000 || Beam::bytes(width) <= bytes, "{bytes}: {width}");
            assert!(Beam::bytes(2 * width + 1000) > bytes, "{bytes}: {width}");
        }
        assert_eq!(LargestSumSearch::max_beam_width(u64::MAX), MAX_BEAM_WIDTH);
    }

    #[test]
    fn beams_preserve_lengths_and_complete_iterations() {
        let size = size("5x5");
        let rows = Arc::new(MoveRows::no_undo(size));
        let (mut seed, mut ended) = (3, 0);
        for board in 0..8 {
            let start = scrambled(size, &mut seed, 170 + 2 * board);
            let expected = by_kernel(&mut search(square(), &rows, Cpu::detect(), 1), &start);
            let mut search = search(square(), &rows, Cpu::detect(), 1).with_beams(1000);
            (search.min_expanded_for_beam, search.lookahead) = (100, 0);
            let mut meter = Meter::default();
            let outcome = search.solve(&start, &mut meter);
            let stats = meter.finish();
            assert_eq!(checked(size, &start, outcome, stats.iterations), expected);
            if stats.ended_by == Some("beam") {
                ended += 1;
                // A limit reached together with the solution does not hide it.
                let limits = Limits { max_expanded: Some(stats.expanded), ..Limits::default() };
                let mut meter = Meter::new(limits, CancelToken::new());
                assert!(matches!(search.solve(&start, &mut meter), Outcome::Solved { .. }));
            }
        }
        assert!(ended > 0, "no beam found a solution");
    }

    #[test]
    fn stage_events_surround_each_beam() {
        let size = size("5x5");
        let rows = Arc::new(MoveRows::no_undo(size));
        // So narrow that hardly any beam finds a solution.
        let mut search = search(square(), &rows, Cpu::detect(), 1).with_beams(1);
        (search.min_expanded_for_beam, search.lookahead) = (100, 0);
        let (mut seed, mut failed) = (3, 0);
        for board in 0..4 {
            let mut stages = Vec::new();
            let mut observer = |event: Event<'_>| {
                if let Event::Stage { name, with } = event {
                    stages.push((name, with));
                }
                Continue(())
            };
            let mut meter = Meter::default().with_observer(&mut observer);
            meter.enter_stage("proving", Some("pdb")).unwrap();
            search.solve(&scrambled(size, &mut seed, 170 + 2 * board), &mut meter);
            let turns = ["proving", "beam"].into_iter().cycle().map(|name| (name, Some("pdb")));
            assert!(turns.take(stages.len()).eq(stages.iter().copied()), "{stages:?}");
            failed += stages.len() / 3;
        }
        assert!(failed > 0, "no beam failed");
    }
}
