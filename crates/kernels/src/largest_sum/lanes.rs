//! The lanes of the kernel: each distinct pattern of a database, on the board or on its transpose.
//!
//! A tile or cell of the board is mapped twice: by the transpose if the lane is for the transposed board, and by the
//! symmetry that takes the pattern to the representative that its table is for (several patterns share a table). A
//! lane stores the product of both in `images` and `labels`, so that the search itself needs no symmetry.
//!
//! # Jumps
//! Which cells a tile jumps depends on the board only, not on the patterns. The rank of a permutation depends on the
//! order of the tiles in the reading order of the table. A tile that slides between two cells changes its order
//! relative to the tiles on the cells between those two in that reading order: it *jumps* them. For a table in the
//! orientation of the board and a vertical move in column `x`:
//!
//! ```text
//! column:      0 .. x-1      x      x+1 .. w-1
//! upper row    .            [tile]   jumped
//! lower row    jumped       [blank]  .
//! ```
//!
//! A table that reads each row from right to left, the *mirrored* case, has the other cells in between. A horizontal
//! move jumps nothing in either kind. Tables of the transposed board read column by column: there the picture holds
//! with rows and columns exchanged, and vertical moves jump nothing. At most four tiles are jumped on boards of up to
//! five columns.

use loyd_heuristics::pdb::{Database, MAX_CELLS, Partition};
use loyd_tiles::{Cell, Move, Size, Symmetry};

use super::node::OFF_BOARD;

/// A pattern on the board or on its transpose.
#[derive(Clone, Debug)]
pub struct Lane {
    /// Index of the pattern in the database.
    pub part: usize,
    /// By cell of the board: the cell in the table.
    pub images: [u8; MAX_CELLS],
    /// By tile: its label in the table; `None` if the pattern lacks it.
    pub labels: [Option<u8>; 32],
    /// Whether the lane is for the transposed board.
    pub transposed: bool,
    /// Start of its part of [`Tables::high`](super::tables::Tables::high); shared by patterns with as many tiles.
    pub high_base: u32,
    /// Start of its part of the arrays by rank of a mask; likewise shared.
    pub set_base: u32,
}

/// The distinct lanes of a set of partitions, and the sums over them.
pub struct LanePlan {
    /// Per lane: the index of its pattern, whether it is for the transposed board, and the set of its tiles by goal
    /// cell on the board.
    pub lanes: Vec<(usize, bool, u64)>,
    /// Per sum: the set of its lanes.
    pub sums: Vec<u32>,
}

impl LanePlan {
    /// Collects the lanes and sums of `partition`, also for the transpose if the board is square and the goal cell
    /// of the blank is on the diagonal.
    pub fn of(partition: &Partition) -> Self {
        let (size, blank) = (partition.size(), Cell::new(partition.blank().into()));
        let reflects =
            size.width() == size.height() && Symmetry::TRANSPOSE.cell(size, blank) == blank;
        let mut plan = Self { lanes: Vec::new(), sums: Vec::new() };
        for transposed in [false, true].into_iter().take(1 + usize::from(reflects)) {
            for places in partition.sums() {
                let mut sum = 0;
                for &place in places {
                    let cells = partition.patterns()[place].cells().iter();
                    let tiles =
                        cells.fold(0, |tiles, &cell| tiles | 1 << view_of(size, transposed, cell));
                    let number = plan.lanes.iter().position(|lane| lane.2 == tiles);
                    let number = number.unwrap_or(plan.lanes.len());
                    if number == plan.lanes.len() {
                        plan.lanes.push((place, transposed, tiles));
                    }
                    sum |= 1_u32.checked_shl(number as u32).unwrap_or(0);
                }
                if !plan.sums.contains(&sum) {
                    plan.sums.push(sum);
                }
            }
        }
        plan
    }

    /// Returns the number of lanes with a tile.
    pub fn count(&self, tile: usize) -> usize {
        self.lanes.iter().filter(|lane| lane.2 >> tile & 1 == 1).count()
    }

    /// Returns the tiles of a sum.
    pub fn tiles(&self, sum: u32) -> u64 {
        let own = (0..).zip(&self.lanes).filter(|(lane, _)| sum >> lane & 1 == 1);
        own.fold(0, |tiles, (_, lane)| tiles | lane.2)
    }
}

/// Returns the image of `cell` under the transpose, or `cell` itself.
fn view_of(size: Size, transposed: bool, cell: u8) -> u8 {
    match transposed {
        true => Symmetry::TRANSPOSE.cell(size, Cell::new(cell.into())).index() as u8,
        false => cell,
    }
}

