//! A census in blocks, for boards whose states exceed the memory: each level of a block is computed from a few sets of
//! states, which the caller keeps wherever it likes.
//!
//! # Blocks and slices
//! A *block* has all states in which the first few placed tiles, the *anchors*, are on the same cells. A *slice* has the
//! states of a block with the blank on one cell. Most moves leave the anchors alone and lead into another slice of the
//! block. If the blank moves onto the cell of an anchor, the anchor moves to the cell where the blank was: into one slice
//! of one other block. So the next level of a block is computed from its last level, and from one slice of another block
//! for each pair of an anchor and an adjacent cell. Only states of the block itself can be duplicates, so they are found
//! in the last two levels of the block ([`census`](super)). Nothing is sorted, and no states are sent from block to
//! block. With `a` anchors on `n` cells, about 3a/(n − 1) of a level is read a second time.
//!
//! Each pair of a level and a block is thus an independent task, which reads files of the two levels before and writes
//! one file: several machines could share the tasks of a level.
//!
//! # Windows
//! A [`Window`] holds the slices that the next level of a slice is computed from, by the cell of the blank: slices of the
//! block itself, and slices of other blocks on the cells of the anchors. If the blank is always on cells of one colour,
//! it has places for these cells only.

use loyd_heuristics::pdb::Words;
use loyd_heuristics::pdb::levels::Source;
use loyd_search::{Meter, Stop};
use loyd_tiles::{Board, Cell, Move, PartialGoal, Size};

use super::goals::Goals;
use super::levels::{self, Steps};
use super::packing::Packer;
use super::slices::{NextLevel, PackedSlice};
use crate::cpu::{Cpu, Level};
use crate::placement::{self, Cells, Edges, Jumps};

/// A census by single-tile moves in blocks.
pub struct BlockCensus {
    goals: Goals,
    jumps: Jumps,
    level: Level,
    packer: Packer,
    layout: Layout,
}

/// The sizes of blocks and slices.
#[derive(Clone, Copy, Debug)]
struct Layout {
    size: Size,
    anchors: usize,
    placed: usize,
    /// Number of words in a placement.
    width: usize,
    /// Whether the blank is on cells of one colour in each level.
    alternates: bool,
}

/// The states of a block with the blank on one cell, in canonical orientation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    /// Number of the block.
    pub block: usize,
    /// Cell of the blank.
    pub blank: u8,
}

/// The slices of the last level from which the next one is computed.
pub struct Window {
    /// By placement: its states; anything if it has none.
    words: Words,
    /// By placement of the slices: whether it has any states.
    occupied: Vec<bool>,
}

/// The order of boards: whether the blank is on the other colour than in the goal, the code of the placement as in
/// `Placements`, and the index within that.
pub type BoardOrder = (bool, u32, usize);

impl Window {
    /// Removes all slices.
    pub fn clear(&mut self) {
        self.occupied.fill(false);
    }
}

impl Layout {
    fn new(goal: &PartialGoal, anchors: usize) -> Self {
        let size = goal.size();
        let (placed, permuted) = placement::split_tiles(size);
        let cells = goal.blank_cells();
        let alternates = cells.iter().all(|&cell| size.distance(cells[0], cell).is_multiple_of(2));
        let width = placement::words_per_placement(permuted);
        Self { size, anchors: anchors.min(placed), placed, width, alternates }
    }

    fn blocks(&self) -> usize {
        (self.size.cells() - self.anchors + 1..=self.size.cells()).product()
    }

    /// Returns the number of placements in a slice.
    fn placements(&self) -> usize {
        let cells = self.size.cells();
        (cells - self.placed..cells - self.anchors).product()
    }

    /// Returns the number of words in a slice.
    fn slice(&self) -> usize {
        self.placements() * self.width
    }

    /// Returns the number of slices in a window.
    fn window(&self) -> usize {
        self.size.cells().div_ceil(if self.alternates { 2 } else { 1 })
    }

