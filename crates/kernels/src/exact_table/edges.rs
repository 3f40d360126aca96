//! Which placements flow into which.

use loyd_tiles::Move;

use super::jumps::Jumps;
use super::states::States;

/// The placements from which a move leads to a placement.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// The placement, counted within its half.
    pub from: u16,
    /// The jump of a tile in the permutation; none if the permutation stays.
    pub jump: Option<u8>,
}

/// What flows into the placements of a half, those at even or those at odd distances.
#[derive(Debug, Default)]
pub struct Edges {
    edges: Vec<Edge>,
    /// Where the edges of each placement end.
    ends: Vec<u32>,
    /// The parity of the permutations in each placement.
    parities: Vec<bool>,
}

impl Edges {
    /// What flows into the placements that `states` has at this parity of the distance.
    pub fn new(states: &States, jumps: &Jumps, half: usize) -> Self {
        let mut edges = Self::default();
        for &code in &states.codes()[half] {
            let cells = states.cells(code);
            for m in Move::ALL {
                edges.edges.extend(edge(states, jumps, &cells, m));
            }
            edges.ends.push(edges.edges.len() as u32);
            edges.parities.push(is_odd(states, &cells));
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

    /// What flows into `placement`.
    pub fn edges(&self, placement: usize) -> &[Edge] {
        let start = if placement == 0 { 0 } else { self.ends[placement - 1] };
        &self.edges[start as usize..self.ends[placement] as usize]
    }

    /// The parity of the permutations in `placement`.
    pub fn parity(&self, placement: usize) -> usize {
        self.parities[placement].into()
    }
}

/// The placement that the move `m` leads to, and so back from, if the blank and the placed tiles are on
/// `cells`.
fn edge(states: &States, jumps: &Jumps, cells: &[u8], m: Move) -> Option<Edge> {
    let (blank, to) = (cells[0], states.target(cells[0], m)?);
    let mut moved = cells.to_vec();
    moved[0] = to;
    let placed = cells[1..].iter().position(|&cell| cell == to);
    let jump = match placed {
        Some(label) => {
            moved[1 + label] = blank;
            None
        }
        None => {
            // Tiles of the permutation on earlier cells, the one that moves not counted.
            let earlier =
                |end: u8| (0..end).filter(|cell| *cell != to && !cells.contains(cell)).count();
            let (here, there) = (earlier(to), earlier(blank));
            (here != there).then(|| jumps.number(there, here))
        }
    };
    let placement = states.placement(states.code(&moved));
    let first = states.half(to.into()) * states.codes()[0].len();
    Some(Edge { from: (placement - first) as u16, jump })
}

/// Whether permutations are odd when the blank and the placed tiles are on `cells`: the parity of all
/// inversions follows from the rows that the blank has gone up or down, if the width is even.
fn is_odd(states: &States, cells: &[u8]) -> bool {
    let (size, goal) = (states.size(), states.goal().blank());
    let row = |cell: u8| usize::from(cell) / size.width();
    let whole = if size.width() % 2 == 0 { row(cells[0]) + row(goal) } else { 0 };
    // Before a placed tile are larger ones but for the blank and smaller tiles, which are placed too.
    let larger = |label: usize| {
        let cell = cells[label];
        usize::from(cell) - cells[..label].iter().filter(|&&other| other < cell).count()
    };
    (whole + (1..cells.len()).map(larger).sum::<usize>()) % 2 == 1
}
