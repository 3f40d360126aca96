//! Which placements flow into which by steps of the blank.

use loyd_heuristics::pdb::levels::Source;
use loyd_tiles::{Cell, Move, Size};

use super::jumps::Jumps;
use super::{is_odd, moved};

/// A placement from which a move leads to another.
#[derive(Clone, Copy, Debug)]
struct Edge {
    /// The number of the placement.
    from: u32,
    /// The jump of a tile in the permutation; none if the permutation stays.
    jump: Option<u8>,
}

/// What flows into placements that follow each other.
#[derive(Debug, Default)]
pub struct Edges {
    edges: Vec<Edge>,
    /// Where the edges of each placement end.
    ends: Vec<u32>,
    /// The parity of the permutations in each placement.
    parities: Vec<bool>,
}

impl Edges {
    /// What flows into `placements`, each of them the cells of the blank and of the placed tiles, on boards of `size`
    /// whose blank belongs on `goal`; `number` tells the number of a placement.
    pub fn new(
        (size, goal): (Size, u8),
        jumps: &Jumps,
        placements: impl Iterator<Item = Vec<u8>>,
        number: impl Fn(&[u8]) -> u32,
    ) -> Self {
        let mut edges = Self::default();
        for cells in placements {
            let blank = Cell::new(cells[0].into());
            // Every move leads back, too.
            for to in Move::ALL.into_iter().filter_map(|m| size.neighbour(blank, m)) {
                let (source, places) = moved(&cells, to.index() as u8);
                let jump = places.map(|(here, there)| jumps.number(there, here));
                edges.edges.push(Edge { from: number(&source), jump });
            }
            edges.ends.push(edges.edges.len() as u32);
            edges.parities.push(is_odd(size, goal, &cells));
        }
        edges
    }

    /// The number of placements.
    pub fn placements(&self) -> usize {
        self.ends.len()
    }

    /// The bytes that this takes.
    pub fn bytes(&self) -> u64 {
        let edges = size_of_val(&*self.edges) + size_of_val(&*self.ends);
        (edges + size_of_val(&*self.parities)) as u64
    }

    /// Puts what flows into `placement` together, if anything does.
    #[inline(always)]
    pub fn gather(
        &self,
        jumps: &Jumps,
        placement: usize,
        source: &Source<'_, u64>,
        reached: &mut [u64],
    ) -> bool {
        let start = if placement == 0 { 0 } else { self.ends[placement - 1] };
        let edges = &self.edges[start as usize..self.ends[placement] as usize];
        let is_fresh = |edge: &&Edge| source.fresh[edge.from as usize];
        let mut edges = edges.iter().filter(is_fresh).peekable();
        if edges.peek().is_none() {
            return false;
        }
        reached.fill(0);
        for edge in edges {
            let from = &source.met[edge.from as usize * reached.len()..][..reached.len()];
            match edge.jump {
                Some(jump) => jumps.flow(jump, self.parities[placement].into(), from, reached),
                None => reached.iter_mut().zip(from).for_each(|(into, from)| *into |= from),
            }
        }
        true
    }
}
