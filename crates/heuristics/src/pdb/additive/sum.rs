//! The sum of the distances of all patterns, as a heuristic.
//!
//! # Data layout
//! The memo has one word per pattern and view (the board itself and possibly its transpose):
//!
//! | bits | contents |
//! |---|---|
//! | 0 to 35 | cells of the pattern's tiles, in the coordinates of the table |
//! | 36 and 37 | distance modulo 4 |
//! | 38 to 63 | rank of the permutation; 10! needs 22 bits |
//!
//! # Stages of a move
//! For each view ([`PatternSum::carry`]):
//!
//! 1. Look up the pattern and the label of the moving tile; if it is in no pattern, nothing changes.
//! 2. Map the two cells to cells of the table.
//! 3. Update rank ([`Coordinates::jump`](super::Coordinates::jump)), set of cells, and q. The blank is now where the
//!    tile was.
//! 4. Read the bit of the new state. Compared with the old distance modulo 4, it determines whether the distance
//!    increases or decreases by 1.

use std::sync::Arc;

use loyd_search::{Cost, Heuristic, IncrementalHeuristic};
use loyd_tiles::{Cell, CellSet, Move, Relabelling, StepSpace, Symmetry};

use super::database::{Database, Part, images};
use super::partition::Partition;
use super::states::distance_increases;
use crate::pdb::{MAX_CELLS, Orientation, Position};

/// The sum of the distances of all patterns. If the goal is symmetric, the larger of the sums for the board and for its
/// transpose.
///
/// Admissible and consistent. Only valid for positions from which the goal can be reached. Incremental: a move looks up
/// one bit per view.
#[derive(Clone, Debug)]
pub struct PatternSum {
    database: Arc<Database>,
    orientation: Orientation,
    /// The board and, if the goal is symmetric, its transpose.
    views: Vec<View>,
}

/// A view of the board: the board itself or its transpose.
#[derive(Clone, Debug)]
struct View {
    /// Image of each canonical cell in this view.
    cells: [u8; MAX_CELLS],
    /// By label of the space: the pattern of the tile, and its label there. The pattern is [`NONE`] for tiles in none.
    members: [(u8, u8); MAX_CELLS],
    /// By pattern.
    maps: Vec<CellMap>,
}

/// Maps cells of the board to cells of a table, and back.
#[derive(Clone, Debug)]
struct CellMap {
    to_table: [u8; MAX_CELLS],
    from_table: [u8; MAX_CELLS],
}

/// Stands for the pattern of tiles that are in no pattern.
const NONE: u8 = u8::MAX;

/// The incremental state of [`PatternSum`].
#[derive(Clone, Copy, Debug)]
pub struct PatternMemo {
    views: [[PatternPlace; Partition::MAX_PATTERNS]; 2],
    /// Sum of the distances in each view. Only 16 bits, so that an enum of the memos of all heuristics, which uses the
    /// niche of `reflected`, is no larger than this struct.
    sums: [u16; 2],
    /// Whether there is a second view.
    reflected: bool,
}

/// Cells of the tiles of a pattern, distance modulo 4, and rank: see the module documentation. A single word, because
/// each node of a path has one for every pattern and view.
#[derive(Clone, Copy, Debug, Default)]
struct PatternPlace(u64);

impl PatternPlace {
    const DISTANCE: u32 = MAX_CELLS as u32;
    const RANK: u32 = Self::DISTANCE + 2;

    #[inline]
    fn new(tiles: CellSet, distance: u32, rank: u32) -> Self {
        let distance = u64::from(distance & 3) << Self::DISTANCE;
        Self(tiles.bits() | distance | u64::from(rank) << Self::RANK)
    }

    #[inline]
    fn tiles(self) -> CellSet {
        CellSet::from_bits(self.0 & ((1 << Self::DISTANCE) - 1))
    }

    /// Returns the distance modulo 4.
    #[inline]
    fn distance(self) -> u32 {
        (self.0 >> Self::DISTANCE) as u32 & 3
    }

    #[inline]
    fn rank(self) -> u32 {
        (self.0 >> Self::RANK) as u32
    }
}

