//! The patterns of a database as the kernel looks at them: each once, on the board or on its transpose.

use loyd_heuristics::pdb::{Database, MAX_CELLS};
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

/// The patterns as they are looked at, each once, and the sums over them.
pub fn lanes_and_sums(database: &Database) -> (Vec<Lane>, Vec<u32>) {
    let partition = database.partition();
    let (size, blank) = (partition.size(), Cell::new(partition.blank().into()));
    let reflects = size.width() == size.height() && Symmetry::TRANSPOSE.cell(size, blank) == blank;
    let (mut lanes, mut sums): (Vec<Lane>, Vec<u32>) = (Vec::new(), Vec::new());
    for transposed in [false, true].into_iter().take(1 + usize::from(reflects)) {
        for places in partition.sums() {
            let mut sum = 0;
            for &part in places {
                let lane = Lane::new(database, part, transposed);
                let same = |other: &Lane| {
                    (0..32).all(|tile| other.labels[tile].is_some() == lane.labels[tile].is_some())
                };
                let number = lanes.iter().position(same).unwrap_or(lanes.len());
                if number == lanes.len() {
                    lanes.push(lane);
                }
                sum |= 1_u32.checked_shl(number as u32).unwrap_or(0);
            }
            if !sums.contains(&sum) {
                sums.push(sum);
            }
        }
    }
    (lanes, sums)
}

/// How many lanes have a tile.
pub fn count(lanes: &[Lane], tile: usize) -> usize {
    lanes.iter().filter(|lane| lane.labels[tile].is_some()).count()
}

impl Lane {
    fn new(database: &Database, part: usize, transposed: bool) -> Self {
        let (size, own) = (database.partition().size(), &database.parts()[part]);
        let seen = |cell: usize| match transposed {
            true => Symmetry::TRANSPOSE.cell(size, Cell::new(cell)).index() as u8,
            false => cell as u8,
        };
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
