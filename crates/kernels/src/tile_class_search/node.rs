//! Nodes, and the way to one.

use std::cmp::Ordering;

use loyd_heuristics::pdb::tile_classes::{Seen, TileClassDistance, View};
use loyd_search::StateSpace;
use loyd_tiles::{BoardSpace, Move, Packed4x4, Size, Slide, Slides, State4x4};

/// A node within the bound, or a child that waits for a word.
#[derive(Clone, Copy, Default)]
pub struct Node {
    /// The side on which the next slide goes across lines, and the other. Of a child that waits they are
    /// as they were for its parent, and the word across is still that of the parent.
    pub across: Side,
    pub along: Side,
    /// The place of the blank across.
    pub blank: u8,
    /// What is left of the bound.
    pub left: u8,
    pub depth: u8,
    /// Whether the first slide went across on the second side.
    pub second: bool,
    /// The lines that the blank went to, two bits a slide, the last one lowest.
    pub path: u128,
}

/// A board on one side.
#[derive(Clone, Copy, Default)]
pub struct Side {
    /// Two bits a tile.
    pub arrangement: u32,
    pub word: u32,
    pub distance: u8,
}

impl From<Seen> for Side {
    fn from(seen: Seen) -> Self {
        let Seen { arrangement, word, distance } = seen;
        Self { arrangement: arrangement as u32, word, distance: distance as u8 }
    }
}

impl Node {
    /// The same node with its sides exchanged.
    #[inline(always)]
    pub fn transposed(self) -> Self {
        Self { across: self.along, along: self.across, blank: transposed(self.blank), ..self }
    }
}

/// The place of the same cell in the transpose.
#[inline(always)]
pub fn transposed(place: u8) -> u8 {
    place % 4 * 4 + place / 4
}

/// The arrangement after the four tiles from `place` on have been rotated by so many bits: by 2, and the last
/// goes before the others; by 6, and the first goes behind them.
#[inline(always)]
pub fn rotate(arrangement: u32, place: u8, bits: u32) -> u32 {
    let tiles = (arrangement >> (2 * place)) as u8;
    arrangement ^ u32::from(tiles ^ tiles.rotate_left(bits)) << (2 * place)
}

/// The slides from `start` to `node`, if that is the goal.
#[cold]
pub fn path_to(
    node: &Node,
    space: &Slides<Packed4x4>,
    start: &State4x4,
    heuristic: &TileClassDistance,
) -> Option<Vec<Slide>> {
    let size = Size::FIFTEEN;
    let views = heuristic.views();
    let cell_on = |view: &View, place| size.iter_cells().find(|&cell| view.place(cell) == place);
    let (mut state, mut side, mut path) = (*start, usize::from(node.second), Vec::new());
    for slide in (0..node.depth).rev() {
        let from = space.blank(&state);
        let line = (node.path >> (2 * slide)) as u32 & 3;
        let to = cell_on(&views[side], 4 * line + views[side].place(from) % 4)?;
        let (rows, columns) =
            ([size.row(from), size.row(to)], [size.column(from), size.column(to)]);
        let (direction, [from, to]) = match rows[0].cmp(&rows[1]) {
            Ordering::Greater => (Move::Up, rows),
            Ordering::Less => (Move::Down, rows),
            Ordering::Equal if columns[0] > columns[1] => (Move::Left, columns),
            Ordering::Equal => (Move::Right, columns),
        };
        let slide = Slide { direction, tiles: from.abs_diff(to) as u8 };
        space.apply(&mut state, slide);
        path.push(slide);
        side = 1 - side;
    }
    space.is_goal(&state).then_some(path)
}
