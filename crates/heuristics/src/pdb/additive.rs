//! The sum over the patterns of a database as a heuristic.

use std::sync::Arc;

use loyd_search::{Cost, Heuristic, IncrementalHeuristic};
use loyd_tiles::{Cell, Move, Relabelling, StepSpace, Symmetry};

use super::database::distance_increases;
use super::{Database, MAX_CELLS, Orientation, Partition, Position};

/// The sum of the distances of all patterns; where the goal allows it, the larger one of the sums for
/// the board and for its transpose.
///
/// Admissible and consistent. It knows positions from which the goal can be reached, and nothing of
/// others. Carried along: a move looks one bit up in each sum.
#[derive(Clone, Debug)]
pub struct PatternSum {
    database: Arc<Database>,
    orientation: Orientation,
    /// By goal cell: which pattern, and which label there.
    members: [(u8, u8); MAX_CELLS],
    /// By cell: the cell in the transpose, if that is looked at too.
    transposed: Option<[u8; MAX_CELLS]>,
}

/// Where each pattern stands.
#[derive(Clone, Copy, Debug)]
pub struct PatternMemo {
    views: [[PatternPlace; Partition::MAX_PATTERNS]; 2],
    sums: [Cost; 2],
}

/// Where the tiles of one pattern are, and how far from the goal.
#[derive(Clone, Copy, Debug, Default)]
struct PatternPlace {
    rank: u32,
    mask: u16,
    distance: u8,
}

impl PatternMemo {
    /// The estimate.
    #[inline]
    pub fn value(&self) -> Cost {
        self.sums[0].max(self.sums[1])
    }
}

impl PatternSum {
    /// The sum for the goal of `labels`.
    ///
    /// # Panics
    /// If the database is for boards of another size, or for another goal cell of the blank.
    pub fn new(database: Arc<Database>, labels: &Relabelling) -> Self {
        let orientation =
            Orientation::new(labels).expect("boards with pattern databases have at most 16 cells");
        let partition = database.partition();
        assert_eq!(
            (partition.size(), partition.blank()),
            (orientation.size(), orientation.blank()),
            "the database is for another orientation"
        );
        let mut members = [(u8::MAX, 0); MAX_CELLS];
        for (index, pattern) in partition.patterns().iter().enumerate() {
            for (label, &cell) in pattern.cells().iter().enumerate() {
                members[usize::from(cell)] = (index as u8, label as u8);
            }
        }
        let transpose = |cell: usize| match cell < orientation.size().cells() {
            true => Symmetry::TRANSPOSE.cell(orientation.size(), Cell::new(cell)).index() as u8,
            false => 0,
        };
        let transposed: [u8; MAX_CELLS] = std::array::from_fn(transpose);
        let covered = partition.covered();
        // The transpose of a tile that does not count must not count either.
        let alike = |cell: u8| covered >> cell & 1 == covered >> transposed[usize::from(cell)] & 1;
        let reflects =
            orientation.is_reflective() && (0..orientation.size().cells() as u8).all(alike);
        let transposed = reflects.then_some(transposed);
        Self { database, orientation, members, transposed }
    }

    /// The tables.
    pub fn database(&self) -> &Arc<Database> {
        &self.database
    }

    /// The side from which boards are looked at.
    pub fn orientation(&self) -> &Orientation {
        &self.orientation
    }

    /// Whether the tables lead from a position to the goal, as right ones do if it can be reached.
    ///
    /// Cost: a walk for each pattern; microseconds.
    pub fn leads_from(&self, position: &Position) -> bool {
        let views = [Some(*position), self.reflected(position)];
        let mut walks = views.iter().flatten().flat_map(|view| {
            (0..self.database.parts().len()).map(|part| self.database.distance(part, view))
        });
        walks.all(|distance| distance.is_some())
    }

