//! The largest of several sums over patterns, as a heuristic.
//!
//! # Data layout
//! The memo is an array of `u16`: the sums of the board in the order of [`Partition::sums`], followed by the sums of
//! the transpose if the goal is symmetric. Unused entries are 0.
//!
//! # Stages of a move
//! For each view ([`LargestSum::carry`]) and each pattern with the moving tile ([`change`]):
//!
//! 1. Find the labels and the set of cells of the pattern's tiles in the parent.
//! 2. Look up the bits of parent and child, with ranks computed from scratch.
//! 3. The bits and the parity of the parent determine the change of the distance, 1 or −1, which is added to all sums
//!    with the pattern.

use std::sync::Arc;

use loyd_search::{Cost, Heuristic, IncrementalHeuristic};
use loyd_tiles::{Cell, CellSet, Move, Relabelling, StepSpace, Symmetry};

use super::database::{Database, Part, images};
use super::partition::Partition;
use super::pattern::Pattern;
use super::states::distance_increases;
use crate::pdb::{MAX_CELLS, Orientation, Position};

/// The largest sum of the distances of the patterns of a partition, over all partitions of a set and, if the goal is
/// symmetric, over the board and its transpose.
///
/// Admissible and consistent. Only valid for positions from which the goal can be reached. Incremental: a move looks up
/// each pattern that has the moving tile, once for the parent and once for the child, with ranks computed from scratch.
/// The kernel of the same name also updates the ranks incrementally.
#[derive(Clone, Debug)]
pub struct LargestSum {
    database: Arc<Database>,
    orientation: Orientation,
    views: Vec<View>,
}

/// A view of the board: the board itself or its transpose.
#[derive(Clone, Debug)]
struct View {
    /// Image of each canonical cell in this view.
    cells: [u8; MAX_CELLS],
    /// By image of the tile's canonical goal cell: the patterns that have the tile.
    members: Vec<Vec<usize>>,
}

/// The sums for the board, in the order of [`Partition::sums`], followed by those for its transpose.
pub type Sums = [u16; 2 * Partition::MAX_SUMS];

