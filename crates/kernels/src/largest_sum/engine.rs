//! Depth-first search of one thread, in batches that hide the latency of the table lookups.
//!
//! A batch takes up to [`BATCH`] nodes from the top of the stack and runs each stage for all of their children before
//! the next stage, so that the cache misses of one stage overlap:
//!
//! 1. **Moves.** The row of the automaton lists the next state per move. Children are grouped by move, so that the
//!    direction is a constant in the code that computes them.
//! 2. **Addresses** ([`Steps::child`]): masks, ranks and table words.
//! 3. **Off-region slots** ([`Steps::off_region`]): collects the children with a slot in which the blank is outside the
//!    largest region. With the catalogue of the 24-puzzle 44% of the children have one, too many and too irregular for
//!    a branch, so they are appended to a list without branching.
//! 4. **Fix-up** ([`Tables::fix_up`]) of that list.
//! 5. **Prefetch** of all table words.
//! 6. **Lookup** ([`Steps::lookup`]) and slack. A distance D changes by exactly 1. Let `b` be bit 1 of D, `p` bit 0 and
//!    `b'` the bit looked up, bit 1 of the new distance; then D grows if and only if `b' == b ^ p`:
//!
//!    | D mod 4 | b, p | `b'` if D grows | `b'` if D shrinks |
//!    |---|---|---|---|
//!    | 0 | 0, 0 | 0 | 1 |
//!    | 1 | 0, 1 | 1 | 0 |
//!    | 2 | 1, 0 | 1 | 0 |
//!    | 3 | 1, 1 | 0 | 1 |
//!
//!    Children within the bound become *survivors*.
//! 7. **Nodes** ([`Steps::apply`]): writes the survivors only, and pushes them.

use super::node::{Child, Node, SUMS};
use super::steps::{Steps, Unpack};
use super::tables::Tables;
use crate::cpu::prefetch;
use crate::move_rows::MoveRows;

/// Number of nodes expanded together: large enough to hide the latency of the table lookups, small enough to keep all
/// children in L1.
pub const BATCH: usize = 16;

/// The limit on f = moves + estimate. With lookahead it depends on the depth.
#[derive(Clone, Copy, Debug)]
pub struct PathLimit {
    /// Maximum of f before `lookahead_depth`.
    pub bound: u8,
    /// From this depth on, f may exceed the bound by 2.
    pub lookahead_depth: u16,
}

impl PathLimit {
    /// Limits f to `bound` at all depths.
    pub fn without_lookahead(bound: u8) -> Self {
        Self { bound, lookahead_depth: u16::MAX }
    }

    /// Returns how far slack may be below zero at `depth`: 0 or 1. A unit of slack is two moves.
    #[inline]
    fn overdraft(self, depth: u8) -> i8 {
        i8::from(u16::from(depth) >= self.lookahead_depth)
    }
}

/// Depth-first search below a set of nodes. It can be interrupted after any batch, and nodes can be handed to other
/// engines.
#[derive(Debug)]
pub struct Engine {
    /// Storage of nodes; the other fields refer to them by index.
    nodes: Vec<Node>,
    /// Indices of unused nodes.
    free: Vec<u32>,
    /// Nodes to be expanded, the next one last.
    stack: Vec<u32>,
    /// The children of the current batch.
    children: Vec<Child>,
    /// By move: the children of the current batch.
    by_move: [Parents; 4],
    /// Children to be fixed up, by index, and one element for writes without branching.
    fix_ups: Vec<u32>,
    /// Children within the bound, and one element for writes without branching.
    survivors: Vec<Survivor>,
    /// Number of survivors; the elements after those are stale.
    survivor_count: usize,
    /// Number of nodes expanded since [`clear`](Self::clear).
    pub expanded: u64,
    /// Number of nodes generated since then, including nodes that the automaton prunes.
    pub generated: u64,
    /// Numbers of nodes past the bound that were expanded, and of their children; included in the two counts above.
    pub past_bound: (u64, u64),
    /// The goal, reached within the bound.
    pub goal: Option<Box<Node>>,
    /// The goal, reached in two moves more than the bound.
    pub lookahead_goal: Option<Box<Node>>,
}

/// Parents with the automaton state of their child by one move. Writes without branching need room for a batch and one
/// more; the length is a power of 2, so that masking the index replaces a bounds check.
type Parents = [(u32, u32); 2 * BATCH];

/// A child within the bound.
#[derive(Clone, Copy, Debug)]
struct Survivor {
    /// Slack after the move.
    slack: [i8; SUMS],
    /// Per slot: bit 1 of the new distance.
    bits: u32,
    /// Index of the child.
    child: u32,
}

