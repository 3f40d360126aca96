//! A census in blocks, for boards whose states exceed the memory: each level of a block is computed from a few sets of
//! states, which the caller keeps wherever it likes.
//!
//! # Blocks and slices
//! A *block* has all states with the same cells of the *anchors*, the first few placed tiles; a *slice* has those of its
//! states with the blank on one cell. Most moves leave the anchors alone and lead into another slice of the block. If
//! the blank moves onto the cell of an anchor, the anchor comes to the cell where the blank was: into one slice of one
//! other block. So a level of a block is computed from the last level of the block and of one slice more for each pair
//! of an anchor and an adjacent cell, and, since no state but one of the block itself can be met again there, duplicates
//! are found at once, in the block's own last two levels ([`census`](super)). Nothing is sorted, and no states are sent
//! from block to block. With `a` anchors on `n` cells, about 3a/(n − 1) of a level is read a second time.
//!
//! (level, block) is thereby a task of its own, which reads files of the two levels before and writes one file: several
//! machines could share the tasks of a level.
//!
//! # Windows
//! A [`Window`] holds the slices that the next level of a slice is computed from, by the cell of the blank: those of the
//! block itself, and on the cells of the anchors those of other blocks. If the blank is always on cells of one colour,
//! it has places for these cells only.

use loyd_heuristics::pdb::Words;
use loyd_heuristics::pdb::levels::Source;
use loyd_search::{Meter, Stop};
use loyd_tiles::{Board, Cell, Move, PartialGoal, Size};

use super::goals::Goals;
use super::levels::{self, Piece, Steps};
use crate::cpu::{Cpu, Level};
use crate::placement::{self, Edges, Jumps};

/// A census by single-tile moves in blocks.
pub struct BlockCensus {
    goals: Goals,
    jumps: Jumps,
    level: Level,
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
    words: Words,
    /// By placement of the slices: whether it has any states.
    occupied: Vec<bool>,
}

