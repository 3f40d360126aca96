//! Nodes, and the reconstruction of paths.
//!
//! | field of an arrangement | bits | meaning |
//! |---|---|---|
//! | tile i | 2i and 2i + 1 | class of the i-th tile in the order of places, the blank left out; 15 tiles |
//!
//! With the blank on place p, tile i is on place i if i < p, else on place i + 1.

use std::cmp::Ordering;

use loyd_heuristics::pdb::tile_classes::{TileClassDistance, View, ViewState};
use loyd_search::StateSpace;
use loyd_tiles::{BoardSpace, Move, Packed4x4, Size, Slide, Slides, State4x4};

/// A node within the bound, or a child that waits for its word.
#[derive(Clone, Copy, Default)]
pub struct Node {
    /// The side on which the next slide goes across lines. In a waiting child the sides have not been exchanged yet:
    /// `across` is the side on which the last slide went across, with the parent's word and distance.
    pub across: Side,
    /// The other side, on which that slide goes along a line.
    pub along: Side,
    /// The place of the blank on the side `across`.
    pub blank: u8,
    /// Bound minus depth: the number of slides left.
    pub left: u8,
    /// Number of slides from the start.
    pub depth: u8,
    /// Whether the first slide went across lines on the second side.
    pub starts_on_second: bool,
    /// The line to which each slide took the blank, two bits per slide, the last slide lowest.
    pub path: u128,
}

/// The abstract board on one side.
#[derive(Clone, Copy, Default)]
pub struct Side {
    /// Classes of the tiles, two bits each.
    pub arrangement: u32,
    /// Table word of the arrangement.
    pub word: u32,
    /// Abstract distance to the goal.
    pub distance: u8,
}

impl From<ViewState> for Side {
    fn from(state: ViewState) -> Self {
        let ViewState { arrangement, word, distance } = state;
        Self { arrangement: arrangement as u32, word, distance: distance as u8 }
    }
}

impl Node {
    /// Returns the node with its sides exchanged.
    #[inline(always)]
    pub fn transposed(self) -> Self {
        Self { across: self.along, along: self.across, blank: transposed(self.blank), ..self }
    }
}

/// Returns the place of the same cell on the other side.
#[inline(always)]
pub fn transposed(place: u8) -> u8 {
    place % 4 * 4 + place / 4
}

/// Rotates the four tiles that start at index `place` left by `bits` bits.
///
/// Moving the blank one line on, from `place` to `place + 4`, moves the last of the four tiles between to the front:
/// one tile, 2 bits. Moving it back, from `place + 4` to `place`, moves the first to the back: three tiles, 6 bits.
#[inline(always)]
pub fn rotate(arrangement: u32, place: u8, bits: u32) -> u32 {
    let tiles = (arrangement >> (2 * place)) as u8;
    arrangement ^ u32::from(tiles ^ tiles.rotate_left(bits)) << (2 * place)
}

/// Returns the slides from `start` to `node` if the board there is the goal.
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
    let (mut state, mut side, mut path) = (*start, usize::from(node.starts_on_second), Vec::new());
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
