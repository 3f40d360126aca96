//! The cells that the blank can reach.

use std::collections::VecDeque;

use loyd::Move;

use super::start::Start;

/// The cells that the blank can reach in some number of moves, numbered by their distance from its first cell.
pub struct Region {
    neighbours: Vec<[u32; 4]>,
}

/// No cell.
const NONE: u32 = u32::MAX;

impl Region {
    /// The cell where the blank begins.
    pub const START: u32 = 0;

    /// The cells within `depth` moves of `start`.
    pub fn new(start: &Start, depth: u32) -> Self {
        let mut numbers = vec![NONE; (start.width * start.height) as usize];
        let mut neighbours: Vec<[u32; 4]> = Vec::new();
        let mut queue = VecDeque::from([(start.row, start.column)]);
        numbers[(start.row * start.width + start.column) as usize] = Self::START;
        let mut met = 1;
        while let Some(cell) = queue.pop_front() {
            let to = Move::ALL.map(|m| {
                let Some((row, column)) = beside(start, cell, m) else { return NONE };
                let number = &mut numbers[(row * start.width + column) as usize];
                let is_near = row.abs_diff(start.row) + column.abs_diff(start.column) <= depth;
                if *number == NONE && is_near {
                    *number = met;
                    met += 1;
                    queue.push_back((row, column));
                }
                *number
            });
            neighbours.push(to);
        }
        Self { neighbours }
    }

    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.neighbours.len()
    }

    /// The moves of a blank on `cell`, by [index](Move::index), and where they lead within the region.
    pub fn moves(&self, cell: u32) -> impl Iterator<Item = (usize, u32)> + use<> {
        let to = self.neighbours[cell as usize];
        to.into_iter().enumerate().filter(|&(_, to)| to != NONE)
    }

    /// The move that takes `m` back.
    pub fn inverse(m: usize) -> usize {
        Move::ALL[m].inverse().index()
    }
}

/// The cell to which `m` takes the blank.
fn beside(start: &Start, (row, column): (u32, u32), m: Move) -> Option<(u32, u32)> {
    match m {
        Move::Up => Some((row.checked_sub(1)?, column)),
        Move::Left => Some((row, column.checked_sub(1)?)),
        Move::Right => (column + 1 < start.width).then_some((row, column + 1)),
        Move::Down => (row + 1 < start.height).then_some((row + 1, column)),
    }
}
