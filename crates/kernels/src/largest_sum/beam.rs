//! A beam: breadth-first search within a bound that keeps the most promising boards of each layer only. It proves
//! nothing, but a solution that it finds at the bound of a round is worth the round.

use std::cmp::Ordering;
use std::hash::{BuildHasher, BuildHasherDefault};

use loyd_search::{Meter, Stop};
use rustc_hash::FxHasher;

use super::engine::{BATCH, Engine};
use super::kept::Kept;
use super::node::Node;
use super::runner::Runner;
use super::tables::Tables;

/// The beams of a search: room for two layers.
#[derive(Debug, Default)]
pub struct Beam {
    layer: Vec<Kept>,
    next: Layer,
}

/// The most promising boards of one depth, each once.
#[derive(Debug, Default)]
struct Layer {
    width: usize,
    nodes: Vec<Kept>,
    /// Places of `nodes`, by the hash of the board; 0 for none.
    places: Vec<u32>,
    /// What is less promising has no chance to be among the best.
    least: u32,
    /// The promises of `nodes`, while they are compared.
    promises: Vec<u32>,
}

impl Beam {
    /// The bytes that a beam of so many nodes takes: a layer, and the next one before it is cut.
    pub fn bytes(width: usize) -> u64 {
        let next = Layer::most(width) * (size_of::<Kept>() + size_of::<u32>());
        (width * size_of::<Kept>() + next + Layer::places(width) * size_of::<u32>()) as u64
    }

    /// The width of the widest beam that takes no more than so many bytes.
    pub fn widest(bytes: u64) -> usize {
        // Twice as many places as nodes at most, because their number is a power of 2.
        let next = 3 * (size_of::<Kept>() + size_of::<u32>()) / 2 + 6 * size_of::<u32>();
        usize::try_from(bytes).unwrap_or(usize::MAX) / (size_of::<Kept>() + next)
    }

    /// The bytes that it holds.
    pub fn held_bytes(&self) -> u64 {
        let Layer { nodes, places, promises, .. } = &self.next;
        let nodes = (self.layer.capacity() + nodes.capacity()) * size_of::<Kept>();
        (nodes + (places.capacity() + promises.capacity()) * size_of::<u32>()) as u64
    }

    /// Whether a beam can look for paths of so many moves with such tables.
    pub fn is_for(tables: &Tables, bound: u8) -> bool {
        u32::from(bound) <= Kept::LONGEST && tables.has_short_ranks()
    }

    /// Looks for a solution of `bound` moves from `root` that keeps `width` nodes a layer; the node at its end.
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
        let (rows, tables) = (&runner.beam_rows, &runner.tables);
        self.layer.clear();
        let root = Node { automaton: rows.start(root.blank), ..root.clone() };
        self.layer.push(Kept::of(tables, &root));
        let mut goal = None;
        while goal.is_none() && !self.layer.is_empty() {
            self.next.clear(self.layer.len(), width);
            for batch in self.layer.chunks(BATCH) {
                let next = &mut self.next;
                runner.expand_batch(engine, rows, batch, &mut |node| {
                    if node.depth == bound && goal.is_none() {
                        goal = Some(Box::new(node.clone()));
                    }
                    next.insert(tables, node);
                });
                if goal.is_some() {
                    break;
                }
            }
            count(engine, meter)?;
            self.next.cut();
            std::mem::swap(&mut self.next.nodes, &mut self.layer);
        }
        engine.clear();
        Ok(goal)
    }
}

/// Counts what was expanded for the beam, which is no part of the round.
fn count(engine: &mut Engine, meter: &mut Meter<'_>) -> Result<(), Stop> {
    let expanded = std::mem::take(&mut engine.expanded).min(meter.left_to_expand());
    let generated = std::mem::take(&mut engine.generated);
    meter.expand_many(expanded);
    meter.generate(generated);
    meter.not_of_round(expanded, generated);
    meter.check()?;
    if meter.left_to_expand() == 0 { Err(Stop::Expanded) } else { Ok(()) }
}

impl Layer {
    /// The most nodes before it is cut to a width.
    fn most(width: usize) -> usize {
        width + width / 2
    }

    /// The places that so many nodes have.
    fn places(width: usize) -> usize {
        (2 * Self::most(width)).next_power_of_two().max(1 << 10)
    }

    /// Empties it, with room for the children of so many nodes.
    fn clear(&mut self, parents: usize, width: usize) {
        self.width = width;
        self.nodes.clear();
        self.nodes.reserve_exact(Self::most(width.min(2 * parents)));
        self.places.clear();
        self.places.resize(Self::places(width.min(2 * parents)), 0);
        self.least = 0;
    }

    /// Adds a node unless its board is there, or there are enough that are more promising. What is there may then not go
    /// back to either parent.
    #[inline]
    fn insert(&mut self, tables: &Tables, node: &Node) {
        if self.least > 0 && Kept::promise(&node.slack) <= self.least {
            return;
        }
        let place = match self.find(&node.board) {
            Ok(known) => {
                // The states of a beam's automaton have a bit for each move that is refused.
                self.nodes[known].automaton |= node.automaton;
                return;
            }
            Err(place) => place,
        };
        self.nodes.push(Kept::of(tables, node));
        self.places[place] = self.nodes.len() as u32;
        if self.nodes.len() == Self::most(self.width) {
            self.cut();
            self.places.fill(0);
            for number in 0..self.nodes.len() {
                let place = self.find(&self.nodes[number].board);
                self.places[place.expect_err("each board is there once")] = number as u32 + 1;
            }
        }
    }

    /// The number of the node with this board, or the free place for it.
    #[inline]
    fn find(&self, board: &[u8; 32]) -> Result<usize, usize> {
        let mask = self.places.len() - 1;
        let hash = BuildHasherDefault::<FxHasher>::default().hash_one(board);
        let mut place = (hash >> 20) as usize & mask;
        while let Some(known) = (self.places[place] as usize).checked_sub(1) {
            if self.nodes[known].board == *board {
                return Ok(known);
            }
            place = (place + 1) & mask;
        }
        Err(place)
    }

    /// Keeps the most promising nodes, as many as the beam is wide.
    fn cut(&mut self) {
        if self.nodes.len() <= self.width {
            return;
        }
        self.promises.clear();
        self.promises.extend(self.nodes.iter().map(Kept::own_promise));
        let (better, &mut least, _) =
            self.promises.select_nth_unstable_by(self.width, |a, b| b.cmp(a));
        let mut equal = self.width - better.iter().filter(|&&promise| promise > least).count();
        self.nodes.retain(|node| match node.own_promise().cmp(&least) {
            Ordering::Less => false,
            Ordering::Equal if equal == 0 => false,
            Ordering::Equal => {
                equal -= 1;
                true
            }
            Ordering::Greater => true,
        });
        self.least = least;
    }
}
