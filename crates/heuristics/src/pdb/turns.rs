//! What a vertical move does to the order of a pattern's tiles, for all orders at once.
//!
//! The ranks of the orders of k tiles are cut into *blocks*: the outer index says where the first
//! k − 5 labels stand, the inner one how the last five, the *inner labels*, are arranged on the places
//! that are left. A block is a set of inner orders, 120 bits of a `u128`. A tile that jumps from the
//! i-th place of the order to the j-th sends each block to one other, and permutes the bits within it
//! in one of only 15 ways: an inner label that passes inner labels, or nothing at all.

use super::coordinates::factorial;

/// The labels whose order is kept within a block.
const INNER: usize = 5;

/// A jump of a tile from one place of the order to another.
#[derive(Clone, Debug)]
pub struct Turn {
    /// For each block: the block that it becomes, and the inner turn of its bits.
    pub blocks: Vec<(u16, u8)>,
}

/// All turns of the orders of k tiles.
#[derive(Clone, Debug)]
pub struct Turns {
    tiles: usize,
    /// By place from which and to which a tile jumps.
    turns: Vec<Turn>,
    /// Inner turn 0 leaves everything as it is.
    inner: Vec<InnerTurn>,
}

/// An inner label goes from one place among the inner labels to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct InnerTurn {
    from: usize,
    to: usize,
}

impl Turns {
    /// The longest jump: a board that is at most as wide as high and has at most 16 cells has rows of
    /// at most four.
    const LONGEST: usize = 3;

    /// The turns for `tiles` tiles.
    pub fn new(tiles: usize) -> Self {
        let mut inner = vec![InnerTurn { from: 0, to: 0 }];
        for from in 0..tiles.min(INNER) {
            for to in 0..tiles.min(INNER) {
                let jump = to.abs_diff(from);
                // Neighbours that change places do the same from either side.
                if (1..=Self::LONGEST).contains(&jump) && (jump > 1 || from < to) {
                    inner.push(InnerTurn { from, to });
                }
            }
        }
        let mut turns = Self { tiles, turns: Vec::new(), inner };
        let jumps = (0..tiles).flat_map(|from| (0..tiles).map(move |to| (from, to)));
        turns.turns = jumps.map(|(from, to)| Turn { blocks: turns.jump(from, to) }).collect();
        turns
    }

    /// The number of blocks that hold all orders.
    pub fn blocks(&self) -> usize {
        (factorial(self.tiles) / factorial(self.tiles.min(INNER))) as usize
    }

    /// The orders in a block: k! for k up to 5, then 120.
    pub fn block_orders(&self) -> usize {
        factorial(self.tiles.min(INNER)) as usize
    }

    /// What the jump of a tile from the place `from` to the place `to` does.
    pub fn turn(&self, from: usize, to: usize) -> &Turn {
        &self.turns[from * self.tiles + to]
    }

    /// For each inner turn and each bit of a block, the bit that comes there.
    pub fn sources(&self) -> Vec<[u8; 128]> {
        let tiles = self.tiles.min(INNER);
        let sources = |turn: &InnerTurn| {
            let mut sources: [u8; 128] = std::array::from_fn(|bit| bit as u8);
            for bit in 0..self.block_orders() {
                let mut order = inner_order(tiles, bit);
                let label = order.remove(turn.from);
                order.insert(turn.to, label);
                sources[rank(&order)] = bit as u8;
            }
            sources
        };
        self.inner.iter().map(sources).collect()
    }

    /// For each inner turn, the pairs of neighbouring places that change, one after the other, to
    /// bring it about: each the left place of the pair.
    pub(super) fn exchanges(&self) -> Vec<Vec<usize>> {
        let exchanges = |turn: &InnerTurn| match turn.from < turn.to {
            true => (turn.from..turn.to).collect(),
            false => (turn.to..turn.from).rev().collect(),
        };
        self.inner.iter().map(exchanges).collect()
    }

    /// For each label but the last: its weight, and the orders of a block in which it stands on the
    /// place `left` and a larger label behind it.
    pub(super) fn smaller_on_left(&self, left: usize) -> Vec<(u32, u128)> {
        let tiles = self.tiles.min(INNER);
        let mask = |label: usize| {
            let on_left = |&bit: &usize| {
                let order = inner_order(tiles, bit);
                usize::from(order[left]) == label && usize::from(order[left + 1]) > label
            };
            (0..self.block_orders()).filter(on_left).fold(0, |mask, bit| mask | 1 << bit)
        };
        let weight = |label| factorial(tiles - 1 - label) as u32;
        (0..tiles - 1).map(|label| (weight(label), mask(label))).collect()
    }