impl PatternMemo {
    /// Returns the estimate.
    #[inline]
    pub fn value(&self) -> Cost {
        self.sums[0].max(self.sums[1]).into()
    }
}

impl PatternSum {
    /// Creates the heuristic for the goal of `labels`. For a partial goal, the patterns must have all tiles that it
    /// constrains.
    ///
    /// # Panics
    /// Panics if the database is for boards of another size, for another goal cell of the blank, or for a set of
    /// partitions.
    pub fn new(database: Arc<Database>, labels: &Relabelling) -> Self {
        let orientation =
            Orientation::new(labels).expect("boards with pattern databases have at most 36 cells");
        let partition = database.partition();
        let (size, blank) = (partition.size(), partition.blank());
        assert_eq!(
            (size, blank),
            (orientation.size(), orientation.blank()),
            "the database is for another orientation"
        );
        assert!(!partition.is_set(), "sets of partitions need `LargestSum`");
        let view = |cells| View::new(&database, &orientation, cells);
        let mut views = vec![view(images(size, Symmetry::default()))];
        let transposed = images(size, Symmetry::TRANSPOSE);
        let covered = partition.covered();
        // The transpose is only looked up if the covered tiles are symmetric too.
        let mut images = covered.iter().map(|cell| transposed[usize::from(cell)]);
        if orientation.is_reflective() && images.all(|cell| covered.contains(cell)) {
            views.push(view(transposed));
        }
        Self { database, orientation, views }
    }

    /// Returns the tables.
    pub fn database(&self) -> &Arc<Database> {
        &self.database
    }

    /// Returns the orientation in which boards are looked up.
    pub fn orientation(&self) -> &Orientation {
        &self.orientation
    }

    /// Returns whether descents from a position end at the goal, as they do if it can be reached and the tables are not
    /// damaged.
    ///
    /// Cost: a descent for each pattern and view; microseconds.
    pub fn descends_from(&self, position: &Position) -> bool {
        self.views.iter().all(|view| view.distances(&self.database, position).is_some())
    }

    /// Returns the memo of a position in canonical orientation.
    ///
    /// # Panics
    /// Panics if the tables do not [descend](Self::descends_from) from the position to the goal.
    pub fn memo_of(&self, position: &Position) -> PatternMemo {
        let empty = [PatternPlace::default(); Partition::MAX_PATTERNS];
        let mut memo =
            PatternMemo { views: [empty; 2], sums: [0; 2], reflected: self.views.len() > 1 };
        for (view, seen) in self.views.iter().enumerate() {
            let distances = seen.distances(&self.database, position);
            let distances = distances.expect("the caller has checked the tables");
            memo.sums[view] = distances.iter().sum::<Cost>() as u16;
            let position = seen.position(position);
            for (index, part) in self.database.parts().iter().enumerate() {
                memo.views[view][index] = place(part, &position, distances[index]);
            }
        }
        memo
    }

    /// Updates one view of `memo` for the move of the tile `moving` from one cell of the board to the next. `label`
    /// returns the label of the tile on a cell.
    #[inline]
    fn carry(
        &self,
        memo: &mut PatternMemo,
        view: usize,
        (moving, from, to): (u8, Cell, Cell),
        label: impl Fn(Cell) -> u8,
    ) {
        let seen = &self.views[view];
        let member = |label: u8| seen.members[usize::from(label) % MAX_CELLS];
        let (index, own) = member(moving);
        let index = usize::from(index);
        // `NONE` is past the last part: tiles in no pattern change nothing.
        let Some(part) = self.database.parts().get(index) else { return };
        let map = &seen.maps[index];
        let [from, to] = [from, to].map(|cell| map.to_table[cell.index() % MAX_CELLS]);
        let place = &mut memo.views[view][index];
        // Label within the pattern of the tile on a cell of the table.
        let at = |cell: u8| {
            member(label(Cell::new(map.from_table[usize::from(cell) % MAX_CELLS].into()))).1
        };
        let tiles = place.tiles();
        let jump = part.coordinates().jump(own, (from, to), tiles, at);
        let rank = place.rank().wrapping_add(jump);
        let tiles = tiles ^ CellSet::of(from) ^ CellSet::of(to);
        let bit = self.database.bit_at(part.place(rank, part.coordinates().q(tiles, from)));
        let before = place.distance();
        let change = if distance_increases(before & 1, before >> 1, bit) { 1 } else { -1 };
        *place = PatternPlace::new(tiles, before.wrapping_add_signed(change), rank);
        memo.sums[view] = memo.sums[view].wrapping_add_signed(change as i16);
    }
}

