//! Beam search in which the blank stays inside a window of a large board.
//!
//! A node holds only the tiles of the window, in a byte each, so that its size does not depend on the board. As in
//! [`super::beam`], positions compete only with those whose blank is on the same cell; here, each cell keeps one
//! position.

use loyd_search::{Meter, Stop};
use loyd_tiles::Move;

use super::geometry::{Grid, Layout};

/// Maximum number of cells of a window, so that a byte can index them.
pub(super) const MAX_CELLS: usize = 256;

/// Number of moves without a better position after which the beam search ends.
const PATIENCE: usize = 12;

/// Number of moves between two checks of the gain per move.
const CHECK_INTERVAL: usize = 64;

/// Number of entries in the table of visited positions. A later position may overwrite an earlier one.
const ENTRIES: usize = 1 << 16;

/// Cost of two adjacent tiles in reversed order on a line that contains both their goals (a linear conflict), on the
/// scale of the costs of distances.
const CONFLICT_COST: i32 = 40;

/// A rectangle of cells of a board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub row: usize,
    pub column: usize,
    pub height: usize,
    pub width: usize,
}

impl Window {
    pub fn cells(&self) -> usize {
        self.height * self.width
    }

    /// Returns the index of a cell of the board in reading order of the window.
    pub fn index(&self, grid: &Grid, cell: u16) -> usize {
        (grid.row(cell) - self.row) * self.width + grid.column(cell) - self.column
    }

    /// Returns the cell of the board with the given index in reading order of the window.
    pub fn cell(&self, grid: &Grid, index: usize) -> u16 {
        grid.cell(self.row + index / self.width, self.column + index % self.width)
    }
}

/// Settings of a beam search: when it ends, and whether linear conflicts count.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// Minimum gain (decrease of the score) per move, averaged over [`CHECK_INTERVAL`] moves. The beam search ends
    /// below it.
    pub least_rate: i32,
    /// Whether linear conflicts add to the cost. They do not matter before most tiles are near their goals.
    pub counts_conflicts: bool,
}

#[derive(Clone, Copy)]
struct Node {
    cells: [u8; MAX_CELLS],
    blank: u8,
    last: Option<Move>,
    score: i32,
    hash: u32,
}

/// The best child among those with the blank on one particular cell.
#[derive(Clone, Copy)]
struct Child {
    score: i32,
    parent: u16,
    by: Move,
    hash: u32,
}

const NO_CHILD: Child = Child { score: i32::MAX, parent: 0, by: Move::Up, hash: 0 };

/// The best node so far: its score and its position in the log.
#[derive(Clone, Copy)]
struct Best {
    score: i32,
    depth: usize,
    index: usize,
}

/// Tables and buffers of beams in windows, reused from beam to beam. Tiles are identified by their cells in the window
/// at the start of the beam.
pub(super) struct WindowBeam {
    /// By tile and cell: the cost of the distance from the cell to the tile's goal.
    prices: Vec<[i32; MAX_CELLS]>,
    /// By two tiles: the directions from the first in which the second is reversed, on lines that contain both their
    /// goals. Bits by [`Move::index`].
    reversed: Vec<[u8; MAX_CELLS]>,
    /// By tile and cell: the directions along the lines that the cell shares with the goal of the tile.
    own_lines: Vec<[u8; MAX_CELLS]>,
    /// Target of the blank for each cell and move; the cell itself if the move leaves the window.
    targets: [[u8; 4]; MAX_CELLS],
    /// By tile and cell: contribution to the hash of a position.
    bits: Vec<u32>,
    visited: Vec<u32>,
    /// Added to all hashes, so that positions visited by earlier beams do not match.
    salt: u32,
    layer: Vec<Node>,
    next: Vec<Node>,
    children: [Child; MAX_CELLS],
    /// The parent of each node of all depths, and the move from it.
    log: Vec<(u16, Move)>,
    /// Index in `log` of the first node of each depth.
    depths: Vec<usize>,
}

