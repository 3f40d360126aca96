//! A layer of a beam: the most promising boards of one depth, each once.

use super::kept::Kept;
use super::node::Node;
use crate::prefetch::prefetch;

/// Keeps the most promising of the nodes that are added.
///
/// Memory is asked for before it is needed: nodes wait until [`settle`](Self::settle), and their places have arrived
/// then.
#[derive(Debug, Default)]
pub struct Layer {
    width: usize,
    nodes: Vec<Kept>,
    /// For each place the number of a node, from 1, below some bits of the hash of its board; 0 for none.
    places: Vec<u32>,
    /// How many nodes have each promise.
    counts: Vec<u32>,
    /// So many others are more promising than this that what is not has no chance.
    least: u16,
    /// How many nodes are more promising than `least`.
    above: usize,
    /// Nodes that have not found their places, and the hashes of their boards.
    waiting: Vec<(Kept, u64)>,
}

/// The bits of a place that tell a node's number.
const NUMBER: u32 = 22;

impl Layer {
    /// The most [bytes](Self::bytes) for each node of its width: there are less than four times as many places as nodes.
    pub const MOST_BYTES: usize = 5 * (2 * size_of::<Kept>() + 4 * size_of::<u32>()) / 4;
    /// A layer cannot be wider.
    pub const WIDEST: usize = 1 << (NUMBER - 1);

    /// The bytes that a layer of this width takes, and the one whose children it keeps.
    pub fn bytes(width: usize) -> u64 {
        (2 * Self::most(width) * size_of::<Kept>() + Self::places(width) * size_of::<u32>()) as u64
    }

    /// The bytes that it holds.
    pub fn held_bytes(&self) -> u64 {
        let few = self.waiting.capacity() * size_of::<(Kept, u64)>()
            + (self.places.capacity() + self.counts.capacity()) * size_of::<u32>();
        (self.nodes.capacity() * size_of::<Kept>() + few) as u64
    }

    /// The most nodes before it is cut to a width.
    fn most(width: usize) -> usize {
        width + width.div_ceil(4)
    }

    /// The places for so many nodes: twice as many as there may be at least, in a power of 2.
    fn places(width: usize) -> usize {
        (2 * Self::most(width)).next_power_of_two().max(1 << 10)
    }

    /// Empties it, with room for the children of so many nodes, one at least.
    pub fn clear(&mut self, parents: usize, width: usize) {
        let room = width.min(2 * parents);
        self.width = width.max(1);
        self.nodes.clear();
        self.nodes.reserve_exact(Self::most(room));
        self.places.clear();
        self.places.resize(Self::places(room), 0);
        self.counts.clear();
        self.counts.resize(Kept::PROMISES, 0);
        (self.least, self.above) = (0, 0);
        self.waiting.clear();
    }

    /// Adds a node, unless there are enough that are more promising.
    #[inline]
    pub fn add(&mut self, node: &Node) {
        if Kept::promise(&node.slack) > self.least {
            let hash = hash(&node.board);
            prefetch(&self.places, self.first_place(hash));
            self.waiting.push((Kept::of(node), hash));
        }
    }

    /// Finds places for all nodes that were added.
    pub fn settle(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        for &(_, hash) in &waiting {
            if let Some(known) = self.number(self.first_place(hash), hash) {
                prefetch(&self.nodes, known);
            }
        }
        for (node, hash) in &waiting {
            self.insert(node, *hash);
        }
        self.waiting = waiting;
        self.waiting.clear();
    }

    /// Adds a node unless its board is there. What is there may then not go back to either parent.
    fn insert(&mut self, node: &Kept, hash: u64) {
        if node.promise <= self.least {
            return;
        }
        let place = match self.find(&node.board, hash) {
            Ok(known) => {
                // The states of a beam's automaton have a bit for each move that is refused.
                self.nodes[known].automaton |= node.automaton;
                return;
            }
            Err(place) => place,
        };
        self.nodes.push(node.clone());
        self.places[place] = entry(self.nodes.len(), hash);
        self.count(node.promise);
        if self.nodes.len() == Self::most(self.width) {
            self.cut();
            self.find_places_again();
        }
    }

    /// Counts a node that is more promising than `least`.
    fn count(&mut self, promise: u16) {
        self.counts[usize::from(promise)] += 1;
        self.above += 1;
        loop {
            let next = self.counts[usize::from(self.least) + 1] as usize;
            if self.above - next < self.width {
                break;
            }
            self.above -= next;
            self.least += 1;
        }
    }

    /// The number of the node with this board, or the free place for it.
    #[inline]
    fn find(&self, board: &[u8; 32], hash: u64) -> Result<usize, usize> {
        let mut place = self.first_place(hash);
        while self.places[place] != 0 {
            if let Some(known) = self.number(place, hash)
                && self.nodes[known].board == *board
            {
                return Ok(known);
            }
            place = (place + 1) & (self.places.len() - 1);
        }
        Err(place)
    }

    /// The place at which the search for a board begins.
    #[inline]
    fn first_place(&self, hash: u64) -> usize {
        (hash >> 32) as usize & (self.places.len() - 1)
    }

    /// The number of the node at a place, if its board may have this hash.
    #[inline]
    fn number(&self, place: usize, hash: u64) -> Option<usize> {
        let entry = self.places[place];
        let number = (entry & ((1 << NUMBER) - 1)).checked_sub(1)?;
        ((entry ^ hash as u32) >> NUMBER == 0).then_some(number as usize)
    }

    /// Keeps the most promising nodes, as many as the beam is wide. Of those that are just promising enough, the first
    /// stay.
    fn cut(&mut self) {
        let (least, last) = (self.least, self.least + 1);
        let too_many = self.above.saturating_sub(self.width);
        self.above -= too_many;
        self.counts[usize::from(last)] -= too_many as u32;
        let mut equal = self.counts[usize::from(last)];
        self.nodes.retain(|node| {
            if node.promise != last {
                return node.promise > least;
            }
            let stays = equal > 0;
            equal -= u32::from(stays);
            stays
        });
    }

    /// Fills the places anew.
    fn find_places_again(&mut self) {
        self.places.fill(0);
        for number in 0..self.nodes.len() {
            let board = &self.nodes[number].board;
            let hash = hash(board);
            let place = self.find(board, hash).expect_err("each board is there once");
            self.places[place] = entry(number + 1, hash);
        }
    }

    /// Moves the most promising nodes to `layer`, as many as the beam is wide, and takes its room.
    pub fn end(&mut self, layer: &mut Vec<Kept>) {
        self.cut();
        std::mem::swap(&mut self.nodes, layer);
    }
}

/// What stands at the place of a node.
fn entry(number: usize, hash: u64) -> u32 {
    number as u32 | (hash as u32 >> NUMBER) << NUMBER
}

/// Mixes all cells into bits 22 and up.
#[inline]
fn hash(board: &[u8; 32]) -> u64 {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let words: [u64; 4] = bytemuck::cast(*board);
    let mix = |hash: u64, word: u64| (hash.rotate_left(27) ^ word).wrapping_mul(ODD);
    let hash = words.into_iter().fold(0, mix);
    hash ^ hash >> 29
}
