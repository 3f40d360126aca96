//! The steps in plain code.

use super::node::{Child, LANES, Node, SUMS};
use super::steps::Steps;
use super::tables::Tables;

/// The steps on any machine, a lane at a time.
#[derive(Clone, Copy)]
pub struct Scalar;

impl Steps for Scalar {
    fn child<const STEP: usize>(self, tables: &Tables, node: &Node, child: &mut Child) {
        let blank = tables.target(node.blank, STEP).expect("the move is legal");
        let tile = usize::from(node.board[usize::from(blank)]);
        let lanes = &tables.tiles[tile];
        (child.tile, child.blank) = (tile as u8, blank);
        let (to, from) =
            (tables.cells[tile][usize::from(node.blank)], tables.cells[tile][usize::from(blank)]);
        let jumps = &tables.jumps[STEP][usize::from(node.blank)];
        let (by_tile, sign) = match STEP {
            0 => (&tables.up[tile], 1),
            1 => (&tables.left[tile], 1),
            2 => (&tables.left[tile], -1),
            _ => (&tables.up[tile], -1),
        };
        for place in 0..8 {
            let lane = lanes.lanes.0[place] as usize;
            let mask = node.masks[lane] ^ 1 << to[place] ^ 1 << from[place];
            let first = if lanes.mirrored[place] == 0 { 0 } else { 4 };
            let passed = jumps[first..first + 4].iter().map(|&cell| {
                let other = node.board[usize::from(cell)];
                by_tile[usize::from(other)][place]
            });
            let gain = passed.fold(0, i16::wrapping_add);
            let rank = node.ranks[lane].wrapping_add_signed(sign * gain);
            let base = lanes.firsts.0[place] + u32::from(rank) * lanes.strides.0[place];
            let low = mask & ((1 << tables.low_bits) - 1);
            let high = lanes.high_first.0[place] + (mask >> tables.low_bits);
            let number = tables.high[high as usize] + u32::from(tables.low[low as usize]);
            child.masks[place] = mask;
            child.ranks[place] = rank;
            child.places[place] = number;
            child.words[place] = base + number / 32;
        }
    }

    fn look(self, _: &Tables, words: &[u64], child: &Child) -> u32 {
        let bit = |place: usize| {
            let word = words[child.words[place] as usize / 2];
            let half = (word >> (32 * (child.words[place] % 2))) as u32;
            (half >> (child.places[place] % 32) & 1) << place
        };
        (0..8).map(bit).sum()
    }

    fn pockets(self, tables: &Tables, child: &Child) -> u8 {
        let tile = usize::from(child.tile);
        let (cells, first) =
            (tables.cells[tile][usize::from(child.blank)], tables.tiles[tile].pockets_first.0);
        let is_pocket = |place: usize| {
            let pockets = tables.pockets[(first[place] + child.places[place]) as usize];
            pockets >> cells[place] & 1 == 1
        };
        (0..8).map(|place| u8::from(is_pocket(place)) << place).sum()
    }

    fn mend(self, tables: &Tables, child: &mut Child) {
        let tile = usize::from(child.tile);
        let cells = &tables.cells[tile][usize::from(child.blank)];
        let firsts = &tables.tiles[tile].pockets_first.0;
        for place in (0..8).filter(|place| child.pockets >> place & 1 == 1) {
            let set = (firsts[place] + child.places[place]) as usize;
            let cell = 32 * usize::from(tables.shape[set]) + usize::from(cells[place]);
            let number = tables.first_pocket[set] + u32::from(tables.numbers[cell]);
            child.words[place] = child.words[place] - child.places[place] / 32 + number / 32;
            child.places[place] = number;
        }
    }

    fn slack(
        self,
        tables: &Tables,
        node: &Node,
        child: &Child,
        grown: u32,
        slack: &mut [i8; SUMS],
        beyond: i8,
    ) -> bool {
        let sums = &tables.tiles[usize::from(child.tile)].sums;
        let loss = |sum: usize| i8::from(grown & u32::from(sums[sum]) != 0);
        *slack = std::array::from_fn(|sum| node.slack[sum] - loss(sum));
        slack.iter().all(|&slack| slack >= -beyond)
    }

    fn place(self, tables: &Tables, node: &Node, child: &Child, into: &mut Node) {
        let lanes = &tables.tiles[usize::from(child.tile)];
        for lane in 0..LANES {
            let place = lanes.places.0[lane] as usize;
            let changes = place < 8;
            into.masks[lane] = if changes { child.masks[place] } else { node.masks[lane] };
            into.ranks[lane] = if changes { child.ranks[place] } else { node.ranks[lane] };
        }
        into.board = node.board;
        into.board[usize::from(child.blank)] = tables.blank();
        into.board[usize::from(node.blank)] = child.tile;
    }

    fn masks(self, tables: &Tables, node: &mut Node) {
        node.masks = [0; LANES];
        for (cell, &tile) in node.board[..tables.size.cells()].iter().enumerate() {
            let images = &tables.images[usize::from(tile)][cell];
            for (mask, &image) in node.masks.iter_mut().zip(images) {
                *mask |= 1_u32.checked_shl(image.into()).unwrap_or(0);
            }
        }
    }

    fn extract(self, from: u32, set: u32) -> u32 {
        let places = (0..32).filter(|place| set >> place & 1 == 1).enumerate();
        places.map(|(to, place)| (from >> place & 1) << to).sum()
    }

    fn deposit(self, from: u32, set: u32) -> u32 {
        let places = (0..32).filter(|place| set >> place & 1 == 1).enumerate();
        places.map(|(at, place)| (from >> at & 1) << place).sum()
    }
}
