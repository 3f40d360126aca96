//! The largest of several sums over patterns as a heuristic.

use std::sync::Arc;

use loyd_search::{Cost, Heuristic, IncrementalHeuristic};
use loyd_tiles::{Cell, CellSet, Move, Relabelling, StepSpace, Symmetry};

use super::database::{Database, Part, images};
use super::partition::Partition;
use super::pattern::Pattern;
use super::walk::distance_increases;
use crate::pdb::{MAX_CELLS, Orientation, Position};

/// The largest of the sums of the distances over the patterns of each partition of a set; where the goal allows it,
/// of those for the transpose of the board too.
///
/// Admissible and consistent. It knows positions from which the goal can be reached, and nothing of
/// others. Carried along: a move looks up each pattern that has its tile, for the parent and for the child, and
/// ranks its tiles afresh. The kernel of the same name carries these ranks too.
#[derive(Clone, Debug)]
pub struct LargestSum {
    database: Arc<Database>,
    orientation: Orientation,
    views: Vec<View>,
}

/// A side from which a board is looked at: the board itself, or its transpose.
#[derive(Clone, Debug)]
struct View {
    /// By canonical cell: the canonical cell that stands for it.
    cells: [u8; MAX_CELLS],
    /// By canonical goal cell of a tile, as it is seen from here: the patterns that have the tile.
    members: Vec<Vec<usize>>,
}

/// The sums, first those for the board, in the order of [`Partition::sums`], then those for the transpose.
pub type Sums = [u16; 2 * Partition::MAX_SUMS];

impl LargestSum {
    /// The largest sum for the goal of `labels`.
    ///
    /// # Panics
    /// If the database is for boards of another size, or for another goal cell of the blank.
    pub fn new(database: Arc<Database>, labels: &Relabelling) -> Self {
        let orientation =
            Orientation::new(labels).expect("boards with pattern databases have few cells");
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

    /// The tables.
    pub fn database(&self) -> &Arc<Database> {
        &self.database
    }

    /// The orientation in which boards are looked up.
    pub fn orientation(&self) -> &Orientation {
        &self.orientation
    }

    /// Whether the tables lead from a position to the goal, as right ones do if it can be reached.
    ///
    /// Cost: a walk for each pattern; some ten microseconds.
    pub fn leads_from(&self, position: &Position) -> bool {
        self.sums(position).is_some()
    }

    /// The sums for a position in canonical orientation; `None` if the tables do not lead to the goal.
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

    /// Carries the sums of a view over a step of the tile with this canonical goal cell.
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

/// What the distance of a pattern gains when the tile on `from` goes to `to`, where the blank is.
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

/// The cell in the table of each canonical cell.
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

    /// A canonical position as it looks from here.
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

    /// The sums for a state.
    ///
    /// # Panics
    /// If the tables do not [lead](Self::leads_from) to the goal.
    fn memo(&self, space: &S, state: &S::State) -> Sums {
        let sums = self.sums(&self.orientation.position(space, state));
        sums.expect("tables that are wrong lead no search")
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
