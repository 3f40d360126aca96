//! A beam: breadth-first search within a bound that keeps the most promising boards of each layer only. It proves
//! nothing, but a solution that it finds at the bound of a round is worth the round.

use loyd_search::{Meter, Stop};

use super::engine::{BATCH, Engine};
use super::kept::Kept;
use super::layer::Layer;
use super::node::Node;
use super::runner::Runner;

/// So many nodes are expanded between two looks at the limits.
const SLICE: usize = 256 * BATCH;

/// The beams of a search: room for two layers.
#[derive(Debug, Default)]
pub struct Beam {
    layer: Vec<Kept>,
    next: Layer,
}

impl Beam {
    /// The bytes that a beam of so many nodes takes.
    pub fn bytes(width: usize) -> u64 {
        Layer::bytes(width)
    }

    /// The width of the widest beam that takes no more than so many bytes.
    pub fn widest(bytes: u64) -> usize {
        usize::try_from(bytes).unwrap_or(usize::MAX) / Layer::MOST_BYTES
    }

    /// The bytes that it holds.
    pub fn held_bytes(&self) -> u64 {
        (self.layer.capacity() * size_of::<Kept>()) as u64 + self.next.held_bytes()
    }

    /// Whether a beam can look for paths of so many moves.
    pub fn is_for(bound: u8) -> bool {
        u32::from(bound) <= Kept::LONGEST
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
        let root = Node { automaton: rows.start(root.blank), ..root.clone() };
        self.layer.push(Kept::of(&root));
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
                    next.settle();
                }
                let counted = count(engine, meter);
                if goal.is_some() {
                    engine.clear();
                    return Ok(goal);
                }
                counted?;
            }
            self.next.end(&mut self.layer);
        }
        engine.clear();
        Ok(None)
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
