//! Tile-class abstraction: the number of slides that a board needs if tiles of the same class are indistinguishable.
//!
//! A slide may move tiles of several patterns, so sums over patterns are not admissible for slides. Distances in an
//! abstraction are admissible in any metric. Here, tiles of the same class (see [`TileClasses`]) are
//! indistinguishable, and the blank is a class by itself. A [`TileClassTable`] has the distance of every such board.
//! The estimate is the entry of the board or, if the goal is symmetric, the larger of the entries of the board and
//! its mirror image.
//!
//! | module | contents |
//! |---|---|
//! | `classes` | the classes |
//! | `arrangements` | numbering of the orders of the tiles, and the effect of a slide on them and on entries |
//! | `table` | the table and its construction |
//!
//! # References
//! Culberson and Schaeffer (1998), "Pattern databases", Computational Intelligence 14. Classes of tiles
//! for slides, and looking a board and its transpose up in one table, are Tomas Rokicki's ideas.

mod arrangements;
mod classes;
mod table;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use loyd_search::{Cost, Heuristic, IncrementalHeuristic};
use loyd_tiles::{BoardSpace, Cell, Relabelling, Symmetry};

use crate::pdb::{DENSE_CELLS, Orientation};
pub use arrangements::{Arrangement, Arrangements, Line, UNREACHED, change, code};
pub use classes::TileClasses;
pub use table::TileClassTable;

/// The number of slides to the goal if tiles of the same class are indistinguishable: a lower bound in the multi-tile
/// metric only.
///
/// Admissible and consistent: each slide of the board is a slide of the abstract board. Incremental: the state is an
/// arrangement, a word of the table and a distance for each view. Of the two views of a square board, a slide needs a
/// new word in only one.
#[derive(Clone, Debug)]
pub struct TileClassDistance {
    table: Arc<TileClassTable>,
    views: Vec<View>,
}

/// A view of the board: the board itself or a mirror image, in the coordinates of the table.
#[derive(Clone, Debug)]
pub struct View {
    /// Place in the table, by cell of the board.
    places: [u8; DENSE_CELLS],
    /// Class, by label.
    classes: [u8; DENSE_CELLS],
}

/// Maximum number of views of a board.
pub const VIEWS: usize = 2;

/// The incremental state of [`TileClassDistance`], by view.
pub type TileClassMemo = [ViewState; VIEWS];

/// An abstract board and its entry in the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ViewState {
    /// The classes of the tiles by place.
    pub arrangement: Arrangement,
    /// The word of the arrangement in the table.
    pub word: u32,
    /// The number of slides to the goal.
    pub distance: Cost,
}

impl TileClassDistance {
    /// Creates the heuristic for the goal of `labels`.
    ///
    /// # Panics
    /// Panics if `table` is for boards of another size, or for another goal cell of the blank in canonical orientation.
    pub fn new(table: Arc<TileClassTable>, labels: &Relabelling) -> Self {
        let classes = table.classes();
        let orientation = Orientation::new(labels).expect("tables are for at most 16 cells");
        let (size, blank) = (orientation.size(), Cell::new(orientation.blank().into()));
        assert_eq!(
            (size, orientation.blank()),
            (classes.size(), classes.blank()),
            "the table is for another size or goal cell of the blank"
        );
        let keeps = |s: &Symmetry| s.size(size) == size && s.cell(size, blank) == blank;
        let views = Symmetry::all().filter(keeps).take(VIEWS);
        let views =
            views.map(|symmetry| View::new(&orientation, symmetry, classes, labels)).collect();
        Self { table, views }
    }

    /// Returns the table.
    pub fn table(&self) -> &Arc<TileClassTable> {
        &self.table
    }

    /// Returns the views: the board itself and, if a reflection keeps the size and the blank's goal cell, a mirror
    /// image (the transpose on square boards).
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
            view.places[cell.index()] = arrangements::place(size, place) as u8;
        }
        for label in 0..board.tiles() as u8 {
            view.classes[usize::from(label)] = classes.of(image(orientation.goal(label)));
        }
        view
    }

    /// Returns the place of a cell of the board.
    #[inline]
    pub fn place(&self, cell: Cell) -> u32 {
        self.places[cell.index() % DENSE_CELLS].into()
    }

    /// Returns the arrangement of `state`, with `bits` bits per tile.
    pub fn arrangement<S: BoardSpace>(
        &self,
        space: &S,
        state: &S::State,
        bits: u32,
    ) -> Arrangement {
        let blank = space.blank(state);
        // Arrangements leave out the place of the blank.
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

    /// Returns the incremental state for `state`, or `None` if the table is damaged.
    pub fn try_memo<S: BoardSpace>(&self, space: &S, state: &S::State) -> Option<TileClassMemo> {
        let mut memo = TileClassMemo::default();
        for (view_state, view) in memo.iter_mut().zip(&self.views) {
            let bits = self.table.arrangements().bits();
            let arrangement = view.arrangement(space, state, bits);
            let distance = self.table.distance(arrangement, view.place(space.blank(state)))?;
            *view_state = ViewState { arrangement, word: self.table.word(arrangement), distance };
        }
        Some(memo)
    }
}

impl<S: BoardSpace> IncrementalHeuristic<S> for TileClassDistance {
    type Memo = TileClassMemo;

    fn memo(&self, space: &S, state: &S::State) -> TileClassMemo {
        self.try_memo(space, state).expect("the caller has checked the table")
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
        for (view_state, view) in memo.iter_mut().zip(&self.views) {
            let (from, to) = (view.place(from), view.place(to));
            let before = code(view_state.word, from);
            // A slide along a line keeps the arrangement, and so the word.
            if from / line.places != to / line.places {
                view_state.arrangement = line.after_slide(view_state.arrangement, from, to);
                view_state.word = self.table.word(view_state.arrangement);
            }
            view_state.distance =
                view_state.distance.wrapping_add(change(before, code(view_state.word, to)));
        }
        memo
    }

    #[inline]
    fn value(&self, memo: &TileClassMemo) -> Cost {
        self.value_of(memo)
    }
}