    /// Returns the size of a buffer for a packed slice, in bytes.
    fn packed(&self) -> usize {
        PackedSlice::room(self.placements(), self.width)
    }

    /// Returns the memory for computing one slice after the other, in bytes.
    fn bytes(&self) -> u64 {
        // A packed slice that is read and one that is written.
        let packed = 2 * self.packed() as u64;
        let words = Words::allocated_bytes(self.window() * self.slice());
        // Per placement: its edges with room for as many, and the flags.
        packed + words + (self.placements() * (self.window() + 96)) as u64
    }
}

impl BlockCensus {
    /// Returns the largest number of anchors on boards of `size`: that of the placed tiles.
    pub fn most_anchors(size: Size) -> usize {
        placement::split_tiles(size).0
    }

    /// Returns the number of blocks with this many anchors.
    pub fn block_count(goal: &PartialGoal, anchors: usize) -> usize {
        Layout::new(goal, anchors).blocks()
    }

    /// Returns an upper bound on the memory of a thread that computes one block after the other, in bytes.
    pub fn bytes(goal: &PartialGoal, anchors: usize) -> u64 {
        Layout::new(goal, anchors).bytes()
    }

    /// Returns an upper bound on the size of the [packed slices](PackedSlice) of two levels, in bytes.
    pub fn packed_bytes(goal: &PartialGoal) -> u64 {
        let layout = Layout::new(goal, 0);
        let levels = if layout.alternates { 1 } else { 2 };
        levels * (layout.size.cells() * layout.packed()) as u64
    }

    /// Creates the census of the boards that meet `goal` and can be reached from `example`, which must meet it, with at
    /// most this many anchors.
    ///
    /// # Panics
    /// If a board has more than [`MAX_CELLS`](super::Census::MAX_CELLS) cells, and for goals on a line that leave a
    /// cell open.
    pub fn new(goal: &PartialGoal, example: &Board, anchors: usize, cpu: Cpu) -> Self {
        let goals = Goals::new(goal, example);
        let (_, permuted) = placement::split_tiles(goals.size());
        let layout = Layout { size: goals.size(), ..Layout::new(goal, anchors) };
        let level = Level::at_most(cpu);
        Self { goals, jumps: Jumps::new(permuted), level, packer: Packer::new(level), layout }
    }

    /// Returns the number of reachable states, with all tiles distinct.
    pub fn state_count(&self) -> u64 {
        placement::state_count(self.layout.size)
    }

    /// Returns the number of blocks.
    pub fn blocks(&self) -> usize {
        self.layout.blocks()
    }

    /// Returns a buffer for a packed slice.
    ///
    /// # Errors
    /// [`Stop::Memory`] if the system cannot allocate it.
    pub fn packed_slice(&self) -> Result<PackedSlice, Stop> {
        PackedSlice::with_room(self.layout.packed()).ok_or(Stop::Memory)
    }

    /// Returns an empty window.
    ///
    /// # Errors
    /// [`Stop::Memory`] if the system cannot allocate it.
    pub fn window(&self) -> Result<Window, Stop> {
        let slices = self.layout.window();
        let words = Words::zeroed(slices * self.layout.slice()).map_err(|_| Stop::Memory)?;
        Ok(Window { words, occupied: vec![false; slices * self.layout.placements()] })
    }

    /// Iterates over the slices of a block.
    pub fn slices(&self, block: usize) -> impl Iterator<Item = Slice> {
        let anchors = self.anchors(block);
        let cells = 0..self.layout.size.cells() as u8;
        cells.filter(move |cell| !anchors.contains(cell)).map(move |blank| Slice { block, blank })
    }

