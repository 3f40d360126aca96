//! The steps in plain code.

use super::jumps::JUMPED;
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
        let (to, from) = (
            tables.cells[tile][usize::from(node.blank)].0,
            tables.cells[tile][usize::from(blank)].0,
        );
        let jumps = &tables.jumps[STEP][usize::from(node.blank)];
        let (by_tile, sign) = match STEP {
            0 => (&tables.up[tile], 1),
            1 => (&tables.left[tile], 1),
            2 => (&tables.left[tile], -1),
            _ => (&tables.up[tile], -1),
        };
        for place in 0..8 {
            let lane = (0..4)
                .find(|&vector| lanes.from[vector].0[place] != 0)
                .map_or(0, |vector| 8 * vector + lanes.lanes.0[place] as usize);
            let mask = node.masks[lane] ^ to[place] ^ from[place];
            let jumped = if lanes.mirrored.0[place] == 0 { &jumps.plain } else { &jumps.mirrored };
            let passed = |place_of: usize| {
                by_tile[usize::from(node.board[usize::from(jumped[place_of])])].0[place]
            };
            let gain: i32 = (0..JUMPED).map(passed).sum();
            let base = node.bases[lane].wrapping_add_signed(sign * gain);
            let low = mask & ((1 << tables.low_bits) - 1);
            let high = lanes.high_first.0[place] + (mask >> tables.low_bits);
            let rank = tables.high[high as usize] + tables.low[low as usize];
            child.masks[place] = mask;
            child.bases[place] = base;
            child.places[place] = rank;
            child.words[place] = base + rank / 32;
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
            (tables.cells[tile][usize::from(child.blank)].0, tables.tiles[tile].pockets_first.0);
        let is_pocket = |place: usize| {
            let pockets = tables.pockets[(first[place] + child.places[place]) as usize];
            pockets & cells[place] != 0
        };
        (0..8).map(|place| u8::from(is_pocket(place)) << place).sum()
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
        let losses = &tables.losses[usize::from(child.tile)];
        let [first, second] = [losses[0][grown as usize & 15].0, losses[1][grown as usize >> 4].0];
        *slack = std::array::from_fn(|sum| node.slack[sum] - (first[sum] | second[sum]));
        slack.iter().all(|&slack| slack >= -beyond)
    }

    fn place(self, tables: &Tables, node: &Node, child: &Child, into: &mut Node) {
        let lanes = &tables.tiles[usize::from(child.tile)];
        for lane in 0..LANES {
            let (vector, own) = (lane / 8, lane % 8);
            let place = lanes.places[vector].0[own] as usize;
            let changes = lanes.changes[vector].0[own] != 0;
            into.masks[lane] = if changes { child.masks[place] } else { node.masks[lane] };
            into.bases[lane] = if changes { child.bases[place] } else { node.bases[lane] };
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