impl LargestSum {
    /// Creates the heuristic for the goal of `labels`.
    ///
    /// # Panics
    /// Panics if the database is for boards of another size, or for another goal cell of the blank.
    pub fn new(database: Arc<Database>, labels: &Relabelling) -> Self {
        let orientation =
            Orientation::new(labels).expect("boards with pattern databases have at most 36 cells");
        let (size, blank) = (database.partition().size(), database.partition().blank());
        assert_eq!(
            (size, blank),
            (orientation.size(), orientation.blank()),
            "the database is for another orientation"
        );
        let mut views = vec![View::new(&database, Symmetry::default())];
        if orientation.is_reflective() {
            views.push(View::new(&database, Symmetry::TRANSPOSE));
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
    /// Cost: a descent for each pattern and view; some ten microseconds.
    pub fn descends_from(&self, position: &Position) -> bool {
        self.sums(position).is_some()
    }

    /// Returns the sums for a position in canonical orientation, or `None` if a descent does not end at the goal.
    pub fn sums(&self, position: &Position) -> Option<Sums> {
        let mut sums = Sums::default();
        let sets = self.database.partition().sums();
        for (view, sums) in self.views.iter().zip(sums.chunks_mut(sets.len())) {
            let position = view.position(position);
            let starts: Vec<_> =
                (0..self.database.parts().len()).map(|part| (part, &position)).collect();
            let distances = self.database.distances(&starts, |_| {})?;
            for (sum, places) in sums.iter_mut().zip(sets) {
                *sum = places.iter().map(|&place| distances[place]).sum::<Cost>() as u16;
            }
        }
        Some(sums)
    }

    /// Updates the sums of a view for a move: `step` is the canonical goal cell of the tile, its cell, and that of the
    /// blank.
    fn carry(&self, sums: &mut [u16], view: &View, position: &Position, step: (u8, u8, u8)) {
        let (goal, from, to) = step;
        let [goal, from, to] = [goal, from, to].map(|cell| view.cells[usize::from(cell)]);
        let seen = view.position(position);
        for &place in &view.members[usize::from(goal)] {
            let change = change(&self.database, &self.database.parts()[place], &seen, (from, to));
            for (sum, places) in sums.iter_mut().zip(self.database.partition().sums()) {
                if places.contains(&place) {
                    *sum = sum.wrapping_add_signed(change);
                }
            }
        }
    }
}

/// Returns the change of a pattern's distance (1 or −1) when the tile on `from` moves to `to`, where the blank is.
fn change(database: &Database, part: &Part, position: &Position, (from, to): (u8, u8)) -> i16 {
    let (mut labels, mut tiles) = ([0; MAX_CELLS], CellSet::EMPTY);
    let cells = part.coordinates().size().cells();
    for (&goal, &cell) in position[..cells].iter().zip(&images_of(part)) {
        if let Some(label) = part.label(goal) {
            labels[usize::from(cell)] = label;
            tiles |= CellSet::of(cell);
        }
    }
    let (from, to) = (part.image(from), part.image(to));
    let bit = |labels: &[u8; MAX_CELLS], tiles: CellSet, blank| {
        let mut order = [0; Pattern::MAX_TILES];
        for (place, cell) in order.iter_mut().zip(tiles.iter()) {
            *place = labels[usize::from(cell)];
        }
        let coordinates = part.coordinates();
        let rank = coordinates.rank(&order[..coordinates.tiles()]);
        database.bit_at(part.place(rank, coordinates.q(tiles, blank)))
    };
    let before = bit(&labels, tiles, to);
    labels[usize::from(to)] = labels[usize::from(from)];
    let after = bit(&labels, tiles ^ CellSet::of(from) ^ CellSet::of(to), from);
    if distance_increases(part.parity(tiles), before, after) { 1 } else { -1 }
}

/// Returns the cell in the table for each canonical cell.
fn images_of(part: &Part) -> [u8; MAX_CELLS] {
    std::array::from_fn(|cell| part.image(cell as u8))
}

impl View {
    fn new(database: &Database, symmetry: Symmetry) -> Self {
        let size = database.partition().size();
        let patterns = database.partition().patterns();
        let members = |cell: usize| {
            let has = |pattern: &Pattern| pattern.cells().contains(&(cell as u8));
            (0..patterns.len()).filter(|&place| has(&patterns[place])).collect()
        };
        Self { cells: images(size, symmetry), members: (0..size.cells()).map(members).collect() }
    }

    /// Returns the image of a canonical position in this view.
    fn position(&self, position: &Position) -> Position {
        let mut seen = [0; MAX_CELLS];
        for (&cell, &goal) in self.cells.iter().zip(position) {
            seen[usize::from(cell)] = self.cells[usize::from(goal)];
        }
        seen
    }
}

impl<S: StepSpace> Heuristic<S> for LargestSum {
    fn h(&self, space: &S, state: &S::State) -> Cost {
        let sums = IncrementalHeuristic::<S>::memo(self, space, state);
        IncrementalHeuristic::<S>::value(self, &sums)
    }
}

impl<S: StepSpace> IncrementalHeuristic<S> for LargestSum {
    type Memo = Sums;

    /// Returns the sums for a state.
    ///
    /// # Panics
    /// Panics if the tables do not [descend](Self::descends_from) from the state to the goal.
    fn memo(&self, space: &S, state: &S::State) -> Sums {
        let sums = self.sums(&self.orientation.position(space, state));
        sums.expect("the caller has checked the tables")
    }

    fn update(&self, space: &S, mut sums: Sums, parent: &S::State, m: Move, _: &S::State) -> Sums {
        let goal = self.orientation.goal(space.moving(parent, m));
        let cell = |cell: Cell| self.orientation.cell(cell);
        let step = (goal, cell(space.target(parent, m)), cell(space.blank(parent)));
        let position = self.orientation.position(space, parent);
        let chunks = sums.chunks_mut(self.database.partition().sums().len());
        for (view, sums) in self.views.iter().zip(chunks) {
            self.carry(sums, view, &position, step);
        }
        sums
    }

    #[inline]
    fn value(&self, sums: &Sums) -> Cost {
        sums.iter().copied().max().unwrap_or(0).into()
    }
}
