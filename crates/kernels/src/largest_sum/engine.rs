//! The search of one thread: nodes are expanded sixteen at a time, and the bits of all their children are asked for
//! before the first of them is looked at.

use super::kept::Unfold;
use super::node::{Child, Node, SUMS};
use super::steps::Steps;
use super::tables::Tables;
use crate::move_rows::MoveRows;
use crate::prefetch::prefetch;

/// Nodes that are expanded together: enough that bits have arrived when they are looked at, few enough that all
/// children stay in the nearest cache.
pub const BATCH: usize = 16;

/// What a search keeps within.
#[derive(Clone, Copy, Debug)]
pub struct Within {
    /// The most moves of a path.
    pub bound: u8,
    /// From this depth on a path may have two moves more.
    pub ahead: u16,
}

impl Within {
    /// The bound, and nothing beyond it.
    pub fn bound(bound: u8) -> Self {
        Self { bound, ahead: u16::MAX }
    }

    /// How far below zero slack may be at a depth.
    #[inline]
    fn beyond(self, depth: u8) -> i8 {
        i8::from(u16::from(depth) >= self.ahead)
    }
}

/// Depth-first search below some nodes, which can be interrupted at any time and handed on.
#[derive(Debug)]
pub struct Engine {
    nodes: Vec<Node>,
    /// Nodes that are in no use.
    free: Vec<u32>,
    /// Nodes to be expanded, from the top.
    stack: Vec<u32>,
    children: Vec<Child>,
    /// For each move, which children are to be made.
    ways: [Ways; 4],
    /// Children with a pattern whose blank is in a small region, and room for one more.
    pocketed: Vec<u32>,
    /// Children within the bound, with their slack and their bits, and room for one more.
    looked: Vec<Looked>,
    /// How many these are; what is behind them is out of date.
    found: usize,
    pub expanded: u64,
    pub generated: u64,
    /// How many of these are nodes beyond the bound, and their children.
    pub beyond: (u64, u64),
    /// A node at the goal.
    pub goal: Option<Box<Node>>,
    /// A node at the goal two moves beyond the bound.
    pub goal_ahead: Option<Box<Node>>,
}

/// Parents whose child by a move is made, each with the automaton state of the child. More than a batch and one more, and a
/// power of 2, so that no place needs a check.
type Ways = [(u32, u32); 2 * BATCH];