impl Engine {
    pub fn new() -> Self {
        let children = 4 * BATCH;
        Self {
            nodes: Vec::new(),
            free: Vec::new(),
            stack: Vec::new(),
            children: vec![Child::EMPTY; children],
            by_move: [[(0, 0); 2 * BATCH]; 4],
            fix_ups: vec![0; children + 1],
            survivors: vec![Survivor { slack: [0; SUMS], bits: 0, child: 0 }; children + 1],
            survivor_count: 0,
            expanded: 0,
            generated: 0,
            past_bound: (0, 0),
            goal: None,
            lookahead_goal: None,
        }
    }

    /// Returns the size of the allocated nodes, children and index lists in bytes.
    pub fn bytes(&self) -> u64 {
        (self.nodes.capacity() * size_of::<Node>()
            + (self.free.capacity() + self.stack.capacity()) * size_of::<u32>()
            + self.children.len() * size_of::<Child>()) as u64
    }

    /// Removes all nodes and resets all results. Keeps the allocated memory.
    pub fn clear(&mut self) {
        self.free.append(&mut self.stack);
        (self.expanded, self.generated, self.past_bound) = (0, 0, (0, 0));
        (self.goal, self.lookahead_goal) = (None, None);
    }

    /// Returns the number of nodes on the stack.
    pub fn stack_len(&self) -> usize {
        self.stack.len()
    }

    /// Pushes a node.
    pub fn push(&mut self, node: &Node) {
        self.make_room();
        let place = self.free.pop().expect("there is room");
        self.nodes[place as usize].clone_from(node);
        self.stack.push(place);
    }

    /// Moves up to `count` nodes from the bottom of the stack to `to`. They are the nearest to the root and so have the
    /// largest subtrees.
    pub fn donate(&mut self, count: usize, to: &mut Vec<Node>) {
        let count = count.min(self.stack.len());
        for place in self.stack.drain(..count) {
            to.push(self.nodes[place as usize].clone());
            self.free.push(place);
        }
    }

    /// Ensures that there are unused nodes for all children of a batch.
    fn make_room(&mut self) {
        const ROOM: usize = 4 * BATCH;
        if self.free.len() < ROOM {
            let first = self.nodes.len();
            self.nodes.resize(first + 16 * ROOM, Node::EMPTY);
            self.free.extend((first as u32..self.nodes.len() as u32).rev());
        }
    }

    /// Expands up to `most` nodes, until the goal is reached within the bound or the stack is empty. Returns the unused
    /// part of `most`.
    #[inline(always)]
    pub fn run(
        &mut self,
        steps: impl Steps,
        tables: &Tables,
        rows: &[[u32; 4]],
        (limit, most): (PathLimit, u64),
    ) -> u64 {
        let (words, mut left) = (tables.words(), most);
        while left > 0 && !self.stack.is_empty() && self.goal.is_none() {
            let count = BATCH.min(self.stack.len()).min(usize::try_from(left).unwrap_or(BATCH));
            left -= count as u64;
            self.make_room();
            let first = self.stack.len() - count;
            let mut parents = [0; BATCH];
            parents[..count].copy_from_slice(&self.stack[first..]);
            self.stack.truncate(first);
            self.expand(steps, (tables, words), (rows, limit), &parents[..count]);
            for place in 0..self.survivor_count {
                let into = self.free.pop().expect("there is room");
                self.write_survivor(steps, tables, place, into);
                let node = &self.nodes[into as usize];
                // The row is needed when the node is expanded.
                prefetch(rows, node.automaton as usize);
                if node.depth >= limit.bound {
                    self.note_goal(limit.bound, into);
                }
                self.stack.push(into);
            }
            self.free.extend_from_slice(&parents[..count]);
        }
        left
    }

    /// Stores a node whose depth is at least the bound, if it is the goal. With a depth equal to the bound and no
    /// negative slack, or two moves later, every sum is 0.
    #[cold]
    fn note_goal(&mut self, bound: u8, place: u32) {
        let node = &self.nodes[place as usize];
        let least = node.slack.iter().copied().min();
        if node.depth == bound && least >= Some(0) {
            self.goal = Some(Box::new(node.clone()));
        } else if node.depth - bound == 2 && self.lookahead_goal.is_none() {
            self.lookahead_goal = Some(Box::new(node.clone()));
        }
    }