    /// Where each block goes, and how its bits turn, if a tile jumps.
    fn jump(&self, from: usize, to: usize) -> Vec<(u16, u8)> {
        if to.abs_diff(from) > Self::LONGEST {
            return Vec::new();
        }
        let outer_labels = self.tiles - self.tiles.min(INNER);
        let block = |index| {
            let mut places = self.outer_places(index);
            let label = places.remove(from);
            let inner_before = |places: &[Option<u8>], place| {
                places[..place].iter().filter(|label| label.is_none()).count()
            };
            let (start, end) = (inner_before(&places, from), inner_before(&places, to));
            places.insert(to, label);
            let turn = match label {
                None if start != end => self.inner_turn(start, end),
                _ => 0,
            };
            (outer_rank(&places, outer_labels), turn)
        };
        (0..self.blocks()).map(block).collect()
    }

    fn inner_turn(&self, from: usize, to: usize) -> u8 {
        let (from, to) = if to + 1 == from { (to, from) } else { (from, to) };
        let place = self.inner.iter().position(|&turn| turn == InnerTurn { from, to });
        place.expect("all short jumps are listed") as u8
    }

    /// Which outer label stands on each place in the block with this index; none where an inner one
    /// does.
    fn outer_places(&self, mut index: usize) -> Vec<Option<u8>> {
        let inner = self.tiles.min(INNER);
        let mut places = vec![None; inner];
        // The last outer label counts only inner ones before it, and so on backwards.
        for label in (0..self.tiles - inner).rev() {
            let choices = places.len() + 1;
            places.insert(index % choices, Some(label as u8));
            index /= choices;
        }
        places
    }
}

/// The index of the block with these outer labels on their places.
fn outer_rank(places: &[Option<u8>], outer_labels: usize) -> u16 {
    let rank = (0..outer_labels as u8).fold(0, |rank, label| {
        let place = places.iter().position(|&other| other == Some(label));
        let before = &places[..place.expect("each outer label stands somewhere")];
        let larger = before.iter().filter(|other| other.is_none_or(|other| other > label)).count();
        rank * (places.len() - usize::from(label)) + larger
    });
    rank as u16
}

/// The inner labels, from 0, in the order that a bit of a block stands for.
fn inner_order(tiles: usize, bit: usize) -> Vec<u8> {
    let mut order = Vec::with_capacity(tiles);
    let mut rest = bit;
    for label in (0..tiles).rev() {
        let choices = tiles - label;
        order.insert(rest % choices, label as u8);
        rest /= choices;
    }
    order
}

/// The bit of an inner order.
fn rank(order: &[u8]) -> usize {
    let larger_before = |label: u8| {
        order.iter().take_while(|&&other| other != label).filter(|&&other| other > label).count()
    };
    (0..order.len() as u8)
        .fold(0, |rank, label| rank * (order.len() - usize::from(label)) + larger_before(label))
}

#[cfg(test)]
mod tests {
    use loyd_tiles::Size;

    use super::super::Coordinates;
    use super::*;

    #[test]
    fn five_labels_turn_in_fifteen_ways() {
        assert_eq!(Turns::new(7).sources().len(), 15);
        assert_eq!((Turns::new(7).blocks(), Turns::new(8).blocks()), (42, 336));
        assert_eq!((Turns::new(3).blocks(), Turns::new(3).block_orders()), (1, 6));
    }

    #[test]
    fn a_turn_is_the_jump_of_a_tile_in_every_order() {
        for tiles in 1..=7 {
            let coordinates = Coordinates::new(Size::new(4, 4).unwrap(), tiles);
            let turns = Turns::new(tiles);
            let sources = turns.sources();
            for (from, to) in (0..tiles).flat_map(|i| (0..tiles).map(move |j| (i, j))) {
                for (block, &(target, inner)) in turns.turn(from, to).blocks.iter().enumerate() {
                    let sources = &sources[usize::from(inner)][..turns.block_orders()];
                    for (bit, &source) in sources.iter().enumerate() {
                        let rank = |block, bit| (block * turns.block_orders() + bit) as u32;
                        let mut order = coordinates.unrank(rank(block, source.into()));
                        let label = order.remove(from);
                        order.insert(to, label);
                        assert_eq!(coordinates.rank(&order), rank(target.into(), bit));
                    }
                }
            }
        }
    }
}