impl WindowBeam {
    pub fn new() -> Self {
        let mut state = 0_u64;
        Self {
            prices: vec![[0; MAX_CELLS]; MAX_CELLS],
            reversed: vec![[0; MAX_CELLS]; MAX_CELLS],
            own_lines: vec![[0; MAX_CELLS]; MAX_CELLS],
            targets: [[0; 4]; MAX_CELLS],
            bits: (0..MAX_CELLS * MAX_CELLS).map(|_| next_random(&mut state)).collect(),
            visited: vec![0; ENTRIES],
            salt: 0,
            layer: Vec::new(),
            next: Vec::new(),
            children: [NO_CHILD; MAX_CELLS],
            log: Vec::new(),
            depths: Vec::new(),
        }
    }

    /// Searches from `layout`, whose blank is in `window`; `prices` contains the cost of each distance. Returns the
    /// gain (the decrease of the score) and the moves to the best position.
    ///
    /// # Errors
    /// Returns the limit of `meter` that was reached.
    pub fn run(
        &mut self,
        (grid, layout): (&Grid, &Layout),
        window: Window,
        prices: &[i32],
        effort: Effort,
        meter: &mut Meter<'_>,
    ) -> Result<(i32, Vec<Move>), Stop> {
        self.enter(grid, layout, window, prices, effort);
        let mut best = Best { score: 0, depth: 0, index: 0 };
        let mut checked = (0, 0);
        while self.depths.len() - best.depth < PATIENCE && !self.layer.is_empty() {
            let depth = self.depths.len();
            if depth >= checked.1 + CHECK_INTERVAL {
                if checked.0 - best.score < effort.least_rate.saturating_mul(CHECK_INTERVAL as i32)
                {
                    break;
                }
                checked = (best.score, depth);
            }
            let nodes = self.layer.len() as u64;
            if nodes > meter.remaining_expansions() {
                return Err(Stop::Expanded);
            }
            meter.expand_many(nodes);
            meter.check()?;
            match effort.counts_conflicts {
                true => (0..self.layer.len()).for_each(|parent| self.expand::<true>(parent)),
                false => (0..self.layer.len()).for_each(|parent| self.expand::<false>(parent)),
            }
            let (score, index) = self.advance(window.cells());
            meter.generate(self.layer.len() as u64);
            if score < best.score {
                best = Best { score, depth: depth + 1, index };
            }
        }
        Ok((-best.score, self.path_to(best)))
    }

    /// Fills the tables for `window`.
    fn enter(
        &mut self,
        grid: &Grid,
        layout: &Layout,
        window: Window,
        prices: &[i32],
        effort: Effort,
    ) {
        let cells = window.cells();
        let on_board: Vec<u16> = (0..cells).map(|index| window.cell(grid, index)).collect();
        let tiles: Vec<u16> =
            on_board.iter().map(|&cell| layout.cells[usize::from(cell)]).collect();
        let mut root = Node { cells: [0; MAX_CELLS], blank: 0, last: None, score: 0, hash: 0 };
        for (index, (&cell, &goal)) in on_board.iter().zip(&tiles).enumerate() {
            root.cells[index] = index as u8;
            if cell == layout.blank {
                root.blank = index as u8;
            }
            self.targets[index] = targets(window, index);
            for (other, &there) in on_board.iter().enumerate() {
                self.prices[index][other] = prices[grid.distance(goal, there)];
            }
            if effort.counts_conflicts {
                for (other, (&there, &tile)) in on_board.iter().zip(&tiles).enumerate() {
                    self.own_lines[index][other] = lines(grid, goal, there);
                    self.reversed[index][other] = reversed(grid, goal, tile);
                }
            }
        }
        self.salt = self.salt.wrapping_add(0x9e37_79b1);
        self.layer.clear();
        self.layer.push(root);
        self.log.clear();
        self.depths.clear();
    }

    /// Evaluates the children of a node, and keeps each that is the best so far for its cell.
    fn expand<const COUNTS_CONFLICTS: bool>(&mut self, parent: usize) {
        let node = &self.layer[parent];
        let (from, back) = (usize::from(node.blank), node.last.map(Move::inverse));
        for by in Move::ALL {
            let to = usize::from(self.targets[from][by.index()]);
            if to == from || Some(by) == back {
                continue;
            }
            let tile = usize::from(node.cells[to]);
            let prices = &self.prices[tile];
            let mut score = node.score + prices[from] - prices[to];
            if COUNTS_CONFLICTS {
                score += CONFLICT_COST
                    * (self.reversals(&node.cells, tile, from)
                        - self.reversals(&node.cells, tile, to));
            }
            let candidate = &mut self.children[to];
            if candidate.score <= score {
                continue;
            }
            let bits = |cell: usize| self.bits[tile * MAX_CELLS + cell];
            let hash = node.hash ^ bits(to) ^ bits(from);
            let key = hash.wrapping_add(self.salt);
            let entry = &mut self.visited[key as usize % ENTRIES];
            if std::mem::replace(entry, key) != key {
                *candidate = Child { score, parent: parent as u16, by, hash };
            }
        }
    }