impl Lane {
    /// Maps the cells and tiles of the board to the table of pattern `part`.
    pub fn new(database: &Database, part: usize, transposed: bool) -> Self {
        let (size, own) = (database.partition().size(), &database.parts()[part]);
        let view = |cell: usize| view_of(size, transposed, cell as u8);
        let (mut images, mut labels) = ([0; MAX_CELLS], [None; 32]);
        for cell in 0..size.cells() {
            images[cell] = own.image(view(cell));
            let is_tile = cell != usize::from(database.partition().blank());
            labels[cell] = if is_tile { own.label(view(cell)) } else { None };
        }
        Self { part, images, labels, transposed, high_base: 0, set_base: 0 }
    }

    /// Returns the differences between the table cells of neighbouring cells of the board: along a row, and along a
    /// column.
    fn strides(&self, size: Size) -> [i32; 2] {
        let image = |cell: usize| i32::from(self.images[cell]);
        [image(1) - image(0), image(size.width()) - image(0)]
    }

    /// Returns whether the table is mirrored: its cells are in the reversed order along the rows of the board but not
    /// along the columns, or vice versa. The tile then jumps the other set of cells, see the [module](self).
    pub fn is_mirrored(&self, size: Size) -> bool {
        let [along, across] = self.strides(size);
        along.signum() != across.signum()
    }

    /// Returns, for moves of the blank up and left, whether the tile moves to a later (1) or an earlier (−1) cell of
    /// the table; 0 if that is the next cell, so that it jumps nothing.
    pub fn directions(&self, size: Size) -> [i16; 2] {
        let [along, across] = self.strides(size);
        // The tile moves opposite to the blank: down, or right.
        let far = |step: i32| if step.abs() > 1 { step.signum() as i16 } else { 0 };
        [far(across), far(along)]
    }
}

/// Maximum number of columns: bounds the number of jumped cells by four. Horizontal moves jump cells on square boards
/// only, so the number of rows does not matter.
pub const MAX_COLUMNS: usize = 5;

/// The jumped cells, in board coordinates: bytes 0 to 3 for plain tables, bytes 4 to 7 for mirrored ones. Unused bytes
/// are [`OFF_BOARD`], a cell that never holds a tile.
pub type Jumps = [u8; 8];

/// Returns the number of legal moves with the blank on `cell`; 0 beyond the board.
pub fn move_count(size: Size, cell: usize) -> u8 {
    let is_legal = |&m: &Move| size.neighbour(Cell::new(cell), m).is_some();
    if cell < size.cells() { Move::ALL.into_iter().filter(is_legal).count() as u8 } else { 0 }
}

/// Returns the cells that the tile jumps when the blank leaves `blank` by the move with index `step`.
///
/// All bytes are [`OFF_BOARD`] for illegal moves and for horizontal moves on boards that are not square, which have no
/// transposed tables.
pub fn jumped_cells(size: Size, step: usize, blank: usize) -> Jumps {
    let mut jumps = [OFF_BOARD; 8];
    let to = (blank < size.cells()).then(|| size.neighbour(Cell::new(blank), Move::ALL[step]));
    let Some(to) = to.flatten() else { return jumps };
    // The cell of the move nearer to the top left corner; the other one is below it or to its right.
    let upper = Cell::new(blank.min(to.index()));
    let (row, column) = (size.row(upper), size.column(upper));
    let (mut plain, mut mirrored) = (Vec::new(), Vec::new());
    let is_vertical = to.index().abs_diff(blank) > 1;
    if !is_vertical && size.width() != size.height() {
        return jumps;
    }
    let (place, side) = if is_vertical { (column, size.width()) } else { (row, size.height()) };
    for other in 0..side {
        let near = if is_vertical { size.cell(row, other) } else { size.cell(other, column) };
        let far =
            if is_vertical { size.cell(row + 1, other) } else { size.cell(other, column + 1) };
        let (near, far) = (near.index() as u8, far.index() as u8);
        match other.cmp(&place) {
            std::cmp::Ordering::Less => (plain.push(far), mirrored.push(near)),
            std::cmp::Ordering::Greater => (plain.push(near), mirrored.push(far)),
            std::cmp::Ordering::Equal => ((), ()),
        };
    }
    for (place, (plain, mirrored)) in plain.into_iter().zip(mirrored).enumerate() {
        (jumps[place], jumps[4 + place]) = (plain, mirrored);
    }
    jumps
}
