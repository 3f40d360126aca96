//! Tile-class abstraction: how many slides a board needs if tiles of a class are indistinguishable.
//!
//! A slide moves tiles of several patterns, so sums over patterns count too much there. What holds in any
//! metric is the distance of a simpler puzzle: tiles of one of the [`TileClasses`] are
//! indistinguishable, and the blank is alone. A [`TileClassTable`] has this distance for all boards; a board is looked up as it is, and seen in a
//! mirror where the goal allows that: the larger of the two is the estimate.
//!
//! # References
//! Culberson and Schaeffer (1998), "Pattern databases", Computational Intelligence 14. Classes of tiles
//! for slides, and looking a board and its transpose up in one table, are Tomas Rokicki's ideas.

mod arrangements;
mod build;
mod classes;
mod lines;
mod table;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use loyd_search::{Cost, Heuristic, IncrementalHeuristic};
use loyd_tiles::{BoardSpace, Cell, Relabelling, Symmetry};

use crate::pdb::{DENSE_CELLS, Orientation};
pub use arrangements::{Arrangement, Arrangements};
pub use classes::TileClasses;
pub use lines::{Line, UNREACHED, change, code};
pub use table::TileClassTable;

/// The number of slides to the goal if tiles of the same class are indistinguishable: a lower bound on that of the
/// board, in the multi-tile metric only.
///
/// Admissible and consistent: each slide of the board is one of the simpler puzzle. Carried along: an
/// arrangement, a word of the table and a distance for each side from which the board is looked at. A
/// slide needs a new word for one of two sides.
#[derive(Clone, Debug)]
pub struct TileClassDistance {
    table: Arc<TileClassTable>,
    views: Vec<View>,
}

/// A side from which a board is looked at.
#[derive(Clone, Debug)]
pub struct View {
    /// By cell of the board: the place in the table.
    places: [u8; DENSE_CELLS],
    /// By label: the class.
    classes: [u8; DENSE_CELLS],
}

/// The most sides from which a board is looked at.
pub const VIEWS: usize = 2;

/// What [`TileClassDistance`] carries along, a view each.
pub type TileClassMemo = [Seen; VIEWS];

/// An abstract board in the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Its tiles.
    pub arrangement: Arrangement,
    /// The word of the arrangement.
    pub word: u32,
    /// The slides that it needs.
    pub distance: Cost,
}

impl TileClassDistance {
    /// The heuristic for the goal of `labels`, which `table` has to be made for.
    ///
    /// # Panics
    /// If the table is for other boards, or for another goal cell of the blank in canonical orientation.
    pub fn new(table: Arc<TileClassTable>, labels: &Relabelling) -> Self {
        let classes = table.classes();
        let orientation = Orientation::new(labels).expect("there are tables of 16 cells at most");
        let (size, blank) = (orientation.size(), Cell::new(orientation.blank().into()));
        assert_eq!(
            (size, orientation.blank()),
            (classes.size(), classes.blank()),
            "another table's goal"
        );
        let keeps = |s: &Symmetry| s.size(size) == size && s.cell(size, blank) == blank;
        let views = Symmetry::all().filter(keeps).take(VIEWS);
        let views =
            views.map(|symmetry| View::new(&orientation, symmetry, classes, labels)).collect();
        Self { table, views }
    }

    /// The table.
    pub fn table(&self) -> &Arc<TileClassTable> {
        &self.table
    }

    /// The sides from which boards are looked at: the board itself, and a mirror image if there is one
    /// with the same goal, the transpose on square boards.
    pub fn views(&self) -> &[View] {
        &self.views
    }
}

impl View {
    fn new(
        orientation: &Orientation,
        symmetry: Symmetry,
        classes: &TileClasses,
        labels: &Relabelling,
    ) -> Self {
        let size = orientation.size();
        let image = |cell: u8| symmetry.cell(size, Cell::new(cell.into()));
        let board = labels.goal().size();
        let mut view = Self { places: [0; DENSE_CELLS], classes: [0; DENSE_CELLS] };
        for cell in board.iter_cells() {
            let place = image(orientation.cell(cell)).index();
            view.places[cell.index()] = lines::place(size, place) as u8;
        }
        for label in 0..board.tiles() as u8 {
            view.classes[usize::from(label)] = classes.of(image(orientation.goal(label)));
        }
        view
    }

    /// The place of a cell of the board.
    #[inline]
    pub fn place(&self, cell: Cell) -> u32 {
        self.places[cell.index() % DENSE_CELLS].into()
    }

    /// The arrangement of `state`, with so many bits a tile.
    pub fn arrangement<S: BoardSpace>(
        &self,
        space: &S,
        state: &S::State,
        bits: u32,
    ) -> Arrangement {
        let blank = space.blank(state);
        let at = |cell| self.place(cell) - u32::from(self.place(cell) > self.place(blank));
        let class = |cell| self.classes[usize::from(space.label(state, cell)) % DENSE_CELLS];
        let tiles = space.size().iter_cells().filter(|&cell| cell != blank);
        tiles.fold(0, |arrangement, cell| arrangement | u64::from(class(cell)) << (at(cell) * bits))
    }
}

impl<S: BoardSpace> Heuristic<S> for TileClassDistance {
    fn h(&self, space: &S, state: &S::State) -> Cost {
        self.value_of(&self.memo(space, state))
    }
}

impl TileClassDistance {
    #[inline]
    fn value_of(&self, memo: &TileClassMemo) -> Cost {
        memo[0].distance.max(memo[1].distance)
    }

    /// What is carried along from `state` on, given in any space; `None` if the table is wrong.
    pub fn seen<S: BoardSpace>(&self, space: &S, state: &S::State) -> Option<TileClassMemo> {
        let mut memo = TileClassMemo::default();
        for (seen, view) in memo.iter_mut().zip(&self.views) {
            let bits = self.table.arrangements().bits();
            let arrangement = view.arrangement(space, state, bits);
            let distance = self.table.distance(arrangement, view.place(space.blank(state)))?;
            *seen = Seen { arrangement, word: self.table.word(arrangement), distance };
        }
        Some(memo)
    }
}

impl<S: BoardSpace> IncrementalHeuristic<S> for TileClassDistance {
    type Memo = TileClassMemo;

    fn memo(&self, space: &S, state: &S::State) -> TileClassMemo {
        self.seen(space, state).expect("tables that are wrong lead no search")
    }

    #[inline]
    fn update(
        &self,
        space: &S,
        mut memo: TileClassMemo,
        parent: &S::State,
        _: S::Action,
        child: &S::State,
    ) -> TileClassMemo {
        let (from, to) = (space.blank(parent), space.blank(child));
        let line = self.table.line();
        for (seen, view) in memo.iter_mut().zip(&self.views) {
            let (from, to) = (view.place(from), view.place(to));
            let before = code(seen.word, from);
            if from / line.places != to / line.places {
                seen.arrangement = line.slid(seen.arrangement, from, to);
                seen.word = self.table.word(seen.arrangement);
            }
            seen.distance = seen.distance.wrapping_add(change(before, code(seen.word, to)));
        }
        memo
    }

    #[inline]
    fn value(&self, memo: &TileClassMemo) -> Cost {
        self.value_of(memo)
    }
}