    /// Expands nodes that have been taken from the stack, and collects the children within the bound in `survivors`.
    #[inline(always)]
    fn expand(
        &mut self,
        steps: impl Steps,
        (tables, words): (&Tables, &[u64]),
        (rows, limit): (&[[u32; 4]], PathLimit),
        parents: &[u32],
    ) {
        let mut counts = [0; 4];
        for &parent in parents {
            let node = &self.nodes[parent as usize];
            // Counts all legal moves but the reverse of the last one, as the generic search does, even if the automaton
            // prunes them.
            let moves = u64::from(tables.move_counts[usize::from(node.blank) & 31]);
            let generated = moves - u64::from(node.depth > 0);
            self.generated += generated;
            let is_past_bound = u64::from(node.is_past_bound());
            self.past_bound.0 += is_past_bound;
            self.past_bound.1 += is_past_bound * generated;
            let row = rows[node.automaton as usize];
            // Written in any case and counted only if allowed: a branch would be unpredictable.
            for ((parents, count), next) in self.by_move.iter_mut().zip(&mut counts).zip(row) {
                parents[*count % (2 * BATCH)] = (parent, next);
                *count += usize::from(next != MoveRows::FORBIDDEN);
            }
        }
        let mut made = 0;
        self.make_children::<0>(steps, tables, counts[0], &mut made);
        self.make_children::<1>(steps, tables, counts[1], &mut made);
        self.make_children::<2>(steps, tables, counts[2], &mut made);
        self.make_children::<3>(steps, tables, counts[3], &mut made);
        // In a separate loop, so that the cache misses of several children overlap.
        for child in &mut self.children[..made] {
            child.off_region = steps.off_region(tables, child);
        }
        // Without branching, as above.
        let mut fix_ups = 0;
        for (index, child) in (0..).zip(&self.children[..made]) {
            self.fix_ups[fix_ups] = index;
            fix_ups += usize::from(child.off_region != 0);
        }
        for &child in &self.fix_ups[..fix_ups] {
            tables.fix_up(&mut self.children[child as usize]);
        }
        let halves: &[u32] = bytemuck::cast_slice(words);
        for child in &self.children[..made] {
            for &word in &child.words {
                prefetch(halves, word as usize);
            }
        }
        self.expanded += parents.len() as u64;
        self.survivor_count = 0;
        for (index, child) in (0..).zip(&self.children[..made]) {
            let node = &self.nodes[child.parent as usize];
            let lanes = &tables.tiles[usize::from(child.tile) & 31];
            let all = (1 << lanes.count) - 1;
            let bits = steps.lookup(tables, words, child) & all;
            // Slots that grow: b' == b ^ p, see the module documentation.
            let if_grown = steps.extract(node.bits ^ node.parities, lanes);
            let grown = !(if_grown ^ bits) & all;
            let survivor = &mut self.survivors[self.survivor_count];
            (survivor.bits, survivor.child) = (bits, index);
            let overdraft = limit.overdraft(node.depth + 1);
            let is_within = steps.slack(tables, node, child, grown, &mut survivor.slack, overdraft);
            self.survivor_count += usize::from(is_within);
        }
    }

    /// Computes the children by one move.
    #[inline(always)]
    fn make_children<const STEP: usize>(
        &mut self,
        steps: impl Steps,
        tables: &Tables,
        count: usize,
        made: &mut usize,
    ) {
        for &(parent, automaton) in &self.by_move[STEP][..count] {
            let child = &mut self.children[*made];
            child.parent = parent;
            child.automaton = automaton;
            child.step = STEP as u8;
            steps.child::<STEP>(tables, &self.nodes[parent as usize], child);
            *made += 1;
        }
    }

    /// Writes the node of the survivor with index `place` to node `into`.
    #[inline(always)]
    fn write_survivor(&mut self, steps: impl Steps, tables: &Tables, place: usize, into: u32) {
        let Survivor { slack, bits, child } = self.survivors[place];
        let child = &self.children[child as usize];
        let lanes = &tables.tiles[usize::from(child.tile) & 31];
        let set = lanes.set;
        let [node, into] = self
            .nodes
            .get_disjoint_mut([child.parent as usize, into as usize])
            .expect("a free node is not the parent");
        steps.apply(tables, node, child, into);
        into.slack = slack;
        // Lanes of the tile: the bit looked up, and the other parity, as their distances change by 1.
        into.bits = node.bits & !set | steps.deposit(bits, lanes);
        into.parities = node.parities ^ set;
        into.automaton = child.automaton;
        into.blank = child.blank;
        into.depth = node.depth + 1;
        into.path = node.path;
        into.path[usize::from(node.depth) / 32 % into.path.len()] |=
            u64::from(child.step) << (2 * (node.depth % 32));
    }

    /// Expands a batch of nodes that are not on the stack, for breadth-first searches. Calls `each` for every child
    /// whose slack is not negative.
    #[inline(always)]
    pub fn expand_batch(
        &mut self,
        steps: impl Steps,
        tables: &Tables,
        rows: &[[u32; 4]],
        batch: &[impl Unpack],
        each: &mut dyn FnMut(&Node),
    ) {
        self.make_room();
        let mut parents = [0; BATCH];
        for (place, node) in parents.iter_mut().zip(batch) {
            *place = self.free.pop().expect("there is room");
            node.unpack(steps, tables, &mut self.nodes[*place as usize]);
        }
        let parents = &parents[..batch.len()];
        let limit = PathLimit::without_lookahead(u8::MAX);
        self.expand(steps, (tables, tables.words()), (rows, limit), parents);
        let into = self.free.pop().expect("there is room");
        for place in 0..self.survivor_count {
            self.write_survivor(steps, tables, place, into);
            each(&self.nodes[into as usize]);
        }
        self.free.push(into);
        self.free.extend_from_slice(parents);
    }
}