    /// Returns the slices from which moves lead into `slice`.
    pub fn sources(&self, slice: Slice) -> impl Iterator<Item = Slice> + use<> {
        let (anchors, size) = (self.anchors(slice.block), self.layout.size);
        let blank = Cell::new(slice.blank.into());
        Move::ALL.into_iter().filter_map(move |m| size.neighbour(blank, m)).map(move |to| {
            let to = to.index() as u8;
            let mut anchors = anchors;
            match anchors.iter_mut().find(|cell| **cell == to) {
                Some(anchor) => *anchor = slice.blank,
                None => return Slice { block: slice.block, blank: to },
            }
            Slice { block: rank(size.cells(), &anchors, 0), blank: to }
        })
    }

    /// Adds a slice with the blank on this cell to a window. Returns whether `packed` is well-formed.
    #[must_use]
    pub fn insert(&self, window: &mut Window, blank: u8, packed: &PackedSlice) -> bool {
        let (place, placements) = (self.place(blank), self.layout.placements());
        let words = window.words[place * self.layout.slice()..].chunks_exact_mut(self.layout.width);
        let occupied = window.occupied[place * placements..][..placements].iter_mut();
        let mut reader = packed.reader(placements);
        for (placement, (words, occupied)) in words.zip(occupied).enumerate() {
            // The words of placements without states remain as they are: they are not read.
            let Some(has_states) = reader.unpack(placement, self.packer, words) else {
                return false;
            };
            *occupied = has_states;
        }
        reader.is_complete()
    }

    /// Removes a slice from a window.
    pub fn remove(&self, window: &mut Window, blank: u8) {
        let placements = self.layout.placements();
        window.occupied[self.place(blank) * placements..][..placements].fill(false);
    }

    /// Returns the place of the slices with this cell of the blank in a window.
    fn place(&self, blank: u8) -> usize {
        if !self.layout.alternates {
            return blank.into();
        }
        let colour = |cell: u8| {
            let cell = usize::from(cell);
            (cell / self.layout.size.width() + cell % self.layout.size.width()) % 2
        };
        (0..blank).filter(|&cell| colour(cell) == colour(blank)).count()
    }

    /// Packs the states of a slice that meet the goal, and returns their number.
    pub fn insert_goals(&self, slice: Slice, packed: &mut PackedSlice) -> u64 {
        let mut count = 0;
        let mut next = packed.writer(self.layout.placements());
        for cells in self.placements(slice) {
            let words = self.goals.states_in(&cells);
            let words = words.as_deref().filter(|words| words.iter().any(|&word| word != 0));
            next.push(words, self.packer);
            count +=
                words.unwrap_or_default().iter().map(|w| u64::from(w.count_ones())).sum::<u64>();
        }
        count
    }

    /// Computes the next level of a slice into `next`, and returns the number of its states. `previous` is the level
    /// before the last, if it has states in the slice; `window` has the last level of its [sources](Self::sources) and,
    /// if the last level has states in the slice itself (`has_last`), those. Returns `None` if `previous` is malformed.
    pub fn advance(
        &self,
        slice: Slice,
        window: &Window,
        has_last: bool,
        previous: Option<&PackedSlice>,
        next: &mut PackedSlice,
    ) -> Option<u64> {
        let Layout { size, anchors, width, .. } = self.layout;
        let placements = self.layout.placements();
        let first: Vec<usize> =
            (0..size.cells() as u8).map(|blank| self.place(blank) * placements).collect();
        let number = |cells: &[u8]| {
            (first[usize::from(cells[0])] + rank(size.cells(), cells, 1 + anchors)) as u32
        };
        let goal = (size, self.goals.blank());
        let edges =
            Edges::new(goal, &self.jumps, self.placements(slice), number, &mut Meter::default())
                .expect("the meter has no limits");
        let own = first[usize::from(slice.blank)];
        let last =
            has_last.then(|| (&window.words[own * width..], &window.occupied[own..][..placements]));
        let source = Source { reached: &window.words[..], fresh: &window.occupied[..] };
        let mut level = NextLevel {
            words: vec![0; width],
            previous: previous.map(|previous| previous.reader(placements)),
            last,
            next: next.writer(placements),
            placements,
            packer: self.packer,
            is_damaged: false,
        };
        let steps = Steps { edges: &edges, jumps: &self.jumps };
        let states = levels::advance(&steps, self.level, &source, 0, &mut level);
        let is_complete = level.previous.is_none_or(|previous| previous.is_complete());
        (is_complete && !level.is_damaged).then_some(states)
    }

