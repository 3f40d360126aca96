//! A beam: breadth-first search within a bound that keeps the most promising boards of each layer only. It proves
//! nothing, but a solution that it finds at the bound of a round is worth the round.

use std::hash::{BuildHasher, BuildHasherDefault};

use loyd_search::{Meter, Stop};
use rustc_hash::FxHasher;

use super::engine::{BATCH, Engine};
use super::node::{Node, SUMS};
use super::runner::Runner;

/// The beams of a search: room for two layers.
#[derive(Debug, Default)]
pub struct Beam {
    layer: Vec<Node>,
    next: Layer,
}

/// Boards of one depth, each once.
#[derive(Debug, Default)]
struct Layer {
    nodes: Vec<Node>,
    /// Places of `nodes`, by the hash of the board; 0 for none.
    places: Vec<u32>,
}

impl Beam {
    /// The bytes that a beam of so many nodes takes: a layer, and the next one before it is cut.
    pub fn bytes(width: usize) -> u64 {
        (4 * width * (size_of::<Node>() + 4 * size_of::<u32>())) as u64
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
        let rows = &runner.beam_rows;
        self.layer.clear();
        self.layer.push(Node { automaton: rows.start(root.blank), ..root.clone() });
        let mut goal = None;
        while goal.is_none() && !self.layer.is_empty() {
            self.next.clear(self.layer.len());
            for batch in self.layer.chunks(BATCH) {
                let next = &mut self.next;
                runner.expand_batch(engine, rows, batch, &mut |node| {
                    if node.depth == bound && goal.is_none() {
                        goal = Some(Box::new(node.clone()));
                    }
                    next.insert(node);
                });
                if goal.is_some() {
                    break;
                }
            }
            count(engine, meter)?;
            self.next.cut(width, &mut self.layer);
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
    /// Empties it, with room for the children of so many nodes.
    fn clear(&mut self, parents: usize) {
        self.nodes.clear();
        self.places.clear();
        self.places.resize((4 * parents).next_power_of_two().max(1 << 10), 0);
    }

    /// Adds a node unless its board is there. What is there may then not go back to either parent.
    fn insert(&mut self, node: &Node) {
        let mask = self.places.len() - 1;
        let hash = BuildHasherDefault::<FxHasher>::default().hash_one(node.board);
        let mut place = (hash >> 20) as usize & mask;
        while let Some(known) = (self.places[place] as usize).checked_sub(1) {
            if self.nodes[known].board == node.board {
                // The states of a beam's automaton have a bit for each move that is refused.
                self.nodes[known].automaton |= node.automaton;
                return;
            }
            place = (place + 1) & mask;
        }
        self.nodes.push(node.clone());
        self.places[place] = self.nodes.len() as u32;
    }

    /// Gives the best nodes to `layer`: those whose largest sum is the smallest, and among equals those whose sums are
    /// the smallest in all.
    fn cut(&mut self, width: usize, layer: &mut Vec<Node>) {
        if self.nodes.len() <= width {
            std::mem::swap(&mut self.nodes, layer);
            return;
        }
        let mut keys: Vec<u32> = self.nodes.iter().map(key).collect();
        let (_, &mut least, _) = keys.select_nth_unstable_by(width, |a, b| b.cmp(a));
        layer.clear();
        layer.extend(self.nodes.iter().filter(|node| key(node) > least).cloned());
        let rest = width - layer.len();
        layer.extend(self.nodes.iter().filter(|node| key(node) == least).take(rest).cloned());
    }
}

/// How promising a node is.
fn key(node: &Node) -> u32 {
    let all: u32 = node.slack.iter().map(|&slack| slack.unsigned_abs() as u32).sum();
    (node.least_slack().unsigned_abs() as u32) << 16 | all.min(SUMS as u32 * 128)
}
