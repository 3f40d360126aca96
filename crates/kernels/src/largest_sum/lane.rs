//! The patterns of a database as the kernel looks at them: each once, on the board or on its transpose.

use loyd_heuristics::pdb::{Database, MAX_CELLS, Partition};
use loyd_tiles::{Cell, Size, Symmetry};

/// A pattern, seen on the board or on its transpose.
#[derive(Clone, Debug)]
pub struct Lane {
    /// Its place in the database.
    pub part: usize,
    /// By cell of the board: the cell in the table.
    pub images: [u8; MAX_CELLS],
    /// By tile: its label.
    pub labels: [Option<u8>; 32],
    /// Whether the board is looked at as its transpose.
    pub transposed: bool,
    /// What its sets of cells begin at in the ranks of sets, and in their pockets.
    pub high_first: u32,
    pub pockets_first: u32,
}

/// The patterns of a set of partitions as they are looked at, each once, and the sums over them.
pub struct Views {
    /// For each lane the place of its pattern, whether the board is looked at as its transpose, and the tiles, each named by
    /// its goal cell.
    pub lanes: Vec<(usize, bool, u64)>,
    /// For each sum its lanes.
    pub sums: Vec<u32>,
}

impl Views {
    pub fn of(partition: &Partition) -> Self {
        let (size, blank) = (partition.size(), Cell::new(partition.blank().into()));
        let reflects =
            size.width() == size.height() && Symmetry::TRANSPOSE.cell(size, blank) == blank;
        let mut views = Self { lanes: Vec::new(), sums: Vec::new() };
        for transposed in [false, true].into_iter().take(1 + usize::from(reflects)) {
            for places in partition.sums() {
                let mut sum = 0;
                for &place in places {
                    let cells = partition.patterns()[place].cells().iter();
                    let tiles =
                        cells.fold(0, |tiles, &cell| tiles | 1 << seen(size, transposed, cell));
                    let number = views.lanes.iter().position(|lane| lane.2 == tiles);
                    let number = number.unwrap_or(views.lanes.len());
                    if number == views.lanes.len() {
                        views.lanes.push((place, transposed, tiles));
                    }
                    sum |= 1_u32.checked_shl(number as u32).unwrap_or(0);
                }
                if !views.sums.contains(&sum) {
                    views.sums.push(sum);
                }
            }
        }
        views
    }

    /// How many lanes have a tile.
    pub fn count(&self, tile: usize) -> usize {
        self.lanes.iter().filter(|lane| lane.2 >> tile & 1 == 1).count()
    }

    /// The tiles of a sum.
    pub fn tiles(&self, sum: u32) -> u64 {
        let own = (0..).zip(&self.lanes).filter(|(lane, _)| sum >> lane & 1 == 1);
        own.fold(0, |tiles, (_, lane)| tiles | lane.2)
    }
}

/// The cell that is looked at in place of `cell`.
fn seen(size: Size, transposed: bool, cell: u8) -> u8 {
    match transposed {
        true => Symmetry::TRANSPOSE.cell(size, Cell::new(cell.into())).index() as u8,
        false => cell,
    }
}

impl Lane {
    pub fn new(database: &Database, part: usize, transposed: bool) -> Self {
        let (size, own) = (database.partition().size(), &database.parts()[part]);
        let seen = |cell: usize| seen(size, transposed, cell as u8);
        let (mut images, mut labels) = ([0; MAX_CELLS], [None; 32]);
        for cell in 0..size.cells() {
            images[cell] = own.image(seen(cell));
            let is_tile = cell != usize::from(database.partition().blank());
            labels[cell] = if is_tile { own.label(seen(cell)) } else { None };
        }
        Self { part, images, labels, transposed, high_first: 0, pockets_first: 0 }
    }

    /// How the cell in the table changes from one cell of the board to the next: along a row, and along a column.
    fn strides(&self, size: Size) -> [i32; 2] {
        let image = |cell: usize| i32::from(self.images[cell]);
        [image(1) - image(0), image(size.width()) - image(0)]
    }

    /// Whether the cells of a row, or of a column, come the other way round in the table than the rows, or columns,
    /// themselves.
    pub fn is_mirrored(&self, size: Size) -> bool {
        let [along, across] = self.strides(size);
        along.signum() != across.signum()
    }

    /// For moves of the blank up and left, in which direction of the table a tile goes that jumps others: 0 where
    /// it jumps none.
    pub fn directions(&self, size: Size) -> [i16; 2] {
        let [along, across] = self.strides(size);
        // The tile goes against the blank: down, or right.
        let far = |step: i32| if step.abs() > 1 { step.signum() as i16 } else { 0 };
        [far(across), far(along)]
    }
}