    /// Iterates over the boards of the states of a slice in a window, each with its place in the order of
    /// [`Census::farthest`](super::Census::farthest). Of boards that differ only by a permutation of tiles that the goal
    /// does not specify, there is one.
    pub fn boards(
        &self,
        slice: Slice,
        window: &Window,
    ) -> impl Iterator<Item = (BoardOrder, Board)> {
        let (size, goal) = (self.layout.size, Cell::new(self.goals.blank().into()));
        let is_odd = size.distance(goal, Cell::new(slice.blank.into())) % 2 == 1;
        let base = size.cells() as u32;
        let first = self.place(slice.blank) * self.layout.placements();
        let words = window.words[first * self.layout.width..].chunks_exact(self.layout.width);
        let placements = words.zip(&window.occupied[first..]).zip(self.placements(slice));
        placements.filter(|((_, is_occupied), _)| **is_occupied).flat_map(
            move |((words, _), cells)| {
                let code = cells.iter().rev().fold(0, |code, &cell| code * base + u32::from(cell));
                let boards = self.goals.boards(cells, words).enumerate();
                boards.map(move |(index, board)| ((is_odd, code, index), board))
            },
        )
    }

    /// Returns the cells of the anchors of a block.
    fn anchors(&self, block: usize) -> Cells {
        let mut anchors = Cells::default();
        unrank(self.layout.size.cells(), &mut anchors, self.layout.anchors, block);
        anchors
    }

    /// Iterates over the placements of a slice, as the cells of the blank and of the placed tiles.
    fn placements(&self, slice: Slice) -> impl Iterator<Item = Cells> + use<> {
        let mut fixed = Cells::default();
        fixed.push(slice.blank);
        self.anchors(slice.block).iter().for_each(|&cell| fixed.push(cell));
        let Layout { size, anchors, placed, .. } = self.layout;
        (0..self.layout.placements()).map(move |number| {
            let mut cells = fixed;
            unrank(size.cells(), &mut cells, placed - anchors, number);
            cells
        })
    }
}

/// Returns the number of an arrangement of tiles on `total` cells, given as the cells of the tiles: its digits, the
/// lowest first, give the cell of each tile among the cells not yet taken. The first `fixed` tiles are not part of the
/// arrangement, but take their cells.
fn rank(total: usize, cells: &[u8], fixed: usize) -> usize {
    let mut taken = placement::cell_set(&cells[..fixed]);
    let (mut number, mut weight) = (0, 1);
    for (index, &cell) in cells.iter().enumerate().skip(fixed) {
        let before = taken & ((1 << cell) - 1);
        number += weight * (usize::from(cell) - before.count_ones() as usize);
        weight *= total - index;
        taken |= 1 << cell;
    }
    number
}

/// Appends the cells of the next `tiles` tiles in the arrangement of this [number](rank).
fn unrank(total: usize, cells: &mut Cells, tiles: usize, number: usize) {
    let mut free = !placement::cell_set(cells) & ((1_u32 << total) - 1);
    // Divisions of 32 bits are faster.
    let mut number = number as u32;
    for _ in 0..tiles {
        let choices = (total - cells.len()) as u32;
        // Without its lowest cells, as many as the digit.
        let rest = (0..number % choices).fold(free, |rest, _| rest & (rest - 1));
        number /= choices;
        cells.push(rest.trailing_zeros() as u8);
        free ^= rest & rest.wrapping_neg();
    }
}
