//! A beam search that keeps the best positions for each cell of the blank.

use loyd_search::{Meter, Stop};
use loyd_tiles::Move;

use super::plane::{Plane, Position};

/// What a tile at distance d from its goal counts, in tenths: d to this power. Tiles that are far
/// away are worth fetching while the board is in disorder anyway.
const POWER: f64 = 1.4;

/// What two neighbours count that stand the wrong way round in the line of both their goals.
const REVERSED: i32 = 20;

/// The beam ends when so many moves have brought no better position.
const PATIENCE: u32 = 40;

/// So many of the best positions met are handed out.
const KEPT: usize = 8;

/// Places of the table of positions met, at most.
const MOST_PLACES: usize = 1 << 22;

/// A position that was come to, and the moves to it.
pub(super) struct Reached {
    pub position: Position,
    pub moves: Vec<Move>,
}

/// Searches from `start` with the `per_cell` best positions for each cell of the blank at each depth;
/// returns the best positions that it met, worst first, and why it was stopped if it was.
///
/// A beam that keeps the best positions whatever they are loses all but one neighbourhood within a few
/// moves, and the blank then never crosses a part that is in order to get to one that is not: for
/// this, positions compete only with those whose blank is on the same cell. Positions are judged by
/// the distances of the tiles (see [`POWER`]) and by reversed neighbours; a position is never entered
/// twice. `N` is at least the number of cells.
///
/// Cost: some 60 ns a position and move.
pub(super) fn beam<const N: usize>(
    plane: &Plane,
    start: &Position,
    per_cell: usize,
    meter: &mut Meter<'_>,
) -> (Vec<Reached>, Option<Stop>) {
    let mut beam = Beam::<N>::new(plane, start, per_cell);
    let stopped = beam.run(meter).err();
    let reached = beam.best.iter().map(|best| Reached {
        position: Position {
            cells: best.node.cells[..plane.size.cells()].to_vec(),
            blank: best.node.blank,
        },
        moves: beam.path(best.depth, best.index),
    });
    (reached.collect(), stopped)
}

/// Leaves the best child for each cell of the blank.
fn best_of_each_cell(children: &mut Vec<Child>) {
    let mut places = [usize::MAX; 256];
    let mut kept = 0;
    for index in 0..children.len() {
        let child = &children[index];
        let place = &mut places[usize::from(child.to)];
        if *place == usize::MAX {
            *place = kept;
            children.swap(kept, index);
            kept += 1;
        } else if (child.score, child.hash) < (children[*place].score, children[*place].hash) {
            children.swap(*place, index);
        }
    }
    children.truncate(kept);
}

#[derive(Clone, Copy)]
struct Node<const N: usize> {
    cells: [u8; N],
    blank: u8,
    last: Option<Move>,
    score: i32,
    hash: u64,
}

/// A child that is not made yet.
struct Child {
    score: i32,
    parent: u32,
    by: Move,
    to: u8,
    hash: u64,
}

struct Best<const N: usize> {
    node: Node<N>,
    depth: usize,
    index: usize,
}

struct Beam<'a, const N: usize> {
    plane: &'a Plane,
    per_cell: usize,
    prices: Vec<i32>,
    nodes: Vec<Node<N>>,
    /// For each depth the parents of its nodes, and the moves from them.
    log: Vec<Vec<(u32, Move)>>,
    /// Hashes of positions met, each in one place: some are forgotten, none is made up.
    met: Vec<u64>,
    best: Vec<Best<N>>,
}