/// The order of boards: whether the blank is on the other colour than in the goal, the code of the placement as in
/// [`Placements`](super::placements::Placements), and the index within that.
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

    /// Returns the memory for computing one slice after the other, in bytes.
    fn bytes(&self) -> u64 {
        // One slice more, and a packed one, which takes up to an eighth more than its words.
        let words =
            Words::allocated_bytes(self.window() * self.slice()) + (8 + 9) * self.slice() as u64;
        // Per placement: its edges with room for as many, and the flags.
        words + (self.placements() * (self.window() + 96)) as u64
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

    /// Returns an upper bound on the size of the [packed](super::pack) slices of two levels, in bytes.
    pub fn packed_bytes(goal: &PartialGoal) -> u64 {
        let layout = Layout::new(goal, 0);
        let levels = if layout.alternates { 1 } else { 2 };
        9 * levels * (layout.size.cells() * layout.slice()) as u64
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
        Self { goals, jumps: Jumps::new(permuted), level: Level::at_most(cpu), layout }
    }

    /// Returns the number of reachable states, with all tiles distinct.
    pub fn state_count(&self) -> u64 {
        placement::state_count(self.layout.size)
    }

    /// Returns the number of blocks.
    pub fn blocks(&self) -> usize {
        self.layout.blocks()
    }

    /// Returns the number of words in a slice.
    pub fn slice_words(&self) -> usize {
        self.layout.slice()
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
            let mut anchors = anchors.clone();
            match anchors.iter_mut().find(|cell| **cell == to) {
                Some(anchor) => *anchor = slice.blank,
                None => return Slice { block: slice.block, blank: to },
            }
            Slice { block: rank(size.cells(), &anchors, 0), blank: to }
        })
    }

    /// Returns the words of a slice in a window, to be filled. Call [`filled`](Self::filled) afterwards.
    pub fn words<'a>(&self, window: &'a mut Window, blank: u8) -> &'a mut [u64] {
        &mut window.words[self.place(blank) * self.layout.slice()..][..self.layout.slice()]
    }

    /// Notes which placements of a slice in a window have states.
    pub fn filled(&self, window: &mut Window, blank: u8) {
        let (place, placements) = (self.place(blank), self.layout.placements());
        let words = window.words[place * self.layout.slice()..].chunks_exact(self.layout.width);
        let occupied = window.occupied[place * placements..][..placements].iter_mut();
        words.zip(occupied).for_each(|(words, occupied)| *occupied = words.iter().any(|&w| w != 0));
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

    /// Fills `words` with the states of a slice that meet the goal, and returns their number.
    pub fn insert_goals(&self, slice: Slice, words: &mut [u64]) -> u64 {
        let mut count = 0;
        for (words, cells) in words.chunks_exact_mut(self.layout.width).zip(self.placements(slice))
        {
            match self.goals.states_in(&cells) {
                None => words.fill(0),
                Some(goals) => words.copy_from_slice(&goals),
            }
            count += words.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        }
        count
    }

    /// Replaces the level before the last of a slice, in `words`, by the next level, and returns the number of its
    /// states. `window` has the last level of its [sources](Self::sources) and, if the last level has states in the
    /// slice itself (`has_last`), those.
    pub fn advance(&self, slice: Slice, window: &Window, has_last: bool, words: &mut [u64]) -> u64 {
        let placements = self.layout.placements();
        let fixed = 1 + self.layout.anchors;
        let number = |cells: &[u8]| {
            let first = self.place(cells[0]) * placements;
            (first + rank(self.layout.size.cells(), cells, fixed)) as u32
        };
        let goal = (self.layout.size, self.goals.blank());
        let edges =
            Edges::new(goal, &self.jumps, self.placements(slice), number, &mut Meter::default())
                .expect("the meter has no limits");
        let last = &window.words[self.place(slice.blank) * words.len()..][..words.len()];
        let source = Source { reached: &window.words[..], fresh: &window.occupied[..] };
        let mut occupied = vec![true; placements];
        let piece =
            Piece { first: 0, words, occupied: &mut occupied, last: has_last.then_some(last) };
        levels::advance(&Steps { edges: &edges, jumps: &self.jumps }, self.level, &source, piece)
    }

    /// Iterates over the boards of the states in `words` of a slice, each with its place in the order of
    /// [`Census::farthest`](super::Census::farthest). Of boards that differ only by a permutation of tiles that the goal
    /// does not specify, there is one.
    pub fn boards(&self, slice: Slice, words: &[u64]) -> impl Iterator<Item = (BoardOrder, Board)> {
        let (size, goal) = (self.layout.size, Cell::new(self.goals.blank().into()));
        let is_odd = size.distance(goal, Cell::new(slice.blank.into())) % 2 == 1;
        let base = size.cells() as u32;
        let placements = words.chunks_exact(self.layout.width).zip(self.placements(slice));
        placements.filter(|(words, _)| words.iter().any(|&word| word != 0)).flat_map(
            move |(words, cells)| {
                let code = cells.iter().rev().fold(0, |code, &cell| code * base + u32::from(cell));
                let boards = self.goals.boards(cells, words).enumerate();
                boards.map(move |(index, board)| ((is_odd, code, index), board))
            },
        )
    }

    /// Returns the cells of the anchors of a block.
    fn anchors(&self, block: usize) -> Vec<u8> {
        let mut anchors = Vec::new();
        unrank(self.layout.size.cells(), &mut anchors, self.layout.anchors, block);
        anchors
    }

    /// Iterates over the placements of a slice, as the cells of the blank and of the placed tiles.
    fn placements(&self, slice: Slice) -> impl Iterator<Item = Vec<u8>> + use<> {
        let mut fixed = vec![slice.blank];
        fixed.extend(self.anchors(slice.block));
        let Layout { size, anchors, placed, .. } = self.layout;
        (0..self.layout.placements()).map(move |number| {
            let mut cells = Vec::with_capacity(1 + placed);
            cells.extend(&fixed);
            unrank(size.cells(), &mut cells, placed - anchors, number);
            cells
        })
    }
}

/// Returns the number of an arrangement of tiles on `total` cells, given as the cells of the tiles: its digits, the
/// lowest first, say which of the cells not yet taken each tile is on. The first `fixed` tiles are not part of the
/// arrangement, but take their cells.
fn rank(total: usize, cells: &[u8], fixed: usize) -> usize {
    let taken = |cells: &[u8]| cells.iter().fold(0_u32, |taken, &cell| taken | 1 << cell);
    (fixed..cells.len()).rev().fold(0, |number, index| {
        let before = taken(&cells[..index]) & ((1 << cells[index]) - 1);
        number * (total - index) + usize::from(cells[index]) - before.count_ones() as usize
    })
}

/// Appends the cells of the next `tiles` tiles in the arrangement of this [number](rank).
fn unrank(total: usize, cells: &mut Vec<u8>, tiles: usize, mut number: usize) {
    for _ in 0..tiles {
        let choices = total - cells.len();
        let free = (0..total as u8).filter(|cell| !cells.contains(cell));
        let cell = free.clone().nth(number % choices).expect("there is a cell for each digit");
        number /= choices;
        cells.push(cell);
    }
}