/// Returns cells, distance and rank of a pattern in `position`.
fn place(part: &Part, position: &Position, distance: Cost) -> PatternPlace {
    let mut labels = [0; MAX_CELLS];
    let mut tiles = CellSet::EMPTY;
    for (cell, &goal) in (0..part.coordinates().size().cells() as u8).zip(position) {
        if let Some(label) = part.label(goal) {
            labels[usize::from(part.image(cell))] = label;
            tiles |= CellSet::of(part.image(cell));
        }
    }
    let order: Vec<u8> = tiles.iter().map(|cell| labels[usize::from(cell)]).collect();
    PatternPlace::new(tiles, distance, part.coordinates().rank(&order))
}

impl View {
    /// Creates the view in which each canonical cell has the image `cells[cell]`.
    fn new(database: &Database, orientation: &Orientation, cells: [u8; MAX_CELLS]) -> Self {
        let size = orientation.size();
        let mut members = [(NONE, 0); MAX_CELLS];
        let mut maps = Vec::new();
        for (index, part) in (0..).zip(database.parts()) {
            for label in 0..size.tiles() as u8 {
                let goal = cells[usize::from(orientation.goal(label))];
                if let Some(own) = part.label(goal) {
                    members[usize::from(label)] = (index, own);
                }
            }
            let mut map = CellMap { to_table: [0; MAX_CELLS], from_table: [0; MAX_CELLS] };
            for cell in size.iter_cells() {
                let there = part.image(cells[usize::from(orientation.cell(cell))]);
                map.to_table[cell.index()] = there;
                map.from_table[usize::from(there)] = cell.index() as u8;
            }
            maps.push(map);
        }
        Self { cells, members, maps }
    }

    /// Returns the image of a canonical position in this view.
    fn position(&self, position: &Position) -> Position {
        let mut seen = [0; MAX_CELLS];
        for (&cell, &goal) in self.cells.iter().zip(position) {
            seen[usize::from(cell)] = self.cells[usize::from(goal)];
        }
        seen
    }

    /// Returns the distance of each pattern in a canonical position, or `None` if a descent does not end at the goal.
    fn distances(&self, database: &Database, position: &Position) -> Option<Vec<Cost>> {
        let position = self.position(position);
        let starts: Vec<_> = (0..database.parts().len()).map(|part| (part, &position)).collect();
        database.distances(&starts, |_| {})
    }
}

impl<S: StepSpace> Heuristic<S> for PatternSum {
    fn h(&self, space: &S, state: &S::State) -> Cost {
        self.memo_of(&self.orientation.position(space, state)).value()
    }
}

impl<S: StepSpace> IncrementalHeuristic<S> for PatternSum {
    type Memo = PatternMemo;

    fn memo(&self, space: &S, state: &S::State) -> PatternMemo {
        self.memo_of(&self.orientation.position(space, state))
    }

    #[inline]
    fn update(
        &self,
        space: &S,
        mut memo: PatternMemo,
        parent: &S::State,
        m: Move,
        _: &S::State,
    ) -> PatternMemo {
        let step = (space.moving(parent, m), space.target(parent, m), space.blank(parent));
        let label = |cell| space.label(parent, cell);
        self.carry(&mut memo, 0, step, label);
        if memo.reflected {
            self.carry(&mut memo, 1, step, label);
        }
        memo
    }

    #[inline]
    fn value(&self, memo: &PatternMemo) -> Cost {
        memo.value()
    }
}