    /// Returns the number of neighbours with which `tile` would be reversed on `cell`. At the edge of the window, a
    /// cell counts as its own neighbour, which is harmless because a tile is not reversed with itself.
    #[inline(always)]
    fn reversals(&self, cells: &[u8; MAX_CELLS], tile: usize, cell: usize) -> i32 {
        let (reversed, neighbours) = (&self.reversed[tile], &self.targets[cell]);
        let reversed_bit = |m: Move| {
            reversed[usize::from(cells[usize::from(neighbours[m.index()])])] & 1 << m.index()
        };
        let all = reversed_bit(Move::Up)
            | reversed_bit(Move::Left)
            | reversed_bit(Move::Right)
            | reversed_bit(Move::Down);
        (all & self.own_lines[tile][cell]).count_ones() as i32
    }

    /// Turns the candidates into the nodes of the next depth. Returns the best score and the index of its node.
    fn advance(&mut self, cells: usize) -> (i32, usize) {
        self.depths.push(self.log.len());
        self.next.clear();
        let mut best = (i32::MAX, 0);
        for to in 0..cells {
            let child = std::mem::replace(&mut self.children[to], NO_CHILD);
            if child.score == i32::MAX {
                continue;
            }
            if child.score < best.0 {
                best = (child.score, self.next.len());
            }
            let mut node = self.layer[usize::from(child.parent)];
            node.cells.swap(node.blank.into(), to);
            let Child { score, by, hash, .. } = child;
            self.next.push(Node { blank: to as u8, last: Some(by), score, hash, ..node });
            self.log.push((child.parent, by));
        }
        std::mem::swap(&mut self.layer, &mut self.next);
        best
    }

    fn path_to(&self, best: Best) -> Vec<Move> {
        let (mut at, mut moves) = (best.index, Vec::with_capacity(best.depth));
        for &depth in self.depths[..best.depth].iter().rev() {
            let (parent, by) = self.log[depth + at];
            at = parent.into();
            moves.push(by);
        }
        moves.reverse();
        moves
    }
}

fn targets(window: Window, index: usize) -> [u8; 4] {
    let (row, column) = (index / window.width, index % window.width);
    Move::ALL.map(|m| {
        let to = match m {
            Move::Up if row > 0 => index - window.width,
            Move::Left if column > 0 => index - 1,
            Move::Right if column + 1 < window.width => index + 1,
            Move::Down if row + 1 < window.height => index + window.width,
            _ => index,
        };
        to as u8
    })
}

const ALONG_ROW: u8 = 1 << Move::Left as u8 | 1 << Move::Right as u8;
const ALONG_COLUMN: u8 = 1 << Move::Up as u8 | 1 << Move::Down as u8;

/// Returns the directions along the lines that two cells share.
fn lines(grid: &Grid, one: u16, other: u16) -> u8 {
    let row = if grid.row(one) == grid.row(other) { ALONG_ROW } else { 0 };
    let column = if grid.column(one) == grid.column(other) { ALONG_COLUMN } else { 0 };
    row | column
}

/// Returns the directions from the tile with the goal `tile` in which the one with the goal `other` is reversed.
fn reversed(grid: &Grid, tile: u16, other: u16) -> u8 {
    let wrong = match other.cmp(&tile) {
        _ if other == grid.blank_goal => 0,
        std::cmp::Ordering::Less => 1 << Move::Right as u8 | 1 << Move::Down as u8,
        std::cmp::Ordering::Equal => 0,
        std::cmp::Ordering::Greater => 1 << Move::Left as u8 | 1 << Move::Up as u8,
    };
    lines(grid, tile, other) & wrong
}

/// Returns the next value of a pseudorandom sequence: SplitMix64 (Steele, Lea and Flood 2014).
fn next_random(state: &mut u64) -> u32 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 32) as u32
}