#[derive(Clone, Copy, Debug)]
struct Looked {
    slack: [i8; SUMS],
    bits: u32,
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
            ways: [[(0, 0); 2 * BATCH]; 4],
            pocketed: vec![0; children + 1],
            looked: vec![Looked { slack: [0; SUMS], bits: 0, child: 0 }; children + 1],
            found: 0,
            expanded: 0,
            generated: 0,
            beyond: (0, 0),
            goal: None,
            goal_ahead: None,
        }
    }

    /// The bytes that it holds.
    pub fn bytes(&self) -> u64 {
        (self.nodes.capacity() * size_of::<Node>()
            + (self.free.capacity() + self.stack.capacity()) * size_of::<u32>()
            + self.children.len() * size_of::<Child>()) as u64
    }

    /// Forgets everything but the room.
    pub fn clear(&mut self) {
        self.free.append(&mut self.stack);
        (self.expanded, self.generated, self.beyond) = (0, 0, (0, 0));
        (self.goal, self.goal_ahead) = (None, None);
    }

    /// How many nodes wait.
    pub fn waiting(&self) -> usize {
        self.stack.len()
    }

    /// Puts a node on the stack.
    pub fn push(&mut self, node: &Node) {
        self.make_room();
        let place = self.free.pop().expect("there is room");
        self.nodes[place as usize].clone_from(node);
        self.stack.push(place);
    }

    /// Takes the nodes that have waited longest, which have the largest trees below them: so many, or fewer.
    pub fn give_away(&mut self, count: usize, to: &mut Vec<Node>) {
        let count = count.min(self.stack.len());
        for place in self.stack.drain(..count) {
            to.push(self.nodes[place as usize].clone());
            self.free.push(place);
        }
    }

    /// Room for the children of a batch.
    fn make_room(&mut self) {
        const ROOM: usize = 4 * BATCH;
        if self.free.len() < ROOM {
            let first = self.nodes.len();
            self.nodes.resize(first + 16 * ROOM, Node::EMPTY);
            self.free.extend((first as u32..self.nodes.len() as u32).rev());
        }
    }

    /// Expands at most so many nodes, until a goal is found at the bound or nothing is left; returns how many were not
    /// needed.
    #[inline(always)]
    pub fn run(
        &mut self,
        on: impl Steps,
        tables: &Tables,
        rows: &[[u32; 4]],
        (within, most): (Within, u64),
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
            self.expand(on, (tables, words), (rows, within), &parents[..count]);
            for place in 0..self.found {
                let into = self.free.pop().expect("there is room");
                self.settle(on, tables, place, into);
                let node = &self.nodes[into as usize];
                prefetch(rows, node.automaton as usize);
                if node.depth >= within.bound {
                    self.note_goal(within.bound, into);
                }
                self.stack.push(into);
            }
            self.free.extend_from_slice(&parents[..count]);
        }
        left
    }

    /// Notes a node that is as deep as the bound, or deeper, if it is at the goal: nothing is left of its slack then, or
    /// two moves too many have been made.
    #[cold]
    fn note_goal(&mut self, bound: u8, place: u32) {
        let node = &self.nodes[place as usize];
        let least = node.slack.iter().copied().min();
        if node.depth == bound && least >= Some(0) {
            self.goal = Some(Box::new(node.clone()));
        } else if node.depth - bound == 2 && self.goal_ahead.is_none() {
            self.goal_ahead = Some(Box::new(node.clone()));
        }
    }

    /// Expands nodes that are not on the stack any more: the children within the bound are in `looked` then.
    #[inline(always)]
    fn expand(
        &mut self,
        on: impl Steps,
        (tables, words): (&Tables, &[u64]),
        (rows, within): (&[[u32; 4]], Within),
        parents: &[u32],
    ) {
        let mut counts = [0; 4];
        for &parent in parents {
            let node = &self.nodes[parent as usize];
            // Children that the automaton refuses count as generated, but not the one that takes the last move back.
            let moves = u64::from(tables.moves[usize::from(node.blank) & 31]);
            let generated = moves - u64::from(node.depth > 0);
            self.generated += generated;
            let is_beyond = u64::from(node.is_beyond());
            self.beyond.0 += is_beyond;
            self.beyond.1 += is_beyond * generated;
            let row = rows[node.automaton as usize];
            // It does not branch, for the processor could not guess.
            for ((ways, count), next) in self.ways.iter_mut().zip(&mut counts).zip(row) {
                ways[*count % (2 * BATCH)] = (parent, next);
                *count += usize::from(next != MoveRows::FORBIDDEN);
            }
        }
        let mut made = 0;
        self.make::<0>(on, tables, counts[0], &mut made);
        self.make::<1>(on, tables, counts[1], &mut made);
        self.make::<2>(on, tables, counts[2], &mut made);
        self.make::<3>(on, tables, counts[3], &mut made);
        // A loop of its own, so that the processor can wait for many of these lookups at once.
        for child in &mut self.children[..made] {
            child.pockets = on.pockets(tables, child);
        }
        // It does not branch, for the processor could not guess.
        let mut pocketed = 0;
        for (index, child) in (0..).zip(&self.children[..made]) {
            self.pocketed[pocketed] = index;
            pocketed += usize::from(child.pockets != 0);
        }
        for &child in &self.pocketed[..pocketed] {
            on.mend(tables, &mut self.children[child as usize]);
        }
        let halves: &[u32] = bytemuck::cast_slice(words);
        for child in &self.children[..made] {
            for &word in &child.words {
                prefetch(halves, word as usize);
            }
        }
        self.expanded += parents.len() as u64;
        self.found = 0;
        for (index, child) in (0..).zip(&self.children[..made]) {
            let node = &self.nodes[child.parent as usize];
            let lanes = &tables.tiles[usize::from(child.tile) & 31];
            let all = (1 << lanes.count) - 1;
            let bits = on.look(tables, words, child) & all;
            let before = on.extract(node.bits ^ node.parities, lanes.set);
            let grown = !(before ^ bits) & all;
            let looked = &mut self.looked[self.found];
            (looked.bits, looked.child) = (bits, index);
            let beyond = within.beyond(node.depth + 1);
            let is_within = on.slack(tables, node, child, grown, &mut looked.slack, beyond);
            self.found += usize::from(is_within);
        }
    }

    /// Makes the children by one move.
    #[inline(always)]
    fn make<const STEP: usize>(
        &mut self,
        on: impl Steps,
        tables: &Tables,
        count: usize,
        made: &mut usize,
    ) {
        for &(parent, automaton) in &self.ways[STEP][..count] {
            let child = &mut self.children[*made];
            child.parent = parent;
            child.automaton = automaton;
            child.step = STEP as u8;
            on.child::<STEP>(tables, &self.nodes[parent as usize], child);
            *made += 1;
        }
    }

    /// Makes a node of a child within the bound.
    #[inline(always)]
    fn settle(&mut self, on: impl Steps, tables: &Tables, place: usize, into: u32) {
        let Looked { slack, bits, child } = self.looked[place];
        let child = &self.children[child as usize];
        let set = tables.tiles[usize::from(child.tile) & 31].set;
        let [node, into] = self
            .nodes
            .get_disjoint_mut([child.parent as usize, into as usize])
            .expect("a free node is not the parent");
        on.place(tables, node, child, into);
        into.slack = slack;
        into.bits = node.bits & !set | on.deposit(bits, set);
        into.parities = node.parities ^ set;
        into.automaton = child.automaton;
        into.blank = child.blank;
        into.depth = node.depth + 1;
        into.path = node.path;
        into.path[usize::from(node.depth) / 32 % into.path.len()] |=
            u64::from(child.step) << (2 * (node.depth % 32));
    }

    /// Expands a batch of nodes that are not on the stack, and gives each child within the bound to `each`. For
    /// searches that go breadth first.
    #[inline(always)]
    pub fn expand_batch(
        &mut self,
        on: impl Steps,
        tables: &Tables,
        rows: &[[u32; 4]],
        batch: &[impl Unfold],
        each: &mut dyn FnMut(&Node),
    ) {
        self.make_room();
        let mut parents = [0; BATCH];
        for (place, node) in parents.iter_mut().zip(batch) {
            *place = self.free.pop().expect("there is room");
            node.unfold(on, tables, &mut self.nodes[*place as usize]);
        }
        let parents = &parents[..batch.len()];
        let within = Within::bound(u8::MAX);
        self.expand(on, (tables, tables.words()), (rows, within), parents);
        let into = self.free.pop().expect("there is room");
        for place in 0..self.found {
            self.settle(on, tables, place, into);
            each(&self.nodes[into as usize]);
        }
        self.free.push(into);
        self.free.extend_from_slice(parents);
    }
}