    /// The memo of a position in canonical orientation.
    ///
    /// # Panics
    /// If the tables do not [lead](Self::leads_from) to the goal.
    pub fn place(&self, position: &Position) -> PatternMemo {
        let nowhere = [PatternPlace::default(); Partition::MAX_PATTERNS];
        let mut memo = PatternMemo { views: [nowhere; 2], sums: [0; 2] };
        self.place_view(&mut memo, 0, position);
        if let Some(reflected) = self.reflected(position) {
            self.place_view(&mut memo, 1, &reflected);
        }
        memo
    }

    /// The transpose of a position, if that is looked at.
    fn reflected(&self, position: &Position) -> Option<Position> {
        let transposed = self.transposed.as_ref()?;
        let mut reflected = [0; MAX_CELLS];
        for cell in self.orientation.size().iter_cells() {
            let goal = transposed[usize::from(position[cell.index()])];
            reflected[usize::from(transposed[cell.index()])] = goal;
        }
        Some(reflected)
    }

    fn place_view(&self, memo: &mut PatternMemo, view: usize, position: &Position) {
        let blank = self.orientation.blank();
        let cells = 0..self.orientation.size().cells();
        for (index, part) in self.database.parts().iter().enumerate() {
            let member = |&cell: &usize| {
                position[cell] != blank
                    && usize::from(self.members[usize::from(position[cell])].0) == index
            };
            let cells = cells.clone().filter(member);
            let (mut mask, mut order) = (0, Vec::new());
            for cell in cells {
                mask |= 1 << cell;
                order.push(self.members[usize::from(position[cell])].1);
            }
            let distance = self.database.distance(index, position);
            let distance = distance.expect("tables that are wrong lead no search");
            let rank = part.coordinates().rank(&order);
            memo.views[view][index] = PatternPlace { rank, mask, distance: distance as u8 };
            memo.sums[view] += distance;
        }
    }

    /// Carries `memo` over the move of the tile with goal cell `goal` from one cell to the next, in
    /// one of the views; `at` tells the goal cell of the tile on a cell.
    #[inline]
    fn carry(
        &self,
        memo: &mut PatternMemo,
        view: usize,
        goal: u8,
        (from, to): (u8, u8),
        at: impl Fn(u8) -> u8,
    ) {
        let (index, label) = self.members[usize::from(goal)];
        let index = usize::from(index);
        // Tiles in no pattern count for nothing.
        let Some(part) = self.database.parts().get(index) else { return };
        let place = &mut memo.views[view][index];
        let fellow = |cell| {
            let (other, label) = self.members[usize::from(at(cell))];
            (usize::from(other) == index).then_some(label)
        };
        place.rank = place.rank.wrapping_add(part.jump(label, from, to, fellow));
        place.mask ^= 1 << from | 1 << to;
        let q = part.coordinates().q(place.mask, from);
        let bit = self.database.bit(index, place.rank, q);
        let before = u32::from(place.distance);
        let change = if distance_increases(before & 1, before >> 1 & 1, bit) { 1 } else { -1 };
        place.distance = place.distance.wrapping_add_signed(change);
        memo.sums[view] = memo.sums[view].wrapping_add_signed(change.into());
    }
}

impl<S: StepSpace> Heuristic<S> for PatternSum {
    fn h(&self, space: &S, state: &S::State) -> Cost {
        self.place(&self.orientation.position(space, state)).value()
    }
}

impl<S: StepSpace> IncrementalHeuristic<S> for PatternSum {
    type Memo = PatternMemo;

    fn memo(&self, space: &S, state: &S::State) -> PatternMemo {
        self.place(&self.orientation.position(space, state))
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
        let from = self.orientation.cell(space.target(parent, m));
        let to = self.orientation.cell(space.blank(parent));
        let goal = self.orientation.goal(space.moving(parent, m));
        let at = |cell| self.orientation.goal(space.label(parent, self.orientation.origin(cell)));
        self.carry(&mut memo, 0, goal, (from, to), at);
        if let Some(transposed) = &self.transposed {
            let t = |cell: u8| transposed[usize::from(cell)];
            self.carry(&mut memo, 1, t(goal), (t(from), t(to)), |cell| t(at(t(cell))));
        }
        memo
    }

    #[inline]
    fn value(&self, memo: &PatternMemo) -> Cost {
        memo.value()
    }
}