/// The bits that a tile on a cell adds to the hash: those of SplitMix64 (Steele, Lea and Flood 2014).
#[inline]
fn bits(tile: u8, cell: u8) -> u64 {
    let mut z = (u64::from(tile) << 8 | u64::from(cell)).wrapping_add(1);
    z = z.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl<'a, const N: usize> Beam<'a, N> {
    fn new(plane: &'a Plane, start: &Position, per_cell: usize) -> Self {
        let size = plane.size;
        let price = |distance: usize| (10.0 * (distance as f64).powf(POWER)).round() as i32;
        let prices: Vec<i32> = (0..size.width() + size.height()).map(price).collect();
        let mut cells = [0; N];
        cells[..size.cells()].copy_from_slice(&start.cells);
        let root = Node { cells, blank: start.blank, last: None, score: 0, hash: 0 };
        // About twice as many as positions are met before the goal.
        let places = per_cell * size.cells() * size.cells() * (size.width() + size.height()) / 2;
        let places = places.next_power_of_two().min(MOST_PLACES);
        let mut beam = Self {
            plane,
            per_cell,
            prices,
            nodes: vec![root],
            log: Vec::new(),
            met: vec![0; places],
            best: Vec::new(),
        };
        let root = &mut beam.nodes[0];
        let cells = (0..size.cells()).map(|cell| cell as u8);
        let tiles = cells.filter(|&cell| cell != start.blank);
        root.hash =
            tiles.clone().fold(0, |hash, cell| hash ^ bits(start.cells[usize::from(cell)], cell));
        let root = beam.nodes[0];
        let tile = |cell| root.cells[usize::from(cell)];
        let far: i32 = tiles.clone().map(|cell| beam.price(tile(cell), cell)).sum();
        // Each pair is seen from both of its tiles.
        let reversed: i32 =
            tiles.map(|c| beam.reversed(&root, tile(c), c, root.blank)).sum::<i32>() / 2;
        beam.nodes[0].score = far + reversed;
        beam.note_best(0, 0);
        beam
    }

    fn run(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        meter.hold_more((self.met.len() * 8) as u64)?;
        let (mut children, mut since) = (Vec::new(), 0);
        while since < PATIENCE && !self.nodes.is_empty() && self.best_score() > 0 {
            children.clear();
            for index in 0..self.nodes.len() {
                meter.expand()?;
                self.expand(index, &mut children);
            }
            meter.generate(children.len() as u64);
            let row = self.nodes.len() * (size_of::<Node<N>>() + size_of::<(u32, Move)>());
            meter.hold_more(row as u64 / 16)?;
            self.select(&mut children);
            since = if self.note_better() { 0 } else { since + 1 };
        }
        Ok(())
    }

    fn best_score(&self) -> i32 {
        self.best.last().map_or(i32::MAX, |best| best.node.score)
    }

    /// What the distance of `tile` on `cell` counts.
    #[inline]
    fn price(&self, tile: u8, cell: u8) -> i32 {
        self.prices[usize::from(self.plane.distance(tile, cell))]
    }

    /// What reversed pairs count that `tile` would be in on `cell`, were the blank on `blank`.
    #[inline]
    fn reversed(&self, node: &Node<N>, tile: u8, cell: u8, blank: u8) -> i32 {
        let plane = self.plane;
        let (row, column) = (plane.row(cell), plane.column(cell));
        let own_row = plane.row(tile) == row;
        let own_column = plane.column(tile) == column;
        if !own_row && !own_column {
            return 0;
        }
        let mut count = 0;
        for (m, beside) in plane.around(cell).filter(|&(_, beside)| beside != blank) {
            let other = node.cells[usize::from(beside)];
            let in_line = match m {
                Move::Left | Move::Right => own_row && plane.row(other) == row,
                Move::Up | Move::Down => own_column && plane.column(other) == column,
            };
            count += i32::from(in_line && (other < tile) != (beside < cell));
        }
        REVERSED * count
    }

    /// Judges the children of a node.
    fn expand(&self, parent: usize, children: &mut Vec<Child>) {
        let node = &self.nodes[parent];
        let back = node.last.map(Move::inverse);
        for (by, to) in self.plane.around(node.blank).filter(|&(by, _)| Some(by) != back) {
            let (from, tile) = (node.blank, node.cells[usize::from(to)]);
            let hash = node.hash ^ bits(tile, to) ^ bits(tile, from);
            if self.met[self.place(hash)] == hash {
                continue;
            }
            let before = self.price(tile, to) + self.reversed(node, tile, to, from);
            let after = self.price(tile, from) + self.reversed(node, tile, from, to);
            let score = node.score - before + after;
            children.push(Child { score, parent: parent as u32, by, to, hash });
        }
    }

    fn place(&self, hash: u64) -> usize {
        hash as usize & (self.met.len() - 1)
    }

    /// Makes the best children for each cell of the blank the nodes of the next depth.
    fn select(&mut self, children: &mut Vec<Child>) {
        if self.per_cell == 1 {
            best_of_each_cell(children);
        }
        children.sort_unstable_by_key(|child| (child.score, child.hash));
        let mut kept = [0; 256];
        let (mut nodes, mut row) = (Vec::with_capacity(self.nodes.len()), Vec::new());
        for child in children {
            let (kept, place) = (&mut kept[usize::from(child.to)], self.place(child.hash));
            if *kept == self.per_cell || self.met[place] == child.hash {
                continue;
            }
            *kept += 1;
            self.met[place] = child.hash;
            let mut node = self.nodes[child.parent as usize];
            node.cells.swap(usize::from(node.blank), usize::from(child.to));
            node.blank = child.to;
            node.last = Some(child.by);
            node.score = child.score;
            node.hash = child.hash;
            nodes.push(node);
            row.push((child.parent, child.by));
        }
        self.nodes = nodes;
        self.log.push(row);
    }

    /// Notes the best node of this depth if it is better than all before; nodes are best first.
    fn note_better(&mut self) -> bool {
        let better = self.nodes.first().is_some_and(|node| node.score < self.best_score());
        if better {
            self.note_best(self.log.len(), 0);
        }
        better
    }

    fn note_best(&mut self, depth: usize, index: usize) {
        if self.best.len() == KEPT {
            self.best.remove(0);
        }
        self.best.push(Best { node: self.nodes[index], depth, index });
    }

    /// The moves to the node with this number at `depth`.
    fn path(&self, depth: usize, index: usize) -> Vec<Move> {
        let mut at = index;
        let mut moves: Vec<Move> = self.log[..depth]
            .iter()
            .rev()
            .map(|row| {
                let (parent, by) = row[at];
                at = parent as usize;
                by
            })
            .collect();
        moves.reverse();
        moves
    }
}
